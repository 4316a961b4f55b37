//! Bucket accumulation, bucket reduction and the aggregation of windows.
//!
//! Every window has a set of buckets, or windows share sets over multiples of the bases. Sets are worked on in waves. The sums
//! of a wave's buckets are formed by the schedule in [`columns`](super::columns) on [`Rows`], every task on its own few rows,
//! which stay in the second-level cache. A bucket that was cut into several runs (all scalars equal, or the ones of a circom
//! witness) is added up from their sums in the same way. Then the buckets are reduced, set by set.

use super::columns::{ColumnRounds, Run, Runs};
use super::layout::Layout;
use super::rows::{ABSENT, BaseReads, Bases, Rows};
use super::scalars::ScalarPart;
use super::sort::{Sorted, Sorter};
use core::marker::PhantomData;
use pairwright_curve::{Affine, Curve, Jacobian, Xyzz, batch_to_affine};
use pairwright_device::parallel;
use std::sync::{Mutex, PoisonError};

/// Digits of a wave, at least.
const WAVE: usize = 1 << 18;
/// Digits of a wave for every thread, at least.
const WAVE_OF_THREAD: usize = 1 << 17;
/// Buckets that are reduced together, at most and, where a set is divided among threads, at least.
const PART: core::ops::RangeInclusive<usize> = 1 << 8..=1 << 13;
/// Sums of runs that are added up one by one, at most: fewer would not fill batches.
const SMALL_REDUCTION: usize = 256;

/// The sum over all windows, and the number of point additions.
pub(super) fn sum<C: Curve, R: Rows<C>>(
    bases: Bases<'_, C>,
    scalars: ScalarPart<'_>,
    layout: Layout,
) -> (Jacobian<C>, u64) {
    let (c, all, threads) = (layout.bits, layout.sets_of(scalars), rayon::current_num_threads());
    let pool = Pool::<C, R>::new();
    let mut sorter = Sorter::default();
    let mut buckets = Buckets::new();
    let (mut sums, mut adds) = (Vec::with_capacity(all), 0);
    let mut first = 0;
    while first < all {
        let n = layout.digits_of(first, scalars).max(1);
        // Entries are counted in words.
        let count = threads.max(wave(threads) / n).clamp(1, (u32::MAX as usize / n).min(all - first));
        let sorted = sorter.sort(scalars, layout, first, count);
        first += count;
        if sorted.entries.is_empty() {
            sums.resize(sums.len() + count, Jacobian::INFINITY);
            continue;
        }
        adds += accumulate(bases, sorted, &pool, &mut buckets);
        adds += reduce(&buckets, count, &pool, &mut sums);
    }
    let total = sums.iter().rev().fold(Jacobian::INFINITY, |acc, set| {
        let shifted = (0..c).fold(acc, |acc: Jacobian<C>, _| acc.double());
        shifted + *set
    });
    (total, adds + (c * (all - 1) + all) as u64)
}

/// Digits that are worked on at once, at least: of fewer, each task would have too few buckets to fill its batches.
pub(super) fn wave(threads: usize) -> usize {
    WAVE.max(threads * WAVE_OF_THREAD)
}

/// Sums of buckets.
pub(super) struct Buckets<C: Curve> {
    /// Sums of runs, and of the runs of a bucket.
    pub(super) sums: Vec<Affine<C>>,
    /// The entry of each bucket in `sums`, [`ABSENT`] for one without points.
    pub(super) entries: Vec<u32>,
}

impl<C: Curve> Buckets<C> {
    pub(super) fn new() -> Self {
        Self { sums: Vec::new(), entries: Vec::new() }
    }
}

/// Scratch of one task.
pub(super) struct BucketScratch<C, R> {
    rows: R,
    rounds: ColumnRounds,
    pairs: Vec<(u32, u32)>,
    group: PhantomData<C>,
}

/// Scratch that tasks take and give back: as many as there are threads.
pub(super) struct Pool<C, R>(Mutex<Vec<BucketScratch<C, R>>>);

impl<C: Curve, R: Rows<C>> Pool<C, R> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }
    fn with<T>(&self, work: impl FnOnce(&mut BucketScratch<C, R>) -> T) -> T {
        let mut scratch = self.lock().pop().unwrap_or_else(|| BucketScratch {
            rows: R::new(),
            rounds: ColumnRounds::default(),
            pairs: Vec::new(),
            group: PhantomData,
        });
        let result = work(&mut scratch);
        self.lock().push(scratch);
        result
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<BucketScratch<C, R>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fills `buckets` with the sums of the sorted points; returns the number of additions.
pub(super) fn accumulate<C: Curve, R: Rows<C>>(
    bases: Bases<'_, C>,
    sorted: &Sorted,
    pool: &Pool<C, R>,
    buckets: &mut Buckets<C>,
) -> u64 {
    let runs = Runs::new(&sorted.starts, R::WIDTH, R::BATCH);
    let Buckets { sums, entries } = buckets;
    sums.clear();
    sums.resize(runs.list.len(), Affine::INFINITY);
    let tasks = runs.shares(sums);
    let add_up = |_, (runs, sums)| pool.with(|s| s.add_up(bases, &sorted.entries, runs, sums));
    let adds: u64 = parallel::map(tasks, add_up).into_iter().sum();

    entries.clear();
    entries.resize(sorted.starts.len() - 1, ABSENT);
    let mut parts = Vec::new();
    for (index, run) in (0u32..).zip(&runs.list).filter(|(_, run)| run.len > 0) {
        let bucket = run.bucket as usize;
        if run.len as usize == sorted.starts[bucket + 1] - sorted.starts[bucket] {
            entries[bucket] = index << 1;
        } else {
            parts.push((run.bucket, index << 1));
        }
    }
    adds + join(&mut parts, pool, buckets)
}

/// Adds up the sums of the runs of buckets that have several: pairs of a bucket and the entry of a sum.
fn join<C: Curve, R: Rows<C>>(parts: &mut [(u32, u32)], pool: &Pool<C, R>, buckets: &mut Buckets<C>) -> u64 {
    let Buckets { sums, entries } = buckets;
    let before = sums.len() as u32;
    parts.sort_unstable();
    let of_buckets = || parts.chunk_by(|a, b| a.0 == b.0);
    let (joined, adds) = if parts.len() <= SMALL_REDUCTION {
        let sum_of = |parts: &[(u32, u32)]| {
            parts.iter().fold(Xyzz::INFINITY, |sum, (_, entry)| sum.add_mixed(&sums[(entry >> 1) as usize]))
        };
        let totals: Vec<_> = of_buckets().map(|parts| sum_of(parts).to_jacobian()).collect();
        let entries = (0..totals.len() as u32).map(|index| index << 1).collect();
        (Buckets { sums: batch_to_affine(&totals), entries }, parts.len() as u64)
    } else {
        let mut sorted = Sorted { entries: parts.iter().map(|part| part.1).collect(), ..Sorted::default() };
        let mut end = 0;
        sorted.starts.extend(of_buckets().map(|parts| {
            end += parts.len();
            end
        }));
        let mut joined = Buckets::new();
        let adds = accumulate::<C, R>(Bases::new(sums, None), &sorted, pool, &mut joined);
        (joined, adds)
    };
    for (parts, entry) in of_buckets().zip(joined.entries) {
        entries[parts[0].0 as usize] = entry + (before << 1);
    }
    sums.extend(joined.sums);
    adds
}

impl<C: Curve, R: Rows<C>> BucketScratch<C, R> {
    /// Writes the sum of each run to its place; returns the number of additions.
    fn add_up(&mut self, bases: Bases<'_, C>, entries: &[u32], runs: &[Run], sums: &mut [Affine<C>]) -> u64 {
        let Self { rows, rounds, .. } = self;
        rounds.begin(runs, entries, R::WIDTH, R::BATCH);
        rows.reserve(2 * R::BATCH);
        let mut adds = 0;
        while rounds.step() {
            let (entries, now, next) = rounds.now();
            rows.load(BaseReads { bases, entries, rows: &now.begun });
            rows.load(BaseReads { bases, entries, rows: &now.more });
            rows.add(&now.pairs, BaseReads { bases, entries, rows: &next.more });
            adds += (R::WIDTH * now.pairs.len()) as u64;
            for (row, column) in &now.ended {
                let points = rows.read(*row as usize);
                sums[*column as usize * R::WIDTH..][..R::WIDTH].copy_from_slice(points.as_ref());
            }
        }
        for (run, sum) in runs.iter().zip(sums).rev().skip_while(|(run, _)| run.len == 0) {
            if run.len > 1 {
                break;
            }
            *sum = bases.load_entry(entries[run.start as usize]);
        }
        adds
    }

    /// For each part of `per` buckets, `Σ (b + 1)·bucket_b` and `Σ bucket_b`.
    ///
    /// Halving the rows of a part, `B_r ← B_r + B_(r + h)` for `r < h`, takes `h` off the weights of the upper half's rows:
    /// `Σ r·B_r = Σ r·(B_r + B_(r + h)) + h·Σ B_(r + h)`. The rows of the upper half stay where they are and are added up
    /// in the rounds that follow, beside those of the upper halves before them.
    fn weigh(&mut self, of_runs: &[Affine<C>], buckets: &[u32], per: usize, sums: &mut [[Xyzz<C>; 2]]) {
        let (height, all) = (per / R::WIDTH, buckets.len() / R::WIDTH);
        self.rows.reserve(all);
        self.pairs.clear();
        self.pairs.extend((0..all as u32).map(|row| (row, row)));
        let nothing = BaseReads { bases: Bases::new(of_runs, None), entries: buckets, rows: &[] };
        self.rows.load(BaseReads { rows: &self.pairs, ..nothing });
        let mut half = height / 2;
        while half > 0 {
            self.pairs.clear();
            for part in (0..all).step_by(height) {
                // Sums of a height of `2 half`: what is left of all rows, then of the upper halves taken off so far.
                let mut first = 0;
                while first < height {
                    let at = (part + first) as u32;
                    self.pairs.extend((at..at + half as u32).map(|i| (i, i + half as u32)));
                    first = if first == 0 { 2 * half } else { 2 * first };
                }
            }
            self.pairs.chunks(R::BATCH).for_each(|pairs| self.rows.add(pairs, nothing));
            half /= 2;
        }
        for (part, out) in sums.iter_mut().enumerate() {
            let row = |i: usize| self.rows.read(part * height + i);
            let mut upper = Xyzz::INFINITY;
            for h in (0..height.ilog2()).rev() {
                upper = row(1 << h).as_ref().iter().fold(upper.double(), |sum, p| sum.add_mixed(p));
            }
            let scaled = (0..R::WIDTH.ilog2()).fold(upper, |sum, _| sum.double());
            let lanes = row(0);
            *out = lanes.as_ref().iter().rev().fold([scaled, Xyzz::INFINITY], |[weighted, sum], p| {
                let sum = sum.add_mixed(p);
                [weighted + sum, sum]
            });
        }
    }
}

/// Reduces the buckets of each of `count` sets to `Σ b·bucket_b`, for `b` from 1, and appends it to `sums`.
fn reduce<C: Curve, R: Rows<C>>(
    buckets: &Buckets<C>,
    count: usize,
    pool: &Pool<C, R>,
    sums: &mut Vec<Jacobian<C>>,
) -> u64 {
    let Buckets { sums: of_runs, entries: buckets } = buckets;
    let (per_set, threads) = (buckets.len() / count, rayon::current_num_threads());
    let wanted = threads.div_ceil(count).min(per_set / PART.start()).max(per_set / PART.end());
    let per = per_set / wanted.max(1).next_power_of_two();
    let parts = buckets.len() / per;
    let together = (parts / threads).clamp(1, PART.end() / per);
    let mut of_parts = vec![[Xyzz::INFINITY; 2]; parts];
    let tasks = of_parts.chunks_mut(together).zip(buckets.chunks(together * per));
    parallel::for_each(tasks, |_, (sums, buckets)| pool.with(|s| s.weigh(of_runs, buckets, per, sums)));
    sums.extend(of_parts.chunks(per_set / per).map(|parts| {
        let (mut above, mut steps, mut total) = (Xyzz::INFINITY, Xyzz::INFINITY, Xyzz::INFINITY);
        for (k, [weighted, sum]) in parts.iter().enumerate().rev() {
            total += *weighted;
            if k > 0 {
                above += *sum;
                steps += above;
            }
        }
        (total + (0..per.ilog2()).fold(steps, |sum, _| sum.double())).to_jacobian()
    }));
    (2 * buckets.len()) as u64
}
