//! Stages 3 and 4: the queue before PADD, PADD itself, and the buffer of its results.

use super::formula::Timing;
use super::{Addend, MsmSpec};
use pairwright_sim::{Clocked, Fifo, FifoIn, Pipe};

/// Two operands with the destination of their sum.
#[derive(Clone, Debug)]
pub struct Pair<P> {
    /// The bucket or, in a reduction, the sum that the result belongs to.
    pub to: u32,
    /// The first operand.
    pub a: P,
    /// The second operand.
    pub b: P,
    /// Whether one of the operands comes from the bucket memory.
    pub stored: bool,
}

/// A sum with its destination.
pub(super) type Sum<P> = (u32, P);

/// The staged pair, the queue, the registers of all parts, and the results.
pub(super) type AdderRegisters<'a, P> =
    (Option<&'a Pair<P>>, Vec<&'a Pair<P>>, Vec<Option<&'a Sum<P>>>, Vec<&'a Sum<P>>);

/// A part of PADD: a pipeline that stalls when the value at its end cannot advance, and a counter that admits a pair once
/// per interval.
#[derive(Clone, Debug)]
struct Part<P> {
    pipe: Pipe<Sum<P>>,
    wait: u32,
}

/// The adder PADD: at most one pair of operands enters per cycle, and sums leave in order.
///
/// The queue and the result buffer show their readiness as registers. Between the loops of a cascade readiness is passed on
/// within the cycle: a loop whose sum is taken has room for the next, so two loops in step lose no cycle.
#[derive(Clone, Debug)]
pub(super) struct Adder<P> {
    /// The register behind the bucket memory's read port: both operands of a pair are available a cycle after the decision.
    staged: Option<Pair<P>>,
    fifo: Fifo<Pair<P>>,
    fifo_most: usize,
    /// One pipeline, or the loops of a cascade.
    parts: Vec<Part<P>>,
    interval: u32,
    element_cycles: u64,
    results: Fifo<Sum<P>>,
    results_most: usize,
    inside: usize,
    pub(super) started: u64,
    pub(super) busy: u64,
    pub(super) element_busy: u64,
    pub(super) stall_cycles: u64,
}

impl<P: Addend> Adder<P> {
    pub(super) fn new(config: &MsmSpec, timing: &Timing) -> Self {
        let mut adder = Self {
            staged: None,
            fifo: Fifo::new(config.fifo as usize),
            fifo_most: config.fifo as usize,
            parts: Vec::new(),
            interval: 1,
            element_cycles: 0,
            results: Fifo::new(config.results as usize),
            results_most: config.results as usize,
            inside: 0,
            started: 0,
            busy: 0,
            element_busy: 0,
            stall_cycles: 0,
        };
        adder.lay_out(timing);
        adder
    }

    /// Configures the empty adder for a formula.
    pub(super) fn lay_out(&mut self, timing: &Timing) {
        assert!(self.is_empty(), "the adder is set up anew with {} pairs in it", self.inside);
        self.parts = timing.parts.iter().map(|l| Part { pipe: Pipe::new(*l), wait: 0 }).collect();
        self.interval = timing.interval;
        self.element_cycles = u64::from(timing.element_cycles);
    }

    /// The staged pair, the queue, the registers of all parts, and the results.
    pub(super) fn registers(&self) -> AdderRegisters<'_, P> {
        let pipe = self.parts.iter().flat_map(|part| part.pipe.registers()).collect();
        (self.staged.as_ref(), self.fifo.items().collect(), pipe, self.results.items().collect())
    }

    /// Whether no pair or sum is in flight, from the arbiter's decision to the result buffer's output.
    pub(super) fn is_empty(&self) -> bool {
        self.inside == 0
    }

    /// Free entries for pairs that the decision of this cycle may use.
    pub(super) fn room(&self) -> usize {
        self.fifo_most - self.fifo.len() - usize::from(self.staged.is_some())
    }

    /// The oldest result in the buffer.
    pub(super) fn result(&self) -> Option<Sum<P>> {
        self.results.out().front
    }

    /// The clock edge: `pair` is the pair that was issued, `taken` is whether the result was taken.
    pub(super) fn tick(&mut self, pair: Option<Pair<P>>, taken: bool) {
        if self.inside == 0 && pair.is_none() {
            return self.rest(1);
        }
        self.inside += usize::from(pair.is_some());
        self.inside -= usize::from(taken);

        // From the last part to the first: whether the value at the end of a part advances in this cycle.
        let mut ready = self.results.len() < self.results_most;
        let parts = self.parts.len();
        let mut out = None;
        let mut started = false;
        for i in (0..parts).rev() {
            let part = &self.parts[i];
            let stuck = part.pipe.front().is_some() && !ready;
            self.stall_cycles += u64::from(stuck);
            let enters = !stuck && part.wait == 0;
            let input = match i {
                _ if !enters => None,
                0 => self.fifo.out().front.map(|pair| (pair.to, pair.a.add(&pair.b))),
                _ => self.parts[i - 1].pipe.front().cloned(),
            };
            ready = enters;
            if stuck {
                continue;
            }
            let part = &mut self.parts[i];
            part.wait = if input.is_some() { self.interval - 1 } else { part.wait.saturating_sub(1) };
            started |= i == 0 && input.is_some();
            if i + 1 == parts {
                out = part.pipe.front().cloned();
            }
            part.pipe.tick(input);
        }
        if out.is_some() || taken {
            self.results.tick(FifoIn { push: out, pop: taken });
        }
        let staged = core::mem::replace(&mut self.staged, pair);
        if staged.is_some() || started {
            self.fifo.tick(FifoIn { push: staged, pop: started });
        }
        if started {
            self.started += 1;
            self.busy += u64::from(self.interval);
            self.element_busy += self.element_cycles;
        }
    }

    /// Advances the empty adder by `cycles` cycles in which no pair enters.
    pub(super) fn rest(&mut self, cycles: u64) {
        assert!(self.is_empty(), "the adder rests with {} pairs in it", self.inside);
        let cycles = u32::try_from(cycles).unwrap_or(u32::MAX);
        self.parts.iter_mut().for_each(|part| part.wait = part.wait.saturating_sub(cycles));
    }
}
