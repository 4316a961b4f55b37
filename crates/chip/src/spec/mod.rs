//! A design of the crypto-processor as data: what an architect may change without touching code.
//!
//! Every parameter of every engine is declared here with its range; engines read their parts and declare none.

mod dma;
mod msm;
mod poly;

pub use dma::DmaSpec;
pub use msm::{Formula, MsmSpec};
pub use poly::{PolySpec, RowTables};

use crate::isa::Group;
use core::fmt::Display;
use core::ops::RangeInclusive;
use pairwright_sim::dram;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The pairing processor's parameters. Times are in cycles; a *slot* is a cycle in which the issue stage moves.
///
/// An instruction that issues in slot `s` on a channel of latency `d` has its result on forwarding path 2 for the
/// instructions of slot `s + d`, on path 1 for those of slot `s + d + 1`, and in its bank for those of slot
/// `s + d + 2` and later (\[CP\] §IV.A). Banks are read in the cycle before issue and written in the cycle after the
/// last stage: cycle `s - 1` and cycle `s + d`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineSpec {
    /// Its name in reports.
    pub name: String,
    /// One line for people.
    pub about: String,
    /// Clock and voltage of the operating point.
    pub clock: Clock,
    /// The front end.
    pub issue: Issue,
    /// The Fp2 Montgomery multiplier.
    pub mm: MmUnit,
    /// Fp2 addition, subtraction, conjugation, negation, multiplication by ξ, move.
    pub arith: ArithUnit,
    /// Fp inversion by Fermat's theorem.
    pub inversion: Inversion,
    /// The two forwarding paths.
    pub forwarding: Forwarding,
    /// Bank0 to Bank2.
    pub banks: Banks,
    /// The switcher between the banks and the global bank.
    pub switcher: Switcher,
    /// L1 and L2 control.
    pub control: Control,
    /// The top controller's sender.
    #[serde(default)]
    pub sender: SenderSpec,
    /// The polynomial engine.
    #[serde(default)]
    pub poly: PolySpec,
    /// The MSM engine.
    #[serde(default)]
    pub msm: MsmSpec,
    /// The transfer engine.
    #[serde(default)]
    pub dma: DmaSpec,
    /// The memory off the chip.
    #[serde(default)]
    pub dram: dram::Config,
}

/// Operating point: energy and time follow from it, cycles do not.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Frequency in hertz.
    pub hz: f64,
    /// Volts, 0.7 to 1.1.
    pub volts: f64,
}

/// The front end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// Words that may issue in one slot: 1, or 2 with one of them for the multiplier and one for the arithmetic unit.
    pub width: u32,
}

/// How the multiplier takes operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MmStyle {
    /// A new product every `ii` cycles, others in flight.
    Pipelined,
    /// One product at a time: the next starts when the last is done.
    Iterative,
}

/// The Fp2 Montgomery multiplier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MmUnit {
    /// Pipelined or iterative.
    pub style: MmStyle,
    /// Cycles from operands to result.
    pub latency: u32,
    /// Cycles between two products (pipelined).
    pub ii: u32,
}

impl MmUnit {
    /// Cycles between two products, whatever the style.
    pub fn interval(&self) -> u32 {
        match self.style {
            MmStyle::Pipelined => self.ii,
            MmStyle::Iterative => self.latency,
        }
    }
}

/// The fully pipelined arithmetic unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArithUnit {
    /// Cycles from operands to result.
    pub latency: u32,
}

/// The addition chain for `p - 2` that the inverter walks. The exponent is public, so every choice is constant time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exponentiation {
    /// A square and a product for every bit.
    Always,
    /// A square for every bit, a product for every one.
    Binary,
    /// Sliding windows of `window` bits over odd powers.
    Window,
    /// From the lowest bit up: the product of a bit shares the pipeline with the square, so that only squares wait for
    /// one another.
    Parallel,
}

/// The Fp inverter: `x^(p-2)` as a sequence of products on the multiplier, which it holds meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inversion {
    /// The addition chain of the exponent.
    pub chain: Exponentiation,
    /// Bits of a window, for [`Exponentiation::Window`].
    pub window: u32,
    /// Cycles from one product's operands to the next's.
    pub interval: u32,
}

/// The forwarding paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forwarding {
    /// Path 1: from the write-back register.
    pub path1: bool,
    /// Path 2: from the last stage.
    pub path2: bool,
}

/// The register banks; a row holds one Fp2 element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Banks {
    /// Banks, at most 3: the instruction word has no room for more.
    pub count: u32,
    /// Rows of a bank, at most 32.
    pub rows: u32,
    /// Reads of a bank in a cycle.
    pub reads: u32,
    /// Writes of a bank in a cycle.
    pub writes: u32,
}

/// The switcher between Bank0-2 and the global bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switcher {
    /// Rows moved in a cycle.
    pub rows_per_cycle: u32,
    /// Rows of the global bank, at most 256.
    pub global_rows: u32,
}

/// Control: memories of instructions and the cycles it takes to start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Words of the L1 memory, at most 1,024.
    pub l1_words: u32,
    /// Words of the L2 memory, at most 1,024.
    pub l2_words: u32,
    /// Cycles to fetch and dispatch an L1 instruction.
    pub dispatch: u32,
    /// Cycles from the dispatch of `pair_op` to the first slot: L2 fetch and decode, at least the one in which the
    /// first rows are read.
    pub fill: u32,
    /// Whether the sender fetches and dispatches the instruction that follows a routine or a move while that runs (\[CP\]
    /// §III.A: it works beside the datapaths), so that its dispatch takes no cycle of its own.
    pub prefetch: bool,
    /// Whether the front end can go from the last word of a routine to its first without draining (`pair_repeat`).
    pub repeat: bool,
}

/// The sender's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SenderSpec {
    /// Instructions that may wait for dispatch, \[I\]: 1 dispatches in order.
    pub window: u32,
    /// Instructions that may be in execution at once, \[I\]: the entries of the state table.
    pub entries: u32,
}

impl SenderSpec {
    /// The published processor dispatches out of order; how far it looks ahead is inferred.
    pub const fn paper() -> Self {
        Self { window: 8, entries: 8 }
    }
}

impl Default for SenderSpec {
    fn default() -> Self {
        Self::paper()
    }
}

/// A design that cannot be built.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Not TOML, or not these fields.
    #[error("design: {0}")]
    Toml(#[from] toml::de::Error),
    /// A parameter is outside of what the instruction words or the model can express.
    #[error("design: {0}")]
    Range(#[from] OutOfRange),
    /// A parameter of the memory off the chip.
    #[error("design: {0}")]
    Dram(#[from] dram::ConfigError),
    /// A parameter named on the command line that no design has.
    #[error("design: no parameter `{0}`")]
    NoParameter(String),
}

/// A parameter outside of its range.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path} is {value}, it must be {must}")]
pub struct OutOfRange {
    /// Dotted path of the parameter.
    pub path: &'static str,
    /// The value that was given.
    pub value: String,
    /// The values that it may have.
    pub must: String,
}

impl OutOfRange {
    pub(crate) fn new(path: &'static str, value: impl Display, must: impl Into<String>) -> Self {
        Self { path, value: value.to_string(), must: must.into() }
    }
}

/// Whether a parameter lies in its range.
fn between<T: PartialOrd + Display>(
    path: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), OutOfRange> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(OutOfRange::new(path, value, format!("{} to {}", range.start(), range.end())))
}

const PAPER: &str = include_str!("../../specs/paper.toml");
const BEST: &str = include_str!("../../specs/best.toml");
const DESIGNS: &[(&str, &str)] = &[("paper", PAPER), ("best", BEST)];

impl MachineSpec {
    /// A design that is part of this crate.
    fn built_in(name: &str, text: &str) -> Self {
        Self::parse(text)
            .unwrap_or_else(|why| panic!("the built-in design {name}, which a test reads: {why}"))
    }

    /// The published processor, parameters that \[CP\] does not print being inferred (`specs/paper.toml` says which).
    pub fn paper() -> Self {
        Self::built_in("paper", PAPER)
    }

    /// The same multiplier, banks and latencies with the front end this project proposes (`specs/best.toml`).
    pub fn best() -> Self {
        Self::built_in("best", BEST)
    }

    /// A built-in design.
    pub fn named(name: &str) -> Option<Self> {
        DESIGNS.iter().find(|(n, _)| *n == name).and_then(|(_, text)| Self::parse(text).ok())
    }

    /// The names that [`MachineSpec::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        DESIGNS.iter().map(|(name, _)| *name)
    }

    /// Reads a design from TOML and checks it.
    ///
    /// # Errors
    /// Text that is not a design, or parameters out of range.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Self = toml::from_str(text)?;
        spec.check()?;
        Ok(spec)
    }

    /// The design with the parameter at a dotted path (`mm.latency`) set, checked again. `dram.preset` stands for all
    /// of the memory's: one of [`dram::Config::PRESETS`].
    ///
    /// # Errors
    /// No such parameter, a value of another type, or one out of range.
    pub fn with(&self, path: &str, value: &str) -> Result<Self, SpecError> {
        if path == "dram.preset" {
            return Ok(Self { dram: dram::Config::preset(value)?, ..self.clone() });
        }
        let missing = || SpecError::NoParameter(path.to_owned());
        let mut table = toml::Table::try_from(self).map_err(|_| missing())?;
        let (section, key) = path.split_once('.').ok_or_else(missing)?;
        let slot = table.get_mut(section).and_then(|s| s.get_mut(key)).ok_or_else(missing)?;
        *slot = match slot {
            toml::Value::String(_) => toml::Value::String(value.to_owned()),
            toml::Value::Float(_) => toml::Value::Float(value.parse().map_err(|_| missing())?),
            toml::Value::Boolean(_) => toml::Value::Boolean(value.parse().map_err(|_| missing())?),
            _ => toml::Value::Integer(value.parse().map_err(|_| missing())?),
        };
        let spec: Self = table.try_into()?;
        spec.check()?;
        Ok(spec)
    }

    /// Rows of all banks together.
    pub fn rows(&self) -> u32 {
        self.banks.count * self.banks.rows
    }

    fn check(&self) -> Result<(), SpecError> {
        between("issue.width", self.issue.width, 1..=2)?;
        between("mm.latency", self.mm.latency, 2..=64)?;
        between("mm.ii", self.mm.ii, 1..=64)?;
        between("arith.latency", self.arith.latency, 1..=8)?;
        between("inversion.window", self.inversion.window, 1..=8)?;
        between("inversion.interval", self.inversion.interval, 1..=128)?;
        between("banks.count", self.banks.count, 1..=3)?;
        between("banks.rows", self.banks.rows, 4..=32)?;
        between("banks.reads", self.banks.reads, 1..=4)?;
        between("banks.writes", self.banks.writes, 1..=3)?;
        between("switcher.rows_per_cycle", self.switcher.rows_per_cycle, 1..=3)?;
        between("switcher.global_rows", self.switcher.global_rows, 64..=256)?;
        between("control.l1_words", self.control.l1_words, 16..=1024)?;
        between("control.l2_words", self.control.l2_words, 16..=1024)?;
        between("control.dispatch", self.control.dispatch, 0..=16)?;
        between("control.fill", self.control.fill, 1..=16)?;
        between("clock.volts", self.clock.volts, 0.7..=1.1)?;
        between("clock.hz", self.clock.hz, 1e6..=2e9)?;
        between("sender.window", self.sender.window, 1..=64)?;
        between("sender.entries", self.sender.entries, 1..=64)?;
        self.poly.check()?;
        self.msm.check(Group::G1)?;
        self.msm.check(Group::G2)?;
        self.dma.check()?;
        self.dram.check()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_designs_parse() {
        for name in MachineSpec::names() {
            assert_eq!(MachineSpec::named(name).unwrap().name, name);
        }
    }

    #[test]
    fn sections_that_a_design_leaves_out_are_the_papers() {
        let paper = MachineSpec::paper();
        assert_eq!((paper.sender, paper.poly, paper.msm), Default::default());
        assert_eq!((paper.dma, paper.dram), Default::default());
        let best = MachineSpec::best();
        assert_eq!((best.sender, best.dma, best.dram), (paper.sender, paper.dma, paper.dram));
        assert!(best.msm.glv && best.msm.plan(Group::G1, 255).windows == 1);
    }

    #[test]
    fn a_parameter_is_set_by_its_path_and_checked() {
        let paper = MachineSpec::paper();
        assert_eq!(paper.with("mm.latency", "22").unwrap().mm.latency, 22);
        assert_eq!(paper.with("mm.style", "iterative").unwrap().mm.interval(), paper.mm.latency);
        assert!(matches!(
            paper.with("mm.latency", "1"),
            Err(SpecError::Range(OutOfRange { path: "mm.latency", .. }))
        ));
        assert!(matches!(paper.with("mm.colour", "1"), Err(SpecError::NoParameter(_))));
        assert!(matches!(paper.with("mm.style", "magic"), Err(SpecError::Toml(_))));
        assert_eq!(paper.with("dram.preset", "ddr4_3200").unwrap().dram, dram::Config::ddr4_3200());
        assert!(matches!(paper.with("dram.preset", "ddr9"), Err(SpecError::Dram(_))));
    }
}
