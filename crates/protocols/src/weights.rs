//! Random weights for equations that are verified together as one linear combination.

use alloc::vec::Vec;
use pairwright_curve::Curve;
use pairwright_field::PrimeField;
use rand_core::CryptoRng;

/// `n` weights, each uniform among 2^127 scalars that are not zero. If one of several equations does not hold, their weighted sum
/// holds with probability at most 2^-127.
///
/// A weight is `a + b·λ` for `a` and `b` of 64 bits, `a` odd, and the eigenvalue `λ` of the group's endomorphism: points are
/// multiplied by two halves of 64 bits. Weights of different pairs differ: as `λ² + λ + 1 = 0`, the order r of the group would
/// divide `a² - a·b + b²` for the differences `a` and `b` of the halves, which is between 0 and `3·2^128`, less than r.
pub(crate) fn weights<C: Curve>(n: usize, rng: &mut dyn CryptoRng) -> Vec<C::Scalar> {
    // Without an endomorphism, integers of 128 bits.
    let lambda = C::GLV.as_ref().map_or([0, 1, 0, 0], |glv| glv.lambda);
    let lambda = C::Scalar::from_limbs_reduced(&lambda);
    (0..n).map(|_| C::Scalar::from(rng.next_u64() | 1) + lambda * C::Scalar::from(rng.next_u64())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{Pairing, bls12_377, bls12_381, bn254};
    use pairwright_field::{Field, Ring};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// The facts that the argument above uses, and that both halves of each weight are short.
    fn halves_are_short<E: Pairing>() {
        let glv = E::G1::GLV.unwrap();
        let lambda = E::Fr::from_limbs_reduced(&glv.lambda);
        assert_eq!(lambda.square() + lambda + E::Fr::ONE, E::Fr::ZERO);
        assert!(E::Fr::MODULUS.as_ref()[3] > 0, "r is above 2^192");
        let weights = weights::<E::G1>(20, &mut ChaCha20Rng::seed_from_u64(8));
        for weight in &weights {
            let [a, b] = pairwright_curve::glv::decompose(&glv, weight.to_limbs().as_ref());
            assert!(a.0 < 1 << 64 && a.0 % 2 == 1 && !a.1 && b.0 < 1 << 64 && !b.1, "{weight}");
        }
        assert!((1..weights.len()).all(|i| weights[i] != weights[i - 1]));
    }

    #[test]
    fn halves_of_weights_are_short() {
        halves_are_short::<bn254::Bn254>();
        halves_are_short::<bls12_381::Bls12_381>();
        halves_are_short::<bls12_377::Bls12_377>();
    }
}
