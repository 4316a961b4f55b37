//! Loads, transition times and delays of a block's cells, from the library's tables and without wires.

use super::gates::{Gates, Kind, Net};
use crate::synth::{Arc, ENTERING, Library};

/// The longest delay in picoseconds that can be represented; longer ones are clipped to it.
pub(super) const LONGEST: u16 = u16::MAX;

/// Loads and transition times of nets, and delays of cells.
pub(super) struct Delays {
    /// Capacitance of the pins on each net, in the library's unit.
    pub(super) loads: Vec<f64>,
    /// The number of pins on each net.
    pub(super) pins: Vec<u32>,
    /// Transition times of a rise and of a fall of each net.
    pub(super) transitions: Vec<[f64; 2]>,
    /// Delays in picoseconds for each cell, output and input, to a rise and to a fall.
    times: Vec<[u16; 2]>,
    starts: Vec<u32>,
    /// Picoseconds after the clock edge at which the block's inputs change, as if they came from flip-flops.
    pub(super) entering: u16,
}

impl Delays {
    pub(super) fn of(gates: &Gates<'_>, library: &Library) -> Self {
        let mut loads = vec![0.0; gates.nets];
        let mut pins = vec![0; gates.nets];
        let (mut starts, mut next) = (Vec::with_capacity(gates.cells.len()), 0u32);
        for cell in 0..gates.cells.len() as u32 {
            let kind = gates.kind(cell);
            starts.push(next);
            next += (kind.inputs.len() * kind.outputs.len()) as u32;
            for (pin, net) in kind.inputs.iter().zip(gates.inputs_of(cell)) {
                loads[*net as usize] += kind.cell.inputs.get(pin).copied().unwrap_or(0.0);
                pins[*net as usize] += 1;
            }
        }
        // Each output is loaded with a flip-flop, for delays but not for energies.
        let mut felt = loads.clone();
        let flip_flop = library.flip_flop();
        let load = flip_flop.and_then(|cell| cell.inputs.get("D")).copied().unwrap_or(0.0);
        gates.outputs.iter().flatten().for_each(|net| felt[*net as usize] += load);
        let arc = flip_flop.and_then(|cell| cell.outputs.values().flatten().find(|arc| arc.edge));
        let entering = arc.map_or(1, |arc| of_arc(arc, 0, ENTERING, load, library).unwrap_or(1));
        let transitions = vec![[ENTERING; 2]; gates.nets];
        let times = vec![[1; 2]; next as usize];
        let mut delays = Self { loads, pins, transitions, times, starts, entering };
        for cell in gates.registers.iter().chain(&gates.order) {
            delays.place(gates, *cell, &felt, library);
        }
        delays
    }

    /// Computes the delays of a cell whose input transition times are known, and the transition times of its outputs.
    fn place(&mut self, gates: &Gates<'_>, cell: u32, loads: &[f64], library: &Library) {
        let Kind { cell: figures, inputs, outputs, .. } = gates.kind(cell);
        for (at, (output, net)) in outputs.iter().zip(gates.outputs_of(cell)).enumerate() {
            let load = loads[*net as usize];
            let mut slowest = [0.0f64; 2];
            for (pin, (input, from)) in inputs.iter().zip(gates.inputs_of(cell)).enumerate() {
                let arcs = || figures.outputs[&output.pin].iter().filter(|arc| arc.from == *input);
                for to in 0..2 {
                    let entering = |arc: &Arc| {
                        let of = self.transitions[*from as usize];
                        match (arc.edge, arc.keeps, arc.inverts) {
                            (true, ..) => ENTERING,
                            (_, true, false) => of[to],
                            (_, false, true) => of[1 - to],
                            _ => (of[0] + of[1]) / 2.0,
                        }
                    };
                    let times: Vec<u16> =
                        arcs().filter_map(|arc| of_arc(arc, to, entering(arc), load, library)).collect();
                    let slopes = arcs().filter_map(|arc| {
                        let [_, transition] = arc.tables[to].as_ref()?;
                        Some(transition.at(entering(arc), load))
                    });
                    slowest[to] = slopes.fold(slowest[to], f64::max);
                    if !times.is_empty() {
                        let sum: u32 = times.iter().map(|time| u32::from(*time)).sum();
                        let start = self.starts[cell as usize] as usize + at * inputs.len() + pin;
                        self.times[start][to] = (sum / times.len() as u32) as u16;
                    }
                }
            }
            self.transitions[*net as usize] = slowest;
        }
    }

    /// Delay in picoseconds from an input of a cell to a rise (0) or a fall (1) of an output.
    pub(super) fn time(&self, cell: u32, output: usize, input: usize, inputs: usize, to: usize) -> u16 {
        self.times[self.starts[cell as usize] as usize + output * inputs + input][to]
    }

    /// The transition time of a net, as the mean of rise and fall.
    pub(super) fn transition(&self, net: Net) -> f64 {
        let [rise, fall] = self.transitions[net as usize];
        (rise + fall) / 2.0
    }
}

/// Delay of a timing arc in picoseconds, at least one; `None` if the arc does not lead to this transition.
fn of_arc(arc: &Arc, to: usize, transition: f64, load: f64, library: &Library) -> Option<u16> {
    let [delay, _] = arc.tables[to].as_ref()?;
    let time = (delay.at(transition, load) * library.picoseconds).round();
    Some(time.clamp(1.0, f64::from(LONGEST)) as u16)
}
