//! Blocks for FPGAs: a block behind AXI4-Stream and AXI4-Lite interfaces, and its FPGA resources.

mod estimate;

pub use estimate::{DEVICE, Estimate, FAMILY, Resources, estimate, estimates};

use crate::error::RtlError;
use crate::{Block, Signal};
use std::fmt::Write as _;

/// The hand-written adapter between a block and its buses.
const SHELL: &str = include_str!("shell.sv");

/// Width of a stream word in bits.
const WORD: u32 = 64;

/// Inputs and outputs that the adapter drives and reads itself.
const HANDSHAKE: [&str; 5] = ["rst", "en", "in_valid", "in_ready", "out_valid"];

/// A block with its buses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrappedBlock {
    /// Name of the top module: that of the block with the suffix `_axis`.
    pub name: String,
    /// The text of the adapter and the top module, without the block.
    pub text: String,
}

/// The number of stream words of a list of operands or results; each signal begins with a new word.
fn words<'a>(signals: impl IntoIterator<Item = &'a &'a Signal>) -> usize {
    signals.into_iter().map(|signal| signal.words()).sum()
}

/// Prints a block with its buses.
///
/// # Errors
/// [`RtlError::NoStream`] for a block with other ports than operands and results.
pub fn wrap(block: &Block) -> Result<WrappedBlock, RtlError> {
    let of = |signals: &'_ [Signal]| -> Vec<Signal> {
        signals.iter().filter(|s| !HANDSHAKE.contains(&s.name.as_str())).cloned().collect()
    };
    let (operands, results) = (of(&block.inputs), of(&block.outputs));
    let (operands, results): (Vec<&Signal>, Vec<&Signal>) =
        (operands.iter().collect(), results.iter().collect());
    if !STREAMS.contains(&block.name.as_str()) {
        return Err(RtlError::NoStream { block: block.name.clone(), known: STREAMS.join(", ") });
    }
    let (taken, given) = (words(&operands), words(&results));
    let name = format!("{}_axis", block.name);
    let mut connections = String::new();
    let mut at = 0;
    for signal in &operands {
        let _ = write!(connections, ",\n        .{}(operands[{}:{at}])", signal.name, at + signal.bits - 1);
        at += WORD * signal.words() as u32;
    }
    let mut results_of = String::new();
    at = 0;
    for signal in &results {
        let _ = write!(connections, ",\n        .{}(result[{}:{at}])", signal.name, at + signal.bits - 1);
        let end = at + WORD * signal.words() as u32;
        if at + signal.bits < end {
            let (high, low) = (end - 1, at + signal.bits);
            let _ = writeln!(results_of, "    assign result[{high}:{low}] = {}'d0;", end - low);
        }
        at = end;
    }
    let mut ready = "    assign block_ready = 1'b1;\n";
    if block.outputs.iter().any(|output| output.name == "in_ready") {
        ready = "";
        connections += ",\n        .in_ready(block_ready)";
    }
    let list = |signals: &[&Signal]| {
        signals.iter().map(|s| format!("{} ({})", s.name, s.words())).collect::<Vec<_>>().join(", ")
    };
    let ports = SHELL.split_once("    input  wire aclk").map_or("", |(_, rest)| rest);
    let ports = ports.split_once("    output wire block_rst").map_or("", |(ports, _)| ports);
    let ports = format!("    input  wire aclk{}", ports.trim_end().trim_end_matches(','));
    let buses: String = ports
        .lines()
        .filter_map(|line| line.trim_end_matches(',').rsplit(' ').next())
        .map(|name| format!("        .{name}({name}),\n"))
        .collect();
    let top = format!(
        "// Words of operands: {}; of results: {}.
module {name} (
{ports}
);
    wire block_rst, block_en, block_valid, block_ready, result_valid;
    wire [{}:0] operands;
    wire [{}:0] result;
{results_of}{ready}    axis_shell #(.IN_WORDS({taken}), .OUT_WORDS({given}), .LATENCY({}), .INTERVAL({})) shell (
{buses}        .block_rst(block_rst),
        .block_en(block_en),
        .block_valid(block_valid),
        .block_ready(block_ready),
        .operands(operands),
        .result_valid(result_valid),
        .result(result)
    );
    {} block (
        .clk(aclk),
        .rst(block_rst),
        .en(block_en),
        .in_valid(block_valid),
        .out_valid(result_valid){connections}
    );
endmodule
",
        list(&operands),
        list(&results),
        WORD as usize * taken - 1,
        WORD as usize * given - 1,
        block.latency,
        block.interval,
        block.name,
    );
    Ok(WrappedBlock { name, text: format!("{SHELL}\n{top}") })
}

/// Blocks whose only ports are operands and results.
pub const STREAMS: [&str; 8] = [
    "add_sub_255",
    "add_sub_381",
    "butterfly_255",
    "fp2_381",
    "keccak",
    "mm_255",
    "mm_381",
    "mm_381_iterative",
];

/// Blocks whose version with buses is in the repository.
pub const HELD: [&str; 3] = ["add_sub_381", "keccak", "mm_381_iterative"];

impl WrappedBlock {
    /// The block with its buses and all submodules as one block, for the readers of the text.
    pub fn whole(&self, block: &Block) -> Block {
        Block { name: self.name.clone(), text: format!("{}\n{}", block.text, self.text), ..block.clone() }
    }

    /// The file's contents: the command that prints it, and the modules.
    pub fn file(&self, block: &Block) -> String {
        format!(
            "// Generated by `cargo rtl axis {}`; edits are lost.\n// {}\n// Latency {} cycles, interval {}; the block itself is in \
             {}.sv.\n\n{}",
            block.name, block.title, block.latency, block.interval, block.name, self.text
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks;

    #[test]
    fn the_files_on_disk_are_those_that_are_printed() {
        let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/fpga"));
        for name in HELD {
            let block = blocks::find(name).unwrap().block().unwrap();
            let wrapped = wrap(&block).unwrap();
            let file = folder.join(format!("{}.sv", wrapped.name));
            let held = std::fs::read_to_string(&file).unwrap();
            assert!(held == wrapped.file(&block), "{} is stale", file.display());
        }
    }

    #[test]
    fn every_stream_is_wrapped_and_no_other_block() {
        for entry in &blocks::ALL {
            let block = entry.block().unwrap();
            match wrap(&block) {
                Ok(wrapped) => {
                    assert!(STREAMS.contains(&entry.name));
                    // Every operand and every result must be connected exactly once.
                    let of_block = wrapped.text.split_once(&format!("    {} block (", entry.name)).unwrap().1;
                    for signal in block.inputs.iter().chain(&block.outputs) {
                        let connection = format!(".{}(", signal.name);
                        assert_eq!(
                            of_block.matches(&connection).count(),
                            1,
                            "{} of {}",
                            signal.name,
                            entry.name
                        );
                    }
                }
                Err(error) => {
                    assert!(!STREAMS.contains(&entry.name));
                    assert!(error.to_string().contains("mm_381_iterative"), "{error}");
                }
            }
        }
    }
}
