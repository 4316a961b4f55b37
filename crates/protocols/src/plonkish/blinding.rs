//! Blinds polynomials by adding random multiples of the domain's vanishing polynomial.

use alloc::vec::Vec;
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, ask_for_large_pages};
use rayon::prelude::*;

/// Number of coefficients of a blinded polynomial beyond the number `n` of the domain's points.
pub(crate) const EXTRA_COEFFICIENTS: usize = 6;

/// `p + (Σ b_i·X^i)·(X^n - 1)` for a polynomial of `n` coefficients, padded to `n + EXTRA_COEFFICIENTS` coefficients.
pub(crate) fn blinded<F: PrimeField>(p: Buf<F>, b: &[F]) -> Buf<F> {
    let mut p = extended(p, b);
    p.iter_mut().zip(b).for_each(|(low, b)| *low -= *b);
    p
}

/// A polynomial of `n` coefficients followed by the coefficients `high` and by zeros, `n + EXTRA_COEFFICIENTS` in all.
pub(crate) fn extended<F: PrimeField>(p: Buf<F>, high: &[F]) -> Buf<F> {
    let mut extended = copied(&p);
    let room = p.len() + EXTRA_COEFFICIENTS;
    drop(p);
    extended.extend_from_slice(high);
    extended.resize(room, F::ZERO);
    extended.into()
}

/// Number of coefficients that one task copies.
const TASK: usize = 1 << 12;

/// A copy of coefficients, made by all threads, with capacity for [`EXTRA_COEFFICIENTS`] more.
pub(crate) fn copied<F: PrimeField>(p: &[F]) -> Vec<F> {
    let mut copy = Vec::with_capacity(p.len() + EXTRA_COEFFICIENTS);
    ask_for_large_pages(copy.spare_capacity_mut());
    p.par_iter().with_min_len(TASK).copied().collect_into_vec(&mut copy);
    copy
}
