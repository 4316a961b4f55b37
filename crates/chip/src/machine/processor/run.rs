//! The report of a run.

use crate::isa::{Channel, Field, FwdPath};
use pairwright_sim::BankTraffic;
use serde::Serialize;

/// The cycles of a run by class; every cycle belongs to exactly one class.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct CycleCount {
    /// L1 fetch and dispatch.
    pub dispatch: u64,
    /// From a `pair_op`'s dispatch to its first slot: L2 fetch, decode, the first reads.
    pub fill: u64,
    /// Issue slots, including bubbles.
    pub issue: u64,
    /// Cycles in which the issue stage is stalled because the inverter occupies the multiplier.
    pub inversion: u64,
    /// From a routine's last slot until its last result is in its bank.
    pub drain: u64,
    /// Transfers of the memory switcher.
    pub switch: u64,
}

impl CycleCount {
    /// The sum over all classes.
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

/// The class of a cycle; see [`CycleCount`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// L1 fetch and dispatch.
    Dispatch,
    /// L2 fetch and decode of a routine's first slot.
    Fill,
    /// An issue slot.
    Issue,
    /// A cycle of an inversion.
    Inversion,
    /// A cycle after the last slot in which results are still in flight.
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

    /// The sum over all channels.
    pub fn total(&self) -> u64 {
        self.mm + self.arith + self.inv
    }
}

/// Number of operands taken from the forwarding paths, by the channel that produced them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Forwards {
    /// Operands from path 1, the write-back register.
    pub path1: PerChannel,
    /// Operands from path 2, the last stage.
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
    /// Number of calls.
    pub calls: u64,
    /// Issue slots of all calls.
    pub slots: u64,
    /// Cycles of all calls: dispatch, fill, slots, inversions and drain.
    pub cycles: u64,
}

/// The counts of a run from its first dispatch to `finish`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Run {
    /// Cycles: the sum of [`Run::by_class`].
    pub cycles: u64,
    /// The same cycles by class.
    pub by_class: CycleCount,
    /// L1 instructions executed, including `finish`.
    pub l1_instructions: u64,
    /// L2 words executed, including bubbles.
    pub l2_words: u64,
    /// Number of issue slots.
    pub slots: u64,
    /// Slots in which two words issued.
    pub bundles: u64,
    /// Slots in which nothing issued.
    pub bubbles: u64,
    /// Number of L2 instructions by channel.
    pub issued: PerChannel,
    /// Operands that were forwarded, by path.
    pub forwards: Forwards,
    /// Reads and writes of each register bank.
    pub banks: Vec<BankTraffic>,
    /// Rows moved between the banks and the global bank.
    pub switched_rows: u64,
    /// Number of inversions; their cycles are [`CycleCount::inversion`].
    pub inversions: u64,
    /// Fp products of all inversions.
    pub inversion_products: u64,
    /// The calls of each routine, in the order of addresses.
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
