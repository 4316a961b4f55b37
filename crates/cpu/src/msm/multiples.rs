//! One base, many scalars: a table of the base's multiples for every window, then batched affine additions.

use super::batch::Batch;
use super::scalars::{Scalars, windows};
use pairwright_curve::batch_to_affine;
use pairwright_curve::{Affine, Curve};
use rayon::prelude::*;

/// Scalars of one task, which share inversions.
const CHUNK: usize = 1 << 10;
/// Largest window: at most 2^12 points a window in the table.
const MAX_BITS: usize = 13;

/// `scalars[i]·base`, and the number of point additions. Temporary memory: 33 bytes a scalar, and a table of at
/// most `20·2^12` points.
pub(super) fn multiples<C: Curve>(base: &Affine<C>, scalars: &[C::Scalar]) -> (Vec<Affine<C>>, u64) {
    let mut scalars = Scalars::new(scalars);
    let n = scalars.len();
    if scalars.bits == 0 || base.is_infinity() {
        return (vec![Affine::INFINITY; n], 0);
    }
    let bits = scalars.bits;
    let work = |c: usize| windows(bits, c) * (n + (1 << (c - 1)));
    let c = (2..=MAX_BITS).min_by_key(|c| work(*c)).unwrap_or(2);
    let count = windows(bits, c);
    scalars.bias(c);
    let table = table(base, c, count);
    let mut out = vec![Affine::INFINITY; n];
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(k, out)| {
        let mut batch = Batch::new();
        let (mut codes, mut terms) = (vec![0; out.len()], vec![Affine::INFINITY; out.len()]);
        for (w, multiples) in table.chunks_exact(1 << (c - 1)).enumerate() {
            scalars.digits(w, c, k * CHUNK, &mut codes);
            for (term, code) in terms.iter_mut().zip(&codes) {
                *term = match (*code >> 1, code & 1) {
                    (0, _) => Affine::INFINITY,
                    (b, 0) => multiples[b as usize - 1],
                    (b, _) => -multiples[b as usize - 1],
                };
            }
            batch.add_assign(out, &terms);
        }
    });
    (out, work(c) as u64)
}

/// `table[w·2^(c-1) + k - 1] = k·2^(cw)·base`.
fn table<C: Curve>(base: &Affine<C>, c: usize, count: usize) -> Vec<Affine<C>> {
    let per_window = 1usize << (c - 1);
    let mut firsts = Vec::with_capacity(count);
    let mut power = base.to_jacobian();
    for _ in 0..count {
        firsts.push(power);
        power = (0..c).fold(power, |p, _| p.double());
    }
    let firsts = batch_to_affine(&firsts);
    let mut table = vec![Affine::INFINITY; per_window * count];
    table.par_chunks_mut(per_window).zip(&firsts).for_each(|(row, first)| {
        let mut batch = Batch::new();
        row[0] = *first;
        let mut known = 1;
        while known < per_window {
            // (known + i)·P = known·P + i·P for i = 1 ..= known.
            let (low, high) = row.split_at_mut(known);
            high[..known].fill(low[known - 1]);
            batch.add_assign(&mut high[..known], low);
            known *= 2;
        }
    });
    table
}
