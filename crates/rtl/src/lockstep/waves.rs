//! The waveforms of the model in a run, with the names and the hierarchy of the hardware's.

use super::{Expected, Inputs};
use crate::Block;
use crate::error::RtlError;
use pairwright_sim::trace::{Signal, Vcd};
use std::path::Path;

/// Inputs, outputs and registers of a model over a run. Inputs change at even times, in the middle of a cycle, and all
/// other signals at odd times, at the rising clock edge. Where the model predicts no value, a signal is unknown.
pub struct Waves {
    vcd: Vcd,
    clock: Signal,
    inputs: Vec<Signal>,
    outputs: Vec<Signal>,
    registers: Vec<Signal>,
    time: u64,
}

impl Waves {
    /// The waveforms of a block before its first cycle.
    pub fn new(block: &Block) -> Self {
        let mut vcd = Vcd::in_units_of("half a cycle");
        let clock = vcd.signal(&block.name, "clk", 1);
        let mut all = |signals: &[crate::Signal]| -> Vec<Signal> {
            let declare = |signal: &crate::Signal| {
                // A name with a dot is that of a register in an instance.
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

    /// Records a cycle: its inputs, and the predicted outputs and registers after the edge at its end.
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

    /// Writes the file as a value change dump.
    ///
    /// # Errors
    /// [`RtlError::File`].
    pub fn write(&self, path: &Path) -> Result<(), RtlError> {
        let failed = |source| RtlError::File { path: path.to_owned(), source };
        let file = std::fs::File::create(path).map_err(failed)?;
        self.vcd.write(std::io::BufWriter::new(file)).map_err(failed)
    }
}
