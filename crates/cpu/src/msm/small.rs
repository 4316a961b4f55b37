//! A few points: interleaved signed windows with shared doublings (Straus).

use super::rows::Bases;
use super::scalars::{ScalarPart, windows};
use pairwright_curve::{Curve, Jacobian, batch_to_affine};

/// Window size: a table of eight multiples a point.
const BITS: usize = 4;
const TABLE: usize = 1 << (BITS - 1);

/// The sum, and the number of point additions.
pub(super) fn sum<C: Curve>(bases: Bases<'_, C>, scalars: ScalarPart<'_>) -> (Jacobian<C>, u64) {
    let n = scalars.len();
    let mut multiples = Vec::with_capacity(TABLE * n);
    for i in 0..n {
        let p = bases.load(i, false);
        let mut multiple = p.to_jacobian();
        for _ in 0..TABLE {
            multiples.push(multiple);
            multiple = multiple.add_mixed(&p);
        }
    }
    let table = batch_to_affine(&multiples);
    let (mut sum, mut adds) = (Jacobian::INFINITY, (TABLE * n) as u64);
    let mut codes = vec![0; n];
    for w in (0..windows(scalars.bits, BITS)).rev() {
        if !sum.is_infinity() {
            sum = (0..BITS).fold(sum, |s, _| s.double());
            adds += BITS as u64;
        }
        scalars.digits(w, BITS, 0, &mut codes);
        for (code, multiples) in codes.iter().zip(table.chunks_exact(TABLE)).filter(|(code, _)| **code != 0) {
            let p = multiples[(code >> 1) as usize - 1];
            sum = sum.add_mixed(&if code & 1 == 1 { -p } else { p });
            adds += 1;
        }
    }
    (sum, adds)
}
