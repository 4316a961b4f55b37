//! What a unit is to the programmable logic.

use super::System;
use crate::AieError;
use crate::mapping::Mapping;
use crate::padd::Form;
use serde::Serialize;

/// How the tiles of a unit run their programs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernels {
    /// Software-pipelined loops, made for throughput. Tasks overlap in every tile.
    Loops,
    /// A task by itself, made for latency: a tile begins a task when its last one is over.
    Straight,
}

/// A unit as the programmable logic sees it, by runs of the clocked array. Cycles are the engines'.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnitTiming {
    /// The mapping.
    pub mapping: Mapping,
    /// Which addition.
    pub form: Form,
    /// How tiles run.
    pub kernels: Kernels,
    /// Tiles.
    pub tiles: usize,
    /// Instructions of a task on the longest tile.
    pub instructions: u64,
    /// Cycles from one task to the next when operands are always there.
    pub interval: f64,
    /// Cycles from operands at the streams to the last word of results in the logic, when a task enters every
    /// [`UnitTiming::pace`] cycles. The loops' tiles need later tasks to go on: without points the logic has to give
    /// them something else to add.
    pub latency: u64,
    /// The smallest number of whole cycles of the logic, in cycles of the engines, that is not less than the interval.
    pub pace: u64,
    /// Cycles from operands to results of a task with none before or after it.
    pub alone: u64,
    /// Streams of 32 bits into the unit, and out of it.
    pub streams: [usize; 2],
}

impl UnitTiming {
    /// A unit of the board.
    ///
    /// # Errors
    /// What [`System::check`] refuses; a mapping that has no schedule or no run.
    pub fn new(system: &System, _mapping: Mapping, _form: Form, _kernels: Kernels) -> Result<Self, AieError> {
        system.check()?;
        Err(crate::array::ArrayError::Deadlock { cycle: 0, full: vec![] }.into())
    }
}
