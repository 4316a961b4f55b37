//! Conversion of vectors of signed integers to scalars, inner products, and checks of dimensions.

use super::FeError;
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use pairwright_field::ct::Choice;
use zeroize::Zeroizing;

/// Converts integers to scalars modulo the group order, in constant time. The result is wiped when dropped.
pub(super) fn scalars<F: PrimeField>(integers: &[i64]) -> Zeroizing<Vec<F>> {
    let scalar = |x: &i64| {
        let sign = x >> 63;
        // The absolute value: two's complement negation if the sign is set.
        let size = F::from((x ^ sign).wrapping_sub(sign) as u64);
        F::select(&size, &-size, Choice::from_bit((sign & 1) as u64))
    };
    Zeroizing::new(integers.iter().map(scalar).collect())
}

/// Computes `Σ a[i]·b[i]` in constant time.
pub(super) fn inner<F: PrimeField>(a: &[F], b: &[F]) -> F {
    a.iter().zip(b).fold(F::ZERO, |sum, (a, b)| sum + *a * *b)
}

/// Fails unless the dimension `found` of `what` is `expected`.
pub(super) fn same(what: &'static str, found: usize, expected: usize) -> Result<(), FeError> {
    if found == expected { Ok(()) } else { Err(FeError::Mismatch { what, found, expected }) }
}

/// Fails unless a dimension is from one to `most`.
pub(super) fn check_dimension(found: usize, most: usize) -> Result<(), FeError> {
    if (1..=most).contains(&found) { Ok(()) } else { Err(FeError::Dimension { found, most }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::{Field, Ring};

    #[test]
    fn signed_integers() {
        let found = scalars::<Fr>(&[0, 1, -1, i64::MAX, i64::MIN]);
        let most = Fr::from(1 << 63);
        assert_eq!(*found, [Fr::ZERO, Fr::ONE, -Fr::ONE, most - Fr::ONE, -most]);
        assert_eq!(inner(&found, &found), Fr::from(2) + (most - Fr::ONE).square() + most.square());
    }
}
