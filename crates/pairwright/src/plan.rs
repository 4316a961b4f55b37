//! Boards with several machines: the assignment of devices to slots.

use crate::registry::{Boards, NoDevice};
use pairwright_aie::system::System;
use pairwright_chip::MachineSpec;
use pairwright_device::{Device, Slot};
use std::collections::BTreeMap;

/// The design parameters of the modelled machines, for boards that contain one.
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
    /// The designs published in the papers.
    fn default() -> Self {
        let (chip, mtu) = (MachineSpec::paper(), pairwright_mtu::UnitConfig::paper());
        Self { chip, mtu, aie: System::default() }
    }
}

/// The specification of a board: a device for all slots, and other devices in single slots.
///
/// ```
/// use pairwright::{BoardPlan, Slot, curve::bn254::Bn254};
/// let mut plan = BoardPlan::new("cpu");
/// plan.slots.insert(Slot::Vec, "reference".to_owned());
/// assert_eq!(plan.build::<Bn254>().unwrap().name, "mixed");
/// ```
#[derive(Clone, Debug)]
pub struct BoardPlan {
    /// Name of the device in every slot that is not in `slots`.
    pub device: String,
    /// Names of the devices in single slots.
    pub slots: BTreeMap<Slot, String>,
    /// The designs of the modelled machines that are on the board.
    pub designs: Designs,
}

impl BoardPlan {
    /// A board with one device in every slot; modelled machines have the published designs.
    pub fn new(device: impl Into<String>) -> Self {
        Self { device: device.into(), slots: BTreeMap::new(), designs: Designs::default() }
    }

    /// The name of the device in a slot.
    pub fn at(&self, slot: Slot) -> &str {
        self.slots.get(&slot).unwrap_or(&self.device)
    }

    /// Whether a device with this name is in any slot.
    pub fn has(&self, device: &str) -> bool {
        Slot::ALL.iter().any(|slot| self.at(*slot) == device)
    }

    /// Builds the board. Its name is that of the device, or `mixed` if there is more than one; every operator's cost states
    /// which machine it ran on.
    ///
    /// # Errors
    /// [`NoDevice`]: a name is unknown, or a device is not available.
    pub fn build<E: Boards>(&self) -> Result<Device<E>, NoDevice> {
        let mut board = E::board(&self.device, &self.designs)?;
        let mut others: BTreeMap<&str, Device<E>> = BTreeMap::new();
        for (slot, name) in &self.slots {
            if *name == self.device {
                continue;
            }
            // A device in two slots is built once: both slots share the machine.
            if !others.contains_key(name.as_str()) {
                others.insert(name, E::board(name, &self.designs)?);
            }
            let other = &others[name.as_str()];
            board = board.with_slot_of(*slot, other);
        }
        Ok(if others.is_empty() { board } else { board.named("mixed") })
    }
}
