//! Target group elements as bytes.

use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::{Extension, FieldError, PrimeField};

/// The coefficients big-endian, highest first at every level of the tower: the form that kyber, kilic and drand's
/// timelock encryption hash (for BLS12-381 12 × 48 bytes).
pub fn gt_to_bytes_be<F: Extension>(f: &F) -> Vec<u8> {
    let size = F::Prime::BYTES;
    let mut out = vec![0; size * F::DEGREE];
    for (i, chunk) in out.chunks_exact_mut(size).enumerate() {
        f.coord(F::DEGREE - 1 - i).write_be(chunk);
    }
    out
}

/// Reads what [`gt_to_bytes_be`] writes: an element of the field, refusing other lengths and coefficients not below
/// the modulus. That it lies in the target group is not checked.
pub fn gt_from_bytes_be<F: Extension>(bytes: &[u8]) -> Result<F, FieldError> {
    let size = F::Prime::BYTES;
    if bytes.len() != size * F::DEGREE {
        return Err(FieldError::Length { expected: size * F::DEGREE, found: bytes.len() });
    }
    F::try_from_fn(|i| {
        let end = bytes.len() - i * size;
        F::Prime::read_be(&bytes[end - size..end])
    })
}
