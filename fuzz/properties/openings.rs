//! The properties of arbitrary bytes as an opening of a Merkle tree. The fuzz target and the tests of `hash`
//! call this.

use pairwright_curve::bn254::Fr;
use pairwright_hash::{Commitment, Digest, MerkleTree, MultiOpening, Opening, Poseidon, Sha3, TreeHash};
use std::sync::OnceLock;

/// Checks the bytes as every kind of value: they are refused, or equal to the encoding of the decoded value.
fn comes_back<H: TreeHash>(bytes: &[u8]) {
    if let Ok(commitment) = Commitment::from_bytes::<H>(bytes) {
        assert_eq!(commitment.to_bytes::<H>(), bytes);
    }
    if let Ok(opening) = Opening::from_bytes::<H>(bytes) {
        assert_eq!(opening.to_bytes::<H>(), bytes);
    }
    if let Ok(opening) = MultiOpening::from_bytes::<H>(bytes) {
        assert_eq!(opening.to_bytes::<H>(), bytes);
    }
}

/// Applies edits of three bytes each: the operation, the position, the value.
fn edit(mut bytes: Vec<u8>, edits: &[u8]) -> Vec<u8> {
    for edit in edits.chunks_exact(3) {
        let (at, value) = (usize::from(edit[1]), edit[2]);
        match edit[0] % 4 {
            0 => bytes.truncate(at),
            1 => bytes.push(value),
            _ if at < bytes.len() => bytes[at] ^= value,
            _ => {}
        }
    }
    bytes
}

/// An opening is accepted as long as nothing is edited, and only then.
fn only_the_opening<H: TreeHash>(hash: &H, leaves: Vec<H::Node>, leaf: usize, mask: u64, edits: &[u8]) {
    let tree = MerkleTree::new(hash, leaves.clone()).expect("not empty");
    let commitment = tree.commitment();

    let index = leaf % leaves.len();
    let bytes = tree.open(index).expect("a leaf").to_bytes::<H>();
    let edited = edit(bytes.clone(), edits);
    comes_back::<H>(&edited);
    if let Ok(opening) = Opening::from_bytes::<H>(&edited) {
        for other in 0..=leaves.len() {
            let verdict = opening.verify(hash, &commitment, other, &leaves[index]);
            assert_eq!(verdict.is_ok(), other == index && edited == bytes);
        }
    }

    let indices: Vec<usize> = (0..leaves.len()).filter(|i| mask >> i & 1 == 1).collect();
    let Ok(opening) = tree.open_many(&indices) else {
        assert!(indices.is_empty());
        return;
    };
    let bytes = opening.to_bytes::<H>();
    let edited = edit(bytes.clone(), edits);
    comes_back::<H>(&edited);
    if let Ok(opening) = MultiOpening::from_bytes::<H>(&edited) {
        let mut opened: Vec<_> = indices.iter().map(|i| (*i, leaves[*i])).collect();
        assert_eq!(opening.verify(hash, &commitment, &opened).is_ok(), edited == bytes);
        // With one leaf less, other nodes are needed, or the nodes give another root.
        opened.remove(leaf % opened.len());
        assert!(opening.verify(hash, &commitment, &opened).is_err());
    }
}

/// Checks a tree and edits of its openings, then all bytes as they are. The first byte chooses the hash, the second the number
/// of leaves, the third a single leaf, the next two a set of leaves.
pub(crate) fn openings(data: &[u8]) {
    static POSEIDON: OnceLock<Poseidon<Fr>> = OnceLock::new();
    comes_back::<Sha3>(data);
    comes_back::<Poseidon<Fr>>(data);
    let Some(([hash, len, leaf, low, high], edits)) = data.split_first_chunk() else { return };
    let (len, leaf, mask) =
        (u64::from(len % 16) + 1, usize::from(*leaf), u64::from(*low) | u64::from(*high) << 8);
    if hash % 4 > 0 {
        let leaves: Vec<Digest> = (0..len).map(|i| Sha3::leaf(&i.to_le_bytes())).collect();
        only_the_opening(&Sha3, leaves, leaf, mask, edits);
    } else {
        let poseidon = POSEIDON.get_or_init(Poseidon::new);
        only_the_opening(poseidon, (1..=len).map(Fr::from).collect(), leaf, mask, edits);
    }
}
