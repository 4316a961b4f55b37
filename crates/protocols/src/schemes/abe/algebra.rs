//! Matrices over the scalars: the secrets of the scheme, wiped when dropped.

use super::AbeError;
use core::array::from_fn;
use pairwright_curve::bls12_381::Fr;
use pairwright_field::{Field, PrimeField};
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of an encoded scalar.
pub(super) const SCALAR: usize = 32;

/// A scalar from draws of 32 bytes: read big-endian, the top bit cleared, until one is below the group order; that integer
/// is the scalar's Montgomery representation, 2^256 times its value, as CIRCL has it. How often depends on the draws; what
/// was passed over says nothing about what was found.
pub(super) fn scalar_of_draws(mut draw: impl FnMut(&mut [u8])) -> Fr {
    let mut bytes = Zeroizing::new([0; SCALAR]);
    loop {
        draw(bytes.as_mut_slice());
        bytes[0] &= 0x7f;
        let limbs = Zeroizing::new(big_endian(&bytes));
        if let Some(scalar) = Fr::from_montgomery(*limbs) {
            return scalar;
        }
    }
}

/// The little-endian limbs of a big-endian integer.
pub(super) fn big_endian(bytes: &[u8; SCALAR]) -> [u64; 4] {
    let mut limbs = [0; 4];
    for (limb, bytes) in limbs.iter_mut().rev().zip(bytes.as_chunks::<8>().0) {
        *limb = u64::from_be_bytes(*bytes);
    }
    limbs
}

/// A uniform scalar.
pub(super) fn random_scalar(rng: &mut dyn CryptoRng) -> Fr {
    scalar_of_draws(|bytes| rng.fill_bytes(bytes))
}

/// `R` rows of `C` scalars.
#[derive(Clone)]
pub(super) struct Matrix<const R: usize, const C: usize>(pub(super) [[Fr; C]; R]);

/// Two scalars, one above the other: the randomness of an encryption and its shares.
pub(super) type Pair = Matrix<2, 1>;

impl<const R: usize, const C: usize> Matrix<R, C> {
    /// Uniform entries, drawn row by row.
    pub(super) fn random(rng: &mut dyn CryptoRng) -> Self {
        Self(from_fn(|_| from_fn(|_| random_scalar(rng))))
    }

    /// The entry of a row and a column.
    pub(super) fn at(&self, row: usize, column: usize) -> Fr {
        self.0[row][column]
    }

    /// The rows one after the other.
    pub(super) fn entries(&self) -> impl Iterator<Item = Fr> + '_ {
        self.0.iter().flatten().copied()
    }

    /// The transposed matrix.
    pub(super) fn transposed(&self) -> Matrix<C, R> {
        Matrix(from_fn(|i| from_fn(|j| self.at(j, i))))
    }

    /// The product with another matrix.
    pub(super) fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        Matrix(from_fn(|i| from_fn(|k| (0..C).fold(Fr::ZERO, |sum, j| sum + self.at(i, j) * other.at(j, k)))))
    }

    /// The multiple by a scalar.
    pub(super) fn scaled(&self, by: Fr) -> Self {
        Self(from_fn(|i| from_fn(|j| self.at(i, j) * by)))
    }

    /// The sum with another matrix.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self(from_fn(|i| from_fn(|j| self.at(i, j) + other.at(i, j))))
    }

    /// The difference to another matrix.
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self(from_fn(|i| from_fn(|j| self.at(i, j) - other.at(i, j))))
    }

    /// Two neighbouring columns.
    pub(super) fn columns(&self, first: usize) -> Matrix<R, 2> {
        Matrix(from_fn(|i| from_fn(|j| self.at(i, first + j))))
    }
}

impl<const N: usize> Matrix<N, N> {
    /// The inverse, by Gauss and Jordan without a search for pivots: a uniform matrix has a zero pivot once in about
    /// 2^253 times.
    ///
    /// # Errors
    /// When a pivot is zero.
    pub(super) fn inverse(&self) -> Result<Self, AbeError> {
        let mut left = self.clone();
        let mut right = Self(from_fn(|i| from_fn(|j| if i == j { Fr::ONE } else { Fr::ZERO })));
        for pivot in 0..N {
            let scale = Zeroizing::new(left.at(pivot, pivot).invert().ok_or(AbeError::Singular)?);
            for matrix in [&mut left, &mut right] {
                matrix.0[pivot].iter_mut().for_each(|entry| *entry *= *scale);
            }
            for row in (0..N).filter(|row| *row != pivot) {
                let factor = Zeroizing::new(left.at(row, pivot));
                for matrix in [&mut left, &mut right] {
                    for column in 0..N {
                        let part = matrix.at(pivot, column) * *factor;
                        matrix.0[row][column] -= part;
                    }
                }
            }
        }
        Ok(right)
    }
}

impl<const R: usize, const C: usize> Zeroize for Matrix<R, C> {
    fn zeroize(&mut self) {
        self.0.iter_mut().flatten().for_each(Zeroize::zeroize);
    }
}

impl<const R: usize, const C: usize> Drop for Matrix<R, C> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn an_inverse_times_its_matrix_is_one() {
        let mut rng = ChaCha20Rng::seed_from_u64(966);
        let matrix = Matrix::<4, 4>::random(&mut rng);
        let product = matrix.times(&matrix.inverse().unwrap());
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            assert_eq!(product.at(i, j), if i == j { Fr::ONE } else { Fr::ZERO });
        }
        let singular = Matrix([[Fr::ONE, Fr::ONE], [Fr::ONE, Fr::ONE]]);
        assert!(matches!(singular.inverse(), Err(AbeError::Singular)));
    }

    #[test]
    fn products_by_hand() {
        let f = Fr::from;
        let (a, b) = (Matrix([[f(1), f(2)], [f(3), f(4)], [f(5), f(6)]]), Matrix([[f(7)], [f(8)]]));
        assert_eq!(a.times(&b).0, [[f(23)], [f(53)], [f(83)]]);
        assert_eq!(a.transposed().0, [[f(1), f(3), f(5)], [f(2), f(4), f(6)]]);
        assert_eq!((a.plus(&a).0, a.minus(&a).entries().all(|e| e.is_zero())), (a.scaled(f(2)).0, true));
        assert_eq!(a.columns(0).0, a.0);
    }

    /// Draws that are not below the order are passed over, the top bit does not count, and the rest is in Montgomery form.
    #[test]
    fn draws() {
        let mut five = [0; 32];
        (five[0], five[31]) = (0x80, 5);
        let mut draws = [[0xff; 32], [0x7f; 32], five].into_iter();
        let found = scalar_of_draws(|bytes| bytes.copy_from_slice(&draws.next().unwrap()));
        let shift = Fr::from(1 << 32).pow_vartime(&[8]);
        assert_eq!((found * shift, draws.len()), (Fr::from(5), 0));
    }
}
