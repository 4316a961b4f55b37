//! The keys of a system: the public key for encryption, and the master key from which the authority derives attribute keys.

use super::AbeError;
use super::algebra::{Matrix, random_scalar};
use super::bytes::{AbeReader, put_part, put_points, put_scalars, put_targets};
use super::oracle::Points;
use super::sums::{Sums, matrix};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::Session;
use pairwright_field::Field;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Number of bytes of the key of the pseudorandom function from names to scalars.
pub(super) const PRF: usize = 16;

/// The public key of a system: `[B]₂`, `[W·B]₁` and `[Bᵗ·k]` in the target group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicKey {
    pub(super) b: [[Affine<G2>; 2]; 4],
    pub(super) wb: Points,
    pub(super) btk: [Fq12; 2],
}

/// The secret key of a system: whoever holds it derives the key of any attributes and decrypts everything. Wiped when
/// dropped.
#[derive(Clone)]
pub struct MasterKey {
    /// A matrix of the DLIN distribution.
    pub(super) a: Matrix<3, 2>,
    /// The product `Wᵗ·A`.
    pub(super) wt_a: Matrix<4, 2>,
    /// The first two columns of the inverse of `B̄ᵗ`.
    pub(super) b_star: Matrix<4, 2>,
    /// The last two columns of that inverse.
    pub(super) b_star_12: Matrix<4, 2>,
    pub(super) k: Matrix<4, 1>,
    /// The key of the pseudorandom function from names to scalars.
    pub(super) prf: Zeroizing<[u8; PRF]>,
}

/// Draws the keys of a new system (section 5 of the paper, with its random oracle and pseudorandom function).
///
/// # Errors
/// When the device fails; [`AbeError::Singular`] with probability about 2^-253.
pub fn setup(
    on: &mut Session<'_, Bls12_381>,
    rng: &mut dyn CryptoRng,
) -> Result<(PublicKey, MasterKey), AbeError> {
    on.phase("abe setup");
    let mut a = Matrix([[Fr::ZERO; 2]; 3]);
    a.0[0][0] = random_scalar(rng);
    a.0[1][1] = random_scalar(rng);
    a.0[2] = [Fr::ONE; 2];
    let b_bar = Matrix::<4, 4>::random(rng);
    let w = Matrix::<3, 4>::random(rng);
    let k = Matrix::<4, 1>::random(rng);
    let mut prf = Zeroizing::new([0; PRF]);
    rng.fill_bytes(prf.as_mut_slice());

    let b = b_bar.columns(0);
    let mut sums = Sums::with_room(8);
    b.entries().for_each(|scalar| sums.add([(G2::GENERATOR, scalar)]));
    let mut points = sums.compute(on)?.into_iter();
    let b_points = matrix(&mut points)?;
    let mut sums = Sums::with_room(6);
    w.times(&b).entries().for_each(|scalar| sums.add([(G1::GENERATOR, scalar)]));
    let mut points = sums.compute(on)?.into_iter();
    let wb = matrix(&mut points)?;
    let base = on.multi_pairing(&[(G1::GENERATOR, G2::GENERATOR)])?;
    let btk = b.transposed().times(&k).0.map(|[exponent]| {
        let exponent = Zeroizing::new(exponent);
        Bls12_381::gt_pow(&base, &exponent)
    });

    let inverse = b_bar.transposed().inverse()?;
    let (b_star, b_star_12) = (inverse.columns(0), inverse.columns(2));
    let wt_a = w.transposed().times(&a);
    Ok((PublicKey { b: b_points, wb, btk }, MasterKey { a, wt_a, b_star, b_star_12, k, prf }))
}

impl PublicKey {
    /// Number of bytes of an encoded public key.
    pub const BYTES: usize = 3282;
    /// The first bytes of every encoding: the length and the shape of its first matrix.
    const BEGIN: &'static [u8] = &[4, 6, 4, 0, 2, 0];

    /// Whether bytes have the length and the beginning of a public key.
    pub fn is_likely(bytes: &[u8]) -> bool {
        bytes.len() == Self::BYTES && bytes.starts_with(Self::BEGIN)
    }

    /// Reads the encoding of CIRCL. Points are checked to be in their subgroups, and elements of the target group to be in that group.
    /// Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of a public key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AbeError> {
        let mut reader = AbeReader::new("public key", bytes);
        let b = reader.points("B in G2")?;
        let wb = reader.points("W·B in G1")?;
        let btk = reader.targets("Bᵗ·k in the target group")?;
        reader.end("the end")?;
        Ok(Self { b, wb, btk })
    }

    /// The encoding of CIRCL.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(Self::BYTES);
        put_points(&mut out, &self.b);
        put_points(&mut out, &self.wb);
        put_targets(&mut out, &self.btk);
        out
    }
}

impl MasterKey {
    /// Number of bytes of an encoded master key.
    pub const BYTES: usize = 1136;
    /// The first bytes of every encoding: the length and the shape of its first matrix.
    const BEGIN: &'static [u8] = &[0xc4, 0, 3, 0, 2, 0];

    /// Whether bytes have the length and the beginning of a master key.
    pub fn is_likely(bytes: &[u8]) -> bool {
        bytes.len() == Self::BYTES && bytes.starts_with(Self::BEGIN)
    }

    /// Reads the encoding of CIRCL.
    ///
    /// # Errors
    /// When the bytes are not the encoding of a master key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AbeError> {
        let mut reader = AbeReader::new("master key", bytes);
        let a = reader.scalars("A")?;
        let wt_a = reader.scalars("Wᵗ·A")?;
        let b_star = reader.scalars("B*")?;
        let b_star_12 = reader.scalars("B* of the last columns")?;
        let k = reader.scalars("k")?;
        let prf = Zeroizing::new(reader.exactly("secret of the names")?);
        reader.end("the end")?;
        Ok(Self { a, wt_a, b_star, b_star_12, k, prf })
    }

    /// The encoding of CIRCL, which is secret.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        // The capacity is reserved for the whole key, because a vector that grows leaves copies of its contents behind.
        let mut out = Zeroizing::new(Vec::with_capacity(Self::BYTES));
        put_scalars(&mut out, &self.a);
        put_scalars(&mut out, &self.wt_a);
        put_scalars(&mut out, &self.b_star);
        put_scalars(&mut out, &self.b_star_12);
        put_scalars(&mut out, &self.k);
        put_part(&mut out, self.prf.as_slice());
        out
    }
}

/// Prints the type's name and nothing of the key.
impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}
