//! Energies of synthesised blocks from the transitions of their nets.

use super::Library;
use crate::tech::capacitance_28;
use serde::Serialize;

/// A model parameter with its range.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// The quantity and its unit.
    pub name: &'static str,
    /// The lowest plausible value.
    pub least: f64,
    /// The value that is used.
    pub value: f64,
    /// The highest plausible value.
    pub most: f64,
    /// The source of the value and of its range.
    pub origin: &'static str,
}

/// Wire length per pin that a net drives, in cell pitches.
pub const WIRE: Parameter = Parameter {
    name: "length of wire for each pin that a net drives, in pitches of the block's cells",
    least: 1.0,
    value: 2.0,
    most: 5.0,
    origin: "estimated: neighbours are a pitch apart, nets of placed arithmetic some pitches long; a library's own wire load, where it has \
             one, is printed beside it",
};

/// Capacitance of wire in femtofarads per micrometre.
pub const WIRE_FF_PER_UM: f64 = 0.2;

/// The share of a placed block's floor that cells cover, as in the areas at 28 nm.
pub const FLOOR: f64 = 0.72;

/// Capacitance of the clock's wires and buffers, relative to that of the flip-flops' clock pins.
pub const CLOCK_TREE: Parameter = Parameter {
    name: "capacitance of the clock's tree over that of the pins it ends at",
    least: 1.0,
    value: 2.0,
    most: 4.0,
    origin: "estimated: some micrometres of wire and a share of buffers for each pin of a femtofarad or two",
};

/// Net transitions in a cycle and their energies, without wires.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SwitchingEnergy {
    /// Transitions, each weighted by the number of pins that its net drives.
    pub driven: f64,
    /// Energy of charging input pins, in femtojoules.
    pub pins_fj: f64,
    /// Internal energy of the cells, in femtojoules.
    pub internal_fj: f64,
}

/// Net transitions of a block in gate-level simulations with random operands, at its library's supply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Count {
    /// Number of cells.
    pub cells: u64,
    /// Flip-flops among them.
    pub registers: u64,
    /// Cycles from one operation to the next at full rate.
    pub interval: u32,
    /// The supply in volts.
    pub volts: f64,
    /// Cell area in µm², without wires.
    pub area_um2: f64,
    /// Area of the library's two-input NAND gate in µm².
    pub nand2_um2: f64,
    /// Energy of charging the clock pins, in femtojoules per cycle.
    pub clock_pins_fj: f64,
    /// Internal energy of flip-flops whose state does not change, in femtojoules per cycle.
    pub clock_internal_fj: f64,
    /// Leakage power in nanowatts.
    pub leakage_nw: f64,
    /// Its longest path in picoseconds, taken as the cycle time for leakage.
    pub path_ps: f64,
    /// Transitions of a cycle in three counts, indexed by [`Pulses`]: without delays; with delays, where gates swallow
    /// pulses shorter than their own delay; with delays, where every pulse is passed on.
    pub switched: [SwitchingEnergy; 3],
}

/// The count of transitions that is priced, one of three.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pulses {
    /// The count without delays, which has no glitches.
    Settled,
    /// The count in which gates swallow pulses shorter than their own delay.
    Swallowed,
    /// The count in which gates pass every pulse on.
    Passed,
}

/// A choice of parameter values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The count of transitions that is priced.
    pub pulses: Pulses,
    /// The value of [`WIRE`].
    pub wire: f64,
    /// The value of [`CLOCK_TREE`].
    pub clock_tree: f64,
}

impl Choice {
    /// All parameters at their least.
    pub const LEAST: Self = Self { pulses: Pulses::Settled, wire: WIRE.least, clock_tree: CLOCK_TREE.least };
    /// All parameters at their likely values.
    pub const MIDDLE: Self =
        Self { pulses: Pulses::Swallowed, wire: WIRE.value, clock_tree: CLOCK_TREE.value };
    /// All parameters at their most.
    pub const MOST: Self = Self { pulses: Pulses::Passed, wire: WIRE.most, clock_tree: CLOCK_TREE.most };
}

/// Energy of one operation at full rate, in femtojoules.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Operation {
    /// Energy of data transitions.
    pub data_fj: f64,
    /// Energy of the clock, its tree included.
    pub clock_fj: f64,
    /// Leakage during the operation's cycles.
    pub leakage_fj: f64,
}

impl Operation {
    /// The sum of the three parts, in femtojoules.
    pub fn sum_fj(&self) -> f64 {
        self.data_fj + self.clock_fj + self.leakage_fj
    }
}

impl Count {
    /// The energy of an operation at the library's own node and supply, with the given parameter values.
    pub fn operation(&self, choice: &Choice) -> Operation {
        let switched = &self.switched[choice.pulses as usize];
        let cycles = f64::from(self.interval);
        let pitch = (self.area_um2 / self.cells.max(1) as f64 / FLOOR).sqrt();
        let wire_ff = choice.wire * pitch * WIRE_FF_PER_UM;
        let wires = switched.driven * wire_ff * self.volts.powi(2) / 2.0;
        let clock = self.clock_pins_fj * (1.0 + choice.clock_tree) + self.clock_internal_fj;
        Operation {
            data_fj: cycles * (switched.pins_fj + wires + switched.internal_fj),
            clock_fj: cycles * clock,
            leakage_fj: cycles * 1e-6 * self.leakage_nw * self.path_ps,
        }
    }

    /// The size of the block in two-input NAND gates.
    pub fn gates(&self) -> f64 {
        self.area_um2 / self.nand2_um2
    }
}

/// Parameters of an energy at 28 nm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Toggles {
    /// The choice for the library's own node.
    pub choice: Choice,
    /// Index into the factors of [`capacitance_28`]: 0 the least, 1 the likely one, 2 the most.
    pub capacitance: usize,
}

impl Toggles {
    /// All parameters at their least, at their likely values, and at their most.
    pub const ENDS: [Self; 3] = [
        Self { choice: Choice::LEAST, capacitance: 0 },
        Self { choice: Choice::MIDDLE, capacitance: 1 },
        Self { choice: Choice::MOST, capacitance: 2 },
    ];
}

impl Library {
    /// The transition count of a block, if there is one.
    pub fn count(&self, block: &str) -> Option<&Count> {
        self.block(block)?.count.as_ref()
    }

    /// The energy of an operation of a block in femtojoules, at 28 nm and a supply of `volts`. The leakage part is
    /// omitted, since it does not carry over from one process to another.
    pub fn at_28(&self, block: &str, volts: f64, toggles: &Toggles) -> Option<Operation> {
        let count = self.count(block)?;
        let own = count.operation(&toggles.choice);
        let factor =
            capacitance_28(self.nm, count.nand2_um2)[toggles.capacitance] * (volts / count.volts).powi(2);
        Some(Operation { data_fj: own.data_fj * factor, clock_fj: own.clock_fj * factor, leakage_fj: 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::LIBRARIES;

    #[test]
    fn energies_scale_with_capacitance_and_the_square_of_the_supply() {
        let library = &LIBRARIES[0];
        let own = library.count("keccak").unwrap().operation(&Choice::MIDDLE);
        let there = library.at_28("keccak", 0.9, &Toggles::ENDS[1]).unwrap();
        let factor = 28.0 / 130.0 / 4.0;
        assert!((there.data_fj / own.data_fj - factor).abs() < 1e-9 && there.leakage_fj == 0.0);
        let [least, likely, most] =
            Toggles::ENDS.map(|toggles| library.at_28("keccak", 0.9, &toggles).unwrap().sum_fj());
        assert!(least < likely && likely < most);
        assert!(library.at_28("nothing", 0.9, &Toggles::ENDS[1]).is_none());
    }
}
