//! Runs of the modelled unit, many at a time.

use crate::LabError;
use crate::experiment::Context;
use pairwright_mtu::{Account, Job, Traversal, UnitConfig, Workload};
use rayon::prelude::*;

/// Numbers of elements of the figures.
pub(super) const PES: [u32; 5] = [2, 4, 8, 16, 32];
/// Bandwidths of the figures in gigabytes per second, which are bytes per cycle at 1 GHz.
pub(super) const GB: [u32; 5] = [64, 128, 256, 512, 1024];

/// Binary logarithm of the figures' size.
pub(super) const LOG_SIZE: u32 = 20;

/// The points of the grid, with elements in the outer loop; tests of the lab use only the fastest.
pub(super) fn points(context: &Context<'_>) -> Vec<(u32, u32)> {
    let of = |list: &[u32]| list[if context.quick { list.len() - 1 } else { 0 }..].to_vec();
    let gb = of(&GB);
    of(&PES).into_iter().flat_map(|pes| gb.iter().map(move |&gb| (pes, gb)).collect::<Vec<_>>()).collect()
}

/// The paper's unit with `pes` elements at `gb` gigabytes per second.
pub(super) fn unit(pes: u32, gb: u32) -> UnitConfig {
    UnitConfig::paper().with_pes(pes).with_bandwidth(gb)
}

/// The same unit with buffers for twice the bytes in flight during the memory's latency, as a unit of that bandwidth
/// needs; used for its area.
pub(super) fn sized(pes: u32, gb: u32) -> UnitConfig {
    let unit = unit(pes, gb);
    let bytes = (2 * gb * unit.dram.latency).next_power_of_two();
    UnitConfig { input_bytes: bytes, output_bytes: bytes, ..unit }
}

/// A run of a figure, with its results.
pub(super) struct FigureRun {
    pub(super) pes: u32,
    pub(super) gb: u32,
    pub(super) account: Account,
}

impl FigureRun {
    pub(super) fn ms(&self) -> f64 {
        1e3 * self.account.seconds()
    }
}

/// Runs many jobs on all threads and returns the accounts in order.
pub(super) fn all(context: &Context<'_>, runs: &[(UnitConfig, Job)]) -> Result<Vec<Account>, LabError> {
    let one = |(config, job): &(UnitConfig, Job)| pairwright_mtu::simulate(config, job);
    Ok(context.pool().install(|| runs.par_iter().map(one).collect::<Result<_, _>>())?)
}

/// Runs a job at every point of the grid, each on its own unit.
pub(super) fn grid(
    context: &Context<'_>,
    workload: Workload,
    traversal: Traversal,
    unit: impl Fn(u32, u32) -> UnitConfig,
) -> Result<Vec<FigureRun>, LabError> {
    let job = Job::new(workload, LOG_SIZE);
    let points = points(context);
    let runs: Vec<_> = points.iter().map(|&(pes, gb)| (unit(pes, gb).traversing(traversal), job)).collect();
    let accounts = all(context, &runs)?;
    Ok(points.into_iter().zip(accounts).map(|((pes, gb), account)| FigureRun { pes, gb, account }).collect())
}

/// The bound of a run as a note.
pub(super) fn bound(account: &Account) -> String {
    let memory = 100.0 * account.memory_busy as f64 / account.cycles as f64;
    let traffic = account.dram.read_bytes + account.dram.write_bytes;
    format!(
        "{} cycles; memory busy {memory:.1} %, elements {:.1} %; {traffic} bytes moved",
        account.cycles,
        100.0 * account.utilisation()
    )
}
