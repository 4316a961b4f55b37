//! Boards of several machines: which device is in which slot.

use crate::registry::{Boards, NoDevice};
use pairwright_aie::system::System;
use pairwright_chip::MachineSpec;
use pairwright_device::{Device, Slot};
use std::collections::BTreeMap;

/// The designs of the modelled machines, for the boards that have one.
#[derive(Clone, Debug)]
pub struct Designs {
    /// The crypto-processor, `chip`.
    pub chip: MachineSpec,
    /// The tree unit of `cpu+mtu`.
    pub mtu: pairwright_mtu::UnitConfig,
    /// The board with AI Engines, `cpu+aie`.
    pub aie: System,
}

impl Default for Designs {
    /// The published ones.
    fn default() -> Self {
        let (chip, mtu) = (MachineSpec::paper(), pairwright_mtu::UnitConfig::paper());
        Self { chip, mtu, aie: System::default() }
    }
}

/// A board as it is asked for: a device, and others in single slots.
///
/// ```
/// use pairwright::{BoardPlan, Slot, curve::bn254::Bn254};
/// let mut plan = BoardPlan::new("cpu");
/// plan.slots.insert(Slot::Vec, "reference".to_owned());
/// assert_eq!(plan.build::<Bn254>().unwrap().name, "mixed");
/// ```
#[derive(Clone, Debug)]
pub struct BoardPlan {
    /// The device in every slot that is not named.
    pub device: String,
    /// The devices in the slots that are.
    pub slots: BTreeMap<Slot, String>,
    /// The designs of modelled machines, if one is on the board.
    pub designs: Designs,
}

impl BoardPlan {
    /// One device in every slot; modelled machines are the published ones.
    pub fn new(device: impl Into<String>) -> Self {
        Self { device: device.into(), slots: BTreeMap::new(), designs: Designs::default() }
    }

    /// The device in a slot.
    pub fn at(&self, slot: Slot) -> &str {
        self.slots.get(&slot).unwrap_or(&self.device)
    }

    /// Whether a device is in any slot.
    pub fn has(&self, device: &str) -> bool {
        Slot::ALL.iter().any(|slot| self.at(*slot) == device)
    }

    /// The board. Its name is the device's, or `mixed` if there is more than one; every operator's cost says which
    /// machine it ran on.
    ///
    /// # Errors
    /// [`NoDevice`]: a name is unknown, or a device is not there.
    pub fn build<E: Boards>(&self) -> Result<Device<E>, NoDevice> {
        let mut board = E::board(&self.device, &self.designs)?;
        let mut others: BTreeMap<&str, Device<E>> = BTreeMap::new();
        for (slot, name) in &self.slots {
            if *name == self.device {
                continue;
            }
            // A machine that is in two slots is one machine.
            if !others.contains_key(name.as_str()) {
                others.insert(name, E::board(name, &self.designs)?);
            }
            let other = &others[name.as_str()];
            board = board.with_slot_of(*slot, other);
        }
        Ok(if others.is_empty() { board } else { board.named("mixed") })
    }
}
