//! The loops of a unit's tiles, made for each other.
//!
//! A software-pipelined loop receives later tasks before it has sent what it makes of earlier ones. What such a loop has
//! received ahead has to be held on every way around it, and where FIFOs end, tiles wait for one another, some cycles of
//! every task or for ever. Loops can be bound to a number of tasks in flight: an order from each send to the receives of
//! the task so many after it. The unit runs the loops that are fastest with the FIFOs that there are.

use super::fifos::Settled;
use super::run::Run;
use super::schedules::{kernels_within, of_tiles};
use super::{Fabric, Schedule};
use crate::error::AieError;
use crate::mapping::Partition;
use crate::tile::{Kernel, Tile};

/// Tasks of a run: four of the paper's loops, so that the middle of it is steady.
pub const TASKS: u64 = 64;
/// The tasks by which the interval is: the first ones fill the pipeline, and the last ones, up to two dozen of them, are
/// finished sooner because no later ones hold the tiles up. Units repeat themselves after one, two, three or four.
const STEADY: core::ops::Range<usize> = 15..39;
/// The bound on tasks in flight that is tried besides none, and the one that is tried if neither runs.
const BOUND: u32 = 2;
const LAST_BOUND: u32 = 1;
/// Loops that stand still for less than this part of their longest tile's instructions are good enough: one in 32.
const ENOUGH: f64 = 32.0;

/// The loops of a unit's tiles with their run of [`TASKS`] tasks.
pub(crate) struct Loops {
    pub(crate) kernels: Vec<(Vec<usize>, Kernel)>,
    pub(crate) schedules: Vec<Schedule>,
    pub(crate) settled: Settled,
    /// Cycles between tasks in the middle of the run.
    pub(crate) interval: f64,
    /// The bound on tasks in flight, if there is one.
    pub(crate) in_flight: Option<u32>,
}

impl Loops {
    /// Schedules the loops of a partition and runs them on the fabric.
    ///
    /// # Errors
    /// Those of schedules; if tiles wait for one another however few tasks they have in flight, the error of the loops
    /// without a bound.
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
        let settled = Settled::new(partition, &schedules, fabric, TASKS)?;
        let interval = interval(&settled.run);
        Ok(Self { kernels, schedules, settled, interval, in_flight })
    }
}

/// Cycles between tasks in the middle of a run of [`TASKS`].
pub(super) fn interval(run: &Run) -> f64 {
    (run.done[STEADY.end] - run.done[STEADY.start]) as f64 / STEADY.len() as f64
}
