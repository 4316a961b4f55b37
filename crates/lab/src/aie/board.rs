//! The board with different methods, and the measurements with which its rates are compared.

use super::cpu::Time;
use crate::LabError;
use crate::experiment::Context;
use crate::row::{Kind, Labels, Row};
use pairwright_aie::Method;
use pairwright_aie::system::{self, Latency, System, Throughput};

/// The number of additions of the paper's runs; few for tests of the lab.
pub(super) fn tasks(context: &Context<'_>) -> u64 {
    if context.quick { 1 << 8 } else { 1 << 18 }
}

/// The paper's board with another method.
pub(super) fn board(method: Method) -> System {
    System { method, ..System::default() }
}

pub(super) fn throughput(context: &Context<'_>, system: &System) -> Result<Throughput, LabError> {
    Ok(context.pool().install(|| system::throughput(system, tasks(context)))?)
}

pub(super) fn latency(context: &Context<'_>, system: &System) -> Result<Latency, LabError> {
    Ok(context.pool().install(|| system::latency(system, tasks(context)))?)
}

/// The bounds of a board's run as a note.
pub(super) fn bound(run: &Throughput) -> String {
    let m = |rate: f64| format!("{:.1}", rate / 1e6);
    let b = &run.bounds;
    let shares = &run.waits;
    format!(
        "bounds in millions: instructions {}, engines {}, streams {}, memory {}; engines set the pace {:.0} % of the time, memory \
         {:.0} %, logic {:.0} %; {:.1} % of the bandwidth",
        m(b.instructions),
        m(b.engines),
        m(b.plio),
        m(b.memory),
        100.0 * shares.engines,
        100.0 * shares.memory,
        100.0 * shares.logic,
        100.0 * run.bandwidth_share,
    )
}

fn threads(time: &Time) -> String {
    if time.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", time.threads) }
}

/// The measured implementation, and its number of threads.
pub(super) fn implementation(time: &Time) -> String {
    format!("{}, {}", time.series, threads(time))
}

/// A measured row in nanoseconds per addition, over all threads together.
pub(super) fn measured(quantity: &str, time: &Time) -> Row {
    let labels = Labels { quantity, operation: &threads(time), unit: "ns/addition" };
    let row = labels.row(Kind::Measured, "host", &time.series, 1e9 * time.seconds, &time.note);
    Row { bits: Some(377), median: Some(1e9 * time.median), ..row }
}
