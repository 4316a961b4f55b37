//! A launch: runs clusters one after the other and the warps of a cluster in turns between barriers, and passes their
//! memory accesses to the detectors.

use crate::access::{Access, Space};
use crate::counters::{Counters, bank_turns, sectors};
use crate::fault::{Fault, FaultKind};
use crate::lanes::{Mask, WARP, threads_of};
use crate::memory::Memory;
use crate::program::{Instruction, Kernel};
use crate::region::{AccessPoint, Region};
use crate::table::{Class, Operation};
use crate::warp::{Event, Grid, RANK_BITS, SHARED_WINDOW, Warp};

/// Greatest number of instructions of a warp in a block, beyond which a kernel counts as endless.
const LIMIT: u64 = 1 << 24;

/// The shape and the arguments of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Number of blocks in each dimension.
    pub grid: [u32; 3],
    /// Number of threads per block in each dimension.
    pub block: [u32; 3],
    /// Dynamic shared memory per block in bytes, in addition to what the text declares.
    pub shared: usize,
    /// The bytes of the arguments, each at the offset of its parameter.
    pub arguments: Vec<u8>,
}

/// Runs a kernel on device memory.
///
/// # Errors
/// The first [`Fault`] that a detector finds; the kernel is then stopped, and memory keeps what it has written.
pub fn launch(kernel: &Kernel, launch: &Launch, memory: &mut Memory) -> Result<Counters, Fault> {
    let cluster = kernel.cluster.unwrap_or(1);
    let grid = Grid { blocks: launch.grid, threads: launch.block, cluster };
    let fail = |kind| Fault { kernel: kernel.name.clone(), line: 0, block: 0, thread: 0, kind };
    let wrong = |what, given, wanted| Err(fail(FaultKind::Launch { what, given, wanted }));
    let threads = grid.block_threads();
    if threads == 0 || threads > 1024 {
        return wrong("number of threads of a block", threads, 1024);
    }
    if let Some(most) = kernel.max_threads.filter(|most| threads > *most) {
        return wrong("number of threads of a block", threads, most);
    }
    if !grid.blocks[0].is_multiple_of(cluster) || grid.all_blocks() == 0 {
        return wrong("number of blocks", grid.all_blocks(), u64::from(cluster));
    }
    let given = launch.arguments.len();
    if given != kernel.argument_bytes() {
        return wrong("length of arguments", given as u64, kernel.argument_bytes() as u64);
    }
    let number = memory.next_launch();
    let shared = kernel.shared + launch.shared;
    let warps = (threads as usize).div_ceil(WARP);
    let mut running = Running {
        kernel,
        grid,
        arguments: &launch.arguments,
        memory,
        counters: Counters::default(),
        number,
        warps: (0..warps * cluster as usize).map(|_| Warp::new(kernel)).collect(),
        blocks: (0..cluster).map(|_| Block::new(shared)).collect(),
        cluster_epoch: 0,
        first: 0,
    };
    for first in (0..grid.all_blocks()).step_by(cluster as usize) {
        running.cluster(first as u32)?;
    }
    Ok(running.counters)
}

/// The state of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    AtBarrier,
    /// Between the arrive and the wait of a cluster barrier.
    Arrived,
    AtClusterWait,
    Ended,
}

/// A block of the running cluster.
struct Block {
    shared: Region,
    /// Number of barriers that the block has passed.
    epoch: u32,
    /// Number of cluster barriers that had been passed at the last access by another block.
    visited: Option<u32>,
    ended: bool,
    states: Vec<State>,
}

impl Block {
    fn new(shared: usize) -> Self {
        Self { shared: Region::new(shared), epoch: 0, visited: None, ended: false, states: Vec::new() }
    }
}

/// The state of a running launch.
struct Running<'a> {
    kernel: &'a Kernel,
    grid: Grid,
    arguments: &'a [u8],
    memory: &'a mut Memory,
    counters: Counters,
    number: u32,
    /// The warps of all blocks of the cluster, block after block.
    warps: Vec<Warp>,
    blocks: Vec<Block>,
    cluster_epoch: u32,
    /// Number of the cluster's first block in the grid.
    first: u32,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Add,
}

/// The state space and the address of one thread's access.
#[derive(Clone, Copy)]
enum Address {
    Argument(u64),
    Global(u64),
    Shared { rank: u32, at: u64 },
}

impl Running<'_> {
    /// Runs one cluster to its end.
    fn cluster(&mut self, first: u32) -> Result<(), Fault> {
        self.first = first;
        self.cluster_epoch = 0;
        let warps = self.warps.len() / self.blocks.len();
        for (rank, block) in self.blocks.iter_mut().enumerate() {
            block.shared.forget();
            (block.epoch, block.visited, block.ended) = (0, None, false);
            block.states = vec![State::Running; warps];
            for number in 0..warps {
                let warp = &mut self.warps[rank * warps + number];
                warp.start(self.kernel, &self.grid, first + rank as u32, number as u32);
            }
        }
        loop {
            for rank in 0..self.blocks.len() {
                for number in 0..warps {
                    if matches!(self.blocks[rank].states[number], State::Running | State::Arrived) {
                        self.run(rank, number)?;
                    }
                }
                self.end(rank)?;
            }
            if self.blocks.iter().all(|block| block.ended) {
                break;
            }
            self.release()?;
        }
        for warp in &self.warps {
            self.counters.instructions += warp.instructions;
            self.counters.thread_instructions += warp.thread_instructions;
            self.counters.longest_warp = self.counters.longest_warp.max(warp.instructions);
        }
        Ok(())
    }

    fn fault(&self, rank: usize, number: usize, lane: usize, kind: FaultKind) -> Fault {
        let warp = &self.warps[rank * self.blocks[rank].states.len() + number];
        // A fault at a barrier is reported after the warp has stepped over it.
        let line = self.kernel.body.get(warp.place()).or(self.kernel.body.last());
        Fault {
            kernel: self.kernel.name.clone(),
            line: line.map_or(0, |instruction| instruction.line),
            block: self.first + rank as u32,
            thread: warp.first + lane as u32,
            kind,
        }
    }

    /// Runs a warp until it waits or has ended.
    fn run(&mut self, rank: usize, number: usize) -> Result<(), Fault> {
        let index = rank * self.blocks[rank].states.len() + number;
        loop {
            let event = self.warps[index].run(self.kernel, LIMIT);
            let event = event.map_err(|kind| self.fault(rank, number, 0, kind))?;
            let state = self.blocks[rank].states[number];
            let arrived = state == State::Arrived;
            let next = match event {
                Event::Access(mask) => {
                    let instruction = &self.kernel.body[self.warps[index].place()];
                    if arrived && !is_argument(instruction) {
                        return Err(self.fault(rank, number, 0, FaultKind::BetweenHalves));
                    }
                    self.access(rank, index, instruction, mask)
                        .map_err(|(lane, kind)| self.fault(rank, number, lane, kind))?;
                    self.warps[index].step_over();
                    continue;
                }
                Event::Arrived if !arrived => State::Arrived,
                Event::ClusterWait if arrived => State::AtClusterWait,
                Event::Barrier if !arrived => State::AtBarrier,
                Event::Ended if !arrived => State::Ended,
                _ => return Err(self.fault(rank, number, 0, FaultKind::BetweenHalves)),
            };
            self.blocks[rank].states[number] = next;
            if next != State::Arrived {
                return Ok(());
            }
        }
    }

    /// Marks a block as ended when all its warps have ended.
    fn end(&mut self, rank: usize) -> Result<(), Fault> {
        let block = &mut self.blocks[rank];
        if block.ended || block.states.iter().any(|state| *state != State::Ended) {
            return Ok(());
        }
        block.ended = true;
        if block.visited.is_some_and(|epoch| epoch >= self.cluster_epoch) {
            return Err(self.fault(rank, 0, 0, FaultKind::Ended { rank: rank as u32 }));
        }
        Ok(())
    }

    /// Releases the warps that wait at a barrier which all of its group have reached.
    fn release(&mut self) -> Result<(), Fault> {
        let mut released = false;
        for rank in 0..self.blocks.len() {
            let block = &mut self.blocks[rank];
            if block.states.iter().all(|state| *state == State::AtBarrier) {
                block.states.fill(State::Running);
                block.epoch += 1;
                self.counters.barriers += 1;
                released = true;
            } else if block.states.contains(&State::AtBarrier) {
                // No warp can run any more, so the others of the block will not reach the barrier.
                return Err(self.fault(rank, 0, 0, FaultKind::Barrier { of: "block" }));
            }
        }
        let waits = |state: &State| *state == State::AtClusterWait;
        if self.blocks.iter().all(|block| block.states.iter().all(waits)) {
            for block in &mut self.blocks {
                block.states.fill(State::Running);
                block.epoch += 1;
            }
            self.cluster_epoch += 1;
            self.counters.cluster_barriers += 1;
            released = true;
        }
        if released { Ok(()) } else { Err(self.fault(0, 0, 0, FaultKind::Barrier { of: "cluster" })) }
    }

    /// Executes a load, a store or an atomic addition of a warp; an error comes with the number of the thread in the
    /// warp.
    fn access(
        &mut self,
        rank: usize,
        index: usize,
        instruction: &Instruction,
        mask: Mask,
    ) -> Result<(), (usize, FaultKind)> {
        let plain = |space| Access { space, long: false, count: 1, widens: false };
        let (access, kind) = match instruction.operation {
            Operation::Load(access) => (access, Kind::Load),
            Operation::Store(access) => (access, Kind::Store),
            Operation::AtomicAdd(atomic) => (plain(atomic.space), Kind::Add),
            _ => return Ok(()),
        };
        let load = kind == Kind::Load;
        let addresses: [u64; WARP] = match instruction.from.first() {
            // An argument at a constant offset.
            None => [0; WARP],
            Some(base) if base.class == Class::Long => self.warps[index].longs[base.at as usize],
            Some(base) => self.warps[index].words[base.at as usize].map(u64::from),
        }
        .map(|address| address.wrapping_add_signed(instruction.offset));
        let values = if load { &instruction.to[..] } else { &instruction.from[1..] };
        let each = if access.long { 8 } else { 4 };
        let bytes = access.bytes();
        // The data of each lane, with room for the widest access.
        let mut data = [[0u8; 32]; WARP];
        if !load {
            for (at, reg) in values.iter().enumerate() {
                for lane in threads_of(mask) {
                    let to = &mut data[lane][at * each..][..each];
                    match reg.class {
                        Class::Long => {
                            let long = self.warps[index].longs[reg.at as usize][lane];
                            to.copy_from_slice(&long.to_le_bytes()[..each]);
                        }
                        _ => {
                            to.copy_from_slice(&self.warps[index].words[reg.at as usize][lane].to_le_bytes())
                        }
                    }
                }
            }
        }
        let mut point = AccessPoint {
            launch: self.number,
            thread: 0,
            block: self.first + rank as u32,
            cluster: self.grid.cluster,
            epoch: self.blocks[rank].epoch,
            cluster_epoch: self.cluster_epoch,
        };
        let first = point.block * self.grid.block_threads() as u32 + self.warps[index].first;
        let (mut global, mut shared) = (Vec::new(), Vec::new());
        for lane in threads_of(mask) {
            let address = addresses[lane];
            let fail = |kind| (lane, kind);
            if bytes > 16 || !address.is_multiple_of(bytes as u64) {
                return Err(fail(FaultKind::Misaligned { address, bytes }));
            }
            point.thread = first + lane as u32;
            let place = place(access.space, address, rank as u32);
            let (region, at) = match place {
                Address::Argument(address) => {
                    let at = usize::try_from(address).ok();
                    let from = at.and_then(|at| self.arguments.get(at..at.checked_add(bytes)?));
                    let out = FaultKind::OutOfBounds { space: Space::Param, address, bytes };
                    data[lane][..bytes].copy_from_slice(from.ok_or(fail(out))?);
                    continue;
                }
                Address::Global(address) => {
                    global.push(address);
                    self.memory.find(address, bytes).map_err(fail)?
                }
                Address::Shared { rank: target, at } => {
                    shared.push((target, at));
                    self.visit_shared(rank as u32, target).map_err(fail)?;
                    let region = &mut self.blocks[target as usize].shared;
                    let out = FaultKind::OutOfBounds { space: Space::Shared, address: at, bytes };
                    if at + bytes as u64 > region.len() as u64 {
                        return Err(fail(out));
                    }
                    (region, at as usize)
                }
            };
            // Faults report the address instead of the offset in the buffer.
            let named = |kind| (lane, with_address(kind, address));
            match kind {
                Kind::Load => {
                    data[lane][..bytes].copy_from_slice(region.load(at, bytes, &point).map_err(named)?);
                }
                Kind::Store => region.store(at, &data[lane][..bytes], &point).map_err(named)?,
                Kind::Add => {
                    let term = u32::from_le_bytes(core::array::from_fn(|byte| data[lane][byte]));
                    let old = region.add(at, term, &point).map_err(named)?;
                    data[lane][..bytes].copy_from_slice(&old.to_le_bytes());
                }
            }
        }
        if kind != Kind::Store {
            self.put(index, instruction, &data, each, mask);
        }
        // An atomic addition counts as a store of its operand.
        self.count(&global, &shared, rank as u32, bytes, load);
        Ok(())
    }

    /// Checks that a block's shared memory may be accessed by another block of the cluster now.
    fn visit_shared(&mut self, from: u32, target: u32) -> Result<(), FaultKind> {
        if from == target {
            return Ok(());
        }
        let Some(block) = self.blocks.get_mut(target as usize) else {
            let space = Space::Cluster;
            return Err(FaultKind::OutOfBounds { space, address: u64::from(target) << RANK_BITS, bytes: 0 });
        };
        if self.cluster_epoch == 0 {
            return Err(FaultKind::NotStarted { rank: target });
        }
        if block.ended {
            return Err(FaultKind::Ended { rank: target });
        }
        block.visited = Some(self.cluster_epoch);
        Ok(())
    }

    /// Writes loaded values to registers.
    fn put(
        &mut self,
        index: usize,
        instruction: &Instruction,
        data: &[[u8; 32]; WARP],
        each: usize,
        mask: Mask,
    ) {
        let warp = &mut self.warps[index];
        for (at, reg) in instruction.to.iter().enumerate() {
            if each == 8 {
                let value = data
                    .each_ref()
                    .map(|data| u64::from_le_bytes(core::array::from_fn(|byte| data[8 * at + byte])));
                warp.set_long(*reg, &value, mask);
            } else {
                let value = data
                    .each_ref()
                    .map(|data| u32::from_le_bytes(core::array::from_fn(|byte| data[4 * at + byte])));
                match reg.class {
                    Class::Long => warp.set_long(*reg, &value.map(u64::from), mask),
                    _ => warp.set_word(*reg, &value, mask),
                }
            }
        }
    }

    fn count(&mut self, global: &[u64], shared: &[(u32, u64)], rank: u32, bytes: usize, load: bool) {
        let counters = &mut self.counters;
        if !global.is_empty() {
            let (moved, touched) = ((global.len() * bytes) as u64, sectors(global, bytes));
            if load {
                counters.loaded += moved;
                counters.sectors_loaded += touched;
            } else {
                counters.stored += moved;
                counters.sectors_stored += touched;
            }
        }
        if !shared.is_empty() {
            let own = shared.iter().filter(|(target, _)| *target == rank).count() as u64;
            counters.shared_local += own;
            counters.shared_remote += shared.len() as u64 - own;
            let (turns, least) = bank_turns(shared, bytes);
            counters.bank_turns += turns;
            counters.bank_turns_least += least;
        }
    }
}

fn is_argument(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Operation::Load(Access { space: Space::Param, .. }))
}

/// The space and the offset of an address, for a thread of the block with this rank.
fn place(space: Space, address: u64, rank: u32) -> Address {
    let in_cluster = |offset: u64| {
        let target = (offset >> RANK_BITS) as u32;
        let at = offset & ((1 << RANK_BITS) - 1);
        Address::Shared { rank: if target == 0 { rank } else { target - 1 }, at }
    };
    match space {
        Space::Shared => Address::Shared { rank, at: address },
        Space::Cluster => in_cluster(address),
        // A cluster has at most sixteen blocks, so the window ends far below device memory.
        Space::Generic if address >> 32 == SHARED_WINDOW >> 32 => in_cluster(address - SHARED_WINDOW),
        Space::Generic | Space::Global => Address::Global(address),
        Space::Param => Address::Argument(address),
    }
}

/// A fault within a buffer, with the thread's address in place of the offset.
fn with_address(kind: FaultKind, address: u64) -> FaultKind {
    match kind {
        FaultKind::Unwritten { bytes, .. } => FaultKind::Unwritten { address, bytes },
        FaultKind::Race { thread, block, .. } => FaultKind::Race { address, thread, block },
        other => other,
    }
}
