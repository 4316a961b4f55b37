//! Execution of programs: one, or several in sequence on the same global bank.

use super::{Program, Region, Value};
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::IsaError;
use pairwright_chip::machine::top::Account;
use pairwright_chip::machine::{Datapath, MachineError, Probe, Processor, Run};
use pairwright_chip::operator::{self, OperatorError, Outcome};
use pairwright_field::{PrimeField, Quad};
use std::collections::BTreeMap;
use thiserror::Error;

/// The inputs of a program: named regions of the global bank and the contents of their rows.
pub type Inputs<F> = Vec<(&'static str, Vec<Value<F>>)>;

/// Why a run has no result.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// An input or a result for which the program has no region of this name and size.
    #[error("the program has no region {name} of {rows} rows")]
    Region {
        /// Name of the region.
        name: String,
        /// The number of rows requested.
        rows: usize,
    },
    /// The program did not end within this number of L1 instructions, or has an instruction of another engine.
    #[error("the program does not come to its end within {0} instructions")]
    Steps(u64),
    /// The program ran to its end with a negative verdict.
    #[error("the program rejects its input")]
    Rejected,
    /// A word that is not a valid instruction.
    #[error(transparent)]
    Word(#[from] IsaError),
    /// The machine stopped with an error.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

/// Why a run of a chain on the whole chip has no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChipRunError {
    /// A chain without programs.
    #[error("a chain without programs")]
    NoProgram,
    /// The inputs do not fit the programs.
    #[error(transparent)]
    Inputs(#[from] RunError),
    /// The chip stopped with an error.
    #[error(transparent)]
    Chip(#[from] OperatorError),
}

/// Programs that run one after the other; each starts with the global bank as the previous one left it. The instruction
/// memories are reloaded between two programs.
#[derive(Clone, Debug)]
pub struct Chain<F> {
    /// The programs in execution order.
    pub phases: Vec<Program<F>>,
}

/// The contents of the global bank after a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bank<F> {
    rows: Vec<Option<Value<F>>>,
    regions: BTreeMap<String, Region>,
}

impl<F: PrimeField> Bank<F> {
    /// The rows of a region of `N` rows; a row that was never written is zero.
    ///
    /// # Errors
    /// No region of this name and size.
    pub fn get<const N: usize>(&self, name: &str) -> Result<[Value<F>; N], RunError> {
        let rows = self.rows(name, N)?;
        Ok(std::array::from_fn(|i| rows[i]))
    }

    /// The rows of a region of `size` rows; a row that was never written is zero.
    ///
    /// # Errors
    /// No region of this name and size.
    pub fn rows(&self, name: &str, size: usize) -> Result<Vec<Value<F>>, RunError> {
        let missing = || RunError::Region { name: name.to_owned(), rows: size };
        let region = self.regions.get(name).filter(|r| usize::from(r.rows) == size).ok_or_else(missing)?;
        let zero = Quad::new(F::ZERO, F::ZERO);
        let first = usize::from(region.at);
        Ok(self.rows[first..first + size].iter().map(|row| row.unwrap_or(zero)).collect())
    }
}

impl<F> From<Program<F>> for Chain<F> {
    fn from(program: Program<F>) -> Self {
        Self { phases: vec![program] }
    }
}

impl<F: PrimeField> Chain<F> {
    /// The named regions of all phases.
    pub fn regions(&self) -> BTreeMap<String, Region> {
        self.phases.iter().flat_map(|p| p.regions.clone()).collect()
    }

    /// The number of rows of the global bank that the programs use, for regions and constants.
    pub fn global_rows(&self) -> usize {
        let regions = |p: &Program<F>| p.regions.values().map(|r| r.at + r.rows.saturating_sub(1)).max();
        let constants = |p: &Program<F>| p.constants.iter().map(|(row, _)| *row).max();
        let last = self.phases.iter().filter_map(|p| regions(p).max(constants(p))).max();
        last.map_or(0, |row| usize::from(row) + 1)
    }

    fn loaded(&self, inputs: &Inputs<F>) -> Result<Bank<F>, RunError> {
        let (mut rows, regions) = (vec![None; 256], self.regions());
        for (name, values) in inputs {
            let fits = regions.get(*name).filter(|r| usize::from(r.rows) == values.len());
            let missing = || RunError::Region { name: (*name).to_owned(), rows: values.len() };
            let at = usize::from(fits.ok_or_else(missing)?.at);
            for (i, value) in values.iter().enumerate() {
                rows[at + i] = Some(*value);
            }
        }
        Ok(Bank { rows, regions })
    }

    /// Runs the programs in the interpreter, which has no clock, and returns the bank.
    ///
    /// # Errors
    /// Inputs without a region, invalid instruction words, or no end within `steps` L1 instructions per program.
    pub fn interpret(&self, inputs: &Inputs<F>, steps: u64) -> Result<Bank<F>, RunError> {
        let mut bank = self.loaded(inputs)?;
        for program in &self.phases {
            bank.fill(program);
            let zero = Quad::new(F::ZERO, F::ZERO);
            let global: Vec<_> = bank.rows.iter().map(|r| r.unwrap_or(zero)).collect();
            let after = program.interpret(&global, steps)?.ok_or(RunError::Steps(steps))?;
            bank.rows = after.into_iter().map(Some).collect();
        }
        Ok(bank)
    }
}

impl<F: Datapath> Chain<F> {
    /// Runs the programs on the modelled processor and returns the bank and the account of each run.
    ///
    /// # Errors
    /// Inputs without a region, or an error of the machine; `limit` bounds the cycles of each program.
    pub fn run(&self, inputs: &Inputs<F>, limit: u64) -> Result<(Bank<F>, Vec<Run>), RunError> {
        self.run_watched(inputs, limit, &mut ())
    }

    /// [`Self::run`] with a probe that observes the run.
    ///
    /// # Errors
    /// The errors of [`Self::run`].
    pub fn run_watched<P: Probe>(
        &self,
        inputs: &Inputs<F>,
        limit: u64,
        probe: &mut P,
    ) -> Result<(Bank<F>, Vec<Run>), RunError> {
        let mut bank = self.loaded(inputs)?;
        let mut runs: Vec<Run> = Vec::new();
        for program in &self.phases {
            bank.fill(program);
            let mut processor = Processor::new(&program.spec, &program.image)?;
            for (row, value) in bank.rows.iter().enumerate() {
                if let Some(value) = value {
                    processor.write_global(row as u32, *value)?;
                }
            }
            probe.program(runs.iter().map(|run| run.cycles).sum());
            runs.push(processor.run_watched(limit, probe)?);
            for (row, value) in bank.rows.iter_mut().enumerate() {
                *value = processor.read_global(row as u32);
            }
        }
        Ok((bank, runs))
    }

    /// Runs the programs with every L1 instruction dispatched by the chip's sender; the global bank is loaded from DRAM
    /// and stored back there. Returns the account of the chip and that of the pairing processor in each program.
    /// Between two programs the CPU reloads the instruction memories, which takes no cycles in this model.
    ///
    /// # Errors
    /// Inputs without a region, a chain without programs, or an error of the chip.
    pub fn run_on_chip(
        &self,
        spec: &MachineSpec,
        inputs: &Inputs<F>,
    ) -> Result<(Outcome<Bank<F>>, Vec<Run>), ChipRunError> {
        let mut value = self.loaded(inputs)?;
        let used = self.global_rows();
        let mut runs = Vec::new();
        let mut whole: Option<Account> = None;
        for program in &self.phases {
            value.fill(program);
            let (account, run) = operator::routines(spec, &program.image, &mut value.rows[..used])?;
            runs.extend(run);
            whole = Some(match whole.take() {
                Some(earlier) => earlier.then(&account),
                None => account,
            });
        }
        Ok((Outcome { value, account: whole.ok_or(ChipRunError::NoProgram)? }, runs))
    }

    /// The machine for which the programs are compiled; `None` for a chain without programs.
    pub fn spec(&self) -> Option<&MachineSpec> {
        self.phases.first().map(|p| &p.spec)
    }
}

impl<F: PrimeField> Bank<F> {
    fn fill(&mut self, program: &Program<F>) {
        for (row, value) in &program.constants {
            self.rows[usize::from(*row)] = Some(*value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jubjub;
    use pairwright_chip::compiler::Options;

    #[test]
    fn wrong_inputs_and_results_are_named() {
        let chain =
            jubjub::doubling(&MachineSpec::paper(), &Options { seeds: 1, ..Options::default() }).unwrap();
        let one = crate::control::one();
        let region = |name: &str, rows| RunError::Region { name: name.to_owned(), rows };
        let refused = |inputs: Inputs<_>| chain.interpret(&inputs, 100).unwrap_err();
        assert_eq!(refused(vec![("q", vec![one; 4])]), region("q", 4));
        assert_eq!(refused(vec![("p", vec![one; 3])]), region("p", 3));
        let inputs = vec![("p", vec![one; 4])];
        assert_eq!(chain.interpret(&inputs, 3).unwrap_err(), RunError::Steps(3));
        let bank = chain.interpret(&inputs, 100).unwrap();
        assert_eq!(bank.get::<3>("result").unwrap_err(), region("result", 3));
        // Reading a row that was never filled stops the machine.
        assert!(matches!(chain.run(&Vec::new(), 100_000), Err(RunError::Machine(_))));
    }
}
