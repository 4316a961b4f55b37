//! Boards of several machines: which device is in which slot.

use crate::registry::{Boards, NoDevice};
use core::{fmt, str::FromStr};
use pairwright_chip::MachineSpec;
use pairwright_device::Device;
use pairwright_mtu::Traversal;
use std::collections::BTreeMap;

/// A slot of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Transforms.
    Ntt,
    /// Vector arithmetic.
    Vec,
    /// Multi-scalar multiplication in the first group.
    G1,
    /// Multi-scalar multiplication in the second group.
    G2,
    /// Pairing products.
    Pairing,
    /// Trees.
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
}

impl Default for Designs {
    /// The published ones.
    fn default() -> Self {
        let (chip, mtu) = (MachineSpec::paper(), pairwright_mtu::Config::paper());
        Self { chip, mtu, traversal: Traversal::Hybrid }
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

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{Curve, bn254::Bn254};
    use pairwright_device::Session;
    use pairwright_poly::Buf;

    #[test]
    fn every_slot_is_the_one_that_was_asked_for() {
        let mut plan = BoardPlan::new("cpu");
        assert_eq!(plan.build::<Bn254>().unwrap().name, "cpu");
        plan.slots.insert(Slot::G1, "reference".to_owned());
        plan.slots.insert(Slot::Ntt, "cpu".to_owned());
        plan.slots.insert(Slot::Sumcheck, "reference".to_owned());
        assert_eq!(
            Slot::ALL.map(|slot| plan.at(slot)),
            ["cpu", "cpu", "reference", "cpu", "cpu", "cpu", "reference"],
            "the slots, and no others"
        );
        let board = plan.build::<Bn254>().unwrap();
        assert_eq!(board.name, "mixed");
        let mut on = Session::new(&board);
        let (p, q) = (pairwright_curve::bn254::G1::GENERATOR, pairwright_curve::bn254::G2::GENERATOR);
        let one = Buf::from(vec![pairwright_curve::bn254::Fr::from(1)]);
        on.msm_g1(Buf::from(vec![p]).view(), one.view()).unwrap();
        on.msm_g2(Buf::from(vec![q]).view(), one.view()).unwrap();
        on.multi_pairing(&[(p, q)]).unwrap();
        on.build_eq(&one).unwrap();
        on.sumcheck_bind(&mut [vec![one[0]; 2].into()], &one[0]).unwrap();
        let ran: Vec<_> = on.finish().records.iter().map(|r| r.cost.machine).collect();
        assert_eq!(ran, ["reference", "cpu", "cpu", "cpu", "reference"]);
    }

    #[test]
    fn a_tree_unit_beside_the_host_with_its_design() {
        let cycles = |pes: u32, traversal: Traversal| {
            let mut plan = BoardPlan::new("cpu");
            plan.slots.insert(Slot::Tree, "cpu+mtu".to_owned());
            plan.designs.mtu = plan.designs.mtu.with_pes(pes);
            plan.designs.traversal = traversal;
            assert!(plan.has("cpu") && plan.has("cpu+mtu") && !plan.has("chip"));
            let board = plan.build::<Bn254>().unwrap();
            let mut on = Session::new(&board);
            let point: Vec<_> = (2..12u64).map(pairwright_curve::bn254::Fr::from).collect();
            let table = on.build_eq(&point).unwrap();
            assert_eq!(&table[..], pairwright_poly::mle::build_eq(&point));
            let one = table[0];
            on.sumcheck_bind(&mut [table], &one).unwrap();
            let records = on.finish().records;
            assert_eq!([0, 1].map(|i| records[i].cost.machine), ["mtu", "cpu"]);
            let pairwright_device::Time::Cycles { n, hz, .. } = records[0].cost.time else {
                panic!("modelled")
            };
            assert_eq!(hz, 1_000_000_000);
            n
        };
        assert!(cycles(2, Traversal::Hybrid) > cycles(8, Traversal::Hybrid));
        assert_ne!(cycles(8, Traversal::Bfs), cycles(8, Traversal::Hybrid));
    }

    #[test]
    fn names_that_are_none() {
        for slot in Slot::ALL {
            assert_eq!(slot.to_string().parse::<Slot>().unwrap(), slot);
        }
        let said = "g3".parse::<Slot>().unwrap_err().to_string();
        assert_eq!(said, "there is no slot \"g3\"; there are: ntt, vec, g1, g2, pairing, tree, sumcheck");
        let mut plan = BoardPlan::new("cpu");
        plan.slots.insert(Slot::G2, "abacus".to_owned());
        assert!(matches!(plan.build::<Bn254>(), Err(NoDevice::Unknown(name)) if name == "abacus"));
    }
}
