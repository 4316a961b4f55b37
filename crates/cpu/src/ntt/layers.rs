//! The butterfly networks. They recurse depth first and process two layers at a time, so that a transform larger than the caches
//! reads and writes memory once for every factor of four by which it exceeds them.

use super::tables::inverse_index;
use pairwright_device::parallel;
use pairwright_field::PrimeField;

/// Sub-transforms up to this size are computed layer by layer: 32 KiB of four-limb elements.
const LEAF: usize = 1 << 10;
/// Sub-transforms of at least this size are divided among threads.
const PARALLEL: usize = 1 << 12;
/// Number of butterflies in one parallel task.
const CHUNK: usize = 1 << 9;

/// The factors of a network with one factor per block.
#[derive(Clone, Copy)]
pub(super) enum Twiddles<'a, F> {
    /// The table `T` of the domain; the factor of the first block is one.
    Plain(&'a [F]),
    /// The table `S` of a coset; for inverse networks, that of the inverse shift.
    Coset(&'a [F]),
}

impl<F: PrimeField> Twiddles<'_, F> {
    /// The factor of block `i` at stage `m`.
    #[inline(always)]
    fn forward(&self, m: usize, i: usize) -> F {
        match self {
            Self::Plain(t) => t[i],
            Self::Coset(s) => s[m + i],
        }
    }
    /// The negated inverse of the factor of block `i` at stage `m`.
    #[inline(always)]
    fn negated_inverse(&self, m: usize, i: usize) -> F {
        match (self, i) {
            (Self::Plain(t), 0) => -t[0],
            (Self::Plain(t), _) => t[inverse_index(i)],
            (Self::Coset(s), 0) => -s[m],
            (Self::Coset(s), _) => s[m + inverse_index(i)],
        }
    }
    /// Whether block `i` has the factor one.
    #[inline(always)]
    fn is_one(&self, i: usize) -> bool {
        matches!(self, Self::Plain(_)) && i == 0
    }
}

/// Calls `work` on the four quarters of a block, in parallel pieces if the block is large.
#[inline(always)]
fn quarters<F: PrimeField>(x: &mut [F], work: impl Fn(usize, [&mut [F]; 4]) + Sync) {
    let q = x.len() / 4;
    let (x01, x23) = x.split_at_mut(2 * q);
    let ((x0, x1), (x2, x3)) = (x01.split_at_mut(q), x23.split_at_mut(q));
    if in_parallel(4 * q) {
        let [x0, x1, x2, x3] = [x0, x1, x2, x3].map(|x| x.chunks_mut(CHUNK));
        let pieces = x0.zip(x1).zip(x2).zip(x3);
        parallel::for_each(pieces, |k, (((a, b), c), d)| work(k * CHUNK, [a, b, c, d]));
    } else {
        work(0, [x0, x1, x2, x3]);
    }
}

fn in_parallel(len: usize) -> bool {
    len >= PARALLEL && rayon::current_num_threads() > 1
}

/// Runs `f` on the four quarters of `x`, in parallel if they are large.
fn recurse<F: PrimeField>(x: &mut [F], f: impl Fn(usize, &mut [F]) + Sync) {
    let q = x.len() / 4;
    if in_parallel(x.len()) {
        parallel::for_each(x.chunks_mut(q), f);
    } else {
        x.chunks_exact_mut(q).enumerate().for_each(|(k, part)| f(k, part));
    }
}

#[inline(always)]
fn each<F: PrimeField>([a, b, c, d]: [&mut [F]; 4], f: impl Fn([F; 4]) -> [F; 4]) {
    for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
        [*a, *b, *c, *d] = f([*a, *b, *c, *d]);
    }
}

// ---- natural order to bit-reversed order, one factor per block ----

/// Transforms from natural to bit-reversed order. With `INVERSE` the factors are inverted, so that on a plain domain values
/// become `N` times the coefficients.
pub(super) fn decimate<F: PrimeField, const INVERSE: bool>(x: &mut [F], tw: Twiddles<'_, F>) {
    if x.len() > 1 {
        decimate_block::<F, INVERSE>(x, 1, 0, tw);
    }
}

fn decimate_block<F: PrimeField, const INVERSE: bool>(x: &mut [F], m: usize, i: usize, tw: Twiddles<'_, F>) {
    if x.len() > LEAF {
        decimate4::<F, INVERSE>(x, m, i, tw);
        recurse(x, |k, part| decimate_block::<F, INVERSE>(part, 4 * m, 4 * i + k, tw));
        return;
    }
    let (mut len, mut blocks) = (x.len(), 1);
    while len >= 4 {
        for (b, block) in x.chunks_exact_mut(len).enumerate() {
            decimate4::<F, INVERSE>(block, m * blocks, i * blocks + b, tw);
        }
        len /= 4;
        blocks *= 4;
    }
    if len == 2 {
        for (b, pair) in x.chunks_exact_mut(2).enumerate() {
            let (m, i) = (m * blocks, i * blocks + b);
            let [low, high] = [pair[0], pair[1]];
            let t = if tw.is_one(i) { high } else { factor::<F, INVERSE>(tw, m, i) * high };
            let (sum, difference) = (low + t, low - t);
            (pair[0], pair[1]) = if INVERSE && !tw.is_one(i) { (difference, sum) } else { (sum, difference) };
        }
    }
}

/// The factor of a block; with `INVERSE` its negated inverse, for which the butterflies exchange sum and difference.
#[inline(always)]
fn factor<F: PrimeField, const INVERSE: bool>(tw: Twiddles<'_, F>, m: usize, i: usize) -> F {
    if INVERSE { tw.negated_inverse(m, i) } else { tw.forward(m, i) }
}

/// Two layers on block `i` of stage `m`.
#[inline(always)]
fn decimate4<F: PrimeField, const INVERSE: bool>(x: &mut [F], m: usize, i: usize, tw: Twiddles<'_, F>) {
    let c1 = factor::<F, INVERSE>(tw, 2 * m, 2 * i + 1);
    let butterfly = |a: F, t: F| if INVERSE { (a - t, a + t) } else { (a + t, a - t) };
    if tw.is_one(i) {
        quarters(x, |_, parts| {
            each(parts, |[x0, x1, x2, x3]| {
                let (a0, a2, a1, a3) = (x0 + x2, x0 - x2, x1 + x3, x1 - x3);
                let (y2, y3) = butterfly(a2, c1 * a3);
                [a0 + a1, a0 - a1, y2, y3]
            });
        });
    } else {
        let c = factor::<F, INVERSE>(tw, m, i);
        let c0 = factor::<F, INVERSE>(tw, 2 * m, 2 * i);
        quarters(x, |_, parts| {
            each(parts, |[x0, x1, x2, x3]| {
                let ((a0, a2), (a1, a3)) = (butterfly(x0, c * x2), butterfly(x1, c * x3));
                let ((y0, y1), (y2, y3)) = (butterfly(a0, c0 * a1), butterfly(a2, c1 * a3));
                [y0, y1, y2, y3]
            });
        });
    }
}

// ---- bit-reversed order to natural order, the exact inverse of the above ----

/// Bit-reversed values to coefficients in natural order, times `scale`; the factors are those of the forward
/// network (of the inverse shift for a coset).
pub(super) fn restore<F: PrimeField>(x: &mut [F], tw: Twiddles<'_, F>, scale: F) {
    match x.len() {
        0 | 1 => {}
        2 => {
            let (sum, difference) = (x[0] + x[1], x[1] - x[0]);
            (x[0], x[1]) = (scale * sum, scaled_factor(tw, scale) * difference);
        }
        n if n <= LEAF => {
            restore_leaf(x, 1, 0, tw, 4);
            restore4_last(x, tw, scale);
        }
        _ => {
            recurse(x, |k, part| restore_block(part, 4, k, tw));
            restore4_last(x, tw, scale);
        }
    }
}

/// The negated inverse of the only factor of stage one, times `scale`.
fn scaled_factor<F: PrimeField>(tw: Twiddles<'_, F>, scale: F) -> F {
    if tw.is_one(0) { -scale } else { tw.negated_inverse(1, 0) * scale }
}

fn restore_block<F: PrimeField>(x: &mut [F], m: usize, i: usize, tw: Twiddles<'_, F>) {
    if x.len() > LEAF {
        recurse(x, |k, part| restore_block(part, 4 * m, 4 * i + k, tw));
        restore4(x, m, i, tw);
    } else {
        restore_leaf(x, m, i, tw, 1);
    }
}

/// All layers of a small block down to `until` sub-blocks.
fn restore_leaf<F: PrimeField>(x: &mut [F], m: usize, i: usize, tw: Twiddles<'_, F>, until: usize) {
    let mut len = if x.len().ilog2() % 2 == 1 { 2 } else { 4 };
    if len == 2 {
        let blocks = x.len() / 2;
        for (b, pair) in x.chunks_exact_mut(2).enumerate() {
            let (m, i) = (m * blocks, i * blocks + b);
            let [low, high] = [pair[0], pair[1]];
            pair[0] = low + high;
            pair[1] = if tw.is_one(i) { low - high } else { tw.negated_inverse(m, i) * (high - low) };
        }
        len = 8;
    }
    while len * until <= x.len() {
        let blocks = x.len() / len;
        for (b, block) in x.chunks_exact_mut(len).enumerate() {
            restore4(block, m * blocks, i * blocks + b, tw);
        }
        len *= 4;
    }
}

/// Two layers on block `i` of stage `m`.
#[inline(always)]
fn restore4<F: PrimeField>(x: &mut [F], m: usize, i: usize, tw: Twiddles<'_, F>) {
    let c1 = tw.negated_inverse(2 * m, 2 * i + 1);
    if tw.is_one(i) {
        quarters(x, |_, parts| {
            each(parts, |[x0, x1, x2, x3]| {
                let (a0, a1, a2, a3) = (x0 + x1, x0 - x1, x2 + x3, c1 * (x3 - x2));
                [a0 + a2, a1 + a3, a0 - a2, a1 - a3]
            });
        });
    } else {
        let (c, c0) = (tw.negated_inverse(m, i), tw.negated_inverse(2 * m, 2 * i));
        quarters(x, |_, parts| {
            each(parts, |[x0, x1, x2, x3]| {
                let (a0, a1, a2, a3) = (x0 + x1, c0 * (x1 - x0), x2 + x3, c1 * (x3 - x2));
                [a0 + a2, a1 + a3, c * (a2 - a0), c * (a3 - a1)]
            });
        });
    }
}

/// The last two layers, with the scale merged into the last one.
fn restore4_last<F: PrimeField>(x: &mut [F], tw: Twiddles<'_, F>, scale: F) {
    let c1 = tw.negated_inverse(2, 1);
    let c = scaled_factor(tw, scale);
    if tw.is_one(0) {
        quarters(x, |_, parts| {
            each(parts, |[x0, x1, x2, x3]| {
                let (a0, a1, a2, a3) = (x0 + x1, x0 - x1, x2 + x3, c1 * (x3 - x2));
                [scale * (a0 + a2), scale * (a1 + a3), c * (a2 - a0), c * (a3 - a1)]
            });
        });
    } else {
        let c0 = tw.negated_inverse(2, 0);
        quarters(x, |_, parts| {
            each(parts, |[x0, x1, x2, x3]| {
                let (a0, a1, a2, a3) = (x0 + x1, c0 * (x1 - x0), x2 + x3, c1 * (x3 - x2));
                [scale * (a0 + a2), scale * (a1 + a3), c * (a2 - a0), c * (a3 - a1)]
            });
        });
    }
}

// ---- bit-reversed order to natural order with the coset merged: [CP] Algorithm 2 ----

/// Transforms coefficients in bit-reversed order to `scale` times the values on a coset in natural order; the factors are
/// `D[h + j] = g^(N/2h)·ω_2h^j`.
pub(super) fn merge<F: PrimeField>(x: &mut [F], factors: &[F], scale: F) {
    if x.len() > 1 {
        merge_block(x, factors, [scale, factors[1] * scale]);
    }
}

fn merge_block<F: PrimeField>(x: &mut [F], factors: &[F], first: [F; 2]) {
    if x.len() > LEAF {
        recurse(x, |_, part| merge_block(part, factors, first));
        merge4(x, factors);
        return;
    }
    // The first layer has one factor, into which the scale is merged.
    let [scale, scaled] = first;
    let mut len = if x.len().ilog2() % 2 == 1 { 2 } else { 4 };
    if len == 2 {
        for pair in x.chunks_exact_mut(2) {
            let (a, t) = (scale * pair[0], scaled * pair[1]);
            (pair[0], pair[1]) = (a + t, a - t);
        }
        len = 8;
    } else {
        for block in x.chunks_exact_mut(4) {
            let (a0, t0, a1, t1) = (scale * block[0], scaled * block[1], scale * block[2], scaled * block[3]);
            let (t2, t3) = (factors[2] * (a1 + t1), factors[3] * (a1 - t1));
            let (a0, a1) = (a0 + t0, a0 - t0);
            block.copy_from_slice(&[a0 + t2, a1 + t3, a0 - t2, a1 - t3]);
        }
        len = 16;
    }
    while len <= x.len() {
        x.chunks_exact_mut(len).for_each(|block| merge4(block, factors));
        len *= 4;
    }
}

/// The layers that join four sub-transforms.
fn merge4<F: PrimeField>(x: &mut [F], factors: &[F]) {
    let q = x.len() / 4;
    let (w1, w2, w3) = (&factors[q..2 * q], &factors[2 * q..3 * q], &factors[3 * q..4 * q]);
    quarters(x, |at, parts| merge_parts(parts, [&w1[at..], &w2[at..], &w3[at..]]));
}

/// The butterflies of [`merge4`]. They are not inlined: inlined into the loop of the small layers they were a third slower.
#[inline(never)]
fn merge_parts<F: PrimeField>([x0, x1, x2, x3]: [&mut [F]; 4], [w1, w2, w3]: [&[F]; 3]) {
    let w = w1.iter().zip(w2).zip(w3);
    for ((((x0, x1), x2), x3), ((w1, w2), w3)) in x0.iter_mut().zip(x1).zip(x2).zip(x3).zip(w) {
        let (t1, t3) = (*w1 * *x1, *w1 * *x3);
        let (a0, a1, a2, a3) = (*x0 + t1, *x0 - t1, *x2 + t3, *x2 - t3);
        let (t2, t3) = (*w2 * a2, *w3 * a3);
        (*x0, *x1, *x2, *x3) = (a0 + t2, a1 + t3, a0 - t2, a1 - t3);
    }
}
