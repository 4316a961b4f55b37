//! Bucket accumulation, bucket reduction and the aggregation of windows.
//!
//! Windows are worked on in waves of as many as there are threads. Within a wave, groups of buckets of a few
//! thousand points in all are the parallel tasks. A group's buckets are cut into runs, one a lane: runs of like length stand
//! side by side as the columns of [`Rows`], and the lower half of a column's rows is added onto the upper one in rounds of
//! batched affine additions, until one row is left. All of it stays in the second-level cache. A bucket of more points
//! than a group holds (all scalars equal, or the ones of a circom witness) is divided among tasks whose results are
//! added up in the end.

use super::rows::{ABSENT, Bases, Rows};
use super::scalars::{Scalars, windows};
use super::sort::{Sorted, Sorter};
use core::cmp::Reverse;
use core::marker::PhantomData;
use pairwright_curve::{Affine, Curve, Jacobian, Xyzz, batch_to_affine};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Bytes of points of one task.
const GROUP_BYTES: usize = 512 << 10;
/// Points of a wave, at least.
const WAVE: usize = 1 << 16;
/// Buckets that are reduced together, at most and, where a window is divided among threads, at least.
const PART: core::ops::RangeInclusive<usize> = 1 << 8..=1 << 13;

/// The sum of all windows, and the number of point additions.
pub(super) fn sum<C: Curve, R: Rows<C>>(
    bases: Bases<'_, C>,
    scalars: &Scalars,
    c: usize,
) -> (Jacobian<C>, u64) {
    let (n, all) = (scalars.len(), windows(scalars.bits, c));
    let waves = all.div_ceil(rayon::current_num_threads().max(WAVE / n).clamp(1, all));
    let per_wave = all.div_ceil(waves);
    let pool = Pool::<C, R>::new();
    let mut sorter = Sorter::default();
    let mut buckets = Vec::new();
    let (mut sums, mut adds) = (Vec::with_capacity(all), 0);
    for first in (0..all).step_by(per_wave) {
        let count = per_wave.min(all - first);
        let sorted = sorter.sort(scalars, c, first, count);
        adds += accumulate(bases, sorted, &pool, &mut buckets);
        adds += reduce(&buckets, count, &pool, &mut sums);
    }
    let total = sums.iter().rev().fold(Jacobian::INFINITY, |acc, window| {
        let shifted = (0..c).fold(acc, |acc: Jacobian<C>, _| acc.double());
        shifted + *window
    });
    (total, adds + (c * (all - 1) + all) as u64)
}

/// Scratch of one task.
struct Scratch<C, R> {
    rows: R,
    entries: Vec<u32>,
    runs: Vec<Run>,
    columns: Vec<Column>,
    pairs: Vec<(u32, u32)>,
    group: PhantomData<C>,
}

/// Points of one bucket in one lane.
#[derive(Clone, Copy)]
struct Run {
    /// Bucket of the group.
    bucket: u32,
    /// First entry and number of entries.
    start: u32,
    len: u32,
}

/// Rows that are added up lane by lane.
struct Column {
    first: u32,
    len: u32,
}

/// Scratch that tasks take and give back: as many as there are threads.
struct Pool<C, R>(Mutex<Vec<Scratch<C, R>>>);

impl<C: Curve, R: Rows<C>> Pool<C, R> {
    fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }
    fn with<T>(&self, work: impl FnOnce(&mut Scratch<C, R>) -> T) -> T {
        let mut scratch = self.lock().pop().unwrap_or_else(|| Scratch {
            rows: R::new(),
            entries: Vec::new(),
            runs: Vec::new(),
            columns: Vec::new(),
            pairs: Vec::new(),
            group: PhantomData,
        });
        let result = work(&mut scratch);
        self.lock().push(scratch);
        result
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Scratch<C, R>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Entries of one bucket too large for a group.
struct Piece {
    bucket: usize,
    start: usize,
    end: usize,
}

/// Fills `buckets` with the sums of the sorted points.
fn accumulate<C: Curve, R: Rows<C>>(
    bases: Bases<'_, C>,
    sorted: &Sorted,
    pool: &Pool<C, R>,
    buckets: &mut Vec<Affine<C>>,
) -> u64 {
    let group = GROUP_BYTES / size_of::<Affine<C>>();
    let (groups, pieces) = plan(&sorted.starts, group);
    buckets.clear();
    buckets.resize(sorted.starts.len() - 1, Affine::INFINITY);

    let mut rest = buckets.as_mut_slice();
    let mut tasks = Vec::with_capacity(groups.len());
    let mut at = 0;
    for end in groups {
        let (part, after) = rest.split_at_mut(end - at);
        tasks.push((at, part));
        (rest, at) = (after, end);
    }
    let adds: u64 = tasks
        .into_par_iter()
        .with_max_len(1)
        .map(|(first, part)| {
            let starts = &sorted.starts[first..=first + part.len()];
            pool.with(|s| s.add_up(bases, &sorted.entries, starts, group, part))
        })
        .sum();

    let sums: Vec<(usize, Affine<C>)> = pieces
        .par_iter()
        .with_max_len(1)
        .map(|piece| {
            let mut sum = [Affine::INFINITY];
            pool.with(|s| s.add_up(bases, &sorted.entries, &[piece.start, piece.end], group, &mut sum));
            (piece.bucket, sum[0])
        })
        .collect();
    for of_bucket in sums.chunk_by(|a, b| a.0 == b.0) {
        let total = of_bucket.iter().fold(Xyzz::INFINITY, |acc, (_, p)| acc.add_mixed(p));
        buckets[of_bucket[0].0] = Affine::from(total);
    }
    let in_pieces: usize = pieces.iter().map(|p| p.end - p.start).sum();
    adds + in_pieces as u64
}

/// Divides the buckets into groups of at most `group` points (the ends are returned), leaving out buckets that have
/// more, and those into pieces.
fn plan(starts: &[usize], group: usize) -> (Vec<usize>, Vec<Piece>) {
    let (mut groups, mut pieces) = (Vec::new(), Vec::new());
    let last = starts.len() - 1;
    let mut held = 0;
    for bucket in 0..last {
        let (start, end) = (starts[bucket], starts[bucket + 1]);
        let len = end - start;
        if len > group {
            let count = len.div_ceil(group);
            let bound = |i: usize| start + len * i / count;
            pieces.extend((0..count).map(|i| Piece { bucket, start: bound(i), end: bound(i + 1) }));
        } else if held + len > group {
            groups.push(bucket);
            held = len;
        } else {
            held += len;
        }
    }
    groups.push(last);
    (groups, pieces)
}

impl<C: Curve, R: Rows<C>> Scratch<C, R> {
    /// Writes the sums of the buckets that begin at `starts`, but of those with more than `group` points, to `sums`;
    /// returns the number of additions.
    fn add_up(
        &mut self,
        bases: Bases<'_, C>,
        entries: &[u32],
        starts: &[usize],
        group: usize,
        sums: &mut [Affine<C>],
    ) -> u64 {
        let lens = || starts.windows(2).map(|b| b[1] - b[0]).filter(|len| (1..=group).contains(len));
        let (points, filled) = lens().fold((0, 0), |(points, filled), len| (points + len, filled + 1));
        if filled == 0 {
            return 0;
        }
        // A bucket much longer than the others would leave the lanes beside it idle.
        let most = (4 * points / filled + 16).min(points / R::WIDTH + 1).max(16);
        self.runs.clear();
        for (bucket, bounds) in starts.windows(2).enumerate() {
            let len = bounds[1] - bounds[0];
            if (1..=group).contains(&len) {
                let count = if len > most { R::WIDTH } else { 1 };
                let bound = |i: usize| (bounds[0] + len * i / count) as u32;
                self.runs.extend((0..count).map(|i| Run {
                    bucket: bucket as u32,
                    start: bound(i),
                    len: bound(i + 1) - bound(i),
                }));
            }
        }
        let cut = self.runs.len() > filled;
        if R::WIDTH > 1 {
            self.runs.sort_unstable_by_key(|run| Reverse(run.len));
        }
        self.load(bases, entries);
        self.halve();
        let mut parts = Vec::new();
        let mut row = 0;
        for runs in self.runs.chunks(R::WIDTH) {
            let points = self.rows.read(row);
            for (run, point) in runs.iter().zip(points.as_ref()) {
                if cut && starts[run.bucket as usize + 1] - starts[run.bucket as usize] > most {
                    parts.push((run.bucket as usize, *point));
                } else {
                    sums[run.bucket as usize] = *point;
                }
            }
            row += runs[0].len as usize;
        }
        parts.sort_unstable_by_key(|(bucket, _)| *bucket);
        let of_buckets = || parts.chunk_by(|a, b| a.0 == b.0);
        let totals: Vec<_> = of_buckets()
            .map(|parts| parts.iter().fold(Xyzz::INFINITY, |acc, (_, p)| acc.add_mixed(p)).to_jacobian())
            .collect();
        for (parts, total) in of_buckets().zip(batch_to_affine(&totals)) {
            sums[parts[0].0] = total;
        }
        (points - filled) as u64
    }

    /// Loads the runs, as many side by side as a row is wide.
    fn load(&mut self, bases: Bases<'_, C>, entries: &[u32]) {
        self.columns.clear();
        self.entries.clear();
        for runs in self.runs.chunks(R::WIDTH) {
            let len = runs[0].len;
            let first = self.entries.len() / R::WIDTH;
            self.columns.push(Column { first: first as u32, len });
            for k in 0..len {
                let of_run = |run: &Run| if k < run.len { entries[(run.start + k) as usize] } else { ABSENT };
                self.entries.extend(runs.iter().map(of_run));
                self.entries.resize((first + k as usize + 1) * R::WIDTH, ABSENT);
            }
        }
        self.rows.clear();
        self.rows.load(bases, &self.entries);
    }

    /// Adds up every column: its sum ends in its first row.
    fn halve(&mut self) {
        let Self { rows, columns, pairs, .. } = self;
        loop {
            pairs.clear();
            columns.retain_mut(|Column { first, len }| {
                // The upper half is added onto the lower one; an odd one out stays in the middle.
                let half = len.div_ceil(2);
                pairs.extend((*first..*first + *len - half).map(|i| (i, i + half)));
                *len = half;
                half > 1
            });
            if pairs.is_empty() {
                return;
            }
            pairs.chunks(R::BATCH).for_each(|pairs| rows.add(pairs));
        }
    }

    /// For each part of `per` buckets, `Σ (b + 1)·bucket_b` and `Σ bucket_b`.
    ///
    /// Halving the rows of a part, `B_r ← B_r + B_(r + h)` for `r < h`, takes `h` off the weights of the upper half's rows:
    /// `Σ r·B_r = Σ r·(B_r + B_(r + h)) + h·Σ B_(r + h)`. The rows of the upper half stay where they are and are added up
    /// in the rounds that follow, beside those of the upper halves before them.
    fn weigh(&mut self, buckets: &[Affine<C>], per: usize, sums: &mut [[Xyzz<C>; 2]]) {
        self.entries.clear();
        self.entries.extend((0..buckets.len() as u32).map(|i| i << 1));
        self.rows.clear();
        self.rows.load(Bases::new(buckets, None), &self.entries);
        let height = per / R::WIDTH;
        let mut half = height / 2;
        while half > 0 {
            self.pairs.clear();
            for part in (0..self.rows.len()).step_by(height) {
                // Sums of a height of `2 half`: what is left of all rows, then of the upper halves taken off so far.
                let mut first = 0;
                while first < height {
                    let at = (part + first) as u32;
                    self.pairs.extend((at..at + half as u32).map(|i| (i, i + half as u32)));
                    first = if first == 0 { 2 * half } else { 2 * first };
                }
            }
            self.pairs.chunks(R::BATCH).for_each(|pairs| self.rows.add(pairs));
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

/// Reduces each window's buckets to `Σ b·bucket_b`, for `b` from 1, and appends it to `sums`.
fn reduce<C: Curve, R: Rows<C>>(
    buckets: &[Affine<C>],
    count: usize,
    pool: &Pool<C, R>,
    sums: &mut Vec<Jacobian<C>>,
) -> u64 {
    let (per_window, threads) = (buckets.len() / count, rayon::current_num_threads());
    let wanted = threads.div_ceil(count).min(per_window / PART.start()).max(per_window / PART.end());
    let per = per_window / wanted.max(1).next_power_of_two();
    let parts = buckets.len() / per;
    let together = (parts / threads).clamp(1, PART.end() / per);
    let mut of_parts = vec![[Xyzz::INFINITY; 2]; parts];
    let tasks = of_parts.par_chunks_mut(together).zip(buckets.par_chunks(together * per)).with_max_len(1);
    tasks.for_each(|(sums, buckets)| pool.with(|s| s.weigh(buckets, per, sums)));
    sums.extend(of_parts.chunks(per_window / per).map(|parts| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_cover_all_buckets_and_pieces_the_large_ones() {
        let sizes = [0, 3, 5, 0, 40, 2, 8, 1, 1, 1, 9, 30];
        let mut starts = vec![0];
        starts.extend(sizes.iter().scan(0, |sum, n| {
            *sum += n;
            Some(*sum)
        }));
        let (groups, pieces) = plan(&starts, 10);
        assert_eq!(*groups.last().unwrap(), sizes.len());
        let mut at = 0;
        for end in groups {
            let held: usize = sizes[at..end].iter().filter(|n| **n <= 10).sum();
            assert!(held <= 10 && (end > at || end == 0));
            at = end;
        }
        for (bucket, size) in [(4, 40), (11, 30)] {
            let of: Vec<_> = pieces.iter().filter(|p| p.bucket == bucket).collect();
            assert_eq!(of.iter().map(|p| p.end - p.start).sum::<usize>(), size);
            assert!(of.iter().all(|p| p.end - p.start <= 10));
            assert_eq!((of[0].start, of[of.len() - 1].end), (starts[bucket], starts[bucket + 1]));
        }
    }
}
