//! Exports a mapped block and its net activity for other programs: a netlist in Verilog and a value change dump.

use super::delays::Delays;
use super::gates::{Gates, HIGH, Net};
use super::lanes::Lanes;
use super::price;
use super::report::Switching;
use crate::Block;
use crate::error::RtlError;
use crate::synth::Library;
use crate::tools::write;
use pairwright_sim::trace::{Signal, Vcd};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{File, create_dir_all};
use std::io::BufWriter;
use std::path::Path;

/// One lane of a count without delays, net by net.
pub struct Exported {
    /// The energies that this crate computes for these cycles.
    pub switching: Switching,
    /// Number of cycles.
    pub cycles: u64,
    /// Length of a cycle in the dump in nanoseconds: the block's longest path rounded up, at least two for both edges
    /// of the clock.
    pub cycle_ns: u64,
}

/// The lane being recorded.
pub(super) struct Lane {
    changes: Vcd,
    clock: Signal,
    /// The signal of each net, from [`HIGH`] on.
    signals: Vec<Signal>,
    values: Vec<bool>,
    toggles: Vec<u64>,
    cycles: u64,
    cycle_ns: u64,
}

impl Lane {
    /// A dump of a block's nets, all unknown.
    pub(super) fn new(gates: &Gates<'_>, path_ps: f64) -> Self {
        let mut changes = Vcd::in_units_of("a nanosecond");
        let clock = changes.signal("block", "clk", 1);
        let clocked = clock_of(gates);
        let mut drivers = vec![None; gates.nets];
        for cell in 0..gates.cells.len() as u32 {
            for (output, net) in gates.kind(cell).outputs.iter().zip(gates.outputs_of(cell)) {
                drivers[*net as usize] = Some((cell, output.pin.as_str()));
            }
        }
        // Programs that estimate power look for the pins of cells.
        let signal = |net: Net| match drivers[net as usize] {
            _ if Some(net) == clocked => clock,
            Some((cell, pin)) => changes.signal(&format!("block.u{cell}"), pin, 1),
            None => changes.signal("block", &format!("n{net}"), 1),
        };
        let signals = (HIGH + 1..gates.nets as Net).map(signal).collect();
        Self {
            changes,
            clock,
            signals,
            values: vec![false; gates.nets],
            toggles: vec![0; gates.nets],
            cycles: 0,
            cycle_ns: ((path_ps / 1000.0).ceil() as u64).max(2),
        }
    }

    /// Records a cycle in which the nets have settled, with the values of the first lane.
    pub(super) fn cycle(&mut self, lanes: &Lanes<'_>) {
        let time = self.cycles * self.cycle_ns;
        self.changes.set(self.clock, time, &[1]);
        self.changes.set(self.clock, time + self.cycle_ns / 2, &[0]);
        for (net, signal) in (HIGH + 1..).zip(&self.signals) {
            let value = lanes.value(net) & 1 == 1;
            let before = std::mem::replace(&mut self.values[net as usize], value);
            if *signal != self.clock && (self.cycles == 0 || before != value) {
                self.changes.set(*signal, time, &[u64::from(value)]);
                self.toggles[net as usize] += u64::from(self.cycles > 0);
            }
        }
        self.cycles += 1;
    }

    /// Writes `BLOCK.v` and `BLOCK.vcd` into a folder.
    ///
    /// # Errors
    /// [`RtlError::File`] for a file that cannot be written.
    pub(super) fn finish(
        mut self,
        block: &Block,
        gates: &Gates<'_>,
        library: &Library,
        delays: &Delays,
        folder: &Path,
    ) -> Result<Exported, RtlError> {
        let path = |kind: &str| folder.join(format!("{}.{kind}", block.name));
        let netlist = path("v");
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| RtlError::File { path, source }
        };
        create_dir_all(folder).map_err(at(folder))?;
        write(&netlist, &verilog(block, gates))?;
        // The last value lasts for a whole cycle too.
        self.changes.set(self.clock, self.cycles * self.cycle_ns, &[1]);
        let dump = path("vcd");
        let file = File::create(&dump).map_err(at(&dump))?;
        self.changes.write(&mut BufWriter::new(file)).map_err(at(&dump))?;
        Ok(Exported {
            switching: price::switching(gates, library, delays, &self.toggles, self.cycles),
            cycles: self.cycles,
            cycle_ns: self.cycle_ns,
        })
    }
}

/// The net of the clock, if there are flip-flops.
fn clock_of(gates: &Gates<'_>) -> Option<Net> {
    let register = *gates.registers.first()?;
    Some(gates.inputs_of(register)[gates.kind(register).clock?])
}

/// The cells of a block as one Verilog module. Net `k` is called `n<k>`; inputs have the names of their nets, outputs
/// those of the block.
fn verilog(block: &Block, gates: &Gates<'_>) -> String {
    let clock = clock_of(gates);
    let name = |net: Net| match net {
        net if Some(net) == clock => "clk".to_owned(),
        0 => "1'b0".to_owned(),
        HIGH => "1'b1".to_owned(),
        net => format!("n{net}"),
    };
    let inputs: BTreeSet<Net> = gates.inputs.iter().flatten().copied().collect();
    let outputs: Vec<(String, Net)> = block
        .outputs
        .iter()
        .zip(&gates.outputs)
        .flat_map(|(signal, nets)| {
            nets.iter().enumerate().map(|(bit, net)| (format!("{}_{bit}", signal.name), *net))
        })
        .collect();
    let ports = inputs.iter().map(|net| name(*net)).chain(outputs.iter().map(|(port, _)| port.clone()));
    let ports: Vec<String> = std::iter::once("clk".to_owned()).chain(ports).collect();
    let mut text = format!("module {} ({});\n    input clk;\n", block.name, ports.join(", "));
    for net in &inputs {
        let _ = writeln!(text, "    input {};", name(*net));
    }
    for (port, net) in &outputs {
        let _ = writeln!(text, "    output {port};\n    assign {port} = {};", name(*net));
    }
    for net in (HIGH + 1..gates.nets as Net).filter(|net| !inputs.contains(net) && Some(*net) != clock) {
        let _ = writeln!(text, "    wire {};", name(net));
    }
    for cell in 0..gates.cells.len() as u32 {
        let kind = gates.kind(cell);
        let inputs = kind.inputs.iter().zip(gates.inputs_of(cell));
        let outputs = kind.outputs.iter().map(|output| &output.pin).zip(gates.outputs_of(cell));
        let pins: Vec<String> =
            inputs.chain(outputs).map(|(pin, net)| format!(".{pin}({})", name(*net))).collect();
        let _ = writeln!(text, "    {} u{cell} ({});", kind.name, pins.join(", "));
    }
    text + "endmodule\n"
}
