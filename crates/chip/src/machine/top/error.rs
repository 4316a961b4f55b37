//! Why a program of the whole chip stops.

use crate::isa::{IsaError, LoopReg};
use crate::machine::dma::{ContentsError, DmaError};
use crate::machine::error::MachineError;
use crate::machine::msm::MsmEngineError;
use crate::machine::poly::PolyError;
use thiserror::Error;

/// A program that cannot go on, or that cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TopError {
    /// Trouble with an L1 instruction.
    #[error("cycle {cycle}, L1 word {pc} `{instruction}`: {fault}")]
    Control {
        /// Cycle of the run.
        cycle: u64,
        /// Its address in the L1 memory.
        pc: usize,
        /// The instruction as text.
        instruction: String,
        /// What is wrong.
        #[source]
        fault: Fault,
    },
    /// The program went to an address without a word.
    #[error("cycle {cycle}: L1 address {pc} holds no word")]
    Address {
        /// Cycle of the run.
        cycle: u64,
        /// Address in the L1 memory.
        pc: usize,
    },
    /// The program did not finish in time.
    #[error("not finished after {limit} cycles; L1 address {pc}")]
    Limit {
        /// Cycles it was given.
        limit: u64,
        /// Address of the instruction that was to be fetched next.
        pc: usize,
    },
    /// Instructions wait and none of them ever becomes ready.
    #[error("cycle {cycle}: no instruction of the window can ever be dispatched")]
    Stuck {
        /// Cycle of the run.
        cycle: u64,
    },
    /// More words than the L1 memory has.
    #[error("the L1 memory has {words} words, the program {program}")]
    Memory {
        /// Words of the memory.
        words: u32,
        /// Words of the program.
        program: usize,
    },
    /// A word that is no instruction.
    #[error("L1 word {address}: {why}")]
    Word {
        /// Address in the L1 memory.
        address: usize,
        /// The reason why it cannot be encoded.
        #[source]
        why: IsaError,
    },
    /// The pairing processor cannot be built.
    #[error(transparent)]
    Pairing(#[from] MachineError),
    /// The transfer engine or the contents of DRAM.
    #[error(transparent)]
    Dma(#[from] DmaError),
    /// The contents of DRAM.
    #[error(transparent)]
    Contents(#[from] ContentsError),
    /// The DRAM cannot be built.
    #[error(transparent)]
    Dram(#[from] pairwright_sim::settings::OutOfRange),
    /// The MSM engine cannot be built.
    #[error(transparent)]
    Msm(#[from] MsmEngineError),
    /// The polynomial engine cannot be built.
    #[error(transparent)]
    Poly(#[from] PolyError),
}

/// What is wrong with an instruction where it stands.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The polynomial engine.
    #[error(transparent)]
    Poly(#[from] PolyError),
    /// The MSM engine.
    #[error(transparent)]
    Msm(#[from] MsmEngineError),
    /// The transfer engine.
    #[error(transparent)]
    Dma(#[from] DmaError),
    /// The contents of DRAM.
    #[error(transparent)]
    Contents(#[from] ContentsError),
    /// An MSM that the CPU has not set up, or one of another group.
    #[error("no plan of windows for this MSM")]
    NoPlan,
    /// Scalars in halves of a field whose curves have no endomorphism.
    #[error("no curve over this field has the endomorphism that `msm.glv` asks for")]
    NoEndomorphism,
    /// The pairing processor.
    #[error(transparent)]
    Pairing(#[from] MachineError),
    /// The pairing processor's control.
    #[error(transparent)]
    Routine(#[from] crate::machine::Fault),
    /// A pairing instruction, and no routines are loaded.
    #[error("no routines are loaded into the pairing processor")]
    NoPairing,
    /// A scan register without bits left.
    #[error("scan register {0:?} has no bits left")]
    ScanEmpty(LoopReg),
    /// A number of entries that the memory does not hold.
    #[error("{asked} entries, the memory holds {holds}")]
    Capacity {
        /// Entries asked for.
        asked: usize,
        /// Entries there are.
        holds: usize,
    },
    /// A point or scalar memory with fewer entries than the instruction takes.
    #[error("{asked} entries are asked for, {there} were loaded")]
    NotLoaded {
        /// Entries asked for.
        asked: usize,
        /// Entries there are.
        there: usize,
    },
    /// Words of DRAM that are no element of the field or no point.
    #[error("entry {entry} is not a canonical {what}")]
    Value {
        /// Index of the entry in the transfer.
        entry: usize,
        /// What it should be.
        what: &'static str,
    },
    /// An address generator or a sequence of row generators that the CPU has not configured.
    #[error("stream s{0} is not configured")]
    Stream(u8),
    /// An instruction that this memory does not take part in.
    #[error("{0} has no way to and from DRAM")]
    NoTransfer(&'static str),
}
