//! Matrices over the scalar field, which hold the secrets of the scheme and are wiped when dropped; and the drawing of scalars.

use super::AbeError;
use core::array::from_fn;
use pairwright_curve::bls12_381::Fr;
use pairwright_field::{Field, PrimeField};
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

/// Number of bytes of an encoded scalar.
pub(super) const SCALAR: usize = 32;

/// Makes a scalar from draws of 32 bytes. A draw is read big-endian with the top bit cleared, and repeated until it is below the group
/// order; that integer is the scalar in Montgomery form, 2^256 times its value, as in CIRCL. The number of draws depends on their
/// values, but rejected draws reveal nothing about the accepted one.
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

/// Draws a uniform scalar.
pub(super) fn random_scalar(rng: &mut dyn CryptoRng) -> Fr {
    scalar_of_draws(|bytes| rng.fill_bytes(bytes))
}

/// A matrix of `R` rows and `C` columns of scalars.
#[derive(Clone)]
pub(super) struct Matrix<const R: usize, const C: usize>(pub(super) [[Fr; C]; R]);

/// A column of two scalars: the randomness of an encryption, or a share of it.
pub(super) type Pair = Matrix<2, 1>;

impl<const R: usize, const C: usize> Matrix<R, C> {
    /// Draws a matrix with uniform entries, row by row.
    pub(super) fn random(rng: &mut dyn CryptoRng) -> Self {
        Self(from_fn(|_| from_fn(|_| random_scalar(rng))))
    }

    /// The entry of a row and a column.
    pub(super) fn at(&self, row: usize, column: usize) -> Fr {
        self.0[row][column]
    }

    /// The entries, row by row.
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

    /// The difference `self - other`.
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self(from_fn(|i| from_fn(|j| self.at(i, j) - other.at(i, j))))
    }

    /// The two columns from index `first` on.
    pub(super) fn columns(&self, first: usize) -> Matrix<R, 2> {
        Matrix(from_fn(|i| from_fn(|j| self.at(i, first + j))))
    }
}

impl<const N: usize> Matrix<N, N> {
    /// Computes the inverse by Gauss-Jordan elimination without pivoting. A uniform 4×4 matrix has a zero pivot with probability about
    /// 2^-253.
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

    /// Draws that are not below the order are rejected, the top bit is ignored, and the accepted integer is the Montgomery form.
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
