//! Proofs and verifying keys as bytes: points in the encoding of their curve ([`Canonical`]), one after another.
//!
//! A proof is π_A, π_B, π_C. A key is α, β, γ, δ, the number of elements of IC in eight bytes (little-endian), and the elements
//! of IC. arkworks' `CanonicalSerialize` writes the same bytes for its types of the same names.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{BadPoint, Element, InSubgroup, Proof, VerifyingKey};
use alloc::vec::Vec;
use pairwright_curve::encoding::{Canonical, Form};
use pairwright_curve::{Affine, Pairing, PointEncoding, PointError};
use thiserror::Error;

/// Why bytes are refused as a proof or a verifying key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BytesError {
    /// There are too few bytes, or too many.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Number of bytes that the encoding needs.
        expected: u64,
        /// Number of bytes that were given.
        found: usize,
    },
    /// A point is not encoded correctly, or not on its curve.
    #[error("{element}: {why}")]
    Point {
        /// The element of the proof or of the key.
        element: Element,
        /// The reason for which the point is refused.
        why: PointError,
    },
    /// A point is not in its subgroup, or it is infinity where that is not allowed.
    #[error(transparent)]
    BadPoint(#[from] BadPoint),
}

/// A pairing whose two groups have a canonical encoding ([`Canonical`]).
pub trait Encoded: Pairing<G1: Canonical, G2: Canonical> {}
impl<E: Pairing<G1: Canonical, G2: Canonical>> Encoded for E {}

/// The unread bytes, and the form of the points in them.
struct PointReader<'a> {
    rest: &'a [u8],
    form: Form,
}

impl PointReader<'_> {
    /// Reads the next point, which is checked to be on its curve but not yet to be in its subgroup.
    fn point<C: Canonical>(&mut self, element: Element) -> Result<Affine<C>, BytesError> {
        let size = Affine::<C>::encoded_len(self.form);
        let (bytes, rest) = self.rest.split_at_checked(size).unwrap_or((self.rest, &[]));
        self.rest = rest;
        let point = match self.form {
            Form::Compressed => C::Compressed::read_unchecked_subgroup(bytes),
            Form::Uncompressed => C::Uncompressed::read_unchecked_subgroup(bytes),
        };
        point.map_err(|why| BytesError::Point { element, why })
    }
}

impl<E: Encoded> Proof<E> {
    /// The points π_A, π_B, π_C, one after another.
    pub fn to_bytes(&self, form: Form) -> Vec<u8> {
        [self.a.to_bytes(form), self.b.to_bytes(form), self.c.to_bytes(form)].concat()
    }

    /// Reads a proof whose points are on their curves and in their subgroups. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of such a proof, which is unique.
    pub fn from_bytes(bytes: &[u8], form: Form) -> Result<InSubgroup<Self>, BytesError> {
        let (g1, g2) = (Affine::<E::G1>::encoded_len(form), Affine::<E::G2>::encoded_len(form));
        check_length(bytes, (2 * g1 + g2) as u64)?;
        let mut reader = PointReader { rest: bytes, form };
        let proof =
            Self { a: reader.point(Element::A)?, b: reader.point(Element::B)?, c: reader.point(Element::C)? };
        Ok(proof.check()?)
    }
}

impl<E: Encoded> VerifyingKey<E> {
    /// The points α, β, γ, δ, the number of elements of IC, and these elements.
    pub fn to_bytes(&self, form: Form) -> Vec<u8> {
        let mut out = self.alpha_g1.to_bytes(form);
        for p in [&self.beta_g2, &self.gamma_g2, &self.delta_g2] {
            out.extend(p.to_bytes(form));
        }
        out.extend((self.ic.len() as u64).to_le_bytes());
        self.ic.iter().for_each(|p| out.extend(p.to_bytes(form)));
        out
    }

    /// Reads a key whose points are on their curves and in their subgroups, with α, β, γ, δ not infinity. It is not checked
    /// whether the key is safe: see [`VerifyingKey::weaknesses`]. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the encoding of such a key, which is unique.
    pub fn from_bytes(bytes: &[u8], form: Form) -> Result<InSubgroup<Self>, BytesError> {
        let (g1, g2) = (Affine::<E::G1>::encoded_len(form), Affine::<E::G2>::encoded_len(form));
        let head = g1 + 3 * g2;
        let too_short = BytesError::Length { expected: head as u64 + 8, found: bytes.len() };
        let count = bytes.get(head..).and_then(|rest| rest.first_chunk::<8>()).ok_or(too_short)?;
        let count = u64::from_le_bytes(*count);
        // The count is compared with the length before it is used for allocation.
        check_length(bytes, (head as u64 + 8).saturating_add(count.saturating_mul(g1 as u64)))?;
        let mut reader = PointReader { rest: bytes, form };
        let alpha_g1 = reader.point(Element::Alpha)?;
        let beta_g2 = reader.point(Element::Beta)?;
        let gamma_g2 = reader.point(Element::Gamma)?;
        let delta_g2 = reader.point(Element::Delta)?;
        reader.rest = reader.rest.get(8..).unwrap_or_default();
        let points = bytes.len().saturating_sub(head + 8) / g1;
        let ic = (0..points).map(|i| reader.point(Element::Ic(i))).collect::<Result<_, _>>()?;
        Ok(Self { alpha_g1, beta_g2, gamma_g2, delta_g2, ic }.check()?)
    }
}

fn check_length(bytes: &[u8], expected: u64) -> Result<(), BytesError> {
    if bytes.len() as u64 == expected {
        Ok(())
    } else {
        Err(BytesError::Length { expected, found: bytes.len() })
    }
}
