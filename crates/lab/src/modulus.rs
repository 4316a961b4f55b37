//! Prime moduli for the figures: of any width, with large two-adicity, and no other special form.

use crate::LabError;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use pairwright_moma::program::primes::{ntt_prime, root_of_unity};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// An NTT-friendly prime `q = c 2^s + 1`.
#[derive(Clone, Debug)]
pub struct Modulus {
    /// The width class of the figure; the prime has four bits less, as in \[MoMA\] section 5.2.
    pub bits: u32,
    /// The prime modulus.
    pub q: BigUint,
    /// A primitive 2^s-th root of unity.
    root: BigUint,
}

/// The exponent s: transforms have at most 2^s points.
const TWO_ADICITY: u32 = 32;

impl Modulus {
    /// The largest prime of `bits - 4` bits with s = 32.
    ///
    /// # Errors
    /// The width is so small that there is no such prime.
    pub fn of_class(bits: u32) -> Result<Self, LabError> {
        let q = ntt_prime(bits.saturating_sub(4), TWO_ADICITY)?;
        let root = root_of_unity(&q, TWO_ADICITY)?;
        Ok(Self { bits, q, root })
    }

    /// The number of 64-bit limbs of a number of this width class.
    pub fn limbs(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }

    /// A primitive 2^log2_n-th root of unity.
    pub fn root(&self, log2_n: u32) -> BigUint {
        let mut root = self.root.clone();
        for _ in log2_n..TWO_ADICITY {
            root = &root * &root % &self.q;
        }
        root
    }

    /// Numbers below q: the edge values 0, 1, q - 1 first, then uniformly random ones.
    pub fn operands(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<BigUint> {
        let edges = [BigUint::zero(), BigUint::one(), &self.q - 1u8];
        let mut bytes = vec![0; 8 * (self.limbs() + 1)];
        let random = core::iter::repeat_with(|| {
            rng.fill_bytes(&mut bytes);
            BigUint::from_bytes_le(&bytes) % &self.q
        });
        edges.into_iter().chain(random).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_have_their_width_and_roots_their_order() {
        for bits in [64, 128, 320] {
            let modulus = Modulus::of_class(bits).unwrap();
            assert_eq!(modulus.q.bits(), u64::from(bits - 4));
            let root = modulus.root(5);
            assert_eq!(root.modpow(&BigUint::from(16u8), &modulus.q), &modulus.q - 1u8);
        }
        assert!(matches!(Modulus::of_class(36), Err(LabError::Moma(_))));
        assert!(matches!(Modulus::of_class(3), Err(LabError::Moma(_))));
    }
}
