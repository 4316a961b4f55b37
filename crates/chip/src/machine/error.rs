//! Errors that stop a run: requests that the hardware could not serve.

use crate::isa::{Channel, FwdPath, IsaError, Loc, LoopReg};
use pairwright_sim::SimError;
use thiserror::Error;

/// Why a run cannot continue, or a machine cannot be built.
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
        /// Number of rows.
        rows: u32,
    },
    /// The inverter's interval is shorter than the latency of a product, on which the next one depends.
    #[error("inversion.interval is {interval}, but a product takes {latency} cycles of the multiplier")]
    Interval {
        /// Cycles between two products.
        interval: u32,
        /// Cycles of a product.
        latency: u32,
    },
    /// An instruction of a routine that the machine cannot execute in its slot.
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
        /// The reason why it cannot be executed.
        #[source]
        fault: Fault,
    },
    /// An L1 instruction that the machine cannot execute.
    #[error("cycle {cycle}, L1 word {pc} `{instruction}`: {fault}")]
    Control {
        /// Cycle of the run.
        cycle: u64,
        /// Its address in the L1 memory.
        pc: u16,
        /// The instruction as text.
        instruction: String,
        /// The reason why it cannot be executed.
        #[source]
        fault: Fault,
    },
    /// The L1 program reached an address without a word: it has no `finish` on this path.
    #[error("cycle {cycle}: L1 address {pc} holds no word")]
    L1Address {
        /// Cycle of the run.
        cycle: u64,
        /// The address without a word.
        pc: usize,
    },
    /// The program did not finish within the limit of cycles.
    #[error("not finished after {limit} cycles; L1 address {pc}")]
    Limit {
        /// The limit in cycles.
        limit: u64,
        /// The L1 address reached at the limit.
        pc: usize,
    },
}

/// Why an instruction cannot be executed in its slot or at its address.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// An access of a bank without a free port, to a row that it does not have, or to a row without a value.
    #[error(transparent)]
    Bank(#[from] SimError),
    /// A routine that continues past the last word of the L2 memory.
    #[error("the routine goes on at L2 address {pc}, which holds no word")]
    Runaway {
        /// The address without a word.
        pc: usize,
    },
    /// An operand that the operation needs and the word does not name.
    #[error("operand {0} is missing")]
    Operand(usize),
    /// A forwarded operand in a word that names no forwarding path.
    #[error("operand {0} is forwarded, but no path is named")]
    NoPath(usize),
    /// A forwarding path that the design does not have.
    #[error("the design has no forwarding path {}", number(.0))]
    NoSuchPath(FwdPath),
    /// A forwarding path that carries no result in this slot.
    #[error("{0:?} has no result on forwarding path {path} in this slot", path = number(.1))]
    NothingForwarded(Channel, FwdPath),
    /// The multiplier accepts no operands in this slot.
    #[error("the multiplier is busy for {0} more slot(s)")]
    Busy(u32),
    /// The inverter needs the multiplier while products are in flight there.
    #[error("the inverter needs the multiplier, which has {0} product(s) in flight")]
    InFlight(usize),
    /// Two words of a slot, on a design that issues one.
    #[error("the design issues one word a slot, this word wants a second")]
    SingleIssue,
    /// Two words of a slot that are not one for the multiplier and one for the arithmetic unit.
    #[error("a slot takes one word for the multiplier and one for the arithmetic unit, not {0:?} and {1:?}")]
    Pair(Option<Channel>, Option<Channel>),
    /// A third word for a slot, or a routine's last word that announces a second word for its slot.
    #[error("a slot ends with its second word, or with the routine's last")]
    PairEnd,
    /// A linear address given to the switcher that the design does not have.
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
    /// `set_field` with another field than the datapath was built for.
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
