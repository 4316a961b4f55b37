//! The polynomial that fflonk's C0 commits to, which combines the selector and the permutation polynomials.

use super::sources::ScalarSource;
use crate::FormatError;
use crate::container::widen;
use crate::sizes::chunks;
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use pairwright_poly::Source;

/// Number of coefficients of each polynomial that are compared at a time.
const CHUNK: usize = 1 << 12;

/// Compares the polynomial with those that it combines, chunk by chunk.
pub(super) fn check<F: PrimeField>(
    c0: &ScalarSource<F>,
    selectors: &[ScalarSource<F>; 5],
    sigmas: &[ScalarSource<F>; 3],
) -> Result<(), FormatError> {
    let parts = in_order(selectors, sigmas);
    let (mut together, mut one) = (Vec::new(), Vec::new());
    for range in chunks(c0.len() / 8, CHUNK) {
        together.clear();
        c0.decode(range.start.saturating_mul(8)..range.end.saturating_mul(8), &mut together)?;
        for (j, part) in parts.iter().enumerate() {
            one.clear();
            part.decode(range.clone(), &mut one)?;
            let found = together.iter().skip(j).step_by(8);
            if let Some(i) = found.zip(&one).position(|(x, y)| x != y) {
                let index = range.start.saturating_add(i).saturating_mul(8).saturating_add(j);
                let at = c0.section().place(index.saturating_mul(F::BYTES));
                return Err(FormatError::OtherC0 { at, index: widen(index) });
            }
        }
    }
    Ok(())
}

/// Arranges the selectors, given as qM, qL, qR, qO and qC, and the permutation polynomials in the order in which C0 commits to
/// them.
pub(in crate::zkey) fn in_order<'a, T>(
    [qm, ql, qr, qo, qc]: &'a [T; 5],
    [s1, s2, s3]: &'a [T; 3],
) -> [&'a T; 8] {
    [ql, qr, qo, qm, qc, s1, s2, s3]
}
