//! The board a command runs on, from the command line.

use crate::args::{Cli, Machines};
use crate::failure::{ArgumentError, Failure};
use pairwright::device::Device;
use pairwright::{BoardPlan, Boards, Slot};

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
        let chips = Slot::ALL.into_iter().any(|slot| plan.at(slot) == "chip");
        if chips {
            plan.chip = self.design.spec()?;
        } else if self.design.given() {
            return Err(ArgumentError::NoChip.into());
        }
        Ok(plan)
    }

    /// The board.
    pub(crate) fn board<E: Boards>(&self, cli: &Cli) -> Result<Device<E>, Failure> {
        self.plan(cli)?.build().map_err(Failure::bad)
    }
}
