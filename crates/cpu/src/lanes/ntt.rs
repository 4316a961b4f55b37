//! Transforms in lanes: a block of the data becomes digits, goes through up to twelve layers, and becomes limbs again.
//!
//! The networks are those of `ntt::layers`. A vector holds eight neighbours, so layers of butterflies eight or more
//! elements apart work on whole vectors; for the three layers within eight elements, eight vectors are transposed.
//! Blocks up to [`LEAF`] elements go through all their layers at once; of longer ones, columns of eight elements by
//! [`COLUMN`] rows take up to four layers a visit to memory.
//!
//! Values in lanes grow by at most 2q a layer (25q after twelve, from q), below the `0.8 · 2^260` that sums and
//! products take, and become canonical on the way to memory.

use super::digits::{
    Constants, DIGITS, Eight, LANES, LIMBS, broadcast, canonical, even_odd, load, minus, split, store, sum,
    times, transpose, zero,
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
                // Memory's form has the factor 2^256.
                let w = factor(at * LANES + lane).double().double().double().double();
                let mut limbs = [0; LIMBS + 1];
                limbs[..LIMBS].copy_from_slice(w.to_montgomery().as_ref());
                split(&limbs).into_iter().enumerate().for_each(|(k, digit)| block[k][lane] = digit);
            }
        });
        Some(Self { blocks, coset })
    }

    /// Where the factor of block `i` at stage `m` stands.
    fn at(&self, m: usize, i: usize) -> usize {
        if self.coset { m + i } else { i }
    }

    /// The factor of block `i` at stage `m`, in every lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn one(&self, m: usize, i: usize) -> Eight {
        let at = self.at(m, i);
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
    // As many layers as divide those above the leaves evenly.
    let above = (x.len() / LEAF).ilog2();
    let rows = 1 << above.div_ceil(above.div_ceil(COLUMN.ilog2()));
    columns(
        x,
        rows,
        |_, buffer| {
            // SAFETY: as above.
            unsafe { layers(buffer, m, i, factors, k) }
        },
        k,
    );
    let (part, inner) = (x.len() / rows, |(b, part): (usize, &mut [[u64; LIMBS]])| {
        decimate_block(part, m * rows, i * rows + b, factors, k);
    });
    if in_parallel(x.len()) {
        x.par_chunks_exact_mut(part).enumerate().for_each(inner);
    } else {
        x.chunks_exact_mut(part).enumerate().for_each(inner);
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

/// All layers of a block of at most [`LEAF`] elements.
#[target_feature(enable = "avx512f,avx512ifma")]
fn decimate_leaf(x: &mut [[u64; LIMBS]], m: usize, i: usize, factors: &Factors, k: &Constants) {
    let mut buffer = [zero(); LEAF / LANES];
    let (x, _) = x.as_chunks_mut::<LANES>();
    let buffer = &mut buffer[..x.len()];
    for (v, x) in buffer.iter_mut().zip(x.iter()) {
        *v = load::<0>(x);
    }
    layers(buffer, m, i, factors, k);
    let (m, i) = (m * x.len(), i * x.len());
    let (squares, _) = buffer.as_chunks_mut::<LANES>();
    for (g, square) in squares.iter_mut().enumerate() {
        transpose(square);
        within(square, m, i + g * LANES, factors, k);
        transpose(square);
    }
    for (v, x) in buffer.iter().zip(x.iter_mut()) {
        store(x, &canonical(v, k));
    }
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

/// The last three layers of the blocks `i` to `i + 7` of stage `m`, one in each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn within(x: &mut [Eight; LANES], m: usize, i: usize, factors: &Factors, k: &Constants) {
    let w = factors.eight(factors.at(m, i));
    for j in 0..4 {
        (x[j], x[j + 4]) = butterfly(&x[j], &x[j + 4], &w, k);
    }
    let at = factors.at(2 * m, 2 * i);
    let (w0, w1) = even_odd(&factors.eight(at), &factors.eight(at + LANES));
    for j in 0..2 {
        (x[j], x[j + 2]) = butterfly(&x[j], &x[j + 2], &w0, k);
        (x[j + 4], x[j + 6]) = butterfly(&x[j + 4], &x[j + 6], &w1, k);
    }
    let at = factors.at(4 * m, 4 * i);
    let (e0, o0) = even_odd(&factors.eight(at), &factors.eight(at + LANES));
    let (e1, o1) = even_odd(&factors.eight(at + 2 * LANES), &factors.eight(at + 3 * LANES));
    let ((w0, w2), (w1, w3)) = (even_odd(&e0, &e1), even_odd(&o0, &o1));
    (x[0], x[1]) = butterfly(&x[0], &x[1], &w0, k);
    (x[2], x[3]) = butterfly(&x[2], &x[3], &w1, k);
    (x[4], x[5]) = butterfly(&x[4], &x[5], &w2, k);
    (x[6], x[7]) = butterfly(&x[6], &x[7], &w3, k);
}
