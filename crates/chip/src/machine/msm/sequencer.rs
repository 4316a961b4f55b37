//! Bucket reduction (\[CP\] Fig. 19) and group aggregation through PADD.

use super::memory::Buckets;
use super::padd::Pair;
use super::{Addend, Msm};
use std::collections::VecDeque;

/// Two running sums over values `v_0, v_1, …`, from the last to the first: `run = Σ v_k` and, if weighted,
/// `total = Σ (k+1)·v_k`.
///
/// Both are in PADD at the same time, each depending on itself only: while `total` takes up a value of `run`, `run`
/// takes up the next `v_k`. What is not there costs a cycle of the sequencer and no addition.
#[derive(Clone, Debug)]
pub(super) struct Lane<P> {
    pub(super) run: Option<P>,
    pub(super) total: Option<P>,
    run_in_flight: bool,
    total_in_flight: bool,
    /// Whether `total` has yet to take up the present `run`.
    owed: bool,
    left: u32,
    weighted: bool,
}

impl<P: Addend> Lane<P> {
    pub(super) fn new(values: u32, weighted: bool) -> Self {
        Self {
            run: None,
            total: None,
            run_in_flight: false,
            total_in_flight: false,
            owed: false,
            left: values,
            weighted,
        }
    }

    fn done(&self) -> bool {
        self.left == 0 && !self.run_in_flight && !self.total_in_flight && !self.owed
    }

    /// `total` takes up `run`: an addition, or a move if it is the first; `None` if it has to wait.
    fn sum_up(&mut self, room: bool) -> Option<Option<(P, P)>> {
        if !self.owed || self.total_in_flight {
            return None;
        }
        let run = self.run.clone()?;
        match &self.total {
            None => {
                self.total = Some(run);
                self.owed = false;
                Some(None)
            }
            Some(total) if room => {
                self.owed = false;
                self.total_in_flight = true;
                Some(Some((total.clone(), run)))
            }
            Some(_) => None,
        }
    }

    /// `run` takes up the next value, likewise.
    fn advance(
        &mut self,
        room: bool,
        value: impl FnOnce(u32) -> Option<P>,
        there: bool,
    ) -> Option<Option<(P, P)>> {
        match &self.run {
            Some(run) if there => {
                let value = if room { value(self.left - 1)? } else { return None };
                self.run_in_flight = true;
                self.left -= 1;
                Some(Some((run.clone(), value)))
            }
            // A value that changes nothing is taken up only when nothing is owed: the same sum is owed again.
            _ if self.owed => None,
            _ => {
                if there {
                    self.run = value(self.left - 1);
                }
                self.left -= 1;
                self.owed = self.weighted && self.run.is_some();
                Some(None)
            }
        }
    }
}

/// The source of the lanes' values.
pub(super) trait Values<P> {
    /// Whether value `k` of a lane is there.
    fn there(&self, buckets: &Buckets<P>, lane: usize, k: u32) -> bool;
    /// Takes value `k` of a lane out of its source.
    fn take(&mut self, buckets: &mut Buckets<P>, lane: usize, k: u32) -> Option<P>;
}

/// Buckets, `n` consecutive ones a lane.
pub(super) struct Segments(pub(super) u32);

impl<P: Clone> Values<P> for Segments {
    fn there(&self, buckets: &Buckets<P>, lane: usize, k: u32) -> bool {
        buckets.occupied(lane as u32 * self.0 + k)
    }
    fn take(&mut self, buckets: &mut Buckets<P>, lane: usize, k: u32) -> Option<P> {
        Some(buckets.take(lane as u32 * self.0 + k))
    }
}

/// Registers, a row a lane.
pub(super) struct Registers<P>(pub(super) Vec<Vec<Option<P>>>);

impl<P> Values<P> for Registers<P> {
    fn there(&self, _: &Buckets<P>, lane: usize, k: u32) -> bool {
        self.0[lane][k as usize].is_some()
    }
    fn take(&mut self, _: &mut Buckets<P>, lane: usize, k: u32) -> Option<P> {
        self.0[lane][k as usize].take()
    }
}

/// A step of a chain.
#[derive(Clone, Debug)]
pub(super) enum ReductionStep<P> {
    Double,
    Add(Option<P>),
}

/// Steps on one sum, each of which needs the one before.
#[derive(Clone, Debug)]
pub(super) struct Chain<P> {
    pub(super) sum: Option<P>,
    pub(super) steps: VecDeque<ReductionStep<P>>,
    in_flight: bool,
}

impl<P: Addend> Chain<P> {
    pub(super) fn new(sum: Option<P>) -> Self {
        Self { sum, steps: VecDeque::new(), in_flight: false }
    }

    fn done(&self) -> bool {
        self.steps.is_empty() && !self.in_flight
    }

    /// The next step: an addition, or a move where one side is not there; `None` if it has to wait.
    fn advance(&mut self, room: bool) -> Option<Option<(P, P)>> {
        if self.in_flight {
            return None;
        }
        let operands = match (self.steps.front()?, &self.sum) {
            (ReductionStep::Double, Some(sum)) => Some((sum.clone(), sum.clone())),
            (ReductionStep::Add(Some(p)), Some(sum)) => Some((sum.clone(), p.clone())),
            (ReductionStep::Add(p), None) => {
                self.sum = p.clone();
                None
            }
            (ReductionStep::Double, None) | (ReductionStep::Add(None), _) => None,
        };
        if operands.is_some() && !room {
            return None;
        }
        self.in_flight = operands.is_some();
        self.steps.pop_front();
        Some(operands)
    }
}

impl<P: Addend> Msm<P> {
    /// Runs lanes to their ends, all at once; one of them moves in a cycle.
    pub(super) fn run_lanes(&mut self, lanes: &mut [Lane<P>], values: &mut impl Values<P>) {
        while !lanes.iter().all(Lane::done) {
            let room = self.adder.room() > 0;
            let result = self.adder.result();
            // A run that comes back while the one before is still owed waits, so that total goes before all others;
            // totals go before runs.
            let first = result.as_ref().map_or(0, |(to, _)| *to as usize / 2);
            let order = core::iter::once(first).chain(0..lanes.len());
            let mut moved =
                order.map(|i| lanes[i].sum_up(room).map(|pair| (2 * i + 1, pair))).find_map(|moved| moved);
            for (i, lane) in lanes.iter_mut().enumerate() {
                if moved.is_none() && lane.left > 0 && !lane.run_in_flight {
                    let there = values.there(&self.buckets, i, lane.left - 1);
                    let value = |k| values.take(&mut self.buckets, i, k);
                    moved = lane.advance(room, value, there).map(|pair| (2 * i, pair));
                }
            }
            let mut taken = false;
            if let Some((to, sum)) = result {
                let lane = &mut lanes[to as usize / 2];
                if to % 2 == 1 {
                    (lane.total, lane.total_in_flight, taken) = (Some(sum), false, true);
                } else if !lane.owed {
                    (lane.run, lane.run_in_flight, taken) = (Some(sum), false, true);
                    lane.owed = lane.weighted;
                }
            }
            let pair = moved.and_then(|(to, pair)| pair.map(|(a, b)| Pair { to: to as u32, a, b }));
            self.edge(pair, taken);
        }
    }

    /// Runs chains to their ends, all at once; one of them moves in a cycle.
    pub(super) fn run_chains(&mut self, chains: &mut [Chain<P>]) {
        while !chains.iter().all(Chain::done) {
            let room = self.adder.room() > 0;
            let moved =
                chains.iter_mut().enumerate().find_map(|(i, c)| c.advance(room).map(|pair| (i, pair)));
            let result = self.adder.result();
            let taken = result.is_some();
            if let Some((to, sum)) = result {
                let chain = &mut chains[to as usize];
                (chain.sum, chain.in_flight) = (Some(sum), false);
            }
            let pair = moved.and_then(|(to, pair)| pair.map(|(a, b)| Pair { to: to as u32, a, b }));
            self.edge(pair, taken);
        }
    }
}
