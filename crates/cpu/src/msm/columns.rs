//! The schedule by which the points of buckets are added up.
//!
//! The points of a bucket are a run for one lane, or several runs where the bucket is much larger than others. Runs of like
//! length stand side by side as the lanes of a column. As many columns are in work at once as a batch has rows, and a
//! round adds one more row of points to each of them: a batch of additions that share an inversion. A column that ends
//! leaves its place to the next one, so that batches are full until a task has no more columns.

use super::rows::{ABSENT, LINE, fetch};
use core::mem::swap;

/// The least length at which runs are cut.
const MIN_CUT_LEN: usize = 16;
/// Batches of additions that a task has at least, if there are as many for every thread.
const BATCHES: usize = 8;
/// Buckets that follow each other in a place of a task's batch, if there are as many for every thread: a bucket that is much longer
/// than the mean is then no longer than all of them.
const BUCKETS_PER_PLACE: usize = 4;

/// Points of one bucket in one lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    pub(super) bucket: u32,
    /// First entry and number of entries.
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Run {
    /// The entries of a run, among all.
    fn of<'a>(&self, entries: &'a [u32]) -> &'a [u32] {
        &entries[self.start as usize..][..self.len as usize]
    }
}

/// The runs of all buckets, the longest first in each task's share, which is a whole number of columns. Runs without points
/// fill the last column up.
pub(super) struct Runs {
    pub(super) list: Vec<Run>,
    /// Ends of the tasks' shares.
    ends: Vec<usize>,
}

impl Runs {
    /// Cuts the buckets that begin at `starts` into runs and deals these out, for columns of `width` runs and batches of
    /// `batch` rows.
    pub(super) fn new(starts: &[usize], width: usize, batch: usize) -> Self {
        let threads = rayon::current_num_threads();
        let (points, full) = (starts[starts.len() - 1] - starts[0], width * batch);
        let buckets = starts.len() - 1;
        let tasks =
            (points / (BATCHES * full)).min(buckets / (BUCKETS_PER_PLACE * full)).clamp(threads, 4 * threads);
        // No run outlasts the rounds that the rest of its task takes.
        let longest = (points / (tasks * full)).max(MIN_CUT_LEN);
        let each = |work: &mut dyn FnMut(Run)| {
            for (bucket, bounds) in starts.windows(2).enumerate() {
                let (start, len) = (bounds[0], bounds[1] - bounds[0]);
                let bucket = bucket as u32;
                if len <= longest {
                    // Most buckets are one run, which needs no division.
                    if len > 0 {
                        work(Run { bucket, start: start as u32, len: len as u32 });
                    }
                    continue;
                }
                let count = len.div_ceil(longest);
                let bound = |i: usize| (start + len * i / count) as u32;
                (0..count).for_each(|i| work(Run { bucket, start: bound(i), len: bound(i + 1) - bound(i) }));
            }
        };
        // A counting sort: how many runs there are of each length, then the place of the next one.
        let mut places = vec![0usize; longest + 1];
        each(&mut |run| places[run.len as usize] += 1);
        let mut total = 0;
        for place in places.iter_mut().rev() {
            (*place, total) = (total, total + *place);
        }
        // Columns are dealt to the tasks in turns.
        let columns = total.div_ceil(width);
        let firsts: Vec<usize> = (0..=tasks)
            .scan(0, |sum, task| {
                let first = *sum;
                *sum += columns.saturating_sub(task).div_ceil(tasks);
                Some(first)
            })
            .collect();
        let mut list = vec![Run::default(); columns * width];
        each(&mut |run| {
            let place = &mut places[run.len as usize];
            let (column, lane) = (*place / width, *place % width);
            list[(firsts[column % tasks] + column / tasks) * width + lane] = run;
            *place += 1;
        });
        Self { list, ends: firsts[1..].iter().map(|first| first * width).collect() }
    }

    /// Each task's share, with its part of something that has a place for every run.
    pub(super) fn shares<'a, T>(&'a self, mut of_runs: &'a mut [T]) -> Vec<(&'a [Run], &'a mut [T])> {
        let mut start = 0;
        let share = self.ends.iter().map(|&end| {
            let (part, rest) = core::mem::take(&mut of_runs).split_at_mut(end - start);
            of_runs = rest;
            (&self.list[core::mem::replace(&mut start, end)..end], part)
        });
        share.filter(|(runs, _)| !runs.is_empty()).collect()
    }
}

/// What one round does. Rows of points that are loaded stand beside the rows of their entries.
#[derive(Default)]
pub(super) struct ColumnRound {
    /// Rows that take the first points of a column.
    pub(super) begun: Vec<(u32, u32)>,
    /// Rows that take one more point of each column in work.
    pub(super) more: Vec<(u32, u32)>,
    /// The rows of the columns in work, each beside the row that is added to it.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Rows that end with this round, and their columns.
    pub(super) ended: Vec<(u32, u32)>,
}

/// A column in work: its number, the row of its next entries, and the row after its last.
#[derive(Clone, Copy, Default)]
struct Slot {
    column: u32,
    next: u32,
    end: u32,
}

/// Writes a column row by row, a lane for each run, the longest first: the places behind the end of a shorter one stay as they are.
fn fill(column: &mut [u32], runs: &[Run], entries: &[u32], width: usize) {
    const LANES: usize = 8;
    let least = runs[width - 1].len as usize;
    let mut done = 0;
    if let Ok(runs) = <&[Run; LANES]>::try_from(runs) {
        // All lanes at once as far as the shortest run goes: what they read lies in eight places, and what they write in one.
        let of_lanes = runs.each_ref().map(|run| &run.of(entries)[..least]);
        for (i, row) in column.as_chunks_mut::<LANES>().0[..least].iter_mut().enumerate() {
            *row = of_lanes.map(|of_lane| of_lane[i]);
        }
        done = least;
    }
    for (lane, run) in runs.iter().enumerate() {
        let of_lane = column.iter_mut().skip(lane).step_by(width).skip(done);
        of_lane.zip(&run.of(entries)[done.min(run.len as usize)..]).for_each(|(to, of)| *to = *of);
    }
}

/// Plans the rounds of a task, one ahead of the work.
#[derive(Default)]
pub(super) struct ColumnRounds {
    /// The entries of all columns of two points or more, column by column and row by row.
    entries: Vec<u32>,
    slots: Vec<Slot>,
    /// Lengths of the columns to come, from the last to the next.
    waiting: Vec<u32>,
    /// The next column to begin, and the first row of its entries.
    column: u32,
    first: u32,
    now: ColumnRound,
    next: ColumnRound,
}

impl ColumnRounds {
    /// Plans the first round.
    pub(super) fn begin(&mut self, runs: &[Run], entries: &[u32], width: usize, batch: usize) {
        self.slots.clear();
        self.slots.resize(batch, Slot::default());
        (self.column, self.first) = (0, 0);
        self.waiting.clear();
        self.entries.clear();
        // Single points, which come last, are no work.
        let columns = || runs.chunks_exact(width).take_while(|runs| runs[0].len > 1);
        let rows: usize = columns().map(|runs| runs[0].len as usize).sum();
        self.entries.resize(rows * width, ABSENT);
        let mut rest = self.entries.as_mut_slice();
        let mut soon = columns().skip(1);
        for runs in columns() {
            // The runs of a column lie anywhere among the entries: those of the next one are asked for meanwhile.
            soon.next()
                .into_iter()
                .flatten()
                .for_each(|run| run.of(entries).chunks(LINE / size_of::<u32>()).for_each(fetch));
            let (column, after) = core::mem::take(&mut rest).split_at_mut(runs[0].len as usize * width);
            rest = after;
            fill(column, runs, entries, width);
            self.waiting.push(runs[0].len);
        }
        self.waiting.reverse();
        self.plan();
    }

    /// Goes on to the next round; says whether there is one.
    pub(super) fn step(&mut self) -> bool {
        swap(&mut self.now, &mut self.next);
        let more = !self.now.pairs.is_empty();
        if more {
            self.plan();
        }
        more
    }

    /// The entries of all columns, the round to do, and the one after it.
    pub(super) fn now(&self) -> (&[u32], &ColumnRound, &ColumnRound) {
        (&self.entries, &self.now, &self.next)
    }

    fn plan(&mut self) {
        let next = &mut self.next;
        next.begun.clear();
        next.more.clear();
        next.pairs.clear();
        next.ended.clear();
        let batch = self.slots.len() as u32;
        for (row, slot) in (0..).zip(&mut self.slots) {
            if slot.next == slot.end {
                let Some(len) = self.waiting.pop() else { continue };
                *slot = Slot { column: self.column, next: self.first + 1, end: self.first + len };
                next.begun.push((row, self.first));
                self.column += 1;
                self.first += len;
            }
            let other = batch + next.pairs.len() as u32;
            next.pairs.push((row, other));
            next.more.push((other, slot.next));
            slot.next += 1;
            if slot.next == slot.end {
                next.ended.push((row, slot.column));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Buckets of many lengths and their starts.
    fn starts() -> Vec<usize> {
        let sizes = [0, 3, 5, 0, 4000, 2, 8, 1, 1, 1, 9, 300, 17, 16, 0];
        let mut starts = vec![0];
        starts.extend(sizes.iter().cycle().take(200).scan(0, |sum, n| {
            *sum += n;
            Some(*sum)
        }));
        starts
    }

    #[test]
    fn runs_are_all_entries_in_shares_of_whole_columns() {
        let starts = starts();
        for (width, batch) in [(1, 4), (8, 2), (8, 64)] {
            let runs = Runs::new(&starts, width, batch);
            let mut places = vec![(); runs.list.len()];
            let mut seen = vec![0; starts[starts.len() - 1]];
            for (share, part) in runs.shares(&mut places) {
                assert!(share.len() == part.len() && share.len() % width == 0);
                assert!(share.is_sorted_by_key(|run| core::cmp::Reverse(run.len)));
                for run in share {
                    for at in run.start..run.start + run.len {
                        assert!(
                            (starts[run.bucket as usize]..starts[run.bucket as usize + 1])
                                .contains(&(at as usize))
                        );
                        seen[at as usize] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|n| *n == 1));
        }
        assert!(Runs::new(&[0, 0, 0], 8, 4).list.is_empty());
    }

    /// The entries that a column is given, round by round, are those of its runs.
    #[test]
    fn rounds_take_every_point_once_in_full_batches() {
        let starts = starts();
        let entries: Vec<u32> = (0..starts[starts.len() - 1] as u32).map(|i| 2 * i).collect();
        for (width, batch) in [(1, 4), (8, 2), (8, 64)] {
            let runs = Runs::new(&starts, width, batch);
            let mut places = vec![(); runs.list.len()];
            for (share, _) in runs.shares(&mut places) {
                let mut rounds = ColumnRounds::default();
                rounds.begin(share, &entries, width, batch);
                let mut held = vec![Vec::new(); batch];
                let (mut ended, mut short) = (0, false);
                while rounds.step() {
                    let (of_columns, now, _) = rounds.now();
                    let of_row = |row: u32| of_columns[row as usize * width..][..width].to_vec();
                    assert!(!short || now.begun.is_empty(), "columns begin as long as there are any");
                    short |= now.pairs.len() < batch;
                    for (row, first) in &now.begun {
                        held[*row as usize] = vec![of_row(*first)];
                    }
                    for ((row, other), (to, of)) in now.pairs.iter().zip(&now.more) {
                        assert!(*other as usize >= batch && other == to);
                        held[*row as usize].push(of_row(*of));
                    }
                    for (row, column) in &now.ended {
                        for (lane, run) in share[*column as usize * width..][..width].iter().enumerate() {
                            let got: Vec<u32> = held[*row as usize].iter().map(|row| row[lane]).collect();
                            let (own, absent) = got.split_at(run.len as usize);
                            assert_eq!(*own, entries[run.start as usize..][..run.len as usize]);
                            assert!(absent.iter().all(|e| *e == ABSENT));
                        }
                        ended += 1;
                    }
                }
                assert_eq!(ended, share.chunks(width).filter(|column| column[0].len > 1).count());
            }
        }
    }
}
