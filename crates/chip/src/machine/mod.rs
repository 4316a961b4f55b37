//! The modelled machine: the pairing processor, and the other engines of the chip.
//!
//! [`mm`] is the configurable multiplier of \[CP\] Fig. 12, stage by stage; [`fp2`] is four of them with a combining stage;
//! [`inversion`] is the sequence of products that computes an inverse. [`Processor`] runs programs on them, and [`Timeline`]
//! and [`Waves`] draw its runs. [`interpret`] defines the meaning of words without a clock. [`poly`] is the engine for NTTs
//! and vectors, [`msm`] the one for multi-scalar multiplication, [`dma`] moves data between DRAM and the banks, and [`top`]
//! is the whole chip with its sender.

mod datapath;
pub mod dma;
mod error;
pub mod fp2;
pub mod interpret;
pub mod inversion;
pub mod layout;
pub mod mm;
pub mod msm;
pub mod poly;
mod processor;
mod timeline;
pub mod top;
mod waves;

pub use datapath::{DIGITS, Datapath, Digits, Row};
pub use error::{Fault, MachineError};
pub use processor::{
    Class, CycleCount, Driven, Forwards, Issue, MovedRow, PerChannel, Probe, Processor, Registers,
    RoutineRun, RowDigits, Run, Snapshot,
};
pub use timeline::Timeline;
pub use waves::Waves;
