//! Transforms in lanes: a block of the data becomes digits, goes through up to twelve layers, and becomes limbs again.
//!
//! The networks are those of `ntt::layers`. A vector holds eight neighbours, so layers of butterflies eight or more
//! elements apart work on whole vectors; for the three layers within eight elements, eight vectors are transposed.
//! Blocks up to [`LEAF`] elements go through all their layers at once; of longer ones, columns of eight elements by
//! [`COLUMN`] rows take up to four layers a visit to memory.
//!
//! Values in lanes stay below `31/32 · 2^260`, at least 31q, which is what products take, and become canonical on the
//! way to memory. Where a butterfly multiplies before it adds, they grow by 2q a layer: to 26q after twelve. Where it
//! adds before it multiplies, sums would double, and are brought below 2q every other layer.

use super::digits::{
    Constants, DIGITS, Eight, LANES, LIMBS, below_twice, broadcast, canonical, even_odd, factor_digits, load,
    minus, minus4, reduced, store, sum, times, transpose, zero,
};
use super::{known, limbs_mut};
use core::arch::x86_64::*;
use pairwright_field::PrimeField;
use rayon::prelude::*;

/// Elements of a block that goes through all its layers in lanes, 160 KiB of digits: they stay in the second-level
/// cache.
const LEAF: usize = 1 << 12;
/// The shortest transform done here: one square of eight vectors.
const SHORTEST: usize = LANES * LANES;
/// Rows of a column, at most.
const COLUMN: usize = 16;
/// Columns of eight elements in one task.
const TASK: usize = 32;
/// Blocks from this size on are divided among threads.
const PARALLEL: usize = 1 << 12;

/// Twiddle factors `w 2^260 mod q` as digits, eight neighbours side by side.
pub(crate) struct Factors {
    blocks: Vec<[[u64; LANES]; DIGITS]>,
    coset: bool,
}

impl Factors {
    /// `len` factors, `factor(j)` in place `j`: that of block `i` at stage `m` in place `i`, or in place `m + i` if
    /// every stage has factors of its own (on a coset). `None` if the field or the processor has no lanes, or the
    /// transform is too short for them.
    pub(crate) fn new<F: PrimeField>(
        len: usize,
        coset: bool,
        factor: impl Fn(usize) -> F + Sync,
    ) -> Option<Self> {
        if !known::<F>() || len < if coset { SHORTEST } else { SHORTEST / 2 } {
            return None;
        }
        let mut blocks = vec![[[0; LANES]; DIGITS]; len / LANES];
        blocks.par_iter_mut().with_min_len(TASK).enumerate().for_each(|(at, block)| {
            for lane in 0..LANES {
                let digits = factor_digits(factor(at * LANES + lane));
                digits.into_iter().enumerate().for_each(|(k, digit)| block[k][lane] = digit);
            }
        });
        Some(Self { blocks, coset })
    }

    /// Returns the index of the factor of block `i` at stage `m`.
    fn at(&self, m: usize, i: usize) -> usize {
        if self.coset { m + i } else { i }
    }

    /// The factor of block `i` at stage `m`, in every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn one(&self, m: usize, i: usize) -> Eight {
        self.single(self.at(m, i))
    }

    /// The factor in place `at`, in every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn single(&self, at: usize) -> Eight {
        let block = &self.blocks[at / LANES];
        let mut digits = [0; DIGITS];
        for k in 0..DIGITS {
            digits[k] = block[k][at % LANES];
        }
        broadcast(&digits)
    }

    /// The eight factors from `at` on, a multiple of eight.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn eight(&self, at: usize) -> Eight {
        let block = &self.blocks[at / LANES];
        let mut x = zero();
        for k in 0..DIGITS {
            // SAFETY: the eight numbers are the 64 bytes of a vector; the load needs no alignment.
            x[k] = unsafe { _mm512_loadu_si512(block[k].as_ptr().cast()) };
        }
        x
    }
}

// ---- natural order to bit-reversed order, one factor a block ----

/// All layers of a transform from natural to bit-reversed order with one factor a block, as `ntt::layers::decimate`,
/// on a domain that the factors belong to.
pub(crate) fn decimate<F: PrimeField>(x: &mut [F], factors: &Factors) {
    let Some(x) = limbs_mut(x) else { return };
    // SAFETY: `limbs_mut` gives a slice only where the processor has the features.
    let k = unsafe { Constants::new::<F>() };
    decimate_block(x, 1, 0, factors, &k);
}

fn in_parallel(len: usize) -> bool {
    len > PARALLEL && rayon::current_num_threads() > 1
}

fn decimate_block(x: &mut [[u64; LIMBS]], m: usize, i: usize, factors: &Factors, k: &Constants) {
    if x.len() <= LEAF {
        // SAFETY: constants exist only where the processor has the features.
        unsafe { decimate_leaf(x, m, i, factors, k) };
        return;
    }
    let rows = rows_above(x.len());
    // SAFETY: as above.
    columns(x, rows, |_, buffer| unsafe { layers(buffer, m, i, factors, k) }, k);
    parts(x, rows, |b, part| decimate_block(part, m * rows, i * rows + b, factors, k));
}

/// How many rows the columns of a long block have: as many layers at a time as divide those above the leaves evenly.
fn rows_above(len: usize) -> usize {
    let above = (len / LEAF).ilog2();
    1 << above.div_ceil(above.div_ceil(COLUMN.ilog2()))
}

/// Runs `work` on equal parts of a block, in parallel if it is large.
fn parts(x: &mut [[u64; LIMBS]], count: usize, work: impl Fn(usize, &mut [[u64; LIMBS]]) + Sync) {
    let (len, part) = (x.len(), x.len() / count);
    if in_parallel(len) {
        x.par_chunks_exact_mut(part).enumerate().for_each(|(b, part)| work(b, part));
    } else {
        x.chunks_exact_mut(part).enumerate().for_each(|(b, part)| work(b, part));
    }
}

/// Reads columns of `rows` rows of eight elements, hands each with its place to `work`, and writes it back.
fn columns(x: &mut [[u64; LIMBS]], rows: usize, work: impl Fn(usize, &mut [Eight]) + Sync, k: &Constants) {
    let (len, part) = (x.len(), x.len() / rows);
    let width = TASK * LANES;
    let mut tasks: Vec<Vec<&mut [[u64; LIMBS]]>> =
        (0..part.div_ceil(width)).map(|_| Vec::with_capacity(rows)).collect();
    for row in x.chunks_exact_mut(part) {
        row.chunks_mut(width).zip(&mut tasks).for_each(|(piece, task)| task.push(piece));
    }
    let task = |(at, mut rows): (usize, Vec<&mut [[u64; LIMBS]]>)| {
        // SAFETY: constants exist only where the processor has the features.
        unsafe { column_task(at * width, &mut rows, &work, k) }
    };
    if in_parallel(len) {
        tasks.into_par_iter().enumerate().for_each(task);
    } else {
        tasks.into_iter().enumerate().for_each(task);
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn column_task(
    at: usize,
    rows: &mut [&mut [[u64; LIMBS]]],
    work: &(impl Fn(usize, &mut [Eight]) + Sync),
    k: &Constants,
) {
    let mut buffer = [zero(); COLUMN];
    for c in 0..rows[0].len() / LANES {
        for (v, row) in buffer.iter_mut().zip(rows.iter()) {
            *v = load::<0>(&row.as_chunks().0[c]);
        }
        work(at + c * LANES, &mut buffer[..rows.len()]);
        for (v, row) in buffer.iter().zip(rows.iter_mut()) {
            store(&mut row.as_chunks_mut().0[c], &canonical(v, k));
        }
    }
}

/// A block of at most [`LEAF`] elements in lanes: reads it, hands its vectors to `work`, and writes them back.
#[target_feature(enable = "avx512f,avx512ifma")]
fn leaf(x: &mut [[u64; LIMBS]], work: impl Fn(&mut [Eight]), k: &Constants) {
    let mut buffer = [zero(); LEAF / LANES];
    let (x, _) = x.as_chunks_mut::<LANES>();
    let buffer = &mut buffer[..x.len()];
    for (v, x) in buffer.iter_mut().zip(x.iter()) {
        *v = load::<0>(x);
    }
    work(buffer);
    for (v, x) in buffer.iter().zip(x.iter_mut()) {
        store(x, &canonical(v, k));
    }
}

/// Squares of eight vectors, transposed for `work`, so that an element's neighbours lie in the same lane.
#[target_feature(enable = "avx512f,avx512ifma")]
fn squares(x: &mut [Eight], work: impl Fn(usize, &mut [Eight; LANES])) {
    let (squares, _) = x.as_chunks_mut::<LANES>();
    for (g, square) in squares.iter_mut().enumerate() {
        transpose(square);
        work(g * LANES, square);
        transpose(square);
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn decimate_leaf(x: &mut [[u64; LIMBS]], m: usize, i: usize, factors: &Factors, k: &Constants) {
    let vectors = x.len() / LANES;
    leaf(
        x,
        |x| {
            layers(x, m, i, factors, k);
            squares(x, |v, square| within(square, m * vectors, i * vectors + v, factors, k));
        },
        k,
    );
}

/// `a + w b` and `a - w b + 2q`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn butterfly(a: &Eight, b: &Eight, w: &Eight, k: &Constants) -> (Eight, Eight) {
    let t = times(b, w, k);
    (sum(a, &t), minus(a, &t, k))
}

/// The layers between vectors of block `i` of stage `m`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn layers(x: &mut [Eight], m: usize, i: usize, factors: &Factors, k: &Constants) {
    let (mut len, mut blocks) = (x.len(), 1);
    while len >= 4 {
        for b in 0..blocks {
            let (m, i) = (m * blocks, i * blocks + b);
            let w = factors.one(m, i);
            let w0 = factors.one(2 * m, 2 * i);
            let w1 = factors.one(2 * m, 2 * i + 1);
            let q = len / 4;
            let block = &mut x[b * len..][..len];
            for j in 0..q {
                let (a0, a2) = butterfly(&block[j], &block[j + 2 * q], &w, k);
                let (a1, a3) = butterfly(&block[j + q], &block[j + 3 * q], &w, k);
                (block[j], block[j + q]) = butterfly(&a0, &a1, &w0, k);
                (block[j + 2 * q], block[j + 3 * q]) = butterfly(&a2, &a3, &w1, k);
            }
        }
        len /= 4;
        blocks *= 4;
    }
    if len == 2 {
        for b in 0..blocks {
            let w = factors.one(m * blocks, i * blocks + b);
            (x[2 * b], x[2 * b + 1]) = butterfly(&x[2 * b], &x[2 * b + 1], &w, k);
        }
    }
}

/// The factors of the blocks `i` to `i + 7` of stage `m`, of the two parts of each at the next stage and of the four
/// parts at the one after, block by lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn lane_factors(m: usize, i: usize, factors: &Factors) -> ([Eight; 1], [Eight; 2], [Eight; 4]) {
    let w = factors.eight(factors.at(m, i));
    let at = factors.at(2 * m, 2 * i);
    let (v0, v1) = even_odd(&factors.eight(at), &factors.eight(at + LANES));
    let at = factors.at(4 * m, 4 * i);
    let (e0, o0) = even_odd(&factors.eight(at), &factors.eight(at + LANES));
    let (e1, o1) = even_odd(&factors.eight(at + 2 * LANES), &factors.eight(at + 3 * LANES));
    let ((u0, u2), (u1, u3)) = (even_odd(&e0, &e1), even_odd(&o0, &o1));
    ([w], [v0, v1], [u0, u1, u2, u3])
}

/// The last three layers of the blocks `i` to `i + 7` of stage `m`, one in each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn within(x: &mut [Eight; LANES], m: usize, i: usize, factors: &Factors, k: &Constants) {
    let ([w], [v0, v1], u) = lane_factors(m, i, factors);
    for j in 0..4 {
        (x[j], x[j + 4]) = butterfly(&x[j], &x[j + 4], &w, k);
    }
    for j in 0..2 {
        (x[j], x[j + 2]) = butterfly(&x[j], &x[j + 2], &v0, k);
        (x[j + 4], x[j + 6]) = butterfly(&x[j + 4], &x[j + 6], &v1, k);
    }
    for j in 0..4 {
        (x[2 * j], x[2 * j + 1]) = butterfly(&x[2 * j], &x[2 * j + 1], &u[j], k);
    }
}

// ---- bit-reversed order to natural order, the inverse of the above ----

/// Bit-reversed values to coefficients in natural order times `scale`, as `ntt::layers::restore`; the factors are the
/// inverses of the forward network's.
pub(crate) fn restore<F: PrimeField>(x: &mut [F], factors: &Factors, scale: F) {
    let Some(x) = limbs_mut(x) else { return };
    // SAFETY: `limbs_mut` gives a slice only where the processor has the features.
    let (k, last) = unsafe {
        let k = Constants::new::<F>();
        (k, last_factors(&broadcast(&factor_digits(scale)), factors, &k))
    };
    restore_block(x, 1, 0, factors, Some(&last), &k);
}

/// What the very last layer multiplies with: sums by the scale, differences by the scale and their factor.
#[target_feature(enable = "avx512f,avx512ifma")]
fn last_factors(scale: &Eight, factors: &Factors, k: &Constants) -> [Eight; 2] {
    [*scale, reduced(&times(scale, &factors.one(1, 0), k), k)]
}

fn restore_block(
    x: &mut [[u64; LIMBS]],
    m: usize,
    i: usize,
    factors: &Factors,
    last: Option<&[Eight; 2]>,
    k: &Constants,
) {
    if x.len() <= LEAF {
        // SAFETY: constants exist only where the processor has the features.
        unsafe { restore_leaf(x, m, i, factors, last, k) };
        return;
    }
    let rows = rows_above(x.len());
    parts(x, rows, |b, part| restore_block(part, m * rows, i * rows + b, factors, None, k));
    // SAFETY: as above.
    columns(x, rows, |_, buffer| unsafe { layers_back(buffer, m, i, factors, last, k) }, k);
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn restore_leaf(
    x: &mut [[u64; LIMBS]],
    m: usize,
    i: usize,
    factors: &Factors,
    last: Option<&[Eight; 2]>,
    k: &Constants,
) {
    let vectors = x.len() / LANES;
    leaf(
        x,
        |x| {
            squares(x, |v, square| within_back(square, m * vectors, i * vectors + v, factors, k));
            layers_back(x, m, i, factors, last, k);
        },
        k,
    );
}

/// Two layers: `x0 ± x1`, `x2 ± x3` with the factors `w0`, `w1` of the differences, then both over each other with `w`.
/// From below 2q to below 2q; sums times `scale` if there is one.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn butterflies_back(
    [x0, x1, x2, x3]: [&Eight; 4],
    [w0, w1, w]: [&Eight; 3],
    scale: Option<&Eight>,
    k: &Constants,
) -> [Eight; 4] {
    let (a0, a1) = (sum(x0, x1), times(&minus(x0, x1, k), w0, k));
    let (a2, a3) = (sum(x2, x3), times(&minus(x2, x3, k), w1, k));
    let (y0, y2) = (sum(&a0, &a2), times(&minus4(&a0, &a2, k), w, k));
    let (y1, y3) = (sum(&a1, &a3), times(&minus(&a1, &a3, k), w, k));
    match scale {
        Some(s) => [times(&y0, s, k), times(&y1, s, k), y2, y3],
        None => [below_twice(&y0, k), below_twice(&y1, k), y2, y3],
    }
}

/// One layer, as [`butterflies_back`].
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn butterfly_back(x0: &Eight, x1: &Eight, w: &Eight, scale: Option<&Eight>, k: &Constants) -> (Eight, Eight) {
    let (y0, y1) = (sum(x0, x1), times(&minus(x0, x1, k), w, k));
    (scale.map_or_else(|| below_twice(&y0, k), |s| times(&y0, s, k)), y1)
}

/// The layers between vectors of block `i` of stage `m`; `last` if they end the network.
#[target_feature(enable = "avx512f,avx512ifma")]
fn layers_back(
    x: &mut [Eight],
    m: usize,
    i: usize,
    factors: &Factors,
    last: Option<&[Eight; 2]>,
    k: &Constants,
) {
    let mut len = 4;
    if x.len().ilog2() % 2 == 1 {
        let blocks = x.len() / 2;
        let last = last.filter(|_| blocks == 1);
        for b in 0..blocks {
            let w = last.map_or_else(|| factors.one(m * blocks, i * blocks + b), |[_, w]| *w);
            let scale = last.map(|[s, _]| s);
            (x[2 * b], x[2 * b + 1]) = butterfly_back(&x[2 * b], &x[2 * b + 1], &w, scale, k);
        }
        len = 8;
    }
    while len <= x.len() {
        let blocks = x.len() / len;
        let last = last.filter(|_| blocks == 1);
        let scale = last.map(|[s, _]| s);
        for b in 0..blocks {
            let (m, i) = (m * blocks, i * blocks + b);
            let (w0, w1) = (factors.one(2 * m, 2 * i), factors.one(2 * m, 2 * i + 1));
            let w = last.map_or_else(|| factors.one(m, i), |[_, w]| *w);
            let q = len / 4;
            let block = &mut x[b * len..][..len];
            for j in 0..q {
                let at = [j, j + q, j + 2 * q, j + 3 * q];
                let y = butterflies_back(at.map(|a| &block[a]), [&w0, &w1, &w], scale, k);
                at.into_iter().zip(y).for_each(|(a, y)| block[a] = y);
            }
        }
        len *= 4;
    }
}

/// The first three layers of the blocks `i` to `i + 7` of stage `m`, one in each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn within_back(x: &mut [Eight; LANES], m: usize, i: usize, factors: &Factors, k: &Constants) {
    let ([w], [v0, v1], [u0, u1, u2, u3]) = lane_factors(m, i, factors);
    let low = butterflies_back([&x[0], &x[1], &x[2], &x[3]], [&u0, &u1, &v0], None, k);
    let high = butterflies_back([&x[4], &x[5], &x[6], &x[7]], [&u2, &u3, &v1], None, k);
    for j in 0..4 {
        (x[j], x[j + 4]) = butterfly_back(&low[j], &high[j], &w, None, k);
    }
}

// ---- bit-reversed order to natural order with the coset merged ----

/// Coefficients in bit-reversed order to `scale` times the values on a coset in natural order, as
/// `ntt::layers::merge`; the factor of element `j` of a block of `2h` stands in place `h + j`.
pub(crate) fn merge<F: PrimeField>(x: &mut [F], factors: &Factors, scale: F) {
    let Some(x) = limbs_mut(x) else { return };
    // SAFETY: `limbs_mut` gives a slice only where the processor has the features.
    let (k, first) = unsafe {
        let k = Constants::new::<F>();
        let scale = broadcast(&factor_digits(scale));
        (k, [scale, reduced(&times(&scale, &factors.single(1), &k), &k)])
    };
    merge_block(x, factors, &first, &k);
}

fn merge_block(x: &mut [[u64; LIMBS]], factors: &Factors, first: &[Eight; 2], k: &Constants) {
    if x.len() <= LEAF {
        // SAFETY: constants exist only where the processor has the features.
        unsafe { merge_leaf(x, factors, first, k) };
        return;
    }
    let rows = rows_above(x.len());
    let part = x.len() / rows;
    parts(x, rows, |_, part| merge_block(part, factors, first, k));
    // SAFETY: as above.
    columns(x, rows, |at, buffer| unsafe { join(buffer, part, at, factors, k) }, k);
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn merge_leaf(x: &mut [[u64; LIMBS]], factors: &Factors, first: &[Eight; 2], k: &Constants) {
    leaf(
        x,
        |x| {
            squares(x, |_, square| join_within(square, factors, first, k));
            join(x, LANES, 0, factors, k);
        },
        k,
    );
}

/// The layers that join rows of elements `apart` from one another, of which the first is element `at` of its block.
#[target_feature(enable = "avx512f,avx512ifma")]
fn join(x: &mut [Eight], apart: usize, at: usize, factors: &Factors, k: &Constants) {
    let mut d = 1;
    while 4 * d <= x.len() {
        for block in x.chunks_exact_mut(4 * d) {
            for r in 0..d {
                let w = |n: usize| factors.eight(apart * (n * d + r) + at);
                let (w1, w2, w3) = (w(1), w(2), w(3));
                let (a0, a1) = butterfly(&block[r], &block[r + d], &w1, k);
                let (a2, a3) = butterfly(&block[r + 2 * d], &block[r + 3 * d], &w1, k);
                (block[r], block[r + 2 * d]) = butterfly(&a0, &a2, &w2, k);
                (block[r + d], block[r + 3 * d]) = butterfly(&a1, &a3, &w3, k);
            }
        }
        d *= 4;
    }
    if 2 * d <= x.len() {
        for r in 0..d {
            let w = factors.eight(apart * (d + r) + at);
            (x[r], x[r + d]) = butterfly(&x[r], &x[r + d], &w, k);
        }
    }
}

/// The first three layers of eight blocks of eight, one in each lane; the very first takes up the scale.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn join_within(x: &mut [Eight; LANES], factors: &Factors, [scale, scaled]: &[Eight; 2], k: &Constants) {
    for j in [0, 2, 4, 6] {
        let (a, t) = (times(&x[j], scale, k), times(&x[j + 1], scaled, k));
        (x[j], x[j + 1]) = (sum(&a, &t), minus(&a, &t, k));
    }
    for j in 0..2 {
        let w = factors.single(2 + j);
        (x[j], x[j + 2]) = butterfly(&x[j], &x[j + 2], &w, k);
        (x[j + 4], x[j + 6]) = butterfly(&x[j + 4], &x[j + 6], &w, k);
    }
    for j in 0..4 {
        (x[j], x[j + 4]) = butterfly(&x[j], &x[j + 4], &factors.single(4 + j), k);
    }
}
