//! Bucket accumulation, bucket reduction and the aggregation of windows.
//!
//! Windows are worked on in waves of as many as there are threads. Within a wave, groups of buckets of a few
//! thousand points in all are the parallel tasks: a group's points are copied together, then halved in rounds of
//! batched affine additions within each bucket, until one point a bucket is left. All of it stays in the
//! second-level cache. A bucket of more points than a group holds (all scalars equal, or the ones of a circom
//! witness) is divided among tasks whose results are added up in the end.

use super::Bases;
use super::batch::Batch;
use super::scalars::{Scalars, windows};
use super::sort::{Sorted, Sorter};
use pairwright_curve::{Affine, Curve, Jacobian, Xyzz};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Bytes of points of one task.
const GROUP_BYTES: usize = 512 << 10;
/// Most additions that share an inversion.
const BATCH: usize = 1024;
/// Segments of buckets that one task reduces side by side.
const LANES: usize = 256;
/// Points of a wave, at least.
const WAVE: usize = 1 << 16;

/// The sum of all windows, and the number of point additions.
pub(super) fn sum<C: Curve>(bases: Bases<'_, C>, scalars: &Scalars, c: usize) -> (Jacobian<C>, u64) {
    let (n, all) = (scalars.len(), windows(scalars.bits, c));
    let waves = all.div_ceil(rayon::current_num_threads().max(WAVE / n).clamp(1, all));
    let per_wave = all.div_ceil(waves);
    let scratch = Pool::new();
    let mut sorter = Sorter::default();
    let mut buckets = Vec::new();
    let (mut sums, mut adds) = (Vec::with_capacity(all), 0);
    for first in (0..all).step_by(per_wave) {
        let count = per_wave.min(all - first);
        let sorted = sorter.sort(scalars, c, first, count);
        adds += accumulate(bases, sorted, &scratch, &mut buckets);
        adds += reduce(&buckets, count, &scratch, &mut sums);
    }
    let total = sums.iter().rev().fold(Jacobian::INFINITY, |acc, window| {
        let shifted = (0..c).fold(acc, |acc: Jacobian<C>, _| acc.double());
        shifted + *window
    });
    (total, adds + (c * (all - 1) + all) as u64)
}

/// Scratch of one task.
struct Scratch<C: Curve> {
    points: Vec<Affine<C>>,
    /// Start and number of the points of each bucket that has more than one left.
    runs: Vec<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
    batch: Batch<C>,
}

/// Scratch that tasks take and give back: as many as there are threads.
struct Pool<C: Curve>(Mutex<Vec<Scratch<C>>>);

impl<C: Curve> Pool<C> {
    fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }
    fn with<T>(&self, work: impl FnOnce(&mut Scratch<C>) -> T) -> T {
        let mut scratch = self.lock().pop().unwrap_or_else(|| Scratch {
            points: Vec::new(),
            runs: Vec::new(),
            pairs: Vec::new(),
            batch: Batch::new(),
        });
        let result = work(&mut scratch);
        self.lock().push(scratch);
        result
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Scratch<C>>> {
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
fn accumulate<C: Curve>(
    bases: Bases<'_, C>,
    sorted: &Sorted,
    scratch: &Pool<C>,
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
            scratch.with(|s| {
                let starts = &sorted.starts[first..=first + part.len()];
                s.points.clear();
                s.runs.clear();
                let mut adds = 0;
                for bounds in starts.windows(2) {
                    let len = bounds[1] - bounds[0];
                    if len > group {
                        continue;
                    }
                    if len > 1 {
                        s.runs.push((s.points.len() as u32, len as u32));
                        adds += len as u64 - 1;
                    }
                    s.load(bases, &sorted.entries[bounds[0]..bounds[1]]);
                }
                let all = s.points.len();
                s.halve();
                debug_assert!(s.points.len() == all);
                let mut at = 0;
                for (bounds, bucket) in starts.windows(2).zip(part) {
                    let len = bounds[1] - bounds[0];
                    if (1..=group).contains(&len) {
                        *bucket = s.points[at];
                        at += len;
                    }
                }
                adds
            })
        })
        .sum();

    let sums: Vec<(usize, Affine<C>)> = pieces
        .par_iter()
        .with_max_len(1)
        .map(|piece| {
            scratch.with(|s| {
                s.points.clear();
                s.runs.clear();
                s.runs.push((0, (piece.end - piece.start) as u32));
                s.load(bases, &sorted.entries[piece.start..piece.end]);
                s.halve();
                (piece.bucket, s.points[0])
            })
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

impl<C: Curve> Scratch<C> {
    fn load(&mut self, bases: Bases<'_, C>, entries: &[u32]) {
        self.points.extend(entries.iter().map(|e| bases.load((e >> 1) as usize, e & 1 == 1)));
    }

    /// Adds up every run: its sum ends in its first place.
    fn halve(&mut self) {
        let Self { points, runs, pairs, batch } = self;
        while !runs.is_empty() {
            pairs.clear();
            runs.retain_mut(|(start, len)| {
                // The upper half is added onto the lower one; an odd one out stays in the middle.
                let half = len.div_ceil(2);
                pairs.extend((*start..*start + *len - half).map(|i| (i, i + half)));
                *len = half;
                half > 1
            });
            for pairs in pairs.chunks(BATCH) {
                batch.add(
                    pairs.len(),
                    &mut (points.as_mut_slice(), pairs),
                    |s, i| [&s.0[s.1[i].0 as usize], &s.0[s.1[i].1 as usize]],
                    |s, i| &mut s.0[s.1[i].0 as usize],
                );
            }
        }
    }
}

/// Reduces each window's buckets to `Σ b·bucket_b` and appends it to `sums`.
///
/// A window is divided into segments, lanes of running sums that advance side by side: `running += bucket` and
/// `sum += running`, both batched affine additions. Then `Σ b·bucket_b = Σ_s (sum_s + s·length·running_s)`.
fn reduce<C: Curve>(
    buckets: &[Affine<C>],
    count: usize,
    scratch: &Pool<C>,
    sums: &mut Vec<Jacobian<C>>,
) -> u64 {
    let per_window = buckets.len() / count;
    let lanes = LANES * rayon::current_num_threads();
    let segments = (lanes / count).max(1).next_power_of_two().min((per_window / 8).max(1));
    let length = per_window / segments;
    let mut lanes = vec![[Affine::INFINITY; 2]; segments * count];
    lanes.par_chunks_mut(LANES).zip(buckets.par_chunks(LANES * length)).for_each(|(lanes, buckets)| {
        scratch.with(|s| {
            for t in (0..length).rev() {
                // The sum lags one step behind the running sum; odd steps are written before even ones.
                s.batch.add(
                    2 * lanes.len(),
                    &mut (&mut *lanes, buckets),
                    |s, i| match i % 2 {
                        0 => [&s.0[i / 2][0], &s.1[i / 2 * length + t]],
                        _ => [&s.0[i / 2][1], &s.0[i / 2][0]],
                    },
                    |s, i| &mut s.0[i / 2][i % 2],
                );
            }
            let n = lanes.len();
            s.batch.add(n, &mut &mut *lanes, |l, i| [&l[i][1], &l[i][0]], |l, i| &mut l[i][1]);
        });
    });
    let windows: Vec<Jacobian<C>> = lanes
        .par_chunks(segments)
        .map(|lanes| {
            let (mut above, mut weighted, mut total) = (Xyzz::INFINITY, Xyzz::INFINITY, Xyzz::INFINITY);
            for (s, [running, sum]) in lanes.iter().enumerate().rev() {
                total = total.add_mixed(sum);
                if s > 0 {
                    above = above.add_mixed(running);
                    weighted += above;
                }
            }
            let scaled = (0..length.ilog2()).fold(weighted, |acc, _| acc.double());
            (total + scaled).to_jacobian()
        })
        .collect();
    sums.extend(windows);
    (2 * buckets.len() + 3 * count * segments) as u64
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
