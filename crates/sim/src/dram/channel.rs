//! One channel: the states of its banks, and the request queue of its controller.
//!
//! Time is in memory clocks. Each command goes out at the earliest clock that every constraint allows; of the candidate
//! commands, the earliest is taken. The command bus is not modelled as a constraint: the commands of a burst
//! occupy it for two to five clocks, its data occupy the data pins for four to eight.

use super::config::{DramConfig, Page, Scheduler};
use super::map::BurstPlace;
use core::mem::swap;
use core::ops::RangeInclusive;
use serde::Serialize;
use std::collections::VecDeque;

/// Command counts of a memory, summed over all channels.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counts {
    /// The number of read bursts.
    pub read_bursts: u64,
    /// The number of write bursts.
    pub write_bursts: u64,
    /// Bursts whose row was open.
    pub row_hits: u64,
    /// Bursts whose bank was closed.
    pub row_misses: u64,
    /// Bursts whose bank had another row open.
    pub row_conflicts: u64,
    /// Rows opened. More than misses and conflicts when a refresh closes a row that was opened ahead.
    pub activations: u64,
    /// Refreshes of a rank.
    pub refreshes: u64,
}

/// The constraints between commands, in clocks of the memory.
#[derive(Clone, Debug)]
pub(super) struct Timing {
    pub(super) read: u64,
    pub(super) write: u64,
    pub(super) burst: u64,
    ccd_s: u64,
    ccd_l: u64,
    ccd_l_wr: u64,
    read_to_write: u64,
    write_to_read_s: u64,
    write_to_read_l: u64,
    rank_gap: u64,
    rcd: u64,
    rp: u64,
    ras: u64,
    rc: u64,
    rrd_s: u64,
    rrd_l: u64,
    faw: u64,
    write_recovery: u64,
    rtp: u64,
    refi: u64,
    rfc: u64,
    in_order: bool,
    closed: bool,
    patience: u32,
}

impl Timing {
    pub(super) fn new(c: &DramConfig) -> Self {
        // A tolerance of a thousandth of a clock covers the rounding of printed values.
        let clocks = |ns: f64| (ns * f64::from(c.rate_mts) / 2000.0 - 1e-3).ceil().max(0.0) as u64;
        let (read, write) = (u64::from(c.cl_ck), u64::from(c.cwl_ck));
        let burst = u64::from(c.burst / 2);
        let ccd_s = burst.max(c.tccd_s_ck.into());
        let written = write + burst;
        Self {
            read,
            write,
            burst,
            ccd_s,
            ccd_l: ccd_s.max(clocks(c.tccd_l_ns)),
            ccd_l_wr: ccd_s.max(clocks(c.tccd_l_wr_ns)),
            read_to_write: ccd_s.max((read + burst + u64::from(c.turn_ck)).saturating_sub(write)),
            write_to_read_s: written + clocks(c.twtr_s_ns),
            write_to_read_l: written + clocks(c.twtr_l_ns),
            rank_gap: burst + u64::from(c.rank_gap_ck),
            rcd: clocks(c.trcd_ns),
            rp: clocks(c.trp_ns),
            ras: clocks(c.tras_ns),
            rc: clocks(c.trc_ns),
            rrd_s: clocks(c.trrd_s_ns),
            rrd_l: clocks(c.trrd_l_ns),
            faw: clocks(c.tfaw_ns),
            write_recovery: written + clocks(c.twr_ns),
            rtp: clocks(c.trtp_ns),
            refi: clocks(c.trefi_ns),
            rfc: clocks(c.trfc_ns),
            in_order: c.scheduler == Scheduler::InOrder,
            closed: c.page == Page::Closed,
            patience: 4 * c.queue,
        }
    }
}

/// The value of `row` when no row is open.
const NONE: u64 = u64::MAX;

/// A bank: its open row, and the earliest clock of each kind of command.
#[derive(Clone, Debug)]
struct Bank {
    row: u64,
    activate: u64,
    precharge: u64,
    column: u64,
    /// Requests in the queue that need the open row.
    wanted: u32,
}

/// A bank group: the earliest clock of each kind of command.
#[derive(Clone, Debug, Default)]
struct Group {
    activate: u64,
    read: u64,
    write: u64,
}

/// A rank: the earliest activate, the ends of the tFAW windows of the last four activates, and when the next refresh
/// falls due.
#[derive(Clone, Debug)]
struct Rank {
    activate: u64,
    windows: [u64; 4],
    oldest: usize,
    refresh: u64,
}

/// The state of the row buffer when the request was first served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RowState {
    Hit,
    Closed,
    Other,
}

#[derive(Clone, Debug)]
struct Request {
    number: u64,
    place: BurstPlace,
    arrival: u64,
    ready: bool,
    found: RowState,
}

/// A candidate command: its clock and the index of its request in the queue.
type Choice = Option<(u64, usize)>;

/// A queue of requests.
#[derive(Clone, Debug)]
struct Queue {
    requests: VecDeque<Request>,
    /// The clocks at which the free slots became free, the earliest first.
    slots: VecDeque<u64>,
}

impl Queue {
    fn new(slots: u32) -> Self {
        Self { requests: VecDeque::with_capacity(slots as usize), slots: vec![0; slots as usize].into() }
    }
}

/// A channel and its controller.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    timing: Timing,
    banks: Vec<Bank>,
    groups: Vec<Group>,
    ranks: Vec<Rank>,
    read: u64,
    write: u64,
    last_rank: u8,
    other_rank: u64,
    queue: Queue,
    /// The queue that is not being served (of reads or of gathered writes), if the controller gathers writes.
    other: Queue,
    /// Whether `queue` is that of gathered writes.
    gathers: bool,
    /// Whether gathered writes are being sent.
    sends: bool,
    unready: u32,
    passed: u32,
    pub(super) counts: Counts,
}

impl Channel {
    pub(super) fn new(config: &DramConfig) -> Self {
        let timing = Timing::new(config);
        let banks = config.ranks * config.bank_groups * config.banks;
        let bank = Bank { row: NONE, activate: 0, precharge: 0, column: 0, wanted: 0 };
        // Ranks refresh in turn.
        let rank = |r: u64| Rank {
            activate: 0,
            windows: [0; 4],
            oldest: 0,
            refresh: match timing.refi {
                0 => u64::MAX,
                refi => refi * (r + 1) / u64::from(config.ranks),
            },
        };
        Self {
            banks: vec![bank; banks as usize],
            groups: vec![Group::default(); (config.ranks * config.bank_groups) as usize],
            ranks: (0..u64::from(config.ranks)).map(rank).collect(),
            read: 0,
            write: 0,
            last_rank: 0,
            other_rank: 0,
            queue: Queue::new(config.queue),
            other: Queue::new(config.gather),
            gathers: false,
            sends: false,
            unready: 0,
            passed: 0,
            counts: Counts::default(),
            timing,
        }
    }

    /// The clock at which the earliest free slot of the queue became free; `None` while the queue is full.
    pub(super) fn slot(&self) -> Option<u64> {
        self.queue.slots.front().copied()
    }

    /// Switches to the queue of reads or to that of gathered writes. The requests of the other queue wait.
    pub(super) fn turn(&mut self, write: bool) {
        if self.gathers == write {
            return;
        }
        self.gathers = write;
        (self.sends, self.passed, self.unready) = (false, 0, 0);
        swap(&mut self.queue, &mut self.other);
        self.banks.iter_mut().for_each(|bank| bank.wanted = 0);
        for request in &mut self.queue.requests {
            let bank = &mut self.banks[request.place.bank as usize];
            request.ready = bank.row == request.place.row;
            bank.wanted += u32::from(request.ready);
            self.unready += u32::from(!request.ready);
        }
    }

    /// Sends all gathered writes, then switches to reads. Returns the clock of the last column command, 0 if there were
    /// none.
    pub(super) fn send(&mut self) -> u64 {
        self.turn(true);
        let mut last = 0;
        while !self.is_empty() {
            last = self.serve(true);
        }
        self.turn(false);
        last
    }

    /// Whether a gathered write waits for one of these bursts, while reads are served.
    pub(super) fn holds(&self, bursts: &RangeInclusive<u64>) -> bool {
        self.other.requests.iter().any(|request| bursts.contains(&request.number))
    }

    /// Whether requests are to be sent before the next transfer: all are, except gathered writes that do not fill their
    /// queue.
    pub(super) fn goes_on(&self) -> bool {
        let full = self.queue.slots.is_empty();
        !self.queue.requests.is_empty() && (!self.gathers || self.sends || full)
    }

    /// Enters the request of burst `number` with arrival at `arrival`, which is not before its slot is free.
    pub(super) fn push(&mut self, number: u64, place: BurstPlace, arrival: u64) {
        self.queue.slots.pop_front();
        let bank = &mut self.banks[place.bank as usize];
        let ready = bank.row == place.row;
        bank.wanted += u32::from(ready);
        self.unready += u32::from(!ready);
        self.queue.requests.push_back(Request { number, place, arrival, ready, found: RowState::Hit });
    }

    /// Whether the queue is full of row hits that are served in order.
    pub(super) fn is_steady(&self) -> bool {
        let hit = |request: &Request| request.found == RowState::Hit;
        let Queue { requests, slots } = &self.queue;
        slots.is_empty() && self.unready == 0 && self.passed == 0 && requests.iter().all(hit)
    }

    /// Appends the times that bursts advance, other than those of banks and groups.
    pub(super) fn phase(&self, out: &mut Vec<u64>) {
        out.extend([self.read, self.write, self.other_rank]);
        out.extend(self.queue.requests.iter().map(|request| request.arrival));
    }

    /// Appends the times that bursts advance in the bank and the group of a burst.
    pub(super) fn phase_of(&self, place: BurstPlace, out: &mut Vec<u64>) {
        let group = &self.groups[place.group as usize];
        out.extend([self.banks[place.bank as usize].precharge, group.read, group.write]);
    }

    /// Clocks by which the last column command can advance before a refresh falls due; 0 if one is due.
    pub(super) fn until_refresh(&self) -> u64 {
        // The earliest refresh of all ranks counts; the column command is at most `ccd_s` before the next possible one.
        let due = self.ranks.iter().map(|rank| rank.refresh).min().unwrap_or(0);
        due.saturating_sub(self.read.min(self.write) + 1)
    }

    /// Advances the times of [`Channel::phase`] by `by` clocks, for `bursts` bursts that are row hits.
    pub(super) fn skip(&mut self, by: u64, bursts: u64, write: bool) {
        self.read += by;
        self.write += by;
        self.other_rank += by;
        self.queue.requests.iter_mut().for_each(|request| request.arrival += by);
        *(if write { &mut self.counts.write_bursts } else { &mut self.counts.read_bursts }) += bursts;
        self.counts.row_hits += bursts;
    }

    /// Advances the times of the bank and the group of a burst.
    pub(super) fn skip_of(&mut self, place: BurstPlace, by: u64) {
        let group = &mut self.groups[place.group as usize];
        group.read += by;
        group.write += by;
        self.banks[place.bank as usize].precharge += by;
    }

    fn is_empty(&self) -> bool {
        self.queue.requests.is_empty()
    }

    /// Sends commands until one burst is issued and returns the clock of its column command. The queue must not be
    /// empty.
    pub(super) fn serve(&mut self, write: bool) -> u64 {
        if self.gathers && !self.sends {
            // No gathered write goes out before the last one has arrived.
            self.sends = true;
            let last = self.queue.requests.back().map_or(0, |request| request.arrival);
            self.queue.requests.iter_mut().for_each(|request| request.arrival = last);
        }
        loop {
            let (column, activate) = self.candidates(write);
            let (at, index, opens) = match (column, activate) {
                (Some((c, _)), Some((a, i))) if a < c => (a, i, true),
                (Some((c, i)), _) => (c, i, false),
                (None, Some((a, i))) => (a, i, true),
                (None, None) => unreachable!("the oldest request can always go on"),
            };
            let rank = self.queue.requests[index].place.rank;
            if at >= self.ranks[rank as usize].refresh {
                self.refresh(rank, at);
            } else if opens {
                self.activate(index, at);
            } else {
                self.burst(index, at, write);
                return at;
            }
        }
    }

    /// The earliest column command and the earliest activate, each with the index of its request.
    fn candidates(&self, write: bool) -> (Choice, Choice) {
        let floor = if write { self.write } else { self.read };
        let impatient = self.passed >= self.timing.patience;
        let strict = self.timing.in_order || impatient;
        // A lower bound of the clock of any activate.
        let bound = self.ranks.iter().map(|rank| rank.activate.max(rank.windows[rank.oldest])).min();
        let bound = bound.unwrap_or(0);
        let (mut column, mut activate): (Choice, Choice) = (None, None);
        let mut seen = 0u128;
        for (i, request) in self.queue.requests.iter().enumerate() {
            let bit = 1 << request.place.bank;
            if request.ready {
                if i == 0 || !strict {
                    let at = self.column_time(request, floor, write);
                    if column.is_none_or(|(best, _)| at < best) {
                        column = Some((at, i));
                    }
                }
            } else if seen & bit == 0 {
                // A row that later requests still need stays open, unless the order of service puts them after this
                // request.
                let kept = self.banks[request.place.bank as usize].wanted > 0;
                if !kept || self.timing.in_order || (impatient && i == 0) {
                    let at = self.activate_time(request);
                    if activate.is_none_or(|(best, _)| at < best) {
                        activate = Some((at, i));
                    }
                }
            }
            // Stop early if no later request can give an earlier command.
            let opened = activate.is_some_and(|(best, _)| best == bound);
            let decided = match column {
                Some((best, _)) if strict || best == floor => self.unready == 0 || opened || best <= bound,
                _ => false,
            };
            if decided || (opened && bound < floor) {
                break;
            }
            seen |= bit;
        }
        (column, activate)
    }

    fn column_time(&self, request: &Request, floor: u64, write: bool) -> u64 {
        let group = &self.groups[request.place.group as usize];
        let own = if write { group.write } else { group.read };
        let bank = self.banks[request.place.bank as usize].column;
        let gap = if request.place.rank == self.last_rank { 0 } else { self.other_rank };
        floor.max(own).max(bank).max(gap).max(request.arrival)
    }

    fn activate_time(&self, request: &Request) -> u64 {
        let bank = &self.banks[request.place.bank as usize];
        let rank = &self.ranks[request.place.rank as usize];
        let group = &self.groups[request.place.group as usize];
        let closed = match bank.row {
            NONE => request.arrival,
            _ => bank.precharge.max(request.arrival) + self.timing.rp,
        };
        closed.max(bank.activate).max(rank.activate).max(group.activate).max(rank.windows[rank.oldest])
    }

    /// Opens the row of a request, after closing the row that was open.
    fn activate(&mut self, index: usize, at: u64) {
        let t = &self.timing;
        let BurstPlace { bank: number, group, rank, row, .. } = self.queue.requests[index].place;
        let bank = &mut self.banks[number as usize];
        let found = if bank.row == NONE { RowState::Closed } else { RowState::Other };
        (bank.row, bank.wanted) = (row, 0);
        (bank.activate, bank.precharge, bank.column) = (at + t.rc, at + t.ras, at + t.rcd);
        self.groups[group as usize].activate = at + t.rrd_l;
        let rank = &mut self.ranks[rank as usize];
        rank.activate = at + t.rrd_s;
        rank.windows[rank.oldest] = at + t.faw;
        rank.oldest = (rank.oldest + 1) % 4;
        self.counts.activations += 1;
        for (i, request) in self.queue.requests.iter_mut().enumerate() {
            if request.place.bank == number {
                let ready = request.place.row == row;
                self.unready = self.unready + u32::from(request.ready) - u32::from(ready);
                bank.wanted += u32::from(ready);
                request.ready = ready;
                // The first classification counts: a refresh may have closed the row again.
                if i == index && request.found == RowState::Hit {
                    request.found = found;
                }
            }
        }
    }

    /// Sends the column command of a request and removes it from the queue.
    fn burst(&mut self, index: usize, at: u64, write: bool) {
        let t = &self.timing;
        let Some(request) = self.queue.requests.remove(index) else { return };
        let BurstPlace { bank, group, rank, .. } = request.place;
        self.queue.slots.push_back(at);
        self.sends &= !self.queue.requests.is_empty();
        self.passed = if index == 0 { 0 } else { self.passed + 1 };
        let bank = &mut self.banks[bank as usize];
        let group = &mut self.groups[group as usize];
        bank.wanted -= 1;
        let closes = if write {
            (self.write, self.read) = (at + t.ccd_s, at + t.write_to_read_s);
            (group.write, group.read) = (at + t.ccd_l_wr, at + t.write_to_read_l);
            self.counts.write_bursts += 1;
            at + t.write_recovery
        } else {
            (self.read, self.write) = (at + t.ccd_s, at + t.read_to_write);
            (group.read, group.write) = (at + t.ccd_l, at + t.read_to_write);
            self.counts.read_bursts += 1;
            at + t.rtp
        };
        bank.precharge = bank.precharge.max(closes);
        if t.closed && bank.wanted == 0 {
            bank.row = NONE;
            bank.activate = bank.activate.max(bank.precharge + t.rp);
        }
        (self.last_rank, self.other_rank) = (rank, at + t.rank_gap);
        match request.found {
            RowState::Hit => self.counts.row_hits += 1,
            RowState::Closed => self.counts.row_misses += 1,
            RowState::Other => self.counts.row_conflicts += 1,
        }
    }

    /// Closes the rows of a rank and refreshes it, before a command that would otherwise go out at `next`. Refreshes
    /// that fell due while there were no requests are taken as already done.
    fn refresh(&mut self, number: u8, next: u64) {
        let t = &self.timing;
        let rank = &mut self.ranks[number as usize];
        let idle = (next - rank.refresh) / t.refi;
        let due = rank.refresh + idle * t.refi;
        rank.refresh = due + t.refi;
        self.counts.refreshes += idle + 1;
        let each = self.banks.len() / self.ranks.len();
        let banks = &mut self.banks[number as usize * each..][..each];
        let start = banks.iter().fold(due, |start, bank| match bank.row {
            NONE => start.max(bank.activate),
            _ => start.max(bank.precharge.max(due) + t.rp),
        });
        for bank in banks {
            (bank.row, bank.wanted, bank.activate) = (NONE, 0, start + t.rfc);
        }
        for request in &mut self.queue.requests {
            if request.place.rank == number {
                self.unready += u32::from(request.ready);
                request.ready = false;
            }
        }
    }
}
