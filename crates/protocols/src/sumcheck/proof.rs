//! The type of sumcheck proofs and its encoding.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::{FieldError, PrimeField};
use thiserror::Error;

/// The round polynomials of a sumcheck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumcheckProof<F> {
    /// One polynomial per round, as its `d` values at 0, 2, 3, …, d. The claimed sum is not part of the proof.
    pub rounds: Vec<Vec<F>>,
}

/// Why bytes are refused as a proof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BytesError {
    /// The number of bytes is not the one that the statement determines.
    #[error("{found} bytes, a proof of this statement has {expected}")]
    Length {
        /// Number of bytes of a proof of this shape.
        expected: usize,
        /// Number of bytes that were given.
        found: usize,
    },
    /// The shape of the statement has no proof: its size overflows, or a round has no values.
    #[error("no proof has {variables} rounds of {values} values")]
    Shape {
        /// Number of rounds of the statement.
        variables: usize,
        /// Number of values per round.
        values: usize,
    },
    /// An element is not in its canonical form.
    #[error("element {index}: {why}")]
    Element {
        /// Index of the element from the beginning of the proof, which holds `degree` values per round.
        index: usize,
        /// The reason for which the element is refused.
        why: FieldError,
    },
}

impl<F: PrimeField> SumcheckProof<F> {
    /// The values round by round, canonical and little-endian, without a length: the statement determines how many there are.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.rounds.iter().for_each(|round| write_scalars(round, &mut out));
        out
    }

    /// Reads a proof for `variables` rounds of `degree` values. The encoding of a proof is unique.
    ///
    /// # Errors
    /// When the degree is zero, the length is not that of the shape, or an element is not below the modulus.
    pub fn from_bytes(bytes: &[u8], variables: usize, degree: usize) -> Result<Self, BytesError> {
        let shape = BytesError::Shape { variables, values: degree };
        if degree == 0 {
            return Err(shape);
        }
        let scalars = read_scalars(bytes, variables.checked_mul(degree).ok_or(shape)?)?;
        Ok(Self { rounds: scalars.chunks_exact(degree).map(<[F]>::to_vec).collect() })
    }
}

/// Appends the canonical values of scalars, little-endian, `F::BYTES` each.
pub(crate) fn write_scalars<F: PrimeField>(scalars: &[F], out: &mut Vec<u8>) {
    for scalar in scalars {
        let mut bytes = vec![0; F::BYTES];
        scalar.write_le(&mut bytes);
        out.append(&mut bytes);
    }
}

/// Reads exactly `count` elements; the error is a wrong length or an element that is not below the modulus.
pub(crate) fn read_scalars<F: PrimeField>(bytes: &[u8], count: usize) -> Result<Vec<F>, BytesError> {
    let expected = count.checked_mul(F::BYTES).ok_or(BytesError::Shape { variables: count, values: 1 })?;
    if bytes.len() != expected {
        return Err(BytesError::Length { expected, found: bytes.len() });
    }
    let element = |(index, bytes)| F::read_le(bytes).map_err(|why| BytesError::Element { index, why });
    bytes.chunks_exact(F::BYTES).enumerate().map(element).collect()
}
