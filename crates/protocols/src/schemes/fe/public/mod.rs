//! Inner products with a public key: Agrawal, Libert and Stehlé (CRYPTO 2016, ePrint 2015/608, §4), in G1 of BLS12-381.
//!
//! With generators `g` and `h`, a master key is two vectors `s` and `t`, and the public key is `h_i = s_i·g + t_i·h`. A
//! ciphertext of `x` is `C = r·g`, `D = r·h` and `E_i = x_i·g + r·h_i`; the key of `y` is `s_y = ⟨s, y⟩` and
//! `t_y = ⟨t, y⟩`. Then `Σ y_i·E_i - s_y·C - t_y·D = ⟨x, y⟩·g`.
//!
//! The second generator is hashed from a fixed text, so that nobody knows its logarithm.

mod bytes;

use super::FeError;
use super::logarithm::Table;
use super::vector::{check_dimension, inner, same, scalars};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::{Affine, Curve, HashToCurve, Jacobian, Projective};
use pairwright_device::Session;
use pairwright_field::Field;
use pairwright_poly::Buf;
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The largest dimension.
pub const MOST_DIMENSION: usize = 1 << 16;

/// The second generator `h`: the hash of `h` under a tag of this scheme.
pub fn second_generator() -> Affine<G1> {
    G1::hash_to_curve(b"h", b"PAIRWRIGHT-FE-ALS16-V01-WITH-BLS12381G1_XMD:SHA-256_SSWU_RO_")
}

/// The authority's key. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct MasterKey {
    s: Vec<Fr>,
    t: Vec<Fr>,
}

impl MasterKey {
    /// A random key for vectors of a dimension.
    ///
    /// # Errors
    /// When the dimension is zero or above [`MOST_DIMENSION`].
    pub fn random(dimension: usize, rng: &mut dyn CryptoRng) -> Result<Self, FeError> {
        check_dimension(dimension, MOST_DIMENSION)?;
        let mut draw = || (0..dimension).map(|_| Fr::random(rng)).collect();
        Ok(Self { s: draw(), t: draw() })
    }

    /// The dimension of vectors.
    pub fn dimension(&self) -> usize {
        self.s.len()
    }

    /// The public key. Constant time.
    pub fn public_key(&self) -> PublicKey {
        let (g, h) = (Projective::<G1>::generator(), Projective::from(second_generator()));
        let points: Vec<_> =
            self.s.iter().zip(&self.t).map(|(s, t)| Projective::mul_sum(&[(g, *s), (h, *t)])).collect();
        PublicKey { points: Projective::batch_to_affine(&points) }
    }

    /// The key of a vector `y`, which the key shows. Constant time.
    ///
    /// # Errors
    /// When the dimension is another one.
    pub fn derive(&self, y: &[i64]) -> Result<FunctionKey, FeError> {
        same("a vector", y.len(), self.dimension())?;
        let weights = scalars(y);
        Ok(FunctionKey { y: y.to_vec(), s: inner(&self.s, &weights), t: inner(&self.t, &weights) })
    }
}

/// Prints the type's name and nothing of the key.
impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

/// The key that anybody encrypts with: `h_i`, points of the subgroup that are not neutral.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicKey {
    points: Vec<Affine<G1>>,
}

impl PublicKey {
    /// The dimension of vectors.
    pub fn dimension(&self) -> usize {
        self.points.len()
    }

    /// Encrypts a vector. Constant time.
    ///
    /// # Errors
    /// When the dimension is another one.
    pub fn encrypt(&self, x: &[i64], rng: &mut dyn CryptoRng) -> Result<Ciphertext, FeError> {
        same("a vector", x.len(), self.dimension())?;
        let x = scalars(x);
        let r = Zeroizing::new(Fr::random(rng));
        let g = Projective::<G1>::generator();
        let mut points = Zeroizing::new(Vec::with_capacity(x.len() + 2));
        points.push(g.mul(&r));
        points.push(Projective::from(second_generator()).mul(&r));
        for (x, h) in x.iter().zip(&self.points) {
            points.push(Projective::mul_sum(&[(g, *x), (Projective::from(*h), *r)]));
        }
        let points = Projective::batch_to_affine(&points);
        let [c, d, e @ ..] = points.as_slice() else {
            return Err(FeError::Dimension { found: 0, most: MOST_DIMENSION });
        };
        Ok(Ciphertext { c: *c, d: *d, e: e.to_vec() })
    }
}

/// An encrypted vector: points of the subgroup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ciphertext {
    c: Affine<G1>,
    d: Affine<G1>,
    e: Vec<Affine<G1>>,
}

impl Ciphertext {
    /// The dimension of the vector.
    pub fn dimension(&self) -> usize {
        self.e.len()
    }
}

/// The key of a vector `y`: it gives `⟨x, y⟩` of every ciphertext. The scalars are wiped when dropped.
pub struct FunctionKey {
    y: Vec<i64>,
    s: Fr,
    t: Fr,
}

impl FunctionKey {
    /// The vector of the key.
    pub fn vector(&self) -> &[i64] {
        &self.y
    }

    /// `⟨x, y⟩·g`: one sum of as many multiples as there are dimensions by the device, in time that depends on `y` and on the
    /// ciphertext; the key's scalars stay on the host, in constant time.
    ///
    /// # Errors
    /// When the dimensions differ, or the device cannot.
    pub fn decrypt_point(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &Ciphertext,
    ) -> Result<Affine<G1>, FeError> {
        on.phase("fe decrypt");
        same("a ciphertext", ciphertext.dimension(), self.y.len())?;
        // Signs go to the points, so that the scalars are as short as the integers.
        let (points, sizes): (Vec<_>, Vec<_>) = (self.y.iter().zip(&ciphertext.e))
            .map(|(y, e)| (if *y < 0 { -*e } else { *e }, Fr::from(y.unsigned_abs())))
            .unzip();
        let (points, sizes): (Buf<_>, Buf<_>) = (points.into(), sizes.into());
        let sum = on.msm_g1(points.view(), sizes.view())?;
        let (c, d) = (Projective::from(ciphertext.c), Projective::from(ciphertext.d));
        let mask = Projective::mul_sum(&[(c, self.s), (d, self.t)]).to_affine();
        Ok((sum - Jacobian::from(mask)).to_affine())
    }

    /// `⟨x, y⟩`, which is from `-bound` to `bound`, by a table of logarithms to the generator of G1. The time of the search
    /// depends on the result.
    ///
    /// # Errors
    /// When the dimensions differ, the table is to another base, the result is outside of the range, or the device cannot.
    pub fn decrypt(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &Ciphertext,
        table: &Table<Affine<G1>>,
        bound: u64,
    ) -> Result<i64, FeError> {
        if *table.base() != G1::GENERATOR {
            return Err(FeError::Base);
        }
        let point = self.decrypt_point(on, ciphertext)?;
        on.host("fe logarithm", 1, || table.find_vartime(&point, bound))
    }
}

impl Drop for FunctionKey {
    fn drop(&mut self) {
        self.s.zeroize();
        self.t.zeroize();
    }
}

/// Prints the vector and nothing of the key.
impl fmt::Debug for FunctionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FunctionKey({:?}, ..)", self.y)
    }
}
