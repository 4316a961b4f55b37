//! The clocked unit: elements, accumulators, buffers and memory, and the three traversals on them.
//!
//! All elements move in lock step: in a cycle in which the words they want have come and what they will give has room,
//! everything advances by one; in any other everything stands still. So a schedule is a function of the cycles in which
//! the unit moves, and the memory decides only when these are.

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
pub use table::{Node, Slot, schedule_table};

/// Who has a slot of an accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    /// One level, in steps above the stream's.
    Level(usize),
    /// All levels from these steps on.
    Deeper(usize),
    /// Any level with a complete pair.
    Anyone,
}

/// A schedule with its pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    schedule: Schedule,
    levels: u32,
}

impl Slots {
    fn of(config: &UnitConfig) -> Self {
        Self { schedule: config.schedule, levels: config.ruler_levels }
    }

    /// For words that do not come one a slot, which a pattern would not fit.
    const FILLED: Self = Self { schedule: Schedule::Filled, levels: 1 };

    /// The level that slot `c` belongs to.
    fn owner(self, c: i64) -> Owner {
        match self.schedule {
            Schedule::Filled => Owner::Anyone,
            Schedule::Ruler if c.trailing_zeros() < self.levels => Owner::Level(c.trailing_zeros() as usize),
            Schedule::Ruler => Owner::Deeper(self.levels as usize),
        }
    }

    /// The slot from which the highest of `levels` levels can begin and be followed by every lower one in its own.
    fn start(self, levels: u32) -> i64 {
        match levels {
            0 => 0,
            levels if levels > self.levels => -(1 << self.levels),
            levels => -(1 << (levels - 1)),
        }
    }
}
