//! Parameters of the energies of synthesised blocks, which `sim::cells` computes from net transitions.
//!
//! Besides the transition counts, the inputs are a law of capacitances by node (`sim::tech`) and parameters with
//! ranges; no power and no area of a paper is used. Each parameter is varied by itself, and its effect on an answer is
//! stored in rows that the scorecard reads like those of a `sensitivity`.

use crate::knobs::Knob;
use pairwright_sim::cells::{CLOCK_TREE, Choice, Pulses, Toggles, WIRE};

/// Parameters of every model: which transition count is used (0 without delays, 1 with delays, 2 with every pulse
/// passed on), wires, the clock tree, and which of the capacitances at 28 nm is used (0 the least, 1 the likely one, 2
/// the most).
pub(crate) const KNOBS: [Knob; 4] = [
    Knob { name: "pulses", values: [0.0, 1.0, 2.0] },
    Knob { name: "pitches of wire a pin", values: [WIRE.least, WIRE.value, WIRE.most] },
    Knob { name: "tree of the clock", values: [CLOCK_TREE.least, CLOCK_TREE.value, CLOCK_TREE.most] },
    Knob { name: "capacitance at 28 nm", values: [0.0, 1.0, 2.0] },
];

/// The energy parameters with values of [`KNOBS`].
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
