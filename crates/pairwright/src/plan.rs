//! Boards of several machines: which device is in which slot.

use crate::registry::{Boards, NoDevice};
use core::{fmt, str::FromStr};
use pairwright_aie::system::System;
use pairwright_chip::MachineSpec;
use pairwright_device::Device;
use pairwright_mtu::Traversal;
use std::collections::BTreeMap;

/// A slot of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Number-theoretic transforms, plain and on cosets.
    Ntt,
    /// Arithmetic on vectors, element by element.
    Vec,
    /// Multi-scalar multiplication in the first group.
    G1,
    /// Multi-scalar multiplication in the second group.
    G2,
    /// Products of pairings.
    Pairing,
    /// Trees over vectors: eq tables, evaluations, products.
    Tree,
    /// Rounds of sumchecks.
    Sumcheck,
}

impl Slot {
    /// Every slot, in the order of the board.
    pub const ALL: [Self; 7] =
        [Self::Ntt, Self::Vec, Self::G1, Self::G2, Self::Pairing, Self::Tree, Self::Sumcheck];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ntt => "ntt",
            Self::Vec => "vec",
            Self::G1 => "g1",
            Self::G2 => "g2",
            Self::Pairing => "pairing",
            Self::Tree => "tree",
            Self::Sumcheck => "sumcheck",
        }
    }
}

impl FromStr for Slot {
    type Err = NoDevice;

    fn from_str(name: &str) -> Result<Self, NoDevice> {
        Self::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| NoDevice::Slot(name.to_owned()))
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The designs of the modelled machines, for the boards that have one.
#[derive(Clone, Debug)]
pub struct Designs {
    /// The crypto-processor, `chip`.
    pub chip: MachineSpec,
    /// The tree unit of `cpu+mtu`.
    pub mtu: pairwright_mtu::Config,
    /// The order in which it computes a tree.
    pub traversal: Traversal,
    /// The board with AI Engines, `cpu+aie`.
    pub aie: System,
}

impl Default for Designs {
    /// The published ones.
    fn default() -> Self {
        let (chip, mtu) = (MachineSpec::paper(), pairwright_mtu::Config::paper());
        Self { chip, mtu, traversal: Traversal::Hybrid, aie: System::default() }
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
        Slot::ALL.into_iter().any(|slot| self.at(slot) == device)
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
            board = match slot {
                Slot::Ntt => board.with_ntt(other.ntt.clone()),
                Slot::Vec => board.with_vec(other.vec.clone()),
                Slot::G1 => board.with_g1(other.g1.clone()),
                Slot::G2 => board.with_g2(other.g2.clone()),
                Slot::Pairing => board.with_pairing(other.pairing.clone()),
                Slot::Tree => board.with_tree(other.tree.clone()),
                Slot::Sumcheck => board.with_sumcheck(other.sumcheck.clone()),
            };
        }
        Ok(if others.is_empty() { board } else { board.named("mixed") })
    }
}
