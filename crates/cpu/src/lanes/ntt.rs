//! Number-theoretic transforms in lanes that read and write memory twice.
//!
//! The data is a matrix of `R` rows by `C` columns, `N = R C`, element `i = r C + c` in row `r` and column `c`. With
//! `j = s + R t` a transform is
//!
//! `X[s + R t] = Σ_c ω_C^(c t) · ω^(c s) · Σ_r ω_R^(r s) x[r C + c]`.
//!
//! The first visit computes the inner sums of eight columns at a time, one per lane. The second visit multiplies by the middle
//! factors `ω^(c s)` and computes the outer sums of eight rows at a time, one per lane. Its results are eight consecutive outputs in
//! natural order, so no permutation of the data remains. Between the visits the data are digits in a scratch memory.
//! The middle factors are computed on the fly: along a row they are powers of one number. So the tables are about as long as a row
//! and a column. The first block of every second layer has the factor one and needs no product.
//!
//! Inputs and outputs may be multiplied by powers of a shift. The powers are merged into the middle factors, except for one factor
//! per row of the inputs and one per row of the outputs.
//!
//! Values in lanes stay below `31/32 · 2^260`, at least 31q, the limit of operands of products. They are below 3q before the first
//! layer, grow by 2q per layer, and are made canonical when they are stored. Sums and differences are computed digit by digit and
//! carried only before a product or a reduction: a layer adds less than 2^57 to a digit, so a digit with its sign fits 64 bits.

use super::digits::{
    DIGITS, FiveDigits, LANES, LIMBS, ModulusInLanes, below_twice, broadcast, canonical, carried,
    factor_digits, load, open_difference, open_sum, store, times, transpose, two_products, zero,
};
use super::{known, limbs, limbs_mut, memory};
use core::arch::x86_64::*;
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_poly::bit_reversed;
use std::sync::{Mutex, PoisonError};

/// Base-2 logarithms of the sizes of transforms in lanes: the shortest is an 8×8 matrix, and in the longest, values grow by 2q in each
/// of thirteen layers.
const LOGS: core::ops::RangeInclusive<u32> = 6..=26;
/// Transforms of at least this size are divided among threads.
const PARALLEL: usize = 1 << 12;
/// Smallest number of tasks per thread of a transform that is divided.
const TASKS: usize = 4;
/// Number of independent chains of factors along a row, which hide the latency of products.
const CHAINS: usize = 4;

/// A factor `w 2^260 mod q` as digits.
type Factor = [u64; DIGITS];

/// The factors of a transform, which maps `x[i]` to `scale h^j Σ_i x[i] (g^i ω^(i j))`.
pub(crate) struct NttPlan {
    log_rows: u32,
    log_columns: u32,
    /// The factor of block `i`, the same at every stage of the layers.
    stages: Vec<Factor>,
    /// The factors `g ω^s`, whose powers the elements of a row are multiplied by, for eight values of `s` in each entry.
    steps: Vec<[Factor; LANES]>,
    /// The factors `scale h^s` of whole rows, for eight values of `s` in each entry.
    starts: Vec<[Factor; LANES]>,
    /// The factors `g^(C r)` of the rows of inputs; empty if `g` is one.
    before: Vec<Factor>,
    /// The factors `h^(R t)` of the rows of outputs, in the order in which the layers leave them; empty if `h` is one.
    after: Vec<Factor>,
}

impl NttPlan {
    /// The plan for `2^log_n` elements with the root of unity `root` of that order, and the shifts `g` of the inputs and `h`
    /// of the outputs. `None` if the field or the processor has no lanes, or the length is not in [`LOGS`].
    pub(crate) fn new<F: PrimeField>(log_n: u32, root: F, scale: F, [g, h]: [F; 2]) -> Option<Self> {
        if !known::<F>() || !LOGS.contains(&log_n) {
            return None;
        }
        let log_rows = log_n.div_ceil(2);
        let log_columns = log_n - log_rows;
        let (rows, columns) = (1usize << log_rows, 1usize << log_columns);
        let powers = |first: F, ratio: F| core::iter::successors(Some(first), move |x| Some(*x * ratio));
        let raised = |x: F, log: u32| (0..log).fold(x, |x, _| x.square());

        let mut stages = vec![F::ONE; rows / 2];
        let mut m = 1;
        while m < rows / 2 {
            let step = raised(root, log_n - 2 - m.ilog2());
            for i in 0..m {
                stages[m + i] = stages[i] * step;
            }
            m *= 2;
        }
        let wide = |list: &mut dyn Iterator<Item = F>| -> Vec<[Factor; LANES]> {
            let list: Vec<Factor> = list.take(rows).map(factor_digits).collect();
            list.as_chunks().0.to_vec()
        };
        let of_rows = |shift: F, log: u32, count: usize| -> Vec<Factor> {
            let count = if shift == F::ONE { 0 } else { count };
            powers(F::ONE, raised(shift, log)).take(count).map(factor_digits).collect()
        };
        let natural = of_rows(h, log_rows, columns);
        Some(Self {
            log_rows,
            log_columns,
            stages: stages.into_iter().map(factor_digits).collect(),
            steps: wide(&mut powers(g, root)),
            starts: wide(&mut powers(scale, h)),
            before: of_rows(g, log_columns, rows),
            after: (0..natural.len()).map(|t| natural[bit_reversed(t, log_columns)]).collect(),
        })
    }
}

/// The scratch memory for the digits between the two visits, which is kept from one transform to the next.
#[derive(Default)]
pub(crate) struct NttScratch(Mutex<Vec<u64>>);

impl NttScratch {
    /// Runs `work` on memory for `len` entries of five vectors.
    fn with<T>(&self, len: usize, work: impl FnOnce(&mut [FiveDigits]) -> T) -> T {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One entry more, so that the memory can begin at an aligned address.
        let words = (len + 1) * DIGITS * LANES;
        let mut scratch = core::mem::take(&mut *lock());
        if scratch.len() < words {
            drop(scratch);
            scratch = memory::words(words);
        }
        // SAFETY: any bits are vectors of integers.
        let (_, vectors, _) = unsafe { scratch.align_to_mut::<FiveDigits>() };
        let result = work(&mut vectors[..len]);
        let mut kept = lock();
        if kept.len() < scratch.len() {
            *kept = scratch;
        }
        result
    }
}

/// Runs a transform in place, from natural to natural order; the plan must be for the length of `x`.
pub(crate) fn transform<F: PrimeField>(x: &mut [F], plan: &NttPlan, scratch: &NttScratch) {
    if !known::<F>() {
        return;
    }
    // SAFETY: `known` says that the processor has the features.
    let k = unsafe { ModulusInLanes::new::<F>() };
    let (rows, columns) = (1usize << plan.log_rows, 1usize << plan.log_columns);
    assert_eq!(x.len(), rows * columns, "a plan for another length");
    let threads = if x.len() < PARALLEL { 1 } else { rayon::current_num_threads() };
    scratch.with(x.len() / LANES, |between| {
        if let Some(x) = limbs(x) {
            in_strips(between, columns, threads, |at, strip| {
                // SAFETY: as above.
                unsafe { first_visit(x, at, strip, plan, &k) };
            });
        }
        if let Some(x) = limbs_mut(x) {
            in_strips(x, rows, threads, |at, strip| {
                // SAFETY: as above.
                unsafe { second_visit(between, at, strip, plan, &k) };
            });
        }
    });
}

/// Cuts the rows of a matrix, which have `row` elements, into strips of the same columns, whose number is a multiple of eight, and
/// calls `work` with each strip and its first column. With one thread there is one strip, with more there are several per thread.
fn in_strips<T: Send>(x: &mut [T], row: usize, threads: usize, work: impl Fn(usize, &mut [&mut [T]]) + Sync) {
    let width = if threads == 1 { row } else { (row / (TASKS * threads)).next_power_of_two().max(LANES) };
    let mut strips: Vec<Vec<&mut [T]>> =
        (0..row / width).map(|_| Vec::with_capacity(x.len() / row)).collect();
    for row in x.chunks_exact_mut(row) {
        row.chunks_exact_mut(width).zip(&mut strips).for_each(|(piece, strip)| strip.push(piece));
    }
    if threads == 1 {
        strips.iter_mut().for_each(|strip| work(0, strip));
    } else {
        parallel::for_each(&mut strips, |at, strip| work(at * width, strip));
    }
}

/// The inner sums of the columns from `at` on; their number is the length of the rows of `out`. Row `k` of `out` gets the sums for
/// `s` from `8 k` to `8 k + 7`, one per lane.
#[target_feature(enable = "avx512f,avx512ifma")]
fn first_visit(
    x: &[[u64; LIMBS]],
    at: usize,
    out: &mut [&mut [FiveDigits]],
    plan: &NttPlan,
    k: &ModulusInLanes,
) {
    let columns = 1 << plan.log_columns;
    let width = out[0].len();
    let mut buffer = vec![zero(); 1 << plan.log_rows];
    for c in (0..width).step_by(LANES) {
        for (v, row) in buffer.iter_mut().zip(x.chunks_exact(columns)) {
            let (eights, _) = row[at + c..].as_chunks();
            *v = load::<0>(&eights[0]);
            if let Some(next) = eights.get(1) {
                ask_for(next);
            }
        }
        for (v, w) in buffer.iter_mut().zip(&plan.before) {
            *v = times(v, &broadcast(w), k);
        }
        layers(&mut buffer, 0, &plan.stages, k);
        for (g, out) in out.iter_mut().enumerate() {
            let mut square = [zero(); LANES];
            for l in 0..LANES {
                square[l] = carried(buffer[bit_reversed(g * LANES + l, plan.log_rows)]);
            }
            transpose(&mut square);
            out[c..c + LANES].copy_from_slice(&square);
        }
    }
}

/// Prefetches eight elements that will be read soon.
#[inline]
#[target_feature(enable = "avx512f")]
fn ask_for(eight: &[[u64; LIMBS]; LANES]) {
    for two in eight.chunks_exact(2) {
        _mm_prefetch::<_MM_HINT_T1>(two.as_ptr().cast());
    }
}

/// The outputs `X[s + R t]` for `s` from `at` on, from the inner sums; the number of values of `s` is the length of the rows of `out`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn second_visit(
    sums: &[FiveDigits],
    at: usize,
    out: &mut [&mut [[u64; LIMBS]]],
    plan: &NttPlan,
    k: &ModulusInLanes,
) {
    let columns = 1 << plan.log_columns;
    let width = out[0].len();
    let mut buffer = vec![zero(); columns];
    for s in (0..width).step_by(LANES) {
        let group = (at + s) / LANES;
        twiddled(&mut buffer, &sums[group * columns..][..columns], group, plan, k);
        layers(&mut buffer, 0, &plan.stages, k);
        for (v, w) in buffer.iter_mut().zip(&plan.after) {
            *v = times(&carried(*v), &broadcast(w), k);
        }
        for (t, out) in out.iter_mut().enumerate() {
            let v = &buffer[bit_reversed(t, plan.log_columns)];
            let (eights, _) = out[s..].as_chunks_mut();
            store(&mut eights[0], &canonical(&carried(*v), k));
        }
    }
}

/// The products of the inner sums of a group of eight rows and the middle factors, below 3q.
///
/// The product of two factors below `9/8 q` is below `9/8 q` again, because q is below `2^260 / 32`; with an inner sum it is below 3q.
#[target_feature(enable = "avx512f,avx512ifma")]
fn twiddled(to: &mut [FiveDigits], sums: &[FiveDigits], group: usize, plan: &NttPlan, k: &ModulusInLanes) {
    let step = lanes(&plan.steps[group]);
    let (mut chains, mut stride) = ([lanes(&plan.starts[group]); CHAINS], step);
    for c in 1..CHAINS {
        chains[c] = times(&chains[c - 1], &step, k);
    }
    for _ in 0..CHAINS.ilog2() {
        stride = times(&stride, &stride, k);
    }
    let ((to, _), (sums, _)) = (to.as_chunks_mut::<CHAINS>(), sums.as_chunks::<CHAINS>());
    for (to, sums) in to.iter_mut().zip(sums) {
        for c in 0..CHAINS {
            to[c] = times(&sums[c], &chains[c], k);
            chains[c] = times(&chains[c], &stride, k);
        }
    }
}

/// Eight factors, one per lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(factors: &[Factor; LANES]) -> FiveDigits {
    let mut x = zero();
    for k in 0..DIGITS {
        let digit: [u64; LANES] = core::array::from_fn(|lane| factors[lane][k]);
        // SAFETY: the eight numbers are the 64 bytes of a vector; the load needs no alignment.
        x[k] = unsafe { _mm512_loadu_si512(digit.as_ptr().cast()) };
    }
    x
}

/// `a ← a + w b` and `b ← a - w b + 2q` for two pairs: `x[0]` with `x[1]`, and `x[2]` with `x[3]`.
///
/// The two products are interleaved to hide their latency. The function is not inlined, because the products fill the registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512ifma")]
fn butterflies(x: [&mut FiveDigits; 4], w: [&Factor; 2], k: &ModulusInLanes) {
    let [a0, b0, a1, b1] = x;
    let [t0, t1] = two_products([&carried(*b0), &carried(*b1)], w, k);
    cross(a0, b0, &t0, k);
    cross(a1, b1, &t1, k);
}

/// `a ← a + t` and `b ← a - t + 2q`, digit by digit.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn cross(a: &mut FiveDigits, b: &mut FiveDigits, t: &FiveDigits, k: &ModulusInLanes) {
    *b = open_difference(a, t, k);
    *a = open_sum(a, t);
}

/// The butterfly of one pair with the factor one.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn butterfly_of_one(a: &mut FiveDigits, b: &mut FiveDigits, k: &ModulusInLanes) {
    let t = below_twice(&carried(*b), k);
    cross(a, b, &t, k);
}

/// All layers of block `i` of some stage, two at a time, from natural to bit-reversed order. The halves of a block become the sums
/// and differences, in which the second operands are multiplied by the block's factor. Digits of the results are not carried.
#[target_feature(enable = "avx512f,avx512ifma")]
fn layers(x: &mut [FiveDigits], i: usize, stages: &[Factor], k: &ModulusInLanes) {
    let q = x.len() / 4;
    let (x01, x23) = x.split_at_mut(2 * q);
    let ((x0, x1), (x2, x3)) = (x01.split_at_mut(q), x23.split_at_mut(q));
    let quarters = x0.iter_mut().zip(x1).zip(x2).zip(x3);
    let (w, w0, w1) = (&stages[i], &stages[2 * i], &stages[2 * i + 1]);
    for (((x0, x1), x2), x3) in quarters {
        if i == 0 {
            butterfly_of_one(x0, x2, k);
            butterfly_of_one(x1, x3, k);
        } else {
            butterflies([x0, x2, x1, x3], [w, w], k);
        }
        butterflies([x0, x1, x2, x3], [w0, w1], k);
    }
    match q {
        1 => {}
        2 => {
            // The last layer: two blocks at a time.
            let (fours, _) = x.as_chunks_mut::<4>();
            for (j, x) in fours.iter_mut().enumerate() {
                let at = 4 * i + 2 * j;
                butterflies(x.each_mut(), [&stages[at], &stages[at + 1]], k);
            }
        }
        _ => x.chunks_exact_mut(q).enumerate().for_each(|(part, x)| layers(x, 4 * i + part, stages, k)),
    }
}
