//! The sources of secrets: the operating system, or a seed, with which the same proof can be made again.

use crate::failure::{ArgumentError, Failure};
use pairwright::field::PrimeField;
use pairwright::formats::secret_from_hex;
use pairwright::randomness::{self, ChaCha20Rng, SeedableRng};
use rand_core::Rng;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// Domain separation tag of the randomness from `--seed`.
const TAG: &[u8] = b"pairwright groth16 proof randomness v1";
/// Domain separation tag of the secrets of ceremony contributions.
const CONTRIBUTION_TAG: &[u8] = b"pairwright contribution randomness v1";

/// A generator seeded by the operating system.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn system() -> Result<ChaCha20Rng, Failure> {
    randomness::system().map_err(|e| Failure::Internal(e.into()))
}

/// A seed of 32 bytes: the hash of 64 random bytes of the operating system and a text.
///
/// # Errors
/// When the operating system gives no randomness.
pub(crate) fn mixed(text: &str) -> Result<Zeroizing<[u8; 32]>, Failure> {
    let mut random = Zeroizing::new([0; 64]);
    system()?.fill_bytes(&mut *random);
    let hash = Sha256::new().chain_update(CONTRIBUTION_TAG).chain_update(*random).chain_update(text);
    Ok(Zeroizing::new(hash.finalize().into()))
}

/// A generator that is determined by a secret seed (hexadecimal, at least 16 bytes), the key and the witness.
///
/// The witness is hashed too, so that one seed used for two witnesses does not give two proofs with the same blinding factors,
/// which together would leak information about the witnesses.
///
/// # Errors
/// When the seed is not hexadecimal or shorter than 16 bytes.
pub fn seeded<F: PrimeField>(hex: &str, key: &[u8], witness: &[F]) -> Result<ChaCha20Rng, Failure> {
    let mut seed = Seed::new(hex, key)?;
    seed.add(witness);
    Ok(seed.finish())
}

/// The state of [`seeded`]'s hash, for a witness that arrives in parts.
pub(crate) struct Seed(Sha256);

impl Seed {
    /// Begins with the secret seed in hexadecimal and the key.
    ///
    /// # Errors
    /// As [`seeded`].
    pub(crate) fn new(hex: &str, key: &[u8]) -> Result<Self, Failure> {
        let seed = secret_from_hex(hex).filter(|s| s.len() >= 16).ok_or(ArgumentError::Seed)?;
        let mut hash = Sha256::new();
        for part in [TAG, &seed, key] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Ok(Self(hash))
    }
    /// Adds the next values of the witness.
    pub(crate) fn add<F: PrimeField>(&mut self, values: &[F]) {
        let mut bytes = Zeroizing::new(vec![0u8; F::BYTES]);
        for value in values {
            value.write_le(&mut bytes);
            self.0.update(&*bytes);
        }
    }
    /// Adds the next values of the witness as bytes, in the encoding that [`Seed::add`] uses.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
    /// The generator, after the whole witness has been added.
    pub(crate) fn finish(self) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright::curve::bn254::Fr;
    use pairwright::formats::from_hex;

    #[test]
    fn hexadecimal() {
        assert_eq!(from_hex("0x00ff1A"), Some(vec![0, 255, 26]));
        assert_eq!(from_hex("f"), None);
        assert_eq!(from_hex("zz"), None);
        assert_eq!(from_hex(""), Some(vec![]));
    }

    #[test]
    fn a_seed_depends_on_every_input() {
        let draw = |seed: &str, key: &[u8], w: u64| seeded(seed, key, &[Fr::from(w)]).unwrap().next_u64();
        let (a, b) = ("00112233445566778899aabbccddeeff", "10112233445566778899aabbccddeeff");
        assert_eq!(draw(a, b"k", 1), draw(a, b"k", 1));
        assert_ne!(draw(a, b"k", 1), draw(b, b"k", 1));
        assert_ne!(draw(a, b"k", 1), draw(a, b"l", 1));
        assert_ne!(draw(a, b"k", 1), draw(a, b"k", 2));
        assert!(seeded::<Fr>("0011", b"", &[]).is_err(), "too short");
    }
}
