//! Counting sort of the points of some sets of windows by bucket.

use super::layout::Layout;
use super::scalars::ScalarPart;
use crate::lanes::memory::large_pages;
use core::ops::Range;
use pairwright_device::parallel;

/// Digits that one task extracts.
const CHUNK: usize = 1 << 14;

/// Points of consecutive sets of buckets. Buckets are numbered through: bucket `b` (from 1) of the `k`-th set is
/// `k·per_set + b - 1`.
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

/// The digits of one window.
struct Segment {
    window: usize,
    /// The multiple of the bases that its digits count.
    multiple: u32,
    /// Its codes among those of all windows.
    codes: Range<usize>,
}

/// The digits of some sets, as tasks read them that have a part of a set's buckets each.
enum Digits<'a> {
    /// For each set the codes of its windows, beside the multiples that they count. A task has all buckets of a set.
    Windows(Vec<Vec<(u32, &'a [u32])>>),
    /// For each set the digits of its chunks by the parts of the buckets.
    Chunks(Vec<Vec<PartedDigits>>),
}

/// Digits of a chunk by the part of the set's buckets that they go to.
struct PartedDigits {
    /// The bucket of each digit, numbered in its part, and its entry.
    digits: Vec<(u32, u32)>,
    /// The end of each part's digits.
    ends: Vec<usize>,
}

impl PartedDigits {
    /// Digits by their codes, of which zeros go nowhere, in parts of `per_part` buckets. `index` is that of the point of a code.
    fn new(codes: &[u32], index: impl Fn(usize) -> u32, parts: usize, per_part: usize) -> Self {
        let part = |code: u32| ((code >> 1).wrapping_sub(1) >> per_part.ilog2()) as usize;
        let mut ends = vec![0; parts];
        codes
            .iter()
            .filter_map(|code| Some(part(*code)).filter(|part| *part < parts))
            .for_each(|part| ends[part] += 1);
        let mut total = 0;
        for end in &mut ends {
            (*end, total) = (total, total + *end);
        }
        let mut digits = vec![(0, 0); total];
        for (i, code) in codes.iter().enumerate() {
            if let Some(place) = ends.get_mut(part(*code)) {
                digits[*place] = (((code >> 1) - 1) % per_part as u32, index(i) << 1 | code & 1);
                *place += 1;
            }
        }
        Self { digits, ends }
    }

    fn of(&self, part: usize) -> &[(u32, u32)] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.digits[start..self.ends[part]]
    }
}

/// What tasks need to know of the points that digits belong to.
#[derive(Clone, Copy)]
struct SortedPoints<'a> {
    /// Places of points where they are not in their own order.
    order: Option<&'a [u32]>,
    /// Multiples of a base, which stand side by side.
    copies: u32,
}

impl SortedPoints<'_> {
    /// The index of a multiple of the point of scalar `i`.
    #[inline(always)]
    fn index(self, i: usize, multiple: u32) -> u32 {
        self.order.map_or(i as u32, |order| order[i]) * self.copies + multiple
    }
}

impl Digits<'_> {
    /// Calls `put` with the bucket in its part, and the entry, of every digit of a part of a set.
    #[inline(always)]
    fn of_part(&self, set: usize, part: usize, points: SortedPoints<'_>, mut put: impl FnMut(usize, u32)) {
        match self {
            Self::Windows(sets) => {
                for (multiple, codes) in &sets[set] {
                    let bucket = |code: u32| (code >> 1).wrapping_sub(1) as usize;
                    let entry = |base: u32, code: u32| (base * points.copies + multiple) << 1 | code & 1;
                    match points.order {
                        None => (0..).zip(*codes).for_each(|(i, code)| put(bucket(*code), entry(i, *code))),
                        Some(order) => {
                            order
                                .iter()
                                .zip(*codes)
                                .for_each(|(i, code)| put(bucket(*code), entry(*i, *code)));
                        }
                    }
                }
            }
            Self::Chunks(sets) => {
                let digits = sets[set].iter().flat_map(|chunk| chunk.of(part));
                digits.for_each(|(bucket, entry)| put(*bucket as usize, *entry));
            }
        }
    }
}

/// Gives a vector, whose elements will all be written, another length. A new one has room for as many as there may be, which
/// nobody touches here.
fn resize(vector: &mut Vec<u32>, len: usize, most: usize) {
    if vector.capacity() < len {
        *vector = large_pages(vec![0; most]);
    }
    vector.resize(len, 0);
}

impl Sorter {
    /// Sorts the digits of the sets `first .. first + count`.
    pub(super) fn sort(
        &mut self,
        scalars: ScalarPart<'_>,
        layout: Layout,
        first: usize,
        count: usize,
    ) -> &Sorted {
        let (c, per_set) = (layout.bits, 1usize << (layout.bits - 1));
        let points = SortedPoints { order: scalars.indices(), copies: layout.multiples.copies as u32 };
        let Self { codes, counts, sorted } = self;
        // A task has the buckets of a set, or a part of them where there are fewer sets than threads.
        let parts = rayon::current_num_threads().div_ceil(count).next_power_of_two().min(per_set);
        let per_part = per_set / parts;

        let mut end = 0;
        let mut segment = |(window, multiple): (usize, usize)| {
            let start = end;
            end += scalars.reach(window);
            Segment { window, multiple: multiple as u32, codes: start..end }
        };
        let sets: Vec<Vec<Segment>> = (first..first + count)
            .map(|set| layout.windows_of(set, scalars).map(&mut segment).collect())
            .collect();
        let digits = if parts == 1 {
            resize(codes, end, end);
            let mut rest = codes.as_mut_slice();
            let pieces = sets.iter().flatten().flat_map(|segment| {
                let (of_window, after) = core::mem::take(&mut rest).split_at_mut(segment.codes.len());
                rest = after;
                of_window.chunks_mut(CHUNK).enumerate().map(|(i, part)| (segment.window, i * CHUNK, part))
            });
            parallel::for_each(pieces, |_, (window, at, part)| scalars.digits(window, c, at, part));
            let codes_of = |segment: &Segment| (segment.multiple, &codes[segment.codes.clone()]);
            Digits::Windows(sets.iter().map(|set| set.iter().map(codes_of).collect()).collect())
        } else {
            let segments =
                sets.iter().enumerate().flat_map(|(set, all)| all.iter().map(move |segment| (set, segment)));
            let chunks = segments.flat_map(|(set, segment)| {
                let len = segment.codes.len();
                (0..len).step_by(CHUNK).map(move |at| (set, segment, at, CHUNK.min(len - at)))
            });
            let parted = parallel::map(chunks, |_, (set, segment, at, len)| {
                let mut codes = vec![0; len];
                scalars.digits(segment.window, c, at, &mut codes);
                let index = |i| points.index(at + i, segment.multiple);
                (set, PartedDigits::new(&codes, index, parts, per_part))
            });
            let mut of_sets: Vec<Vec<PartedDigits>> = sets.iter().map(|_| Vec::new()).collect();
            parted.into_iter().for_each(|(set, parted)| of_sets[set].push(parted));
            Digits::Chunks(of_sets)
        };

        counts.clear();
        counts.resize(per_set * count, 0);
        parallel::for_each(counts.chunks_mut(per_part), |task, counts| {
            digits.of_part(task / parts, task % parts, points, |bucket, _| {
                if let Some(count) = counts.get_mut(bucket) {
                    *count += 1;
                }
            });
        });

        sorted.starts.clear();
        sorted.starts.push(0);
        let mut total = 0;
        sorted.starts.extend(counts.iter().map(|count| {
            total += *count as usize;
            total
        }));

        resize(&mut sorted.entries, total, end);
        let mut rest = sorted.entries.as_mut_slice();
        let tasks =
            sorted.starts[..per_set * count].chunks_exact(per_part).enumerate().map(|(task, starts)| {
                let end = sorted.starts[(task + 1) * per_part];
                let (part, after) = core::mem::take(&mut rest).split_at_mut(end - starts[0]);
                rest = after;
                (starts, part)
            });
        parallel::for_each(tasks.zip(counts.chunks_mut(per_part)), |task, ((starts, entries), next)| {
            // The counts become the places where the next entry of each bucket goes.
            next.iter_mut().zip(starts).for_each(|(next, start)| *next = (start - starts[0]) as u32);
            digits.of_part(task / parts, task % parts, points, |bucket, entry| {
                if let Some(next) = next.get_mut(bucket) {
                    entries[*next as usize] = entry;
                    *next += 1;
                }
            });
        });
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Multiples;
    use super::super::scalars::{Scalars, windows};
    use super::*;
    use pairwright_curve::bn254::Fr;
    use pairwright_field::PrimeField;
    use pairwright_testkit::conformance::Values;
    use std::collections::BTreeMap;

    /// Every digit that is not zero is in its bucket once, on any number of threads, in any layout.
    #[test]
    fn digits_go_to_their_buckets() {
        let n = 40_000;
        let list = Values::<Fr>::new(3).take_buf(n);
        let scalars = Scalars::new(&list[..]);
        let bits = Fr::BITS as usize - 1;
        let shared = Multiples::choose(n, bits, 8).unwrap();
        for multiples in [Multiples::NONE, shared] {
            let layout = Layout::new(multiples, n, scalars.bits, 1.0);
            let sets = layout.sets_of(scalars.all());
            assert_eq!(sets < windows(bits, layout.bits), multiples == shared);
            let mut want = BTreeMap::<usize, Vec<u32>>::new();
            for set in 0..sets {
                for (window, multiple) in layout.windows_of(set, scalars.all()) {
                    let mut codes = vec![0; n];
                    scalars.all().digits(window, layout.bits, 0, &mut codes);
                    for (i, code) in codes.iter().enumerate().filter(|(_, code)| **code > 1) {
                        let bucket = (set << (layout.bits - 1)) + (code >> 1) as usize - 1;
                        let entry = ((i * multiples.copies + multiple) as u32) << 1 | code & 1;
                        want.entry(bucket).or_default().push(entry);
                    }
                }
            }
            for threads in [1, 3, 2 * sets + 1] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut sorter = Sorter::default();
                let sorted = pool.install(|| sorter.sort(scalars.all(), layout, 0, sets));
                assert_eq!(sorted.starts.len(), (sets << (layout.bits - 1)) + 1);
                for (bucket, bounds) in sorted.starts.windows(2).enumerate() {
                    let mut got = sorted.entries[bounds[0]..bounds[1]].to_vec();
                    got.sort_unstable();
                    let want = want.get_mut(&bucket).map(|entries| {
                        entries.sort_unstable();
                        entries.as_slice()
                    });
                    assert_eq!(got, want.unwrap_or(&[]), "{threads} threads");
                }
            }
        }
    }
}
