//! Parameters of the energies of synthesised blocks, which `sim::cells` computes by the changes of their nets.
//!
//! What goes in beside the counts are a law of capacitances by node (`sim::tech`) and parameters with ranges; no power and no area of a
//! paper. Each parameter is varied by itself, and how far an answer moves stands in rows that the scorecard reads as it reads those of
//! a `sensitivity`.

use crate::knobs::Knob;
use pairwright_sim::cells::{CLOCK_TREE, Choice, Pulses, Toggles, WIRE};

/// Parameters of every model: the changes that are counted (0 without delays, 1 with, 2 with every pulse), wires, the clock's tree,
/// and which of the capacitances at 28 nm is taken (0 the least, 1 the likely one, 2 the most).
pub(crate) const KNOBS: [Knob; 4] = [
    Knob { name: "pulses", values: [0.0, 1.0, 2.0] },
    Knob { name: "pitches of wire a pin", values: [WIRE.least, WIRE.value, WIRE.most] },
    Knob { name: "tree of the clock", values: [CLOCK_TREE.least, CLOCK_TREE.value, CLOCK_TREE.most] },
    Knob { name: "capacitance at 28 nm", values: [0.0, 1.0, 2.0] },
];

/// The parameters of an energy with values of [`KNOBS`].
pub(crate) fn toggles(knobs: &[f64]) -> Toggles {
    let pulses = [Pulses::Settled, Pulses::Swallowed, Pulses::Passed][knobs[0] as usize];
    let choice = Choice { pulses, wire: knobs[1], clock_tree: knobs[2] };
    Toggles { choice, capacitance: knobs[3] as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_those_of_the_models() {
        for end in 0..3 {
            assert_eq!(toggles(&KNOBS.map(|knob| knob.values[end])), Toggles::ENDS[end]);
        }
    }
}
