//! The sequencer of bucket reduction (\[CP\] Fig. 19) and group aggregation, which use PADD.

use super::memory::Buckets;
use super::padd::Pair;
use super::{Addend, Msm, MsmEngineError};
use std::collections::VecDeque;

/// Two running sums over values `v_0, v_1, …`, from the last to the first: `run = Σ v_k` and, if weighted,
/// `total = Σ (k+1)·v_k`.
///
/// Both are in PADD at the same time, each depending only on itself: while `total` adds a value of `run`, `run` adds the
/// next `v_k`. An absent value costs a cycle of the sequencer and no addition.
#[derive(Clone, Debug)]
pub struct Lane<P> {
    /// The sum of the values so far; `None` before the first.
    pub run: Option<P>,
    /// The weighted sum so far; `None` before the first.
    pub total: Option<P>,
    /// Whether the next `run` is in PADD.
    pub run_in_flight: bool,
    /// Whether the next `total` is in PADD.
    pub total_in_flight: bool,
    /// Whether `total` still has to add the present `run`.
    pub owed: bool,
    /// Number of values that `run` has not added yet.
    pub left: u32,
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

    /// Adds `run` to `total`: an addition, or a move if it is the first; `None` if it has to wait.
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

    /// Adds the next value to `run` in the same way.
    fn advance(
        &mut self,
        room: bool,
        value: impl FnOnce(u32) -> Option<P>,
        present: bool,
    ) -> Option<Option<(P, P)>> {
        match &self.run {
            Some(run) if present => {
                let value = if room { value(self.left - 1)? } else { return None };
                self.run_in_flight = true;
                self.left -= 1;
                Some(Some((run.clone(), value)))
            }
            // An absent value leaves `run` as it is, and `total` has to add the same `run` once more. So it waits until
            // `total` has added the last one.
            _ if self.owed => None,
            _ => {
                if present {
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
#[derive(Clone, Debug)]
pub(super) enum Values<P> {
    /// Buckets: each lane has this number of consecutive ones.
    Segments(u32),
    /// Registers: each lane has a row of values.
    Registers(Vec<Vec<Option<P>>>),
}

impl<P: Clone> Values<P> {
    /// Whether value `k` of a lane is present.
    fn present(&self, buckets: &Buckets<P>, lane: usize, k: u32) -> bool {
        match self {
            Self::Segments(n) => buckets.occupied(lane as u32 * n + k),
            Self::Registers(rows) => rows[lane][k as usize].is_some(),
        }
    }

    /// Removes value `k` of a lane from its source and returns it.
    fn take(&mut self, buckets: &mut Buckets<P>, lane: usize, k: u32) -> Option<P> {
        match self {
            Self::Segments(n) => Some(buckets.take(lane as u32 * *n + k)),
            Self::Registers(rows) => rows[lane][k as usize].take(),
        }
    }
}

/// A step of a chain.
#[derive(Clone, Debug)]
pub enum ReductionStep<P> {
    /// Doubles the sum.
    Double,
    /// Adds a point, if there is one.
    Add(Option<P>),
}

/// A chain of steps on one sum, each of which depends on the one before.
#[derive(Clone, Debug)]
pub struct BucketChain<P> {
    /// The sum so far; `None` before the first point.
    pub sum: Option<P>,
    /// The steps that have not begun yet.
    pub steps: VecDeque<ReductionStep<P>>,
    /// Whether the next sum is in PADD.
    pub in_flight: bool,
}

impl<P: Addend> BucketChain<P> {
    pub(super) fn new(sum: Option<P>) -> Self {
        Self { sum, steps: VecDeque::new(), in_flight: false }
    }

    fn done(&self) -> bool {
        self.steps.is_empty() && !self.in_flight
    }

    /// Starts the next step: an addition, or a move if one operand is absent; `None` if it has to wait.
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

/// The phase of a sequence.
#[derive(Clone, Debug)]
enum Phase<P> {
    /// Sums of bucket accumulation are still in flight.
    Drain,
    /// The segments of every window are summed from their buckets.
    Parts(Vec<Lane<P>>, Values<P>),
    /// The two sums over the segments of every window are computed.
    Merges(Vec<Lane<P>>, Values<P>),
    /// Dependent doublings and additions.
    Chains(Vec<BucketChain<P>>),
}

/// The state of a bucket reduction or a group aggregation between two cycles.
#[derive(Clone, Debug)]
pub struct Sequence<P> {
    phase: Phase<P>,
    /// The first window of a reduction; `None` for an aggregation, whose chain waits until the engine is empty.
    window: Option<usize>,
    aggregation: Option<BucketChain<P>>,
    done: bool,
}

impl<P> Sequence<P> {
    /// Whether the sequence is done.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the sequence still waits for sums of bucket accumulation.
    pub fn drains(&self) -> bool {
        matches!(self.phase, Phase::Drain)
    }

    /// The lanes of the current phase, and whether they are those that merge segments.
    pub fn lanes(&self) -> Option<(&[Lane<P>], bool)> {
        match &self.phase {
            Phase::Parts(lanes, _) => Some((lanes, false)),
            Phase::Merges(lanes, _) => Some((lanes, true)),
            _ => None,
        }
    }

    /// The values for the lanes that merge segments: a row per lane.
    pub fn merged(&self) -> Option<&[Vec<Option<P>>]> {
        match &self.phase {
            Phase::Merges(_, Values::Registers(rows)) => Some(rows),
            _ => None,
        }
    }

    /// The chains, in the last phase.
    pub fn chains(&self) -> Option<&[BucketChain<P>]> {
        match &self.phase {
            Phase::Chains(chains) => Some(chains),
            _ => None,
        }
    }
}

impl<P: Addend> Msm<P> {
    /// Prepares a reduction of the buckets into the windows from `first` on; see [`Msm::reduce`].
    ///
    /// # Errors
    /// No such window.
    pub fn begin_reduction(&self, first: u32) -> Result<Sequence<P>, MsmEngineError> {
        if first as usize >= self.windows.len() {
            return Err(MsmEngineError::Window { window: first, windows: self.windows.len() as u32 });
        }
        Ok(Sequence { phase: Phase::Drain, window: Some(first as usize), aggregation: None, done: false })
    }

    /// Prepares an aggregation of all windows; see [`Msm::aggregate`].
    ///
    /// # Errors
    /// A window that was not reduced.
    pub fn begin_aggregation(&self) -> Result<Sequence<P>, MsmEngineError> {
        let bits = self.config.window(self.group);
        let mut chain = BucketChain::new(None);
        for window in (0..self.windows.len() as u32).rev() {
            let sum = self.windows[window as usize].clone().ok_or(MsmEngineError::NotReduced { window })?;
            chain.steps.extend((0..bits).map(|_| ReductionStep::Double));
            chain.steps.push_back(ReductionStep::Add(sum));
        }
        Ok(Sequence { phase: Phase::Drain, window: None, aggregation: Some(chain), done: false })
    }

    /// Executes a cycle of a sequence that is not done.
    pub fn sequence(&mut self, run: &mut Sequence<P>) {
        if run.drains() {
            if !self.quiet() {
                self.tally.drain += 1;
                self.step(None);
                return;
            }
            self.start(run);
            if run.done {
                return;
            }
        }
        match &mut run.phase {
            Phase::Drain => {}
            Phase::Parts(lanes, values) | Phase::Merges(lanes, values) => self.move_lane(lanes, values),
            Phase::Chains(chains) => self.move_chain(chains),
        }
        self.finish(run);
    }

    /// Starts the first phase of a sequence after draining, when nothing is in flight.
    fn start(&mut self, run: &mut Sequence<P>) {
        self.adder.lay_out(&self.reduction);
        run.phase = match run.aggregation.take() {
            Some(chain) => Phase::Chains(vec![chain]),
            None => {
                let span = self.span();
                let lanes = self.config.segments(self.group) * self.config.windows_per_fetch;
                Phase::Parts(vec![Lane::new(span, true); lanes as usize], Values::Segments(span))
            }
        };
        self.finish(run);
    }

    /// Number of buckets of a segment.
    fn span(&self) -> u32 {
        self.buckets_per_window / self.config.segments(self.group)
    }

    /// Enters the next phase while the current one is at its end.
    fn finish(&mut self, run: &mut Sequence<P>) {
        loop {
            run.phase = match &mut run.phase {
                Phase::Parts(parts, _) if parts.iter().all(Lane::done) => {
                    let segments = self.config.segments(self.group);
                    let (mut merges, mut registers) = (Vec::new(), Vec::new());
                    for window in parts.chunks(segments as usize) {
                        merges.push(Lane::new(segments - 1, true));
                        registers.push(window[1..].iter().map(|part| part.run.clone()).collect());
                        merges.push(Lane::new(segments, false));
                        registers.push(window.iter().map(|part| part.total.clone()).collect());
                    }
                    Phase::Merges(merges, Values::Registers(registers))
                }
                Phase::Merges(merges, _) if merges.iter().all(Lane::done) => {
                    let doublings = self.span().ilog2();
                    let chain = |merge: &[Lane<P>]| {
                        let mut chain = BucketChain::new(merge[0].total.clone());
                        chain.steps.extend((0..doublings).map(|_| ReductionStep::Double));
                        chain.steps.push_back(ReductionStep::Add(merge[1].run.clone()));
                        chain
                    };
                    Phase::Chains(merges.chunks(2).map(chain).collect())
                }
                Phase::Chains(chains) if chains.iter().all(BucketChain::done) => {
                    if let Some(first) = run.window {
                        for (chain, sum) in chains.iter().zip(&mut self.windows[first..]) {
                            *sum = Some(chain.sum.clone());
                        }
                    }
                    run.done = true;
                    self.adder.lay_out(&self.accumulation);
                    return;
                }
                _ => return,
            };
        }
    }

    /// Executes a cycle in which one of the lanes may start an addition.
    fn move_lane(&mut self, lanes: &mut [Lane<P>], values: &mut Values<P>) {
        let room = self.adder.room() > 0;
        let result = self.adder.result();
        // `total` has priority over `run`: a new `run` waits while `total` has not added the one before.
        let first = result.as_ref().map_or(0, |(to, _)| *to as usize / 2);
        let order = core::iter::once(first).chain(0..lanes.len());
        let mut moved =
            order.map(|i| lanes[i].sum_up(room).map(|pair| (2 * i + 1, pair))).find_map(|moved| moved);
        for (i, lane) in lanes.iter_mut().enumerate() {
            if moved.is_none() && lane.left > 0 && !lane.run_in_flight {
                let present = values.present(&self.buckets, i, lane.left - 1);
                let value = |k| values.take(&mut self.buckets, i, k);
                moved = lane.advance(room, value, present).map(|pair| (2 * i, pair));
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
        let buckets = matches!(values, Values::Segments(_));
        let stored = |to: usize| buckets && to.is_multiple_of(2);
        let pair =
            moved.and_then(|(to, pair)| pair.map(|(a, b)| Pair { to: to as u32, a, b, stored: stored(to) }));
        self.edge(pair, taken);
    }

    /// Executes a cycle in which one of the chains may start a step.
    fn move_chain(&mut self, chains: &mut [BucketChain<P>]) {
        let room = self.adder.room() > 0;
        let moved = chains.iter_mut().enumerate().find_map(|(i, c)| c.advance(room).map(|pair| (i, pair)));
        let result = self.adder.result();
        let taken = result.is_some();
        if let Some((to, sum)) = result {
            let chain = &mut chains[to as usize];
            (chain.sum, chain.in_flight) = (Some(sum), false);
        }
        let pair =
            moved.and_then(|(to, pair)| pair.map(|(a, b)| Pair { to: to as u32, a, b, stored: false }));
        self.edge(pair, taken);
    }
}
