//! Parameters of the areas and delays of synthesised blocks, for the model in `sim::cells`.
//!
//! Besides the synthesis results, the inputs are the size of a gate at 28 nm, the share of the floor that cells cover,
//! scaling laws between nodes, and their ranges. No area and no clock of a paper is used.

use crate::knobs::Knob;
use pairwright_sim::cells::{Layout, Library};
use pairwright_sim::tech::SHRINK_22;

const ENDS: [Layout; 3] = Layout::ENDS;
/// Parameters of every area: the size of a gate, the share of the floor that cells cover, and whether a register that
/// holds its value has a multiplexer, as in the RTL (1), or a gated clock (0).
pub(crate) const KNOBS: [Knob; 3] = [
    Knob {
        name: "um2 of a NAND gate at 28 nm",
        values: [ENDS[0].gate_um2, ENDS[1].gate_um2, ENDS[2].gate_um2],
    },
    Knob { name: "share of the floor with cells", values: [ENDS[0].floor, ENDS[1].floor, ENDS[2].floor] },
    Knob {
        name: "registers hold by multiplexers",
        values: [ENDS[0].register_muxes, ENDS[1].register_muxes, ENDS[2].register_muxes],
    },
];
/// Area of a memory relative to its law, which is off by at most 34 % on the data that it was fitted to.
pub(crate) const MEMORY: Knob =
    Knob { name: "memory over its law", values: [ENDS[0].memory, ENDS[1].memory, ENDS[2].memory] };
/// Area at 22 nm over that at 28 nm.
pub(crate) const TO_22: Knob = Knob { name: "area at 22 nm over 28 nm", values: SHRINK_22 };
/// Parameters of every delay at 28 nm, at each process's nominal supply. Table II of \[CP\] scales delays with the
/// nominal feature sizes; the factor of 1.7 from 22 nm to 7 nm, published with \[MTU\], is their ratio to the power
/// 0.463. Paths are without wires.
pub(crate) const DELAYS: [Knob; 2] = [
    Knob { name: "power of the lengths that delays go with", values: [1.0, 1.0, 0.463] },
    Knob { name: "delay with wires over that of gates", values: [1.0, 1.0, 1.5] },
];

/// The layout parameters with values of [`KNOBS`], and with that of [`MEMORY`].
pub(crate) fn layout(knobs: &[f64], memory: f64) -> Layout {
    Layout { gate_um2: knobs[0], floor: knobs[1], register_muxes: knobs[2], memory }
}

/// The cycle time of a block at 28 nm in picoseconds, with values of [`DELAYS`]; NaN for a block that the library
/// lacks.
pub(crate) fn cycle_ps(library: &Library, block: &str, knobs: &[f64]) -> f64 {
    library.cycle_ps(block).map_or(f64::NAN, |own| own * (28.0 / library.nm).powf(knobs[0]) * knobs[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::middle;
    use pairwright_sim::cells::LIBRARIES;

    #[test]
    fn the_used_values_are_those_of_the_models() {
        assert_eq!(layout(&middle(&KNOBS), MEMORY.values[1]), Layout::ENDS[1]);
    }

    #[test]
    fn a_cycle_is_a_path_and_its_registers() {
        let near = |ours: f64, want: f64| assert!((ours / want - 1.0).abs() < 1e-3, "{ours} {want}");
        let [first, second] = LIBRARIES.each_ref().map(|all| cycle_ps(all, "mm_381", &middle(&DELAYS)));
        near(first, (9283.1 + 1390.7) * 28.0 / 130.0);
        near(second, (2099.8 + 295.7) * 28.0 / 45.0);
        // The published factor from 22 nm to 7 nm is this power of the ratio of lengths.
        near((22.0f64 / 7.0).powf(DELAYS[0].values[2]), 1.7);
        assert!(cycle_ps(&LIBRARIES[1], "padd_381", &middle(&DELAYS)).is_nan());
    }
}
