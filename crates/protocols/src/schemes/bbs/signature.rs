//! Signatures: signing and encoding.

use super::proof::{read_point, read_scalars};
use super::{BbsError, Generators, SecretKey};
use alloc::vec::Vec;
use core::iter::once;
use pairwright_curve::bls12_381::{Fr, G1};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_curve::{Affine, Projective};
use pairwright_field::{Field, PrimeField};
use zeroize::{Zeroize, Zeroizing};

/// A signature `(A, e)`: a point of the subgroup that is not neutral, and a nonzero scalar. Whoever has it and the messages can make
/// proofs, so it has to be kept secret like a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub(super) a: Affine<G1>,
    pub(super) e: Fr,
}

impl Signature {
    /// Bytes of a signature: a compressed point and a scalar.
    pub const BYTES: usize = 80;

    /// Reads a signature of 80 bytes, `octets_to_signature` (§4.2.4.3). Variable time.
    ///
    /// # Errors
    /// When the length is wrong, the point is outside of the subgroup or neutral, or the scalar is zero or not below r.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BbsError> {
        if bytes.len() != Self::BYTES {
            return Err(BbsError::Length { what: "signature", found: bytes.len() });
        }
        let (point, scalar) = bytes.split_at(ZcashCompressed::len::<G1>());
        let a = read_point("A", point)?;
        match read_scalars(scalar)?.as_slice() {
            [e] => Ok(Self { a, e: *e }),
            _ => Err(BbsError::Length { what: "signature", found: bytes.len() }),
        }
    }

    /// `A`, compressed, then `e`, big-endian: 80 bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut e = [0; 32];
        self.e.write_be(&mut e);
        [ZcashCompressed::to_vec(&self.a).as_slice(), &e].concat()
    }
}

impl Zeroize for Signature {
    fn zeroize(&mut self) {
        self.a.zeroize();
        self.e.zeroize();
    }
}

impl SecretKey {
    /// Signs a header and messages (§3.5.1). Constant time but for the lengths. The signature is deterministic.
    ///
    /// # Errors
    /// When there are more messages than generators; and [`BbsError::Degenerate`], which does not happen in practice.
    pub fn sign(
        &self,
        generators: &Generators,
        header: &[u8],
        messages: &[&[u8]],
    ) -> Result<Signature, BbsError> {
        let suite = generators.suite();
        let domain = generators.domain(&self.public_key(), header, messages.len())?;
        let scalars = suite.messages_to_scalars(messages);
        let mut input = Zeroizing::new(Vec::with_capacity(32 * (scalars.len() + 2)));
        for scalar in once(&self.scalar).chain(scalars.iter()).chain(once(&domain)) {
            let mut bytes = Zeroizing::new([0; 32]);
            scalar.write_be(bytes.as_mut());
            input.extend_from_slice(bytes.as_ref());
        }
        let e = suite.scalar(&input, &suite.tag(b"H2S_"));
        let b = Zeroizing::new(commitment(generators, &domain, &scalars)?);
        let inverse = Zeroizing::new((self.scalar + e).invert().ok_or(BbsError::Degenerate)?);
        let a = b.mul(&inverse).to_affine();
        if a.is_infinity() || e.is_zero() { Err(BbsError::Degenerate) } else { Ok(Signature { a, e }) }
    }
}

/// Computes `B = P1 + domain·Q_1 + Σ msg_i·H_i`. Constant time.
pub(super) fn commitment(
    generators: &Generators,
    domain: &Fr,
    scalars: &[Fr],
) -> Result<Projective<G1>, BbsError> {
    let points = once(generators.q1()).chain(generators.first(scalars.len())?.iter().copied());
    let factors = once(domain).chain(scalars).copied();
    let terms = Zeroizing::new(Terms(points.map(Projective::from).zip(factors).collect()));
    Ok(Projective::from(generators.p1()) + Projective::mul_sum(&terms.0))
}

/// Points and the scalars that multiply them, as a value that can be wiped.
pub(super) struct Terms(pub(super) Vec<(Projective<G1>, Fr)>);

impl Zeroize for Terms {
    fn zeroize(&mut self) {
        for (point, scalar) in &mut self.0 {
            point.zeroize();
            scalar.zeroize();
        }
    }
}
