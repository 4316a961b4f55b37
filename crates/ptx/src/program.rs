//! A kernel as a program: instructions on registers of a warp, with constants and special registers among them.

use crate::table::{Class, Meaning};

/// A register of a class by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reg {
    /// The kind of the register.
    pub class: Class,
    /// Its number within the class.
    pub at: u32,
}

/// Values that a thread has from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Special {
    /// Number of the thread in its block (`%tid`), by dimension.
    Thread(usize),
    /// Threads of a block (`%ntid`).
    Threads(usize),
    /// Number of the block (`%ctaid`).
    Block(usize),
    /// Blocks of the grid (`%nctaid`).
    Blocks(usize),
    /// Rank of the block in its cluster (`%cluster_ctarank`).
    Rank,
    /// Blocks of a cluster (`%cluster_nctarank`).
    Ranks,
    /// Number of the thread in its warp (`%laneid`).
    Lane,
}

/// What is in a register before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preset {
    /// A constant of the text.
    Constant(u64),
    /// A value of the thread.
    Special(Special),
}

/// An instruction with its operands.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub meaning: Meaning,
    /// The predicate under which a thread takes part, and the value that it must have.
    pub guard: Option<(Reg, bool)>,
    /// Registers that it writes.
    pub to: Vec<Reg>,
    /// Registers that it reads.
    pub from: Vec<Reg>,
    /// The offset of an address, or of an argument.
    pub offset: i64,
    /// The instruction that a branch goes to.
    pub target: usize,
    /// The line of the text.
    pub line: u32,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the text.
    pub name: String,
    /// Its offset among the arguments, in bytes.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

/// A kernel as a program.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name of the kernel.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// Bytes of shared memory that the text declares; what is asked for at the launch lies behind.
    pub shared: usize,
    /// The most threads of a block, where the text says so.
    pub max_threads: Option<u64>,
    /// Blocks of a cluster that the text requires.
    pub cluster: Option<u32>,
    /// Instructions in the order of the text.
    pub body: Vec<Instruction>,
    /// What is in registers before the first instruction.
    pub presets: Vec<(Reg, Preset)>,
    /// Numbers of registers: words, longs, bits.
    pub registers: [usize; 3],
}

impl Kernel {
    /// Bytes of all arguments.
    pub fn argument_bytes(&self) -> usize {
        self.parameters.last().map_or(0, |last| last.offset + last.size)
    }
}

/// A text with its kernels.
#[derive(Clone, Debug)]
pub struct Module {
    /// The architecture of the `.target` line: 90 for `sm_90`.
    pub target: u32,
    /// The kernels in the order of the text.
    pub kernels: Vec<Kernel>,
}

impl Module {
    /// A kernel by name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}
