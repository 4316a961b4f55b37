//! The memory switcher, which moves rows between the global bank and the register banks.

use super::execute::Pipeline;
use super::ledger::Ledger;
use super::probe::{MovedRow, Probe, row_digits};
use super::run::Class;
use crate::isa::{Direction, Loc};
use crate::machine::datapath::{Datapath, Row};
use crate::machine::error::Fault;
use pairwright_sim::Banks;

/// A transfer: `rows` rows from consecutive rows of the global bank to consecutive linear addresses, or back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) direction: Direction,
    pub(super) rows: u32,
    pub(super) global: u32,
    pub(super) local: u32,
}

impl Transfer {
    /// Moves the rows, `per_cycle` at a time, through the ports of both memories.
    pub(super) fn run<F: Datapath, P: Probe>(
        self,
        core: &mut Pipeline<F>,
        global: &mut Banks<Row<F>>,
        per_cycle: u32,
        ledger: &mut Ledger,
        probe: &mut P,
    ) -> Result<(), Fault> {
        global.skip(core.banks.cycle() - global.cycle());
        let per_cycle = per_cycle.max(1);
        for first in (0..self.rows).step_by(per_cycle as usize) {
            for i in first..self.rows.min(first + per_cycle) {
                let address = self.local + i;
                let at = u8::try_from(address).map(Loc::linear).unwrap_or(Loc { bank: 3, row: 85 });
                let (bank, row) = (u32::from(at.bank), u32::from(at.row));
                if bank >= core.banks.banks() || row >= core.banks.rows() {
                    return Err(Fault::Local { address, at });
                }
                let value = match self.direction {
                    Direction::In => {
                        let value = global.read(0, self.global + i)?;
                        core.banks.write(bank, row, value)?;
                        value
                    }
                    Direction::Out => {
                        let value = core.banks.read(bank, row)?;
                        global.write(0, self.global + i, value)?;
                        value
                    }
                };
                if P::ACTIVE {
                    let (direction, global) = (self.direction, self.global + i);
                    let moved = MovedRow { direction, global, local: at, value: row_digits(&value) };
                    probe.moved(ledger.cycle(), &moved);
                }
                ledger.run.switched_rows += 1;
            }
            global.tick();
            core.idle(Class::Switch, 1, ledger, probe);
        }
        Ok(())
    }
}
