//! The clocked unit: elements, accumulators, buffers and memory, and the three traversals on them.
//!
//! All elements move in lock step: in a cycle in which the words that they take have arrived and the words that they give
//! have room, everything advances by one cycle; otherwise everything stalls. So a schedule is a function of the cycles in
//! which the unit moves, and the memory only decides which cycles these are.

mod accumulator;
mod bfs;
pub mod clocked;
mod dfs;
mod driver;
mod forward;
mod hybrid;
mod io;
mod leaves;
mod memory;
mod registers;
mod stage;
mod streams;
mod table;
mod top;

use crate::{Schedule, UnitConfig};

pub(crate) use driver::{Recording, run};
pub use table::{CycleNodes, Node, schedule_table};

/// The levels to which a slot of an accumulator belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    /// One level, counted in steps above that of the stream.
    Level(usize),
    /// All levels from this number of steps above the stream on.
    Deeper(usize),
    /// Any level that has a complete pair.
    Anyone,
}

/// The schedule of an accumulator, and the number of levels in its pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    schedule: Schedule,
    levels: u32,
}

impl Slots {
    fn of(config: &UnitConfig) -> Self {
        Self { schedule: config.schedule, levels: config.ruler_levels }
    }

    /// A schedule for words that do not arrive one per slot, for which a pattern would not fit.
    const FILLED: Self = Self { schedule: Schedule::Filled, levels: 1 };

    /// The levels to which slot `c` belongs.
    fn owner(self, c: i64) -> Owner {
        match self.schedule {
            Schedule::Filled => Owner::Anyone,
            Schedule::Ruler if c.trailing_zeros() < self.levels => Owner::Level(c.trailing_zeros() as usize),
            Schedule::Ruler => Owner::Deeper(self.levels as usize),
        }
    }

    /// The slot in which the highest of `levels` levels can begin so that every lower level follows in its own slot.
    fn start(self, levels: u32) -> i64 {
        match levels {
            0 => 0,
            levels if levels > self.levels => -(1 << self.levels),
            levels => -(1 << (levels - 1)),
        }
    }
}
