//! The random values that hide a prover's witness.

use core::fmt;
use pairwright_field::PrimeField;
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The `N` random scalars that blind a proof, in the order in which snarkjs draws them; wiped when they are dropped.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Blinding<F: Zeroize, const N: usize>(pub(crate) [F; N]);

impl<F: PrimeField, const N: usize> Blinding<F, N> {
    /// Draws uniform values from a generator.
    pub fn random(rng: &mut dyn CryptoRng) -> Self {
        Self([(); N].map(|()| F::random(rng)))
    }

    /// Takes given values, to reproduce proofs of other implementations. A proof hides nothing from whoever knows these values, and
    /// two proofs must not share them.
    pub fn from_known(values: [F; N]) -> Self {
        Self(values)
    }
}

impl<F: Zeroize, const N: usize> fmt::Debug for Blinding<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blinding")
    }
}
