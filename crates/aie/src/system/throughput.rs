//! The throughput experiment of \[AIE\] V.A: points are added as fast as they arrive.

use super::{
    Bounds, CoordinateOrder, KernelKind, Pipeline, Sharing, System, SystemError, Throughput, UnitTiming,
    WaitShares,
};
use crate::AieError;
use crate::array::place;
use crate::mapping::Mapping;
use crate::padd::Form;
use pairwright_sim::dram::{Dram, Piece};
use pairwright_sim::settings::{Design as _, OutOfRange};
use pairwright_sim::trace::Chrome;
use std::collections::VecDeque;

/// Cycles of requests that the memory's controller accepts ahead of its pins.
const AHEAD: u64 = 8;

/// Adds points as bucket accumulation does, with all units at once, \[AIE\] V.A: every task reads a point from memory,
/// the second operand is a constant, and only the last result is needed. Each unit's logic reads its own points
/// ([`Sharing`]), one after the other.
///
/// The logic and the memory are simulated cycle by cycle, each unit as the pipeline of events that [`UnitTiming`]
/// describes.
///
/// # Errors
/// The errors of [`System::check`], of scheduling and of simulation; units that do not fit.
pub fn throughput(system: &System, tasks: u64) -> Result<Throughput, AieError> {
    throughput_of(system, &accumulating(system)?, tasks)
}

/// The timing of a unit of bucket accumulation, on a board with room for all of them.
fn accumulating(system: &System) -> Result<UnitTiming, AieError> {
    system.check()?;
    UnitTiming::new(system, system.accumulate, Form::Mixed, KernelKind::Loops)
}

/// As [`throughput`], for a unit whose timing is known, so that parameters around it can be varied quickly.
///
/// # Errors
/// The errors of [`System::check`]; units that do not fit.
pub fn throughput_of(system: &System, unit: &UnitTiming, tasks: u64) -> Result<Throughput, AieError> {
    run(system, unit, tasks, &mut |_, _, _| {})
}

/// As [`throughput`], with a timeline of the units in cycles of the logic.
///
/// # Errors
/// Those of [`throughput`].
pub fn throughput_traced(system: &System, tasks: u64, chrome: &mut Chrome) -> Result<Throughput, AieError> {
    let unit = accumulating(system)?;
    let process = chrome.process("throughput, cycles of the logic");
    let tracks: Vec<_> =
        (0..system.units).map(|unit| chrome.track(process, &format!("unit {unit}"))).collect();
    run(system, &unit, tasks, &mut |unit: usize, name: &str, [start, end]: [u64; 2]| {
        chrome.event(tracks[unit], name, start, end - start, []);
    })
}

/// Runs the experiment. `watch` is called for the activities of each unit, which do not overlap, with the first and last
/// cycle of the logic.
fn run(
    system: &System,
    unit: &UnitTiming,
    tasks: u64,
    watch: &mut impl FnMut(usize, &str, [u64; 2]),
) -> Result<Throughput, AieError> {
    const MOST: u64 = 1 << 24;
    system.check()?;
    OutOfRange::unless((1..=MOST).contains(&tasks), "tasks", tasks, "1 to 2^24")
        .map_err(SystemError::from)?;
    channels(system, unit)?;
    let unit = match system.what_if_interval {
        Some(cycles) => unit.clone().with_interval(cycles, system),
        None => unit.clone(),
    };
    let mut board = Board::new(system, &unit, tasks)?;
    let mut now = 0;
    while board.lanes.iter().any(|lane| lane.left > 0) {
        board.cycle(now, watch);
        now += 1;
    }
    let mut pl_cycles = 0;
    for (number, lane) in board.lanes.iter().enumerate() {
        if let Some(last) = lane.pipeline.finished().last() {
            let end = last + system.logic.barrett_latency;
            watch(number, "the last results leave", [lane.pipeline.accepted(), end]);
            pl_cycles = pl_cycles.max(end);
        }
    }
    let seconds = pl_cycles as f64 / system.pl_hz as f64;
    let waits = board.lanes.iter().fold([0; 2], |[a, b], lane| [a + lane.waits[0], b + lane.waits[1]]);
    let all = board.lanes.iter().map(|lane| lane.pipeline.accepted()).sum::<u64>() as f64;
    let [memory, logic] = waits.map(|cycles| cycles as f64 / all);
    let memory_account = board.dram.stats();
    drop(board);
    let bytes_per_second = (tasks * system.task_bytes()) as f64 / seconds;
    let bounds = bounds(system, &unit);
    Ok(Throughput {
        tasks,
        units: system.units,
        pl_cycles,
        seconds,
        tasks_per_second: tasks as f64 / seconds,
        bytes_per_second,
        bandwidth_share: bytes_per_second / system.peak_bytes_per_second(),
        engine_share: tasks as f64 / seconds / bounds.engines,
        bounds,
        waits: WaitShares { engines: 1.0 - memory - logic, memory, logic },
        unit,
        memory: memory_account,
    })
}

/// The number of columns that this many units of a mapping take.
pub(super) fn columns(mapping: Mapping, units: usize, rows: usize) -> usize {
    match mapping {
        Mapping::Single => units.div_ceil(rows.max(1)),
        _ => units * place::columns(mapping),
    }
}

/// Checks that the units of both mappings fit the array side by side.
pub(super) fn check_columns(system: &System) -> Result<(), SystemError> {
    let (rows, free) = (system.fabric.rows, system.fabric.columns);
    let columns = columns(system.accumulate, system.units, rows)
        + columns(system.aggregate, system.aggregate_units, rows);
    if columns > free { Err(SystemError::Room { columns, free }) } else { Ok(()) }
}

/// Checks that the interface has enough channels for the streams of all units of bucket accumulation.
fn channels(system: &System, unit: &UnitTiming) -> Result<(), AieError> {
    let each = (system.plio.bits as usize).div_ceil(64);
    let taken = unit.streams.map(|streams| system.units * streams * each);
    let channels = system.plio.channels;
    if taken[0] > channels[0] || taken[1] > channels[1] {
        return Err(SystemError::Channels { taken, channels }.into());
    }
    Ok(())
}

fn bounds(system: &System, unit: &UnitTiming) -> Bounds {
    let units = system.units as f64;
    let pl = system.pl_hz as f64;
    let beats = unit.words.div_ceil(system.plio.bits as usize / 32);
    Bounds {
        instructions: units * system.aie_hz as f64 / unit.instructions as f64,
        engines: units * system.aie_hz as f64 / unit.engine_interval,
        plio: units * pl / beats as f64,
        logic: units * pl / system.logic.sums_interval.max(system.logic.barrett_interval) as f64,
        masters: units * pl * f64::from(system.reader.beat_bytes) / system.task_bytes() as f64,
        memory: system.peak_bytes_per_second() / system.task_bytes() as f64,
    }
}

/// The part of an array in memory that a unit reads: blocks of `block` bytes, `stride` bytes apart.
struct Stream {
    base: u64,
    block: u64,
    stride: u64,
    /// Bytes requested so far, and bytes of the whole part.
    asked: u64,
    end: u64,
    /// Bytes that a task takes, and bytes that have arrived and have not been taken.
    task: u64,
    held: u64,
}

impl Stream {
    /// The next burst, which ends at most at the end of its block and at the next multiple of the burst size.
    fn next(&self, burst: u64) -> Option<Piece> {
        let within = self.asked % self.block;
        let address = self.base + self.asked / self.block * self.stride + within;
        let bytes = (burst - address % burst).min(self.block - within).min(self.end - self.asked);
        (bytes > 0).then_some(Piece { address, bytes: bytes as u32 })
    }
}

/// A unit with the logic around it, which reads its points.
struct Lane<'t> {
    streams: Vec<Stream>,
    /// The stream that is read next.
    turn: usize,
    /// Bursts in flight: the cycle in which each is complete, its stream, its bytes.
    coming: VecDeque<(u64, usize, u64)>,
    /// Bytes of the buffer that are occupied or requested.
    booked: u64,
    /// The cycle from which the master can take beats again.
    beats: u64,
    /// Tasks that have not begun.
    left: u64,
    /// The cycle from which the logic can begin the next task.
    begin: u64,
    /// Whether the point of the next task was missing when the logic could have begun it.
    missing: bool,
    pipeline: Pipeline<'t>,
    /// The cycle in which the last task was offered.
    offered: u64,
    /// Cycles in which the streams waited for points, and cycles in which they waited for the logic.
    waits: [u64; 2],
}

struct Board<'t> {
    system: &'t System,
    dram: Dram,
    lanes: Vec<Lane<'t>>,
    /// The unit whose turn it is to request.
    turn: usize,
    /// The cycle from which the controller accepts another request.
    booked: u64,
}

impl<'t> Board<'t> {
    fn new(system: &'t System, unit: &'t UnitTiming, tasks: u64) -> Result<Self, AieError> {
        let dram = Dram::new(&system.dram, system.pl_hz as f64).map_err(SystemError::from)?;
        let units = system.units as u64;
        let coordinate = u64::from(system.coordinate_bytes);
        // The number of points of a block, chosen so that a block of coordinates is a burst.
        let points = u64::from(system.reader.burst_bytes / system.coordinate_bytes).max(1);
        let blocks = tasks / points;
        let lane = |number: u64| {
            // The index of the unit's first point, and the number of its points.
            let (first, left) = match system.reader.sharing {
                Sharing::Regions => {
                    let more = number.min(tasks % units);
                    (number * (tasks / units) + more, tasks / units + u64::from(number < tasks % units))
                }
                Sharing::Turns => {
                    let whole = (blocks / units + u64::from(number < blocks % units)) * points;
                    (number * points, whole + if number == blocks % units { tasks % points } else { 0 })
                }
            };
            let stream = |array: u64, task: u64| {
                let (block, stride) = match system.reader.sharing {
                    Sharing::Regions => ((left * task).max(1), 0),
                    Sharing::Turns => (points * task, units * points * task),
                };
                Stream {
                    base: array + first * task,
                    block,
                    stride,
                    asked: 0,
                    end: left * task,
                    task,
                    held: 0,
                }
            };
            let streams = match system.reader.layout {
                CoordinateOrder::Points => vec![stream(0, 3 * coordinate)],
                CoordinateOrder::Coordinates => {
                    (0..3).map(|n| stream(n * tasks * coordinate, coordinate)).collect()
                }
            };
            let (coming, pipeline) = (VecDeque::new(), unit.pipeline());
            let (turn, booked, beats, begin, offered) = (0, 0, 0, 0, 0);
            Lane {
                streams,
                turn,
                coming,
                booked,
                beats,
                left,
                begin,
                missing: false,
                pipeline,
                offered,
                waits: [0; 2],
            }
        };
        let lanes = (0..units).map(lane).collect();
        Ok(Self { system, dram, lanes, turn: 0, booked: 0 })
    }

    /// Advances the board by a cycle of the logic.
    fn cycle(&mut self, now: u64, watch: &mut impl FnMut(usize, &str, [u64; 2])) {
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            lane.cycle(now, self.system, &mut |name, time| watch(number, name, time));
        }
        while self.booked <= now + AHEAD {
            let pieces = self.asked();
            if pieces.is_empty() {
                break;
            }
            let transfer = self.dram.transfer(now, false, pieces);
            self.booked = transfer.issued;
            let beat = u64::from(self.system.reader.beat_bytes);
            self.lanes.iter_mut().for_each(|lane| lane.note_arrival(transfer.first, transfer.done, beat));
        }
    }

    /// The requests of the masters in turn, up to a full queue of the controller, which may serve the bursts in any
    /// order. All masters are notified when the last burst is complete.
    fn asked(&mut self) -> Vec<Piece> {
        let n = self.lanes.len();
        let queue = u64::from(self.system.dram.queue * self.system.dram.burst_bytes());
        let (mut pieces, mut bytes) = (Vec::new(), 0);
        while bytes < queue {
            let mut next = (0..n).map(|k| (self.turn + k) % n);
            let Some((number, piece)) =
                next.find_map(|lane| Some((lane, self.lanes[lane].ask(self.system)?)))
            else {
                break;
            };
            bytes += u64::from(piece.bytes);
            pieces.push(piece);
            self.turn = (number + 1) % n;
        }
        pieces
    }
}

impl Lane<'_> {
    /// Requests a burst of a stream, if the master can.
    fn ask(&mut self, system: &System) -> Option<Piece> {
        let reader = &system.reader;
        if self.coming.len() >= reader.outstanding as usize {
            return None;
        }
        let n = self.streams.len();
        let burst = u64::from(reader.burst_bytes);
        let mut next = (0..n).map(|k| (self.turn + k) % n);
        let (number, piece) = next.find_map(|k| Some((k, self.streams[k].next(burst)?)))?;
        let bytes = u64::from(piece.bytes);
        if self.booked + bytes > u64::from(reader.buffer_bytes) {
            return None;
        }
        self.streams[number].asked += bytes;
        self.turn = (number + 1) % n;
        self.booked += bytes;
        self.coming.push_back((u64::MAX, number, bytes));
        Some(piece)
    }

    /// Notifies the master of the cycles in which its last requests begin to arrive and are complete.
    fn note_arrival(&mut self, first: u64, done: u64, beat: u64) {
        for (there, _, bytes) in self.coming.iter_mut().filter(|(there, ..)| *there == u64::MAX) {
            self.beats = self.beats.max(first) + bytes.div_ceil(beat);
            *there = done.max(self.beats);
        }
    }

    /// Advances by a cycle of the logic: takes arriving bursts and begins a task if possible.
    fn cycle(&mut self, now: u64, system: &System, watch: &mut impl FnMut(&str, [u64; 2])) {
        while let Some((_, stream, bytes)) = self.coming.pop_front_if(|(there, ..)| *there <= now) {
            self.streams[stream].held += bytes;
        }
        let logic = &system.logic;
        // A task that is ready waits in its own register, which is free again when the task is offered.
        if self.left == 0 || now < self.begin || now + logic.sums_latency < self.offered {
            return;
        }
        if self.streams.iter().any(|s| s.held < s.task) {
            self.missing = true;
            return;
        }
        for stream in &mut self.streams {
            stream.held -= stream.task;
            self.booked -= stream.task;
        }
        let free = self.pipeline.accepted();
        self.offered = self.pipeline.offer(now + logic.sums_latency);
        if self.offered > free {
            self.waits[usize::from(!self.missing)] += self.offered - free;
            let name = if self.missing { "waits for a point" } else { "waits for the logic" };
            watch(name, [free, self.offered]);
        }
        watch("an addition enters", [self.offered, self.pipeline.accepted()]);
        self.begin = now + logic.sums_interval;
        (self.left, self.missing) = (self.left - 1, false);
    }
}
