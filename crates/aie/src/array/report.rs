//! The figures of a mapping, by the definitions of \[AIE\] IV.A.

use super::Fabric;
use super::deadlock::Stall;
use super::fifos::Settled;
use super::loops::Loops;
use super::place::{columns, units};
use super::run::{ArrayError, ClockedUnit, Run};
use crate::mapping::{Mapping, Partition};
use pairwright_sim::trace::Chrome;

/// A row of the paper's Table I, and further figures of the run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ArrayReport {
    pub(crate) mapping: Mapping,
    /// Tiles and columns of a unit.
    pub(crate) tiles: usize,
    pub(crate) columns: usize,
    /// Units that fit the array.
    pub(crate) units: usize,
    /// Instructions of one task, of all tiles of a unit: empty ones of the loop are counted, stalls are not.
    pub(crate) total_instructions: u64,
    /// The most instructions of any tile.
    pub(crate) maximum_instructions: u64,
    /// Operations of one task, of all tiles of a unit.
    pub(crate) operations: u64,
    /// Cycles between tasks of a unit, stalls included, in the middle of a run of [`TASKS`](super::TASKS).
    pub(crate) interval: f64,
    /// Cycles from the start of the tiles to the last one's end in a run of one task by the loops.
    pub(crate) latency: u64,
    /// Cycles of stalls in the run of one task, over all tiles: links empty, links full.
    pub(crate) stalls_of_one: [u64; 2],
    /// Cycles of stalls in the run of [`TASKS`](super::TASKS).
    pub(crate) stalls: [u64; 2],
    /// Streams through the fullest port, northwards and otherwise, with all units in the array.
    pub(crate) fullest: [usize; 2],
    /// Ports with more streams than channels.
    pub(crate) shared: usize,
    /// Words of switches' FIFOs that a unit's streams have.
    pub(crate) fifo_words: usize,
    /// FIFOs without which tiles of the paper's array would wait for one another, those that streams have, and those
    /// of the switches in a unit's columns.
    pub(crate) fifos: [usize; 3],
    /// Locks of the memory module that holds most buffers between tiles.
    pub(crate) locks: usize,
}

impl ArrayReport {
    /// The figures of loops, with a run of one task by them.
    ///
    /// # Errors
    /// The errors of [`ClockedUnit`].
    pub(crate) fn new(partition: &Partition, loops: &Loops, fabric: &Fabric) -> Result<Self, ArrayError> {
        let Loops { schedules, settled, interval, .. } = loops;
        let mapping = partition.mapping;
        let units = units(mapping, fabric);
        let Settled { routes, fullest, shared, needed, given, locks, run: many } = settled;
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
            fifos: [*needed, *given, fabric.switch_fifos * fabric.rows.min(8) * columns(mapping)],
        })
    }

    /// Tasks per cycle by the paper's definition: units by the longest tile's instructions.
    pub(crate) fn throughput(&self) -> f64 {
        self.units as f64 / self.maximum_instructions as f64
    }

    /// Tasks per cycle with the number of units that the paper's throughputs are of.
    pub(crate) fn throughput_of_printed_units(&self) -> f64 {
        self.mapping.printed_units() as f64 / self.maximum_instructions as f64
    }

    /// Tasks per cycle as run, stalls included.
    pub(crate) fn sustained(&self) -> f64 {
        self.units as f64 / self.interval
    }

    /// Total instructions by tiles and the longest tile's instructions.
    pub(crate) fn core_utilisation(&self) -> f64 {
        self.total_instructions as f64 / (self.tiles as u64 * self.maximum_instructions) as f64
    }

    /// The part of the array's tiles that units take.
    pub(crate) fn tile_utilisation(&self, fabric: &Fabric) -> f64 {
        (self.tiles * self.units) as f64 / (fabric.columns * fabric.rows) as f64
    }

    /// Operations in an instruction, on average.
    pub(crate) fn vliw_utilisation(&self) -> f64 {
        self.operations as f64 / self.total_instructions as f64
    }
}

impl Run {
    /// The cycle in which the last tile ends.
    pub(crate) fn end(&self) -> u64 {
        self.tiles.iter().map(|tile| tile.end).max().unwrap_or(0)
    }

    /// Cycles in which tiles stood still, all together: because links were empty, and because they were full.
    pub(crate) fn stalled(&self) -> [u64; 2] {
        let each = self.tiles.iter().map(super::TileRun::stalled);
        each.fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
    }
}

/// A run as a timeline, \[AIE\] Fig. 8: a track for each tile, its stalls by cause.
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
