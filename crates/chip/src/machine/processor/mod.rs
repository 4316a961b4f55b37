//! The pairing processor, cycle by cycle and bit for bit.
//!
//! An L1 program moves rows between the global bank and the register banks, and calls L2 routines. Within a routine a cycle
//! is an issue slot; the timing is that of [`MachineSpec`]. Rows hold residues in Montgomery form, and every product passes
//! the stages of the configurable multiplier.
//!
//! Modules: [`front`] fetches and decodes; [`execute`] reads, executes, forwards and writes back; [`switcher`] moves rows;
//! [`control`] is the state of the L1 program; [`ledger`] counts its cycles; [`run`] is the report; [`probe`] is the
//! interface of watchers.

mod control;
mod driven;
mod execute;
mod front;
mod ledger;
mod probe;
mod run;
mod switcher;
#[cfg(test)]
mod tests;

pub use driven::Driven;
pub use probe::{Issue, MovedRow, Probe, Registers, RowDigits, Snapshot};
pub use run::{Class, CycleCount, Forwards, PerChannel, RoutineRun, Run};

use super::datapath::{Datapath, Row};
use super::error::{Fault, MachineError};
use crate::isa::{Image, L1, L2, Loc};
use crate::spec::MachineSpec;
use control::Control;
use execute::Pipeline;
use ledger::Ledger;
use pairwright_sim::{Banks, Ports, SimError};
use std::collections::BTreeMap;
use switcher::Transfer;

/// The pairing processor over a base field, with its instruction memories and banks.
#[derive(Clone, Debug)]
pub struct Processor<F> {
    spec: MachineSpec,
    l1: Vec<L1>,
    names: BTreeMap<u16, String>,
    core: Pipeline<F>,
    global: Banks<Row<F>>,
}

impl<F: Datapath> Processor<F> {
    /// The processor of a design with an image in its instruction memories and empty banks.
    ///
    /// # Errors
    /// A word that is no instruction, an image that is too long for the memories, or an inverter whose interval is
    /// shorter than a product.
    pub fn new(spec: &MachineSpec, image: &Image) -> Result<Self, MachineError> {
        fn decode<T>(
            memory: &'static str,
            words: &[u32],
            decode: impl Fn(u32) -> Result<T, crate::isa::IsaError>,
        ) -> Result<Vec<T>, MachineError> {
            let word =
                |(address, word)| decode(word).map_err(|why| MachineError::Word { memory, address, why });
            words.iter().copied().enumerate().map(word).collect()
        }
        let l1 = decode("L1", &image.l1, L1::decode)?;
        let l2 = decode("L2", &image.l2, L2::decode)?;
        let mut processor = Self::with_instructions(spec, l1, l2)?;
        processor.names = image.l2_labels.iter().map(|(name, addr)| (*addr, name.clone())).collect();
        Ok(processor)
    }

    /// The processor of a design with these decoded instructions and empty banks.
    ///
    /// # Errors
    /// Too many instructions, or an inverter whose interval is shorter than a product.
    pub fn with_instructions(spec: &MachineSpec, l1: Vec<L1>, l2: Vec<L2>) -> Result<Self, MachineError> {
        for (memory, words, program) in
            [("L1", spec.control.l1_words, l1.len()), ("L2", spec.control.l2_words, l2.len())]
        {
            if program > words as usize {
                return Err(MachineError::Memory { memory, words, program });
            }
        }
        let per_cycle = spec.switcher.rows_per_cycle;
        let ports = Ports { reads: per_cycle, writes: per_cycle };
        Ok(Self {
            l1,
            names: BTreeMap::new(),
            core: Pipeline::new(spec, l2)?,
            global: Banks::new(1, spec.switcher.global_rows, ports),
            spec: spec.clone(),
        })
    }

    /// Returns the design that was built.
    pub fn spec(&self) -> &MachineSpec {
        &self.spec
    }

    /// Sets a row of the global bank, as the host does before a run.
    ///
    /// # Errors
    /// No such row.
    pub fn write_global(&mut self, row: u32, value: Row<F>) -> Result<(), MachineError> {
        let rows = self.global.rows();
        self.global.poke(0, row, value).map_err(|_| MachineError::Row { row, rows })
    }

    /// A row of the global bank; `None` if nothing was ever written there.
    pub fn read_global(&self, row: u32) -> Option<Row<F>> {
        self.global.peek(0, row).copied()
    }

    /// Sets a row of the register banks directly, without the switcher.
    ///
    /// # Errors
    /// No such row in this design.
    pub fn write_local(&mut self, at: Loc, value: Row<F>) -> Result<(), MachineError> {
        let (row, rows) = (u32::from(at.address()), self.spec.rows());
        self.core
            .banks
            .poke(at.bank.into(), at.row.into(), value)
            .map_err(|_| MachineError::Row { row, rows })
    }

    /// A row of the register banks; `None` if nothing was ever written there.
    pub fn read_local(&self, at: Loc) -> Option<Row<F>> {
        self.core.banks.peek(at.bank.into(), at.row.into()).copied()
    }

    /// Forgets the values of all banks.
    pub fn clear(&mut self) {
        self.core.banks.clear();
        self.global.clear();
    }

    /// Runs the L1 program from address 0 to its `finish`. The banks keep their values before and after the run.
    ///
    /// # Errors
    /// A request that the hardware cannot serve, with cycle and instruction; or a program that is not finished after about
    /// `limit` cycles, which is checked at each L1 instruction.
    pub fn run(&mut self, limit: u64) -> Result<Run, MachineError> {
        self.run_watched(limit, &mut ())
    }

    /// [`Processor::run`] with a probe that observes the run.
    ///
    /// # Errors
    /// As [`Processor::run`].
    pub fn run_watched<P: Probe>(&mut self, limit: u64, probe: &mut P) -> Result<Run, MachineError> {
        self.start();
        let mut ledger = Ledger::new(F::FIELD);
        let mut control = Control::default();
        let mut next = Some(0);
        while let Some(pc) = next {
            // Instructions count too: on a design that dispatches in zero cycles a loop takes no cycles.
            if ledger.cycle().max(ledger.run.l1_instructions) >= limit {
                return Err(MachineError::Limit { limit, pc });
            }
            let instruction =
                *self.l1.get(pc).ok_or(MachineError::L1Address { cycle: ledger.cycle(), pc })?;
            let start = ledger.cycle();
            next = self.step(pc, instruction, &mut control, &mut ledger, probe)?;
            if P::ACTIVE {
                probe.control(start, ledger.cycle(), pc as u16, &instruction);
                probe.registers(ledger.cycle(), &control.registers());
            }
        }
        Ok(self.close(ledger))
    }

    /// Runs one routine as `pair_op` does, and nothing else.
    ///
    /// # Errors
    /// A request that the hardware cannot serve.
    pub fn call(&mut self, addr: u16) -> Result<Run, MachineError> {
        self.call_watched(addr, &mut ())
    }

    /// [`Processor::call`] with a probe that observes the run.
    ///
    /// # Errors
    /// As [`Processor::call`].
    pub fn call_watched<P: Probe>(&mut self, addr: u16, probe: &mut P) -> Result<Run, MachineError> {
        self.start();
        let mut ledger = Ledger::new(F::FIELD);
        let mut control = Control::default();
        self.step(0, L1::PairOp { addr }, &mut control, &mut ledger, probe)?;
        Ok(self.close(ledger))
    }

    fn start(&mut self) {
        self.core.flush();
        self.global.restart();
    }

    fn close(&self, mut ledger: Ledger) -> Run {
        ledger.run.banks = self.core.banks.traffic().collect();
        ledger.close()
    }

    /// Executes an L1 instruction and returns the address of the next one, or `None` at the end.
    fn step<P: Probe>(
        &mut self,
        pc: usize,
        instruction: L1,
        control: &mut Control,
        ledger: &mut Ledger,
        probe: &mut P,
    ) -> Result<Option<usize>, MachineError> {
        let since = ledger.cycle();
        ledger.l1_pc = pc as u16;
        ledger.run.l1_instructions += 1;
        if !control.prefetched {
            self.core.idle(Class::Dispatch, self.spec.control.dispatch.into(), ledger, probe);
        }
        let busy = matches!(instruction, L1::PairOp { .. } | L1::PairRepeat { .. } | L1::Switch { .. });
        control.prefetched = self.spec.control.prefetch && busy;
        let fault = |cycle: u64| {
            move |fault: Fault| MachineError::Control {
                cycle,
                pc: pc as u16,
                instruction: instruction.to_string(),
                fault,
            }
        };
        match instruction {
            L1::PairOp { addr } | L1::PairRepeat { addr, .. } => {
                let times = match instruction {
                    L1::PairRepeat { times, .. } if self.spec.control.repeat => times,
                    L1::PairRepeat { .. } => return Err(fault(ledger.cycle())(Fault::NoRepeat)),
                    _ => 1,
                };
                let name = self.names.get(&addr);
                if P::ACTIVE {
                    probe.call(ledger.cycle(), addr, name.map(String::as_str));
                }
                let slots = self.core.routine(addr, times, self.spec.control.fill, ledger, probe)?;
                ledger.routine(addr, name, (times, slots), since);
            }
            L1::Switch { direction, rows, global, local } => {
                let transfer =
                    Transfer { direction, rows: rows.into(), global: global.into(), local: local.into() };
                let per_cycle = self.spec.switcher.rows_per_cycle;
                transfer
                    .run(&mut self.core, &mut self.global, per_cycle, ledger, probe)
                    .map_err(|why| fault(ledger.cycle())(why))?;
            }
            L1::LoadScan { reg, bits, global } => {
                // Control reads the global bank through a port of its own, not through the switcher's.
                let (row, rows) = (u32::from(global), self.global.rows());
                let value = self.read_global(row).ok_or_else(|| {
                    let cycle = ledger.cycle();
                    fault(cycle)(Fault::Bank(if row < rows {
                        SimError::Unwritten { bank: 0, row, cycle }
                    } else {
                        SimError::Address { bank: 0, row, banks: 1, rows }
                    }))
                })?;
                control.load_scan(reg, value.c0.digits(), bits);
            }
            L1::SetField { field } if field == F::FIELD => {}
            L1::SetField { .. } => return Err(fault(ledger.cycle())(Fault::OtherField(F::FIELD))),
            L1::Jump { .. } | L1::Scan { .. } | L1::Loop { .. } | L1::Finish => {}
            L1::SubNtt { .. }
            | L1::GenTwiddles { .. }
            | L1::Vector { .. }
            | L1::MsmOp1 { .. }
            | L1::MsmInitP2
            | L1::MsmInitP3
            | L1::Load { .. }
            | L1::Store { .. } => return Err(fault(ledger.cycle())(Fault::OtherEngine)),
        }
        control.next(pc, &instruction).map_err(fault(ledger.cycle()))
    }
}
