//! The modelled machine: the pairing processor on the configurable multiplier.
//!
//! [`mm`] is the multiplier of \[CP\] Fig. 12 stage by stage, [`fp2`] four of them with a combining stage, [`inversion`]
//! the sequence of products that inverts; [`Processor`] runs programs on them, and [`Timeline`] and [`Waves`] draw what
//! it does. [`interpret`] says what words mean without a clock. [`poly`] is the engine for NTTs and vectors,
//! [`msm`] the one for sums of multiples of points.

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
    Class, CycleCount, Driven, Forwards, Issue, Moved, PerChannel, Probe, Processor, Registers, RoutineRun,
    RowDigits, Run, Snapshot,
};
pub use timeline::Timeline;
pub use waves::Waves;
