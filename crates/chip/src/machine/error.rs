//! Why a run stops: what the machine was asked for that the hardware could not do.

use crate::isa::{Channel, FwdPath, IsaError, Loc, LoopReg};
use pairwright_sim::SimError;
use thiserror::Error;

/// A run that cannot go on, or a machine that cannot be built.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A word of an instruction memory that is no instruction.
    #[error("{memory} word {address}: {why}")]
    Word {
        /// `L1` or `L2`.
        memory: &'static str,
        /// Address of the word.
        address: usize,
        /// The reason for the refusal.
        #[source]
        why: IsaError,
    },
    /// More words than the design's memory has.
    #[error("the {memory} memory has {words} words, the program {program}")]
    Memory {
        /// `L1` or `L2`.
        memory: &'static str,
        /// Words of the memory.
        words: u32,
        /// Words of the program.
        program: usize,
    },
    /// A row of the global bank, or a linear address of the register banks, that the design does not have.
    #[error("row {row} of {rows}")]
    Row {
        /// Number of the row.
        row: u32,
        /// How many there are.
        rows: u32,
    },
    /// Products of the inverter that would need their operands before they are there.
    #[error("inversion.interval is {interval}, but a product takes {latency} cycles of the multiplier")]
    Interval {
        /// Cycles between two products.
        interval: u32,
        /// Cycles of a product.
        latency: u32,
    },
    /// Trouble in a slot of a routine.
    #[error("cycle {cycle}, slot {slot}, L2 word {pc} `{instruction}`: {fault}")]
    Slot {
        /// Cycle of the run.
        cycle: u64,
        /// Issue slot of the instruction, from the routine's first.
        slot: u32,
        /// Its address in the L2 memory.
        pc: u16,
        /// The instruction as text.
        instruction: String,
        /// What is wrong.
        #[source]
        fault: Fault,
    },
    /// Trouble with an L1 instruction.
    #[error("cycle {cycle}, L1 word {pc} `{instruction}`: {fault}")]
    Control {
        /// Cycle of the run.
        cycle: u64,
        /// Its address in the L1 memory.
        pc: u16,
        /// The instruction as text.
        instruction: String,
        /// What is wrong.
        #[source]
        fault: Fault,
    },
    /// The L1 program went to an address without a word: it has no `finish` on this way.
    #[error("cycle {cycle}: L1 address {pc} holds no word")]
    L1Address {
        /// Cycle of the run.
        cycle: u64,
        /// The address without a word.
        pc: usize,
    },
    /// The program did not finish in time.
    #[error("not finished after {limit} cycles; L1 address {pc}")]
    Limit {
        /// Cycles it was given.
        limit: u64,
        /// The L1 address reached at the limit.
        pc: usize,
    },
}

/// What is wrong with an instruction where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// A bank: its ports, its rows, or a row without a value.
    #[error(transparent)]
    Bank(#[from] SimError),
    /// A routine that runs past the last word.
    #[error("the routine goes on at L2 address {pc}, which holds no word")]
    Runaway {
        /// The address without a word.
        pc: usize,
    },
    /// An operand that the operation needs and the word does not name.
    #[error("operand {0} is missing")]
    Operand(usize),
    /// A forwarded operand, but the word names no path.
    #[error("operand {0} is forwarded, but no path is named")]
    NoPath(usize),
    /// A forwarding path that the design does not have.
    #[error("the design has no forwarding path {}", number(.0))]
    NoSuchPath(FwdPath),
    /// A forwarding path with nothing on it.
    #[error("{0:?} has no result on forwarding path {path} in this slot", path = number(.1))]
    NothingForwarded(Channel, FwdPath),
    /// The multiplier takes no operands in this slot.
    #[error("the multiplier is busy for {0} more slot(s)")]
    Busy(u32),
    /// The inverter needs the multiplier, and products are in it.
    #[error("the inverter needs the multiplier, which has {0} product(s) in flight")]
    InFlight(usize),
    /// Two words of a slot, on a design that issues one.
    #[error("the design issues one word a slot, this word wants a second")]
    SingleIssue,
    /// Two words of a slot that are not one for the multiplier and one for the arithmetic unit.
    #[error("a slot takes one word for the multiplier and one for the arithmetic unit, not {0:?} and {1:?}")]
    Pair(Option<Channel>, Option<Channel>),
    /// A third word for a slot, or a last word that wants another.
    #[error("a slot ends with its second word, or with the routine's last")]
    PairEnd,
    /// A location that the switcher would move and that the design does not have.
    #[error("linear address {address} is bank {} row {}: not in this design", .at.bank, .at.row)]
    Local {
        /// The linear address.
        address: u32,
        /// Bank and row that the address stands for.
        at: Loc,
    },
    /// A scan register without bits left.
    #[error("scan register {0:?} has no bits left")]
    ScanEmpty(LoopReg),
    /// A field that the datapath is not set up for.
    #[error("the datapath was built for {0:?}")]
    OtherField(crate::isa::Field),
    /// An instruction for another engine of the chip.
    #[error("the pairing processor does not execute it: it is for the polynomial and point engines")]
    OtherEngine,
    /// A repeated call on a design whose front end does not repeat.
    #[error("this design does not repeat routines (control.repeat)")]
    NoRepeat,
}

const fn number(path: &FwdPath) -> u8 {
    match path {
        FwdPath::One => 1,
        FwdPath::Two => 2,
    }
}
