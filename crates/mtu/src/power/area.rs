//! Area and thermal design power of a unit, component by component.

use super::anchors::{
    Group, IDLE_SHARE, KECCAK_CORE, KECCAK_ROUND, KECCAK_ROUNDS, KECCAK_STATE, MOD_ADDER_256,
    PHY_BYTES_PER_S, TABLE_4_HZ, TABLE_4_PES, density, gates_mm2_22, multiplier_mm2_22, n28_to_n22, printed,
};
use crate::{Traversal, UnitConfig};
use core::fmt;
use pairwright_sim::dram::Kind;
use pairwright_sim::multiplier::{KnownMultiplier, Multiplier};
use pairwright_sim::tech::{Basis, Gates, Scaling, Sram};
use serde::Serialize;

/// The number of levels of an accumulator, for trees of up to 2^32 leaves.
pub(super) const LEVELS: u32 = 32;
/// The assumed number of stages of the published multipliers, whose depth is not printed: that of [`UnitConfig::paper`].
const PUBLISHED_STAGES: u32 = 28;
/// Flip-flops of a multiplier's stage divided by the width of its operands: two operands and a product in carry-save
/// form.
const STAGE_WIDTHS: f64 = 4.0;
/// Gates of a stream: its addresses and its share of the arbitration among streams. Estimated.
const STREAM: Gates = Gates(2000.0);
/// Gates of the logic that fetches and starts jobs. Estimated.
const SEQUENCER: Gates = Gates(4000.0);
/// Gates for the occupancy and the positions of one level of the accumulator. Estimated: six flip-flops and their logic.
const LEVEL_STATE: Gates = Gates(60.0);
/// Gates of the counter whose lowest set bit selects the level, and of that selection. Estimated: a flip-flop and a half
/// adder per bit.
const RULER: Gates = Gates(10.0 * LEVELS as f64 + 100.0);

/// A component of a unit for which area and power are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The modular multipliers, one per element.
    Multipliers,
    /// An adder and a subtractor per element, and the registers in which an operand waits for the product it is added to.
    Adders,
    /// The SHA3 engines, one per element.
    Sha3,
    /// Operand selection, valid flags of the pipelines, the accumulator's schedule, streams, jobs.
    Control,
    /// The buffer between memory and the elements' inputs.
    Input,
    /// The buffer between the elements' outputs and memory.
    Output,
    /// The memory of the DFS accumulator's levels.
    Accumulator,
    /// The storage of challenges, one per level, in each stage of the tree and in the accumulator.
    Challenges,
    /// The memory that keeps whole levels in breadth-first traversal.
    Levels,
    /// The memory of the levels of every other element; depth-first traversal needs them, because each element computes a
    /// subtree.
    Subtrees,
    /// The physical interfaces to HBM2, one for every 256 GB/s.
    Phy,
}

impl Part {
    /// The row of Table 4 that includes the component.
    pub const fn group(self) -> Group {
        match self {
            Self::Multipliers | Self::Adders => Group::Modulus,
            Self::Sha3 => Group::Sha3,
            Self::Control => Group::Misc,
            Self::Phy => Group::Phy,
            _ => Group::Memory,
        }
    }

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Multipliers => "multipliers",
            Self::Adders => "adders",
            Self::Sha3 => "SHA3",
            Self::Control => "control",
            Self::Input => "input buffer",
            Self::Output => "output buffer",
            Self::Accumulator => "accumulator",
            Self::Challenges => "challenges",
            Self::Levels => "levels",
            Self::Subtrees => "subtrees",
            Self::Phy => "HBM2 PHY",
        }
    }
}

/// Area and power of a component, with the origin of the numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Component {
    /// The component that these figures describe.
    pub part: Part,
    /// Square millimetres at 7 nm.
    pub mm2: f64,
    /// Square millimetres at 22 nm.
    pub mm2_22nm: f64,
    /// Thermal design power in watts at 7 nm: the component is active in every cycle.
    pub tdp_w: f64,
    /// The part of `tdp_w` in watts that it draws even without work.
    pub idle_w: f64,
    /// The origin of the area. The power follows from it by Table 4's power density, except for memories.
    pub basis: Basis,
    /// The figures from which the area is computed, as text.
    pub source: &'static str,
}

/// Area and thermal design power of a unit.
///
/// The areas at 22 nm and 7 nm differ by a factor of 3.6 ([`Scaling::N22_TO_N7`]); power at 22 nm would be 3.3 times as
/// high, at the clock divided by 1.7. The interface to memory is assumed not to shrink.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Area {
    /// The components, in the order of [`Part`].
    pub components: Vec<Component>,
    /// Area in mm² at 7 nm without the interface to memory: Table 4's total, and the area of Fig. 7.
    pub mm2: f64,
    /// The same area at 22 nm.
    pub mm2_22nm: f64,
    /// Area in mm² at 7 nm, including as many interfaces to HBM2 as the bandwidth requires, at least one.
    pub with_phy_mm2: f64,
    /// Thermal design power in watts at 7 nm, without the interface to memory. It is an upper bound, because no workload
    /// uses both multipliers and SHA3 engines.
    pub tdp_w: f64,
}

impl Area {
    /// The area of a unit. For hybrid or breadth-first traversal the unit is that of \[MTU\] Fig. 3; for depth-first
    /// traversal every element also has buffers for levels.
    pub fn of(config: &UnitConfig) -> Self {
        let mut components = vec![multipliers(config), adders(config), sha3(config), control(config)];
        components.extend(memories(config));
        components.push(phy(config));
        let unit = |value: fn(&Component) -> f64| {
            components.iter().filter(|c| c.part != Part::Phy).map(value).sum::<f64>()
        };
        let mm2 = unit(|c| c.mm2);
        Self {
            mm2,
            mm2_22nm: unit(|c| c.mm2_22nm),
            with_phy_mm2: mm2 + components.iter().filter(|c| c.part == Part::Phy).map(|c| c.mm2).sum::<f64>(),
            tdp_w: unit(|c| c.tdp_w),
            components,
        }
    }

    /// The figures of a component; `None` if the unit does not have it.
    pub fn component(&self, part: Part) -> Option<&Component> {
        self.components.iter().find(|c| c.part == part)
    }

    /// Area in mm² at 7 nm of the components in a row of Table 4.
    pub fn group_mm2(&self, group: Group) -> f64 {
        self.components.iter().filter(|c| c.part.group() == group).map(|c| c.mm2).sum()
    }

    /// Thermal design power in watts at 7 nm of the components in a row of Table 4.
    pub fn group_w(&self, group: Group) -> f64 {
        self.components.iter().filter(|c| c.part.group() == group).map(|c| c.tdp_w).sum()
    }
}

/// The peak bytes per second of the memory's pins, even if the unit's side is narrower: they decide the number of
/// interfaces and the kind of memory. A flat memory has no separate pins.
pub fn bandwidth(config: &UnitConfig) -> f64 {
    match config.dram.kind {
        Kind::Flat => config.dram.peak_bytes_per_second(config.hz()),
        Kind::Ddr => config.dram.peak(),
    }
}

/// The number of interfaces to HBM2, of [`PHY_BYTES_PER_S`] each, that the bandwidth requires; at least one.
pub fn phys(config: &UnitConfig) -> u32 {
    (bandwidth(config) / PHY_BYTES_PER_S).ceil().max(1.0) as u32
}

/// A component of logic with this area at 22 nm and the power density of its row of Table 4.
fn logic(config: &UnitConfig, part: Part, mm2_22nm: f64, basis: Basis, source: &'static str) -> Component {
    let mm2 = mm2_22nm * Scaling::N22_TO_N7.area;
    let tdp_w = mm2 * density(part.group()) * config.hz() / TABLE_4_HZ;
    Component { part, mm2, mm2_22nm, tdp_w, idle_w: IDLE_SHARE * tdp_w, basis, source }
}

/// Area in mm² at 22 nm of one element's share of a row of Table 4.
fn published_22(group: Group) -> f64 {
    printed(group).mm2 / Scaling::N22_TO_N7.area / f64::from(TABLE_4_PES)
}

fn multiplier_22(config: &UnitConfig) -> f64 {
    multiplier(config).mm2()
}

/// The multiplier of an element, with its area at 22 nm.
pub fn multiplier(config: &UnitConfig) -> Multiplier {
    let known = KnownMultiplier {
        width: config.element_bits,
        stages: PUBLISHED_STAGES,
        mm2: multiplier_mm2_22(config.element_bits, config.fixed_prime),
        at_full_clock: config.full_clock_stages(),
        stage_widths: STAGE_WIDTHS,
        from_28: n28_to_n22().area,
    };
    known.with(config.mul_latency)
}

fn multipliers(config: &UnitConfig) -> Component {
    let mm2 = f64::from(config.pes) * multiplier_22(config);
    let source = "zkPHIRE's multipliers by bit products; registers by latency, 28 stages taken for theirs";
    let published = config.mul_latency == UnitConfig::paper().mul_latency;
    logic(config, Part::Multipliers, mm2, if published { Basis::Derived } else { Basis::Estimated }, source)
}

/// Gates of an adder, a subtractor, their registers, and the registers that carry an operand past the multiplier.
fn adder_gates(config: &UnitConfig) -> Gates {
    let bits = f64::from(config.element_bits);
    let waiting = f64::from(config.mul_latency + 2 * config.add_latency);
    MOD_ADDER_256.times(2.0 * bits / 256.0) + Gates::FLIP_FLOP.times(bits * waiting)
}

fn adders(config: &UnitConfig) -> Component {
    let paper = UnitConfig::paper();
    let rest = published_22(Group::Modulus) - multiplier_22(&paper);
    let mm2 = f64::from(config.pes) * rest * adder_gates(config).0 / adder_gates(&paper).0;
    let source = "Table 4's Modulus Ops less 32 multipliers; by gate counts for other widths and latencies";
    logic(config, Part::Adders, mm2, Basis::Calibrated, source)
}

/// Gates of a SHA3 engine that accepts a state every `ii` cycles and returns it after `latency` cycles. It has as many
/// rounds as are needed to do 24 in the smaller of these numbers of cycles, and a register of state for each permutation
/// in progress.
pub fn sha3_gates(ii: u32, latency: u32) -> Gates {
    let (ii, latency) = (ii.max(1), latency.max(1));
    let rounds = f64::from(KECCAK_ROUNDS.div_ceil(ii.min(latency)));
    let states = f64::from(latency.div_ceil(ii).max(1));
    KECCAK_CORE + KECCAK_ROUND.times(rounds - 1.0) + Gates::FLIP_FLOP.times(KECCAK_STATE * (states - 1.0))
}

fn sha3(config: &UnitConfig) -> Component {
    // The factor between printed and synthesised area is 1.02: Table 4's engine is an iterative core with one round per
    // cycle.
    let mm2 =
        f64::from(config.pes) * published_22(Group::Sha3) * sha3_gates(config.hash_ii, config.hash_latency).0
            / sha3_gates(KECCAK_ROUNDS, KECCAK_ROUNDS).0;
    let iterative = config.hash_ii >= KECCAK_ROUNDS && config.hash_latency <= config.hash_ii;
    let (basis, source) = if iterative {
        (Basis::Calibrated, "Table 4's SHA3: an iterative core, a round a cycle")
    } else {
        (Basis::Estimated, "Table 4's SHA3 with more rounds and states, by gate counts")
    };
    logic(config, Part::Sha3, mm2, basis, source)
}

fn control(config: &UnitConfig) -> Component {
    let (pes, bits) = (f64::from(config.pes), f64::from(config.element_bits));
    // Operands of the half of the elements at the leaves come from the buffer or, for one of the two, from the parent;
    // those of the other half come from children or the buffer, one of them also from the parent.
    let operands = Gates::MUX2.times(pes / 2.0 * (1.0 + 3.0) * bits);
    let latency = f64::from(config.mul_latency + 2 * config.add_latency);
    let marks = Gates::FLIP_FLOP.times(latency * (pes + f64::from(LEVELS.ilog2())));
    let schedule = RULER + LEVEL_STATE.times(f64::from(LEVELS));
    let gates = operands + marks + schedule + STREAM.times(2.0) + SEQUENCER;
    logic(config, Part::Control, gates_mm2_22(gates), Basis::Estimated, "gate counts, sim::tech")
}

/// The memory macros of a buffer that gives and takes a number of words per cycle. Each word has a single-ported macro,
/// which reads two words in one cycle and writes two in the next.
#[derive(Clone, Copy)]
pub(super) struct Macros {
    count: f64,
    sram: Sram,
    /// Words of a row of a macro.
    words: f64,
}

impl Macros {
    /// The macros of a buffer of `bytes` bytes for words to or from the elements.
    pub(super) fn stream(config: &UnitConfig, bytes: u32) -> Self {
        // In breadth-first traversal every element takes two operands or gives two children per cycle.
        let count = 2 * config.pes;
        let row = 2 * config.word_bytes;
        let sram = Sram { words: bytes.div_ceil(count * row), width: 8 * row, ports: 1 };
        Self { count: f64::from(count), sram, words: 2.0 }
    }

    /// The macros of an accumulator's levels: left and right children are separate, each read and written in every cycle.
    pub(super) fn accumulator(config: &UnitConfig) -> Self {
        let words = config.accumulator_words.div_ceil(2);
        let sram = Sram { words, width: 8 * config.word_bytes, ports: 2 };
        Self { count: 2.0, sram, words: 1.0 }
    }

    fn mm2_22(&self) -> f64 {
        let bits = f64::from(self.sram.words) * f64::from(self.sram.width);
        // A memory of a few rows is smaller if it is built of flip-flops.
        let flip_flops = gates_mm2_22(Gates::FLIP_FLOP.times(bits));
        self.count * flip_flops.min(self.sram.area_mm2(28.0) * n28_to_n22().area)
    }

    /// Joules of moving a word into or out of the macros, at 7 nm.
    pub(super) fn word_j(&self) -> f64 {
        self.sram.access_j(28.0) / self.words * n28_to_n22().energy * Scaling::N22_TO_N7.energy
    }
}

/// The greatest number of words per cycle through a buffer to or from memory: the words that the memory moves, or two for
/// each element if that is less.
fn words_per_cycle(config: &UnitConfig) -> f64 {
    let moved = config.dram.peak_bytes_per_cycle(config.hz()) / f64::from(config.word_bytes);
    moved.min(2.0 * f64::from(config.pes))
}

fn memories(config: &UnitConfig) -> Vec<Component> {
    let law = "macros by the memory law of sim::tech";
    let memory = |part, mm2_22nm: f64, j_per_cycle: f64| {
        let mm2 = mm2_22nm * Scaling::N22_TO_N7.area;
        // The three milliwatts of Table 4 cannot move a terabyte per second, so they are assumed to be the power of idle
        // memories.
        let idle_w = mm2 * density(Group::Memory);
        let tdp_w = idle_w + j_per_cycle * config.hz();
        Component { part, mm2, mm2_22nm, tdp_w, idle_w, basis: Basis::Estimated, source: law }
    };
    let stream = |part, bytes, words: f64| {
        let macros = Macros::stream(config, bytes);
        memory(part, macros.mm2_22(), 2.0 * words * macros.word_j())
    };
    let words = words_per_cycle(config);
    let accumulator = Macros::accumulator(config);
    let (stack_mm2, stack_j) = (accumulator.mm2_22(), ACCESSES * accumulator.word_j());
    let held = f64::from(config.pes.ilog2()) * f64::from(config.element_bits);
    let table = Sram { words: LEVELS, width: config.element_bits, ports: 1 };
    let challenges = gates_mm2_22(Gates::FLIP_FLOP.times(held)) + table.area_mm2(28.0) * n28_to_n22().area;
    let challenge_j = table.access_j(28.0) * n28_to_n22().energy * Scaling::N22_TO_N7.energy;
    let mut all = vec![
        stream(Part::Input, config.input_bytes, words),
        stream(Part::Output, config.output_bytes, words),
        memory(Part::Accumulator, stack_mm2, stack_j),
        memory(Part::Challenges, challenges, challenge_j),
    ];
    if config.level_bytes > 0 {
        all.push(stream(Part::Levels, config.level_bytes, 3.0 * f64::from(config.pes)));
    }
    if config.traversal == Traversal::Dfs {
        let others = f64::from(config.pes - 1);
        all.push(memory(Part::Subtrees, others * stack_mm2, others * stack_j));
    }
    all
}

/// The greatest number of words that an accumulator reads and writes per cycle: a pair, its parent, and an arriving word.
const ACCESSES: f64 = 4.0;

fn phy(config: &UnitConfig) -> Component {
    let (row, count) = (printed(Group::Phy), f64::from(phys(config)));
    Component {
        part: Part::Phy,
        mm2: count * row.mm2,
        mm2_22nm: count * row.mm2,
        tdp_w: count * row.watts,
        idle_w: 0.0,
        basis: if count == 1.0 { Basis::Printed } else { Basis::Derived },
        source: "Table 4's interface for every 256 GB/s",
    }
}

impl fmt::Display for Area {
    /// Writes a table: component, mm² at 7 and 22 nm, watts, basis.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<14} {:>9} {:>9} {:>8}", "component", "mm2 7 nm", "mm2 22 nm", "TDP W")?;
        for c in &self.components {
            let basis = format!("{:?}", c.basis).to_lowercase();
            let name = c.part.name();
            writeln!(f, "{name:<14} {:>9.4} {:>9.4} {:>8.4}  {basis}", c.mm2, c.mm2_22nm, c.tdp_w)?;
        }
        let name = "without PHY";
        write!(f, "{name:<14} {:>9.4} {:>9.4} {:>8.4}", self.mm2, self.mm2_22nm, self.tdp_w)
    }
}
