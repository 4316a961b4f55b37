//! A design of the crypto-processor as data: the parameters that an architect may change without touching code.
//!
//! Every parameter of every engine is declared here with its range. The engines read their parameters from here and declare
//! none themselves.

pub mod clock;
mod dma;
mod msm;
mod poly;

pub use dma::DmaSpec;
pub use msm::{Formula, MsmSpec};
pub use poly::{PolySpec, RowTables};

use crate::isa::Group;
use pairwright_sim::dram;
use pairwright_sim::settings::{
    Changes, Design, OutOfRange, Sections, SettingError, between, flag, in_range, named,
};
use serde::{Deserialize, Serialize};

/// A design of the whole chip: the parameters of the pairing processor, of the other engines and of the memory. Times are in
/// cycles; a *slot* is a cycle in which the issue stage advances.
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
    /// A description of one line, which reports show.
    pub about: String,
    /// Clock and voltage of the operating point.
    pub clock: Clock,
    /// The front end of the pairing processor.
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
    pub dram: dram::DramConfig,
}

/// The operating point. It decides energy and time, but not cycles.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Frequency in hertz.
    pub hz: f64,
    /// Volts, 0.7 to 1.1.
    pub volts: f64,
}

/// Parameters of the pairing processor's front end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// Words that may issue in one slot: 1, or 2 with one of them for the multiplier and one for the arithmetic unit.
    pub width: u32,
}

/// Whether products overlap in the multiplier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MmStyle {
    /// Accepts a new product every `ii` cycles while others are in flight.
    Pipelined,
    /// Computes one product at a time: the next starts when the last is done.
    Iterative,
}

/// The Fp2 Montgomery multiplier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MmUnit {
    /// Pipelined or iterative.
    pub style: MmStyle,
    /// Cycles from operands to result if the four products of Fp start together: two more than a processing element has
    /// stages. The other engines' latencies follow it unless they are set themselves ([`MachineSpec::follow`]).
    pub latency: u32,
    /// Initiation interval of the pipelined multiplier in cycles. From 2 on, fewer than four processing elements share the
    /// four products of Fp, which then start one after the other.
    pub ii: u32,
}

/// Number of Fp products in one Fp2 product by the schoolbook method.
pub const FP_PRODUCTS: u32 = 4;

impl MmUnit {
    /// Cycles between the starts of two Fp2 products, for either style.
    pub fn interval(&self) -> u32 {
        match self.style {
            MmStyle::Pipelined => self.ii,
            MmStyle::Iterative => self.latency,
        }
    }

    /// Number of processing elements of the multiplier. A product in Fp2 is four products in Fp: four elements accept one in
    /// every cycle, fewer are enough for a longer interval, and one element holds four iterative multipliers (\[CP\]
    /// §III.C).
    pub fn elements(&self) -> u32 {
        FP_PRODUCTS.div_ceil(self.interval().clamp(1, FP_PRODUCTS))
    }

    /// Number of cycles over which the starts of the four Fp products of an Fp2 product are spread.
    pub fn starts(&self) -> u32 {
        match self.style {
            MmStyle::Pipelined => FP_PRODUCTS.div_ceil(self.elements()),
            MmStyle::Iterative => 1,
        }
    }

    /// Cycles from operands to the product in Fp2: the last of the four products of Fp starts `starts - 1` cycles after the
    /// first.
    pub fn product_latency(&self) -> u32 {
        self.latency + self.starts() - 1
    }

    /// Pipeline stages of a processing element. The other two cycles of the latency combine the four products.
    pub fn stages(&self) -> u32 {
        self.latency.saturating_sub(2).max(1)
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
    /// A square and a product for every bit of the exponent.
    Always,
    /// A square for every bit, and a product for every bit that is 1.
    Binary,
    /// Sliding windows of `window` bits over odd powers.
    Window,
    /// From the lowest bit up: the product of a bit shares the pipeline with the square, so that only squares wait for
    /// one another.
    Parallel,
}

/// The Fp inverter: it computes `x^(p-2)` as a sequence of products on the multiplier, which it occupies meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inversion {
    /// The addition chain of the exponent.
    pub chain: Exponentiation,
    /// Bits of a window, for [`Exponentiation::Window`].
    pub window: u32,
    /// Cycles from the operands of one product to those of the next.
    pub interval: u32,
}

/// The forwarding paths that the design has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forwarding {
    /// Whether there is path 1, from the write-back register.
    pub path1: bool,
    /// Whether there is path 2, from the last stage of a channel.
    pub path2: bool,
}

/// The register banks; a row holds one Fp2 element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Banks {
    /// Number of banks, at most 3: the instruction word has no room for more.
    pub count: u32,
    /// Rows per bank, at most 32.
    pub rows: u32,
    /// Read ports per bank.
    pub reads: u32,
    /// Write ports per bank.
    pub writes: u32,
}

/// The switcher between Bank0-2 and the global bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switcher {
    /// Rows moved per cycle.
    pub rows_per_cycle: u32,
    /// Rows of the global bank, at most 256.
    pub global_rows: u32,
}

/// Parameters of the control: the instruction memories, and the cycles that starting an instruction or a routine takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Words of the L1 memory, at most 1,024.
    pub l1_words: u32,
    /// Words of the L2 memory, at most 1,024.
    pub l2_words: u32,
    /// Cycles to fetch and dispatch an L1 instruction.
    pub dispatch: u32,
    /// Cycles from the dispatch of `pair_op` to the first slot: fetch and decode of the L2 word, at least the cycle in which
    /// the first rows are read.
    pub fill: u32,
    /// Whether the sender fetches and dispatches the instruction that follows a routine or a move while that one runs
    /// (\[CP\] §III.A: it works beside the datapaths), so that its dispatch takes no cycle of its own.
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
    /// The sender of the published processor, which dispatches out of order; how far it looks ahead is inferred.
    pub const fn paper() -> Self {
        Self { window: 8, entries: 8 }
    }
}

impl Default for SenderSpec {
    fn default() -> Self {
        Self::paper()
    }
}

const RANGES: Sections = &[
    ("clock", &[between("hz", 1e6, 2e9, "Hz").printed(), between("volts", 0.7, 1.1, "V").printed()]),
    ("issue", &[between("width", 1.0, 2.0, "words").printed()]),
    (
        "mm",
        &[
            named("style", &["pipelined", "iterative"]).printed(),
            between("latency", 2.0, 64.0, "cycles").inferred(),
            between("ii", 1.0, 64.0, "cycles").printed(),
        ],
    ),
    ("arith", &[between("latency", 1.0, 8.0, "cycles").printed()]),
    (
        "inversion",
        &[
            named("chain", &["always", "binary", "window", "parallel"]).inferred(),
            between("window", 1.0, 8.0, "bits").added(),
            between("interval", 1.0, 128.0, "cycles").inferred(),
        ],
    ),
    ("forwarding", &[flag("path1").printed(), flag("path2").printed()]),
    (
        "banks",
        &[
            between("count", 1.0, 3.0, "").printed(),
            between("rows", 4.0, 32.0, "").printed(),
            between("reads", 1.0, 4.0, "a cycle").printed(),
            between("writes", 1.0, 3.0, "a cycle").printed(),
        ],
    ),
    (
        "switcher",
        &[
            between("rows_per_cycle", 1.0, 3.0, "").inferred(),
            between("global_rows", 64.0, 256.0, "").inferred(),
        ],
    ),
    (
        "control",
        &[
            between("l1_words", 16.0, 1024.0, "words").printed(),
            between("l2_words", 16.0, 1024.0, "words").printed(),
            between("dispatch", 0.0, 16.0, "cycles").inferred(),
            between("fill", 1.0, 16.0, "cycles").inferred(),
            flag("prefetch").inferred(),
            flag("repeat").added(),
        ],
    ),
    ("sender", &[between("window", 1.0, 64.0, "").inferred(), between("entries", 1.0, 64.0, "").inferred()]),
    ("poly", poly::RANGES),
    ("msm", msm::RANGES),
    ("dma", dma::RANGES),
    ("dram", dram::RANGES),
];

impl MachineSpec {
    /// The built-in designs with their names.
    pub const DESIGNS: &[(&str, fn() -> Self)] = &[
        ("paper", Self::paper),
        ("paper-load", Self::paper_load),
        ("best", Self::best),
        ("hardcaml", Self::hardcaml),
        ("cyclonemsm", Self::cyclonemsm),
        ("pipezk", Self::pipezk),
    ];

    /// The published processor. Parameters that \[CP\] does not print are inferred; `specs/paper.toml` says which.
    pub fn paper() -> Self {
        Self::built_in(include_str!("../../specs/paper.toml"))
    }

    /// The other reading of the published processor: the twiddle tables for the rows of a transform come from memory, so
    /// that an NTT uses the eight processing elements that \[CP\] §V.A states and needs no table of base twiddles.
    /// [`Self::paper`] makes these tables on the four elements that no butterfly uses.
    pub fn paper_load() -> Self {
        let about = "the published processor with its transforms' tables of twiddles loaded: eight elements for an NTT";
        let poly = PolySpec { row_tables: RowTables::Load, ..PolySpec::paper() };
        Self { name: "paper-load".to_owned(), about: about.to_owned(), poly, ..Self::paper() }
    }

    /// The same multiplier, banks and latencies with the front end this project proposes (`specs/best.toml`).
    pub fn best() -> Self {
        Self::built_in(include_str!("../../specs/best.toml"))
    }

    /// The bucket accumulation of Jane Street's MSM for the ZPrize of 2022, as far as these parameters express it
    /// (`specs/hardcaml.toml`).
    pub fn hardcaml() -> Self {
        Self::built_in(include_str!("../../specs/hardcaml.toml"))
    }

    /// The MSM of CycloneMSM, as far as these parameters express it (`specs/cyclonemsm.toml`).
    pub fn cyclonemsm() -> Self {
        Self::built_in(include_str!("../../specs/cyclonemsm.toml"))
    }

    /// The bucket accumulation of PipeZK, as far as these parameters express it (`specs/pipezk.toml`).
    pub fn pipezk() -> Self {
        Self::built_in(include_str!("../../specs/pipezk.toml"))
    }

    /// Parses a built-in design; a test reads every one of them. Files and options change a table of values, so the text is
    /// first read into such a table here too, and the code that makes a design of a table is compiled once.
    fn built_in(text: &str) -> Self {
        let design = toml::from_str(text).and_then(|table| toml::Value::Table(table).try_into());
        design.unwrap_or_else(|why| panic!("the built-in design, which a test reads: {why}"))
    }

    /// The built-in design of this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::DESIGNS.iter().find(|(known, _)| *known == name).map(|(_, design)| design())
    }

    /// A copy of the design with one parameter changed, named by its dotted path (`mm.latency`, `dram.preset`), and checked
    /// again.
    ///
    /// # Errors
    /// No such parameter, a value of another type, or one out of range.
    pub fn with(&self, path: &str, value: &str) -> Result<Self, SettingError> {
        let mut changes = Changes::default();
        changes.value("design", path, value);
        let mut changed = changes.apply(self)?;
        changed.follow(self, |parameter| parameter == path);
        changes.check(&changed)?;
        Ok(changed)
    }

    /// After a change of `mm.latency` from `before`, shifts the product latencies of the other engines and the inverter's
    /// interval by the same number of cycles, since all of them are times of the same processing element. Parameters for
    /// which `set` returns true stay as they are. A latency that is too short for the element's clock lowers the clock, see
    /// [`Element`](crate::spec::clock::Element).
    pub fn follow(&mut self, before: &Self, set: impl Fn(&str) -> bool) {
        let (now, then) = (self.mm.latency, before.mm.latency);
        for (path, latency) in [
            ("poly.mm", &mut self.poly.mm),
            ("msm.pipelined_latency", &mut self.msm.pipelined_latency),
            ("inversion.interval", &mut self.inversion.interval),
        ] {
            // The latency of an iterative product is not that of the element's pipeline.
            let shared = self.mm.style == MmStyle::Pipelined || path == "inversion.interval";
            if now != then && shared && !set(path) {
                *latency = latency.saturating_add(now).saturating_sub(then).max(1);
            }
        }
    }

    /// Number of rows of all register banks together.
    pub fn rows(&self) -> u32 {
        self.banks.count * self.banks.rows
    }
}

impl Design for MachineSpec {
    type Error = OutOfRange;
    const RANGES: Sections = RANGES;

    fn check(&self) -> Result<(), OutOfRange> {
        in_range(self, RANGES)?;
        self.msm.check(Group::G1)?;
        self.msm.check(Group::G2)?;
        self.dram.check()
    }

    fn out_of_range(why: &OutOfRange) -> Option<&OutOfRange> {
        Some(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_designs_can_be_built() {
        for (name, _) in MachineSpec::DESIGNS {
            let design = MachineSpec::named(name).unwrap();
            assert_eq!(design.name, *name);
            design.check().unwrap();
        }
    }

    #[test]
    fn adders_of_other_people_are_as_long_as_they_say() {
        let stages = |spec: MachineSpec| {
            let timing = spec.msm.accumulation(Group::G1);
            assert_eq!(timing.interval, 1, "{}", spec.name);
            timing.latency()
        };
        assert_eq!(stages(MachineSpec::hardcaml()), 238);
        assert!((95..=105).contains(&stages(MachineSpec::cyclonemsm())));
        assert!((70..=79).contains(&stages(MachineSpec::pipezk())));
        let plan = |spec: MachineSpec, bits| spec.msm.plan(Group::G1, bits);
        assert_eq!(plan(MachineSpec::hardcaml(), 253).windows, 20);
        assert_eq!(
            (plan(MachineSpec::cyclonemsm(), 253).windows, plan(MachineSpec::pipezk(), 255).windows),
            (16, 64)
        );
    }

    #[test]
    fn every_parameter_has_a_range_and_an_origin() {
        let all = pairwright_sim::settings::parameters(&MachineSpec::paper()).unwrap();
        let text = |p: &str| ["name", "about"].contains(&p);
        for parameter in all.iter().filter(|p| !text(&p.path) && !p.path.starts_with("dram.")) {
            assert!(!parameter.range.is_empty() && parameter.origin.is_some(), "{parameter:?}");
        }
        assert!(all.iter().any(|p| p.path == "dram.latency"));
        // The file of the design says the same in its comments.
        let file = include_str!("../../specs/paper.toml");
        let mut section = "";
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            section = line.strip_prefix('[').map_or(section, |name| name.trim_end_matches(']'));
            let Some((key, rest)) = line.split_once('=') else { continue };
            let path = format!("{section}.{}", key.trim());
            let Some(found) = all.iter().find(|p| p.path == path).filter(|_| section != "dram") else {
                continue;
            };
            let inferred = found.origin == Some(pairwright_sim::settings::Origin::Inferred);
            assert_eq!(rest.contains("[I]"), inferred, "{path}");
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
        assert_eq!(paper.with("dram.preset", "ddr4_3200").unwrap().dram, dram::DramConfig::ddr4_3200());
        for (path, value, said) in [
            ("mm.latency", "1", "design: mm.latency is 1, it must be 2 to 64 cycles"),
            ("mm.colour", "1", "design: mm.colour: unknown field `colour`"),
            ("mm.style", "magic", "design: mm.style: unknown variant `magic`"),
            (
                "mm.latency",
                "abc",
                "design: mm.latency: wrong type: \"abc\" is a name, it must be a whole number",
            ),
            (
                "mm.glv",
                "true",
                "design: mm.glv: unknown field `glv`, expected one of `style`, `latency`, `ii`; did you mean msm.glv?",
            ),
            ("msm.segments", "3", "design: msm.segments is 3, it must be a power of two"),
            ("msm.elements", "1", "design: msm.elements is 1, it must be at least 2 in G2"),
            ("dram.preset", "ddr9", "design: dram.preset is ddr9"),
        ] {
            let refused = paper.with(path, value).unwrap_err().to_string();
            assert!(refused.starts_with(said), "{refused}");
        }
    }
}
