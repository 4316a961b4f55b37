//! Counting sort of the points of some windows by bucket.

use super::scalars::Part;
use pairwright_device::parallel;

/// Digits that one task extracts.
const CHUNK: usize = 1 << 14;

/// Points of consecutive windows by bucket. Buckets are numbered through: bucket `b` (from 1) of the `k`-th window
/// is `k·per_window + b - 1`.
pub(super) struct Sorted {
    /// Index and sign, `2·index + negative`, by bucket.
    pub(super) entries: Vec<u32>,
    /// Index of the first entry of each bucket; one more than there are buckets.
    pub(super) starts: Vec<usize>,
}

/// Buffers kept from wave to wave.
#[derive(Default)]
pub(super) struct Sorter {
    codes: Vec<u32>,
    counts: Vec<u32>,
    pub(super) sorted: Sorted,
}

impl Default for Sorted {
    fn default() -> Self {
        Self { entries: Vec::new(), starts: vec![0] }
    }
}

impl Sorter {
    /// Sorts windows `first .. first + count` of windows of `c` bits.
    pub(super) fn sort(&mut self, scalars: Part<'_>, c: usize, first: usize, count: usize) -> &Sorted {
        let (n, per_window) = (scalars.reach(first), 1usize << (c - 1));
        let Self { codes, counts, sorted } = self;
        codes.resize(n * count, 0);
        let windows = codes.chunks_mut(n.max(1)).enumerate();
        let pieces = windows.flat_map(|(k, codes)| {
            let pieces = codes[..scalars.reach(first + k)].chunks_mut(CHUNK).enumerate();
            pieces.map(move |(i, part)| (first + k, i * CHUNK, part))
        });
        parallel::for_each(pieces, |_, (window, at, part)| scalars.digits(window, c, at, part));
        let of_window = |k: usize| &codes[k * n..k * n + scalars.reach(first + k)];

        // Each task has a range of buckets of one window and looks at all of the window's digits: more tasks than
        // windows only where there are more threads than windows.
        let parts = rayon::current_num_threads().div_ceil(count).next_power_of_two().min(per_window);
        let per_part = per_window / parts;
        counts.clear();
        counts.resize(per_window * count, 0);
        parallel::for_each(counts.chunks_mut(per_part), |task, counts| {
            let base = task % parts * per_part + 1;
            for code in of_window(task / parts) {
                if let Some(count) = counts.get_mut(((code >> 1) as usize).wrapping_sub(base)) {
                    *count += 1;
                }
            }
        });

        sorted.starts.clear();
        sorted.starts.push(0);
        let mut total = 0;
        sorted.starts.extend(counts.iter().map(|count| {
            total += *count as usize;
            total
        }));

        sorted.entries.resize(total, 0);
        let mut rest = sorted.entries.as_mut_slice();
        let mut tasks = Vec::with_capacity(parts * count);
        for starts in sorted.starts[..per_window * count].chunks_exact(per_part).enumerate() {
            let (task, starts) = starts;
            let end = sorted.starts[(task + 1) * per_part];
            let (part, after) = rest.split_at_mut(end - starts[0]);
            tasks.push((task, starts, part));
            rest = after;
        }
        parallel::for_each(
            tasks.into_iter().zip(counts.chunks_mut(per_part)),
            |_, ((task, starts, entries), next)| {
                // The counts become the places where the next entry of each bucket goes.
                next.iter_mut().zip(starts).for_each(|(next, start)| *next = (start - starts[0]) as u32);
                let base = task % parts * per_part + 1;
                let mut put = |index: u32, code: &u32| {
                    if let Some(next) = next.get_mut(((code >> 1) as usize).wrapping_sub(base)) {
                        entries[*next as usize] = index << 1 | (code & 1);
                        *next += 1;
                    }
                };
                let codes = of_window(task / parts);
                match scalars.indices() {
                    None => (0..).zip(codes).for_each(|(index, code)| put(index, code)),
                    Some(indices) => indices.iter().zip(codes).for_each(|(index, code)| put(*index, code)),
                }
            },
        );
        sorted
    }
}
