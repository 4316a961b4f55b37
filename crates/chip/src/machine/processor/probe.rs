//! Probes: the interface through which a run is observed.

use super::run::Class;
use crate::isa::{Channel, Direction, L1, L2, Loc};
use crate::machine::datapath::{DIGITS, Datapath, Digits, Row};

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
    /// Cycles until its result is available; the issue stage is stalled for all but one cycle of an inversion.
    pub cycles: u64,
}

/// The state of a cycle, after its outputs are known and before its clock edge.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// Cycle of the run.
    pub cycle: u64,
    /// The class that the cycle is counted in.
    pub class: Class,
    /// Address of the L1 instruction.
    pub l1_pc: u16,
    /// L2 address of the word that issues, if one does.
    pub l2_pc: Option<u16>,
    /// Products in the multiplier.
    pub in_flight: u32,
    /// The registers that hold products: bit `k` is the register of a product whose operands entered `k + 1` clock edges
    /// ago.
    pub stages: u64,
}

/// The digits of a row, least significant first; those of the coefficient of `u` come last.
pub type RowDigits = [u64; 2 * DIGITS];

pub(super) fn row_digits<F: Datapath>(value: &Row<F>) -> RowDigits {
    let mut digits = [0; 2 * DIGITS];
    digits[..DIGITS].copy_from_slice(&value.c0.digits());
    digits[DIGITS..].copy_from_slice(&value.c1.digits());
    digits
}

/// A row that the switcher moves.
#[derive(Clone, Copy, Debug)]
pub struct MovedRow {
    /// Whether the row goes to the register banks or comes from them.
    pub direction: Direction,
    /// Row of the global bank.
    pub global: u32,
    /// Row of a register bank.
    pub local: Loc,
    /// The row's digits.
    pub value: RowDigits,
}

/// The registers of the L1 program, each for `_i`, `_j` and `_k`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Registers {
    /// Completed turns of each loop.
    pub counters: [u32; 3],
    /// Bits that are left in each scan register.
    pub bits: [u32; 3],
    /// Digits that were loaded into each scan register.
    pub scans: [Digits; 3],
}

/// An observer of a run. Every method has an empty default.
pub trait Probe {
    /// Whether the probe observes anything; if not, the run does not compute the descriptions.
    const ACTIVE: bool = true;
    /// A further program begins, `start` cycles after the first; its own cycles count from zero.
    fn program(&mut self, _start: u64) {}
    /// A routine is called: its address, and its name if it has one.
    fn call(&mut self, _cycle: u64, _addr: u16, _name: Option<&str>) {}
    /// An instruction issues.
    fn issue(&mut self, _issue: &Issue<'_>) {}
    /// A slot's word reads a row, in the cycle before the slot. Operands 0 and 1 are the first word's, 2 and 3 the second's.
    fn read(&mut self, _cycle: u64, _operand: usize, _from: Loc, _value: &RowDigits) {}
    /// A channel shows a result, which is written to its bank if it has a destination.
    fn result(&mut self, _cycle: u64, _channel: Channel, _to: Option<Loc>, _value: &RowDigits) {}
    /// The switcher moves a row.
    fn moved(&mut self, _cycle: u64, _moved: &MovedRow) {}
    /// The contents of the L1 program's registers from a cycle on, after an instruction that changes them.
    fn registers(&mut self, _cycle: u64, _registers: &Registers) {}
    /// An L1 instruction is done; it took the cycles from `start` to `end`.
    fn control(&mut self, _start: u64, _end: u64, _pc: u16, _instruction: &L1) {}
    /// A cycle passes. Cycles in which nothing changes may be left out.
    fn cycle(&mut self, _snapshot: &Snapshot) {}
}

/// A probe that observes nothing.
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
    fn read(&mut self, cycle: u64, operand: usize, from: Loc, value: &RowDigits) {
        self.0.read(cycle, operand, from, value);
        self.1.read(cycle, operand, from, value);
    }
    fn result(&mut self, cycle: u64, channel: Channel, to: Option<Loc>, value: &RowDigits) {
        self.0.result(cycle, channel, to, value);
        self.1.result(cycle, channel, to, value);
    }
    fn moved(&mut self, cycle: u64, moved: &MovedRow) {
        self.0.moved(cycle, moved);
        self.1.moved(cycle, moved);
    }
    fn registers(&mut self, cycle: u64, registers: &Registers) {
        self.0.registers(cycle, registers);
        self.1.registers(cycle, registers);
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

/// A borrowed probe watches like the probe itself.
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
    fn read(&mut self, cycle: u64, operand: usize, from: Loc, value: &RowDigits) {
        (**self).read(cycle, operand, from, value);
    }
    fn result(&mut self, cycle: u64, channel: Channel, to: Option<Loc>, value: &RowDigits) {
        (**self).result(cycle, channel, to, value);
    }
    fn moved(&mut self, cycle: u64, moved: &MovedRow) {
        (**self).moved(cycle, moved);
    }
    fn registers(&mut self, cycle: u64, registers: &Registers) {
        (**self).registers(cycle, registers);
    }
    fn control(&mut self, start: u64, end: u64, pc: u16, instruction: &L1) {
        (**self).control(start, end, pc, instruction);
    }
    fn cycle(&mut self, snapshot: &Snapshot) {
        (**self).cycle(snapshot);
    }
}

/// Observes the run if the probe is present.
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
    fn read(&mut self, cycle: u64, operand: usize, from: Loc, value: &RowDigits) {
        if let Some(probe) = self {
            probe.read(cycle, operand, from, value);
        }
    }
    fn result(&mut self, cycle: u64, channel: Channel, to: Option<Loc>, value: &RowDigits) {
        if let Some(probe) = self {
            probe.result(cycle, channel, to, value);
        }
    }
    fn moved(&mut self, cycle: u64, moved: &MovedRow) {
        if let Some(probe) = self {
            probe.moved(cycle, moved);
        }
    }
    fn registers(&mut self, cycle: u64, registers: &Registers) {
        if let Some(probe) = self {
            probe.registers(cycle, registers);
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
