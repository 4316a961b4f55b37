//! Function-hiding inner-product encryption, which hides both vectors: Kim, Lewi, Mandal, Montgomery, Roy and Wu (SCN 2018, ePrint
//! 2016/440, §3), over BLS12-381.
//!
//! The master key is a random invertible matrix `B`; `B* = det(B)·(B⁻¹)ᵀ`. The key of `x` is `K1 = α·det(B)·g1` and
//! `K2 = α·(x·B)·g1`, a ciphertext of `y` is `C1 = β·g2` and `C2 = β·(y·B*)·g2`, for random `α` and `β`. Then
//! `e(K1, C1)^⟨x, y⟩ = ∏ e(K2,i, C2,i)`.
//!
//! The base of this logarithm differs for every key and every ciphertext, so that no table can be reused: each decryption computes
//! its own.
//!
//! Vectors have at least two entries. With one, the matrix cancels, `K2` is `x·K1` and `C2` is `y·C1`, and a small entry could be
//! found by trying.
//!
//! Security, by simulation, is proved in the generic group model, not under a standard assumption. The zero vector has no key
//! and no ciphertext: its points would be neutral.

mod bytes;
mod matrix;

use super::FeError;
use super::logarithm::{Table, Target};
use super::vector::{check_dimension, same, scalars};
use alloc::vec::Vec;
use core::fmt;
use matrix::Matrix;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, Projective};
use pairwright_device::Session;
use pairwright_field::Field;
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

/// The largest dimension: a master key has a matrix of this size, which is inverted.
pub const MOST_DIMENSION: usize = 256;

/// The master key, which derives function keys and encrypts. Wiped when dropped.
pub struct MasterKey {
    matrix: Matrix,
    inverse: Matrix,
    determinant: Fr,
}

impl MasterKey {
    /// Draws a master key for vectors of a dimension; the matrix is inverted in constant time.
    ///
    /// # Errors
    /// When the dimension is zero, one or above [`MOST_DIMENSION`].
    pub fn random(dimension: usize, rng: &mut dyn CryptoRng) -> Result<Self, FeError> {
        check_dimension(dimension, MOST_DIMENSION)?;
        loop {
            let entries = (0..dimension * dimension).map(|_| Fr::random(rng)).collect();
            match Self::of_matrix(Matrix::new(dimension, entries)) {
                Err(FeError::Singular) => {}
                key => return key,
            }
        }
    }

    fn of_matrix(matrix: Matrix) -> Result<Self, FeError> {
        if matrix.size() < 2 {
            return Err(FeError::OneEntry);
        }
        let (inverse, determinant) = matrix.invert()?;
        Ok(Self { matrix, inverse, determinant })
    }

    /// The dimension of vectors.
    pub fn dimension(&self) -> usize {
        self.matrix.size()
    }

    /// Derives the key of a vector, which hides the vector. Constant time.
    ///
    /// # Errors
    /// When the dimension is not that of the master key, or the vector is zero.
    pub fn derive(&self, x: &[i64], rng: &mut dyn CryptoRng) -> Result<FunctionKey, FeError> {
        let x = self.scalars(x)?;
        let alpha = Zeroizing::new(not_zero(rng));
        let rotated = Zeroizing::new(self.matrix.row_times(&x));
        let (first, rest) = multiples::<G1>(*alpha * self.determinant, &alpha, &rotated);
        Ok(FunctionKey { first, rest })
    }

    /// Encrypts a vector. Constant time.
    ///
    /// # Errors
    /// As [`Self::derive`].
    pub fn encrypt(&self, y: &[i64], rng: &mut dyn CryptoRng) -> Result<Ciphertext, FeError> {
        let y = self.scalars(y)?;
        let beta = Zeroizing::new(not_zero(rng));
        // y·B* = det(B)·y·(B⁻¹)ᵀ.
        let rotated = Zeroizing::new(self.inverse.row_times_transposed(&y));
        let (first, rest) = multiples::<G2>(*beta, &(*beta * self.determinant), &rotated);
        Ok(Ciphertext { first, rest })
    }

    /// Converts a vector to scalars, if the dimension is right and the vector is not zero.
    fn scalars(&self, vector: &[i64]) -> Result<Zeroizing<Vec<Fr>>, FeError> {
        same("a vector", vector.len(), self.dimension())?;
        // This test need not hide whether the vector is zero, because the error reveals it.
        if vector.iter().fold(0, |all, x| all | x) == 0 {
            return Err(FeError::ZeroVector);
        }
        Ok(scalars(vector))
    }
}

impl Drop for MasterKey {
    fn drop(&mut self) {
        self.determinant.zeroize();
    }
}

/// Prints the type's name and nothing of the key.
impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

fn not_zero(rng: &mut dyn CryptoRng) -> Fr {
    loop {
        let scalar = Fr::random(rng);
        if !scalar.is_zero() {
            return scalar;
        }
    }
}

/// The multiples of the generator by `first` and by each `factor·v[i]`. Constant time.
fn multiples<C: Curve<Scalar = Fr>>(first: Fr, factor: &Fr, v: &[Fr]) -> (Affine<C>, Vec<Affine<C>>) {
    let g = Projective::<C>::generator();
    let points: Vec<_> = v.iter().map(|entry| g.mul(&(*factor * *entry))).collect();
    (g.mul(&first).to_affine(), Projective::batch_to_affine(&points))
}

/// The key of a hidden vector: points of the subgroup of G1, the first not neutral.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionKey {
    first: Affine<G1>,
    rest: Vec<Affine<G1>>,
}

/// An encrypted vector: points of the subgroup of G2, the first not neutral.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ciphertext {
    first: Affine<G2>,
    rest: Vec<Affine<G2>>,
}

impl Ciphertext {
    /// The dimension of the vector.
    pub fn dimension(&self) -> usize {
        self.rest.len()
    }
}

impl FunctionKey {
    /// The dimension of the vector.
    pub fn dimension(&self) -> usize {
        self.rest.len()
    }

    /// Computes the base `e(K1, C1)` and its power by the inner product, `∏ e(K2,i, C2,i)`: two calls of the device for products of
    /// pairings.
    ///
    /// # Errors
    /// When the dimensions differ, or the device fails.
    pub fn decrypt_values(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &Ciphertext,
    ) -> Result<[Target<Bls12_381>; 2], FeError> {
        on.phase("fe decrypt");
        same("a ciphertext", ciphertext.dimension(), self.dimension())?;
        let base = on.multi_pairing(&[(self.first, ciphertext.first)])?;
        let pairs: Vec<_> = self.rest.iter().copied().zip(ciphertext.rest.iter().copied()).collect();
        Ok([Target(base), Target(on.multi_pairing(&pairs)?)])
    }

    /// Computes the inner product, if it is from `-bound` to `bound`. After the pairings this takes a number of products in the target
    /// group that is about twice the square root of the bound. The time of the search depends on the result.
    ///
    /// # Errors
    /// When the dimensions differ, the result is outside of the range, or the device fails.
    pub fn decrypt(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &Ciphertext,
        bound: u64,
    ) -> Result<i64, FeError> {
        let [base, power] = self.decrypt_values(on, ciphertext)?;
        on.host("fe logarithm", 1, || Table::for_bound(base, bound)?.find_vartime(&power, bound))
    }
}
