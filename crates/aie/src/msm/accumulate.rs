//! Bucket accumulation: points from DRAM into buckets, cycle by cycle of the programmable logic.
//!
//! One scheduler makes one decision a cycle, by registered state alone. An addition that waited and whose bucket is free
//! again goes to a unit; otherwise the next digit is looked at. Its addition goes to a unit, or waits because its bucket is
//! under way, or there is none because the digit is zero. One result is written back a cycle. The scheduler stands still
//! while the next digit can go nowhere. Cycles in which nothing can happen are skipped at once.

use super::plan::{Limbs, Recoded, WindowPlan};
use super::units::Units;
use super::values::{Term, Values};
use super::{FirstPoint, Job, MsmError, Spread};
use pairwright_sim::dram::{Dram, Piece};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The parts of the points' buffer, each of which is fetched as a whole.
pub(super) const PARTS_OF_BUFFER: u32 = 4;

/// What the scheduler knows of a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Empty,
    Full,
    /// An addition is under way.
    Busy,
}

/// The buckets of a pass, lane by lane.
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

    /// The bucket of a lane's digit of this magnitude, unless it is empty.
    pub(super) fn get(&self, lane: usize, magnitude: usize) -> Option<&S> {
        let at = lane * self.lane + magnitude - 1;
        (self.state[at] != State::Empty).then(|| &self.sums[at])
    }
}

/// The fetches of points and scalars, chunk by chunk.
struct Fetch {
    chunk: u64,
    points: u64,
    bytes: [u32; 2],
    /// When each chunk in the buffer is there.
    arrivals: VecDeque<u64>,
    /// How many chunks were asked for.
    asked: u64,
}

impl Fetch {
    /// Asks for chunks while there is room, and notes when each was asked for and is there.
    fn ask(&mut self, now: u64, dram: &mut Dram, times: &mut Vec<[u64; 2]>) {
        while self.arrivals.len() < PARTS_OF_BUFFER as usize && self.asked * self.chunk < self.points {
            let first = self.asked * self.chunk;
            let count = self.chunk.min(self.points - first);
            // Scalars lie behind the points.
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

/// An addition into a bucket.
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
    /// Idle times of units by their cause, in parts of an engine's cycle.
    pub(super) bubbles: u64,
    pub(super) starved: u64,
    pub(super) skipped: u64,
    /// When each chunk of points was asked for, and when it was there.
    pub(super) fetches: Vec<[u64; 2]>,
}

/// Why the scheduler gave no unit anything in a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Idle {
    /// All additions at hand go to buckets under way.
    Conflict,
    /// No point has arrived.
    Memory,
    /// The scheduler did something that needs no unit.
    Scheduler,
}

/// What the scheduler did in a cycle.
enum Decision {
    Done,
    /// The scheduler did nothing; the state may change by itself in that cycle.
    Still(u64),
}

/// The next digit: its point, that point's scalar once it has been read, and its lane.
#[derive(Default)]
struct NextDigit {
    point: u64,
    scalar: Option<Recoded>,
    lane: u32,
}

/// A pass under way.
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

/// The fetches, waiting additions and results on their way in a pass.
struct InFlight {
    fetch: Fetch,
    head: NextDigit,
    /// Additions that wait for buckets, oldest first, and whether their bucket is free again.
    waiting: VecDeque<(BucketAddition, bool)>,
    /// How many of the waiting additions could go.
    free: usize,
    /// When which bucket's sum comes back.
    returning: BinaryHeap<Reverse<(u64, u32)>>,
    /// Why units have been idle since an addition last waited for a unit.
    idle: Option<Idle>,
}

impl<V: Values> Pass<'_, V> {
    /// Adds all points from a cycle on; the first cycle after the last result has been written.
    pub(super) fn run(&mut self, start: u64, scalar: impl Fn(u64) -> Limbs) -> Result<u64, MsmError> {
        let fetch = Fetch {
            chunk: u64::from(self.job.buffer_points / PARTS_OF_BUFFER),
            points: self.job.points,
            bytes: self.bytes,
            arrivals: VecDeque::new(),
            asked: 0,
        };
        let mut flight = InFlight {
            fetch,
            head: NextDigit::default(),
            waiting: VecDeque::new(),
            free: 0,
            returning: BinaryHeap::new(),
            idle: None,
        };
        let mut now = start;
        self.units.begin(start);
        flight.fetch.ask(now, self.dram, &mut self.tally.fetches);
        while flight.head.point < self.job.points
            || !flight.waiting.is_empty()
            || !flight.returning.is_empty()
        {
            // What comes back in this cycle is seen in the next one.
            let back = flight.returning.peek().map_or(u64::MAX, |Reverse((at, _))| (*at).max(now));
            let step = self.decide(now, &mut flight, &scalar)?;
            if back == now {
                self.write_back(&mut flight);
            }
            now = match step {
                Decision::Done => now + 1,
                // Nothing happens before what is on its way arrives.
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

    /// A result is written; an addition that waits for its bucket may go.
    fn write_back(&mut self, flight: &mut InFlight) {
        let Some(Reverse((_, bucket))) = flight.returning.pop() else { return };
        self.buckets.state[bucket as usize] = State::Full;
        if let Some((_, free)) = flight.waiting.iter_mut().find(|(task, _)| task.bucket == bucket) {
            *free = true;
            flight.free += 1;
        }
    }

    /// What the scheduler does in a cycle: the oldest addition that waited and can go, or the next digit.
    fn decide(
        &mut self,
        now: u64,
        flight: &mut InFlight,
        scalar: &impl Fn(u64) -> Limbs,
    ) -> Result<Decision, MsmError> {
        let mut change = u64::MAX;
        if flight.free > 0 {
            let ready =
                |(task, free): &(BucketAddition, bool)| if *free { self.unit(task.lane).1 } else { u64::MAX };
            if let Some(at) = flight.waiting.iter().position(|waits| ready(waits) <= now)
                && let Some((task, _)) = flight.waiting.remove(at)
            {
                flight.free -= 1;
                self.issue(task, now, flight)?;
                return Ok(Decision::Done);
            }
            change = flight.waiting.iter().map(ready).min().unwrap_or(u64::MAX);
        }
        if flight.head.point == self.job.points {
            flight.idle = Some(Idle::Conflict);
            return Ok(Decision::Still(change));
        }
        let arrival = flight.fetch.arrivals.front().copied().unwrap_or(u64::MAX);
        if arrival > now {
            flight.idle = Some(Idle::Memory);
            return Ok(Decision::Still(change.min(arrival)));
        }
        let NextDigit { point, scalar: recoded, lane } = &mut flight.head;
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
                flight.idle.get_or_insert(Idle::Scheduler);
            }
            State::Busy if flight.waiting.len() == self.job.queue as usize => {
                flight.idle = Some(Idle::Conflict);
                return Ok(Decision::Still(change));
            }
            State::Busy => {
                flight.idle.get_or_insert(Idle::Scheduler);
                self.tally.conflicts += 1;
                flight.waiting.push_back((task, false));
                self.tally.waiting = self.tally.waiting.max(flight.waiting.len() as u64);
            }
            State::Empty if self.job.first == FirstPoint::Copy => {
                flight.idle.get_or_insert(Idle::Scheduler);
                self.tally.copies += 1;
                self.buckets.sums[at] = self.values.copy(task.term);
                self.buckets.state[at] = State::Full;
            }
            State::Empty | State::Full => match self.unit(task.lane).1 {
                ready if ready > now => {
                    flight.idle = None;
                    return Ok(Decision::Still(change.min(ready)));
                }
                _ => self.issue(task, now, flight)?,
            },
        }
        self.next_digit(now, flight);
        Ok(Decision::Done)
    }

    /// The next window of the same point, or the next point.
    fn next_digit(&mut self, now: u64, flight: &mut InFlight) {
        let InFlight { head, fetch, .. } = flight;
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

    /// The unit for a lane's addition, and from when on it takes one.
    fn unit(&self, lane: u32) -> (usize, u64) {
        match self.job.spread {
            Spread::Points => self.units.soonest(0, 1),
            Spread::Windows => {
                let count = self.units.count();
                self.units.soonest(lane as usize % count, count)
            }
        }
    }

    /// Gives an addition to its unit.
    fn issue(&mut self, task: BucketAddition, now: u64, flight: &mut InFlight) -> Result<(), MsmError> {
        let (unit, _) = self.unit(task.lane);
        let (back, idle) = self.units.take(unit, now);
        flight.returning.push(Reverse((back, task.bucket)));
        *match flight.idle {
            Some(Idle::Conflict) => &mut self.tally.bubbles,
            Some(Idle::Memory) => &mut self.tally.starved,
            // A cycle is the least that the scheduler takes.
            Some(Idle::Scheduler) | None => &mut self.tally.skipped,
        } += idle;
        let at = task.bucket as usize;
        // The sum is there from now on; nobody looks before its state says so.
        self.buckets.sums[at] = self.values.mixed(&self.buckets.sums[at], task.term)?;
        self.buckets.state[at] = State::Busy;
        Ok(())
    }
}
