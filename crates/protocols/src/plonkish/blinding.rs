//! Polynomials with the random multiples of what vanishes on the domain that hide the witness.

use alloc::vec::Vec;
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, ask_for_large_pages};
use rayon::prelude::*;

/// A polynomial has room for so many coefficients more than the domain has points.
pub(crate) const EXTRA_COEFFICIENTS: usize = 6;

/// `p + (Σ b_i·X^i)·(X^n - 1)` with room for all blinding, of a polynomial of `n` coefficients.
pub(crate) fn blinded<F: PrimeField>(p: Buf<F>, b: &[F]) -> Buf<F> {
    let mut p = extended(p, b);
    p.iter_mut().zip(b).for_each(|(low, b)| *low -= *b);
    p
}

/// A polynomial of `n` coefficients with more above them, and zeros up to the room for all blinding.
pub(crate) fn extended<F: PrimeField>(p: Buf<F>, high: &[F]) -> Buf<F> {
    let mut extended = copied(&p);
    let room = p.len() + EXTRA_COEFFICIENTS;
    drop(p);
    extended.extend_from_slice(high);
    extended.resize(room, F::ZERO);
    extended.into()
}

/// Coefficients that one task copies.
const TASK: usize = 1 << 12;

/// A copy with room for all blinding, which all threads write.
pub(crate) fn copied<F: PrimeField>(p: &[F]) -> Vec<F> {
    let mut copy = Vec::with_capacity(p.len() + EXTRA_COEFFICIENTS);
    ask_for_large_pages(copy.spare_capacity_mut());
    p.par_iter().with_min_len(TASK).copied().collect_into_vec(&mut copy);
    copy
}
