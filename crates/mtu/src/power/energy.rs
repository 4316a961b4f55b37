//! The energy of a run, from its account.

use super::anchors::Memory;
use super::area::{Area, Macros, Part, bandwidth};
use crate::{Account, Traversal, TreeDir, UnitConfig};
use core::fmt;
use pairwright_sim::dram::Kind;
use pairwright_sim::tech::Basis;
use serde::Serialize;

/// The energy of a component in a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    /// The part of the unit that draws this energy.
    pub part: Part,
    /// Joules of the operations that it did.
    pub work_j: f64,
    /// Joules that it draws independently of its operations.
    pub idle_j: f64,
}

/// The energy of a run at 7 nm, by component.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Energy {
    /// Duration of the run in seconds.
    pub seconds: f64,
    /// The components' energies, in the order of [`Part`], without the interface to memory.
    pub shares: Vec<Share>,
    /// Joules of the unit, without memory and the interface to it.
    pub unit_j: f64,
    /// Average power of the unit in watts.
    pub unit_w: f64,
    /// Joules of the interfaces to HBM2 while data move, from the printed watts; zero for DDR, of whose interface nothing
    /// is printed.
    pub phy_j: f64,
    /// Joules of the memory. Estimated.
    pub dram_j: f64,
    /// The kind of memory whose energy per bit was used; `None` if the energies of its commands were counted.
    pub memory: Option<Memory>,
    /// Joules of unit, interface and memory.
    pub total_j: f64,
    /// Average power of the three in watts.
    pub total_w: f64,
    /// The basis of `unit_j`.
    pub basis: Basis,
}

impl Energy {
    /// Joules of the unit, without memory and the interface to it: the field `unit_j`.
    pub fn joules(&self) -> f64 {
        self.unit_j
    }
}

/// Computes the energy of a run at 7 nm; the kind of memory is inferred from its bandwidth ([`Memory::of`]).
///
/// A multiplication, an addition and a permutation cost the energy that their circuits draw in the cycles that one takes,
/// by Table 4: 0.207 nJ per multiplication and 0.0043 nJ per addition of 255 bits, 0.24 nJ per permutation in an
/// iterative core. A tenth of each is drawn even without work ([`IDLE_SHARE`](super::IDLE_SHARE)). Each word through a
/// buffer is written once and read once. The energy of memory is proportional to the bits moved over the pins; a DRAM
/// that is modelled by commands counts its own energy, including standby.
pub fn energy(config: &UnitConfig, account: &Account) -> Energy {
    let memory = Memory::of(bandwidth(config));
    let area = Area::of(config);
    let (hz, cycles) = (config.hz(), account.cycles as f64);
    let seconds = cycles / hz;
    let shares: Vec<Share> = area
        .components
        .iter()
        .filter(|c| c.part != Part::Phy)
        .map(|c| {
            let busy_j = |cycles: f64| (c.tdp_w - c.idle_w) / hz * cycles;
            let work_j = match work(config, account, c.part) {
                Work::Cycles(n) => busy_j(n),
                Work::Joules(j) => j,
            };
            Share { part: c.part, work_j, idle_j: c.idle_w * seconds }
        })
        .collect();
    let unit_j = shares.iter().map(|s| s.work_j + s.idle_j).sum();
    let own = match config.dram.kind {
        Kind::Ddr => account.dram.dynamic_j,
        Kind::Flat => None,
    };
    let ranks = f64::from(config.dram.channels * config.dram.ranks);
    let dram_j = match own {
        Some(dynamic) => dynamic + 1e-3 * config.dram.standby_mw * ranks * seconds,
        None => 8.0 * account.dram.moved_bytes as f64 * memory.j_per_bit(),
    };
    let memory = if own.is_some() { None } else { Some(memory) };
    let moving = account.memory_busy.min(account.cycles) as f64 / hz;
    let phy_w = area.component(Part::Phy).map_or(0.0, |c| c.tdp_w);
    let phy_j = if memory == Some(Memory::Hbm2) { phy_w * moving } else { 0.0 };
    let total_j = unit_j + phy_j + dram_j;
    let watts = |joules: f64| if seconds > 0.0 { joules / seconds } else { 0.0 };
    Energy {
        seconds,
        shares,
        unit_j,
        unit_w: watts(unit_j),
        phy_j,
        dram_j,
        memory,
        total_j,
        total_w: watts(total_j),
        basis: Basis::Calibrated,
    }
}

/// The work of a component in a run.
pub(super) enum Work {
    /// Cycles in which all of the component is active.
    Cycles(f64),
    /// Joules of the accesses to a memory.
    Joules(f64),
}

pub(super) fn work(config: &UnitConfig, account: &Account, part: Part) -> Work {
    let pes = f64::from(config.pes);
    let done = &account.operations;
    let through =
        |words: u64, capacity| Work::Joules(2.0 * words as f64 * Macros::stream(config, capacity).word_j());
    // In depth-first traversal every element has an accumulator, and they share the counted accesses equally.
    let accumulators = if config.traversal == Traversal::Dfs { pes } else { 1.0 };
    let accesses_j = done.buffer_accesses as f64 * Macros::accumulator(config).word_j();
    match part {
        Part::Multipliers => Work::Cycles(done.products as f64 / pes),
        Part::Adders => Work::Cycles(done.sums as f64 / (2.0 * pes)),
        Part::Sha3 => Work::Cycles(done.hashes as f64 * f64::from(config.hash_ii) / pes),
        // The schedule advances and a challenge is read in every cycle, whether there is a node or not.
        Part::Control | Part::Challenges => Work::Cycles(account.cycles as f64),
        Part::Input => through(words_in(config, account), config.input_bytes),
        Part::Output => {
            let beside = account.downstream.map_or(0, |stage| stage.words);
            through(account.dram.write_bytes / u64::from(config.word_bytes) + beside, config.output_bytes)
        }
        Part::Accumulator => Work::Joules(accesses_j / accumulators),
        Part::Subtrees => Work::Joules(accesses_j * (accumulators - 1.0) / accumulators),
        Part::Levels => through(level_words(config, account), config.level_bytes),
        Part::Phy => Work::Cycles(0.0),
    }
}

/// The number of words that came from memory or from a stage upstream.
fn words_in(config: &UnitConfig, account: &Account) -> u64 {
    account.dram.read_bytes / u64::from(config.word_bytes) + account.upstream.map_or(0, |stage| stage.words)
}

/// The number of words that breadth-first traversal took from levels on the chip: operands that did not come from
/// outside.
fn level_words(config: &UnitConfig, account: &Account) -> u64 {
    if account.sram.levels == 0 {
        return 0;
    }
    let nodes = (1u64 << account.job.log_size.min(62)) - 1;
    let operands = match account.job.workload.direction() {
        TreeDir::Forward => nodes,
        TreeDir::Inverted => 2 * nodes,
    };
    operands.saturating_sub(words_in(config, account))
}

impl fmt::Display for Energy {
    /// Writes a table: component, microjoules, and the part of them that is drawn without work.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<14} {:>10} {:>10}", "component", "uJ", "of it idle")?;
        for s in &self.shares {
            let name = s.part.name();
            writeln!(f, "{name:<14} {:>10.3} {:>10.3}", 1e6 * (s.work_j + s.idle_j), 1e6 * s.idle_j)?;
        }
        for (name, joules) in [("unit", self.unit_j), ("HBM2 PHY", self.phy_j), ("memory", self.dram_j)] {
            writeln!(f, "{name:<14} {:>10.3}", 1e6 * joules)?;
        }
        write!(f, "{:<14} {:>10.3} {:>9.3} W on average", "all", 1e6 * self.total_j, self.total_w)
    }
}
