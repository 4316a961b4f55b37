//! Figure 4: runtimes of the four workloads by traversal, number of elements and bandwidth.

use super::sweep::{self, FigureRun, GB, PES, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_mtu::{Traversal, UnitConfig, Workload};

/// Initiation intervals of SHA3 engines: all rounds unrolled, two rounds a cycle, one.
const HASH_IIS: [u32; 3] = [1, 12, 24];

/// The runs of a workload with one traversal over the whole grid.
struct Series {
    workload: Workload,
    traversal: Traversal,
    hash_ii: u32,
    grid: Vec<FigureRun>,
}

impl Series {
    fn at(&self, pes: u32, gb: u32) -> &FigureRun {
        let found = self.grid.iter().find(|ran| (ran.pes, ran.gb) == (pes, gb));
        found.expect("a point of the grid")
    }

    /// The speed at the second point relative to that at the first.
    fn gain(&self, from: (u32, u32), to: (u32, u32)) -> f64 {
        self.at(from.0, from.1).ms() / self.at(to.0, to.1).ms()
    }
}

/// A workload's name in the figure, with its SHA3 engines if they differ from the paper's.
fn name(workload: Workload, hash_ii: u32) -> String {
    let interval = if hash_ii == 1 { String::new() } else { format!(", SHA3 every {hash_ii} cycles") };
    format!("{}{interval}", workload.name())
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/fig4", (Workload::PAPER.len() + 2) * Traversal::ALL.len());
    let mut all = Vec::new();
    for workload in Workload::PAPER {
        let intervals = if workload.hashes() { &HASH_IIS[..] } else { &HASH_IIS[..1] };
        for &hash_ii in intervals {
            for traversal in Traversal::ALL {
                context.step(&format!("{}, {}", name(workload, hash_ii), traversal.name()));
                let grid = sweep::grid(context, workload, traversal, |pes, gb| UnitConfig {
                    hash_ii,
                    ..unit(pes, gb)
                })?;
                all.push(Series { workload, traversal, hash_ii, grid });
            }
        }
    }
    for series in &all {
        let what = format!("runtime, {}", name(series.workload, series.hash_ii));
        for ran in &series.grid {
            let operation = format!("{}, {} PEs", series.traversal.name(), ran.pes);
            let place = Labels { quantity: &what, operation: &operation, unit: "ms" };
            let mut row = place.modelled(&format!("{} GB/s", ran.gb), ran.ms(), &sweep::bound(&ran.account));
            row.log2_n = Some(sweep::LOG_SIZE);
            outcome.keep(row);
        }
    }
    // The claims concern the whole grid.
    if !context.quick {
        claims(&all, &mut outcome);
    }
    Ok(outcome)
}

fn find(all: &[Series], workload: Workload, traversal: Traversal, hash_ii: u32) -> &Series {
    let fits = |s: &&Series| (s.workload, s.traversal, s.hash_ii) == (workload, traversal, hash_ii);
    all.iter().find(fits).expect("a series of the figure")
}

fn claims(all: &[Series], outcome: &mut Outcome) {
    let series = "model";
    for workload in Workload::PAPER {
        let of = |traversal, hash_ii| find(all, workload, traversal, hash_ii);
        let (bfs, hybrid) = (of(Traversal::Bfs, 1), of(Traversal::Hybrid, 1));
        let mut say = |key, operation: &str, series: &str, value, note: &str| {
            outcome.answer(key, operation, series, value, note);
        };
        let intervals = if workload.hashes() { &HASH_IIS[..] } else { &HASH_IIS[..1] };
        for &hash_ii in intervals {
            let (bfs, hybrid) = (of(Traversal::Bfs, hash_ii), of(Traversal::Hybrid, hash_ii));
            let (gain, best) = largest_gain(bfs, hybrid);
            let (why, series) = match (workload.keeps_levels(), hash_ii) {
                (true, _) => ("three words a leaf by BFS, two by hybrid", series.to_owned()),
                (_, 1) => ("three words a leaf by BFS, one by hybrid", series.to_owned()),
                _ => ("the engines' interval hides memory", format!("model, SHA3 every {hash_ii} cycles")),
            };
            let note = format!("with {} PEs at {} GB/s; {why}", best.pes, best.gb);
            say("most that hybrid gains over BFS", workload.name(), &series, gain, &note);
        }
        let equal = bfs.at(2, 1024).ms() / hybrid.at(2, 1024).ms();
        let note = "both take a node an element a cycle; BFS fills and drains the pipelines at every level";
        say("BFS over hybrid, 2 PEs at 1024 GB/s", workload.name(), series, equal, note);
        for traversal in Traversal::ALL {
            let run = of(traversal, 1);
            let (fast, name) = (run.at(32, 1024), format!("{}, {}", workload.name(), traversal.name()));
            let words = fast.account.dram.read_bytes + fast.account.dram.write_bytes;
            // Cycles that memory needs relative to those of the elements, and the number of elements for which both are
            // equal.
            let from = f64::from(1u32 << fast.account.job.log_size) / (words as f64 / 1024.0);
            let note =
                format!("memory is what bounds it from {from:.1} PEs on; {}", sweep::bound(&fast.account));
            say(
                "gain from 16 to 32 PEs at 1024 GB/s",
                &name,
                series,
                run.gain((16, 1024), (32, 1024)),
                &note,
            );
        }
    }
    for traversal in Traversal::ALL {
        let of = |workload| find(all, workload, traversal, 1);
        let mean = |value: &dyn Fn(&Series) -> f64| {
            Workload::PAPER.iter().map(|&w| value(of(w))).sum::<f64>() / Workload::PAPER.len() as f64
        };
        let each = |value: &dyn Fn(&Series) -> f64| {
            let texts = Workload::PAPER.map(|w| format!("{} {:.3}", w.name(), value(of(w))));
            texts.join(", ")
        };
        let elements = |s: &Series| s.gain((2, 64), (32, 64));
        let bandwidth = |s: &Series| s.gain((32, 64), (32, 1024));
        for (key, value) in [
            ("gain from 2 to 32 PEs at 64 GB/s, mean of workloads", &elements as &dyn Fn(&Series) -> f64),
            ("gain from 64 to 1024 GB/s with 32 PEs, mean of workloads", &bandwidth),
        ] {
            outcome.answer(key, traversal.name(), series, mean(value), &each(value));
        }
    }
    let busy = |workload| {
        let account = &find(all, workload, Traversal::Bfs, 1).at(2, 64).account;
        100.0 * account.memory_busy as f64 / account.cycles as f64
    };
    let least = Workload::PAPER.into_iter().map(busy).fold(f64::INFINITY, f64::min);
    let key = "memory busy, BFS with 2 PEs at 64 GB/s, least of workloads";
    let note = "an element asks for 96 bytes a cycle: one is enough to saturate 64 GB/s";
    outcome.answer(key, "bfs", series, least, note);
}

/// The largest gain of the second series over the first at any point, and that point.
fn largest_gain<'a>(slow: &Series, fast: &'a Series) -> (f64, &'a FigureRun) {
    let gains = PES
        .iter()
        .flat_map(|&pes| GB.map(|gb| (slow.at(pes, gb).ms() / fast.at(pes, gb).ms(), fast.at(pes, gb))));
    gains.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a grid has points")
}
