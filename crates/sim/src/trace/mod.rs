//! Records of a run: timelines for reading, and waveforms. Times are in cycles in both.

mod chrome;
mod vcd;

pub use chrome::{Chrome, Process, Track};
pub use vcd::{Signal, Vcd};
