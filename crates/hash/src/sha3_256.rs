//! SHA3-256 (FIPS 202) as a compression of two digests.

use crate::{Compress, Digest};
use sha3::{Digest as _, Sha3_256};

/// SHA3-256 of the left digest followed by the right one: 64 bytes, one permutation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sha3;

impl Sha3 {
    /// The leaf of a byte string: its SHA3-256.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(digest: Digest) -> String {
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// NIST, *Cryptographic Standards and Guidelines, Examples with Intermediate Values*, SHA3-256: messages of 0 and 1600
    /// bits (the byte a3 200 times); "abc" and the message of 448 bits are those of FIPS 180's examples.
    #[test]
    fn examples_of_nist() {
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        for (message, digest) in [
            (&b""[..], "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
            (b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
            (long, "41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376"),
            (&[0xa3; 200], "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"),
        ] {
            assert_eq!(hex(Sha3::leaf(message)), digest);
        }
    }

    /// `hashlib.sha3_256(bytes(64)).hexdigest()` and `hashlib.sha3_256(bytes(range(64))).hexdigest()` of Python.
    #[test]
    fn nodes_are_hashlibs() {
        let zero = Sha3.compress(&[0; 32], &[0; 32]);
        assert_eq!(hex(zero), "070fa1ab6fcc557ed14d42941f1967693048551eb9042a8d0a057afbd75e81e0");
        let [left, right]: [Digest; 2] = [0, 32].map(|from| std::array::from_fn(|i| from + i as u8));
        let digest = "c8ad478f4e1dd9d47dfc3b985708d92db1f8db48fe9cddd459e63c321f490402";
        assert_eq!(hex(Sha3.compress(&left, &right)), digest);
        assert_eq!(Sha3.compress(&left, &right), Sha3::leaf(&[left, right].concat()));
    }
}
