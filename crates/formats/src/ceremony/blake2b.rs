//! BLAKE2b-512 (RFC 7693) with an exportable state. The record of a contribution to powers of tau holds the state of the
//! contribution's hash before its last part, so that the hash can be finished without the contribution's points. Hash
//! libraries do not expose this state.

use crate::sizes::widen;

/// Length of a block in bytes.
const BLOCK: usize = 128;
/// Length of an encoded state in a record, in bytes.
pub(crate) const STATE: usize = 216;
const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];
/// For each round, the indices of the block's words in the order in which the steps of the round use them.
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// A hash computation in progress.
#[derive(Clone, Debug)]
pub(crate) struct Blake2b {
    chain: [u64; 8],
    /// Input bytes that are not compressed yet, since their block is not full or may be the last; bytes from `held` on are
    /// stale.
    block: [u8; BLOCK],
    held: usize,
    /// Number of input bytes that have been compressed.
    compressed: u64,
}

impl Blake2b {
    /// The initial state.
    pub(crate) fn new() -> Self {
        let mut chain = IV;
        // Parameter block: 64 bytes of output, no key, fan-out 1, depth 1.
        chain[0] ^= 0x0101_0040;
        Self { chain, block: [0; BLOCK], held: 0, compressed: 0 }
    }

    /// Absorbs more bytes. A full block stays in the state until more bytes follow, as it may be the last.
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.held == BLOCK {
                let block = self.block;
                self.compress(&block, BLOCK, false);
                self.held = 0;
            }
            // All blocks but the last one of these bytes are compressed without a copy; the resulting state is equal to that of
            // snarkjs.
            while self.held == 0 && bytes.len() > BLOCK {
                let Some((block, rest)) = bytes.split_first_chunk::<BLOCK>() else { break };
                self.compress(block, BLOCK, false);
                bytes = rest;
            }
            let take = bytes.len().min(BLOCK.saturating_sub(self.held));
            let (taken, rest) = bytes.split_at_checked(take).unwrap_or((bytes, &[]));
            self.block.iter_mut().skip(self.held).zip(taken).for_each(|(to, from)| *to = *from);
            self.held = self.held.saturating_add(take);
            bytes = rest;
        }
    }

    /// The hash of all bytes that were absorbed.
    pub(crate) fn finish(mut self) -> [u8; 64] {
        let mut block = self.block;
        block.iter_mut().skip(self.held).for_each(|byte| *byte = 0);
        self.compress(&block, self.held, true);
        let mut hash = [0; 64];
        for (to, word) in hash.as_chunks_mut::<8>().0.iter_mut().zip(self.chain) {
            *to = word.to_le_bytes();
        }
        hash
    }

    /// The state: block, chain, number of compressed bytes, bytes held, zero; words little-endian.
    pub(crate) fn state(&self) -> [u8; STATE] {
        let mut state = [0; STATE];
        let (block, words) = state.split_at_mut(BLOCK);
        block.copy_from_slice(&self.block);
        let all = self.chain.iter().copied().chain([self.compressed, widen(self.held)]);
        for (to, word) in words.as_chunks_mut::<8>().0.iter_mut().zip(all) {
            *to = word.to_le_bytes();
        }
        state
    }

    /// Continues a hash from an encoded state; `None` if the state claims to hold more bytes than a block has.
    pub(crate) fn resume(state: &[u8; STATE]) -> Option<Self> {
        let (block, words) = state.split_first_chunk::<BLOCK>()?;
        let mut words = words.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let mut chain = [0; 8];
        for word in &mut chain {
            *word = words.next()?;
        }
        let (compressed, held) = (words.next()?, usize::try_from(words.next()?).ok()?);
        (held <= BLOCK).then_some(Self { chain, block: *block, held, compressed })
    }

    #[allow(clippy::indexing_slicing)] // Positions are constants below 16.
    fn compress(&mut self, block: &[u8; BLOCK], count: usize, last: bool) {
        self.compressed = self.compressed.wrapping_add(widen(count));
        let mut m = [0; 16];
        for (word, bytes) in m.iter_mut().zip(block.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let mut v = [0; 16];
        for (i, word) in v.iter_mut().enumerate() {
            *word = if i < 8 { self.chain[i] } else { IV[i & 7] };
        }
        v[12] ^= self.compressed;
        if last {
            v[14] = !v[14];
        }
        for round in 0..12 {
            let s = &SIGMA[round % 10];
            mix(&mut v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
            mix(&mut v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
            mix(&mut v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
            mix(&mut v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
            mix(&mut v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
            mix(&mut v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
            mix(&mut v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
            mix(&mut v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
        }
        let (low, high) = v.split_at(8);
        for (word, (a, b)) in self.chain.iter_mut().zip(low.iter().zip(high)) {
            *word ^= a ^ b;
        }
    }
}

/// The function G of the RFC.
#[allow(clippy::indexing_slicing)] // Positions are constants below 16.
#[inline(always)] // So that they are constants, and bounds are not checked.
fn mix(v: &mut [u64; 16], [a, b, c, d]: [usize; 4], x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

#[cfg(test)]
mod tests {
    use super::*;
    use blake2::{Blake2b512, Digest};

    #[test]
    fn hashes_are_those_of_the_library() {
        let bytes: Vec<u8> = (0..1000u32).map(|i| (i * i / 3) as u8).collect();
        for length in [0, 1, 127, 128, 129, 255, 256, 257, 384, 1000] {
            for piece in [1, 3, 64, 128, 130, 1000] {
                let mut hash = Blake2b::new();
                for part in bytes[..length].chunks(piece) {
                    hash.update(part);
                    hash = Blake2b::resume(&hash.state()).unwrap();
                }
                let expected: [u8; 64] = Blake2b512::digest(&bytes[..length]).into();
                assert_eq!(hash.finish(), expected, "{length} bytes by {piece}");
            }
        }
    }

    #[test]
    fn a_state_with_too_many_bytes_is_none() {
        let mut state = Blake2b::new().state();
        state[200] = 129;
        assert!(Blake2b::resume(&state).is_none());
        state[200] = 128;
        assert!(Blake2b::resume(&state).is_some());
    }
}
