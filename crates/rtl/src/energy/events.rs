//! Event-driven simulation of gates with delays, in one lane: late inputs make outputs change more than once in a
//! cycle.

use super::delays::{Delays, LONGEST};
use super::gates::{Gates, Net, Readers};
use std::collections::VecDeque;

/// The treatment of pulses that are shorter than a gate's own delay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShortPulses {
    /// The gate swallows them, as real gates do (inertial delay).
    Swallowed,
    /// The gate passes all of them on (transport delay), which gives an upper bound of the cost of glitches.
    Passed,
}

/// The values of all nets, and their pending changes.
pub(super) struct Events<'a> {
    gates: &'a Gates<'a>,
    delays: &'a Delays,
    readers: &'a Readers,
    short: ShortPulses,
    values: Vec<bool>,
    /// The pending change times of each net, in order.
    pending: Vec<VecDeque<u32>>,
    /// Nets by the time of a pending change, in a ring (timing wheel).
    wheel: Vec<Vec<Net>>,
    waiting: usize,
    /// For each gate, the inputs that changed at the current time, one bit each.
    changed: Vec<u8>,
    touched: Vec<u32>,
    /// The number of changes of each net.
    pub(super) toggles: Vec<u64>,
}

impl<'a> Events<'a> {
    /// A simulation whose nets have settled on these values.
    pub(super) fn new(
        gates: &'a Gates<'a>,
        delays: &'a Delays,
        readers: &'a Readers,
        short: ShortPulses,
        settled: impl Fn(Net) -> bool,
    ) -> Self {
        Self {
            gates,
            delays,
            readers,
            short,
            values: (0..gates.nets as Net).map(settled).collect(),
            pending: vec![VecDeque::new(); gates.nets],
            wheel: vec![Vec::new(); usize::from(LONGEST) + 1],
            waiting: 0,
            changed: vec![0; gates.cells.len()],
            touched: Vec::new(),
            toggles: vec![0; gates.nets],
        }
    }

    /// The value of a net.
    pub(super) fn value(&self, net: Net) -> bool {
        self.values[net as usize]
    }

    /// Simulates a cycle: flip-flops sample their inputs, the block's inputs take these values, and all nets settle.
    pub(super) fn cycle(&mut self, input: impl Fn(Net) -> bool) {
        let (gates, delays) = (self.gates, self.delays);
        for register in &gates.registers {
            let kind = gates.kind(*register);
            let case = self.case(*register);
            for (at, (output, net)) in kind.outputs.iter().zip(gates.outputs_of(*register)).enumerate() {
                let value = output.table >> case & 1 == 1;
                let clock = kind.clock.unwrap_or(0);
                let time = delays.time(*register, at, clock, kind.inputs.len(), usize::from(!value));
                if value != self.value(*net) {
                    self.change(*net, u32::from(time));
                }
            }
        }
        for net in gates.inputs.iter().flatten() {
            if input(*net) != self.value(*net) {
                self.change(*net, u32::from(delays.entering));
            }
        }
        let mut now = 0;
        while self.waiting > 0 {
            self.moment(now);
            now += 1;
        }
    }

    /// The input values of a cell as an index into its function table.
    fn case(&self, cell: u32) -> usize {
        let pins = self.gates.inputs_of(cell).iter().enumerate();
        pins.fold(0, |case, (pin, net)| case | usize::from(self.value(*net)) << pin)
    }

    fn change(&mut self, net: Net, time: u32) {
        self.pending[net as usize].push_back(time);
        let places = self.wheel.len();
        self.wheel[time as usize % places].push(net);
        self.waiting += 1;
    }

    /// Processes one point in time: nets change, then the affected gates are evaluated.
    fn moment(&mut self, now: u32) {
        let (gates, readers) = (self.gates, self.readers);
        let place = now as usize % self.wheel.len();
        let nets = core::mem::take(&mut self.wheel[place]);
        self.waiting -= nets.len();
        for net in &nets {
            // A change that was cancelled has left its net in the wheel.
            if self.pending[*net as usize].front() != Some(&now) {
                continue;
            }
            self.pending[*net as usize].pop_front();
            self.values[*net as usize] ^= true;
            self.toggles[*net as usize] += 1;
            for (gate, pin) in readers.of(*net) {
                if self.changed[*gate as usize] == 0 {
                    self.touched.push(*gate);
                }
                self.changed[*gate as usize] |= 1 << pin;
            }
        }
        let mut touched = core::mem::take(&mut self.touched);
        for gate in touched.drain(..) {
            let changed = core::mem::take(&mut self.changed[gate as usize]);
            let case = self.case(gate);
            let kind = gates.kind(gate);
            for (at, (output, net)) in kind.outputs.iter().zip(gates.outputs_of(gate)).enumerate() {
                self.look(gate, at, *net, output.table >> case & 1 == 1, changed, now);
            }
        }
        self.touched = touched;
        // The slot keeps its allocation for the next turn of the wheel.
        let mut nets = nets;
        nets.clear();
        if self.wheel[place].is_empty() {
            self.wheel[place] = nets;
        }
    }

    /// Evaluates a gate's output: schedules its change after the longest delay from the inputs that moved.
    fn look(&mut self, gate: u32, output: usize, net: Net, value: bool, changed: u8, now: u32) {
        let pending = &self.pending[net as usize];
        let last = self.values[net as usize] ^ (pending.len() % 2 == 1);
        if value == last {
            return;
        }
        let inputs = self.gates.kind(gate).inputs.len();
        let moved = (0..inputs).filter(|pin| changed >> pin & 1 == 1);
        let times = moved.map(|pin| self.delays.time(gate, output, pin, inputs, usize::from(!value)));
        let time = now + u32::from(times.max().unwrap_or(1));
        let overtaken =
            pending.back().is_some_and(|before| self.short == ShortPulses::Swallowed || time <= *before);
        if overtaken {
            self.pending[net as usize].pop_back();
        } else {
            self.change(net, time);
        }
    }
}
