//! A cycle-accurate simulation of the tiles and links of one unit.

use super::Fabric;
use super::deadlock::{Deadlocked, Stall, Wait};
use super::drive::{Drive, Edge, Logic, LogicTimes};
use super::link::{Branch, BranchIn, Buffers, BuffersIn, Port, PortIn};
use super::place::Route;
use crate::mapping::Partition;
use crate::program::Path;
use crate::tile::Act;
use pairwright_sim::Clocked;
use thiserror::Error;

/// An access of a kernel to a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Access {
    /// The cycle, counted from the start of its iteration without stalls.
    pub(crate) cycle: u64,
    pub(crate) link: usize,
    pub(crate) reads: bool,
    pub(crate) act: Act,
    /// Words of 32 bits on a stream, beats of 384 bits on a cascade, or one buffer in memory.
    pub(crate) words: usize,
}

/// The schedule of a kernel as the array model uses it: its length and its accesses to links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Schedule {
    /// Instructions from the start of an iteration to the start of the next.
    pub(crate) ii: u64,
    /// Instructions from the first of an iteration to its last.
    pub(crate) length: u64,
    /// The number of operations of one iteration.
    pub(crate) operations: u64,
    pub(crate) accesses: Vec<Access>,
}

/// The stalls and the end of a tile in a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TileRun {
    /// The stalls of the tile: first cycle, number of cycles, and cause.
    pub(crate) stalls: Vec<(u64, u64, Stall)>,
    /// The cycle after the tile's last instruction.
    pub(crate) end: u64,
}

impl TileRun {
    /// Cycles of stalls on empty links, and on full links.
    pub(crate) fn stalled(&self) -> [u64; 2] {
        let sum = |empty: bool| {
            let spans = self.stalls.iter().filter(|(_, _, why)| matches!(why, Stall::Empty(_)) == empty);
            spans.map(|(_, cycles, _)| cycles).sum()
        };
        [sum(true), sum(false)]
    }

    fn stall(&mut self, cycle: u64, why: Stall) {
        match self.stalls.last_mut() {
            Some((start, cycles, before)) if *start + *cycles == cycle && *before == why => *cycles += 1,
            _ => self.stalls.push((cycle, 1, why)),
        }
    }
}

/// The result of simulating a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) tiles: Vec<TileRun>,
    /// For each task, the cycle in which the last word of its results has reached the programmable logic.
    pub(crate) done: Vec<u64>,
    /// Cycles until every tile has ended and all results have left.
    pub(crate) cycles: u64,
}

/// The result of simulating a unit together with the programmable logic at its own clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DrivenRun {
    /// The unit's run; `done` is the cycle of the engines in which the results of each task are in the logic.
    pub(crate) run: Run,
    /// When tasks entered and left the logic and the engines.
    pub(crate) times: LogicTimes,
}

/// Why a unit cannot be simulated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ArrayError {
    /// The number of schedules is not that of the tiles, or the number of routes not that of the links.
    #[error("{schedules} schedules and {routes} routes for {tiles} tiles and {links} links")]
    Parts {
        /// The number of schedules.
        schedules: usize,
        /// The number of routes.
        routes: usize,
        /// The number of tiles.
        tiles: usize,
        /// The number of links.
        links: usize,
    },
    /// A schedule moves another number of words of a link in each iteration than the link carries.
    #[error("tile {tile} moves {moved} of the {carried} words of link {link}")]
    Words {
        /// The index of the tile.
        tile: usize,
        /// The index of the link.
        link: usize,
        /// Words or beats that the schedule moves in each iteration.
        moved: usize,
        /// Words or beats that the link carries.
        carried: usize,
    },
    /// Tiles wait for one another for ever.
    #[error("from cycle {cycle} on tiles wait for one another with the FIFOs that switches have: {waits}")]
    Deadlock {
        /// The first cycle in which nothing moves.
        cycle: u64,
        /// The tiles that wait for one another.
        waits: Deadlocked,
    },
    /// Two tiles that exchange values through memory have no memory module in common.
    #[error("{from} and {to} exchange values through memory and reach no common one")]
    NoMemory {
        /// The tile that sends.
        from: String,
        /// The tile that receives.
        to: String,
    },
    /// A memory module has fewer locks than it holds buffers.
    #[error(
        "the memory of {tile} holds {needed} buffers between tiles, each of which takes a lock, and has {locks} locks"
    )]
    Locks {
        /// The tile that the memory module belongs to, or its column and row.
        tile: String,
        /// The number of buffers, each of which takes a lock.
        needed: usize,
        /// The locks of a memory module.
        locks: usize,
    },
}

/// A unit of the array, ready to be simulated.
#[derive(Clone, Debug)]
pub(crate) struct ClockedUnit<'a> {
    partition: &'a Partition,
    schedules: &'a [Schedule],
    routes: &'a [Route],
    fabric: Fabric,
}

impl<'a> ClockedUnit<'a> {
    /// Combines tiles with their schedules and links with their routes.
    ///
    /// # Errors
    /// [`ArrayError::Parts`], [`ArrayError::Words`].
    pub(crate) fn new(
        partition: &'a Partition,
        schedules: &'a [Schedule],
        routes: &'a [Route],
        fabric: Fabric,
    ) -> Result<Self, ArrayError> {
        let (tiles, links) = (partition.tiles.len(), partition.links.len());
        if schedules.len() != tiles || routes.len() != links {
            let (schedules, routes) = (schedules.len(), routes.len());
            return Err(ArrayError::Parts { schedules, routes, tiles, links });
        }
        for (link, l) in partition.links.iter().enumerate() {
            let ends = l.from.iter().map(|&tile| (tile, false)).chain(l.to.iter().map(|&tile| (tile, true)));
            for (tile, reads) in ends {
                let accesses = schedules[tile].accesses.iter().filter(|a| a.act != Act::Acquire);
                let moved = accesses.filter(|a| a.link == link && a.reads == reads).map(|a| a.words).sum();
                let carried = l.beats();
                if moved != carried {
                    return Err(ArrayError::Words { tile, link, moved, carried });
                }
            }
        }
        Ok(Self { partition, schedules, routes, fabric })
    }

    /// Simulates the unit for `tasks` tasks. The programmable logic gives operands as fast as the streams take them, and
    /// takes results as they arrive.
    ///
    /// # Errors
    /// [`ArrayError::Deadlock`].
    pub(crate) fn run(&self, tasks: u64) -> Result<Run, ArrayError> {
        self.clocked(tasks, None)
    }

    /// Simulates the unit with the programmable logic at its own clock.
    ///
    /// # Errors
    /// [`ArrayError::Deadlock`]; also if a task's results depend on operands that arrive only after them.
    pub(crate) fn run_driven(&self, tasks: u64, drive: &Drive) -> Result<DrivenRun, ArrayError> {
        let mut logic = Logic::new(drive, tasks);
        let run = self.clocked(tasks, Some(&mut logic))?;
        Ok(DrivenRun { run, times: logic.times })
    }

    fn clocked(&self, tasks: u64, mut logic: Option<&mut Logic<'_>>) -> Result<Run, ArrayError> {
        let mut cores: Vec<TileCore> = self.schedules.iter().map(|s| TileCore::new(s, tasks)).collect();
        let free = if logic.is_some() { 0 } else { tasks };
        let mut wires: Vec<Wire> = (0..self.routes.len()).map(|link| self.wire(link, free)).collect();
        let mut done = vec![0; tasks as usize];
        let mut cycle = 0;
        let mut still = 0;
        // If nothing has moved for longer than any word is in transit, there is a deadlock.
        let patience = 2
            + wires.iter().map(|w| w.longest).max().unwrap_or(0) as u64
            + logic.as_ref().map_or(0, |logic| logic.patience());
        loop {
            let mut moved = false;
            for (tile, core) in cores.iter_mut().enumerate() {
                moved |= core.step(cycle, tile, &self.partition.links, &mut wires);
            }
            for wire in &mut wires {
                if let Some(logic) = &mut logic {
                    wire.meet(cycle, logic);
                }
                moved |= wire.tick(cycle + 1, &mut done);
            }
            if let Some(logic) = &mut logic {
                let edges = wires.iter_mut().filter(|w| w.operands || w.drains);
                let edges = edges.map(|w| (&mut w.edge, w.each, w.operands));
                moved |= logic.tick(cycle, edges, &mut done) || logic.waits(cycle);
            }
            cycle += 1;
            let over = logic.as_ref().is_none_or(|logic| logic.over());
            if over && cores.iter().all(TileCore::ended) && wires.iter().all(|w| w.left == 0) {
                break;
            }
            still = if moved { 0 } else { still + 1 };
            if still > patience {
                let waits = self.waits(&cores, &wires);
                return Err(ArrayError::Deadlock { cycle: cycle - still, waits });
            }
        }
        let tiles = cores.into_iter().map(|core| core.run).collect();
        Ok(Run { tiles, done, cycles: cycle })
    }

    /// The tiles that wait when nothing moves, and what each waits for.
    fn waits(&self, cores: &[TileCore], wires: &[Wire]) -> Deadlocked {
        let links = &self.partition.links;
        let mut all = Vec::new();
        for (tile, core) in cores.iter().enumerate().filter(|(_, core)| !core.ended()) {
            let Some(&(_, _, why)) = core.run.stalls.last() else { continue };
            let link = match why {
                Stall::Empty(link) | Stall::Full(link) => link,
            };
            // A word may fail to reach its reader because another receiver of the same stream has no room.
            let blocked_receiver = wires[link].blocked();
            let on = match (why, blocked_receiver) {
                (_, Some(receiver)) => links[link].to.get(receiver).copied(),
                (Stall::Empty(_), None) => links[link].from,
                (Stall::Full(_), None) => links[link].to.first().copied(),
            };
            all.push(Wait { tile, on, why, blocked_receiver });
        }
        let operands =
            (0..wires.len()).any(|link| links[link].from.is_none() && wires[link].blocked().is_some());
        Deadlocked::new(self.partition, &all, operands)
    }

    fn wire(&self, link: usize, tasks: u64) -> Wire {
        let (l, route, fabric) = (&self.partition.links[link], &self.routes[link], &self.fabric);
        let (depth, branches) = match l.path {
            // The words that the switches, the FIFOs and the receiving port hold.
            Path::Stream => {
                let branch = |(&switches, &fifo): (&usize, &usize)| {
                    let words = switches * fabric.switch_words + fifo + fabric.port_words;
                    Branch::new(switches * fabric.switch, words)
                };
                (fabric.port_words, route.switches.iter().zip(&route.fifo).map(branch).collect())
            }
            Path::Cascade => {
                (fabric.cascade_beats, vec![Branch::new(fabric.cascade_latency, fabric.cascade_beats)])
            }
            Path::Memory => (0, vec![]),
        };
        let branches: Vec<Branch> = branches;
        let (receivers, each) = (branches.len(), l.beats());
        let all = each as u64 * tasks;
        Wire {
            port: Port::new(depth, route.spacing),
            buffers: Buffers::new(fabric.buffers, fabric.lock_cycles),
            locks: BuffersIn::default(),
            given: 0,
            taken: vec![0; receivers],
            longest: route.spacing
                + 1
                + fabric.switch * route.switches.iter().max().unwrap_or(&0)
                + fabric.cascade_latency
                + fabric.lock_cycles,
            branches,
            source: if l.from.is_none() { all } else { 0 },
            operands: l.from.is_none(),
            drains: l.to.is_empty(),
            edge: Edge::default(),
            each: each as u64,
            left: if l.to.is_empty() { all } else { 0 },
        }
    }
}

/// A link of the unit, with the transfers decided for the current cycle.
struct Wire {
    port: Port,
    branches: Vec<Branch>,
    /// The buffers, used instead of port and branches by a link through memory, and the accesses to its locks in the
    /// current cycle.
    buffers: Buffers,
    locks: BuffersIn,
    /// Words given and taken in the current cycle.
    given: usize,
    taken: Vec<usize>,
    /// Words that the programmable logic has still to give.
    source: u64,
    /// Whether the link carries operands from the programmable logic.
    operands: bool,
    /// Whether the link carries results to the programmable logic.
    drains: bool,
    /// The FIFO to the logic's clock, used if the logic is simulated as well.
    edge: Edge,
    /// The number of words of a task.
    each: u64,
    /// Words that the programmable logic has still to take.
    left: u64,
    /// A bound on the cycles for which a word is in transit.
    longest: usize,
}

impl Wire {
    /// The receiver whose branch has no room for the next word, if a word is ready.
    fn blocked(&self) -> Option<usize> {
        let full = || self.branches.iter().position(|branch| !branch.out().room);
        self.port.out().ready.then(full).flatten()
    }

    /// Moves words to or from the logic's clock domain in a cycle.
    fn meet(&mut self, cycle: u64, logic: &mut Logic<'_>) {
        if self.operands {
            logic.taken(&mut self.edge, self.each, self.taken[0], cycle);
            self.given = logic.gives(&mut self.edge, cycle, self.port.out().room > 0).into();
        } else if self.drains {
            logic.given(&mut self.edge, self.each, self.given, cycle);
            self.taken[0] = logic.takes(&mut self.edge, cycle, self.branches[0].out().arrived > 0).into();
        }
    }

    /// Advances the link to cycle `next`; returns whether a word entered, moved or left.
    fn tick(&mut self, next: u64, done: &mut [u64]) -> bool {
        let port = self.port.out();
        if self.source > 0 && port.room > 0 {
            self.given = 1;
            self.source -= 1;
        }
        let leaves = port.ready && self.branches.iter().all(|branch| branch.out().room);
        if self.drains && self.left > 0 {
            self.taken[0] = self.branches[0].out().arrived.min(1);
            if self.taken[0] > 0 {
                self.left -= 1;
                let word = done.len() as u64 * self.each - self.left - 1;
                let task = &mut done[(word / self.each) as usize];
                *task = (*task).max(next);
            }
        }
        let locks = core::mem::take(&mut self.locks);
        self.buffers.tick(locks);
        let words = self.given > 0 || leaves || self.taken.iter().any(|&t| t > 0);
        let moved = words || locks != BuffersIn::default();
        self.port.tick(PortIn { given: core::mem::take(&mut self.given), leaves });
        for (branch, taken) in self.branches.iter_mut().zip(&mut self.taken) {
            branch.tick(BranchIn { enters: leaves, taken: core::mem::take(taken) });
        }
        moved
    }
}

/// A tile that executes its schedule.
struct TileCore {
    /// All accesses in the order of their instructions, the last one first.
    accesses: Vec<Access>,
    /// The number of instructions issued so far, and that of all.
    at: u64,
    instructions: u64,
    run: TileRun,
}

impl TileCore {
    fn new(schedule: &Schedule, tasks: u64) -> Self {
        // One pass of the loop makes the accesses of all tasks in flight, each in another stage.
        let ii = schedule.ii.max(1);
        let of_stage = |a: &Access| (Access { cycle: a.cycle % ii, ..*a }, a.cycle / ii);
        let mut kernel: Vec<(Access, u64)> = schedule.accesses.iter().map(of_stage).collect();
        kernel.sort_unstable();
        let stages = kernel.iter().map(|&(_, stage)| stage + 1).max().unwrap_or(0);
        let in_pass = |pass: u64| {
            let runs = move |stage: u64| pass.checked_sub(stage).is_some_and(|task| task < tasks);
            let running = kernel.iter().rev().filter(move |(_, stage)| runs(*stage));
            running.map(move |(a, _)| Access { cycle: pass * ii + a.cycle, ..*a })
        };
        let accesses = (0..tasks + stages).rev().flat_map(in_pass).collect();
        let instructions = if tasks == 0 { 0 } else { (tasks - 1) * schedule.ii + schedule.length };
        Self { accesses, at: 0, instructions, run: TileRun::default() }
    }

    fn ended(&self) -> bool {
        self.at == self.instructions
    }

    /// Issues the next instruction if all its accesses are possible; otherwise notes a stall.
    fn step(&mut self, cycle: u64, tile: usize, links: &[crate::mapping::Link], wires: &mut [Wire]) -> bool {
        if self.ended() {
            return false;
        }
        let now = self.accesses.iter().rev().take_while(|a| a.cycle == self.at).count();
        let first = self.accesses.len() - now;
        let branch = |link: usize| links[link].to.iter().position(|&to| to == tile).unwrap_or(0);
        for (n, access) in self.accesses[first..].iter().enumerate() {
            let before = self.accesses[first..][..n]
                .iter()
                .filter(|a| (a.link, a.reads) == (access.link, access.reads));
            let words = access.words + before.map(|a| a.words).sum::<usize>();
            let wire = &wires[access.link];
            let (full, empty) = (Stall::Full(access.link), Stall::Empty(access.link));
            let why = if access.act != Act::Move {
                let free = wire.buffers.out()[usize::from(access.reads)];
                let waits = access.act == Act::Acquire && free == 0;
                waits.then_some(if access.reads { empty } else { full })
            } else if access.reads {
                let arrived = wire.branches[branch(access.link)].out().arrived;
                (arrived < words).then_some(empty)
            } else {
                (wire.port.out().room < words).then_some(full)
            };
            if let Some(why) = why {
                self.run.stall(cycle, why);
                return false;
            }
        }
        for access in self.accesses.drain(first..) {
            let wire = &mut wires[access.link];
            let side = usize::from(access.reads);
            match access.act {
                Act::Acquire => wire.locks.acquired[side] = true,
                Act::Release => wire.locks.released[side] = true,
                Act::Move if access.reads => wire.taken[branch(access.link)] += access.words,
                Act::Move => wire.given += access.words,
            }
        }
        self.at += 1;
        if self.ended() {
            self.run.end = cycle + 1;
        }
        true
    }
}
