//! A stage of elements that process neighbouring nodes of a level in lock step.

use core::ops::Range;
use pairwright_sim::{Clocked, Pipe};

/// Elements side by side in one pipeline. A row holds one result word for each element, or two if the stage splits nodes.
#[derive(Clone, Debug)]
pub(super) struct Stage<T> {
    /// The elements of the unit that form this stage.
    pub(super) elements: Range<usize>,
    /// The level of the operands.
    pub(super) level: u32,
    pipe: Pipe<Vec<T>>,
    /// The number of rows that have entered, and the number that have left.
    pub(super) entered: u64,
    pub(super) left: u64,
}

impl<T: Clone> Stage<T> {
    pub(super) fn new(elements: Range<usize>, level: u32, latency: u32) -> Self {
        Self { elements, level, pipe: Pipe::new(latency), entered: 0, left: 0 }
    }

    /// The row that leaves in this cycle.
    pub(super) fn out(&self) -> Option<Vec<T>> {
        self.pipe.out()
    }

    /// The rows in the pipeline, the newest first.
    pub(super) fn rows(&self) -> impl Iterator<Item = Option<&Vec<T>>> {
        self.pipe.registers()
    }

    /// Advances the pipeline by a cycle; `row` enters it.
    pub(super) fn tick(&mut self, row: Option<Vec<T>>) {
        self.left += u64::from(self.pipe.front().is_some());
        self.entered += u64::from(row.is_some());
        self.pipe.tick(row);
    }
}
