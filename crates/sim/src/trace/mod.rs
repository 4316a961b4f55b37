//! Pictures of a run: a timeline for people, and waveforms. Times are cycles in both.

mod chrome;
mod vcd;

pub use chrome::{Chrome, Process, Track};
pub use vcd::{Signal, Vcd};
