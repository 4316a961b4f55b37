//! BLAKE2b as the scheme uses it: digests, an authentication code, and output streams of any length (BLAKE2X).

use super::algebra::scalar_of_draws;
use alloc::vec;
use alloc::vec::Vec;
use blake2b_simd::{OUTBYTES, Params, State};
use pairwright_curve::bls12_381::Fr;
use zeroize::Zeroizing;

/// Number of bytes of a digest, a key and an authentication code.
pub(super) const DIGEST: usize = 32;

/// A digest, or a key that is a digest; wiped when dropped.
pub(super) type Digest = Zeroizing<[u8; DIGEST]>;

/// BLAKE2b-256 of the concatenation of parts, with a key that may be empty.
pub(super) fn digest(key: &[u8], parts: &[&[u8]]) -> Digest {
    let mut state = Params::new().hash_length(DIGEST).key(key).to_state();
    for part in parts {
        state.update(part);
    }
    let mut out = Zeroizing::new([0; DIGEST]);
    for (to, from) in out.iter_mut().zip(state.finalize().as_bytes()) {
        *to = *from;
    }
    out
}

/// Derives from a ciphertext's seed the identity, and the key of the authentication code.
pub(super) fn expand_seed(seed: &[u8]) -> [Digest; 2] {
    [digest(&[], &[b"id computation hash", seed]), digest(&[], &[b"key computation hash", seed])]
}

/// The parameter of BLAKE2X for a stream of unknown length, in the upper half of a node's offset.
const UNKNOWN_LENGTH: u64 = 0xffff_ffff << 32;

/// BLAKE2Xb in its first phase, which absorbs the message.
#[derive(Clone)]
pub(super) struct Absorbing(State);

impl Absorbing {
    /// Begins with a key of at most 64 bytes.
    pub(super) fn new(key: &[u8]) -> Self {
        Self(Params::new().hash_length(OUTBYTES).key(key).node_offset(UNKNOWN_LENGTH).to_state())
    }

    /// Absorbs more of the message.
    pub(super) fn update(mut self, message: &[u8]) -> Self {
        self.0.update(message);
        self
    }

    /// Ends the message and returns its output stream.
    pub(super) fn stream(self) -> Stream {
        let mut root = Zeroizing::new([0; OUTBYTES]);
        root.copy_from_slice(self.0.finalize().as_bytes());
        Stream { root, next: 0, block: Zeroizing::new([0; OUTBYTES]), used: OUTBYTES }
    }
}

/// The output stream of BLAKE2Xb.
pub(super) struct Stream {
    root: Zeroizing<[u8; OUTBYTES]>,
    /// Number of the next block.
    next: u32,
    block: Zeroizing<[u8; OUTBYTES]>,
    /// Number of bytes of the block that have been used.
    used: usize,
}

impl Stream {
    /// Fills `out` with the next bytes.
    pub(super) fn fill(&mut self, out: &mut [u8]) {
        self.mix(out, |to, from| *to = from);
    }

    /// Replaces `data` by its exclusive or with the next bytes.
    pub(super) fn mask(&mut self, data: &mut [u8]) {
        self.mix(data, |to, from| *to ^= from);
    }

    fn mix(&mut self, data: &mut [u8], put: impl Fn(&mut u8, u8)) {
        let mut rest = data.iter_mut();
        loop {
            let block = self.block.get(self.used..).unwrap_or_default();
            for from in block {
                let Some(to) = rest.next() else { return };
                put(to, *from);
                self.used += 1;
            }
            if rest.len() == 0 {
                return;
            }
            let mut node = Params::new();
            node.hash_length(OUTBYTES).fanout(0).max_depth(0).max_leaf_length(OUTBYTES as u32);
            node.node_offset(UNKNOWN_LENGTH | u64::from(self.next)).inner_hash_length(OUTBYTES);
            self.block.copy_from_slice(node.hash(self.root.as_slice()).as_bytes());
            self.next = self.next.wrapping_add(1);
            self.used = 0;
        }
    }
}

/// Encrypts or decrypts `data`: its exclusive or with the stream of a key.
pub(super) fn masked(key: &[u8], data: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(vec![0; data.len()]);
    out.copy_from_slice(data);
    Absorbing::new(key).stream().mask(&mut out);
    out
}

/// Hashes the value of an attribute to a scalar.
pub(super) fn value_scalar(value: &[u8]) -> Fr {
    let mut stream = Absorbing::new(b"attribute value hashing").update(value).stream();
    scalar_of_draws(|bytes| stream.fill(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream read in pieces equals the stream read at once, blocks differ, and masking is its own inverse.
    #[test]
    fn streams() {
        let mut whole = [0; 300];
        Absorbing::new(b"k").update(b"ab").stream().fill(&mut whole);
        for piece in [1, 7, 63, 64, 65, 128, 299] {
            let mut stream = Absorbing::new(b"k").update(b"a").update(b"b").stream();
            let mut pieces = [0; 300];
            pieces.chunks_mut(piece).for_each(|chunk| stream.fill(chunk));
            assert_eq!(pieces, whole, "{piece}");
        }
        assert_ne!(whole[..64], whole[64..128]);
        let hidden = masked(b"key", &whole);
        assert_ne!(*hidden, whole);
        assert_eq!(*masked(b"key", &hidden), whole);
        assert_ne!(*masked(b"kez", &hidden), whole);
        assert!(masked(b"key", &[]).is_empty());
    }
}
