//! Batch inversion by Montgomery's trick: `n` inverses for one inversion and `3n` products.

use crate::Field;
use alloc::vec::Vec;

/// Replaces every non-zero element by its inverse and leaves zeros as they are; takes one inversion in all and three products
/// per element. Time depends on which elements are zero.
#[inline(never)]
pub fn batch_invert<F: Field>(values: &mut [F]) {
    let mut scratch = Vec::with_capacity(values.len());
    batch_invert_with(values, &mut scratch);
}

/// As [`batch_invert`], with a scratch vector that is cleared first and can be kept between calls.
#[inline(never)]
pub fn batch_invert_with<F: Field>(values: &mut [F], scratch: &mut Vec<F>) {
    scratch.clear();
    let mut acc = F::ONE;
    for v in values.iter() {
        scratch.push(acc);
        if !v.is_zero() {
            acc *= *v;
        }
    }
    // A product of non-zero elements is non-zero.
    let Some(mut inv) = acc.invert() else { return };
    for (v, prefix) in values.iter_mut().zip(scratch.iter()).rev() {
        if !v.is_zero() {
            let next = inv * *v;
            *v = inv * *prefix;
            inv = next;
        }
    }
}
