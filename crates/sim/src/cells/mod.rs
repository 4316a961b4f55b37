//! Synthesised blocks for the machine models: areas, paths and energies, converted to other nodes than their library's.
//!
//! [`LIBRARIES`] holds the results of synthesis and of counting net transitions, copied by a script. The other inputs
//! are the size of a gate at 28 nm, the share of the floor that cells cover, scaling laws between nodes, and
//! parameters, all with their ranges. No area, power or clock that a paper prints for its machine is used. Results are
//! of the type [`Range`].

mod energy;
mod estimate;
mod measured;

pub use energy::{
    CLOCK_TREE, Choice, Count, FLOOR, Operation, Parameter, Pulses, SwitchingEnergy, Toggles, WIRE,
    WIRE_FF_PER_UM,
};
pub use estimate::{Estimate, EstimatedPart, FITTED, Part, Range};
pub use measured::LIBRARIES;

use crate::tech::{FLOOR_28, GATE_UM2_28, Gates, Scaling};
use core::ops::{Add, Mul, Sub};

/// A module within a synthesised block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Module {
    /// Name of the module.
    pub name: &'static str,
    /// The number of its instances in the block.
    pub instances: u64,
    /// Flip-flops of one instance, without those of its submodules.
    pub registers: u64,
    /// Area of one instance in µm², without its submodules.
    pub area_um2: f64,
    /// Its longest path in picoseconds; from input to output for a module without flip-flops.
    pub path_ps: Option<f64>,
}

/// A synthesised block in the cells of one library.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    /// Name of the block.
    pub name: &'static str,
    /// Its area in two-input NAND gates, flip-flops included.
    pub gates: f64,
    /// The number of flip-flops in it.
    pub registers: u64,
    /// Its area in µm², without wires.
    pub area_um2: f64,
    /// Its modules, with instance counts.
    pub modules: &'static [Module],
    /// The transitions of its nets, if they were counted.
    pub count: Option<Count>,
}

/// A cell library with the blocks that are synthesised in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Library {
    /// Its name in answers.
    pub name: &'static str,
    /// Feature size of its process in nanometres.
    pub nm: f64,
    /// The blocks in alphabetical order.
    pub blocks: &'static [Block],
}

/// The size of logic, in gates and flip-flops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Its area in two-input NAND gates, flip-flops included.
    pub gates: f64,
    /// The number of flip-flops in it.
    pub registers: f64,
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

/// Parameters of the conversion to an area at 28 nm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layout {
    /// Area of a two-input NAND gate in µm².
    pub gate_um2: f64,
    /// The share of the floor that cells cover.
    pub floor: f64,
    /// How registers that hold their value are counted: with a multiplexer as in the RTL (1), or with a gated clock
    /// instead (0).
    pub register_muxes: f64,
    /// Factor on the area of a memory given by the law of [`tech`](crate::tech).
    pub memory: f64,
}

impl Layout {
    /// The parameters that give the least, the likely and the largest area. The memory law is off by at most 34 % on the
    /// data that it was fitted to.
    pub const ENDS: [Self; 3] = [
        Self { gate_um2: GATE_UM2_28[0], floor: FLOOR_28[0], register_muxes: 0.0, memory: 0.66 },
        Self { gate_um2: GATE_UM2_28[1], floor: FLOOR_28[1], register_muxes: 1.0, memory: 1.0 },
        Self { gate_um2: GATE_UM2_28[2], floor: FLOOR_28[2], register_muxes: 1.0, memory: 1.34 },
    ];
}

impl Size {
    /// The size of a block.
    pub fn of(block: &Block) -> Self {
        Self { gates: block.gates, registers: block.registers as f64 }
    }

    /// The size of logic whose area a law of [`tech`](crate::tech) gives: `mm2_28` in square millimetres at 28 nm.
    pub fn of_law(mm2_28: f64) -> Self {
        Self { gates: mm2_28 / Gates(1.0).area_mm2_28(), registers: 0.0 }
    }

    /// The size of `registers` flip-flops.
    pub fn of_registers(registers: f64) -> Self {
        Self { gates: Gates::FLIP_FLOP.0 * registers, registers }
    }

    /// Its area in mm² at 28 nm.
    pub fn mm2_28(self, layout: &Layout) -> f64 {
        let gated = (1.0 - layout.register_muxes) * Gates::MUX2.0 * self.registers;
        1e-6 * (self.gates - gated) * layout.gate_um2 / layout.floor
    }

    /// Its area in mm² at 7 nm, where `shrink` is the area at 22 nm over that at 28 nm.
    pub fn mm2_7(self, layout: &Layout, shrink: f64) -> f64 {
        self.mm2_28(layout) * shrink * Scaling::N22_TO_N7.area
    }
}

impl Library {
    /// The block of this name, if it is synthesised in this library.
    pub fn block(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// The size of a block; `None` if no library has it. A block that this library lacks is summed from its modules:
    /// those that are blocks of their own in this library, and the rest in gates of the first library.
    pub fn size(&self, name: &str) -> Option<Size> {
        if let Some(block) = self.block(name) {
            return Some(Size::of(block));
        }
        let block = LIBRARIES[0].block(name)?;
        let parts: Vec<&Block> = block.modules.iter().filter_map(|module| self.block(module.name)).collect();
        let um2 = block.area_um2 / block.gates;
        let mut size = Size::default();
        for module in block.modules {
            let n = module.instances as f64;
            if let Some(part) = parts.iter().find(|part| part.name == module.name) {
                size = size + Size::of(part) * n;
            } else if !parts.iter().any(|part| part.modules.iter().any(|below| below.name == module.name)) {
                let own = Size { gates: module.area_um2 / um2, registers: module.registers as f64 };
                size = size + own * n;
            }
        }
        Some(size)
    }

    /// The cycle time of a block in picoseconds, in gates without wires at the library's own node: the sum of the
    /// longest path of the logic between its registers and that of the module that holds them. The sum is an upper
    /// bound.
    pub fn cycle_ps(&self, name: &str) -> Option<f64> {
        let block = self.block(name)?;
        let longest = |of_top: bool| {
            let all = block.modules.iter().filter(|module| (module.name == name) == of_top);
            all.filter_map(|module| module.path_ps).fold(0.0, f64::max)
        };
        Some(longest(true) + longest(false))
    }
}

/// Leakage current of a block in amperes per NAND-gate equivalent, in Nangate's library, whose node is the nearest to
/// 28 nm; 0 for a block without a count there.
pub fn gate_leakage(block: &str) -> f64 {
    let nearest = LIBRARIES.iter().filter(|library| library.nm == 45.0);
    let counts = nearest.filter_map(|library| library.count(block));
    counts.map(|count| 1e-9 * count.leakage_nw / count.volts / count.gates()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(ours: f64, want: f64) -> bool {
        (ours / want - 1.0).abs() < 1e-3
    }

    #[test]
    fn the_first_library_has_every_block() {
        let [first, second] = LIBRARIES;
        assert!(second.blocks.iter().all(|block| first.block(block.name).is_some()));
        assert!(second.size("nothing").is_none() && second.cycle_ps("padd_381").is_none());
        let counts = |library: Library| library.blocks.iter().filter(|block| block.count.is_some()).count();
        assert_eq!([counts(first), counts(second)], [8, 5]);
    }

    #[test]
    fn a_block_is_as_large_as_its_parts() {
        let of = |library: &Library, block: &str| library.size(block).unwrap();
        // Twelve multipliers and the logic around them, in both libraries.
        let around = |library: &Library| of(library, "padd_381") - of(library, "mm_381") * 12.0;
        let [first, second] = LIBRARIES.each_ref().map(around);
        assert!(near(first.gates, 372_401.0) && near(second.gates, first.gates), "{first:?} {second:?}");
        assert_eq!((first.registers, second.registers), (23_393.0, 23_393.0));
        // An element of the tree: a multiplier, two adders and the permutation; the flip-flop count depends on the
        // library.
        let second = &LIBRARIES[1];
        let element = of(second, "tree_element_255");
        let named = of(second, "mm_255") + of(second, "add_sub_255") * 2.0 + of(second, "keccak");
        assert!(near((element - named).gates, 169_259.8 / 3.7536), "{element:?}");
        assert_eq!((element - named).registers, 4_845.0);
    }

    #[test]
    fn areas_go_with_gates_and_shrink_with_gated_clocks() {
        let likely = Layout::ENDS[1];
        let size = Size { gates: 1e6, registers: 1e5 };
        assert!(near(size.mm2_28(&likely), 0.55 / 0.72));
        assert!(near(Size::of_law(Gates(1e6).area_mm2_28()).gates, 1e6));
        let gated = size.mm2_28(&Layout { register_muxes: 0.0, ..likely });
        assert!(near(gated / size.mm2_28(&likely), 1.0 - 0.233));
        assert!(near(size.mm2_7(&likely, 0.81), 0.55 / 0.72 * 0.81 / 3.6));
        let ends = Layout::ENDS.map(|layout| size.mm2_28(&layout));
        assert!(ends[0] < ends[1] && ends[1] < ends[2], "{ends:?}");
    }

    #[test]
    fn a_cycle_is_a_path_and_its_registers() {
        let [first, second] = LIBRARIES.map(|library| library.cycle_ps("mm_381").unwrap());
        assert!(near(first, 9283.1 + 1390.7), "{first}");
        assert!(near(second, 2099.8 + 295.7), "{second}");
    }

    #[test]
    fn a_gate_leaks_as_nangate_says() {
        // 16.3 mW of leakage of the larger multiplier at 1.1 V are 14.6 nA for each of its 1.01 million gates.
        assert!((gate_leakage("mm_381") / 14.60e-9 - 1.0).abs() < 1e-3, "{}", gate_leakage("mm_381"));
        assert_eq!(gate_leakage("nothing"), 0.0);
    }
}
