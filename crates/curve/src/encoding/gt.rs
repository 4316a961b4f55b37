//! The byte encoding of elements of the target field.

use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::{Extension, FieldError, PrimeField};

/// Encodes an element as its coefficients, big-endian, highest first at every level of the tower (for BLS12-381 12 × 48 bytes).
/// kyber, kilic and drand's timelock encryption hash this form.
pub fn gt_to_bytes_be<F: Extension>(f: &F) -> Vec<u8> {
    let size = F::Prime::BYTES;
    let mut out = vec![0; size * F::DEGREE];
    for (i, chunk) in out.chunks_exact_mut(size).enumerate() {
        f.coord(F::DEGREE - 1 - i).write_be(chunk);
    }
    out
}

/// Decodes the output of [`gt_to_bytes_be`]. Refuses other lengths and coefficients that are not below the modulus; does not
/// check that the element lies in the target group.
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
