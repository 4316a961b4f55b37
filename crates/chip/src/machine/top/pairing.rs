//! The pairing processor as an engine of the chip: its routines, and the transfers between its global bank and DRAM.

use super::payload::{ROW_WORDS, Word, row, row_words};
use crate::isa::{L1, LoopReg};
use crate::machine::{Datapath, Driven, Fault, MachineError, Run};

/// The pairing processor over either field.
pub(super) trait Routines: Send {
    /// Executes an instruction from cycle `now` on and returns the cycle in which it is done.
    fn execute(&mut self, now: u64, instruction: &L1) -> Result<u64, MachineError>;
    /// The next bit of a scan register.
    fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault>;
    /// Sets a row of the global bank; `None` if the words are not reduced.
    fn load(&mut self, at: u32, words: &[Word; ROW_WORDS]) -> Result<Option<()>, MachineError>;
    /// A row of the global bank; zero if nothing was ever written there.
    fn store(&self, at: u32) -> [Word; ROW_WORDS];
    /// The counts of the run so far.
    fn run(&self) -> Run;
}

impl<F: Datapath> Routines for Driven<F> {
    fn execute(&mut self, now: u64, instruction: &L1) -> Result<u64, MachineError> {
        Driven::execute(self, now, instruction)
    }
    fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault> {
        Driven::next_bit(self, reg)
    }
    fn load(&mut self, at: u32, words: &[Word; ROW_WORDS]) -> Result<Option<()>, MachineError> {
        row(words).map(|value| self.write_global(at, value)).transpose()
    }
    fn store(&self, at: u32) -> [Word; ROW_WORDS] {
        self.read_global(at).map_or([[0; 4]; ROW_WORDS], |value| row_words(&value))
    }
    fn run(&self) -> Run {
        Driven::run(self)
    }
}
