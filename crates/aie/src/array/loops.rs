//! The software-pipelined loops of a unit's tiles, chosen together.
//!
//! Such a loop receives operands of later tasks before it has sent all results of earlier ones. Values that a loop
//! receives ahead have to be buffered on every other path around it. Where the FIFOs are full, tiles wait for one
//! another, for some cycles of every task or for ever. The number of tasks in flight in a loop can be bounded, by edges
//! from each send of a task to the receives of the task that many later. The unit runs the fastest loops that work with
//! the available FIFOs.

use super::fifos::RoutedUnit;
use super::run::Run;
use super::schedules::{kernels_within, of_tiles};
use super::{Fabric, Schedule};
use crate::error::AieError;
use crate::mapping::Partition;
use crate::tile::{Kernel, Tile};

/// The number of tasks of a run: four times that of the paper, so that the middle of the run is steady.
pub const TASKS: u64 = 64;
/// The tasks from which the interval is measured. The first tasks fill the pipeline; the last ones, up to two dozen,
/// finish sooner because no later tasks hold the tiles up. The behaviour of a unit repeats after one, two, three or four
/// tasks.
const STEADY: core::ops::Range<usize> = 15..39;
/// The bound on tasks in flight that is tried besides no bound, and the bound that is tried if neither runs.
const BOUND: u32 = 2;
const LAST_BOUND: u32 = 1;
/// Loops are good enough if their stalls add less than one part in this many to the longest tile's instructions.
const ENOUGH: f64 = 32.0;

/// The loops of a unit's tiles and their run of [`TASKS`] tasks.
pub(crate) struct Loops {
    pub(crate) kernels: Vec<(Vec<usize>, Kernel)>,
    pub(crate) schedules: Vec<Schedule>,
    pub(crate) routed: RoutedUnit,
    /// Cycles between tasks in the middle of the run, including stalls.
    pub(crate) interval: f64,
    /// The bound on tasks in flight, if one is used.
    pub(crate) in_flight: Option<u32>,
}

impl Loops {
    /// Schedules the loops of a partition and runs them on the fabric.
    ///
    /// # Errors
    /// The errors of scheduling; if the tiles deadlock with every bound, the error of the loops without a bound.
    pub(crate) fn new(partition: &Partition, tile: &Tile, fabric: &Fabric) -> Result<Self, AieError> {
        let free = Self::within(partition, tile, fabric, None);
        let longest = |l: &Self| l.schedules.iter().map(|s| s.ii).max().unwrap_or(0) as f64;
        match &free {
            Ok(l) if l.interval > longest(l) * (1.0 + 1.0 / ENOUGH) => {}
            Err(AieError::Array(_)) => {}
            _ => return free,
        }
        let bound = |tasks| Self::within(partition, tile, fabric, Some(tasks));
        let bounded = bound(BOUND);
        match (free, bounded) {
            (Ok(free), Ok(bounded)) if bounded.interval < free.interval => Ok(bounded),
            (Err(_), Ok(bounded)) => Ok(bounded),
            (Ok(free), _) => Ok(free),
            (Err(free), Err(_)) => bound(LAST_BOUND).map_err(|_| free),
        }
    }

    fn within(
        partition: &Partition,
        tile: &Tile,
        fabric: &Fabric,
        in_flight: Option<u32>,
    ) -> Result<Self, AieError> {
        let kernels = kernels_within(partition, tile, in_flight)?;
        let schedules = of_tiles(partition, &kernels);
        let routed = RoutedUnit::new(partition, &schedules, fabric, TASKS)?;
        let interval = interval(&routed.run);
        Ok(Self { kernels, schedules, routed, interval, in_flight })
    }
}

/// Cycles between tasks in the middle of a run of [`TASKS`] tasks.
pub(super) fn interval(run: &Run) -> f64 {
    (run.done[STEADY.end] - run.done[STEADY.start]) as f64 / STEADY.len() as f64
}
