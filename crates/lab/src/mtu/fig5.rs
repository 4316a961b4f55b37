//! Figure 5: the workloads on a CPU, breadth first and depth first, by threads.

use super::cpu::{self, BFS, DFS, Time};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels, Row};
use pairwright_mtu::Workload;

/// The row of a measured time.
pub(super) fn row(time: &Time, log2_n: u32) -> Row {
    let quantity = format!("time on the CPU, {}", time.workload.name());
    let operation = format!("{} threads", time.threads);
    let labels = Labels { quantity: &quantity, operation: &operation, unit: "ms" };
    let note = format!("fastest of {} runs", time.timing.repeats);
    let row = labels.row(Kind::Measured, "host", time.order, time.ms(), &note);
    Row { log2_n: Some(log2_n), median: Some(1e3 * time.timing.median), ..row }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    context.begin("mtu/fig5", Workload::PAPER.len());
    let times = cpu::times(context)?;
    let log2_n = cpu::log_size(context);
    let mut outcome = Outcome::default();
    outcome.rows.extend(times.iter().map(|time| row(time, log2_n)));
    // The claims concern the paper's size.
    if context.quick {
        return Ok(outcome);
    }
    let most = context.threads();
    for workload in Workload::PAPER {
        let of = |order, threads| {
            let fits = |t: &&Time| (t.workload, t.order, t.threads) == (workload, order, threads);
            times.iter().find(fits).map_or(f64::NAN, Time::ms)
        };
        let mut say = |key, series: &str, value, note: &str| {
            outcome.answer(key, workload.name(), series, value, note);
        };
        let (bfs, dfs) = (of(BFS, most), of(DFS, most));
        let series = format!("{most} threads");
        let note = format!(
            "{bfs:.2} ms by BFS, {dfs:.2} ms by DFS; below zero: BFS is ahead; their whole workload takes several times ours, \
             see mtu/fig6"
        );
        say("DFS gains over BFS on all threads", &series, bfs - dfs, &note);
        for order in [BFS, DFS] {
            let note = format!(
                "{:.2} ms and {:.2} ms; {most} threads are all there are here",
                of(order, 1),
                of(order, most)
            );
            say(
                "gain from 1 thread to all",
                &format!("{order}, {series}"),
                of(order, 1) / of(order, most),
                &note,
            );
        }
    }
    Ok(outcome)
}
