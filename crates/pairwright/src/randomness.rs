//! Randomness from the operating system for code that draws secrets: setups, proofs, keys, weights of batches.

pub use chacha20::ChaCha20Rng;
pub use rand_core::{CryptoRng, Rng, SeedableRng};

use thiserror::Error;
use zeroize::Zeroizing;

/// The operating system does not provide randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the operating system gives no randomness: {0}")]
pub struct NoRandomness(#[from] getrandom::Error);

/// A fresh ChaCha20 generator, seeded by the operating system with 32 bytes. It wipes its state when it is
/// dropped. A copy of it would give the same numbers again.
///
/// ```
/// use pairwright::randomness;
/// use pairwright::curve::bn254::Fr;
/// use pairwright::field::Field;
///
/// let mut rng = randomness::system()?;
/// assert_ne!(Fr::random(&mut rng), Fr::random(&mut rng));
/// # Ok::<(), randomness::NoRandomness>(())
/// ```
///
/// # Errors
/// When the operating system does not provide randomness.
pub fn system() -> Result<ChaCha20Rng, NoRandomness> {
    let mut seed = Zeroizing::new([0u8; 32]);
    getrandom::fill(seed.as_mut())?;
    Ok(ChaCha20Rng::from_seed(*seed))
}
