//! How a run is watched.

use super::run::Class;
use crate::isa::{Channel, L1, L2, Loc};

/// An instruction as it issues.
#[derive(Clone, Copy, Debug)]
pub struct Issue<'a> {
    /// Cycle of the run.
    pub cycle: u64,
    /// Slot of the routine.
    pub slot: u32,
    /// Address in the L2 memory.
    pub pc: u16,
    /// The instruction that issues.
    pub word: &'a L2,
    /// The channel on which it executes.
    pub channel: Channel,
    /// Cycles until its result is there; the slots stand still for all of an inversion's but one.
    pub cycles: u64,
}

/// A cycle, after its outputs are known and before its edge.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// Cycle of the run.
    pub cycle: u64,
    /// What it is spent on.
    pub class: Class,
    /// Address of the L1 instruction.
    pub l1_pc: u16,
    /// L2 address of the word that issues.
    pub l2_pc: Option<u16>,
    /// Products in the multiplier.
    pub in_flight: u32,
}

/// A watcher of a run. Every method has an empty default.
pub trait Probe {
    /// Whether anything is watched: without, the run does not even describe what it does.
    const ACTIVE: bool = true;
    /// A further program begins, so many cycles after the first; its own cycles count from zero.
    fn program(&mut self, _start: u64) {}
    /// A routine is called: its address, and its name if it has one.
    fn call(&mut self, _cycle: u64, _addr: u16, _name: Option<&str>) {}
    /// An instruction issues.
    fn issue(&mut self, _issue: &Issue<'_>) {}
    /// A result goes to its bank: the twelve digits of both coefficients.
    fn write_back(&mut self, _cycle: u64, _channel: Channel, _to: Loc, _value: &[u64; 12]) {}
    /// An L1 instruction is done: it took the cycles from `start` to `end`.
    fn control(&mut self, _start: u64, _end: u64, _pc: u16, _instruction: &L1) {}
    /// A cycle passes. Cycles in which nothing changes may be left out.
    fn cycle(&mut self, _snapshot: &Snapshot) {}
}

/// A probe that watches nothing.
impl Probe for () {
    const ACTIVE: bool = false;
}

impl<A: Probe, B: Probe> Probe for (A, B) {
    const ACTIVE: bool = A::ACTIVE || B::ACTIVE;
    fn program(&mut self, start: u64) {
        self.0.program(start);
        self.1.program(start);
    }
    fn call(&mut self, cycle: u64, addr: u16, name: Option<&str>) {
        self.0.call(cycle, addr, name);
        self.1.call(cycle, addr, name);
    }
    fn issue(&mut self, issue: &Issue<'_>) {
        self.0.issue(issue);
        self.1.issue(issue);
    }
    fn write_back(&mut self, cycle: u64, channel: Channel, to: Loc, value: &[u64; 12]) {
        self.0.write_back(cycle, channel, to, value);
        self.1.write_back(cycle, channel, to, value);
    }
    fn control(&mut self, start: u64, end: u64, pc: u16, instruction: &L1) {
        self.0.control(start, end, pc, instruction);
        self.1.control(start, end, pc, instruction);
    }
    fn cycle(&mut self, snapshot: &Snapshot) {
        self.0.cycle(snapshot);
        self.1.cycle(snapshot);
    }
}

/// A watcher that somebody else keeps.
impl<P: Probe> Probe for &mut P {
    const ACTIVE: bool = P::ACTIVE;
    fn program(&mut self, start: u64) {
        (**self).program(start);
    }
    fn call(&mut self, cycle: u64, addr: u16, name: Option<&str>) {
        (**self).call(cycle, addr, name);
    }
    fn issue(&mut self, issue: &Issue<'_>) {
        (**self).issue(issue);
    }
    fn write_back(&mut self, cycle: u64, channel: Channel, to: Loc, value: &[u64; 12]) {
        (**self).write_back(cycle, channel, to, value);
    }
    fn control(&mut self, start: u64, end: u64, pc: u16, instruction: &L1) {
        (**self).control(start, end, pc, instruction);
    }
    fn cycle(&mut self, snapshot: &Snapshot) {
        (**self).cycle(snapshot);
    }
}

/// Watches if it is there.
impl<P: Probe> Probe for Option<P> {
    const ACTIVE: bool = P::ACTIVE;
    fn program(&mut self, start: u64) {
        if let Some(probe) = self {
            probe.program(start);
        }
    }
    fn call(&mut self, cycle: u64, addr: u16, name: Option<&str>) {
        if let Some(probe) = self {
            probe.call(cycle, addr, name);
        }
    }
    fn issue(&mut self, issue: &Issue<'_>) {
        if let Some(probe) = self {
            probe.issue(issue);
        }
    }
    fn write_back(&mut self, cycle: u64, channel: Channel, to: Loc, value: &[u64; 12]) {
        if let Some(probe) = self {
            probe.write_back(cycle, channel, to, value);
        }
    }
    fn control(&mut self, start: u64, end: u64, pc: u16, instruction: &L1) {
        if let Some(probe) = self {
            probe.control(start, end, pc, instruction);
        }
    }
    fn cycle(&mut self, snapshot: &Snapshot) {
        if let Some(probe) = self {
            probe.cycle(snapshot);
        }
    }
}
