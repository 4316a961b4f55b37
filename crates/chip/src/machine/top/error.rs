//! Errors that stop a program of the whole chip.

use crate::isa::{IsaError, LoopReg};
use crate::machine::dma::{ContentsError, DmaError};
use crate::machine::error::MachineError;
use crate::machine::msm::MsmEngineError;
use crate::machine::poly::PolyError;
use thiserror::Error;

/// Why a program cannot continue, or cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TopError {
    /// An L1 instruction that the chip cannot execute.
    #[error("cycle {cycle}, L1 word {pc} `{instruction}`: {fault}")]
    Control {
        /// Cycle of the run.
        cycle: u64,
        /// Its address in the L1 memory.
        pc: usize,
        /// The instruction as text.
        instruction: String,
        /// The reason why it cannot be executed.
        #[source]
        fault: Fault,
    },
    /// The program reached an address without a word.
    #[error("cycle {cycle}: L1 address {pc} holds no word")]
    Address {
        /// Cycle of the run.
        cycle: u64,
        /// Address in the L1 memory.
        pc: usize,
    },
    /// The program did not finish within the limit of cycles.
    #[error("not finished after {limit} cycles; L1 address {pc}")]
    Limit {
        /// The limit in cycles.
        limit: u64,
        /// Address of the instruction that was to be fetched next.
        pc: usize,
    },
    /// Instructions wait, and none of them can ever become ready.
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
    /// An instruction that cannot be encoded.
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
    /// The transfer engine cannot be built or configured.
    #[error(transparent)]
    Dma(#[from] DmaError),
    /// An access or a region that the layout of DRAM does not allow.
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

/// Why an instruction cannot be executed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// An error of the polynomial engine.
    #[error(transparent)]
    Poly(#[from] PolyError),
    /// An error of the MSM engine.
    #[error(transparent)]
    Msm(#[from] MsmEngineError),
    /// An error of the transfer engine.
    #[error(transparent)]
    Dma(#[from] DmaError),
    /// An access that the layout of DRAM does not allow.
    #[error(transparent)]
    Contents(#[from] ContentsError),
    /// An MSM that the CPU has not set up, or one of another group.
    #[error("no plan of windows for this MSM")]
    NoPlan,
    /// Scalars in halves of a field whose curves have no endomorphism.
    #[error("no curve over this field has the endomorphism that `msm.glv` asks for")]
    NoEndomorphism,
    /// An error of the pairing processor.
    #[error(transparent)]
    Pairing(#[from] MachineError),
    /// A fault of the pairing processor's control.
    #[error(transparent)]
    Routine(#[from] crate::machine::Fault),
    /// A pairing instruction without loaded routines.
    #[error("no routines are loaded into the pairing processor")]
    NoPairing,
    /// A scan register without bits left.
    #[error("scan register {0:?} has no bits left")]
    ScanEmpty(LoopReg),
    /// More entries than the memory holds.
    #[error("{asked} entries, the memory holds {holds}")]
    Capacity {
        /// Entries asked for.
        asked: usize,
        /// Entries that the memory holds.
        holds: usize,
    },
    /// A point or scalar memory with fewer entries than the instruction takes.
    #[error("{asked} entries are asked for, {loaded} were loaded")]
    NotLoaded {
        /// Entries asked for.
        asked: usize,
        /// Entries that were loaded.
        loaded: usize,
    },
    /// Words of DRAM that are no element of the field or no point.
    #[error("entry {entry} is not a canonical {what}")]
    Value {
        /// Index of the entry in the transfer.
        entry: usize,
        /// Name of the expected kind of value.
        what: &'static str,
    },
    /// An address generator or a sequence of row generators that the CPU has not configured.
    #[error("stream s{0} is not configured")]
    Stream(u8),
    /// A transfer from a memory that cannot be stored to DRAM.
    #[error("{0} has no way to and from DRAM")]
    NoTransfer(&'static str),
}
