//! The figures of the loops of a mapping, by the definitions of \[AIE\] IV.A.

use super::Fabric;
use super::deadlock::Stall;
use super::fifos::RoutedUnit;
use super::loops::Loops;
use super::place::{columns, units};
use super::run::{ArrayError, ClockedUnit, Run};
use crate::mapping::{Mapping, Partition};
use pairwright_sim::trace::Chrome;

/// The FIFOs of a unit's switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FifoCounts {
    /// FIFOs without which tiles of the paper's array would deadlock.
    pub(crate) needed: usize,
    /// FIFOs that are assigned to streams.
    pub(crate) assigned: usize,
    /// FIFOs of all switches in a unit's columns.
    pub(crate) available: usize,
}

/// The figures of a row of the paper's Table I, and further figures of the run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ArrayReport {
    pub(crate) mapping: Mapping,
    /// The number of tiles and of columns of a unit.
    pub(crate) tiles: usize,
    pub(crate) columns: usize,
    /// The number of units that fit the array.
    pub(crate) units: usize,
    /// Instructions of one task on all tiles of a unit, including empty ones of the loops, without stalls.
    pub(crate) total_instructions: u64,
    /// Instructions of one task on the longest tile.
    pub(crate) maximum_instructions: u64,
    /// Operations of one task on all tiles of a unit.
    pub(crate) operations: u64,
    /// Cycles between tasks of a unit in the middle of a run of [`TASKS`](super::TASKS) tasks, including stalls.
    pub(crate) interval: f64,
    /// Cycles from the start of the tiles to the end of the last one in a run of one task by the loops.
    pub(crate) latency: u64,
    /// Cycles of stalls of all tiles in the run of one task: on empty links, and on full links.
    pub(crate) stalls_of_one: [u64; 2],
    /// Cycles of stalls of all tiles in the run of [`TASKS`](super::TASKS) tasks: on empty links, and on full links.
    pub(crate) stalls: [u64; 2],
    /// Streams through the fullest port with all units in the array: northwards, and in any other direction.
    pub(crate) fullest: [usize; 2],
    /// The number of ports with more streams than channels.
    pub(crate) shared: usize,
    /// Words of the switches' FIFOs that a unit's streams use.
    pub(crate) fifo_words: usize,
    pub(crate) fifos: FifoCounts,
    /// Locks used in the memory module that holds most buffers between tiles.
    pub(crate) locks: usize,
}

impl ArrayReport {
    /// The figures of a unit's loops, which are also run for one task.
    ///
    /// # Errors
    /// The errors of [`ClockedUnit`].
    pub(crate) fn new(partition: &Partition, loops: &Loops, fabric: &Fabric) -> Result<Self, ArrayError> {
        let Loops { schedules, routed, interval, .. } = loops;
        let mapping = partition.mapping;
        let units = units(mapping, fabric);
        let RoutedUnit { routes, fullest, shared, needed, assigned, locks, run: many } = routed;
        let one = ClockedUnit::new(partition, schedules, routes, *fabric)?.run(1)?;
        Ok(Self {
            mapping,
            tiles: partition.tiles.len(),
            columns: columns(mapping),
            units,
            total_instructions: schedules.iter().map(|s| s.ii).sum(),
            maximum_instructions: schedules.iter().map(|s| s.ii).max().unwrap_or(0),
            operations: schedules.iter().map(|s| s.operations).sum(),
            interval: *interval,
            latency: one.end(),
            stalls_of_one: one.stalled(),
            stalls: many.stalled(),
            fullest: *fullest,
            shared: *shared,
            fifo_words: routes.iter().flat_map(|route| &route.fifo).sum(),
            locks: *locks,
            fifos: FifoCounts {
                needed: *needed,
                assigned: *assigned,
                available: fabric.switch_fifos * fabric.rows.min(8) * columns(mapping),
            },
        })
    }

    /// Tasks per cycle by the paper's definition: the number of units divided by the longest tile's instructions.
    pub(crate) fn throughput(&self) -> f64 {
        self.units as f64 / self.maximum_instructions as f64
    }

    /// Tasks per cycle with the number of units to which the paper's throughputs refer.
    pub(crate) fn throughput_of_printed_units(&self) -> f64 {
        self.mapping.printed_units() as f64 / self.maximum_instructions as f64
    }

    /// Tasks per cycle in the simulation, including stalls.
    pub(crate) fn sustained(&self) -> f64 {
        self.units as f64 / self.interval
    }

    /// Total instructions divided by the number of tiles times the longest tile's instructions, 0 to 1.
    pub(crate) fn core_utilisation(&self) -> f64 {
        self.total_instructions as f64 / (self.tiles as u64 * self.maximum_instructions) as f64
    }

    /// The share of the array's tiles that the units take, 0 to 1.
    pub(crate) fn tile_utilisation(&self, fabric: &Fabric) -> f64 {
        (self.tiles * self.units) as f64 / (fabric.columns * fabric.rows) as f64
    }

    /// Average number of operations in an instruction.
    pub(crate) fn vliw_utilisation(&self) -> f64 {
        self.operations as f64 / self.total_instructions as f64
    }
}

impl Run {
    /// The cycle in which the last tile ends.
    pub(crate) fn end(&self) -> u64 {
        self.tiles.iter().map(|tile| tile.end).max().unwrap_or(0)
    }

    /// Cycles of stalls of all tiles: on empty links, and on full links.
    pub(crate) fn stalled(&self) -> [u64; 2] {
        let each = self.tiles.iter().map(super::TileRun::stalled);
        each.fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
    }
}

/// A run as a timeline, \[AIE\] Fig. 8: a track for each tile, with its stalls by cause.
pub(crate) fn timeline(partition: &Partition, run: &Run) -> Chrome {
    let mut trace = Chrome::new();
    let process = trace.process(partition.mapping.name());
    for (tile, ran) in run.tiles.iter().enumerate() {
        let track = trace.track(process, &partition.mapping.label(tile));
        let mut from = 0;
        for &(start, cycles, why) in &ran.stalls {
            if start > from {
                trace.event(track, "run", from, start - from, []);
            }
            let name = match why {
                Stall::Empty(link) => format!("link {link} empty"),
                Stall::Full(link) => format!("link {link} full"),
            };
            trace.event(track, &name, start, cycles, []);
            from = start + cycles;
        }
        if ran.end > from {
            trace.event(track, "run", from, ran.end - from, []);
        }
    }
    trace
}
