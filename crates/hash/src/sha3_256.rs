//! SHA3-256 of FIPS 202 on two digests.

use crate::{Compress, Digest};
use sha3::{Digest as _, Sha3_256};

/// SHA3-256 of the left digest followed by the right one: 64 bytes, one permutation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sha3;

impl Sha3 {
    /// The leaf that stands for bytes: their SHA3-256.
    pub fn leaf(bytes: &[u8]) -> Digest {
        Sha3_256::digest(bytes).into()
    }
}

impl Compress for Sha3 {
    type Node = Digest;

    fn compress(&self, left: &Digest, right: &Digest) -> Digest {
        Sha3_256::new().chain_update(left).chain_update(right).finalize().into()
    }
}
