//! The statement of a payment as field elements: the hashes and trees of circuits/payment/payment.circom, and its public values.

use pairwright::curve::bls12_381::Fr;
use pairwright::field::PrimeField;
use pairwright::hash::{Compress, Poseidon};
use sha2::{Digest, Sha256};

/// Number of levels of the tree of notes, as in the circuit.
pub(super) const NOTE_LEVELS: usize = 12;
/// Number of levels of the tree of payers, as in the circuit.
pub(super) const PAYER_LEVELS: usize = 8;
/// Number of public values of the circuit.
pub(super) const PUBLIC: usize = 9;

/// The second arguments of the hash that separate its uses.
const OWNER: u64 = 1;
const SPENDER: u64 = 2;
const KEY: u64 = 3;

/// The hashes of the circuit, in constant time except for positions in trees.
pub(super) struct Hashes(Poseidon<Fr>);

impl Hashes {
    pub(super) fn new() -> Self {
        Self(Poseidon::new())
    }

    fn two(&self, left: Fr, right: Fr) -> Fr {
        self.0.compress(&left, &right)
    }

    /// The public owner value of a spending key, to which notes are paid.
    pub(super) fn owner(&self, spending_key: Fr) -> Fr {
        self.two(spending_key, Fr::from(OWNER))
    }

    /// The commitment to a note.
    pub(super) fn note(&self, owner: Fr, value: u64, blinding: Fr) -> Fr {
        self.two(self.two(owner, Fr::from(value)), blinding)
    }

    /// The nullifier, which is published when the note at this position of the ledger is spent.
    pub(super) fn nullifier(&self, spending_key: Fr, note: Fr, position: usize) -> Fr {
        let place = self.two(note, Fr::from(position as u64));
        self.two(self.two(spending_key, Fr::from(SPENDER)), place)
    }

    /// The leaf of a payer in the registry.
    pub(super) fn payer(&self, identity: Fr, owner: Fr) -> Fr {
        self.two(identity, owner)
    }

    /// The commitment to the key of an encrypted identity.
    pub(super) fn key_hash(&self, key: Fr) -> Fr {
        self.two(key, Fr::from(KEY))
    }

    /// The mask that is added to an identity to encrypt it. It is different for every payment, since nullifiers are.
    pub(super) fn mask(&self, key: Fr, nullifier: Fr) -> Fr {
        self.two(key, nullifier)
    }

    /// The roots of empty trees with 0 to `depth` levels.
    fn empty(&self, depth: usize) -> Vec<Fr> {
        let mut roots = vec![Fr::from(0)];
        roots.extend((0..depth).scan(Fr::from(0), |node, _| {
            *node = self.two(*node, *node);
            Some(*node)
        }));
        roots
    }

    /// The root of a ledger after each of its notes has been added, in order.
    pub(super) fn roots<'a>(&'a self, notes: &'a [Fr]) -> impl Iterator<Item = Fr> + 'a {
        let empty = self.empty(NOTE_LEVELS);
        // The left nodes whose right siblings are not known yet, by level.
        let mut waiting = [Fr::from(0); NOTE_LEVELS];
        notes.iter().enumerate().map(move |(position, note)| {
            waiting.iter_mut().zip(&empty).enumerate().fold(*note, |node, (level, (left, empty))| {
                if position >> level & 1 == 1 {
                    return self.two(*left, node);
                }
                *left = node;
                self.two(node, *empty)
            })
        })
    }
}

/// The path from a leaf to the root: for each level, whether the node is the right child, and its sibling.
pub(super) struct MerklePath {
    pub(super) bits: Vec<bool>,
    pub(super) siblings: Vec<Fr>,
}

/// A tree of 2^depth leaves, of which the first are given and the others are zero.
pub(super) struct Tree {
    levels: Vec<Vec<Fr>>,
    empty: Vec<Fr>,
}

impl Tree {
    /// Builds the tree with the given leaves, at most 2^depth.
    pub(super) fn new(hashes: &Hashes, depth: usize, leaves: Vec<Fr>) -> Self {
        let empty = hashes.empty(depth);
        let mut levels = vec![leaves];
        for none in empty.iter().take(depth) {
            let above = levels.last().map(|level| {
                let node = |pair: &[Fr]| match pair {
                    [left, right] => hashes.two(*left, *right),
                    rest => hashes.two(rest.first().copied().unwrap_or(*none), *none),
                };
                level.chunks(2).map(node).collect()
            });
            levels.push(above.unwrap_or_default());
        }
        Self { levels, empty }
    }

    fn node(&self, level: usize, index: usize) -> Fr {
        let known = self.levels.get(level).and_then(|nodes| nodes.get(index));
        known.or(self.empty.get(level)).copied().unwrap_or_default()
    }

    pub(super) fn root(&self) -> Fr {
        self.node(self.levels.len() - 1, 0)
    }

    /// The position of a leaf, if the tree has it.
    pub(super) fn position(&self, leaf: Fr) -> Option<usize> {
        self.levels.first()?.iter().position(|known| *known == leaf)
    }

    pub(super) fn path(&self, position: usize) -> MerklePath {
        let levels = 0..self.levels.len() - 1;
        let bits = levels.clone().map(|level| position >> level & 1 == 1).collect();
        let siblings = levels.map(|level| self.node(level, position >> level ^ 1)).collect();
        MerklePath { bits, siblings }
    }
}

/// The first 31 bytes of a digest of some parts as a field element: below the modulus, with 124 bits of security against collisions.
fn number(tag: &[u8], parts: &[&[u8]]) -> Fr {
    let mut hash = Sha256::new().chain_update(tag);
    for part in parts {
        hash = hash.chain_update((part.len() as u64).to_be_bytes()).chain_update(part);
    }
    let mut bytes: [u8; 32] = hash.finalize().into();
    bytes.rotate_right(1);
    bytes[0] = 0;
    Fr::read_be(&bytes).expect("a number of 248 bits is below the modulus")
}

/// A payer's name, hashed to a field element.
pub(super) fn identity_of(name: &str) -> Fr {
    number(b"pairwright payment identity v1", &[name.as_bytes()])
}

/// The digest of the authority, the period and the encrypted key, which are no inputs of the circuit: as a public value it binds the
/// proof to them.
pub(super) fn digest_of(authority: &str, period: &str, encrypted_key: &[u8]) -> Fr {
    number(b"pairwright payment digest v1", &[authority.as_bytes(), period.as_bytes(), encrypted_key])
}

#[cfg(test)]
mod tests {
    use super::super::circuit;
    use super::*;
    use pairwright::witness::Inputs;
    use serde_json::Value;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn read(value: &Value) -> Fr {
        Fr::from_decimal(value.as_str().unwrap()).unwrap()
    }

    const INPUT: &str = include_str!("../../../payment/bls12381/input.json");
    const EXPECTED: &str = include_str!("../../../payment/bls12381/public.json");

    /// Compares with the inputs and public values that circuits/inputs/payment.mjs computes independently.
    #[test]
    fn hashes_and_trees_are_those_of_the_circuits_own_inputs() {
        let (input, public) = (json(INPUT), json(EXPECTED));
        let number = |name: &str| read(&input[name]);
        let expected: Vec<Fr> = public.as_array().unwrap().iter().map(read).collect();
        let value = |name: &str| input[name].as_str().unwrap().parse::<u64>().unwrap();
        let h = Hashes::new();
        let owner = h.owner(number("spending_key"));
        let note = h.note(owner, value("value"), number("blinding"));
        let bits: Vec<u64> =
            input["note_bits"].as_array().unwrap().iter().map(|b| b.as_u64().unwrap()).collect();
        let position = bits.iter().rev().fold(0, |sum, bit| 2 * sum + bit) as usize;
        let nullifier = h.nullifier(number("spending_key"), note, position);
        let change = value("value") - value("to_value") - value("fee");
        let found = [
            nullifier,
            h.note(number("to_owner"), value("to_value"), number("to_blinding")),
            h.note(owner, change, number("change_blinding")),
            number("identity") + h.mask(number("key"), nullifier),
            h.key_hash(number("key")),
        ];
        assert_eq!(found, expected[..5]);
        let climb = |leaf: Fr, which: &str| {
            let siblings = input[format!("{which}_siblings")].as_array().unwrap();
            let bits = input[format!("{which}_bits")].as_array().unwrap();
            bits.iter().zip(siblings).fold(leaf, |node, (bit, sibling)| match bit.as_u64() {
                Some(0) => h.two(node, read(sibling)),
                _ => h.two(read(sibling), node),
            })
        };
        assert_eq!(climb(note, "note"), expected[5]);
        assert_eq!(climb(h.payer(number("identity"), owner), "payer"), expected[6]);
    }

    #[test]
    fn paths_lead_to_the_root_and_roots_are_those_of_every_prefix() {
        let h = Hashes::new();
        let leaves: Vec<Fr> = (1..=5).map(Fr::from).collect();
        let roots: Vec<Fr> = h.roots(&leaves).collect();
        for count in 1..=leaves.len() {
            let tree = Tree::new(&h, NOTE_LEVELS, leaves[..count].to_vec());
            assert_eq!(tree.root(), roots[count - 1], "{count}");
            for position in 0..count {
                let path = tree.path(position);
                let root =
                    path.bits.iter().zip(&path.siblings).fold(leaves[position], |node, (right, sibling)| {
                        if *right { h.two(*sibling, node) } else { h.two(node, *sibling) }
                    });
                assert_eq!(root, tree.root());
                assert_eq!(tree.position(leaves[position]), Some(position));
            }
        }
        assert_eq!(Tree::new(&h, NOTE_LEVELS, Vec::new()).root(), h.empty(NOTE_LEVELS)[NOTE_LEVELS]);
    }

    /// The circuit accepts its own inputs, and rejects them when one value is changed.
    #[test]
    fn the_circuit_refuses_what_does_not_fit() {
        let witness = |input: &Value| circuit::witness(&Inputs::from_json(&input.to_string()).unwrap());
        let good = json(INPUT);
        let values = witness(&good).unwrap();
        let expected: Vec<Fr> = json(EXPECTED).as_array().unwrap().iter().map(read).collect();
        assert_eq!(values[1..=PUBLIC], expected[..]);
        let minus_one = (Fr::from(0) - Fr::from(1)).to_decimal();
        let more = (u128::from(u64::MAX) + 1).to_string();
        let members = ["root", "registry", "spending_key", "value", "blinding", "identity"];
        let changes = members.map(|name| (name, Value::from("1")));
        // A value above the note's, a negative one, one above 64 bits, and a fee above the remaining value.
        let amounts = [
            ("to_value", Value::from(minus_one)),
            ("to_value", Value::from(more.clone())),
            ("fee", Value::from(more)),
        ];
        for (name, value) in changes.into_iter().chain(amounts) {
            let mut bad = good.clone();
            bad[name] = value;
            assert!(witness(&bad).is_err(), "{name}");
        }
        for name in ["note_bits", "payer_bits", "note_siblings", "payer_siblings"] {
            let mut bad = good.clone();
            bad[name][0] = Value::from("2");
            assert!(witness(&bad).is_err(), "{name}");
        }
        // Changing an unconstrained input changes public values only.
        for (name, changed) in [("digest", 8), ("key", 4), ("to_owner", 1), ("change_blinding", 2)] {
            let mut other = good.clone();
            other[name] = Value::from("1");
            assert_ne!(witness(&other).unwrap()[1 + changed], expected[changed], "{name}");
        }
    }

    #[test]
    fn digests_depend_on_every_part() {
        let digest = digest_of("a", "b", b"c");
        for other in [digest_of("ab", "", b"c"), digest_of("a", "bc", b""), digest_of("a", "b", b"d")] {
            assert_ne!(digest, other);
        }
        assert_ne!(identity_of("Alice"), identity_of("Bob"));
    }
}
