//! `pairwright sim aie-board`: the two experiments on the board, of throughput and of latency, \[AIE\] V.

use super::super::operator::clocked;
use super::super::quantity::Sense;
use super::super::roofline::{self, Work};
use super::super::sweep::{self, Column, Costs, Family};
use super::super::to_file;
use super::method;
use crate::args::{AieBoard, Cli, Designs, SimAieBoard, Size};
use crate::commands::design::{Base, Named};
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use pairwright::aie::Method;
use pairwright::aie::mapping::Mapping;
use pairwright::aie::system::{
    self, Bounds, BucketRoom, Hybrid, Latency, Pipelined, Stages, System, Throughput, WaitShares, hybrid,
};
use pairwright::sim::trace::Chrome;
use serde::Serialize;

/// The most additions of a timeline, which has one or two events for each.
const TRACED: Size = Size(1 << 18);

/// Runs both experiments on one board, or on every point of a sweep.
pub(in super::super) fn run(cli: &Cli, a: &SimAieBoard) -> Result<(), Failure> {
    let base = a.board.base(&a.designs)?;
    let system = base.at(&[])?;
    if a.designs.shows() {
        base.check(&system)?;
        return a.designs.show(cli, &system);
    }
    if a.tasks.0 == 0 {
        return Err(ArgumentError::NoTasks.into());
    }
    if !a.designs.sweep.sweep.is_empty() {
        let board = Board::new(&system);
        let axes = &a.designs.sweep.sweep;
        let title = format!("board, {}", board.describe(&|name| sweep::fixed(axes, name)));
        let family = Family { head: board, title, checked: "timing" };
        let simulate = |system| BoardFigures::new(&system, a.tasks.0, None);
        return sweep::run(cli, &a.designs.sweep, family, |swept| base.at(swept), simulate);
    }
    base.check(&system)?;
    if a.trace.is_some() && a.tasks.0 > TRACED.0 {
        return Err(ArgumentError::Traced { tasks: a.tasks, most: TRACED }.into());
    }
    let progress = Progress::new(0, "board");
    let mut chrome = a.trace.as_ref().map(|_| Chrome::new());
    let (figures, seconds) = clocked(|| BoardFigures::new(&system, a.tasks.0, chrome.as_mut()));
    let figures = figures?;
    if let (Some(path), Some(chrome)) = (&a.trace, chrome) {
        to_file(path, |file| chrome.write(file))?;
    }
    if let Some(path) = &a.roofline {
        let t = &figures.throughput;
        let work = Work {
            name: "bucket accumulation".to_owned(),
            operations: t.tasks as f64,
            bytes: t.bytes_per_second * t.seconds,
            seconds: t.seconds,
            elements: t.units as u32,
            rate: t.bounds.instructions / t.units as f64,
        };
        let machine = roofline::Machine {
            operation: "additions",
            elements: "units",
            bytes_per_second: system.peak_bytes_per_second(),
        };
        machine.draw(path, &format!("board, {}", Board::new(&system).describe(&|_| true)), &[work])?;
    }
    drop(progress);
    let report = BoardReport { board: Board::new(&system), figures, simulation_s: seconds };
    output::print(cli, &report, text)
}

impl AieBoard {
    /// The board with all changes, except those of a sweep's points.
    pub(super) fn base(&self, designs: &Designs) -> Result<Base<System>, Failure> {
        let mapping = |chosen: Option<Mapping>| chosen.map(|mapping| mapping.name().to_owned());
        let own: [Named; 3] = [
            ("--units", "units", self.units.map(|units| units.to_string())),
            ("--accumulate", "accumulate", mapping(self.accumulate)),
            ("--aggregate", "aggregate", mapping(self.aggregate)),
        ];
        let options = own.into_iter().chain(self.method.named()).collect();
        Base::new(&designs.base, &[("paper", System::default)], options)
    }
}

/// The board, for the head of a report.
#[derive(Clone, Serialize)]
pub(super) struct Board {
    accumulate: Mapping,
    units: usize,
    aggregate: Mapping,
    method: Method,
    aie_hz: u64,
    pl_hz: u64,
}

impl Board {
    pub(super) fn new(s: &System) -> Self {
        let System { accumulate, units, aggregate, method, aie_hz, pl_hz, .. } = *s;
        Self { accumulate, units, aggregate, method, aie_hz, pl_hz }
    }

    /// The board as text, with the parameters for which `fixed` is true.
    pub(super) fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String {
        let said = |name: &str, words: String| fixed(name).then_some(words);
        let of = |name: &str, words: String| if fixed(name) { words + " " } else { String::new() };
        let units = of("units", self.units.to_string());
        let accumulate = of("accumulate", self.accumulate.name().to_owned());
        let parts = [
            Some(format!("{units}{accumulate}units accumulate")),
            said("aggregate", format!("{} aggregates", self.aggregate.name())),
            Some(method(&self.method, fixed)).filter(|words| !words.is_empty()),
        ];
        let clocks = [
            said("aie_hz", format!("{:.4} GHz", 1e-9 * self.aie_hz as f64)),
            said("pl_hz", format!("logic {:.1} MHz", 1e-6 * self.pl_hz as f64)),
        ];
        let [parts, clocks] = [&parts[..], &clocks[..]]
            .map(|list| list.iter().flatten().cloned().collect::<Vec<_>>().join(", "));
        if clocks.is_empty() { parts } else { format!("{parts}; {clocks}") }
    }
}

#[derive(Serialize)]
struct BoardFigures {
    /// Number of additions of each experiment.
    tasks: u64,
    tasks_per_second: f64,
    /// Share of the memory's bandwidth that is used, 0 to 1.
    bandwidth_share: f64,
    /// Seconds of an addition that begins after the one before has ended.
    latency_s: f64,
    throughput: Throughput,
    latency: Latency,
    /// A point adder in the programmable logic of a board without engines, from its published figures.
    bstmsm: Pipelined,
    /// One such adder together with as many units of engines as fit.
    hybrid: Hybrid,
    /// Number of buckets that the programmable logic's memories hold.
    buckets: BucketRoom,
}

impl BoardFigures {
    /// Runs both experiments, and adds their events to the timeline if there is one.
    fn new(system: &System, tasks: u64, trace: Option<&mut Chrome>) -> Result<Self, Failure> {
        let (throughput, latency) = match trace {
            None => (system::throughput(system, tasks), system::latency(system, tasks)),
            Some(chrome) => {
                let throughput = system::throughput_traced(system, tasks, chrome);
                (throughput, system::latency_traced(system, tasks, chrome))
            }
        };
        let (throughput, latency) = (throughput.map_err(Failure::bad)?, latency.map_err(Failure::bad)?);
        Ok(Self {
            tasks,
            tasks_per_second: throughput.tasks_per_second,
            bandwidth_share: throughput.bandwidth_share,
            latency_s: latency.seconds_per_task,
            bstmsm: Pipelined::BSTMSM,
            hybrid: hybrid(system, system.accumulate, throughput.unit.instructions as f64),
            buckets: BucketRoom::new(system),
            throughput,
            latency,
        })
    }
}

impl Costs for BoardFigures {
    const COLUMNS: &'static [Column<Self>] = &[
        ("tasks_per_second", |f| format!("{:.0}", f.tasks_per_second)),
        ("bandwidth_share", |f| format!("{:.4}", f.bandwidth_share)),
        ("engine_share", |f| format!("{:.4}", f.throughput.engine_share)),
        ("waits_engines", |f| format!("{:.4}", f.throughput.waits.engines)),
        ("waits_memory", |f| format!("{:.4}", f.throughput.waits.memory)),
        ("waits_logic", |f| format!("{:.4}", f.throughput.waits.logic)),
        ("latency_us", |f| format!("{:.4}", 1e6 * f.latency_s)),
        ("latency_engines_us", |f| format!("{:.4}", 1e-3 * f.latency.stages.engines)),
        ("latency_tiles", |f| f.latency.tiles.to_string()),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("latency_us", Sense::Less),
        ("tasks_per_second", Sense::More),
        ("bandwidth_share", Sense::More),
        ("engine_share", Sense::More),
        ("latency_tiles", Sense::Less),
    ];
}

#[derive(Serialize)]
struct BoardReport {
    #[serde(flatten)]
    board: Board,
    #[serde(flatten)]
    figures: BoardFigures,
    /// Wall-clock seconds of the simulation.
    simulation_s: f64,
}

/// The report as text.
fn text(r: &BoardReport) -> String {
    let BoardFigures { throughput: t, latency: l, bstmsm, hybrid, buckets, .. } = &r.figures;
    let million = |rate: f64| format!("{:.1}", 1e-6 * rate);
    let Bounds { instructions, engines, plio, logic, masters, memory } = t.bounds;
    let WaitShares { engines: at_work, memory: for_memory, logic: for_logic } = t.waits;
    let bounds = [
        ("instructions of the longest tile", instructions),
        ("engines, with their stalls", engines),
        ("streams between logic and engines", plio),
        ("pipelines of the logic", logic),
        ("masters that read points", masters),
        ("pins of the memory", memory),
    ];
    let rows = bounds.map(|(name, rate)| vec![name.to_owned(), million(rate)]);
    let Stages { sums, plio_in, engines, plio_out, barrett } = l.stages;
    let stages = [
        ("first sums, logic", sums),
        ("to the engines", plio_in),
        ("engines", engines),
        ("from the engines", plio_out),
        ("last reduction, logic", barrett),
    ];
    let parts = stages.map(|(name, ns)| vec![name.to_owned(), format!("{ns:.1}")]);
    format!(
        "{}\n\
         throughput: {} additions in {}, {} million a second; {:.2} GB/s read, {} of the memory's\n\
         units at work {}, waiting for memory {}, for the logic {}\n\
         latency: {:.3} us an addition after the one before; {} tiles, {} multipliers of 32 bits; {} cycles of the \
         engines\n\
         memory of the logic: {} buckets, windows of {} bits with signed digits\n\
         BSTMSM, by its stated figures: {} million a second, {:.3} us; one of its units beside {} {} ones: {} million a \
         second, {:.2} times that unit alone, for {:.1} such memories\n\
         simulated in {}\n\n{}\n\n{}",
        r.board.describe(&|_| true),
        t.tasks,
        output::seconds(t.seconds),
        million(t.tasks_per_second),
        1e-9 * t.bytes_per_second,
        output::percent(t.bandwidth_share),
        output::percent(at_work),
        output::percent(for_memory),
        output::percent(for_logic),
        1e6 * l.seconds_per_task,
        l.tiles,
        l.int32_multipliers,
        l.engine_cycles,
        buckets.bram + buckets.uram,
        buckets.window_bits,
        million(bstmsm.tasks_per_second()),
        1e6 * bstmsm.latency(),
        hybrid.units,
        hybrid.mapping.name(),
        million(hybrid.logic + hybrid.engines),
        hybrid.gain,
        hybrid.memories,
        output::seconds(r.simulation_s),
        output::table(1, &["bounds", "million additions a second"], rows),
        output::table(1, &["latency", "ns"], parts)
    )
}
