//! The board a command runs on, from the command line.

use crate::args::{Cli, Machines};
use crate::failure::{ArgumentError, Failure};
use pairwright::aie::settings;
use pairwright::device::Device;
use pairwright::{BoardPlan, Boards, CPU_AIE, CPU_MTU, Slot};

/// What parameters of the tree unit begin with where those of the chip may stand beside them.
const UNIT: &str = "mtu.";
/// The same of a board with AI Engines.
const ENGINES: &str = "aie.";

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
        let (of_unit, others): (Vec<_>, Vec<_>) =
            self.design.settings()?.into_iter().partition(|(field, _)| field.starts_with(UNIT));
        let (of_engines, of_chip): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(field, _)| field.starts_with(ENGINES));
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
        if !plan.has(CPU_AIE) && !of_engines.is_empty() {
            return Err(ArgumentError::NoEngines.into());
        }
        for (path, value) in of_engines {
            let path = path.strip_prefix(ENGINES).unwrap_or(path);
            let why = |why| ArgumentError::Field { option: "--set aie", why: Box::new(why) };
            plan.designs.aie = settings::with(&plan.designs.aie, path, value).map_err(why)?;
        }
        plan.designs.aie.check().map_err(Failure::bad)?;
        Ok(plan)
    }

    /// Builds the board that the options describe.
    pub(crate) fn board<E: Boards>(&self, cli: &Cli) -> Result<Device<E>, Failure> {
        self.plan(cli)?.build().map_err(Failure::bad)
    }
}
