//! The parsed form of a kernel: instructions on registers of a warp, in which constants and special registers have
//! registers too.

use crate::table::{Class, Operation};

/// A register, by class and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reg {
    /// The class of the register.
    pub class: Class,
    /// The number of the register within its class.
    pub at: u32,
}

/// The special registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Special {
    /// Number of the thread in its block (`%tid`), by dimension.
    Thread(usize),
    /// Number of threads per block (`%ntid`), by dimension.
    Threads(usize),
    /// Number of the block (`%ctaid`), by dimension.
    Block(usize),
    /// Number of blocks of the grid (`%nctaid`), by dimension.
    Blocks(usize),
    /// Rank of the block in its cluster (`%cluster_ctarank`).
    Rank,
    /// Number of blocks of a cluster (`%cluster_nctarank`).
    Ranks,
    /// Number of the thread in its warp (`%laneid`).
    Lane,
}

/// The value of a register before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Preset {
    /// A constant of the text.
    Constant(u64),
    /// A special register of the thread.
    Special(Special),
}

/// An instruction with its operands.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The operation that it performs.
    pub operation: Operation,
    /// The predicate that guards the instruction, and the value that it must have for a thread to execute it.
    pub guard: Option<(Reg, bool)>,
    /// The registers that it writes.
    pub to: Vec<Reg>,
    /// The registers that it reads.
    pub from: Vec<Reg>,
    /// The offset of an address or of an argument in bytes.
    pub offset: i64,
    /// The index of the instruction that a branch jumps to.
    pub target: usize,
    /// The line number in the text.
    pub line: u32,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name in the text.
    pub name: String,
    /// The offset among the arguments in bytes.
    pub offset: usize,
    /// The size in bytes.
    pub size: usize,
}

/// A parsed kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name of the kernel.
    pub name: String,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// Shared memory that the text declares in bytes; the dynamic shared memory of a launch follows it.
    pub shared: usize,
    /// Greatest number of threads per block, if the text states it.
    pub max_threads: Option<u64>,
    /// Number of blocks per cluster, if the text requires it.
    pub cluster: Option<u32>,
    /// Instructions in the order of the text.
    pub body: Vec<Instruction>,
    /// The values of registers before the first instruction.
    pub presets: Vec<(Reg, Preset)>,
    /// Number of registers of each class: words, longs, bits.
    pub registers: [usize; 3],
}

impl Kernel {
    /// The size of all arguments in bytes.
    pub fn argument_bytes(&self) -> usize {
        self.parameters.last().map_or(0, |last| last.offset + last.size)
    }
}

/// A parsed text with its kernels.
#[derive(Clone, Debug)]
pub struct Module {
    /// The architecture of the `.target` line: 90 for `sm_90`.
    pub target: u32,
    /// The kernels in the order of the text.
    pub kernels: Vec<Kernel>,
}

impl Module {
    /// The kernel with this name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}
