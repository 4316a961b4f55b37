//! Areas of synthesised blocks, for papers' machines at their nodes, and how long a cycle of a block takes.
//!
//! `rtl` keeps the syntheses in `results/rtl`. What goes in beside them are the size of a gate at 28 nm, the share of the floor that
//! cells cover, laws from node to node, and their ranges; no area and no clock of a paper.

use crate::LabError;
use crate::knobs::Knob;
use crate::toggles::PROCESSES;
use core::ops::{Add, Mul, Sub};
use pairwright_rtl::synth::Report;
use pairwright_sim::tech::{FLOOR_28, GATE_UM2_28, Gates, SHRINK_22, Scaling};

/// The syntheses that are kept.
macro_rules! kept {
    ($($file:literal),* $(,)?) => {
        [$(include_str!(concat!("../../../results/rtl/", $file, ".json"))),*]
    };
}

const KEPT: [&str; 19] = kept![
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
    "ntt_255.sky130_fd_sc_hd__tt_025C_1v80",
    "padd_381.sky130_fd_sc_hd__tt_025C_1v80",
    "pairing_control.sky130_fd_sc_hd__tt_025C_1v80",
    "tree_255.sky130_fd_sc_hd__tt_025C_1v80",
    "tree_control.sky130_fd_sc_hd__tt_025C_1v80",
    "tree_element_255.sky130_fd_sc_hd__tt_025C_1v80",
];

/// Parameters of every area: the size of a gate, how much of the floor cells cover, and whether a register that stands still has a
/// multiplexer, as in the RTL, or its clock is gated.
pub(crate) const KNOBS: [Knob; 3] = [
    Knob { name: "um2 of a NAND gate at 28 nm", values: GATE_UM2_28 },
    Knob { name: "share of the floor with cells", values: FLOOR_28 },
    Knob { name: "registers hold by multiplexers", values: [0.0, 1.0, 1.0] },
];
/// Area of a memory over its law, which is off by 34 % at most where it was fitted.
pub(crate) const MEMORY: Knob = Knob { name: "memory over its law", values: [0.66, 1.0, 1.34] };
/// Area at 22 nm over that at 28 nm.
pub(crate) const TO_22: Knob = Knob { name: "area at 22 nm over 28 nm", values: SHRINK_22 };
/// Parameters of every delay at 28 nm, at each process's nominal supply. Table II of \[CP\] scales delays with the lengths that
/// processes are named by; the factor of 1.7 from 22 nm to 7 nm, published with \[MTU\], is a power of 0.463 of them. Paths are
/// without wires.
pub(crate) const DELAYS: [Knob; 2] = [
    Knob { name: "power of the lengths that delays go with", values: [1.0, 1.0, 0.463] },
    Knob { name: "delay with wires over that of gates", values: [1.0, 1.0, 1.5] },
];

/// The size of logic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Its area in NAND gates of two inputs, flip-flops included.
    pub(crate) gates: f64,
    /// The number of flip-flops in it.
    pub(crate) registers: f64,
}

impl Add for Size {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { gates: self.gates + other.gates, registers: self.registers + other.registers }
    }
}

impl Sub for Size {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

impl Mul<f64> for Size {
    type Output = Self;
    fn mul(self, n: f64) -> Self {
        Self { gates: n * self.gates, registers: n * self.registers }
    }
}

impl Size {
    fn of(report: &Report) -> Self {
        Self { gates: report.nand2, registers: report.registers as f64 }
    }

    /// Logic that a law of `sim::tech` counts, by its area at 28 nm as the law prints it.
    pub(crate) fn of_law(mm2_28: f64) -> Self {
        Self { gates: mm2_28 / Gates(1.0).area_mm2_28(), registers: 0.0 }
    }

    /// Its area in mm² at 28 nm with [`KNOBS`].
    pub(crate) fn mm2_28(self, knobs: &[f64]) -> f64 {
        let [um2, floor, held] = [knobs[0], knobs[1], knobs[2]];
        let gated = (1.0 - held) * Gates::MUX2.0 * self.registers;
        1e-6 * (self.gates - gated) * um2 / floor
    }

    /// The same at 7 nm, with [`TO_22`] behind them.
    pub(crate) fn mm2_7(self, knobs: &[f64]) -> f64 {
        self.mm2_28(knobs) * knobs[KNOBS.len()] * Scaling::N22_TO_N7.area
    }
}

/// The blocks of a library.
pub(crate) struct Process {
    /// Its name in answers.
    pub(crate) name: &'static str,
    nm: f64,
    own: Vec<Report>,
    /// Those of the first library, in which all blocks are synthesised.
    first: Vec<Report>,
}

/// The libraries with the blocks that are synthesised in each.
pub(crate) fn processes() -> Result<Vec<Process>, LabError> {
    let parsed: Result<Vec<Report>, _> = KEPT.iter().map(|text| serde_json::from_str(text)).collect();
    let reports = parsed.map_err(LabError::Synthesis)?;
    let of = |start: &str| -> Vec<Report> {
        reports.iter().filter(|report| report.library.starts_with(start)).cloned().collect()
    };
    let first = of(PROCESSES[0].0);
    let process = |(start, nm, name)| Process { name, nm, own: of(start), first: first.clone() };
    Ok(PROCESSES.into_iter().map(process).collect())
}

impl Process {
    /// The blocks that are synthesised in this library, in the order of their names.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Report> {
        self.own.iter()
    }

    fn report(&self, block: &str) -> Option<&Report> {
        self.own.iter().find(|report| report.block == block)
    }

    /// The size of a block. One that this library lacks is made of its parts: those that are blocks of their own in this library, and the
    /// rest in gates of the first one.
    ///
    /// # Errors
    /// [`LabError::NotSynthesised`] if neither library has it.
    pub(crate) fn size(&self, block: &str) -> Result<Size, LabError> {
        if let Some(report) = self.report(block) {
            return Ok(Size::of(report));
        }
        let none = || LabError::NotSynthesised(block.to_owned());
        let report = self.first.iter().find(|report| report.block == block).ok_or_else(none)?;
        let parts: Vec<&Report> =
            report.modules.iter().filter_map(|module| self.report(&module.name)).collect();
        let um2 = report.area_um2 / report.nand2;
        let mut size = Size::default();
        for module in &report.modules {
            let n = module.instances as f64;
            if let Some(part) = parts.iter().find(|part| part.block == module.name) {
                size = size + Size::of(part) * n;
            } else if !parts.iter().any(|part| part.modules.iter().any(|below| below.name == module.name)) {
                let own = Size { gates: module.area_um2 / um2, registers: module.registers as f64 };
                size = size + own * n;
            }
        }
        Ok(size)
    }

    /// Picoseconds of a cycle of a block at 28 nm with [`DELAYS`]: the longest path of the logic between its registers, and the longest of
    /// the module that holds them. Both are there together at most.
    ///
    /// # Errors
    /// [`LabError::NotSynthesised`] if the library lacks it.
    pub(crate) fn cycle_ps(&self, block: &str, knobs: &[f64]) -> Result<f64, LabError> {
        let report = self.report(block).ok_or_else(|| LabError::NotSynthesised(block.to_owned()))?;
        let longest = |of_top: bool| {
            let all = report.modules.iter().filter(|module| (module.name == block) == of_top);
            all.filter_map(|module| module.path_ps).fold(0.0, f64::max)
        };
        Ok((longest(true) + longest(false)) * (28.0 / self.nm).powf(knobs[0]) * knobs[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::middle;

    fn near(ours: f64, want: f64) -> bool {
        (ours / want - 1.0).abs() < 1e-3
    }

    #[test]
    fn every_kept_synthesis_is_read_and_belongs_to_a_process() {
        let all = processes().unwrap();
        assert_eq!(all.iter().map(|process| process.own.len()).sum::<usize>(), KEPT.len());
        let files = std::fs::read_dir(crate::repository().join("results/rtl")).unwrap();
        let json =
            files.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|e| e == "json"));
        assert_eq!(json.count(), KEPT.len());
        assert!(matches!(all[0].size("nothing"), Err(LabError::NotSynthesised(_))));
    }

    #[test]
    fn a_block_is_as_large_as_its_parts() {
        let all = processes().unwrap();
        let of = |process: &Process, block: &str| process.size(block).unwrap();
        // Twelve multipliers and what is around them, in both libraries.
        let around = |process: &Process| of(process, "padd_381") - of(process, "mm_381") * 12.0;
        let [first, second] = [around(&all[0]), around(&all[1])];
        assert!(near(first.gates, 372_401.0) && near(second.gates, first.gates), "{first:?} {second:?}");
        assert_eq!((first.registers, second.registers), (23_393.0, 23_393.0));
        // An element of the tree: a multiplier, two adders, the permutation; flip-flops are those of either library.
        let element = of(&all[1], "tree_element_255");
        let named = of(&all[1], "mm_255") + of(&all[1], "add_sub_255") * 2.0 + of(&all[1], "keccak");
        assert!(near((element - named).gates, 169_259.8 / 3.7536), "{element:?}");
        assert_eq!((element - named).registers, 4_845.0);
    }

    #[test]
    fn areas_go_with_gates_and_shrink_with_gated_clocks() {
        let values = middle(&KNOBS);
        let size = Size { gates: 1e6, registers: 1e5 };
        assert!(near(size.mm2_28(&values), 0.55 / 0.72));
        assert!(near(Size::of_law(Gates(1e6).area_mm2_28()).gates, 1e6));
        let gated = size.mm2_28(&[values[0], values[1], 0.0]);
        assert!(near(gated / size.mm2_28(&values), 1.0 - 0.233));
        let at_7 = size.mm2_7(&[values[0], values[1], values[2], 0.81]);
        assert!(near(at_7, 0.55 / 0.72 * 0.81 / 3.6));
        let ends = [0, 1, 2].map(|end| size.mm2_28(&KNOBS.map(|knob| knob.values[end])));
        assert!(ends[0] < ends[1] && ends[1] < ends[2], "{ends:?}");
    }

    #[test]
    fn a_cycle_is_a_path_and_its_registers() {
        let all = processes().unwrap();
        let [first, second] = [0, 1].map(|at| all[at].cycle_ps("mm_381", &middle(&DELAYS)).unwrap());
        assert!(near(first, (9995.9 + 1307.3) * 28.0 / 130.0), "{first}");
        assert!(near(second, (2137.4 + 270.5) * 28.0 / 45.0), "{second}");
        // The published factor from 22 nm to 7 nm is that power of the lengths.
        assert!(near((22.0f64 / 7.0).powf(DELAYS[0].values[2]), 1.7));
        assert!(all[1].cycle_ps("padd_381", &middle(&DELAYS)).is_err());
    }
}
