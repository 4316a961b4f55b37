//! Simulation of gates without delays, in 64 lanes at once: each net changes at most once a cycle, to its settled
//! value.

use super::gates::{Gates, HIGH, Net};

/// The values of all nets in 64 lanes, and their numbers of changes.
pub(super) struct Lanes<'a> {
    gates: &'a Gates<'a>,
    values: Vec<u64>,
    /// The next values of flip-flop outputs, taken over at the edge.
    next: Vec<u64>,
    /// The number of changes of each net, over all lanes.
    pub(super) toggles: Vec<u64>,
}

impl<'a> Lanes<'a> {
    pub(super) fn new(gates: &'a Gates<'a>) -> Self {
        let mut values = vec![0; gates.nets];
        values[HIGH as usize] = u64::MAX;
        Self { gates, values, next: Vec::new(), toggles: vec![0; gates.nets] }
    }

    /// The value of a net in all lanes.
    pub(super) fn value(&self, net: Net) -> u64 {
        self.values[net as usize]
    }

    /// Applies the inputs, bit by bit, and the flip-flop values of the last edge, and settles all nets; counts changes
    /// if `counted` is set.
    pub(super) fn settle(&mut self, inputs: &[Vec<u64>], counted: bool) {
        let gates = self.gates;
        for (nets, values) in gates.inputs.iter().zip(inputs) {
            for (net, value) in nets.iter().zip(values) {
                self.set(*net, *value, counted);
            }
        }
        let next = core::mem::take(&mut self.next);
        let states = gates.registers.iter().flat_map(|register| gates.outputs_of(*register));
        for (net, value) in states.zip(&next) {
            self.set(*net, *value, counted);
        }
        self.next = next;
        for gate in &gates.order {
            for (output, net) in gates.kind(*gate).outputs.iter().zip(gates.outputs_of(*gate)) {
                let pins = gates.inputs_of(*gate);
                let value = output.function.lanes(|k| self.values[pins[k] as usize]);
                self.set(*net, value, counted);
            }
        }
    }

    /// The rising edge of the clock: flip-flops sample their inputs.
    pub(super) fn edge(&mut self) {
        self.next.clear();
        for register in &self.gates.registers {
            let pins = self.gates.inputs_of(*register);
            for output in &self.gates.kind(*register).outputs {
                self.next.push(output.function.lanes(|k| self.values[pins[k] as usize]));
            }
        }
    }

    fn set(&mut self, net: Net, value: u64, counted: bool) {
        let place = &mut self.values[net as usize];
        if counted {
            self.toggles[net as usize] += u64::from((*place ^ value).count_ones());
        }
        *place = value;
    }
}
