//! `pairwright sim aie-msm`: a whole multi-scalar multiplication on the board, \[AIE\] II.C and V.

use super::super::operator::clocked;
use super::super::picture::plane;
use super::super::sweep::{self, Costs, Family};
use super::board::Board;
use super::{dump, field};
use crate::args::{AieJob, Cli, SimAieMsm, Size};
use crate::failure::{AieFault, ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use pairwright::aie::msm::{Bound, Job, Machine, MsmReport, Phases};
use pairwright::aie::settings;
use pairwright::aie::system::System;
use pairwright::curve::Curve;
use pairwright::curve::bls12_377::{Bls12_377, Fr, G1};
use pairwright::field::Field;
use pairwright::poly::Buf;
use pairwright_plot::{Better, Figure};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde::Serialize;

/// One MSM, or one on every point of a family.
pub(in super::super) fn run(cli: &Cli, a: &SimAieMsm) -> Result<(), Failure> {
    let base = a.board.base()?;
    if a.dump_config {
        let system = a.board.system(&base, &[])?;
        system.check().map_err(Failure::bad)?;
        return dump(cli, &system);
    }
    if !a.sweep.sweep.is_empty() {
        return sweep(cli, a, &base);
    }
    let (system, job) = (a.board.system(&base, &[])?, a.job.job(&[])?);
    let board = Board::new(&system);
    let progress = Progress::new(0, &a.job.words());
    let (figures, seconds) = clocked(|| a.job.simulate(&machine(&system)?, &job));
    let figures = figures?;
    drop(progress);
    let report = Report { board, job, figures, checked: a.job.data, simulation_s: seconds };
    output::print(cli.json, &report, text)
}

fn machine(system: &System) -> Result<Machine, Failure> {
    Machine::new(system).map_err(Failure::bad)
}

/// Fields of a job that have an option of their own, by its name.
const FIELDS: [(&str, &str); 9] = [
    ("window-bits", "window_bits"),
    ("windows-per-pass", "windows_per_pass"),
    ("signed", "signed"),
    ("spread", "spread"),
    ("first", "first"),
    ("queue", "queue"),
    ("interleave", "interleave"),
    ("buffer-points", "buffer_points"),
    ("random", "seed"),
];

/// The field of a job that a sweep names.
fn field_of(axis: &str) -> Option<&'static str> {
    FIELDS.into_iter().find(|(option, field)| [*option, *field].contains(&axis)).map(|(_, field)| field)
}

/// Whether a sweep's parameter is the job's and not the board's.
fn is_own(axis: &str) -> bool {
    axis == "size" || field_of(axis).is_some()
}

impl AieJob {
    /// The MSM, with the changes of a sweep.
    fn job(&self, swept: &[(&str, &str)]) -> Result<Job, Failure> {
        let Size(points) = self.size;
        let mut job = Job { points, seed: self.random, signed: !self.unsigned, ..Job::default() };
        job.window_bits = self.window_bits.or(job.window_bits);
        job.windows_per_pass = self.windows_per_pass.or(job.windows_per_pass);
        job.queue = self.queue.unwrap_or(job.queue);
        job.interleave = self.interleave.unwrap_or(job.interleave);
        job.buffer_points = self.buffer_points.unwrap_or(job.buffer_points);
        let with = |job: &Job, name: &str, value: &str| {
            settings::with(job, name, value).map_err(|why| field("--sweep", why))
        };
        for (name, value) in [("spread", &self.spread), ("first", &self.first)] {
            if let Some(value) = value {
                job = with(&job, name, value)?;
            }
        }
        for &(axis, value) in swept {
            match (axis, field_of(axis)) {
                ("size", _) => job.points = value.parse::<Size>()?.0,
                (_, Some(name)) => job = with(&job, name, value)?,
                (_, None) => return Err(ArgumentError::NoParameter(axis.to_owned()).into()),
            }
        }
        if job.points == 0 {
            return Err(ArgumentError::NoPoints.into());
        }
        Ok(job)
    }

    /// The time alone, or the sum as well, compared with the host's.
    fn simulate(&self, machine: &Machine, job: &Job) -> Result<Figures, Failure> {
        if !self.data {
            return Ok(Figures(machine.simulate(job).map_err(Failure::bad)?));
        }
        let host = pairwright::device::<Bls12_377>("cpu").map_err(Failure::bad)?.g1;
        let mut rng = ChaCha20Rng::seed_from_u64(self.random);
        let mut some = || -> Vec<Fr> { (0..job.points).map(|_| Fr::random(&mut rng)).collect() };
        let (scalars, multiples) = (some(), Buf::from(some()));
        let (points, _) = host.multiples(&G1::GENERATOR, multiples.view())?;
        let (sum, report) = machine.run(job, &points, &scalars).map_err(Failure::bad)?;
        let (expected, _) = host.msm(points.view(), Buf::from(scalars).view())?;
        if sum != expected.to_affine() {
            return Err(AieFault::Differs.into());
        }
        Ok(Figures(report))
    }

    fn words(&self) -> String {
        format!("MSM of {} points", self.size)
    }
}

fn sweep(cli: &Cli, a: &SimAieMsm, base: &System) -> Result<(), Failure> {
    let at = |swept: &[(&str, &str)]| -> Result<(System, Job), Failure> {
        let (own, board): (Vec<_>, Vec<_>) = swept.iter().partition(|(axis, _)| is_own(axis));
        Ok((a.board.at(base, &board)?, a.job.job(&own)?))
    };
    // What is no parameter, or no value of it, is a typing error and not a point that cannot be had.
    for axis in &a.sweep.sweep {
        axis.values.iter().try_for_each(|value| at(&[(&axis.path, value)]).map(drop))?;
    }
    let (system, job) = at(&[])?;
    // Units are timed once where they stay the same.
    let same = a.sweep.sweep.iter().all(|axis| is_own(&axis.path));
    let shared = if same { Some(machine(&system)?) } else { None };
    let head = Head { board: Board::new(&system), job, checked: a.job.data };
    let title = format!("{}, {}", a.job.words(), head.board.words());
    let checked = if a.job.data { "all equal to the host's" } else { "timing" };
    sweep::run(cli, &a.sweep, Family { head, title, checked }, |swept| {
        let (system, job) = at(swept)?;
        match &shared {
            Some(machine) => a.job.simulate(machine, &job),
            None => a.job.simulate(&machine(&system)?, &job),
        }
    })
}

/// What all points of a sweep have in common.
#[derive(Serialize)]
struct Head {
    #[serde(flatten)]
    board: Board,
    job: Job,
    checked: bool,
}

/// What an MSM took, in JSON and in a sweep.
#[derive(Serialize)]
#[serde(transparent)]
struct Figures(MsmReport);

impl Costs for Figures {
    const COLUMNS: &'static [&'static str] = &[
        "time_us",
        "cycles",
        "window_bits",
        "windows",
        "buckets",
        "passes",
        "accumulation_pl_cycles",
        "bucket_aggregation_pl_cycles",
        "group_aggregation_pl_cycles",
        "additions",
        "tasks_per_second",
        "utilisation",
        "conflicts",
        "dram_bytes",
        "bandwidth",
        "bucket_bits",
        "bound",
    ];

    fn cells(&self) -> Vec<String> {
        let r = &self.0;
        vec![
            format!("{:.1}", 1e6 * r.seconds),
            r.cycles.to_string(),
            r.window_bits.to_string(),
            r.windows.to_string(),
            r.buckets.to_string(),
            r.passes.to_string(),
            r.pl_cycles.accumulation.to_string(),
            r.pl_cycles.bucket_aggregation.to_string(),
            r.pl_cycles.group_aggregation.to_string(),
            r.tasks.total().to_string(),
            format!("{:.0}", r.tasks_per_second),
            format!("{:.4}", r.utilisation),
            r.conflicts.to_string(),
            r.dram_bytes.to_string(),
            format!("{:.4}", r.bandwidth),
            r.bucket_bits.to_string(),
            bound(r).to_owned(),
        ]
    }

    fn picture(title: &str, points: &[(String, &Self)]) -> Figure {
        let design =
            |(name, f): &(String, &Self)| (name.clone(), 1e-6 * f.0.bucket_bits as f64, 1e3 * f.0.seconds);
        let axes = ["memory of buckets, Mbit", "time, ms"];
        plane(title, axes, Better::LessOfBoth, points.iter().map(design))
    }
}

/// What most of the time went to, in a word.
fn bound(r: &MsmReport) -> &'static str {
    match r.bound {
        Bound::Units => "units",
        Bound::Memory => "memory",
        Bound::Conflicts => "conflicts",
        Bound::Aggregation => "aggregation",
    }
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    board: Board,
    job: Job,
    /// The sum was compared with the host's.
    checked: bool,
    #[serde(flatten)]
    figures: Figures,
    /// Wall-clock seconds of the simulation.
    simulation_s: f64,
}

/// The report for people.
fn text(r: &Report) -> String {
    let m = &r.figures.0;
    let percent = |part: f64| format!("{:.1} %", 100.0 * part);
    let checked = if r.checked { "equal to the host's" } else { "timing" };
    let each = |phases: &Phases| [phases.accumulation, phases.bucket_aggregation, phases.group_aggregation];
    let names = ["bucket accumulation", "bucket aggregation", "group aggregation"];
    let mut rows = vec![["phase", "cycles of the logic", "of all", "additions"].map(str::to_owned).to_vec()];
    for (name, (cycles, tasks)) in names.into_iter().zip(each(&m.pl_cycles).into_iter().zip(each(&m.tasks))) {
        let share = cycles as f64 / m.pl_cycles.total().max(1) as f64;
        rows.push(vec![name.to_owned(), cycles.to_string(), percent(share), tasks.to_string()]);
    }
    let (size, board) = (Size(m.points), r.board.words());
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
        percent(m.utilisation),
        percent(m.aggregate_utilisation),
        m.conflicts,
        m.waiting,
        m.bubbles,
        m.starved,
        m.dram_bytes,
        m.dram_moved_bytes,
        percent(m.bandwidth),
        output::seconds(r.simulation_s),
        output::table(1, &rows)
    )
}
