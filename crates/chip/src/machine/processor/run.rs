//! What a run is reported as.

use crate::isa::{Channel, Field, FwdPath};
use pairwright_sim::BankTraffic;
use serde::Serialize;

/// Every cycle of a run belongs to exactly one of these.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct CycleCount {
    /// L1 fetch and dispatch.
    pub dispatch: u64,
    /// From a `pair_op`'s dispatch to its first slot: L2 fetch, decode, the first reads.
    pub fill: u64,
    /// Issue slots, bubbles included.
    pub issue: u64,
    /// Cycles in which the slots stand still because the inverter has the multiplier.
    pub inversion: u64,
    /// From a routine's last slot until its last result is in its bank.
    pub drain: u64,
    /// Transfers of the memory switcher.
    pub switch: u64,
}

impl CycleCount {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.dispatch + self.fill + self.issue + self.inversion + self.drain + self.switch
    }

    /// The class's counter.
    pub(super) fn of(&mut self, class: Class) -> &mut u64 {
        match class {
            Class::Dispatch => &mut self.dispatch,
            Class::Fill => &mut self.fill,
            Class::Issue => &mut self.issue,
            Class::Inversion => &mut self.inversion,
            Class::Drain => &mut self.drain,
            Class::Switch => &mut self.switch,
        }
    }
}

/// What a cycle is spent on: see [`CycleCount`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// L1 fetch and dispatch.
    Dispatch,
    /// L2 fetch and decode of a routine's first slot.
    Fill,
    /// An issue slot.
    Issue,
    /// The inverter at work.
    Inversion,
    /// Results on their way to the banks after the last slot.
    Drain,
    /// A transfer of the memory switcher.
    Switch,
}

/// A count for each channel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct PerChannel {
    /// The count for the Fp2 multiplier.
    pub mm: u64,
    /// The count for the Fp2 adder.
    pub arith: u64,
    /// The count for the Fp inverter.
    pub inv: u64,
}

impl PerChannel {
    pub(super) fn of(&mut self, channel: Channel) -> &mut u64 {
        match channel {
            Channel::Mm => &mut self.mm,
            Channel::Arith => &mut self.arith,
            Channel::Inv => &mut self.inv,
        }
    }

    /// All channels together.
    pub fn total(&self) -> u64 {
        self.mm + self.arith + self.inv
    }
}

/// Operands taken from the forwarding paths, by the channel they come from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Forwards {
    /// From the write-back register.
    pub path1: PerChannel,
    /// From the last stage.
    pub path2: PerChannel,
}

impl Forwards {
    pub(super) fn of(&mut self, path: FwdPath) -> &mut PerChannel {
        match path {
            FwdPath::One => &mut self.path1,
            FwdPath::Two => &mut self.path2,
        }
    }
}

/// The calls of one routine.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct RoutineRun {
    /// Its address in the L2 memory.
    pub addr: u16,
    /// Its name, if the image has one.
    pub name: Option<String>,
    /// How often it was called.
    pub calls: u64,
    /// Issue slots of all calls.
    pub slots: u64,
    /// Cycles of all calls: dispatch, fill, slots, inversions and drain.
    pub cycles: u64,
}

/// A run from its first dispatch to `finish`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Run {
    /// Cycles: the sum of [`Run::by_class`].
    pub cycles: u64,
    /// The same cycles by what they were spent on.
    pub by_class: CycleCount,
    /// L1 instructions executed, `finish` included.
    pub l1_instructions: u64,
    /// L2 words executed, bubbles included.
    pub l2_words: u64,
    /// Number of issue slots.
    pub slots: u64,
    /// Slots in which two words issued.
    pub bundles: u64,
    /// Slots in which nothing issued.
    pub bubbles: u64,
    /// Instructions by channel.
    pub issued: PerChannel,
    /// Operands that were forwarded, by path.
    pub forwards: Forwards,
    /// Accesses, bank by bank.
    pub banks: Vec<BankTraffic>,
    /// Rows moved between the banks and the global bank.
    pub switched_rows: u64,
    /// Inversions: their cycles are [`CycleCount::inversion`].
    pub inversions: u64,
    /// Fp products of all inversions.
    pub inversion_products: u64,
    /// The routines, by address.
    pub routines: Vec<RoutineRun>,
    /// The field of the datapath.
    #[serde(serialize_with = "field_name")]
    pub field: Field,
}

fn field_name<S: serde::Serializer>(field: &Field, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match field {
        Field::Fq => "Fq",
        Field::Fr => "Fr",
    })
}
