//! What a compiled routine costs.

use super::colour::{Rows, rows_used};
use super::lifetime::ValueTraffic;
use super::schedule::{Problem, Schedule};
use crate::isa::Channel;
use serde::Serialize;

/// The costs and bounds of one compiled routine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RoutineReport {
    /// Name of the routine.
    pub name: String,
    /// Operations, bubbles not counted.
    pub operations: usize,
    /// The number of operations on the multiplier.
    pub mm: usize,
    /// The number of operations on the arithmetic unit.
    pub arith: usize,
    /// The number of inversions.
    pub inversions: usize,
    /// Words in the L2 memory, no-operations included.
    pub words: usize,
    /// Issue slots, bubbles included: what \[CP\] Table I counts.
    pub slots: u32,
    /// Slots until the last result is in its bank. An inversion counts for one.
    pub cycles: u32,
    /// No schedule can be shorter than this many cycles.
    pub bound: u32,
    /// Whether the schedule is as short as the bound.
    pub optimal: bool,
    /// Whether it may follow itself without draining; the bound is one on slots then.
    pub chained: bool,
    /// Slots in which nothing issues.
    pub bubbles: u32,
    /// Share of the slots in which the multiplier starts a product.
    pub mm_utilisation: f64,
    /// Share of the slots in which the arithmetic unit starts an operation.
    pub arith_utilisation: f64,
    /// Operands forwarded over path 1.
    pub forwards_path1: usize,
    /// Operands forwarded over path 2.
    pub forwards_path2: usize,
    /// Rows of the banks used.
    pub rows: usize,
    /// The most values alive at once.
    pub most_alive: usize,
    /// Name of the scheduler that found the schedule.
    pub scheduler: &'static str,
    /// Number of schedules that were tried.
    pub tried: u32,
}

impl RoutineReport {
    /// The costs and bounds of a schedule and its colouring.
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
