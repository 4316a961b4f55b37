//! Evaluates a polynomial, given by its values at 0, 1, …, d, at any point.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::{PrimeField, batch_invert};

/// The nodes 0, 1, …, d with their barycentric weights `∏_{k≠j} 1/(j - k) = (-1)^(d-j)/(j!·(d-j)!)`.
#[derive(Clone, Debug)]
pub(super) struct Interpolation<F> {
    weights: Vec<F>,
}

impl<F: PrimeField> Interpolation<F> {
    /// Computes the weights for polynomials of this degree, which must be below the field's prime.
    pub(super) fn new(degree: u8) -> Self {
        let mut factorials = vec![F::ONE];
        let mut last = F::ONE;
        for k in 1..=degree {
            last *= F::from(u64::from(k));
            factorials.push(last);
        }
        let mut weights: Vec<F> =
            factorials.iter().zip(factorials.iter().rev()).map(|(a, b)| *a * *b).collect();
        batch_invert(&mut weights);
        // The highest node's weight is positive, and signs alternate.
        weights.iter_mut().rev().skip(1).step_by(2).for_each(|w| *w = -*w);
        Self { weights }
    }

    /// The value at `x`, by about `3(d + 1)` products and no inversion, so that `x` may be a node.
    pub(super) fn at(&self, values: &[F], x: F) -> F {
        let mut left = x;
        let mut differences = Vec::with_capacity(self.weights.len());
        for _ in &self.weights {
            differences.push(left);
            left -= F::ONE;
        }
        // `after` holds, from the last node to the first, the product of the differences of all later nodes.
        let mut after = Vec::with_capacity(differences.len());
        let mut product = F::ONE;
        for difference in differences.iter().rev() {
            after.push(product);
            product *= *difference;
        }
        let (mut sum, mut before) = (F::ZERO, F::ONE);
        for (((value, weight), difference), after) in
            values.iter().zip(&self.weights).zip(&differences).zip(after.iter().rev())
        {
            sum += *value * *weight * before * *after;
            before *= *difference;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::Field;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn a_polynomial_is_its_values_anywhere() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for degree in [0u8, 1, 2, 3, 7, 255] {
            let coefficients: Vec<Fr> = (0..=degree).map(|_| Fr::random(&mut rng)).collect();
            let horner = |x: Fr| coefficients.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + *c);
            let values: Vec<Fr> = (0..=degree).map(|k| horner(Fr::from(u64::from(k)))).collect();
            let through = Interpolation::new(degree);
            for (k, value) in values.iter().enumerate() {
                assert_eq!(through.at(&values, Fr::from(k as u64)), *value, "degree {degree} at node {k}");
            }
            let x = Fr::random(&mut rng);
            assert_eq!(through.at(&values, x), horner(x), "degree {degree}");
            assert_eq!(through.at(&values, -Fr::ONE), horner(-Fr::ONE), "degree {degree} at -1");
        }
    }
}
