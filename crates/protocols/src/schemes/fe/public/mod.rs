//! Public-key inner-product encryption: Agrawal, Libert and Stehlé (CRYPTO 2016, ePrint 2015/608, §4), over G1 of BLS12-381 or, for
//! circuits that prove the content of a ciphertext, over Jubjub ([`super::embedded`]).
//!
//! With generators `g` and `h`, a master key is two vectors `s` and `t`, and the public key is `h_i = s_i·g + t_i·h`. A
//! ciphertext of `x` is `C = r·g`, `D = r·h` and `E_i = x_i·g + r·h_i`; the key of `y` is `s_y = ⟨s, y⟩` and
//! `t_y = ⟨t, y⟩`. Then `Σ y_i·E_i - s_y·C - t_y·D = ⟨x, y⟩·g`.
//!
//! The second generator `h` is hashed from a fixed text, so that nobody knows its logarithm to `g`.

mod bytes;
mod ddh_group;

pub use ddh_group::DdhGroup;

use super::FeError;
use super::logarithm::Table;
use super::vector::{check_dimension, inner, same, scalars};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::bls12_381::{Bls12_381, G1};
use pairwright_curve::{Affine, HashToCurve};
use pairwright_device::Session;
use pairwright_field::Field;
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The largest dimension of vectors.
pub const MOST_DIMENSION: usize = 1 << 16;

/// The second generator `h` of G1: the byte `h`, hashed to G1 under a tag of this scheme.
pub fn second_generator() -> Affine<G1> {
    G1::hash_to_curve(b"h", b"PAIRWRIGHT-FE-ALS16-V01-WITH-BLS12381G1_XMD:SHA-256_SSWU_RO_")
}

/// [`MasterKeyOver`] in G1.
pub type MasterKey = MasterKeyOver<G1>;
/// [`PublicKeyOver`] in G1.
pub type PublicKey = PublicKeyOver<G1>;
/// [`CiphertextOver`] in G1.
pub type Ciphertext = CiphertextOver<G1>;
/// [`FunctionKeyOver`] in G1.
pub type FunctionKey = FunctionKeyOver<G1>;

/// The authority's master key: the vectors `s` and `t`. Wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct MasterKeyOver<G: DdhGroup> {
    s: Vec<G::Scalar>,
    t: Vec<G::Scalar>,
}

impl<G: DdhGroup> MasterKeyOver<G> {
    /// Draws a master key for vectors of a dimension.
    ///
    /// # Errors
    /// When the dimension is zero or above [`MOST_DIMENSION`].
    pub fn random(dimension: usize, rng: &mut dyn CryptoRng) -> Result<Self, FeError> {
        check_dimension(dimension, MOST_DIMENSION)?;
        let mut draw = || (0..dimension).map(|_| G::Scalar::random(rng)).collect();
        Ok(Self { s: draw(), t: draw() })
    }

    /// The dimension of vectors.
    pub fn dimension(&self) -> usize {
        self.s.len()
    }

    /// Computes the public key. Constant time.
    pub fn public_key(&self) -> PublicKeyOver<G> {
        let (g, h) = (G::generator(), G::second_generator());
        let terms = self.s.iter().zip(&self.t).map(|(s, t)| [(g, *s), (h, *t)]);
        PublicKeyOver { points: G::sums(&Terms::<G>(terms.collect()).0) }
    }

    /// Derives the key of a vector `y`, which contains `y` in clear. Constant time.
    ///
    /// # Errors
    /// When the dimension of the vector is not that of the key.
    pub fn derive(&self, y: &[i64]) -> Result<FunctionKeyOver<G>, FeError> {
        same("a vector", y.len(), self.dimension())?;
        let weights = scalars(y);
        Ok(FunctionKeyOver { y: y.to_vec(), s: inner(&self.s, &weights), t: inner(&self.t, &weights) })
    }
}

/// Points with the secret scalars that multiply them. The scalars are wiped when dropped.
struct Terms<G: DdhGroup>(Vec<[(G::Point, G::Scalar); 2]>);

impl<G: DdhGroup> Drop for Terms<G> {
    fn drop(&mut self) {
        self.0.iter_mut().flatten().for_each(|(_, scalar)| scalar.zeroize());
    }
}

/// Prints the type's name and nothing of the key.
impl<G: DdhGroup> fmt::Debug for MasterKeyOver<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

/// The public key for encryption: the points `h_i`, which are in the group and not neutral.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicKeyOver<G: DdhGroup> {
    points: Vec<G::Point>,
}

impl<G: DdhGroup> PublicKeyOver<G> {
    /// The dimension of vectors.
    pub fn dimension(&self) -> usize {
        self.points.len()
    }

    /// The points `h_i`.
    pub fn points(&self) -> &[G::Point] {
        &self.points
    }

    /// Encrypts a vector. Constant time.
    ///
    /// # Errors
    /// When the dimension of the vector is not that of the key.
    pub fn encrypt(&self, x: &[i64], rng: &mut dyn CryptoRng) -> Result<CiphertextOver<G>, FeError> {
        let r = Zeroizing::new(G::Scalar::random(rng));
        self.encrypt_with(x, &r)
    }

    /// [`Self::encrypt`] with a given scalar `r`, for a prover who has to know it. It must be random and used only once; whoever knows it
    /// can decrypt the vector. Constant time.
    ///
    /// # Errors
    /// When the dimension of the vector is not that of the key.
    pub fn encrypt_with(&self, x: &[i64], r: &G::Scalar) -> Result<CiphertextOver<G>, FeError> {
        same("a vector", x.len(), self.dimension())?;
        let x = scalars(x);
        let (g, h) = (G::generator(), G::second_generator());
        let mut terms = Terms::<G>(Vec::with_capacity(x.len() + 2));
        terms.0.extend([[(g, *r), (g, G::Scalar::ZERO)], [(h, *r), (g, G::Scalar::ZERO)]]);
        terms.0.extend(x.iter().zip(&self.points).map(|(x, h)| [(g, *x), (*h, *r)]));
        let points = G::sums(&terms.0);
        let [c, d, e @ ..] = points.as_slice() else {
            return Err(FeError::Dimension { found: 0, most: MOST_DIMENSION });
        };
        Ok(CiphertextOver { c: *c, d: *d, e: e.to_vec() })
    }
}

/// An encrypted vector: the points `C`, `D` and `E_i` of the group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CiphertextOver<G: DdhGroup> {
    c: G::Point,
    d: G::Point,
    e: Vec<G::Point>,
}

impl<G: DdhGroup> CiphertextOver<G> {
    /// The dimension of the vector.
    pub fn dimension(&self) -> usize {
        self.e.len()
    }

    /// The points `C`, `D` and `E_i`, in this order.
    pub fn points(&self) -> impl Iterator<Item = G::Point> + '_ {
        [self.c, self.d].into_iter().chain(self.e.iter().copied())
    }
}

/// The decryption key of a vector `y`, which gives `⟨x, y⟩` of every ciphertext. The scalars are wiped when dropped.
pub struct FunctionKeyOver<G: DdhGroup> {
    y: Vec<i64>,
    s: G::Scalar,
    t: G::Scalar,
}

impl<G: DdhGroup> FunctionKeyOver<G> {
    /// The vector of the key.
    pub fn vector(&self) -> &[i64] {
        &self.y
    }

    /// Computes `⟨x, y⟩·g`. The device computes one sum with a term for each entry, in time that depends on `y` and on the ciphertext;
    /// products with the key's scalars are computed on the host in constant time.
    ///
    /// # Errors
    /// When the dimensions differ, or the device fails.
    pub fn decrypt_point(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &CiphertextOver<G>,
    ) -> Result<G::Point, FeError> {
        on.phase("fe decrypt");
        same("a ciphertext", ciphertext.dimension(), self.y.len())?;
        let sum = G::weighted_sum_vartime(on, &ciphertext.e, &self.y)?;
        let terms = Terms::<G>([[(ciphertext.c, self.s), (ciphertext.d, self.t)]].to_vec());
        let mask = G::sums(&terms.0);
        Ok(mask.first().map_or(sum, |mask| G::difference(&sum, mask)))
    }

    /// Computes `⟨x, y⟩`, if it is from `-bound` to `bound`, with a table of logarithms to the generator. The time of the search depends
    /// on the result.
    ///
    /// # Errors
    /// When the dimensions differ, the table is for another base, the result is outside of the range, or the device fails.
    pub fn decrypt(
        &self,
        on: &mut Session<'_, Bls12_381>,
        ciphertext: &CiphertextOver<G>,
        table: &Table<G::Point>,
        bound: u64,
    ) -> Result<i64, FeError> {
        if *table.base() != G::generator() {
            return Err(FeError::Base);
        }
        let point = self.decrypt_point(on, ciphertext)?;
        on.host("fe logarithm", 1, || table.find_vartime(&point, bound))
    }
}

impl<G: DdhGroup> Drop for FunctionKeyOver<G> {
    fn drop(&mut self) {
        self.s.zeroize();
        self.t.zeroize();
    }
}

/// Prints the vector and nothing of the key.
impl<G: DdhGroup> fmt::Debug for FunctionKeyOver<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FunctionKey({:?}, ..)", self.y)
    }
}
