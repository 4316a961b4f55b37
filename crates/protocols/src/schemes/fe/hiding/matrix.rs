//! Square matrices over the scalar field, in constant time. Wiped when dropped.

use super::FeError;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::Fr;
use pairwright_field::Field;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A square matrix of size `n`, whose entries are stored by rows.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct Matrix {
    n: usize,
    pub(super) entries: Vec<Fr>,
}

impl Matrix {
    /// Makes a matrix from `n·n` entries, row by row.
    pub(super) fn new(n: usize, entries: Vec<Fr>) -> Self {
        Self { n, entries }
    }

    pub(super) fn size(&self) -> usize {
        self.n
    }

    fn rows(&self) -> core::slice::Chunks<'_, Fr> {
        self.entries.chunks(self.n)
    }

    /// The product `v·M` for a row vector `v`.
    pub(super) fn row_times(&self, v: &[Fr]) -> Vec<Fr> {
        let mut out = vec![Fr::ZERO; self.n];
        for (factor, row) in v.iter().zip(self.rows()) {
            out.iter_mut().zip(row).for_each(|(sum, entry)| *sum += *factor * *entry);
        }
        out
    }

    /// The product `v·Mᵀ` for a row vector `v`.
    pub(super) fn row_times_transposed(&self, v: &[Fr]) -> Vec<Fr> {
        self.rows().map(|row| row.iter().zip(v).fold(Fr::ZERO, |sum, (a, b)| sum + *a * *b)).collect()
    }

    /// Computes the inverse and the determinant by Gauss-Jordan elimination without pivoting, so that the operations and addresses are
    /// the same for all matrices of a size.
    ///
    /// # Errors
    /// When a leading minor is zero. A random matrix has such a minor with probability about `n/r`, below 2^-246. Then another one is
    /// drawn, and the fact reveals nothing about the matrix that is used.
    pub(super) fn invert(&self) -> Result<(Self, Fr), FeError> {
        let n = self.n;
        let mut left = Self::new(n, self.entries.clone());
        let mut right = Self::new(n, vec![Fr::ZERO; n * n]);
        (0..n).for_each(|i| right.entries[i * n + i] = Fr::ONE);
        let mut determinant = Fr::ONE;
        for pivot in 0..n {
            let at = left.entries[pivot * n + pivot];
            determinant *= at;
            let inverse = at.invert().ok_or(FeError::Singular)?;
            for m in [&mut left, &mut right] {
                m.entries[pivot * n..(pivot + 1) * n].iter_mut().for_each(|x| *x *= inverse);
            }
            for row in (0..n).filter(|row| *row != pivot) {
                let factor = left.entries[row * n + pivot];
                for m in [&mut left, &mut right] {
                    for column in 0..n {
                        let change = factor * m.entries[pivot * n + column];
                        m.entries[row * n + column] -= change;
                    }
                }
            }
        }
        Ok((right, determinant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn inverses_and_determinants() {
        let rng = &mut ChaCha20Rng::seed_from_u64(5);
        for n in 1..8 {
            let m = Matrix::new(n, (0..n * n).map(|_| Fr::random(rng)).collect());
            let (inverse, _) = m.invert().unwrap();
            let v: Vec<Fr> = (0..n).map(|_| Fr::random(rng)).collect();
            assert_eq!(inverse.row_times(&m.row_times(&v)), v);
            assert_eq!(m.row_times_transposed(&inverse.row_times_transposed(&v)), v);
        }
        let number = |x: i64| if x < 0 { -Fr::from(x.unsigned_abs()) } else { Fr::from(x as u64) };
        // 2·(3·4 - 2·1) - 0 - 1·(1·1 - 3·1), with a row of the other sign.
        let m = Matrix::new(3, [2, 0, -1, 1, 3, 2, 1, 1, 4].map(number).to_vec());
        assert_eq!(m.invert().unwrap().1, number(22));
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let m = Matrix::new(2, [1, 2, 2, 4].map(Fr::from).to_vec());
        assert!(matches!(m.invert(), Err(FeError::Singular)));
    }
}
