//! Stage 2, the arbiter: which operands may go to PADD and to the bucket memory in a cycle.

use super::padd::{Pair, Sum};
use super::{Addend, Formula, Msm};
use pairwright_sim::Clocked;

/// The decision of the arbiter in a cycle.
pub(super) struct Decision<P> {
    /// The operands that go to PADD, if any.
    pub(super) pair: Option<Pair<P>>,
    /// Whether the arbiter takes the point from the fetch stage.
    pub(super) point: bool,
    /// Whether the arbiter takes the result from the result buffer.
    pub(super) result: bool,
}

impl<P> Decision<P> {
    const NOTHING: Self = Self { pair: None, point: false, result: false };
}

/// Free entries that a point from memory needs in the queue before PADD. A result needs one; since a point leaves one free
/// for results, a full queue can never block results from returning.
const POINT_ROOM: usize = 2;

impl<P: Addend> Msm<P> {
    /// Decides one cycle of bucket accumulation.
    pub(super) fn arbitrate(&mut self) -> Decision<P> {
        let point = self.fetched.out().front;
        let result = self.adder.result();
        if point.is_none() && result.is_none() && self.conflict.is_empty() {
            return Decision::NOTHING;
        }
        match self.config.formula {
            Formula::Complete => self.complete(point, result),
            Formula::Mixed => self.mixed(point, result),
        }
    }

    /// The state-aware scheduler of \[CP\] §IV.C: five cases by whether a point and a result are present, whether both
    /// belong to the same bucket, and which buckets are occupied.
    fn complete(&mut self, point: Option<Sum<P>>, result: Option<Sum<P>>) -> Decision<P> {
        let room = self.adder.room();
        match (point, result) {
            (None, None) => Decision::NOTHING,
            (Some(point), None) => {
                self.tally.cases[0] += 1;
                let (pair, point) = self.place_point(point, room);
                Decision { pair, point, result: false }
            }
            (None, Some(result)) => {
                self.tally.cases[1] += 1;
                let (pair, result) = self.place_result(result, room);
                Decision { pair, point: false, result }
            }
            (Some((id, p)), Some((same, r))) if id == same => {
                self.tally.cases[2] += 1;
                if room == 0 {
                    self.tally.stalls.queue += 1;
                    return Decision::NOTHING;
                }
                Decision { pair: Some(Pair { to: id, a: p, b: r, stored: false }), point: true, result: true }
            }
            (Some(point), Some(result)) => {
                let both = self.buckets.occupied(point.0) && self.buckets.occupied(result.0);
                self.tally.cases[if both { 4 } else { 3 }] += 1;
                let (of_result, result) = self.place_result(result, room);
                if both {
                    // Only one bucket can be read and one pair be issued per cycle: the point waits.
                    self.tally.stalls.issue += 1;
                    return Decision { pair: of_result, point: false, result };
                }
                let (of_point, point) = self.place_point(point, room);
                Decision { pair: of_result.or(of_point), point, result }
            }
        }
    }

    /// Pairs a result with the content of its bucket, or stores it in the empty bucket.
    fn place_result(&mut self, (id, r): Sum<P>, room: usize) -> (Option<Pair<P>>, bool) {
        if !self.buckets.occupied(id) {
            self.buckets.put(id, r);
            (None, true)
        } else if room > 0 {
            (Some(Pair { to: id, a: r, b: self.buckets.take(id), stored: true }), true)
        } else {
            (None, false)
        }
    }

    /// Pairs a point with the content of its bucket, or stores it in the empty bucket if the write port or the buffer before
    /// it has room.
    fn place_point(&mut self, (id, p): Sum<P>, room: usize) -> (Option<Pair<P>>, bool) {
        if !self.buckets.occupied(id) {
            let accepts = self.buckets.accepts(id);
            if accepts {
                self.buckets.put(id, p);
            } else {
                self.tally.stalls.write_port += 1;
            }
            (None, accepts)
        } else if room >= POINT_ROOM {
            (Some(Pair { to: id, a: p, b: self.buckets.take(id), stored: true }), true)
        } else {
            self.tally.stalls.queue += 1;
            (None, false)
        }
    }

    /// The scheduler for mixed addition. The adder takes no two sums, so a result is stored in its bucket or paired with a
    /// point for it. A point whose bucket is in flight waits in a queue, whose head has priority over points from memory.
    fn mixed(&mut self, point: Option<Sum<P>>, result: Option<Sum<P>>) -> Decision<P> {
        self.tally.cases[match (&point, &result) {
            (Some(_), None) => 0,
            (None, _) => 1,
            (Some(p), Some(r)) if p.0 == r.0 => 2,
            (Some(p), Some(_)) => {
                if self.in_flight[p.0 as usize] {
                    4
                } else {
                    3
                }
            }
        }] += 1;
        let room = self.adder.room() > 0;
        let waiting = self.conflict.front().map(|(id, _)| *id);
        let mut decision = Decision::NOTHING;

        if let Some((id, r)) = result {
            // The result is paired with the next point for the same bucket, or goes back to the memory.
            let partner = match (&point, waiting) {
                _ if !room => None,
                (_, Some(head)) if head == id => self.conflict.pop_front(),
                (Some(p), _) if p.0 == id && !self.conflicts(id) => {
                    decision.point = true;
                    point.clone()
                }
                _ => None,
            };
            decision.result = true;
            match partner {
                Some((_, p)) => decision.pair = Some(Pair { to: id, a: r, b: p, stored: false }),
                None => {
                    self.in_flight[id as usize] = false;
                    self.buckets.put(id, r);
                }
            }
            // A bucket that was in flight at the beginning of the cycle counts as in flight for the rest of it.
            self.returned = Some(id);
        } else {
            self.returned = None;
        }
        if decision.pair.is_none()
            && room
            && let Some(head) = waiting
            && !self.busy(head)
            && self.buckets.occupied(head)
            && let Some((id, p)) = self.conflict.pop_front()
        {
            decision.pair = Some(self.with_bucket(id, p));
        }
        let Some((id, p)) = point.filter(|_| !decision.point) else { return decision };
        if self.busy(id) || self.conflicts(id) {
            decision.point = self.conflict.len() < self.config.conflict as usize;
            if decision.point {
                self.conflict.push_back((id, p));
            } else {
                self.tally.stalls.conflict += 1;
            }
        } else if !self.buckets.occupied(id) {
            decision.point = self.buckets.accepts(id);
            if decision.point {
                self.buckets.put(id, p);
            } else {
                self.tally.stalls.write_port += 1;
            }
        } else if decision.pair.is_none() && room {
            decision.point = true;
            decision.pair = Some(self.with_bucket(id, p));
        } else if room {
            self.tally.stalls.issue += 1;
        } else {
            self.tally.stalls.queue += 1;
        }
        decision
    }

    fn with_bucket(&mut self, id: u32, p: P) -> Pair<P> {
        self.in_flight[id as usize] = true;
        Pair { to: id, a: self.buckets.take(id), b: p, stored: true }
    }

    /// Whether the content of a bucket is in PADD at the beginning of the cycle.
    fn busy(&self, id: u32) -> bool {
        self.in_flight[id as usize] || self.returned == Some(id)
    }

    /// Whether points wait for a bucket, in which case later ones have to wait behind them.
    fn conflicts(&self, id: u32) -> bool {
        self.conflict.iter().any(|(waiting, _)| *waiting == id)
    }
}
