//! Builds the board that a command runs on from the options of the command line.

use crate::args::{Cli, Machines};
use crate::commands::design::Base;
use crate::failure::{ArgumentError, Failure};
use pairwright::chip::MachineSpec;
use pairwright::device::Device;
use pairwright::{BoardPlan, Boards, CPU_AIE, CPU_MTU, Slot};

impl Machines {
    /// The plan of the board that `--device`, `--slot` and the options of designs describe.
    pub(crate) fn plan(&self) -> Result<BoardPlan, Failure> {
        let mut plan = BoardPlan::new(&self.device);
        for text in &self.slot {
            let (slot, name) = text.split_once('=').ok_or_else(|| ArgumentError::SlotChoice(text.clone()))?;
            let slot: Slot = slot.trim().parse().map_err(Failure::bad)?;
            if plan.slots.insert(slot, name.trim().to_owned()).is_some() {
                return Err(ArgumentError::SlotTwice(slot).into());
            }
        }
        let mut changes = self.design.changes()?;
        let unit = changes.take_section("mtu", "--set mtu");
        let engines = changes.take_section("aie", "--set aie");
        if plan.has("chip") {
            plan.designs.chip =
                Base::changed(&self.design, changes, MachineSpec::DESIGNS, Vec::new())?.built(&[])?;
        } else if self.design.base_given() || !changes.is_empty() {
            return Err(ArgumentError::NoChip.into());
        }
        if !plan.has(CPU_MTU) && !unit.is_empty() {
            return Err(ArgumentError::NoUnit.into());
        }
        if !plan.has(CPU_AIE) && !engines.is_empty() {
            return Err(ArgumentError::NoEngines.into());
        }
        plan.designs.mtu = unit.build(&plan.designs.mtu)?;
        plan.designs.aie = engines.build(&plan.designs.aie)?;
        Ok(plan)
    }

    /// Builds the board that the options describe. The command's warnings will name the slots for whose operators a machine had too
    /// little memory.
    pub(crate) fn board<E: Boards>(&self, cli: &Cli) -> Result<Device<E>, Failure> {
        let board = self.plan()?.build().map_err(Failure::bad)?;
        cli.warnings.watch(&board.logs);
        Ok(board)
    }
}
