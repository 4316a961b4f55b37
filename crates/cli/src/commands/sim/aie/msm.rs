//! `pairwright sim aie-msm`: a whole multi-scalar multiplication on the board, \[AIE\] II.C and V.

use super::super::operator::clocked;
use super::super::quantity::Sense;
use super::super::roofline::{self, Work};
use super::super::sweep::{self, Column, Costs, Family};
use super::super::to_file;
use super::board::Board;
use super::data::SUM;
use crate::args::{AieJob, Cli, SimAieMsm, Size};
use crate::commands::design::Base;
use crate::failure::{ArgumentError, Failure, ModelFault};
use crate::output;
use crate::progress::Progress;
use pairwright::aie::msm::{Job, Machine, MsmBound, MsmReport, Phases};
use pairwright::aie::system::System;
use pairwright::curve::Curve;
use pairwright::curve::bls12_377::{Bls12_377, Fr, G1};
use pairwright::field::Field;
use pairwright::poly::Buf;
use pairwright::sim::settings::Changes;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde::Serialize;

/// Simulates one MSM, or one at every point of a sweep.
pub(in super::super) fn run(cli: &Cli, a: &SimAieMsm) -> Result<(), Failure> {
    let base = a.board.base(&a.designs)?;
    let system = base.at(&[])?;
    if a.designs.shows() {
        base.check(&system)?;
        return a.designs.show(cli, &system);
    }
    if !a.designs.sweep.sweep.is_empty() {
        return sweep(cli, a, &base, &system);
    }
    let job = a.job.job(&[])?;
    base.check(&system)?;
    let board = Board::new(&system);
    let progress = Progress::new(0, &a.job.describe(&|_| true));
    let (figures, seconds) = clocked(|| match &a.trace {
        None => a.job.simulate(&machine(&system)?, &job),
        Some(path) => {
            let (report, chrome) = machine(&system)?.simulate_traced(&job).map_err(Failure::bad)?;
            to_file(path, |file| chrome.write(file))?;
            Ok(MsmFigures(report))
        }
    });
    let figures = figures?;
    if let Some(path) = &a.roofline {
        let r = &figures.0;
        let work = Work {
            name: "bucket accumulation".to_owned(),
            operations: r.tasks.accumulation as f64,
            bytes: r.dram_bytes as f64,
            seconds: r.tasks.accumulation as f64 / r.tasks_per_second,
            elements: r.units,
            // The rate that the units would have if they were always busy.
            rate: r.tasks_per_second / r.utilisation / f64::from(r.units),
        };
        let machine = roofline::Machine {
            operation: "additions",
            elements: "units",
            bytes_per_second: system.peak_bytes_per_second(),
        };
        machine.draw(
            path,
            &format!("{}, {}", a.job.describe(&|_| true), board.describe(&|_| true)),
            &[work],
        )?;
    }
    drop(progress);
    let report = MsmOutput { board, job, figures, checked: a.job.data, simulation_s: seconds };
    output::print(cli, &report, text)
}

fn machine(system: &System) -> Result<Machine, Failure> {
    Machine::new(system).map_err(Failure::bad)
}

/// The parameter of the job that a sweep's axis names, by the parameter's own name or that of its option.
fn own(axis: &str) -> Option<String> {
    let known = [
        "window_bits",
        "windows_per_pass",
        "signed",
        "spread",
        "first",
        "queue",
        "interleave",
        "buffer_points",
        "random",
    ];
    let name = axis.replace('-', "_");
    known.contains(&name.as_str()).then_some(if name == "random" { "seed".to_owned() } else { name })
}

/// Whether a sweep's axis is a parameter of the job, and not of the board.
fn is_own(axis: &str) -> bool {
    axis == "size" || own(axis).is_some()
}

impl AieJob {
    /// The MSM with the changes of a sweep's point.
    fn job(&self, swept: &[(&str, &str)]) -> Result<Job, Failure> {
        let Size(points) = self.size;
        let mut job = Job { points, seed: self.random, signed: !self.unsigned, ..Job::default() };
        job.window_bits = self.window_bits.or(job.window_bits);
        job.windows_per_pass = self.windows_per_pass.or(job.windows_per_pass);
        job.queue = self.queue.unwrap_or(job.queue);
        job.interleave = self.interleave.unwrap_or(job.interleave);
        job.buffer_points = self.buffer_points.unwrap_or(job.buffer_points);
        let mut changes = Changes::default();
        for (option, name, value) in [("--spread", "spread", &self.spread), ("--first", "first", &self.first)]
        {
            if let Some(value) = value {
                changes.value(option, name, value);
            }
        }
        for &(axis, value) in swept {
            match own(axis) {
                Some(name) => changes.value("--sweep", &name, value),
                None => job.points = value.parse::<Size>()?.0,
            }
        }
        let job = changes.apply(&job)?;
        if job.points == 0 {
            return Err(ArgumentError::NoPoints.into());
        }
        Ok(job)
    }

    /// Simulates the time only, or with `--data` the sum as well, which is compared with the host's.
    fn simulate(&self, machine: &Machine, job: &Job) -> Result<MsmFigures, Failure> {
        if !self.data {
            return Ok(MsmFigures(machine.simulate(job).map_err(Failure::bad)?));
        }
        self.size.expect_room("points with data", 1024)?;
        let host = pairwright::device::<Bls12_377>("cpu").map_err(Failure::bad)?.g1;
        let mut rng = ChaCha20Rng::seed_from_u64(self.random);
        let mut some = || -> Vec<Fr> { (0..job.points).map(|_| Fr::random(&mut rng)).collect() };
        let (scalars, multiples) = (some(), Buf::from(some()));
        let (points, _) = host.multiples(&G1::GENERATOR, multiples.view())?;
        let (sum, report) = machine.run(job, &points, &scalars).map_err(Failure::bad)?;
        let (expected, _) = host.msm(points.view(), Buf::from(scalars).view())?;
        if sum != expected.to_affine() {
            return Err(ModelFault::Differs(SUM).into());
        }
        Ok(MsmFigures(report))
    }

    fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String {
        if fixed("size") { format!("MSM of {} points", self.size) } else { "MSM".to_owned() }
    }
}

fn sweep(cli: &Cli, a: &SimAieMsm, base: &Base<System>, system: &System) -> Result<(), Failure> {
    let at = |swept: &[(&str, &str)]| -> Result<(System, Job), Failure> {
        let (own, board): (Vec<_>, Vec<_>) = swept.iter().partition(|(axis, _)| is_own(axis));
        Ok((base.at(&board)?, a.job.job(&own)?))
    };
    let job = a.job.job(&[])?;
    // If the sweep does not change the board, its units are timed once.
    let same = a.designs.sweep.sweep.iter().all(|axis| is_own(&axis.path));
    let shared = if same { Some(machine(system)?) } else { None };
    let head = MsmHeading { board: Board::new(system), job, checked: a.job.data };
    let axes = &a.designs.sweep.sweep;
    let said = |name: &str| sweep::fixed(axes, name);
    let title = format!("{}, {}", a.job.describe(&said), head.board.describe(&said));
    let checked = if a.job.data { "all equal to the host's" } else { "timing" };
    sweep::run(cli, &a.designs.sweep, Family { head, title, checked }, at, |(system, job)| match &shared {
        Some(machine) => a.job.simulate(machine, &job),
        None => a.job.simulate(&machine(&system)?, &job),
    })
}

/// The parameters that all points of a sweep share.
#[derive(Serialize)]
struct MsmHeading {
    #[serde(flatten)]
    board: Board,
    job: Job,
    checked: bool,
}

/// The figures of an MSM, for JSON and for the table of a sweep.
#[derive(Serialize)]
#[serde(transparent)]
struct MsmFigures(MsmReport);

impl Costs for MsmFigures {
    const COLUMNS: &'static [Column<Self>] = &[
        ("time_us", |f| format!("{:.1}", 1e6 * f.0.seconds)),
        ("cycles", |f| f.0.cycles.to_string()),
        ("window_bits", |f| f.0.window_bits.to_string()),
        ("windows", |f| f.0.windows.to_string()),
        ("buckets", |f| f.0.buckets.to_string()),
        ("passes", |f| f.0.passes.to_string()),
        ("accumulation_pl_cycles", |f| f.0.pl_cycles.accumulation.to_string()),
        ("bucket_aggregation_pl_cycles", |f| f.0.pl_cycles.bucket_aggregation.to_string()),
        ("group_aggregation_pl_cycles", |f| f.0.pl_cycles.group_aggregation.to_string()),
        ("additions", |f| f.0.tasks.total().to_string()),
        ("tasks_per_second", |f| format!("{:.0}", f.0.tasks_per_second)),
        ("utilisation", |f| format!("{:.4}", f.0.utilisation)),
        ("conflicts", |f| f.0.conflicts.to_string()),
        ("dram_bytes", |f| f.0.dram_bytes.to_string()),
        ("bandwidth", |f| format!("{:.4}", f.0.bandwidth)),
        ("bucket_bits", |f| f.0.bucket_bits.to_string()),
        ("bound", |f| bound(&f.0).to_owned()),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("time_us", Sense::Less),
        ("bucket_bits", Sense::Less),
        ("cycles", Sense::Less),
        ("utilisation", Sense::More),
        ("dram_bytes", Sense::Less),
        ("tasks_per_second", Sense::More),
    ];
}

/// The resource that limited the MSM, as a word.
fn bound(r: &MsmReport) -> &'static str {
    match r.bound {
        MsmBound::Units => "units",
        MsmBound::Memory => "memory",
        MsmBound::Conflicts => "conflicts",
        MsmBound::Aggregation => "aggregation",
    }
}

#[derive(Serialize)]
struct MsmOutput {
    #[serde(flatten)]
    board: Board,
    job: Job,
    /// The sum was compared with the host's.
    checked: bool,
    #[serde(flatten)]
    figures: MsmFigures,
    /// Wall-clock seconds of the simulation.
    simulation_s: f64,
}

/// The report as text.
fn text(r: &MsmOutput) -> String {
    let m = &r.figures.0;
    let checked = if r.checked { "equal to the host's" } else { "timing" };
    let each = |phases: &Phases| [phases.accumulation, phases.bucket_aggregation, phases.group_aggregation];
    let names = ["bucket accumulation", "bucket aggregation", "group aggregation"];
    let mut rows = Vec::new();
    for (name, (cycles, tasks)) in names.into_iter().zip(each(&m.pl_cycles).into_iter().zip(each(&m.tasks))) {
        let share = cycles as f64 / m.pl_cycles.total().max(1) as f64;
        rows.push(vec![name.to_owned(), cycles.to_string(), output::percent(share), tasks.to_string()]);
    }
    let (size, board) = (Size(m.points), r.board.describe(&|_| true));
    format!(
        "MSM of {size} points, {board}; {checked}\n\
         {} ms, {} cycles of the engines; {}-bound\n\
         {} windows of {} bits, {} buckets each, {} windows a pass; {:.1} Mbit of buckets\n\
         accumulation: {:.1} million additions a second, units {} busy; the unit of aggregation {}\n\
         {} additions found their bucket under way, {} waited at most; {} unit-cycles without one to give, {} without \
         points\n\
         memory: {} bytes asked for, {} on the pins, {} of its bandwidth in accumulation\n\
         simulated in {}\n\n{}",
        format_args!("{:.3}", 1e3 * m.seconds),
        m.cycles,
        bound(m),
        m.windows,
        m.window_bits,
        m.buckets,
        m.windows_per_pass,
        1e-6 * m.bucket_bits as f64,
        1e-6 * m.tasks_per_second,
        output::percent(m.utilisation),
        output::percent(m.aggregate_utilisation),
        m.conflicts,
        m.waiting,
        m.bubbles,
        m.starved,
        m.dram_bytes,
        m.dram_moved_bytes,
        output::percent(m.bandwidth),
        output::seconds(r.simulation_s),
        output::table(1, &["phase", "cycles of the logic", "of all", "additions"], rows)
    )
}
