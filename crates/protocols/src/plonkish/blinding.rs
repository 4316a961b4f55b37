//! Polynomials with the random multiples of what vanishes on the domain that hide the witness.

use pairwright_field::PrimeField;
use pairwright_poly::Buf;

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
    let mut p = p.into_vec();
    let room = p.len() + EXTRA_COEFFICIENTS;
    p.reserve_exact(EXTRA_COEFFICIENTS);
    p.extend_from_slice(high);
    p.resize(room, F::ZERO);
    p.into()
}
