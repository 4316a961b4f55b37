//! The pairing processor under the control of the chip's sender.

use super::control::Control;
use super::ledger::Ledger;
use super::run::{Class, Run};
use super::{Processor, Row};
use crate::isa::{L1, LoopReg};
use crate::machine::datapath::Datapath;
use crate::machine::error::{Fault, MachineError};

/// The pairing processor with instructions from outside: the sender of the whole chip fetches them, executes loops and jumps
/// itself, and determines the cycle in which each begins.
#[derive(Clone, Debug)]
pub struct Driven<F> {
    processor: Processor<F>,
    ledger: Ledger,
    control: Control,
}

impl<F: Datapath> Driven<F> {
    /// Takes over a processor, whose cycles count from 0.
    pub fn new(mut processor: Processor<F>) -> Self {
        processor.start();
        Self { processor, ledger: Ledger::new(F::FIELD), control: Control::default() }
    }

    /// Executes an instruction that begins in cycle `now`, or when the one before is done; returns the cycle in which it
    /// ends.
    ///
    /// # Errors
    /// A request that the hardware cannot serve.
    pub fn execute(&mut self, now: u64, instruction: &L1) -> Result<u64, MachineError> {
        let Self { processor, ledger, control } = self;
        let gap = now.saturating_sub(ledger.cycle());
        processor.core.idle(Class::Dispatch, gap, ledger, &mut ());
        // Fetch and dispatch are counted by the sender.
        control.prefetched = true;
        processor.step(0, *instruction, control, ledger, &mut ())?;
        Ok(ledger.cycle())
    }

    /// The next bit of a scan register.
    ///
    /// # Errors
    /// The register has no bits left.
    pub fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault> {
        self.control.next_bit(reg)
    }

    /// Sets a row of the global bank.
    ///
    /// # Errors
    /// No such row.
    pub fn write_global(&mut self, row: u32, value: Row<F>) -> Result<(), MachineError> {
        self.processor.write_global(row, value)
    }

    /// A row of the global bank; `None` if nothing was ever written there.
    pub fn read_global(&self, row: u32) -> Option<Row<F>> {
        self.processor.read_global(row)
    }

    /// The counts of the run so far.
    pub fn run(&self) -> Run {
        self.processor.close(self.ledger.clone())
    }
}
