//! The timing of a unit, as the programmable logic observes it.

use super::{Logic, Plio, System, SystemError};
use crate::array::fifos::RoutedUnit;
use crate::array::loops::Loops;
use crate::array::place::Route;
use crate::array::{
    ArrayError, Arrivals, ClockedUnit, Drive, DrivenRun, Fabric, Schedule, of_tiles, straight_kernels,
};
use crate::mapping::{Mapping, Partition};
use crate::padd::Form;
use crate::tile::Reads;
use crate::{AieError, Design};
use pairwright_sim::settings::Design as _;
use serde::Serialize;

/// The kind of kernels that the tiles of a unit run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KernelKind {
    /// Software-pipelined loops, made for throughput; tasks overlap in every tile.
    Loops,
    /// Straight-line kernels, made for latency; a tile begins a task when it has finished the previous one.
    Straight,
}

/// The number of tasks of the runs that measure a unit, and the index of the task whose operands arrive late.
const TASKS: usize = 80;
const LATE: usize = 24;
/// The number of responses to the late task that are stored one by one; later ones are an interval apart.
const WINDOW: usize = 40;
/// The last of these responses, from which the interval is measured; the behaviour of a unit repeats after one, two,
/// three or four tasks.
const STEADY: usize = 24;
/// The greatest size in words of a FIFO before a stream of operands.
const MOST_AHEAD: usize = 1024;

/// The timing of a unit as the programmable logic observes it, measured in runs of the clocked array.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnitTiming {
    /// The mapping of an addition onto the unit's tiles.
    pub mapping: Mapping,
    /// The form of the addition.
    pub form: Form,
    /// The kind of kernels.
    pub kernels: KernelKind,
    /// The number of tiles.
    pub tiles: usize,
    /// Instructions per task on the longest tile.
    pub instructions: u64,
    /// Cycles of the engines from one task to the next when operands are always available: the interval of the engines,
    /// or that of the logic's pipelines if it is longer.
    pub interval: f64,
    /// The same with pipelines of the logic that accept a task in every cycle.
    pub engine_interval: f64,
    /// The interval in cycles of the logic, rounded up.
    pub pace: u64,
    /// Cycles of the logic from the operands at the streams to the last word of the results, when a task enters every
    /// [`UnitTiming::pace`] cycles. Loops need later tasks in order to finish earlier ones: if there are no points, the
    /// logic has to give them other operands.
    pub latency: u64,
    /// Cycles of the logic from operands to results of a single task.
    pub alone: u64,
    /// The number of later tasks that must be offered before the results of a task are complete.
    pub needs_later: usize,
    /// The number of streams of 32 bits into the unit, and out of it.
    pub streams: [usize; 2],
    /// Words of a task on the fullest of these streams.
    pub words: usize,
    /// Words of the FIFO that the logic needs before each stream of operands to prevent a deadlock of the tiles.
    pub ahead: usize,
    #[serde(skip)]
    response: Response,
}

/// The response of a unit to offered tasks, as maxima of sums.
///
/// Every event in a unit waits for the last of several events and then takes a constant time. So the time at which a task
/// is accepted or finished is a maximum over tasks of "the time at which that task was offered, plus a constant", where
/// the constant depends only on the distance between the two tasks. A run in which a single task arrives very late shows
/// the constants of all other tasks with respect to it.
#[derive(Clone, PartialEq, Debug, Default)]
struct Response {
    /// From an offer to the acceptance of that task, and of each later task.
    accepted: Vec<u64>,
    /// From an offer to the results of the task `later` tasks before it, and of each following task.
    finished: Vec<u64>,
    later: usize,
    /// Cycles of the logic between tasks beyond the stored ones.
    interval: f64,
}

/// A unit placed on the array, with the schedules of its tiles and the routes of its links.
pub(super) struct PlacedUnit {
    pub(super) partition: Partition,
    pub(super) schedules: Vec<Schedule>,
    pub(super) routes: Vec<Route>,
    fabric: Fabric,
    /// Words of the FIFO in the logic before each stream of operands.
    ahead: usize,
}

impl PlacedUnit {
    pub(super) fn new(
        system: &System,
        mapping: Mapping,
        form: Form,
        kernels: KernelKind,
    ) -> Result<Self, AieError> {
        system.check()?;
        if mapping == Mapping::Single {
            return Err(SystemError::Single.into());
        }
        let (method, tile, fabric) = (system.method, system.tile.clone(), system.fabric);
        Design { form, tile, fabric, ..Design::new(mapping, method) }.check()?;
        let partition = Partition::with(mapping, method, form);
        let (schedules, routed) = match kernels {
            KernelKind::Loops => {
                let Loops { schedules, routed, .. } = Loops::new(&partition, &system.tile, &fabric)?;
                (schedules, routed)
            }
            KernelKind::Straight => {
                let kernels = straight_kernels(&partition, &system.tile, Reads::Needed)?;
                let mut schedules = of_tiles(&partition, &kernels);
                // A tile begins the next task after the last instruction of this one.
                schedules.iter_mut().for_each(|s| s.ii = s.length);
                let routed = RoutedUnit::new(&partition, &schedules, &fabric, TASKS as u64)?;
                (schedules, routed)
            }
        };
        let mut placed = Self { partition, schedules, routes: routed.routes, fabric, ahead: 0 };
        // Tiles that work ahead, as those of the product by k do, need operands that other streams still hold back. The
        // FIFO is made large enough to prevent a deadlock, and then doubled as long as that is a gain.
        let run = |placed: &Self| placed.run(system, TASKS as u64, Arrivals::At(vec![0; TASKS]));
        let mut cycles = loop {
            match run(&placed) {
                Ok(run) => break run.run.cycles,
                Err(AieError::Array(ArrayError::Deadlock { waits, .. }))
                    if placed.ahead < MOST_AHEAD && waits.operands =>
                {
                    placed.ahead += placed.words();
                }
                Err(error) => return Err(error),
            }
        };
        while (1..=MOST_AHEAD / 2).contains(&placed.ahead) {
            placed.ahead *= 2;
            let before = core::mem::replace(&mut cycles, run(&placed)?.run.cycles);
            if cycles + cycles / 64 >= before {
                placed.ahead /= 2;
                break;
            }
        }
        Ok(placed)
    }

    pub(super) fn run(&self, system: &System, tasks: u64, arrivals: Arrivals) -> Result<DrivenRun, AieError> {
        let Logic { sums_interval, barrett_interval, .. } = system.logic;
        self.run_at(system, tasks, arrivals, [sums_interval, barrett_interval])
    }

    /// Simulates the unit with these intervals of the logic's pipelines.
    fn run_at(
        &self,
        system: &System,
        tasks: u64,
        arrivals: Arrivals,
        intervals: [u64; 2],
    ) -> Result<DrivenRun, AieError> {
        let Plio { bits, fifo_words, crossing, .. } = system.plio;
        let (clocks, words, ahead) = ([system.aie_hz, system.pl_hz], bits as usize / 32, self.ahead);
        let drive = Drive { clocks, words, fifo_words, ahead, crossing, intervals, arrivals };
        let unit = ClockedUnit::new(&self.partition, &self.schedules, &self.routes, self.fabric)?;
        Ok(unit.run_driven(tasks, &drive)?)
    }

    /// The number of streams from the logic, and the number to it.
    pub(super) fn streams(&self) -> [usize; 2] {
        let links = &self.partition.links;
        let count = |f: fn(&&crate::mapping::Link) -> bool| links.iter().filter(f).count();
        [count(|l| l.from.is_none()), count(|l| l.to.is_empty())]
    }

    /// Words of a task on the fullest of these streams.
    fn words(&self) -> usize {
        let outer = self.partition.links.iter().filter(|l| l.from.is_none() || l.to.is_empty());
        outer.map(crate::mapping::Link::beats).max().unwrap_or(0)
    }
}

impl UnitTiming {
    /// Places, schedules and measures a unit of the board.
    ///
    /// # Errors
    /// The errors of [`System::check`], of scheduling and of simulation.
    pub fn new(system: &System, mapping: Mapping, form: Form, kernels: KernelKind) -> Result<Self, AieError> {
        Self::of(&PlacedUnit::new(system, mapping, form, kernels)?, system, kernels)
    }

    pub(super) fn of(placed: &PlacedUnit, system: &System, kernels: KernelKind) -> Result<Self, AieError> {
        let run =
            |tasks: usize, arrivals| placed.run(system, tasks as u64, arrivals).map(|driven| driven.times);
        // First a task by itself; then all tasks at once, except for one whose operands arrive late.
        let alone = run(1, Arrivals::At(vec![0]))?.finished[0];
        // By this time all earlier tasks are finished.
        let late = (LATE as u64 + 1) * alone;
        let mut arrivals = vec![0; TASKS];
        arrivals[LATE] = late;
        let response = run(TASKS, Arrivals::At(arrivals))?;
        let last = LATE + WINDOW - 1;
        let steady = |finished: &[u64]| (finished[last] - finished[last - STEADY]) as f64 / STEADY as f64;
        let engines = match (system.logic.sums_interval, system.logic.barrett_interval) {
            (1, 1) => steady(&response.finished),
            _ => {
                let arrivals = Arrivals::At(vec![0; TASKS]);
                steady(&placed.run_at(system, TASKS as u64, arrivals, [1, 1])?.times.finished)
            }
        };
        let steady = steady(&response.finished);
        let pace = steady.ceil() as u64;
        let paced = run(TASKS, Arrivals::At((0..TASKS as u64).map(|task| task * pace).collect()))?;
        let latency = (LATE..LATE + WINDOW).map(|task| paced.finished[task] - paced.offered[task]).max();
        let after = |times: &[u64]| times.iter().map(|time| time - late).collect();
        let first = response.finished.iter().position(|&t| t > late).unwrap_or(LATE);
        let of_engines = |cycles: f64| system.aie_hz as f64 / system.pl_hz as f64 * cycles;
        let interval = of_engines(steady);
        Ok(Self {
            mapping: placed.partition.mapping,
            form: placed.partition.form,
            kernels,
            tiles: placed.partition.tiles.len(),
            instructions: placed.schedules.iter().map(|s| s.ii).max().unwrap_or(0),
            interval,
            engine_interval: of_engines(engines),
            pace,
            latency: latency.unwrap_or(alone),
            alone,
            needs_later: LATE - first,
            streams: placed.streams(),
            words: placed.words(),
            ahead: placed.ahead,
            response: Response {
                accepted: after(&response.accepted[LATE..LATE + WINDOW]),
                finished: after(&response.finished[first..LATE + WINDOW]),
                later: LATE - first,
                interval: steady,
            },
        })
    }

    /// The timing of a unit that takes a task every `cycles` cycles of the engines.
    #[must_use]
    pub(super) fn with_interval(mut self, cycles: u64, system: &System) -> Self {
        let interval = cycles as f64 * system.pl_hz as f64 / system.aie_hz as f64;
        let spread = |first: u64, n: usize| first + (n as f64 * interval).ceil() as u64;
        let r = &mut self.response;
        r.accepted = (0..r.accepted.len()).map(|n| spread(r.accepted[0], n)).collect();
        r.finished = (0..r.accepted.len()).map(|n| spread(self.latency, n)).collect();
        (r.interval, r.later) = (interval, 0);
        (self.interval, self.engine_interval, self.pace) =
            (cycles as f64, cycles as f64, interval.ceil() as u64);
        (self.instructions, self.needs_later) = (cycles, 0);
        self
    }

    /// The unit as a pipeline of events, before the first task.
    pub fn pipeline(&self) -> Pipeline<'_> {
        Pipeline { response: &self.response, offered: vec![], accepted: 0, tail: f64::NEG_INFINITY }
    }
}

/// A unit as a pipeline of events, which computes when it accepts and finishes each task. Times are cycles of the logic.
#[derive(Clone, Debug)]
pub struct Pipeline<'t> {
    response: &'t Response,
    /// The cycle in which each task was offered.
    offered: Vec<u64>,
    /// The cycle in which the last task was accepted.
    accepted: u64,
    /// The earliest next acceptance that tasks before the window allow.
    tail: f64,
}

impl Pipeline<'_> {
    /// The cycle from which the streams can accept the next task.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Offers a task whose operands are available in cycle `ready`, at the earliest when the previous task is accepted.
    /// Returns the cycle in which it is offered.
    pub fn offer(&mut self, ready: u64) -> u64 {
        let at = ready.max(self.accepted);
        self.offered.push(at);
        let r = self.response;
        let n = self.offered.len();
        let window = self.offered.iter().rev().zip(&r.accepted);
        let accepted = window.map(|(offer, after)| offer + after).max().unwrap_or(0);
        self.tail += r.interval;
        if let Some(old) = n.checked_sub(r.accepted.len() + 1) {
            let last = r.accepted.last().copied().unwrap_or(0) as f64 + r.interval;
            self.tail = self.tail.max(self.offered[old] as f64 + last);
        }
        self.accepted = accepted.max(self.tail.max(0.0) as u64);
        at
    }

    /// The cycle in which the results of each task are complete, if no more tasks are offered.
    pub fn finished(&self) -> Vec<u64> {
        let r = self.response;
        let tasks = self.offered.len();
        let mut tail = f64::NEG_INFINITY;
        let time = |task: usize| {
            // The latest task on which this one depends.
            let latest = task + r.later;
            let first = (latest + 1).saturating_sub(r.finished.len());
            let offers =
                (first..=latest.min(tasks - 1)).map(|other| self.offered[other] + r.finished[latest - other]);
            tail += r.interval;
            if let Some(old) = first.checked_sub(1) {
                let last = r.finished.last().copied().unwrap_or(0) as f64 + r.interval;
                tail = tail.max(self.offered[old] as f64 + last);
            }
            offers.max().unwrap_or(0).max(tail.max(0.0) as u64)
        };
        (0..tasks).map(time).collect()
    }
}

#[cfg(test)]
mod tests;
