//! Area and energy of a unit from synthesised cells and counted net toggles. No figure of \[MTU\] Table 4, and none
//! fitted to it, is used; the factors of areas and energies from 22 nm to 7 nm that are published with it are.
//!
//! Elements of the tree and their permutation are cells ([`pairwright_sim::cells`]). They differ from \[MTU\]'s in
//! two ways: the prime is built in, where \[MTU\]'s multipliers support any, which takes 1.8 times as much area by
//! zkPHIRE's figures; and the multipliers have 16 stages, which represent the depth of [`UnitConfig::paper`]. Control
//! follows a law of gates, memories a law of [`tech`](pairwright_sim::tech). Leakage at 7 nm, the interface to memory,
//! channels between macros and test logic are not included.

use super::anchors::{Group, KECCAK_ROUNDS};
use super::area::{Area, Part, sha3_gates};
use super::energy::{Work, work};
use crate::{Account, UnitConfig};
use pairwright_sim::cells::{
    self, Estimate, EstimatedPart, LIBRARIES, Layout, Library, Operation, Range, Size, Toggles,
};
use pairwright_sim::tech::{Basis, Gates, SHRINK_22, Scaling, montgomery_bit_products};

/// The width in bits of the synthesised blocks.
const BITS: u32 = 255;
/// The ratio of energies at 22 nm and at 28 nm with the same supply: an optical shrink by a tenth.
const ENERGY_22: f64 = 0.9;

/// The parameters of an area at 7 nm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sizes {
    /// The layout parameters at 28 nm.
    pub layout: Layout,
    /// The ratio of areas at 22 nm and at 28 nm.
    pub shrink: f64,
}

/// The parameters of an energy at 7 nm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Knobs {
    /// The toggle parameters of the blocks at 28 nm.
    pub toggles: Toggles,
    /// The supply in volts at 22 nm from which the factors to 7 nm start. Their source does not print it; the value is
    /// typical of such processes.
    pub supply: f64,
    /// The energy of a memory access divided by that of the law.
    pub memory: f64,
    /// The activity of a gate of control divided by that of a gate of an adder that sums random operands in every cycle.
    pub control: f64,
}

impl Sizes {
    /// All parameters at their least, the values that are used, and all at their greatest.
    pub const ENDS: [Self; 3] = [
        Self { layout: Layout::ENDS[0], shrink: SHRINK_22[0] },
        Self { layout: Layout::ENDS[1], shrink: SHRINK_22[1] },
        Self { layout: Layout::ENDS[2], shrink: SHRINK_22[2] },
    ];
}

impl Knobs {
    /// All parameters at their least, the values that are used, and all at their greatest.
    pub const ENDS: [Self; 3] = [
        Self { toggles: Toggles::ENDS[0], supply: 0.8, memory: 0.5, control: 0.1 },
        Self { toggles: Toggles::ENDS[1], supply: 0.9, memory: 1.0, control: 0.5 },
        Self { toggles: Toggles::ENDS[2], supply: 1.0, memory: 2.0, control: 1.0 },
    ];
}

/// Area of a part at 7 nm in mm². The areas of memories in the part already include the likely shrink.
pub fn mm2_7(part: &cells::Part, sizes: &Sizes) -> f64 {
    part.logic.mm2_7(&sizes.layout, sizes.shrink)
        + part.memory_mm2 * sizes.layout.memory * sizes.shrink / SHRINK_22[1]
}

/// The energy of a block's operation in femtojoules at 7 nm, without leakage; `None` if the library has no counts for the
/// block.
pub fn at_7(library: &Library, block: &str, knobs: &Knobs) -> Option<Operation> {
    let at_28 = library.at_28(block, knobs.supply, &knobs.toggles)?;
    let at_7 = |fj: f64| fj * ENERGY_22 * Scaling::N22_TO_N7.energy;
    Some(Operation { data_fj: at_7(at_28.data_fj), clock_fj: at_7(at_28.clock_fj), leakage_fj: 0.0 })
}

/// The basis of a figure: counted if the unit has the synthesised block, otherwise estimated.
fn basis(as_synthesised: bool) -> Basis {
    if as_synthesised { Basis::Counted } else { Basis::Estimated }
}

/// Two ratios of the unit's width and the synthesised one: that of the bit products of a multiplication, and that of the
/// widths.
fn widths(config: &UnitConfig) -> [f64; 2] {
    let bits = config.element_bits;
    [montgomery_bit_products(bits) / montgomery_bit_products(BITS), f64::from(bits) / f64::from(BITS)]
}

/// The size of an element of the tree without its permutation: a multiplier, two adders, registers of waiting operands.
fn operations(library: &Library, config: &UnitConfig) -> Option<Size> {
    let (element, product) = (library.size("tree_element_255")?, library.size("mm_255")?);
    let known = element - library.size("keccak")?;
    let [products, width] = widths(config);
    // Additional stages have as many registers as the synthesised multiplier has per stage on average.
    let stages = f64::from(config.mul_latency) / f64::from(UnitConfig::paper().mul_latency);
    let registers = Size::of_registers(product.registers * width * (stages - 1.0));
    Some(known + product * (products - 1.0) + (known - product) * (width - 1.0) + registers)
}

/// The gates of the unit's SHA3 engine divided by those of the synthesised one, which does one round per cycle.
fn rounds(config: &UnitConfig) -> f64 {
    sha3_gates(config.hash_ii, config.hash_latency).0 / sha3_gates(KECCAK_ROUNDS, KECCAK_ROUNDS).0
}

fn as_synthesised(config: &UnitConfig) -> bool {
    config.element_bits == BITS && config.mul_latency == UnitConfig::paper().mul_latency
}

/// The rows of Table 4 for a unit, with memories at 7 nm by the law; `None` if the library lacks a block.
pub fn rows(library: &Library, config: &UnitConfig) -> Option<Vec<cells::Part>> {
    let elements = f64::from(config.pes);
    let law = Area::of(config);
    let (rounds, keccak) = (rounds(config), library.size("keccak")?);
    // The law's gates were converted to area with the likely values of the same parameters.
    let control = Size { gates: law.group_mm2(Group::Misc) / Gates(1.0).range_mm2_7()[1], registers: 0.0 };
    let logic =
        |group: Group, logic, basis| cells::Part { name: group.name(), logic, memory_mm2: 0.0, basis };
    Some(vec![
        logic(Group::Modulus, operations(library, config)? * elements, basis(as_synthesised(config))),
        logic(Group::Sha3, keccak * rounds * elements, basis(rounds == 1.0)),
        logic(Group::Misc, control, Basis::Estimated),
        cells::Part {
            name: Group::Memory.name(),
            logic: Size::default(),
            memory_mm2: law.group_mm2(Group::Memory),
            basis: Basis::Estimated,
        },
    ])
}

/// The names of the parts of an energy.
const PARTS: [&str; 6] =
    ["products", "sums", "permutations", "clock of elements", "memories, a law", "control, by gates"];

/// Joules of a run at 7 nm, part by part, in the order of [`PARTS`]; `None` if the library has no counts of toggles. The
/// clock of an element runs in every cycle, as in its RTL.
fn joules(library: &Library, config: &UnitConfig, account: &Account, knobs: &Knobs) -> Option<[f64; 6]> {
    let at = |block| at_7(library, block, knobs);
    let (product, sum, permutation) = (at("mm_255")?, at("add_sub_255")?, at("keccak")?);
    let size = |block| library.size(block);
    let [products, width] = widths(config);
    let done = &account.operations;
    let times = |count: f64, femtojoules: f64| 1e-15 * count * femtojoules;
    let per_register = product.clock_fj / library.count("mm_255")?.registers as f64;
    let registers = operations(library, config)?.registers + size("keccak")?.registers * rounds(config);
    let cycles = account.cycles as f64;
    let control = rows(library, config)?[2].logic.gates;
    let per_gate = sum.data_fj / library.count("add_sub_255")?.gates();
    let area = Area::of(config);
    let memories = area.components.iter().map(|c| match (c.part, work(config, account, c.part)) {
        (Part::Phy, _) | (_, Work::Cycles(_)) => 0.0,
        (_, Work::Joules(joules)) => joules,
    });
    Some([
        times(done.products as f64, product.data_fj * products),
        times(done.sums as f64, sum.data_fj * width),
        times(done.hashes as f64, permutation.data_fj),
        times(cycles * f64::from(config.pes), registers * per_register),
        knobs.memory * memories.sum::<f64>(),
        times(cycles, knobs.control * control * per_gate),
    ])
}

/// Area of a unit and energy of its run at 7 nm, one estimate for each library.
pub fn counted(config: &UnitConfig, account: &Account) -> Vec<Estimate> {
    LIBRARIES.iter().filter_map(|library| estimate(library, config, account)).collect()
}

fn estimate(library: &Library, config: &UnitConfig, account: &Account) -> Option<Estimate> {
    let area = rows(library, config)?.into_iter().map(|row| EstimatedPart {
        name: row.name,
        value: Range::over(&Sizes::ENDS, |sizes| mm2_7(&row, sizes)),
        basis: row.basis,
    });
    let [least, likely, most] = Knobs::ENDS.map(|knobs| joules(library, config, account, &knobs));
    let ends = [least?, likely?, most?];
    let energy = PARTS.into_iter().enumerate().map(|(at, name)| EstimatedPart {
        name,
        value: Range::over(&ends, |joules| joules[at]),
        basis: match name {
            "products" | "sums" => basis(config.element_bits == BITS),
            "permutations" => Basis::Counted,
            "clock of elements" => basis(as_synthesised(config) && rounds(config) == 1.0),
            _ => Basis::Estimated,
        },
    });
    let seconds = account.cycles as f64 / config.hz();
    Some(Estimate::new(library, "7 nm", seconds, area.collect(), energy.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(ours: f64, want: f64) {
        assert!((ours / want - 1.0).abs() < 2e-3, "{ours} {want}");
    }

    /// The unit of Table 4: 32 elements with iterative permutations.
    fn unit() -> UnitConfig {
        UnitConfig { pes: 32, hash_ii: 24, ..UnitConfig::paper() }
    }

    #[test]
    fn rows_are_those_by_hand() {
        let rho = 32.0 * 0.55e-6 / 0.72 * 0.81 / 3.6;
        let of = |library, at: usize| mm2_7(&rows(library, &unit()).unwrap()[at], &Sizes::ENDS[1]);
        let [first, second] = &LIBRARIES;
        near(of(first, 0), (586_033.3 - 33_364.3) * rho);
        near(of(first, 1), 33_364.3 * rho);
        // A multiplier, two adders and the cells around them, which only the first library has synthesised.
        near(of(second, 0), (483_453.7 + 2.0 * 8_268.3 + 169_259.8 / 3.7536) * rho);
        near(of(second, 1), 30_262.0 * rho);
        // Control and memories have the areas of the fitted model.
        let law = Area::of(&unit());
        near(of(first, 2), law.group_mm2(Group::Misc));
        near(of(first, 3), law.group_mm2(Group::Memory));
    }

    #[test]
    fn nothing_printed_is_among_the_rows() {
        let likely = Sizes::ENDS[1];
        let layout = Layout { gate_um2: 0.0, memory: 0.0, ..likely.layout };
        let nothing = Sizes { layout, ..likely };
        for row in LIBRARIES.iter().flat_map(|library| rows(library, &unit()).unwrap()) {
            assert_eq!(mm2_7(&row, &nothing), 0.0);
            assert!(mm2_7(&row, &likely) > 0.0);
        }
    }

    #[test]
    fn operations_are_those_by_hand() {
        // Picojoules of data and clock at the library's supply, from the book; to 28 nm by the length and the square of the supply, to
        // 22 nm by a tenth, to 7 nm by the published factors of power and delay.
        for (library, volts, product, sum, keccak) in
            [(&LIBRARIES[0], 1.8, 5_472.0, 140.0, 8_900.0), (&LIBRARIES[1], 1.1, 1_425.0, 33.53, 2_149.0)]
        {
            let factor = 28.0 / library.nm * (0.9f64 / volts).powi(2) * 0.9 / (3.3 * 1.7);
            // The operation of the permutation's block is all of its 24 rounds.
            for (block, pj) in [("mm_255", product), ("add_sub_255", sum), ("keccak", keccak)] {
                let ours = at_7(library, block, &Knobs::ENDS[1]).unwrap().sum_fj();
                near(1e-3 * ours, pj * factor);
            }
        }
    }

    #[test]
    fn wider_and_deeper_elements_are_larger() {
        let size = |config: &UnitConfig| operations(&LIBRARIES[0], config).unwrap().gates;
        let paper = size(&unit());
        let wide = UnitConfig { element_bits: 381, ..unit() };
        let deep = UnitConfig { mul_latency: unit().mul_latency + 4, ..unit() };
        assert!(size(&wide) > 2.0 * paper && size(&deep) > paper);
        assert!(rounds(&unit()) == 1.0 && rounds(&UnitConfig { hash_ii: 1, ..unit() }) > 5.0);
    }
}
