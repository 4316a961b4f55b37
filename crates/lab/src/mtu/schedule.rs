//! Beyond the paper: the effects of the accumulator's schedule, the depth of the pipelines and the memory.

use super::sweep::{self, PES, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_mtu::{Account, Job, Schedule, Traversal, UnitConfig, Workload};
use pairwright_sim::dram;

/// One inverted and one forward tree.
const WORKLOADS: [Workload; 2] = [Workload::BuildMle, Workload::MleEval];
/// Latencies of the multiplier in cycles; no source prints its depth.
const DEPTHS: [u32; 6] = [10, 20, 28, 40, 52, 64];
/// Latencies of the memory in cycles.
const LATENCIES: [u32; 6] = [25, 50, 100, 200, 400, 800];
/// Sizes of either buffer in bytes.
const BUFFERS: [u32; 3] = [1 << 16, 1 << 18, 1 << 20];
/// Memories that are simulated command by command.
const MEMORIES: [&str; 4] = ["ddr4_2400", "ddr4_3200", "ddr5_4800", "ddr5_4800_x2"];
const GB: u32 = 1024;

/// A run with its labels.
struct Point {
    what: String,
    operation: String,
    series: String,
    config: UnitConfig,
    job: Job,
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/schedule", 1);
    context.step("all runs");
    let points = points(context)?;
    let runs: Vec<_> = points.iter().map(|point| (point.config, point.job)).collect();
    for (point, account) in points.iter().zip(sweep::all(context, &runs)?) {
        let place = Labels { quantity: &point.what, operation: &point.operation, unit: "cycles" };
        let mut row = place.modelled(&point.series, account.cycles as f64, &note(&account));
        row.log2_n = Some(point.job.log_size);
        outcome.keep(row);
    }
    Ok(outcome)
}

/// The accumulator's schedules: the tables' pattern, the same with a slot for every level, and any level that is ready.
fn schedules(config: UnitConfig) -> [(&'static str, UnitConfig); 3] {
    let ruler = UnitConfig { schedule: Schedule::Ruler, ..config };
    [
        ("ruler of four levels", UnitConfig { ruler_levels: 4, ..ruler }),
        ("ruler of all levels", UnitConfig { ruler_levels: 62, ..ruler }),
        ("filled", UnitConfig { schedule: Schedule::Filled, ..config }),
    ]
}

fn points(context: &Context<'_>) -> Result<Vec<Point>, LabError> {
    let mut points = Vec::new();
    for workload in WORKLOADS {
        let mut add = |what: &str, operation: &str, series: &str, config: UnitConfig| {
            let job = Job::new(workload, sweep::LOG_SIZE);
            let what = format!("{what}, {}", workload.name());
            let (operation, series) = (operation.to_owned(), series.to_owned());
            // Enough room for any schedule; the note states the largest amount used.
            let config = UnitConfig { accumulator_words: 4096, ..config };
            points.push(Point { what, operation, series, config, job });
        };
        // Tests of the lab make only the fast runs.
        for pes in PES.into_iter().filter(|&pes| !context.quick || pes == 32) {
            for (series, config) in schedules(unit(pes, GB)) {
                add("schedules by elements", &format!("{pes} PEs"), series, config);
            }
        }
        for mul_latency in DEPTHS {
            for (series, config) in schedules(UnitConfig { mul_latency, ..unit(32, GB) }) {
                let operation = format!("{mul_latency} cycles");
                add("depth of the multiplier, 32 PEs", &operation, series, config);
            }
        }
        for latency in LATENCIES {
            for bytes in BUFFERS {
                let mut config = UnitConfig { input_bytes: bytes, output_bytes: bytes, ..unit(32, GB) };
                config.dram.latency = latency;
                let (operation, series) =
                    (format!("{latency} cycles"), format!("buffers of {} KiB", bytes >> 10));
                let what = "latency of the memory, 32 PEs at 1024 GB/s";
                add(what, &operation, &series, config);
            }
        }
        for preset in MEMORIES.into_iter().filter(|_| !context.quick) {
            let config = UnitConfig { dram: dram::DramConfig::preset(preset)?, ..unit(2, GB) };
            for traversal in [Traversal::Bfs, Traversal::Hybrid] {
                add(
                    "memories command by command, 2 PEs",
                    preset,
                    traversal.name(),
                    config.traversing(traversal),
                );
            }
        }
    }
    Ok(points)
}

/// A note on the cycles beyond one leaf per element and cycle, or beyond the traffic, and on the bound of the run.
fn note(account: &Account) -> String {
    let leaves = account.job.size();
    let least = leaves / u64::from(account.config.pes);
    format!(
        "{} cycles more than a leaf an element and cycle; {}; accumulator at most {} bytes",
        account.cycles.saturating_sub(least),
        sweep::bound(account),
        account.sram.accumulator
    )
}
