//! The report of a compiled routine.

use super::colour::{Rows, rows_used};
use super::lifetime::ValueTraffic;
use super::schedule::{Problem, Schedule};
use crate::isa::Channel;
use serde::Serialize;

/// Size, length, bounds and utilisation of one compiled routine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoutineReport {
    /// Name of the routine.
    pub name: String,
    /// Number of operations, without bubbles.
    pub operations: usize,
    /// The number of operations on the multiplier.
    pub mm: usize,
    /// The number of operations on the arithmetic unit.
    pub arith: usize,
    /// The number of inversions.
    pub inversions: usize,
    /// Words in the L2 memory, including no-operations.
    pub words: usize,
    /// Issue slots, including bubbles: the count of \[CP\] Table I.
    pub slots: u32,
    /// Slots until the last result is in its bank. An inversion counts as one slot.
    pub cycles: u32,
    /// Lower bound on the cycles of any schedule; on the slots of a call if `chained`.
    pub bound: u32,
    /// Whether the schedule is as short as the bound.
    pub optimal: bool,
    /// Whether the routine may follow itself without draining the pipeline.
    pub chained: bool,
    /// Slots in which nothing issues.
    pub bubbles: u32,
    /// Share of the slots in which the multiplier starts a product.
    pub mm_utilisation: f64,
    /// Share of the slots in which the arithmetic unit starts an operation.
    pub arith_utilisation: f64,
    /// Number of operands forwarded over path 1.
    pub forwards_path1: usize,
    /// Number of operands forwarded over path 2.
    pub forwards_path2: usize,
    /// Number of rows of the banks that are used.
    pub rows: usize,
    /// Largest number of values that are alive at once.
    pub most_alive: usize,
    /// Name of the scheduler that found the schedule.
    pub scheduler: &'static str,
    /// Number of schedules that were tried.
    pub tried: u32,
}

impl RoutineReport {
    /// Computes the report of a schedule and its assignment of rows.
    pub(crate) fn new(
        name: &str,
        (problem, schedule, words): (&Problem, &Schedule, usize),
        (traffic, rows): (&ValueTraffic, &Rows),
        bound: i32,
    ) -> Self {
        let on = |c: Channel| problem.tasks.iter().filter(|t| t.channel == c).count();
        let (mm, arith) = (on(Channel::Mm), on(Channel::Arith));
        let slots = problem.slots(schedule) as u32;
        let mut busy = schedule.slots.clone();
        busy.sort_unstable();
        busy.dedup();
        let share = |n: usize| if slots == 0 { 0.0 } else { n as f64 / f64::from(slots) };
        Self {
            name: name.to_owned(),
            operations: problem.tasks.len(),
            mm,
            arith,
            inversions: on(Channel::Inv),
            words,
            slots,
            cycles: problem.length(schedule) as u32,
            bound: bound as u32,
            optimal: bound == if problem.seam.is_some() { slots as i32 } else { problem.length(schedule) },
            chained: problem.seam.is_some(),
            bubbles: slots - busy.len() as u32,
            mm_utilisation: share(mm),
            arith_utilisation: share(arith),
            forwards_path1: traffic.forwards[0],
            forwards_path2: traffic.forwards[1],
            rows: rows_used(rows),
            most_alive: traffic.most_alive(),
            scheduler: "",
            tried: 0,
        }
    }
}
