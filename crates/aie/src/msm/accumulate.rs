//! Bucket accumulation: adds points from DRAM into buckets, simulated cycle by cycle of the programmable logic.
//!
//! One scheduler makes one decision per cycle, from registered state alone. If a waiting addition's bucket is free again,
//! that addition goes to a unit; otherwise the scheduler takes the next digit. The addition for that digit goes to a
//! unit, or waits because its bucket is busy; a zero digit needs no addition. One result is written back per cycle. The
//! scheduler stalls while the next digit can neither be issued nor wait. Cycles in which nothing can happen are skipped
//! in one step.

use super::plan::{Limbs, Recoded, WindowPlan};
use super::units::Units;
use super::values::{Term, Values};
use super::{FirstPoint, Job, MsmError, Spread};
use pairwright_sim::dram::{Dram, Piece};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The number of parts of the buffer of points; each part is fetched as a whole.
pub(super) const PARTS_OF_BUFFER: u32 = 4;

/// The state of a bucket, as the scheduler knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Empty,
    Full,
    /// An addition into the bucket is in progress.
    Busy,
}

/// The buckets of a pass, stored lane by lane.
pub(super) struct Buckets<S> {
    state: Vec<State>,
    sums: Vec<S>,
    lane: usize,
}

impl<S: Clone> Buckets<S> {
    pub(super) fn new(plan: &WindowPlan, empty: &S) -> Self {
        let count = plan.lanes as usize * plan.buckets as usize;
        Self {
            state: vec![State::Empty; count],
            sums: vec![empty.clone(); count],
            lane: plan.buckets as usize,
        }
    }

    pub(super) fn clear(&mut self, empty: &S) {
        self.state.fill(State::Empty);
        self.sums.fill(empty.clone());
    }

    /// The sum in a lane's bucket for digits of this magnitude; `None` if the bucket is empty.
    pub(super) fn get(&self, lane: usize, magnitude: usize) -> Option<&S> {
        let at = lane * self.lane + magnitude - 1;
        (self.state[at] != State::Empty).then(|| &self.sums[at])
    }
}

/// Fetches of points and scalars from DRAM, chunk by chunk.
struct Fetch {
    chunk: u64,
    points: u64,
    bytes: [u32; 2],
    /// For each chunk in the buffer, the cycle in which it is complete.
    arrivals: VecDeque<u64>,
    /// The number of chunks requested so far.
    asked: u64,
}

impl Fetch {
    /// Requests chunks while the buffer has room, and notes the cycles of each request and of its completion.
    fn ask(&mut self, now: u64, dram: &mut Dram, times: &mut Vec<[u64; 2]>) {
        while self.arrivals.len() < PARTS_OF_BUFFER as usize && self.asked * self.chunk < self.points {
            let first = self.asked * self.chunk;
            let count = self.chunk.min(self.points - first);
            // Scalars are stored behind the points.
            let base = [0, (self.points * u64::from(self.bytes[0])).next_multiple_of(4096)];
            let pieces = [0, 1].map(|array| {
                let bytes = u64::from(self.bytes[array]);
                Piece { address: base[array] + first * bytes, bytes: (count * bytes) as u32 }
            });
            let done = dram.transfer(now, false, pieces).done;
            self.arrivals.push_back(done);
            times.push([now, done]);
            self.asked += 1;
        }
    }
}

/// An addition of a term to a bucket.
#[derive(Clone, Copy, Debug)]
struct BucketAddition {
    bucket: u32,
    lane: u32,
    term: Term,
}

/// The counts of bucket accumulation so far, over all passes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) cycles: u64,
    pub(super) zeros: u64,
    pub(super) copies: u64,
    pub(super) conflicts: u64,
    pub(super) waiting: u64,
    /// Idle times of the units by cause, in parts of an engine's cycle (see `units`).
    pub(super) bubbles: u64,
    pub(super) starved: u64,
    pub(super) skipped: u64,
    /// For each chunk of points, the cycles in which it was requested and complete.
    pub(super) fetches: Vec<[u64; 2]>,
}

/// Why the scheduler issued no addition in a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Idle {
    /// All additions at hand go to busy buckets.
    Conflict,
    /// The next point has not arrived.
    Memory,
    /// The scheduler handled a digit that needs no unit.
    Scheduler,
}

/// The decision of the scheduler in a cycle.
enum Decision {
    Done,
    /// The scheduler did nothing; its state can change by itself in the cycle given at the earliest.
    Still(u64),
}

/// The next digit: the index of its point, the recoded scalar of that point once it has been read, and the lane.
#[derive(Default)]
struct NextDigit {
    point: u64,
    scalar: Option<Recoded>,
    lane: u32,
}

/// A pass over all points, which accumulates the windows that it covers.
pub(super) struct Pass<'a, V: Values> {
    pub(super) job: &'a Job,
    pub(super) plan: &'a WindowPlan,
    pub(super) units: &'a mut Units,
    pub(super) dram: &'a mut Dram,
    pub(super) bytes: [u32; 2],
    pub(super) values: &'a mut V,
    pub(super) buckets: &'a mut Buckets<V::Sum>,
    pub(super) tally: &'a mut Tally,
    /// The first window of the pass.
    pub(super) first: u32,
}

/// The fetches, waiting additions and pending results of a pass.
struct PassState {
    fetch: Fetch,
    head: NextDigit,
    /// Waiting additions, the oldest first, each with whether its bucket is free again.
    waiting: VecDeque<(BucketAddition, bool)>,
    /// The number of waiting additions whose bucket is free again.
    free: usize,
    /// Pending results: the cycle in which each arrives, and its bucket.
    returning: BinaryHeap<Reverse<(u64, u32)>>,
    /// Why the units have been idle since the scheduler last waited for a unit.
    idle: Option<Idle>,
}

impl<V: Values> Pass<'_, V> {
    /// Adds all points, beginning in cycle `start`; returns the first cycle after the last result is written.
    pub(super) fn run(&mut self, start: u64, scalar: impl Fn(u64) -> Limbs) -> Result<u64, MsmError> {
        let fetch = Fetch {
            chunk: u64::from(self.job.buffer_points / PARTS_OF_BUFFER),
            points: self.job.points,
            bytes: self.bytes,
            arrivals: VecDeque::new(),
            asked: 0,
        };
        let mut state = PassState {
            fetch,
            head: NextDigit::default(),
            waiting: VecDeque::new(),
            free: 0,
            returning: BinaryHeap::new(),
            idle: None,
        };
        let mut now = start;
        self.units.begin(start);
        state.fetch.ask(now, self.dram, &mut self.tally.fetches);
        while state.head.point < self.job.points || !state.waiting.is_empty() || !state.returning.is_empty() {
            // A result that arrives in this cycle is visible to the scheduler in the next cycle.
            let back = state.returning.peek().map_or(u64::MAX, |Reverse((at, _))| (*at).max(now));
            let step = self.decide(now, &mut state, &scalar)?;
            if back == now {
                self.write_back(&mut state);
            }
            now = match step {
                Decision::Done => now + 1,
                // Nothing can happen before the next pending result or chunk arrives.
                Decision::Still(_) if back == now => now + 1,
                Decision::Still(change) => {
                    let next = change.min(back).max(now + 1);
                    assert!(next < u64::MAX, "additions wait, and none is under way");
                    next
                }
            };
        }
        self.tally.cycles += now - start;
        Ok(now)
    }

    /// Writes a result to its bucket; the oldest addition that waits for this bucket becomes free.
    fn write_back(&mut self, state: &mut PassState) {
        let Some(Reverse((_, bucket))) = state.returning.pop() else { return };
        self.buckets.state[bucket as usize] = State::Full;
        if let Some((_, free)) = state.waiting.iter_mut().find(|(task, _)| task.bucket == bucket) {
            *free = true;
            state.free += 1;
        }
    }

    /// The scheduler's decision in a cycle: it issues the oldest free addition, or handles the next digit.
    fn decide(
        &mut self,
        now: u64,
        state: &mut PassState,
        scalar: &impl Fn(u64) -> Limbs,
    ) -> Result<Decision, MsmError> {
        let mut change = u64::MAX;
        if state.free > 0 {
            let ready =
                |(task, free): &(BucketAddition, bool)| if *free { self.unit(task.lane).1 } else { u64::MAX };
            if let Some(at) = state.waiting.iter().position(|waits| ready(waits) <= now)
                && let Some((task, _)) = state.waiting.remove(at)
            {
                state.free -= 1;
                self.issue(task, now, state)?;
                return Ok(Decision::Done);
            }
            change = state.waiting.iter().map(ready).min().unwrap_or(u64::MAX);
        }
        if state.head.point == self.job.points {
            state.idle = Some(Idle::Conflict);
            return Ok(Decision::Still(change));
        }
        let arrival = state.fetch.arrivals.front().copied().unwrap_or(u64::MAX);
        if arrival > now {
            state.idle = Some(Idle::Memory);
            return Ok(Decision::Still(change.min(arrival)));
        }
        let NextDigit { point, scalar: recoded, lane } = &mut state.head;
        let recoded = *recoded.get_or_insert_with(|| self.plan.recode(&scalar(*point)));
        let digit = self.plan.digit(&recoded, self.first + *lane);
        let task = BucketAddition {
            bucket: *lane * self.plan.buckets + digit.unsigned_abs().max(1) - 1,
            lane: *lane,
            term: Term { point: *point as usize, negative: digit < 0 },
        };
        let at = task.bucket as usize;
        match self.buckets.state[at] {
            _ if digit == 0 => {
                self.tally.zeros += 1;
                state.idle.get_or_insert(Idle::Scheduler);
            }
            State::Busy if state.waiting.len() == self.job.queue as usize => {
                state.idle = Some(Idle::Conflict);
                return Ok(Decision::Still(change));
            }
            State::Busy => {
                state.idle.get_or_insert(Idle::Scheduler);
                self.tally.conflicts += 1;
                state.waiting.push_back((task, false));
                self.tally.waiting = self.tally.waiting.max(state.waiting.len() as u64);
            }
            State::Empty if self.job.first == FirstPoint::Copy => {
                state.idle.get_or_insert(Idle::Scheduler);
                self.tally.copies += 1;
                self.buckets.sums[at] = self.values.copy(task.term);
                self.buckets.state[at] = State::Full;
            }
            State::Empty | State::Full => match self.unit(task.lane).1 {
                ready if ready > now => {
                    state.idle = None;
                    return Ok(Decision::Still(change.min(ready)));
                }
                _ => self.issue(task, now, state)?,
            },
        }
        self.next_digit(now, state);
        Ok(Decision::Done)
    }

    /// Advances to the next window of the same point, or to the next point.
    fn next_digit(&mut self, now: u64, state: &mut PassState) {
        let PassState { head, fetch, .. } = state;
        head.lane += 1;
        if head.lane < self.plan.lanes.min(self.plan.windows - self.first) {
            return;
        }
        *head = NextDigit { point: head.point + 1, ..NextDigit::default() };
        if head.point.is_multiple_of(fetch.chunk) || head.point == fetch.points {
            fetch.arrivals.pop_front();
            fetch.ask(now, self.dram, &mut self.tally.fetches);
        }
    }

    /// The unit for an addition of a lane, and the cycle from which it accepts one.
    fn unit(&self, lane: u32) -> (usize, u64) {
        match self.job.spread {
            Spread::Points => self.units.soonest(0, 1),
            Spread::Windows => {
                let count = self.units.count();
                self.units.soonest(lane as usize % count, count)
            }
        }
    }

    /// Issues an addition to its unit.
    fn issue(&mut self, task: BucketAddition, now: u64, state: &mut PassState) -> Result<(), MsmError> {
        let (unit, _) = self.unit(task.lane);
        let (back, idle) = self.units.take(unit, now);
        state.returning.push(Reverse((back, task.bucket)));
        *match state.idle {
            Some(Idle::Conflict) => &mut self.tally.bubbles,
            Some(Idle::Memory) => &mut self.tally.starved,
            // The scheduler takes at least one cycle.
            Some(Idle::Scheduler) | None => &mut self.tally.skipped,
        } += idle;
        let at = task.bucket as usize;
        // The sum is stored already now; it is not read before the state of the bucket changes.
        self.buckets.sums[at] = self.values.mixed(&self.buckets.sums[at], task.term)?;
        self.buckets.state[at] = State::Busy;
        Ok(())
    }
}
