//! Merkle trees: roots, openings, multi-openings, their bytes, and everything that must be refused.

#[path = "../../../fuzz/properties/openings.rs"]
mod openings;

use pairwright_curve::{bls12_381, bn254};
use pairwright_field::PrimeField;
use pairwright_hash::{
    Commitment, Compress, DecodeError, Digest, IndexError, MerkleTree, MultiOpening, Opening, Poseidon, Sha3,
    TreeError, TreeHash, VerifyError,
};
use pairwright_poly::Levels;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// The digests of the decimal numbers from 0 on.
fn leaves(len: usize) -> Vec<Digest> {
    (0..len).map(|i| Sha3::leaf(i.to_string().as_bytes())).collect()
}

fn tree(len: usize) -> MerkleTree<Sha3> {
    MerkleTree::new(&Sha3, leaves(len)).unwrap()
}

fn hex(digest: Digest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Roots by Python's hashlib: with `H = lambda b: hashlib.sha3_256(b).digest()` and `l` the `H(str(i).encode())` for `i`
/// below the number, followed by `bytes(32)` up to a power of two,
/// `while len(l) > 1: l = [H(l[i] + l[i + 1]) for i in range(0, len(l), 2)]`.
#[test]
fn roots_are_hashlibs() {
    for (len, root) in [
        (1, "f9e2eaaa42d9fe9e558a9b8ef1bf366f190aacaa83bad2641ee106e9041096e4"),
        (2, "8a3e7b504ef894508999ec8927b3bfd0ea64a38038b03c3aa755b81a1a531240"),
        (5, "83c63907e5c97a6c4b16a811e81c0e262998aae99da1c2e018ea97691f44e27f"),
        (8, "b85e92bcb5a88ba48f0686f447ee2a9339763f2241b55380be6bfba293af6cde"),
        (1000, "1b845b90b038962bd89eaf93518a328245d5cfc2592de89a9946062ae584655f"),
    ] {
        assert_eq!(hex(tree(len).root()), root, "{len}");
    }
}

/// The circuits' input of `derive/poseidon.py --merkle-input`: a leaf of a tree of 2^20, its path and the root.
fn accepts_the_circuits_input<F: PrimeField>(name: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../circuits/merkle").join(name).join("input.json");
    let text = std::fs::read_to_string(path).unwrap();
    let numbers: Vec<&str> =
        text.split('"').filter(|word| !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit())).collect();
    let [root, leaf] = [numbers[0], numbers[1]].map(|n| F::from_decimal(n).unwrap());
    let siblings: Vec<F> = numbers[2..22].iter().map(|n| F::from_decimal(n).unwrap()).collect();
    let index = numbers[22..].iter().rev().fold(0, |index, bit| index << 1 | usize::from(*bit == "1"));
    assert_eq!(numbers.len(), 42);

    let mut bytes = 20u64.to_le_bytes().to_vec();
    for sibling in &siblings {
        Poseidon::<F>::write(sibling, &mut bytes);
    }
    let opening = Opening::from_bytes::<Poseidon<F>>(&bytes).unwrap();
    assert_eq!((opening.siblings(), opening.to_bytes::<Poseidon<F>>()), (&siblings[..], bytes));
    let hash = Poseidon::new();
    let commitment = Commitment { root, len: 1 << 20 };
    opening.verify(&hash, &commitment, index, &leaf).unwrap();
    assert_eq!(opening.verify(&hash, &commitment, index ^ 1, &leaf), Err(VerifyError::Root));
}

#[test]
fn poseidon_paths_are_the_circuits() {
    accepts_the_circuits_input::<bn254::Fr>("bn128");
    accepts_the_circuits_input::<bls12_381::Fr>("bls12381");
}

#[test]
fn trees_of_levels_are_checked() {
    type Tree = MerkleTree<Sha3>;
    let built = tree(5);
    let mut padded = leaves(5);
    assert_eq!(Tree::pad(&mut padded), Ok(5));
    assert_eq!(padded[5..], [[0; 32]; 3]);
    let levels = pairwright_poly::mle::reduce(&padded, |a, b| Sha3.compress(a, b));
    let given = Tree::from_levels(padded.clone(), 5, levels.clone()).unwrap();
    assert_eq!((given.commitment(), given.len(), given.leaves()), (built.commitment(), 5, &leaves(5)[..]));

    let refused = |leaves: &[Digest], len, levels: &Levels<Digest>| {
        Tree::from_levels(leaves.to_vec(), len, levels.clone()).unwrap_err()
    };
    assert_eq!(refused(&[], 0, &levels), TreeError::Len { len: 0 });
    assert_eq!(refused(&padded, usize::MAX, &levels), TreeError::Len { len: usize::MAX });
    assert_eq!(refused(&padded[..5], 5, &levels), TreeError::Padded { len: 5, expected: 8, found: 5 });
    assert_eq!(refused(&padded, 4, &levels), TreeError::Padded { len: 4, expected: 4, found: 8 });
    padded[6][0] = 1;
    assert_eq!(refused(&padded, 5, &levels), TreeError::NotPadding { index: 6 });
    let few = Levels::new(levels.nodes()[..3].to_vec()).unwrap();
    assert_eq!(refused(&padded, 7, &few), TreeError::Levels { leaves: 8, found: 3 });
    assert_eq!(Tree::pad(&mut Vec::new()), Err(TreeError::Len { len: 0 }));
    assert!(Tree::new(&Sha3, Vec::new()).is_err());
}

#[test]
fn a_root_says_nothing_without_its_length() {
    // The nodes above the leaves, taken as leaves, have the same root and another commitment.
    let tall = tree(8);
    let mut flat = leaves(8);
    flat = flat.chunks_exact(2).map(|pair| Sha3.compress(&pair[0], &pair[1])).collect();
    let short = MerkleTree::<Sha3>::new(&Sha3, flat.clone()).unwrap();
    assert_eq!(tall.root(), short.root());
    let opening = short.open(2).unwrap();
    assert_eq!(opening.verify(&Sha3, &short.commitment(), 2, &flat[2]), Ok(()));
    let wrong = VerifyError::Nodes { expected: 3, found: 2 };
    assert_eq!(opening.verify(&Sha3, &tall.commitment(), 2, &flat[2]), Err(wrong));

    // Padding taken as values of the vector.
    let [five, mut six] = [tree(5).commitment(), tree(5).commitment()];
    six.len = 6;
    assert_ne!(five.to_bytes::<Sha3>(), six.to_bytes::<Sha3>());
    let padded = MerkleTree::<Sha3>::new(&Sha3, [leaves(5), vec![[0; 32]]].concat()).unwrap();
    assert_eq!(padded.commitment(), six);
    let opening = padded.open(5).unwrap();
    assert_eq!(opening.verify(&Sha3, &six, 5, &[0; 32]), Ok(()));
    let range = IndexError::Range { index: 5, len: 5 };
    assert_eq!(opening.verify(&Sha3, &five, 5, &[0; 32]), Err(range.into()));
}

#[test]
fn indices_are_checked_alike_on_both_sides() {
    let tree = tree(6);
    let commitment = tree.commitment();
    let some = tree.open_many(&[1, 2]).unwrap();
    for (indices, why) in [
        (&[][..], IndexError::None),
        (&[6], IndexError::Range { index: 6, len: 6 }),
        (&[0, usize::MAX], IndexError::Range { index: usize::MAX, len: 6 }),
        (&[1, 1], IndexError::Repeated { index: 1 }),
        (&[2, 1], IndexError::Unsorted { before: 2, index: 1 }),
    ] {
        assert_eq!(tree.open_many(indices), Err(why));
        let opened: Vec<_> = indices.iter().map(|i| (*i, [0; 32])).collect();
        assert_eq!(some.verify(&Sha3, &commitment, &opened), Err(VerifyError::Index(why)));
    }
    assert_eq!(tree.open(6), Err(IndexError::Range { index: 6, len: 6 }));
    // A path with one node more or less.
    let path = tree.open(1).unwrap().to_bytes::<Sha3>();
    for (count, nodes) in
        [(4u64, [&path[8..], &[0; 32]].concat()), (2, path[8..72].to_vec()), (2, path[40..].to_vec())]
    {
        let path = Opening::from_bytes::<Sha3>(&[&count.to_le_bytes()[..], &nodes].concat()).unwrap();
        let wrong = VerifyError::Nodes { expected: 3, found: count as usize };
        assert_eq!(path.verify(&Sha3, &commitment, 1, &leaves(6)[1]), Err(wrong));
    }
    for len in [0, (1 << 40) + 1, usize::MAX] {
        let nobodys = Commitment { root: commitment.root, len };
        let opened = [(1, leaves(6)[1]), (2, leaves(6)[2])];
        assert_eq!(some.verify(&Sha3, &nobodys, &opened), Err(VerifyError::Len { len }));
        assert_eq!(
            tree.open(1).unwrap().verify(&Sha3, &nobodys, 1, &opened[0].1),
            Err(VerifyError::Len { len })
        );
    }
}

/// The position of a node: `(height above the leaves, index)`.
type Place = (u32, usize);

/// The smallest number of nodes off the paths of `opened` from which all nodes on those paths can be computed, found by trying
/// all sets of nodes in a tree of `2^height` leaves.
fn fewest(opened: &[usize], height: u32) -> usize {
    let on_path: BTreeSet<Place> =
        opened.iter().flat_map(|i| (0..=height).map(move |level| (level, i >> level))).collect();
    let off: Vec<Place> = (0..=height)
        .flat_map(|level| (0..1usize << (height - level)).map(move |i| (level, i)))
        .filter(|place| !on_path.contains(place))
        .collect();
    let follows = |given: u32| {
        let has = |known: &BTreeSet<Place>, (level, i): Place| known.contains(&(level, i));
        let mut known: BTreeSet<Place> = opened.iter().map(|i| (0, *i)).collect();
        known
            .extend(off.iter().enumerate().filter(|(bit, _)| given >> bit & 1 == 1).map(|(_, place)| *place));
        for level in 1..=height {
            for i in 0..1usize << (height - level) {
                if has(&known, (level - 1, 2 * i)) && has(&known, (level - 1, 2 * i + 1)) {
                    known.insert((level, i));
                }
            }
        }
        on_path.is_subset(&known)
    };
    (0u32..1 << off.len()).filter(|given| follows(*given)).map(|given| given.count_ones()).min().unwrap()
        as usize
}

#[test]
fn openings_of_every_subset() {
    for len in 1..=8usize {
        let (tree, leaves) = (tree(len), leaves(len));
        let commitment = tree.commitment();
        let height = len.next_power_of_two().ilog2();
        for mask in 1u32..1 << len {
            let indices: Vec<usize> = (0..len).filter(|i| mask >> i & 1 == 1).collect();
            let opened: Vec<_> = indices.iter().map(|i| (*i, leaves[*i])).collect();
            let opening = tree.open_many(&indices).unwrap();
            opening.verify(&Sha3, &commitment, &opened).unwrap();

            // The union of the single openings without the nodes on the paths, each node once and in the documented order.
            let mut union = BTreeSet::new();
            for index in &indices {
                let siblings = tree.open(*index).unwrap();
                for (level, node) in (0..height).zip(siblings.siblings()) {
                    let place = (level, index >> level ^ 1);
                    if indices.iter().all(|other| (level, other >> level) != place) {
                        union.insert((place, *node));
                    }
                }
            }
            let union: Vec<Digest> = union.into_iter().map(|(_, node)| node).collect();
            assert_eq!(opening.nodes(), union);
            if len <= 4 || mask % 7 == 3 {
                assert_eq!(opening.nodes().len(), fewest(&indices, height), "{indices:?} of {len}");
            }
        }
    }
}

#[test]
fn bytes_that_are_refused() {
    let node = |byte: u8| vec![byte; 32];
    let count = |count: u64| count.to_le_bytes().to_vec();
    let multi = |bytes: &[Vec<u8>]| MultiOpening::from_bytes::<Sha3>(&bytes.concat()).unwrap_err();
    let length = |nodes, found| DecodeError::Length { nodes, each: 32, found };
    assert_eq!(multi(&[vec![0; 7]]), DecodeError::Short { found: 7 });
    assert_eq!(multi(&[count(2), node(1)]), length(2, 32));
    assert_eq!(multi(&[count(1), node(1), vec![0]]), length(1, 33));
    assert_eq!(multi(&[count(0), vec![0]]), length(0, 1));
    for huge in [1 << 59, 1 << 61, u64::MAX] {
        assert_eq!(multi(&[count(huge)]), length(huge, 0));
    }
    let high = [count(41), vec![0; 41 * 32]].concat();
    assert_eq!(Opening::from_bytes::<Sha3>(&high), Err(DecodeError::Height { siblings: 41 }));
    assert!(Opening::<Digest>::from_bytes::<Sha3>(&[count(40), vec![0; 40 * 32]].concat()).is_ok());
    for len in [0, (1 << 40) + 1, u64::MAX] {
        let bytes = [count(len), node(7)].concat();
        assert_eq!(Commitment::from_bytes::<Sha3>(&bytes), Err(DecodeError::Len { len }));
    }
    // The modulus r itself and all larger numbers are not elements.
    let zero = [vec![0; 32], node(0xff)].concat();
    let elements = [count(2), zero].concat();
    let refused = MultiOpening::from_bytes::<Poseidon<bls12_381::Fr>>(&elements);
    assert_eq!(refused, Err(DecodeError::Node { position: 1 }));
    let mut modulus: Vec<u8> = bn254::Fr::MODULUS.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    modulus = [count(1), modulus].concat();
    let refused = Opening::from_bytes::<Poseidon<bn254::Fr>>(&modulus);
    assert_eq!(refused, Err(DecodeError::Node { position: 0 }));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// A multi-opening is refused if any single part of it is changed.
    #[test]
    fn nothing_can_be_changed(len in 1usize..70, seed in any::<u64>(), picks in prop::collection::btree_set(any::<prop::sample::Index>().prop_map(|i| i.index(1 << 20)), 1..9)) {
        let leaves: Vec<Digest> = (0..len as u64).map(|i| Sha3::leaf(&[seed, i].map(u64::to_le_bytes).concat())).collect();
        let tree = MerkleTree::<Sha3>::new(&Sha3, leaves.clone()).unwrap();
        let commitment = tree.commitment();
        let indices: BTreeSet<usize> = picks.into_iter().map(|pick| pick % len).collect();
        let indices: Vec<usize> = indices.into_iter().collect();
        let opened: Vec<_> = indices.iter().map(|i| (*i, leaves[*i])).collect();
        let opening = tree.open_many(&indices).unwrap();
        let bytes = opening.to_bytes::<Sha3>();
        let accepts = |bytes: &[u8], commitment: &Commitment<Digest>, opened: &[(usize, Digest)]| {
            MultiOpening::from_bytes::<Sha3>(bytes).is_ok_and(|o| o.verify(&Sha3, commitment, opened).is_ok())
        };
        prop_assert!(accepts(&bytes, &commitment, &opened));

        // Changes of every byte; the bytes of a count or of a node added or removed; two nodes exchanged.
        let mut other = bytes.clone();
        for at in 0..bytes.len() {
            other[at] ^= 1 << ((seed as usize + at) % 8);
            prop_assert!(!accepts(&other, &commitment, &opened));
            other[at] = bytes[at];
        }
        for cut in [1, 32.min(bytes.len()), bytes.len()] {
            prop_assert!(!accepts(&bytes[..bytes.len() - cut], &commitment, &opened));
        }
        prop_assert!(!accepts(&[&bytes[..], &[0]].concat(), &commitment, &opened));
        // One node more or less, with a matching count.
        let counted = |nodes: &[u8]| [&(nodes.len() as u64 / 32).to_le_bytes()[..], nodes].concat();
        prop_assert_eq!(counted(&bytes[8..]), &bytes[..]);
        prop_assert!(!accepts(&counted(&[&bytes[8..], &[0; 32]].concat()), &commitment, &opened));
        if !opening.nodes().is_empty() {
            prop_assert!(!accepts(&counted(&bytes[8..bytes.len() - 32]), &commitment, &opened));
            prop_assert!(!accepts(&counted(&bytes[40..]), &commitment, &opened));
        }
        if opening.nodes().len() > 1 {
            other[8..72].rotate_left(32);
            prop_assert!(!accepts(&other, &commitment, &opened));
        }

        // Changes of the root, of the length to one of another height, of a leaf, of an index; one leaf more; one leaf less.
        let mut root = commitment;
        root.root[seed as usize % 32] ^= 1;
        prop_assert!(!accepts(&bytes, &root, &opened));
        for len in [0, indices[indices.len() - 1], len.next_power_of_two() + 1] {
            let other = Commitment { len, ..commitment };
            prop_assert!(!accepts(&bytes, &other, &opened));
        }
        for at in 0..opened.len() {
            let mut others = opened.clone();
            others[at].1[seed as usize % 32] ^= 1;
            prop_assert!(!accepts(&bytes, &commitment, &others));
            for index in 0..len {
                others[at] = (index, opened[at].1);
                prop_assert_eq!(accepts(&bytes, &commitment, &others), index == opened[at].0);
            }
            others.remove(at);
            prop_assert!(!accepts(&bytes, &commitment, &others));
        }
        for extra in 0..len {
            if let Err(at) = indices.binary_search(&extra) {
                let mut others = opened.clone();
                others.insert(at, (extra, leaves[extra]));
                prop_assert!(!accepts(&bytes, &commitment, &others));
            }
        }
    }

    /// The property of the fuzz target, on random bytes.
    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..40)) {
        openings::openings(&data);
    }
}

/// The property of the fuzz target on its seeds, and on each seed with one bit flipped.
#[test]
fn seeds_of_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/openings");
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let mut seed = std::fs::read(entry.unwrap().path()).unwrap();
        openings::openings(&seed);
        for bit in 0..8 * seed.len() {
            seed[bit / 8] ^= 1 << (bit % 8);
            openings::openings(&seed);
            seed[bit / 8] ^= 1 << (bit % 8);
        }
        seeds += 1;
    }
    assert!(seeds > 5);
}
