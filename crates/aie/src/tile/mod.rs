//! A tile of the array: the description of an engine, and programs scheduled on it.
//!
//! [`Tile`] describes the engine as data. [`Kernel::schedule`] turns a [`Program`] into a loop that runs it for one task
//! after another: it lowers the program to operations of the engine, spills to memory the values that registers cannot
//! hold, assigns registers, and places the operations in instructions of several slots (software pipelining by
//! [`pairwright_sim::schedule`]). [`Kernel::run`] executes those instructions cycle by cycle. [`SingleTile`] is \[AIE\]'s
//! mapping of a whole addition onto one tile.

mod banks;
mod execute;
#[cfg(test)]
mod llvm;
mod lower;
mod machine;
mod plan;
mod registers;
mod single;
mod straight;
#[cfg(test)]
mod tests;

use crate::program::{LANES, Path, Program, ValueKind};
pub use banks::Conflicts;
use lower::{Body, Instruction, RegisterShare, TileOp};
use machine::NUMBER_BYTES;
pub use machine::Tile;
use pairwright_sim::schedule::{
    Fault, Options, Pipelined, ScheduleError, Usage, Use, check, listing, timeline,
};
use pairwright_sim::trace::Chrome;
use plan::TilePlan;
use registers::Registers;
use serde::Serialize;
pub use single::SingleTile;
use std::collections::{BTreeMap, BTreeSet};
pub use straight::Reads;
use thiserror::Error;

/// Why the description of a tile is invalid, or a kernel has no schedule.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum TileError {
    /// The description is not valid TOML of a [`Tile`].
    #[error(transparent)]
    Description(#[from] toml::de::Error),
    /// The machine or the graph is invalid, or there is no schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The schedule breaks a rule of the machine, which is an error of the scheduler.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A register file is too small to hold the operands of one operation.
    #[error("{registers} registers of file {file:?} do not hold the operands of one operation")]
    TooFewRegisters {
        /// The register file.
        file: &'static str,
        /// Registers of the file that are available for values.
        registers: usize,
    },
    /// The description has no registers of this file.
    #[error("the engine has no registers of file {0:?}")]
    NoRegisters(&'static str),
    /// A number of the description exceeds the range of the model.
    #[error("{name}: {value} is more than {most}")]
    Range {
        /// The name of the field, file, slot or class.
        name: String,
        /// The number; for a class, the latest cycle that it names.
        value: usize,
        /// The greatest value that the model accepts.
        most: usize,
    },
    /// No assignment of the registers of this file was found, however few values are alive.
    #[error("no assignment of the registers of file {0:?}")]
    Unassigned(&'static str),
    /// A sum takes the carry of an operation that is not issued in the body.
    #[error("a carry from an operation that is not issued")]
    UnissuedCarry,
    /// The number of operands of a task is not that of the program.
    #[error("{given} operands for a kernel of {taken}")]
    Operands {
        /// The operands given.
        given: usize,
        /// The operands that the program takes.
        taken: usize,
    },
    /// The kernel exchanges values with other tiles and cannot run alone.
    #[error("the kernel exchanges values with other tiles")]
    Transfers,
    /// The link with this number carries fewer items than the kernel reads from it.
    #[error("link {0} carries less than is read from it")]
    LinkRunsDry(usize),
    /// The instructions of a tile do not fit the program memory.
    #[error("{needs} bytes of instructions in a program memory of {size}")]
    Program {
        /// Bytes of the instructions.
        needs: u64,
        /// Bytes of the program memory.
        size: usize,
    },
    /// Operands, results, constants and spilled values do not fit the data memory.
    #[error("{needs} bytes of data in a memory of {size}")]
    Data {
        /// Bytes that the kernel needs for [`TASKS`] tasks.
        needs: usize,
        /// Bytes of the data memory.
        size: usize,
    },
}

/// The number of tasks in a run of a kernel, as in the paper.
pub const TASKS: u64 = 16;

/// A program as instructions of a tile: a software-pipelined loop, or straight-line code.
#[derive(Clone, Debug)]
pub struct Kernel {
    tile: Tile,
    body: Body,
    plan: TilePlan,
    registers: Registers,
    inputs: usize,
    outputs: usize,
    products: usize,
}

impl Kernel {
    /// Schedules a program as a loop with the least initiation interval, among those found, whose values fit the
    /// registers.
    ///
    /// Constants and operands are loaded where they are used; some constants stay in registers throughout, and values
    /// with distant uses are spilled to memory. Registers are assigned before scheduling, in program order, and their
    /// reuse becomes edges that the schedule respects. Small programs are also scheduled first, with few values alive,
    /// and get registers afterwards. Several shares of the registers are tried, and the kernel with the smallest
    /// initiation interval is taken.
    ///
    /// # Errors
    /// [`TileError::TooFewRegisters`], [`TileError::Schedule`] or [`TileError::Unassigned`] for register files that are too
    /// small; [`TileError::Data`] if [`TASKS`] tasks do not fit in memory.
    pub fn schedule(program: &Program, tile: &Tile) -> Result<Self, TileError> {
        Self::schedule_within(program, tile, None)
    }

    /// Schedules a program as a loop that, at any time, has received at most `in_flight` tasks of which it has not sent
    /// all results.
    ///
    /// # Errors
    /// The errors of [`Kernel::schedule`].
    pub(crate) fn schedule_within(
        program: &Program,
        tile: &Tile,
        in_flight: Option<u32>,
    ) -> Result<Self, TileError> {
        let tile = &tile.scheduled();
        // All values that a tile sends are used by other tiles, so nothing is pruned.
        let program = if program.has_transfers() { program.clone() } else { program.pruned() };
        let tried =
            shares(tile, program.ops.len()).into_iter().map(|share| RegisterShare { in_flight, ..share });
        let tried = tried.map(|share| Self::with(&program, tile, share));
        best(tried, Self::cost, |kernel| kernel.ii() == kernel.plan.bounds()[0])
    }

    /// The cost of a kernel: its initiation interval, then its latency, both in cycles.
    fn cost(&self) -> (u32, u32) {
        (self.ii(), self.latency())
    }

    fn with(program: &Program, tile: &Tile, share: RegisterShare) -> Result<Self, TileError> {
        let mut body = Body::new(program, tile, share)?;
        if share.assign_first {
            let registers = registers::assign_first(&mut body, tile).map_err(TileError::Unassigned)?;
            let mut machine = tile.machine.clone();
            // The edges of the graph already limit the registers in use.
            machine.files.iter_mut().for_each(|f| f.size = u32::MAX);
            let looped = Pipelined::new(&machine, &body.graph, &Options { budget: BUDGET, max_ii: None })?;
            return Self::checked(program, tile, body, looped, registers);
        }
        let mut machine = tile.machine.clone();
        let (looped, registers) = loop {
            let looped = Pipelined::new(&machine, &body.graph, &Options::default())?;
            match Registers::assign(&body, tile, &looped.ops, looped.ii) {
                Ok(registers) => break (looped, registers),
                // With fewer values alive, an assignment is more likely to exist.
                Err(scarce) => match machine.files.iter_mut().find(|f| f.name == scarce && f.size > 1) {
                    Some(file) => file.size -= 1,
                    None => return Err(TileError::Unassigned(scarce)),
                },
            }
        };
        Self::checked(program, tile, body, looped, registers)
    }

    fn checked(
        program: &Program,
        tile: &Tile,
        body: Body,
        looped: Pipelined,
        registers: Registers,
    ) -> Result<Self, TileError> {
        check(&tile.machine, &body.graph, &looped.facts(3), 3)?;
        Self::fits(program, tile, body, TilePlan::Loop(looped), registers)
    }

    /// Returns the kernel if its data fits the data memory.
    fn fits(
        program: &Program,
        tile: &Tile,
        body: Body,
        plan: TilePlan,
        registers: Registers,
    ) -> Result<Self, TileError> {
        let (inputs, outputs) = (program.inputs().len(), program.outputs());
        let products = program.products();
        let kernel = Self { tile: tile.clone(), body, plan, registers, inputs, outputs, products };
        let (needs, size) = (kernel.data_bytes(TASKS), tile.data_bytes);
        if needs > size { Err(TileError::Data { needs, size }) } else { Ok(kernel) }
    }
}

/// Placements tried for each operation if registers were assigned before; a greater number finds nothing better.
const BUDGET: u32 = 4;
/// The greatest number of operations of a program for which registers are also assigned after scheduling; for larger
/// programs that takes long and finds no assignment.
const SMALL: usize = 160;
/// The greatest number of operations of a program for which more than the most promising share of registers is tried.
const LARGE: usize = 1024;

/// The kernel of least cost among those tried, up to the first that `good_enough` accepts.
fn best<C: PartialOrd>(
    tried: impl Iterator<Item = Result<Kernel, TileError>>,
    cost: impl Fn(&Kernel) -> C,
    good_enough: impl Fn(&Kernel) -> bool,
) -> Result<Kernel, TileError> {
    let mut best: Result<Kernel, TileError> = Err(TileError::Unassigned(ValueKind::Vector.name()));
    let mut first_refusal = None;
    for kernel in tried {
        match kernel {
            Ok(kernel) => {
                if best.as_ref().is_ok_and(|b| cost(&kernel) >= cost(b)) {
                    continue;
                }
                best = Ok(kernel);
            }
            Err(error) => {
                first_refusal.get_or_insert(error);
            }
        }
        if best.as_ref().is_ok_and(&good_enough) {
            break;
        }
    }
    best.map_err(|none| first_refusal.unwrap_or(none))
}

/// The shares of the registers that are tried, the most promising first.
fn shares(tile: &Tile, ops: usize) -> Vec<RegisterShare> {
    let (vectors, accumulators) = (tile.registers(ValueKind::Vector), tile.registers(ValueKind::Accumulator));
    let share = |assign_first, held_constants, slack| RegisterShare {
        assign_first,
        held_constants,
        alive: [vectors.saturating_sub(held_constants + slack), accumulators],
        in_flight: None,
        once: false,
    };
    let mut shares = vec![share(true, 0, 2), share(true, 1, 2), share(true, 0, 0)];
    if ops <= SMALL {
        shares.extend([share(false, 0, 2), share(false, 2, 1), share(false, 1, 0)]);
    }
    if ops > LARGE {
        shares.truncate(1);
    }
    shares
}

/// A value on a link: the lanes of a vector or an accumulator; a scalar is in lane 0.
pub(crate) type Item = [i128; LANES];

/// The items of each link, in the order of their transfer.
pub(crate) type Items = BTreeMap<usize, Vec<Item>>;

/// The kind of an access to a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Act {
    /// The access moves words of a stream or beats of a cascade.
    Move,
    /// The access acquires the lock of a buffer in shared memory.
    Acquire,
    /// The access releases that lock, which passes the buffer to the other side.
    Release,
}

/// A value that a kernel exchanges with another tile, or the acquisition or release of a lock for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Transfer {
    /// The cycle of its first access, from the start of its task.
    pub(crate) cycle: u32,
    /// The kind of access. For values in shared memory only the accesses to their locks are listed.
    pub(crate) act: Act,
    /// Whether the kernel receives the value.
    pub(crate) receives: bool,
    pub(crate) link: usize,
    pub(crate) path: Path,
    pub(crate) kind: ValueKind,
}

/// The figures of a kernel.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Counts {
    /// Instructions per task in the steady state: the initiation interval, in cycles.
    pub instructions: u64,
    /// Instructions of a run of [`TASKS`] tasks divided by the number of tasks, including prologue and epilogue of the
    /// loop.
    pub average: f64,
    /// Cycles from the first instruction of a task to its last result.
    pub latency: u64,
    /// Operations of a task, that is, occupied issue slots of its instructions.
    pub operations: u64,
    /// Multiply-accumulates that are products of digits.
    pub products: u64,
    /// Operations by class of the machine.
    pub classes: BTreeMap<String, u64>,
    /// Vectors and accumulators of a task that are spilled to memory.
    pub spilled: u64,
    /// Lower bounds of the initiation interval in cycles: by slots and by recurrences. For straight-line code, 0 and the
    /// longest chain of dependent operations.
    pub bounds: [u32; 2],
    /// The slot with the highest utilisation, and that utilisation, 0 to 1.
    pub fullest: (String, f64),
    /// Bytes of program memory, with every non-empty instruction at full length: prologue, all copies of the loop's
    /// kernel, and epilogue.
    pub program_bytes: u64,
    /// Bytes of data memory for the operands and results of [`TASKS`] tasks, constants and spilled values.
    pub data_bytes: u64,
    /// The greatest number of values alive at once, by register file.
    pub alive: BTreeMap<String, u32>,
}

impl Counts {
    /// Average number of operations in an instruction: the paper's VLIW utilisation.
    pub fn vliw_utilisation(&self) -> f64 {
        self.operations as f64 / self.instructions as f64
    }

    /// Average number of multiply-accumulates of digits in a cycle, 0 to 1: the paper's MAC utilisation.
    pub fn mac_utilisation(&self) -> f64 {
        self.products as f64 / self.instructions as f64
    }
}

impl Kernel {
    /// Initiation interval: cycles from the start of one task to the start of the next, for a loop also its instructions
    /// per task.
    pub fn ii(&self) -> u32 {
        self.plan.interval()
    }

    /// The number of instructions from the first of a task to its last.
    pub fn length(&self) -> u32 {
        self.plan.length()
    }

    /// Cycles from the first instruction of a task to its last result.
    pub fn latency(&self) -> u32 {
        self.plan.latency()
    }

    /// Cycles of a run of `tasks` tasks.
    pub fn cycles(&self, tasks: u64) -> u64 {
        self.plan.cycles(tasks)
    }

    /// The transfers to and from other tiles, in the order of their issue within a task.
    pub(crate) fn transfers(&self) -> Vec<Transfer> {
        let mut transfers = Vec::new();
        for (op, issue) in self.plan.ops().iter().enumerate() {
            let class = &self.tile.machine.classes[self.body.graph.ops[op].class];
            let lock = |act, link, receives| Transfer {
                cycle: issue.cycle + class.reads.get("lock").copied().unwrap_or(0),
                act,
                receives,
                link,
                path: Path::Memory,
                kind: ValueKind::Vector,
            };
            transfers.push(match *self.body.op(op) {
                TileOp::Acquire { link, receives } => lock(Act::Acquire, link, receives),
                TileOp::Release { link, receives } => lock(Act::Release, link, receives),
                op => match op.transfer() {
                    Some((link, path @ (Path::Stream | Path::Cascade), kind, receives)) => {
                        Transfer { cycle: issue.cycle, act: Act::Move, receives, link, path, kind }
                    }
                    _ => continue,
                },
            });
        }
        transfers.sort_by_key(|t| (t.cycle, t.link));
        transfers
    }

    /// The utilisation of the slots in the steady state.
    pub fn usage(&self) -> Usage {
        let cycles = u64::from(self.plan.interval());
        Usage::new(&self.tile.machine, &self.body.graph, &self.plan.kernel(), cycles)
    }

    /// The figures of the kernel.
    pub fn counts(&self) -> Counts {
        let machine = &self.tile.machine;
        let mut classes = BTreeMap::new();
        for op in &self.body.graph.ops {
            *classes.entry(machine.classes[op.class].name.clone()).or_insert(0) += 1;
        }
        let usage = self.usage();
        let fullest = usage.slots.iter().max_by(|a, b| a.utilisation().total_cmp(&b.utilisation()));
        Counts {
            instructions: u64::from(self.ii().min(self.length())),
            average: self.plan.issue_cycles(TASKS) as f64 / TASKS as f64,
            latency: u64::from(self.latency()),
            operations: self.body.graph.ops.len() as u64,
            products: self.products as u64,
            classes,
            spilled: self.body.spilled.iter().sum::<usize>() as u64,
            bounds: self.plan.bounds(),
            fullest: fullest.map(|s| (s.slot.clone(), s.utilisation())).unwrap_or_default(),
            program_bytes: self.program_bytes(),
            data_bytes: self.data_bytes(TASKS) as u64,
            alive: machine
                .files
                .iter()
                .map(|f| f.name.clone())
                .zip(self.plan.live().iter().copied())
                .collect(),
        }
    }

    /// Bytes of program memory that the instructions take.
    fn program_bytes(&self) -> u64 {
        let all = self.plan.instructions(self.registers.copies, TASKS);
        let full = self.plan.nonempty_instructions(self.registers.copies, TASKS, &self.issuing());
        full * self.tile.instruction_bytes as u64 + all.saturating_sub(full) * self.tile.empty_bytes as u64
    }

    /// For each operation, the cycles after its issue in which it occupies an issue slot: more than one for values that
    /// take several accesses.
    fn issuing(&self) -> Vec<Vec<u32>> {
        let accesses = |op: usize| {
            let class = &self.tile.machine.classes[self.body.graph.ops[op].class];
            match self.body.op(op) {
                TileOp::Acquire { .. } | TileOp::Release { .. } => {
                    vec![class.reads.get("lock").copied().unwrap_or(0)]
                }
                _ => {
                    let issues = |u: &&Use| machine::INSTRUCTION.contains(&u.slot.as_str());
                    class.ways[0].iter().filter(issues).flat_map(|u| u.from..u.from + u.cycles).collect()
                }
            }
        };
        (0..self.body.graph.ops.len()).map(accesses).collect()
    }

    /// Checks that the instructions fit the program memory.
    ///
    /// # Errors
    /// [`TileError::Program`].
    pub(crate) fn is_in_program_memory(&self) -> Result<(), TileError> {
        let (needs, size) = (self.program_bytes(), self.tile.program_bytes);
        if needs > size as u64 { Err(TileError::Program { needs, size }) } else { Ok(()) }
    }

    /// Bytes of memory for the operands and results of tasks, constants and spilled values.
    fn data_bytes(&self, tasks: u64) -> usize {
        let constants: BTreeSet<&[i32; LANES]> =
            self.body.instructions.iter().filter_map(Instruction::constant).collect();
        let vector = NUMBER_BYTES / 2;
        let [vectors, accumulators] = self.body.spilled;
        (self.inputs + self.outputs) * NUMBER_BYTES * tasks as usize
            + (constants.len() + vectors + 4 * accumulators) * vector
    }

    /// A table of the steady state, or of one task in straight-line code: one row per instruction, one column per slot,
    /// each operation followed by its stage.
    pub fn listing(&self) -> String {
        listing(&self.tile.machine, &self.body.graph, &self.plan.kernel())
    }

    /// A timeline of a run of `tasks` tasks, with a track for every slot.
    pub fn timeline(&self, tasks: u32) -> Chrome {
        timeline(&self.tile.machine, &self.body.graph, &self.plan.facts(tasks))
    }
}
