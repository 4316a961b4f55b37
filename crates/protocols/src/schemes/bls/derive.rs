//! Secret keys derived from a seed along a path: EIP-2333, with the paths of EIP-2334.
//!
//! A child key is derived from its parent's secret key. No key can be derived from a public key, and a child key reveals nothing
//! about its parent, because the derivation hashes a Lamport key.

use super::keys::SALT;
use super::{BlsError, SecretKey};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use hkdf::Hkdf;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Number of digests in one half of a Lamport key.
const DIGESTS: usize = 255;
/// Bytes of a digest.
const SIZE: usize = 32;

impl SecretKey {
    /// Derives the master key of a seed (`derive_master_SK`).
    ///
    /// # Errors
    /// When the seed has fewer than 32 bytes.
    pub fn derive_master(seed: &[u8]) -> Result<Self, BlsError> {
        Self::key_gen(seed, &[])
    }

    /// Derives the child key with that index (`derive_child_SK`). Constant time.
    pub fn derive_child(&self, index: u32) -> Self {
        let salt = index.to_be_bytes();
        let key = self.to_bytes();
        let mut flipped = Zeroizing::new(*key);
        flipped.iter_mut().for_each(|byte| *byte = !*byte);
        let mut lamport = Sha256::new();
        for half in [&key, &flipped] {
            let mut chunks = Zeroizing::new([0; DIGESTS * SIZE]);
            Hkdf::<Sha256>::new(Some(&salt), half.as_ref())
                .expand(&[], chunks.as_mut())
                .expect("255 digests are what HKDF gives at most");
            for chunk in chunks.chunks(SIZE) {
                lamport.update(Sha256::digest(chunk));
            }
        }
        Self::derive(&lamport.finalize(), Sha256::digest(SALT).to_vec(), &[])
    }

    /// Derives the key at the end of a path that begins at the master key of a seed.
    ///
    /// # Errors
    /// When the seed has fewer than 32 bytes.
    pub fn derive_path(seed: &[u8], path: &KeyPath) -> Result<Self, BlsError> {
        let master = Self::derive_master(seed)?;
        Ok(path.0.iter().fold(master, |key, index| key.derive_child(*index)))
    }
}

/// A path to a key, such as `m/12381/3600/0/0/0`: the indices of child keys from the master key on (EIP-2334).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyPath(Vec<u32>);

impl KeyPath {
    /// The index of the child key at every step.
    pub fn indices(&self) -> &[u32] {
        &self.0
    }
}

impl FromStr for KeyPath {
    type Err = BlsError;

    /// Parses `m`, followed by `/` and a decimal number below 2^32 for every step.
    fn from_str(text: &str) -> Result<Self, BlsError> {
        let mut steps = text.split('/');
        if steps.next() != Some("m") {
            return Err(BlsError::KeyPath);
        }
        // Only digits are allowed, no sign and no white space: `parse` alone would accept a plus sign.
        let index = |step: &str| {
            let digits = !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| step.parse().ok()).flatten().ok_or(BlsError::KeyPath)
        };
        Ok(Self(steps.map(index).collect::<Result<_, _>>()?))
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("m")?;
        self.0.iter().try_for_each(|index| write!(f, "/{index}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn paths_are_read_and_written() {
        for text in ["m", "m/0", "m/12381/3600/4294967295/0"] {
            assert_eq!(text.parse::<KeyPath>().unwrap().to_string(), text);
        }
        for text in ["", "/0", "m/", "m/4294967296", "m/-1", "m/+1", "m/0'", "m/ 1", "x/1", "m//1"] {
            assert_eq!(text.parse::<KeyPath>(), Err(BlsError::KeyPath), "{text}");
        }
    }
}
