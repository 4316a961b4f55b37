//! The model's side of a run as waveforms, with the names and the hierarchy of the hardware's.

use super::{Expected, Inputs};
use crate::Block;
use crate::error::RtlError;
use pairwright_sim::trace::{Signal, Vcd};
use std::path::Path;

/// Inputs, outputs and registers of a model over a run. Inputs change at even times, in the middle of a cycle, and all else at
/// odd ones, at the clock's rising edge. Where the model says nothing, a signal is unknown.
pub struct Waves {
    vcd: Vcd,
    clock: Signal,
    inputs: Vec<Signal>,
    outputs: Vec<Signal>,
    registers: Vec<Signal>,
    time: u64,
}

impl Waves {
    /// Waveforms of a block before its first cycle.
    pub fn new(block: &Block) -> Self {
        let mut vcd = Vcd::in_units_of("half a cycle");
        let clock = vcd.signal(&block.name, "clk", 1);
        let mut all = |signals: &[crate::Signal]| -> Vec<Signal> {
            let declare = |signal: &crate::Signal| {
                // After an instance and a point, a name is that of a register in the instance.
                let (scope, name) = match signal.name.rsplit_once('.') {
                    Some((instance, name)) => (format!("{}.{instance}", block.name), name),
                    None => (block.name.clone(), signal.name.as_str()),
                };
                vcd.signal(&scope, name, signal.bits)
            };
            signals.iter().map(declare).collect()
        };
        let (inputs, outputs) = (all(&block.inputs), all(&block.outputs));
        let registers = all(&block.registers);
        Self { vcd, clock, inputs, outputs, registers, time: 0 }
    }

    /// A cycle: its inputs, and what the model says of outputs and registers after the edge at its end.
    pub fn cycle(&mut self, input: &Inputs, outputs: &Expected, registers: &Expected) {
        self.vcd.set_word(self.clock, self.time, 0);
        for (at, signal) in self.inputs.iter().enumerate() {
            self.vcd.set(*signal, self.time, input.get(at));
        }
        self.time += 1;
        self.vcd.set_word(self.clock, self.time, 1);
        for (signals, expected) in [(&self.outputs, outputs), (&self.registers, registers)] {
            for (at, signal) in signals.iter().enumerate() {
                match expected.get(at) {
                    Some(value) => self.vcd.set(*signal, self.time, value),
                    None => self.vcd.unknown(*signal, self.time),
                }
            }
        }
        self.time += 1;
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`RtlError::File`].
    pub fn write(&self, path: &Path) -> Result<(), RtlError> {
        let failed = |source| RtlError::File { path: path.to_owned(), source };
        let file = std::fs::File::create(path).map_err(failed)?;
        self.vcd.write(std::io::BufWriter::new(file)).map_err(failed)
    }
}
