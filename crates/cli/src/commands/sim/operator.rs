//! The parts of `pairwright sim ntt`, `msm` and `groth16` that do not depend on the operator.

use super::counted::lines;
use super::quantity::Sense;
use super::roofline::{Machine, Work};
use super::sweep::{self, Column, Costs, Family};
use super::to_file;
use crate::args::{Cli, SimChip, SimOperator};
use crate::commands::design::{Base, DESIGN};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use clap::Args;
use pairwright::Boards;
use pairwright::chip::MachineSpec;
use pairwright::chip::machine::top::{Account, Executed, Share, Uncounted, Watch, timeline};
use pairwright::chip::power::{ChipActivity, ChipCost, ChipShape, Engine, activities, counted, price};
use pairwright::chip_programs::prover::Section;
use pairwright::device::Bound;
use pairwright::formats::CurveId;
use pairwright::sim::cells::{Estimate, FITTED};
use pairwright::sim::dram::Kind;
use pairwright::sim::settings::{Design as _, nearest};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// An operator of the chip with its parameters.
pub(super) trait Operator: Args + Clone + Serialize + Sync {
    /// The names of the parameters that a sweep may change.
    const PARAMETERS: &'static [&'static str];
    /// Sets a parameter of the operator by name, as a sweep does.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Failure>;
    /// The curve of the operator.
    fn curve(&self) -> CurveId;
    /// Simulates the operator on a design, with data or without; both take the same number of cycles.
    fn simulate<E: Boards>(
        &self,
        spec: &MachineSpec,
        observer: Observer<'_>,
        data: bool,
    ) -> Result<Simulated, Failure>;
    /// Whether `--data` asks for a run with data.
    fn data(&self) -> bool;
    /// The operator's L1 program as text.
    fn listing<E: Boards>(&self, spec: &MachineSpec) -> Result<String, Failure>;
    /// Further details of a run as text.
    fn details(&self, account: &Account) -> String;
    /// The operator's parameters as text: those for which `fixed` is true, so that the ones a sweep changes are left out.
    fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String;
}

/// What a simulation records and reports while it runs.
#[derive(Clone, Copy)]
pub(super) struct Observer<'a> {
    /// Whether every executed instruction is kept, with its start and end cycles.
    pub trace: bool,
    /// Called with the share of the program that is done.
    pub progress: &'a (dyn Fn(Share) + Sync),
}

impl Observer<'_> {
    /// A run without a trace and without progress reports.
    const NONE: Observer<'static> = Observer { trace: false, progress: &|_| {} };

    /// Runs a simulation, and collects its executed instructions if there is a trace.
    pub(super) fn collect<T, E>(
        &self,
        run: impl FnOnce(Watch<'_>) -> Result<T, E>,
    ) -> Result<(T, Vec<Executed>), Failure>
    where
        Failure: From<E>,
    {
        let mut kept = Vec::new();
        let mut most = false;
        let value = run(&mut |executed, share| {
            (self.progress)(share);
            most |= kept.len() == MOST_TRACED;
            if self.trace && !most {
                kept.push(*executed);
            }
        })?;
        if self.trace && most {
            Err(ArgumentError::Trace { most: MOST_TRACED }.into())
        } else {
            Ok((value, kept))
        }
    }
}

/// The most instructions of a timeline, some hundred megabytes of text.
const MOST_TRACED: usize = 1 << 20;

/// The number of cycles above which no second run measures the effect of a faster memory.
const MOST_CYCLES_RERUN: u64 = 1 << 32;

/// Number of steps of the progress bar for one run.
const STEPS: u64 = 1000;

pub(super) struct Simulated {
    /// The account of the run.
    pub account: Account,
    /// Every executed instruction, if there is a trace.
    pub executed: Vec<Executed>,
    /// The operators of a program that has several.
    pub sections: Vec<Section>,
    /// Whether the run had data, and its result was compared with the host's.
    pub checked: bool,
    /// Wall-clock seconds of the run alone.
    pub seconds: f64,
}

impl Simulated {
    /// A run without data, with its instructions if they were kept.
    pub(super) fn timed(
        account: Account,
        executed: Vec<Executed>,
        sections: Vec<Section>,
        seconds: f64,
    ) -> Self {
        Self { account, executed, sections, checked: false, seconds }
    }

    /// A run with data, whose result was compared with the host's.
    pub(super) fn compared(account: Account, sections: Vec<Section>, seconds: f64) -> Self {
        Self { account, executed: Vec::new(), sections, checked: true, seconds }
    }
}

fn simulate<E: Boards>(
    operator: &impl Operator,
    spec: &MachineSpec,
    observer: Observer<'_>,
) -> Result<Simulated, Failure> {
    operator.simulate::<E>(spec, observer, operator.data())
}

fn listing<E: Boards>(operator: &impl Operator, spec: &MachineSpec) -> Result<String, Failure> {
    operator.listing::<E>(spec)
}

/// The share of a run's time that it waits for memory, 0 to 1: twice the share of cycles that a memory of twice the bandwidth saves,
/// measured by simulating the run on such a design. `None` if such a design cannot be built, and for runs of more than 2^32 cycles,
/// which are not repeated.
fn memory_share<E: Boards>(
    operator: &impl Operator,
    spec: &MachineSpec,
    cycles: u64,
    progress: &(dyn Fn(Share) + Sync),
) -> Result<Option<f64>, Failure> {
    if cycles > MOST_CYCLES_RERUN {
        return Ok(None);
    }
    let observer = Observer { trace: false, progress };
    let mut faster = spec.clone();
    faster.dram.bytes_per_cycle = faster.dram.bytes_per_cycle.saturating_mul(2);
    if faster.dram.kind == Kind::Ddr {
        faster.dram.channels = faster.dram.channels.saturating_mul(2);
    }
    if faster.check().is_err() {
        return Ok(None);
    }
    // A run with data may draw other scalars than one without, so that both runs compared here are without data.
    let timed =
        |spec, observer| Ok::<_, Failure>(operator.simulate::<E>(spec, observer, false)?.account.cycles);
    let cycles = if operator.data() { timed(spec, Observer::NONE)? } else { cycles };
    let then = timed(&faster, observer)?;
    Ok(Some((2.0 * (1.0 - then as f64 / cycles.max(1) as f64)).clamp(0.0, 1.0)))
}

/// The resource that limits a run: `compute`, `memory`, or `both` if they alternate. Without a share of waiting for memory, it is
/// determined by the resource that the run's elements waited for.
fn bound(memory: Option<f64>, account: &Account) -> &'static str {
    memory.map_or_else(|| account.bound(), Bound::of_memory_share).name()
}

/// Runs a function and returns its result with the seconds that it took.
pub(super) fn clocked<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let value = run();
    (value, start.elapsed().as_secs_f64())
}

/// The figures of a run, for JSON and for the table of a sweep.
#[derive(Serialize)]
pub(super) struct ChipFigures {
    cycles: u64,
    clock_hz: f64,
    latency_s: f64,
    /// Energy of the core in joules.
    energy_j: f64,
    /// Energy of the DRAM and its interface in joules.
    dram_energy_j: f64,
    power_w: f64,
    /// Share of the active engine's element cycles in which the elements were busy, 0 to 1.
    utilisation: f64,
    /// Share of the run that waits for memory, 0 to 1, see [`memory_share`].
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_share: Option<f64>,
    /// `compute`, `memory` or `both`, see [`bound`].
    bound: &'static str,
    /// Bytes that the program transferred to and from DRAM.
    dram_bytes: u64,
    /// Bytes that moved over the DRAM's pins.
    dram_moved_bytes: u64,
    area_mm2: f64,
    atp_us_mm2: f64,
}

impl ChipFigures {
    fn new(account: &Account, cost: &ChipCost, memory_share: Option<f64>) -> Self {
        Self {
            cycles: account.cycles,
            clock_hz: cost.clock_hz,
            latency_s: cost.latency_s,
            energy_j: cost.energy_j,
            dram_energy_j: cost.dram_j,
            power_w: cost.power_w,
            utilisation: cost.utilisation,
            memory_share,
            bound: bound(memory_share, account),
            dram_bytes: account.dram_bytes(),
            dram_moved_bytes: account.dram.moved_bytes,
            area_mm2: cost.core_mm2,
            atp_us_mm2: 1e6 * cost.latency_s * cost.core_mm2,
        }
    }
}

impl Costs for ChipFigures {
    const COLUMNS: &'static [Column<Self>] = &[
        ("cycles", |f| f.cycles.to_string()),
        ("clock_mhz", |f| format!("{:.1}", 1e-6 * f.clock_hz)),
        ("latency_us", |f| format!("{:.3}", 1e6 * f.latency_s)),
        ("energy_uj", |f| format!("{:.3}", 1e6 * f.energy_j)),
        ("utilisation", |f| format!("{:.4}", f.utilisation)),
        ("memory_share", |f| f.memory_share.map_or_else(String::new, |share| format!("{share:.4}"))),
        ("bound", |f| f.bound.to_owned()),
        ("dram_bytes", |f| f.dram_bytes.to_string()),
        ("dram_moved_bytes", |f| f.dram_moved_bytes.to_string()),
        ("area_mm2", |f| format!("{:.4}", f.area_mm2)),
        ("atp_us_mm2", |f| format!("{:.2}", f.atp_us_mm2)),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("latency_us", Sense::Less),
        ("area_mm2", Sense::Less),
        ("energy_uj", Sense::Less),
        ("cycles", Sense::Less),
        ("atp_us_mm2", Sense::Less),
        ("utilisation", Sense::More),
    ];
}

#[derive(Serialize)]
struct OperatorHeading<'a, O> {
    design: &'a str,
    #[serde(flatten)]
    operator: &'a O,
}

#[derive(Serialize)]
struct ChipReport<'a, O> {
    #[serde(flatten)]
    head: OperatorHeading<'a, O>,
    /// Whether the result was compared with the host's.
    checked: bool,
    #[serde(flatten)]
    figures: ChipFigures,
    volts: f64,
    /// Wall-clock seconds of the simulation.
    simulation_s: f64,
    simulated_cycles_per_second: f64,
    /// How energy, power and area were obtained, as text.
    fitted: &'static str,
    /// The estimates from synthesised cells and toggle counts, one for each library of cells.
    counted: Vec<Estimate>,
    cost: ChipCost,
    account: Account,
    /// The parts of the computation for which no cycles were counted, each with an estimate of its size.
    outside: Vec<Uncounted>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<Section>,
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<String>,
}

/// Simulates one design, or every point of a sweep.
pub(super) fn run<O: Operator>(cli: &Cli, asked: &SimOperator<O>) -> Result<(), Failure> {
    let SimOperator { chip: a, operator } = asked;
    let base = Base::new(&a.designs.base, MachineSpec::DESIGNS, Vec::new())?;
    let spec = base.built(&[])?;
    if a.designs.shows() {
        return a.designs.show(cli, &spec);
    }
    if !a.designs.sweep.sweep.is_empty() {
        return sweep(cli, a, &base, &spec, operator);
    }
    let listing = a.listing.then(|| on_curve!(operator.curve(), listing(operator, &spec))).transpose()?;
    // Runs with data do not report progress. Runs without data are made twice, the second time with a faster memory.
    let progress = Progress::new(if operator.data() { 0 } else { 2 * STEPS }, &operator.describe(&|_| true));
    let first = |share: Share| progress.set(steps(share));
    let second = |share: Share| progress.set(STEPS + steps(share));
    let observer = Observer { trace: a.trace.is_some(), progress: &first };
    let ran = on_curve!(operator.curve(), simulate(operator, &spec, observer))?;
    let share = on_curve!(operator.curve(), memory_share(operator, &spec, ran.account.cycles, &second))?;
    drop(progress);
    if let Some(path) = &a.trace {
        to_file(path, |file| timeline(&ran.account.name, &ran.executed).write(file))?;
    }
    let cost = price(&ran.account, &spec);
    if let Some(path) = &a.roofline {
        roofline(path, &spec, &ran.account, cost.clock_hz, &operator.describe(&|_| true))?;
    }
    let report = ChipReport {
        head: OperatorHeading { design: &spec.name, operator },
        checked: ran.checked,
        figures: ChipFigures::new(&ran.account, &cost, share),
        volts: spec.clock.volts,
        simulation_s: ran.seconds,
        simulated_cycles_per_second: ran.account.cycles as f64 / ran.seconds.max(1e-9),
        fitted: FITTED,
        counted: counted::of_chip(&spec, &ran.account),
        cost,
        outside: ran.account.outside.lines(&spec),
        account: ran.account,
        sections: ran.sections,
        listing,
    };
    output::print(cli, &report, |r| text(r, operator))
}

/// The progress of a run on a bar of [`STEPS`].
fn steps(share: Share) -> u64 {
    (u128::from(STEPS) * u128::from(share.done) / u128::from(share.total.max(1))) as u64
}

/// Draws the roofline of a run: for each engine, the rate of its elements' operations over the operations per byte that the memory
/// moved meanwhile. An iterative multiplier counts the cycles in which it works.
fn roofline(
    path: &Path,
    spec: &MachineSpec,
    account: &Account,
    clock_hz: f64,
    words: &str,
) -> Result<(), Failure> {
    let shape = ChipShape::of(spec);
    let bytes_per_second = spec.dram.peak_bytes_per_second(clock_hz);
    let work = |part: ChipActivity| {
        let (name, elements) = match part.engine {
            Engine::Poly => ("polynomials", shape.poly.butterflies),
            Engine::Msm => ("MSMs", shape.msm.elements),
            Engine::Transfer => ("transfers", 0),
        };
        Work {
            name: name.to_owned(),
            operations: (part.products_256 + part.products_384 + part.iterative_cycles) as f64,
            bytes: part.dram_bytes() as f64,
            seconds: part.cycles as f64 / clock_hz,
            elements,
            rate: clock_hz,
        }
    };
    let works: Vec<Work> = activities(account).map(work).collect();
    let machine = Machine { operation: "products", elements: "elements", bytes_per_second };
    machine.draw(path, &format!("{} design, {words}", spec.name), &works)
}

fn sweep<O: Operator>(
    cli: &Cli,
    a: &SimChip,
    base: &Base<MachineSpec>,
    spec: &MachineSpec,
    operator: &O,
) -> Result<(), Failure> {
    let axes = &a.designs.sweep.sweep;
    let words = operator.describe(&|name| sweep::fixed(axes, name));
    let title = if sweep::fixed(axes, "design") { format!("{} design, {words}", spec.name) } else { words };
    let checked = if operator.data() { "all equal to the host's" } else { "timing" };
    let family = Family { head: OperatorHeading { design: &spec.name, operator }, title, checked };
    let at = |swept: &[(&str, &str)]| -> Result<(MachineSpec, O), Failure> {
        // The paths of the design's parameters contain a dot; the operator's own parameters are one word.
        let (design, own): (Vec<_>, Vec<_>) =
            swept.iter().partition(|(path, _)| path.contains('.') || *path == DESIGN);
        let mut operator = operator.clone();
        own.into_iter().try_for_each(|(name, value)| {
            if O::PARAMETERS.contains(&name) {
                operator.set(name, value)
            } else {
                Err(unknown::<O>(name, spec))
            }
        })?;
        Ok((base.chip(&design)?, operator))
    };
    sweep::run(cli, &a.designs.sweep, family, at, |(spec, operator)| costs(base, &operator, &spec))
}

/// Simulates an operator on a design and returns its figures; fails if the design cannot be built.
pub(super) fn costs<O: Operator>(
    base: &Base<MachineSpec>,
    operator: &O,
    spec: &MachineSpec,
) -> Result<ChipFigures, Failure> {
    base.check(spec)?;
    let ran = on_curve!(operator.curve(), simulate(operator, spec, Observer::NONE))?;
    let share = on_curve!(operator.curve(), memory_share(operator, spec, ran.account.cycles, &|_| {}))?;
    Ok(ChipFigures::new(&ran.account, &price(&ran.account, spec), share))
}

/// The error for a name that is not a parameter.
pub(super) fn no_parameter(name: &str) -> Failure {
    ArgumentError::NoParameter { name: name.to_owned(), known: "--parameters lists the design's".to_owned() }
        .into()
}

/// The error for a name that is not a parameter, with a similar name or all names that there are.
fn unknown<O: Operator>(name: &str, spec: &MachineSpec) -> Failure {
    let near = O::PARAMETERS.iter().find(|known| known.contains(name) || name.contains(*known));
    let near = nearest(spec, name).or_else(|| near.map(|known| (*known).to_owned()));
    let known = near.map_or_else(
        || {
            format!(
                "there are {}, and with a dot in their names those that --parameters lists",
                O::PARAMETERS.join(", ")
            )
        },
        |path| format!("did you mean {path}?"),
    );
    ArgumentError::NoParameter { name: name.to_owned(), known }.into()
}

/// The parts for which no cycles were counted as text, each with an estimate of its time.
fn outside<O>(r: &ChipReport<'_, O>) -> String {
    let line = |part: &Uncounted| {
        let plural = if part.cycles == 1 { "" } else { "s" };
        format!("\n  {} {}: {} cycle{plural}, {}", part.count, part.what, part.cycles, part.rule)
    };
    let lines: String = r.outside.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("outside the model, one after the other:{lines}") }
}

/// A table of the operators of a program.
fn sections<O>(r: &ChipReport<'_, O>) -> String {
    if r.sections.is_empty() {
        return String::new();
    }
    let head = ["operator", "from cycle", "cycles", "of all", "transfers", "engine", "bound"];
    let rows = r.sections.iter().map(|s| {
        let cycles = s.end - s.start;
        vec![
            s.name.clone(),
            s.start.to_string(),
            cycles.to_string(),
            output::percent_of(cycles, r.figures.cycles),
            output::percent_of(s.dma, cycles),
            output::percent_of(s.engine, cycles),
            s.bound().name().to_owned(),
        ]
    });
    output::table(1, &head, rows)
}

/// Parses a sweep's value of a parameter that takes one of several names.
pub(super) fn choice<T: clap::ValueEnum>(name: &str, value: &str) -> Result<T, Failure> {
    T::from_str(value, false).map_err(|_| {
        let names = T::value_variants().iter().filter_map(clap::ValueEnum::to_possible_value);
        let known = names.map(|v| v.get_name().to_owned()).collect::<Vec<_>>().join(", ");
        ArgumentError::Choice { name: name.to_owned(), value: value.to_owned(), known }.into()
    })
}

/// Parses a sweep's value of a numeric parameter.
pub(super) fn number(name: &str, value: &str) -> Result<u32, ArgumentError> {
    value.parse().map_err(|_| ArgumentError::Number { name: name.to_owned(), value: value.to_owned() })
}

fn text<O: Operator>(r: &ChipReport<'_, O>, operator: &O) -> String {
    let (f, busy) = (&r.figures, &r.account.busy);
    let percent = |n: u64| output::percent_of(n, f.cycles);
    let [poly_0, poly_1] = busy.poly.map(percent);
    let checked = if r.checked { "equal to the host's" } else { "timing" };
    let waits = f
        .memory_share
        .map_or_else(String::new, |share| format!(", {:.1} % of the time waits for memory", 100.0 * share));
    let mut text = format!(
        "{} design, {}; {checked}\n\
         {} cycles, {} at {:.0} MHz; {} ({:.2} W) at {:.2} V, DRAM {}; {:.3} mm2\n\
         {}\n\
         DRAM: {} bytes asked for, {} on the pins, {:.1} bytes a cycle\n\
         elements of the engine {:.1} % busy{waits}: bound by {}\n\
         transfers {}, butterflies {poly_0} and {poly_1}, tables {}, MSM {}\n\
         {} L1 instructions executed; simulated in {}, {:.1} million cycles a second",
        r.head.design,
        operator.describe(&|_| true),
        f.cycles,
        output::seconds(f.latency_s),
        1e-6 * f.clock_hz,
        output::joules(f.energy_j),
        f.power_w,
        r.volts,
        output::joules(f.dram_energy_j),
        f.area_mm2,
        lines(&r.counted),
        f.dram_bytes,
        f.dram_moved_bytes,
        f.dram_moved_bytes as f64 / f.cycles.max(1) as f64,
        100.0 * f.utilisation,
        f.bound,
        percent(busy.dma),
        percent(busy.tables),
        percent(busy.msm),
        r.account.instructions,
        output::seconds(r.simulation_s),
        1e-6 * r.simulated_cycles_per_second
    );
    for more in [operator.details(&r.account), outside(r), sections(r), r.listing.clone().unwrap_or_default()]
    {
        if !more.is_empty() {
            text = format!("{text}\n\n{}", more.trim_end());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright::chip::isa::L1;

    #[test]
    fn a_timeline_has_a_most_and_a_bar_an_end() {
        let executed = Executed {
            pc: 0,
            instruction: L1::MsmInitP2,
            start: 0,
            free: 1,
            end: 1,
            wire: 0,
            waited: [None; 3],
        };
        let run = |trace: bool, instructions: usize| {
            let observer = Observer { trace, progress: &|_| {} };
            observer
                .collect(|watch| {
                    (0..instructions).for_each(|_| watch(&executed, Share { done: 0, total: 1 }));
                    Ok::<_, Failure>(())
                })
                .map(|((), kept)| kept.len())
                .map_err(|why| why.to_string())
        };
        assert_eq!(run(true, MOST_TRACED), Ok(MOST_TRACED));
        let refused = run(true, MOST_TRACED + 1).unwrap_err();
        assert!(refused.starts_with("--trace: a timeline has at most 1048576 instructions"), "{refused}");
        assert_eq!(run(false, MOST_TRACED + 1), Ok(0));
        let at = |done, total| steps(Share { done, total });
        assert_eq!([at(0, 7), at(7, 7), at(0, 0), at(u64::MAX, u64::MAX)], [0, STEPS, 0, STEPS]);
    }
}
