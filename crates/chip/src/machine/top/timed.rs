//! Operations of the polynomial engine in a run without data: each is simulated once.
//!
//! No address, no stage and no product of such an operation depends on a word, and it begins with an engine at rest. So what
//! one takes is what every equal one takes: the same instruction on a set of banks, with whatever words. The first of each is
//! run cycle by cycle on an engine of its own; the others count what it took.

use super::error::Fault;
use crate::isa::L1;
use crate::machine::poly::map::{BANKS, C_BANKS, C_ROWS, Cell, ROWS};
use crate::machine::poly::{Bank, PolyOp, PolySpec, PolyWork, RowTables};
use pairwright_field::PrimeField;

/// What operations took that were simulated.
#[derive(Debug, Default)]
pub(super) struct Timed {
    known: Vec<(L1, PolyWork)>,
}

impl Timed {
    /// What an instruction takes, its source and its stream set to one value for all equal ones; `run` simulates it on set 0
    /// of an engine whose banks are full.
    pub(super) fn take<F: PrimeField>(
        &mut self,
        instruction: L1,
        config: &PolySpec,
        run: impl FnOnce(&mut PolyOp<F>) -> Result<PolyWork, Fault>,
    ) -> Result<PolyWork, Fault> {
        if let Some((_, work)) = self.known.iter().find(|(known, _)| *known == instruction) {
            return Ok(*work);
        }
        let work = run(&mut full(config)?)?;
        self.known.push((instruction, work));
        Ok(work)
    }
}

/// An engine with a word everywhere.
fn full<F: PrimeField>(config: &PolySpec) -> Result<PolyOp<F>, Fault> {
    let mut engine = PolyOp::<F>::new(config)?;
    let mut fill = |memory, banks, rows| -> Result<(), Fault> {
        for bank in 0..banks {
            for row in 0..rows {
                engine.poke(memory, 0, Cell { bank, row }, F::ONE)?;
            }
        }
        Ok(())
    };
    fill(Bank::B, BANKS, ROWS)?;
    fill(Bank::A, BANKS, ROWS)?;
    fill(Bank::C, C_BANKS, C_ROWS)?;
    if config.row_tables == RowTables::Generate {
        fill(Bank::Base, C_BANKS, C_ROWS)?;
    }
    Ok(engine)
}
