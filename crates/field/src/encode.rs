//! Conversion of limbs to bytes and back, and the errors of decoding.

use thiserror::Error;

/// Reasons for which bytes or text are not the encoding of a field element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The encoding has the wrong number of bytes.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Bytes of a valid encoding.
        expected: usize,
        /// Number of bytes that were given.
        found: usize,
    },
    /// The value is not below the modulus.
    #[error("value is not below the modulus of {field}")]
    NotReduced {
        /// Name of the field, [`PrimeField::NAME`](crate::PrimeField::NAME).
        field: &'static str,
    },
    /// A decimal string holds something other than digits, or nothing.
    #[error("not a decimal number (at character {at})")]
    NotDecimal {
        /// Index of the first offending character.
        at: usize,
    },
}

/// Writes limbs little-endian into exactly `8 N` bytes.
pub(crate) fn write_le(limbs: &[u64], out: &mut [u8]) {
    assert_eq!(out.len(), 8 * limbs.len(), "an encoding has a fixed length");
    for (chunk, limb) in out.chunks_exact_mut(8).zip(limbs) {
        chunk.copy_from_slice(&limb.to_le_bytes());
    }
}

/// Reads exactly `8 N` little-endian bytes.
pub(crate) fn read_le<const N: usize>(bytes: &[u8]) -> Result<[u64; N], FieldError> {
    if bytes.len() != 8 * N {
        return Err(FieldError::Length { expected: 8 * N, found: bytes.len() });
    }
    let mut out = [0u64; N];
    for (limb, chunk) in out.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *limb = u64::from_le_bytes(*chunk);
    }
    Ok(out)
}

/// Reads exactly `8 N` big-endian bytes.
pub(crate) fn read_be<const N: usize>(bytes: &[u8]) -> Result<[u64; N], FieldError> {
    let mut out = read_le(bytes)?;
    out.reverse();
    Ok(out.map(u64::swap_bytes))
}
