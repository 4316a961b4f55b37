//! FPGA resources of a block with its buses, as mapped by Yosys: an estimate before placement, without a clock.

use super::wrap;
use crate::Block;
use crate::error::RtlError;
use crate::tools::{Tools, read, write};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The family of the board's device in Yosys' naming: UltraScale+.
pub const FAMILY: &str = "xcup";

/// The device of the board (ZCU104) and its resources: lookup tables, flip-flops, multipliers, block memories of 36 Kb
/// (AMD, DS891).
pub const DEVICE: (&str, Resources) = (
    "xczu7ev",
    Resources { tables: 230_400, registers: 460_800, multipliers: 1_728, memories: 312, carries: 28_800 },
);

/// Resources of an FPGA.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    /// Lookup tables with any number of inputs.
    pub tables: u64,
    /// Flip-flops of any kind.
    pub registers: u64,
    /// Multipliers of 27 by 18 bits (DSP48E2).
    pub multipliers: u64,
    /// Block memories of 36 Kb.
    pub memories: u64,
    /// Carry chains of eight bits.
    pub carries: u64,
}

/// The result of an estimate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Name of the block, without the suffix of its bus version.
    pub block: String,
    /// The family of devices.
    pub family: String,
    /// The resources of the block with its buses.
    pub resources: Resources,
}

/// The part of Yosys' statistics that is used.
#[derive(Deserialize)]
struct Statistics {
    design: Design,
}

#[derive(Deserialize)]
struct Design {
    num_cells_by_type: BTreeMap<String, u64>,
}

impl Resources {
    /// Counts the cells of a device.
    fn of(cells: &BTreeMap<String, u64>) -> Self {
        let mut all = Self::default();
        for (cell, number) in cells {
            match cell.as_str() {
                name if name.starts_with("LUT") => all.tables += number,
                // A shift register occupies a lookup table.
                name if name.starts_with("SRL") => all.tables += number,
                name if name.starts_with("FD") => all.registers += number,
                name if name.starts_with("DSP48") => all.multipliers += number,
                "RAMB36E2" => all.memories += number,
                "RAMB18E2" => all.memories += number.div_ceil(2),
                "CARRY8" => all.carries += number,
                // Two chains of four bits occupy one of eight.
                "CARRY4" => all.carries += number.div_ceil(2),
                _ => {}
            }
        }
        all
    }
}

/// Maps a block with its buses to the cells of an FPGA and counts them, in an existing folder.
///
/// # Errors
/// [`RtlError::NoStream`], [`RtlError::NoTool`], [`RtlError::Tool`], [`RtlError::File`]; [`RtlError::Output`] for statistics that
/// cannot be read.
pub fn estimate(block: &Block, tools: &Tools, folder: &Path) -> Result<Estimate, RtlError> {
    let wrapped = wrap(block)?.whole(block);
    write(&folder.join("block.sv"), &wrapped.text)?;
    let script = format!(
        "read_verilog -sv block.sv; synth_xilinx -family {FAMILY} -top {} -flatten -noiopad -noclkbuf; tee -q -o stat.json stat -json",
        wrapped.name
    );
    tools.yosys(folder, &script, &wrapped.name)?;
    let text = read(&folder.join("stat.json"))?;
    let statistics: Statistics = serde_json::from_str(&text).map_err(|error| RtlError::Output {
        tool: "yosys".to_owned(),
        what: wrapped.name,
        missing: format!("statistics ({error})"),
    })?;
    let resources = Resources::of(&statistics.design.num_cells_by_type);
    Ok(Estimate { block: block.name.clone(), family: FAMILY.to_owned(), resources })
}

/// A table of estimates, with the device's share in percent.
pub fn estimates(all: &[Estimate]) -> String {
    let (device, whole) = DEVICE;
    let mut text = format!(
        "| block on {device} | tables | flip-flops | carries of 8 bits | DSP48E2 | block memories |\n|---|--:|--:|--:|--:|--:|\n"
    );
    for Estimate { block, resources, .. } in all {
        let share = |part: u64, whole: u64| format!("{part} ({:.1} %)", 100.0 * part as f64 / whole as f64);
        let _ = writeln!(
            text,
            "| `{block}_axis` | {} | {} | {} | {} | {} |",
            share(resources.tables, whole.tables),
            share(resources.registers, whole.registers),
            share(resources.carries, whole.carries),
            share(resources.multipliers, whole.multipliers),
            share(resources.memories, whole.memories)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_what_they_take() {
        let cells = [("LUT6", 5), ("LUT2", 1), ("SRL16E", 2), ("FDRE", 7), ("FDSE", 1), ("DSP48E2", 3)];
        let more = [("CARRY4", 3), ("RAMB18E2", 1), ("BUFG", 9)];
        let all = cells.into_iter().chain(more).map(|(name, n)| (name.to_owned(), n)).collect();
        let want = Resources { tables: 8, registers: 8, multipliers: 3, memories: 1, carries: 2 };
        assert_eq!(Resources::of(&all), want);
        let estimate = Estimate { block: "keccak".into(), family: FAMILY.into(), resources: want };
        assert!(
            estimates(&[estimate])
                .contains("| `keccak_axis` | 8 (0.0 %) | 8 (0.0 %) | 2 (0.0 %) | 3 (0.2 %) |")
        );
    }
}
