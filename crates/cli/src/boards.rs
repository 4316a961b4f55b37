//! The board a command runs on, from the command line.

use crate::args::{Cli, Machines};
use crate::failure::{ArgumentError, Failure};
use pairwright::device::Device;
use pairwright::{BoardPlan, Boards, CPU_MTU, Slot};

/// What parameters of the tree unit begin with where those of the chip may stand beside them.
const UNIT: &str = "mtu.";

impl Machines {
    /// What `--device` and `--slot` ask for.
    pub(crate) fn plan(&self, cli: &Cli) -> Result<BoardPlan, Failure> {
        let mut plan = BoardPlan::new(&cli.device);
        for text in &self.slot {
            let (slot, name) = text.split_once('=').ok_or_else(|| ArgumentError::SlotChoice(text.clone()))?;
            let slot: Slot = slot.trim().parse().map_err(Failure::bad)?;
            if plan.slots.insert(slot, name.trim().to_owned()).is_some() {
                return Err(ArgumentError::SlotTwice(slot).into());
            }
        }
        let (of_unit, of_chip): (Vec<_>, Vec<_>) =
            self.design.settings()?.into_iter().partition(|(field, _)| field.starts_with(UNIT));
        if plan.has("chip") {
            plan.designs.chip = self.design.spec_with(of_chip)?;
        } else if self.design.base_given() || !of_chip.is_empty() {
            return Err(ArgumentError::NoChip.into());
        }
        if !plan.has(CPU_MTU) && !of_unit.is_empty() {
            return Err(ArgumentError::NoUnit.into());
        }
        for (field, value) in of_unit {
            let field = field.strip_prefix(UNIT).unwrap_or(field);
            plan.designs.mtu = plan.designs.mtu.with(field, value).map_err(Failure::bad)?;
        }
        Ok(plan)
    }

    /// The board.
    pub(crate) fn board<E: Boards>(&self, cli: &Cli) -> Result<Device<E>, Failure> {
        self.plan(cli)?.build().map_err(Failure::bad)
    }
}
