//! Operations of the polynomial engine in a run without data: each different one is simulated once.
//!
//! No address, stage or product of such an operation depends on a word, and it begins with an idle engine. So its counts are
//! those of every equal operation: the same instruction on a set of banks, with any words. The first of each is run cycle by
//! cycle on an engine of its own, and its counts are used for the others.

use super::error::Fault;
use crate::isa::L1;
use crate::machine::poly::map::{BANKS, C_BANKS, C_ROWS, Cell, ROWS};
use crate::machine::poly::{Bank, PolyOp, PolySpec, PolyWork, RowTables};
use pairwright_field::PrimeField;

/// The counts of the operations that were simulated.
#[derive(Debug, Default)]
pub(super) struct Timed {
    known: Vec<(L1, PolyWork)>,
}

impl Timed {
    /// The counts of an instruction, in which set and stream are replaced by one value for all equal ones; `run` simulates
    /// it on set 0 of an engine whose banks are full.
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

/// An engine with a word in every cell of its banks.
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
