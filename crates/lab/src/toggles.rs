//! Energies of synthesised blocks by the changes of their nets, for papers' machines at their nodes.
//!
//! `rtl` keeps the counts in `results/rtl/energy`. What goes in beside them are a law of capacitances by node (`sim::tech`) and
//! parameters with ranges; no power and no area of a paper. Each parameter is varied by itself, and how far an answer moves stands in
//! rows that the scorecard reads as it reads those of a `sensitivity`.

use crate::LabError;
use crate::knobs::Knob;
use pairwright_rtl::energy::{CLOCK_TREE, Choice, Energy, Operation, Pulses, WIRE};
use pairwright_sim::tech::capacitance_28;

/// The counts that are kept.
macro_rules! kept {
    ($($file:literal),* $(,)?) => {
        [$(include_str!(concat!("../../../results/rtl/energy/", $file, ".json"))),*]
    };
}

const KEPT: [&str; 13] = kept![
    "add_sub_255.NangateOpenCellLibrary",
    "add_sub_255.sky130_fd_sc_hd__tt_025C_1v80",
    "add_sub_381.NangateOpenCellLibrary",
    "add_sub_381.sky130_fd_sc_hd__tt_025C_1v80",
    "butterfly_255.sky130_fd_sc_hd__tt_025C_1v80",
    "fp2_381.sky130_fd_sc_hd__tt_025C_1v80",
    "keccak.NangateOpenCellLibrary",
    "keccak.sky130_fd_sc_hd__tt_025C_1v80",
    "mm_255.NangateOpenCellLibrary",
    "mm_255.sky130_fd_sc_hd__tt_025C_1v80",
    "mm_381.NangateOpenCellLibrary",
    "mm_381.sky130_fd_sc_hd__tt_025C_1v80",
    "mm_381_iterative.sky130_fd_sc_hd__tt_025C_1v80",
];

/// A library: how its name begins, nanometres of its process, and the name of answers.
pub(crate) const PROCESSES: [(&str, f64, &str); 2] =
    [("sky130", 130.0, "SkyWater, 130 nm"), ("Nangate", 45.0, "Nangate, 45 nm")];

/// The blocks of a library.
pub(crate) struct Process {
    /// Its name in answers.
    pub(crate) name: &'static str,
    nm: f64,
    blocks: Vec<Energy>,
}

/// Parameters of every model: the changes that are counted (0 without delays, 1 with, 2 with every pulse), wires, the clock's tree,
/// and which of the capacitances at 28 nm is taken (0 the least, 1 the likely one, 2 the most).
pub(crate) const KNOBS: [Knob; 4] = [
    Knob { name: "pulses", values: [0.0, 1.0, 2.0] },
    Knob { name: "pitches of wire a pin", values: [WIRE.least, WIRE.value, WIRE.most] },
    Knob { name: "tree of the clock", values: [CLOCK_TREE.least, CLOCK_TREE.value, CLOCK_TREE.most] },
    Knob { name: "capacitance at 28 nm", values: [0.0, 1.0, 2.0] },
];

/// The libraries in which all of these blocks are counted.
pub(crate) fn processes(blocks: &[&str]) -> Result<Vec<Process>, LabError> {
    let mut all = PROCESSES.map(|(_, nm, name)| Process { name, nm, blocks: Vec::new() });
    for text in KEPT {
        let energy: Energy = serde_json::from_str(text).map_err(LabError::Count)?;
        let at = PROCESSES.iter().position(|(start, ..)| energy.library.starts_with(start));
        at.into_iter().for_each(|at| all[at].blocks.push(energy.clone()));
    }
    let has = |process: &Process| blocks.iter().all(|name| process.blocks.iter().any(|b| b.block == *name));
    Ok(all.into_iter().filter(has).collect())
}

/// Amperes that a NAND gate's worth of a block's cells leaks in Nangate's library, which is the nearest to 28 nm.
pub(crate) fn gate_leakage(block: &str) -> Result<f64, LabError> {
    let all = processes(&[block])?;
    let found = all.iter().filter(|process| process.nm == 45.0).flat_map(|process| &process.blocks);
    let counted = found.filter(|b| b.block == block).filter_map(|b| Some((b.leakage_nw?, b)));
    let amperes = counted.map(|(nw, b)| 1e-9 * nw / b.volts / (b.area_um2 / b.nand2_um2));
    Ok(amperes.fold(0.0, f64::max))
}

impl Process {
    fn block(&self, name: &str) -> Option<&Energy> {
        self.blocks.iter().find(|block| block.block == name)
    }

    /// The size of a block in NAND gates of two inputs.
    pub(crate) fn gates(&self, block: &str) -> f64 {
        self.block(block).map_or(f64::NAN, |block| block.area_um2 / block.nand2_um2)
    }

    /// Flip-flops of a block.
    pub(crate) fn registers(&self, block: &str) -> f64 {
        self.block(block).map_or(f64::NAN, |block| block.registers as f64)
    }

    /// A block's operation in femtojoules at the library's own node and supply; nothing for a block that is not counted.
    pub(crate) fn own(&self, block: &str, knobs: &[f64]) -> Operation {
        let pulses = match knobs.first() {
            Some(0.0) => Pulses::Settled,
            Some(2.0) => Pulses::Passed,
            _ => Pulses::Swallowed,
        };
        let value = |at: usize, otherwise| knobs.get(at).copied().unwrap_or(otherwise);
        let choice = Choice { pulses, wire: value(1, WIRE.value), clock_tree: value(2, CLOCK_TREE.value) };
        let none = Operation { data_fj: 0.0, clock_fj: 0.0, leakage_fj: 0.0 };
        self.block(block).and_then(|block| block.operation(&choice)).unwrap_or(none)
    }

    /// The same at 28 nm and a supply. Leakage of one process says nothing of another's, and is left out.
    pub(crate) fn at_28(&self, block: &str, volts: f64, knobs: &[f64]) -> Operation {
        let own = self.own(block, knobs);
        let Some(energy) = self.block(block) else { return own };
        let all = capacitance_28(self.nm, energy.nand2_um2);
        let shrink = match knobs.get(3) {
            Some(0.0) => all[0],
            Some(2.0) => all[2],
            _ => all[1],
        };
        let factor = shrink * (volts / energy.volts).powi(2);
        Operation { data_fj: own.data_fj * factor, clock_fj: own.clock_fj * factor, leakage_fj: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kept_count_is_read_and_belongs_to_a_process() {
        let all = processes(&[]).unwrap();
        assert_eq!(all.iter().map(|process| process.blocks.len()).sum::<usize>(), KEPT.len());
        let folder = crate::repository().join("results/rtl/energy");
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(files, KEPT.len());
        assert!(processes(&["keccak", "nothing"]).unwrap().is_empty());
    }

    #[test]
    fn energies_scale_with_capacitance_and_the_square_of_the_supply() {
        let process = processes(&["keccak"]).unwrap().swap_remove(0);
        let middle = KNOBS.map(|knob| knob.values[1]);
        let (own, there) = (process.own("keccak", &middle), process.at_28("keccak", 0.9, &middle));
        let factor = 28.0 / 130.0 / 4.0;
        assert!((there.data_fj / own.data_fj - factor).abs() < 1e-9 && there.leakage_fj == 0.0);
        let mut last = 0.0;
        for end in 0..3 {
            let now = process.at_28("keccak", 0.9, &KNOBS.map(|knob| knob.values[end])).sum_fj();
            assert!(now > last, "{now}");
            last = now;
        }
    }
}
