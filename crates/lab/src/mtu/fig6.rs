//! Figure 6: the unit against a CPU with as many threads as the unit has elements.
//!
//! The CPU is this machine, measured in the same run. More threads than it has cores are not measured: their times are
//! extrapolated by a power law in the number of threads, fitted to the times on one thread and on all cores, and the
//! rows say so.

use super::cpu::{self, Time};
use super::fig5;
use super::sweep::{self, FigureRun, PES, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use crate::row::{Kind, Row};
use pairwright_mtu::{Job, Traversal, Workload};

/// Bandwidths of the figure, with the published mean speed-up with hybrid traversal.
const MEANS: [(u32, f64); 2] = [(64, 1478.0), (1024, 9440.0)];

/// A workload on the CPU, with the better of its traversals.
struct Cpu {
    workload: Workload,
    /// Threads and milliseconds, beginning with one thread.
    measured: Vec<(usize, f64)>,
}

impl Cpu {
    fn of(times: &[Time], workload: Workload) -> Self {
        let mut measured: Vec<(usize, f64)> = Vec::new();
        for time in times.iter().filter(|time| time.workload == workload) {
            match measured.iter_mut().find(|(threads, _)| *threads == time.threads) {
                Some((_, best)) => *best = best.min(time.ms()),
                None => measured.push((time.threads, time.ms())),
            }
        }
        Self { workload, measured }
    }

    /// Milliseconds on one thread.
    fn one(&self) -> f64 {
        self.measured.first().map_or(f64::NAN, |(_, ms)| *ms)
    }

    /// The exponent of the number of threads in the speed-up; zero on a single core.
    fn exponent(&self) -> f64 {
        match self.measured.last() {
            Some(&(threads, ms)) if threads > 1 => {
                ((self.one() / ms).ln() / (threads as f64).ln()).clamp(0.0, 1.0)
            }
            _ => 0.0,
        }
    }

    /// Milliseconds on `threads` threads, and how they were determined.
    fn ms(&self, threads: u32) -> (f64, String) {
        match self.measured.iter().find(|(measured, _)| *measured == threads as usize) {
            Some((_, ms)) => (*ms, format!("{ms:.2} ms measured on {threads} threads")),
            None => {
                let (most, exponent) = (self.measured.last().map_or(1, |(t, _)| *t), self.exponent());
                let ms = self.one() / f64::from(threads).powf(exponent);
                let text = format!(
                    "{ms:.2} ms estimated: {threads} threads were not measured, {most} threads of this machine make it \
                     threads^{exponent:.2} as fast"
                );
                (ms, text)
            }
        }
    }
}

/// The results of the unit at the figure's points.
struct Unit {
    workload: Workload,
    traversal: Traversal,
    runs: Vec<FigureRun>,
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/fig6", 2 * Workload::PAPER.len());
    let log2_n = cpu::log_size(context);
    let times = cpu::times(context)?;
    outcome.rows.extend(times.iter().map(|time| fig5::row(time, log2_n)));
    let mut units = Vec::new();
    for workload in Workload::PAPER {
        context.step(&format!("{} on the unit", workload.name()));
        for traversal in Traversal::ALL {
            let points: Vec<_> = MEANS.iter().flat_map(|&(gb, _)| PES.map(|pes| (pes, gb))).collect();
            let job = Job::new(workload, log2_n);
            let runs: Vec<_> =
                points.iter().map(|&(pes, gb)| (unit(pes, gb).traversing(traversal), job)).collect();
            let accounts = sweep::all(context, &runs)?;
            let runs =
                points.into_iter().zip(accounts).map(|((pes, gb), account)| FigureRun { pes, gb, account });
            units.push(Unit { workload, traversal, runs: runs.collect() });
        }
    }
    let cpus = Workload::PAPER.map(|workload| Cpu::of(&times, workload));
    for unit in &units {
        let Some(cpu) = cpus.iter().find(|cpu| cpu.workload == unit.workload) else { continue };
        for ran in &unit.runs {
            let (ms, how) = cpu.ms(ran.pes);
            let what = format!("speed-up over the CPU, {}", unit.workload.name());
            let operation = format!("{}, {} PEs", unit.traversal.name(), ran.pes);
            let place = Labels { quantity: &what, operation: &operation, unit: "x" };
            let note = format!("{how}; {:.4} ms modelled", ran.ms());
            outcome.keep(estimated(&place, &format!("{} GB/s", ran.gb), ms / ran.ms(), &note, log2_n));
        }
    }
    // The published means are for the paper's size.
    if !context.quick {
        means(&units, &cpus, &mut outcome);
    }
    Ok(outcome)
}

fn estimated(labels: &Labels<'_>, series: &str, value: f64, note: &str, log2_n: u32) -> Row {
    Row { log2_n: Some(log2_n), ..labels.row(Kind::Estimated, "model and host", series, value, note) }
}

/// The means over workloads and numbers of elements, and what the published means imply for the paper's CPU.
fn means(units: &[Unit], cpus: &[Cpu], outcome: &mut Outcome) {
    let hybrid = |gb| {
        let of = units.iter().filter(|unit| unit.traversal == Traversal::Hybrid);
        let points = of.flat_map(|unit| unit.runs.iter().map(move |ran| (unit.workload, ran)));
        points.filter(move |(_, ran)| ran.gb == gb).collect::<Vec<_>>()
    };
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let over = |gb, ms: &dyn Fn(Workload, u32) -> f64| {
        mean(hybrid(gb).iter().map(|(workload, ran)| ms(*workload, ran.pes) / ran.ms()).collect())
    };
    let of = |workload| cpus.iter().find(|cpu| cpu.workload == workload).expect("a CPU for every workload");
    let ours = |workload, threads| of(workload).ms(threads).0;
    let one = |workload, _| of(workload).one();
    let perfect = |workload, threads| of(workload).one() / f64::from(threads);
    let each = cpus.iter().map(|cpu| format!("{} {:.1} ms", cpu.workload.name(), cpu.one()));
    let on_one = each.collect::<Vec<_>>().join(", ");
    for (gb, published) in MEANS {
        let operation = format!("{gb} GB/s");
        let key = "mean speed-up over the CPU, hybrid";
        // The mean time of the paper's CPU follows from its printed mean and the modelled unit: either the same on any
        // number of threads, or divided by their number.
        let still = published / over(gb, &|_, _| 1.0);
        let shared = published / over(gb, &|_, threads| 1.0 / f64::from(threads));
        let mut say = |series: &str, value, note: &str| {
            outcome.answer(key, &operation, series, value, note);
        };
        let why = format!(
            "one thread here takes {on_one}; the printed mean needs a CPU of {still:.0} ms a workload on any number of threads, \
             or of {shared:.0} ms on one thread where threads scale perfectly"
        );
        say("our CPU, threads as measured", over(gb, &ours), &why);
        say("our CPU, as if threads did not help", over(gb, &one), "");
        say("our CPU, as if threads scaled perfectly", over(gb, &perfect), "");
        let what = "CPU time that the published mean implies";
        let place = Labels { quantity: what, operation: &operation, unit: "ms" };
        let note = "the mean over workloads and 2 to 32 PEs, divided by the mean of one over the unit's modelled times";
        for (series, value) in
            [("threads do not help", still), ("on one thread, threads scale perfectly", shared)]
        {
            outcome.keep(estimated(&place, series, value, note, sweep::LOG_SIZE));
        }
    }
    // Results that do not depend on the speed of the CPU.
    let place = Labels {
        quantity: "mean speed-up at 1024 GB/s over that at 64 GB/s",
        operation: "hybrid",
        unit: "x",
    };
    let ratio = |ms: &dyn Fn(Workload, u32) -> f64| over(1024, ms) / over(64, ms);
    let printed = format!("that of the printed means is {:.2}", MEANS[1].1 / MEANS[0].1);
    let rows = [
        ("our CPU, threads as measured", ratio(&ours)),
        ("our CPU, as if threads did not help", ratio(&one)),
        ("our CPU, as if threads scaled perfectly", ratio(&perfect)),
    ];
    for (series, value) in rows {
        outcome.keep(estimated(&place, series, value, &printed, sweep::LOG_SIZE));
    }
}
