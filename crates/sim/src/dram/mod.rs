//! Off-chip memory: the completion times of transfers, and their traffic and energy.
//!
//! A [`Dram`] executes transfers, which are lists of pieces of the address space. It breaks them into bursts, the
//! smallest unit of a DRAM: a piece shorter than a burst moves a whole burst, and the waste is counted.
//!
//! Each channel has a queue and a controller, which opens rows ahead and reorders within the queue ([`Scheduler`]), and
//! banks with open rows. The model keeps the constraints of JESD79-4 and JESD79-5 between commands: tRCD, tRP, tRAS,
//! tRC, tRRD, tFAW, tCCD, tWR, tWTR, tRTP, the turnaround of the data bus, and all-bank refreshes, in whole memory
//! clocks. Results are in core cycles, rounded up. Long sequential runs are computed in fewer steps with identical
//! results.
//!
//! [`Kind::Flat`] is the simplest model: a pipe with a fixed number of bytes per cycle.
//!
//! ```
//! use pairwright_sim::dram::{DramConfig, Dram, Piece};
//!
//! let mut pipe = Dram::new(&DramConfig::paper(), 800e6).unwrap();
//! let block = pipe.transfer(0, false, [Piece { address: 0, bytes: 1024 * 32 }]);
//! assert_eq!(block.done, 683); // 32 KiB by 48 bytes a cycle
//!
//! let mut ddr = Dram::new(&DramConfig::ddr5_4800(), 800e6).unwrap();
//! let block = ddr.transfer(0, false, [Piece { address: 0, bytes: 1024 * 32 }]);
//! assert!(block.done > 683 && ddr.stats().counts.row_hits > 400);
//! ```

mod channel;
mod config;
#[cfg(test)]
mod dramsim3;
mod map;
mod steady;
#[cfg(test)]
mod tests;

pub use channel::Counts;
pub use config::{DramConfig, Hash, Kind, Mapping, Page, RANGES, Scheduler};

use crate::settings::OutOfRange;
use channel::{Channel, Timing};
use core::ops::AddAssign;
use map::Map;
use serde::Serialize;
use std::io;
use steady::Steady;

/// A contiguous piece of the address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The address of its first byte.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u32,
}

/// The times of a transfer, in core cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// The first data are on the core's side (read), or have left it (write: over the pins, or into the queue of
    /// gathered writes).
    pub first: u64,
    /// The controller has accepted the last request; those of the next transfer may follow.
    pub issued: u64,
    /// The last data are on the core's side (read), or have left it (write).
    pub done: u64,
}

/// The traffic and energy counts of a memory.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Stats {
    /// Bytes requested by reads.
    pub read_bytes: u64,
    /// Bytes requested by writes.
    pub write_bytes: u64,
    /// Bytes moved over the pins, in whole bursts.
    pub moved_bytes: u64,
    /// The number of transfers.
    pub transfers: u64,
    /// Core cycles with at least one transfer under way.
    pub active_cycles: u64,
    /// Counts of bursts, row activations and refreshes.
    #[serde(flatten)]
    pub counts: Counts,
    /// Joules of activates, bursts and refreshes; `None` for a flat memory.
    pub dynamic_j: Option<f64>,
}

impl Stats {
    /// Bytes requested over bytes moved; 1 if none were moved.
    pub fn efficiency(&self) -> f64 {
        match self.moved_bytes {
            0 => 1.0,
            moved => (self.read_bytes + self.write_bytes) as f64 / moved as f64,
        }
    }

    /// The bytes moved by reads and by writes, in proportion to their bursts, all of which have the same length. A
    /// memory without bursts moves exactly the bytes requested.
    pub fn moved(&self) -> [u64; 2] {
        let Counts { read_bursts, write_bursts, .. } = self.counts;
        let [read, written] = match read_bursts + write_bursts {
            0 => [self.read_bytes, self.write_bytes],
            _ => [read_bursts, write_bursts],
        };
        let share = u128::from(self.moved_bytes) * u128::from(written);
        let written = share.checked_div(u128::from(read) + u128::from(written)).unwrap_or(0) as u64;
        [self.moved_bytes - written, written]
    }
}

/// The memory model behind the core's side of the controller.
#[derive(Clone, Debug)]
enum Cells {
    Flat,
    Ddr {
        map: Map,
        channels: Vec<Channel>,
        steady: Steady,
        /// The memory clock at which the last request was accepted.
        taken: u64,
    },
}

/// A memory with its controller.
#[derive(Clone, Debug)]
pub struct Dram {
    config: DramConfig,
    core_hz: u64,
    burst: u32,
    timing: Timing,
    cells: Cells,
    /// The time at which the core's side is free, in bytes that it could have moved since cycle 0.
    port: u64,
    until: u64,
    read_bytes: u64,
    write_bytes: u64,
    moved: u64,
    transfers: u64,
    active: u64,
    /// The memory clock of the last column command of gathered writes.
    sent: u64,
    trace: Option<Vec<(bool, u64)>>,
    stepwise: bool,
}

impl Dram {
    /// An empty memory behind a core of `core_hz` hertz; its first refresh falls due after one interval.
    ///
    /// # Errors
    /// A parameter of the memory, or the core's clock, is out of range.
    pub fn new(config: &DramConfig, core_hz: f64) -> Result<Self, OutOfRange> {
        config.check()?;
        let clocked = (1e3..=1e12).contains(&core_hz);
        OutOfRange::unless(clocked, "core_hz", core_hz, "a kilohertz to a terahertz")?;
        let cells = match config.kind {
            Kind::Flat => Cells::Flat,
            Kind::Ddr => {
                let channels = (0..config.channels).map(|_| Channel::new(config)).collect();
                Cells::Ddr { map: Map::new(config), channels, steady: Steady::new(config), taken: 0 }
            }
        };
        Ok(Self {
            config: *config,
            core_hz: core_hz.round() as u64,
            burst: config.burst_bytes(),
            timing: Timing::new(config),
            cells,
            port: 0,
            until: 0,
            read_bytes: 0,
            write_bytes: 0,
            moved: 0,
            transfers: 0,
            active: 0,
            sent: 0,
            trace: None,
            stepwise: false,
        })
    }

    /// The parameters of the memory.
    pub fn config(&self) -> &DramConfig {
        &self.config
    }

    /// Records the address of every burst from now on, for [`Dram::write_trace`].
    pub fn record(&mut self) {
        self.trace = Some(Vec::new());
    }

    /// Simulates every burst as a step of its own from now on. Otherwise long sequential runs are shortened, with
    /// identical results.
    pub fn step_by_step(&mut self) {
        self.stepwise = true;
    }

    /// Writes the recorded bursts, in the order of their requests, as a load-store trace of Ramulator2: one line each,
    /// `LD 0x…` or `ST 0x…`.
    pub fn write_trace(&self, out: &mut impl io::Write) -> io::Result<()> {
        let lines = self.trace.iter().flatten();
        lines.copied().try_for_each(|(write, address)| {
            writeln!(out, "{} {address:#x}", if write { "ST" } else { "LD" })
        })
    }

    /// Transfers the pieces in their order. The requests begin at core cycle `now`, or when the controller has accepted
    /// those of the previous transfer. Consecutive pieces that lie in the same burst share it.
    ///
    /// A transfer may begin before the previous one is done, and in either direction. The model keeps the order of the
    /// transfers for their data, as one controller with one stream of requests does, and overlaps their commands.
    /// Gathered writes ([`DramConfig::gather`]) are done when the controller has accepted them; a read of one of them
    /// sends them first.
    pub fn transfer(&mut self, now: u64, write: bool, pieces: impl IntoIterator<Item = Piece>) -> Transfer {
        let (mut asked, mut last) = (0, None);
        let start = self.clocks(now);
        let gathers = self.config.gather > 0;
        let posted = write && gathers;
        let fast = !self.stepwise && self.trace.is_none() && !posted;
        let (mut first_column, mut last_column, mut first_taken, mut taken) = (None, 0, None, start);
        if let Cells::Ddr { channels, taken: before, .. } = &mut self.cells {
            taken = taken.max(*before);
            channels.iter_mut().filter(|_| gathers).for_each(|channel| channel.turn(write));
        }
        for piece in pieces.into_iter().filter(|piece| piece.bytes > 0) {
            asked += u64::from(piece.bytes);
            let Cells::Ddr { map, channels, steady, .. } = &mut self.cells else { continue };
            let burst = u64::from(self.burst);
            let from = piece.address / burst;
            let to = (piece.address + u64::from(piece.bytes) - 1) / burst;
            let mut number = from + u64::from(last == Some(from));
            steady.reset();
            if gathers && !write {
                let bursts = number..=to;
                for channel in channels.iter_mut().filter(|channel| channel.holds(&bursts)) {
                    self.sent = self.sent.max(channel.send());
                }
            }
            while number <= to {
                if fast
                    && steady.boundary(number, to)
                    && let Some(skip) = steady.look(channels, map, taken, number, to)
                {
                    steady.skip(skip, channels, map, number, write);
                    taken += skip.clocks;
                    self.moved += skip.bursts * burst;
                    number += skip.bursts;
                    continue;
                }
                let place = map.place(number);
                let channel = &mut channels[place.channel];
                let slot = loop {
                    match channel.slot() {
                        Some(slot) => break slot,
                        None => {
                            let at = channel.serve(write);
                            first_column = Some(first_column.map_or(at, |first: u64| first.min(at)));
                            last_column = last_column.max(at);
                        }
                    }
                };
                taken = taken.max(slot);
                first_taken.get_or_insert(taken);
                channel.push(number, place, taken);
                self.moved += burst;
                if let Some(trace) = &mut self.trace {
                    trace.push((write, number * burst));
                }
                number += 1;
            }
            last = Some(to);
        }
        if asked == 0 {
            return Transfer { first: now, issued: now, done: now };
        }
        if let Cells::Ddr { channels, taken: before, .. } = &mut self.cells {
            for channel in channels {
                while channel.goes_on() {
                    let at = channel.serve(write);
                    first_column = Some(first_column.map_or(at, |first| first.min(at)));
                    last_column = last_column.max(at);
                }
            }
            *before = taken;
        }
        let transfer = match (self.config.kind, posted) {
            (Kind::Flat, _) => self.pipe(now, write, asked),
            (Kind::Ddr, true) => {
                self.sent = self.sent.max(last_column);
                self.pins(now, None, asked, [first_taken.unwrap_or(taken), taken, taken])
            }
            (Kind::Ddr, false) => {
                let clocks = [first_column.unwrap_or(taken), taken, last_column];
                self.pins(now, Some(write), asked, clocks)
            }
        };
        self.transfers += 1;
        if write {
            self.write_bytes += asked;
        } else {
            self.read_bytes += asked;
        }
        self.active_until(now, transfer.done);
        transfer
    }

    /// Counts the cycles from `from` to `to` that no earlier transfer covers.
    fn active_until(&mut self, from: u64, to: u64) {
        self.active += to.saturating_sub(self.until.max(from));
        self.until = self.until.max(to);
    }

    /// Sends the writes that are still gathered, at the end of a run. Returns the core cycle in which the data of all
    /// gathered writes are over the pins; 0 if there were none.
    pub fn flush(&mut self) -> u64 {
        if let (Cells::Ddr { channels, .. }, 1..) = (&mut self.cells, self.config.gather) {
            self.sent = channels.iter_mut().map(Channel::send).fold(self.sent, u64::max);
        }
        if self.sent == 0 {
            return 0;
        }
        let done = self.cycles(self.sent + self.timing.write + self.timing.burst);
        self.active_until(self.until, done);
        done
    }

    /// The times of a transfer of `bytes` through the core's side alone; adds them to the bytes moved.
    fn pipe(&mut self, now: u64, write: bool, bytes: u64) -> Transfer {
        let width = u64::from(self.config.bytes_per_cycle);
        let latency = if write { 0 } else { u64::from(self.config.latency) };
        let start = self.port.max(now * width);
        self.port = start + bytes;
        self.moved += bytes;
        let done = self.port.div_ceil(width);
        Transfer { first: start / width + latency, issued: done, done: done + latency }
    }

    /// The times of a transfer whose first column command, last accepted request and last column command are at the
    /// memory clocks `clocks`, limited by the core's side for `bytes` bytes. `write` is `None` for gathered writes:
    /// their data leave the core's side with the first and the last request.
    fn pins(&mut self, now: u64, write: Option<bool>, bytes: u64, clocks: [u64; 3]) -> Transfer {
        let t = &self.timing;
        let (access, burst, latency) = match write {
            None => (0, 0, 0),
            Some(true) => (t.write, t.burst, 0),
            Some(false) => (t.read, t.burst, u64::from(self.config.latency)),
        };
        let write = write != Some(false);
        let [first, issued, done] =
            [clocks[0] + access, clocks[1], clocks[2] + access + burst].map(|clock| self.cycles(clock));
        let (first, mut issued, mut done) = (first.max(now), issued.max(now), done.max(now));
        let width = u64::from(self.config.bytes_per_cycle);
        if width > 0 {
            // Writes fill the queue from the core's side; reads are emptied from it to that side. The queue holds as
            // much data as the controller has requests, which limits how far the pins can be ahead of the core.
            let start = if write { now } else { first };
            self.port = self.port.max(start * width) + bytes;
            let on_its_way = if write { 0 } else { self.cycles(access + burst) };
            let ahead = u64::from(self.config.queue * self.config.channels * self.burst) + on_its_way * width;
            issued = issued.max(self.port.saturating_sub(ahead).div_ceil(width));
            done = done.max(self.port.div_ceil(width));
        }
        Transfer { first: first + latency, issued, done: done + latency }
    }

    /// Bytes per core cycle at full speed: of the core's side, or of the pins where those are slower.
    pub fn peak_bytes_per_cycle(&self) -> f64 {
        self.config.peak_bytes_per_cycle(self.core_hz as f64)
    }

    /// The counts so far.
    pub fn stats(&self) -> Stats {
        let mut counts = Counts::default();
        let dynamic_j = match &self.cells {
            Cells::Flat => None,
            Cells::Ddr { channels, .. } => {
                for channel in channels {
                    counts.add(&channel.counts);
                }
                let c = &self.config;
                let pj = counts.activations as f64 * c.activate_pj
                    + counts.read_bursts as f64 * c.read_pj
                    + counts.write_bursts as f64 * c.write_pj
                    + counts.refreshes as f64 * c.refresh_pj;
                Some(pj * 1e-12)
            }
        };
        Stats {
            read_bytes: self.read_bytes,
            write_bytes: self.write_bytes,
            moved_bytes: self.moved,
            transfers: self.transfers,
            active_cycles: self.active,
            counts,
            dynamic_j,
        }
    }

    /// Bytes requested per second of active time; zero before the first transfer.
    pub fn bandwidth(&self) -> f64 {
        match self.active {
            0 => 0.0,
            cycles => (self.read_bytes + self.write_bytes) as f64 * self.core_hz as f64 / cycles as f64,
        }
    }

    /// The first memory clock that is not before a core cycle.
    fn clocks(&self, cycle: u64) -> u64 {
        let (memory, core) = (u128::from(self.config.rate_mts) * 500_000, u128::from(self.core_hz));
        (u128::from(cycle) * memory).div_ceil(core) as u64
    }

    /// The first core cycle that is not before a memory clock.
    fn cycles(&self, clock: u64) -> u64 {
        let (memory, core) = (u128::from(self.config.rate_mts) * 500_000, u128::from(self.core_hz));
        (u128::from(clock) * core).div_ceil(memory) as u64
    }
}

/// The counts of two runs, one after the other.
impl AddAssign for Stats {
    fn add_assign(&mut self, later: Self) {
        self.read_bytes += later.read_bytes;
        self.write_bytes += later.write_bytes;
        self.moved_bytes += later.moved_bytes;
        self.transfers += later.transfers;
        self.active_cycles += later.active_cycles;
        self.counts.add(&later.counts);
        self.dynamic_j = self.dynamic_j.zip(later.dynamic_j).map(|(a, b)| a + b);
    }
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.read_bursts += other.read_bursts;
        self.write_bursts += other.write_bursts;
        self.row_hits += other.row_hits;
        self.row_misses += other.row_misses;
        self.row_conflicts += other.row_conflicts;
        self.activations += other.activations;
        self.refreshes += other.refreshes;
    }
}
