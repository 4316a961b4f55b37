//! A cycle-accurate model of the array: tiles that run their kernels, and the links between them.
//!
//! `place` gives the site of each tile of a unit of a [`Mapping`](crate::mapping::Mapping) and the routes of its links
//! through the switches. `ClockedUnit::run` simulates one unit: every tile issues one instruction of its kernel per
//! cycle, and the whole tile stalls while an instruction reads a link on which nothing has arrived or writes to a full
//! link.

mod deadlock;
mod drive;
mod execute;
pub(crate) mod fifos;
mod link;
mod locks;
pub(crate) mod loops;
pub(crate) mod place;
pub(crate) mod report;
mod run;
mod schedules;
#[cfg(test)]
mod tests;

pub use deadlock::Deadlocked;
pub(crate) use drive::{Arrivals, Drive};
pub use execute::execute;
pub use loops::TASKS;
pub(crate) use report::{ArrayReport, timeline};
pub use run::ArrayError;
pub(crate) use run::{ClockedUnit, DrivenRun, Run, Schedule, TileRun};
pub(crate) use schedules::of_tiles;
#[cfg(test)]
pub(crate) use schedules::schedules;
pub use schedules::{kernels, straight_kernels};

use pairwright_sim::settings::{Range, between};
use serde::{Deserialize, Serialize};

/// The array of tiles and its connections. Numbers are those of AM009 unless a field says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// The number of columns of tiles.
    pub columns: usize,
    /// The number of rows of tiles.
    pub rows: usize,
    /// Streams from a switch to its northern neighbour.
    pub north: usize,
    /// Streams from a switch to each of its other neighbours.
    pub other: usize,
    /// Streams into a core, and as many out of it.
    pub core_ports: usize,
    /// Cycles from an input of a switch to its output: two in each of its ports.
    pub switch: usize,
    /// Words of a stream that a switch buffers: four in each of its two ports.
    pub switch_words: usize,
    /// Words of one FIFO in a switch.
    pub fifo_words: usize,
    /// FIFOs of each switch that streams can be routed through.
    pub switch_fifos: usize,
    /// Words that a core's port buffers: one access of 128 bits.
    pub port_words: usize,
    /// Beats that a cascade buffers on each side.
    pub cascade_beats: usize,
    /// Cycles of a beat of the cascade from one core to the next. Not printed.
    pub cascade_latency: usize,
    /// Locks of each memory module.
    pub locks: usize,
    /// Buffers of each link through memory, each with a lock, used in turn. The paper does not say how many; AMD's tools
    /// use two.
    pub buffers: usize,
    /// Cycles from the release of a lock until the other side can acquire it. Not printed; a lock's interface takes five
    /// in the public model of the processor.
    pub lock_cycles: usize,
}

impl Fabric {
    /// The array of the VC1902: 8 rows of 50 tiles.
    pub const VC1902: Self = Self {
        columns: 50,
        rows: 8,
        north: 6,
        other: 4,
        core_ports: 2,
        switch: 4,
        switch_words: 8,
        fifo_words: 16,
        switch_fifos: 2,
        port_words: 4,
        cascade_beats: 2,
        cascade_latency: 2,
        locks: 16,
        buffers: 2,
        lock_cycles: 5,
    };

    /// The ranges of its parameters. Numbers that AM009 prints count as printed.
    pub(crate) const RANGES: &[Range] = &[
        between("columns", 1.0, 128.0, "").printed(),
        between("rows", 1.0, 16.0, "").printed(),
        between("north", 1.0, 1024.0, "streams").printed(),
        between("other", 1.0, 1024.0, "streams").printed(),
        between("core_ports", 1.0, 64.0, "ports").printed(),
        between("switch", 1.0, 1024.0, "cycles").printed(),
        between("switch_words", 1.0, 1024.0, "words").printed(),
        between("fifo_words", 1.0, 1024.0, "words").printed(),
        between("switch_fifos", 0.0, 1024.0, "").printed(),
        between("port_words", 4.0, 1024.0, "words").printed(),
        between("cascade_beats", 1.0, 1024.0, "beats").printed(),
        between("cascade_latency", 1.0, 1024.0, "cycles").inferred(),
        between("locks", 0.0, 1024.0, "").printed(),
        between("buffers", 1.0, 1024.0, "").inferred(),
        between("lock_cycles", 1.0, 1024.0, "cycles").inferred(),
    ];

    const fn channels(&self, north: bool) -> usize {
        if north { self.north } else { self.other }
    }
}
