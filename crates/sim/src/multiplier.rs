//! The pipelined modular multiplier of the machine models: its area and its highest clock as functions of its pipeline
//! depth.

use crate::tech::Gates;
use serde::Serialize;

/// The share of a cycle at full clock that a pipeline register takes: about 0.15 ns of 1.25 ns at 28 nm. Estimated.
pub const REGISTER_SHARE: f64 = 0.12;

/// The cycle time of the logic cut into `stages` stages, relative to the cycle time with `at_full_clock` stages; at
/// least 1.
///
/// The logic is assumed to divide evenly, and every stage ends in a register ([`REGISTER_SHARE`]). More than
/// `at_full_clock` stages are not taken to be faster, since a published clock says nothing about the next-longest
/// paths.
///
/// ```
/// use pairwright_sim::multiplier::cycle;
/// assert_eq!((cycle(16, 16), cycle(20, 16)), (1.0, 1.0));
/// assert!((cycle(8, 16) - 1.88).abs() < 1e-12);
/// ```
pub fn cycle(stages: u32, at_full_clock: u32) -> f64 {
    let logic = f64::from(at_full_clock) / f64::from(stages.max(1));
    ((1.0 - REGISTER_SHARE) * logic + REGISTER_SHARE).max(1.0)
}

/// A multiplier whose area is known for one number of stages, from which other depths of the same width and node are
/// derived.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct KnownMultiplier {
    /// Bits of an operand.
    pub width: u32,
    /// Stages of the multiplier whose area is known.
    pub stages: u32,
    /// Its area in square millimetres.
    pub mm2: f64,
    /// Stages with which it reaches the full clock of its machine.
    pub at_full_clock: u32,
    /// Flip-flops of a stage, in multiples of `width`: 4 are two operands and a product in carry-save form.
    pub stage_widths: f64,
    /// The factor that converts areas at 28 nm, where gate areas are known, to the node of this multiplier.
    pub from_28: f64,
}

impl KnownMultiplier {
    /// The same circuit with `stages` pipeline stages (at least one).
    pub fn with(self, stages: u32) -> Multiplier {
        Multiplier { known: self, stages: stages.max(1) }
    }
}

/// A pipelined modular multiplier that accepts operands in every cycle.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Multiplier {
    /// The multiplier with known area that it is derived from.
    pub known: KnownMultiplier,
    /// Pipeline registers, which is the latency in cycles from operands to product.
    pub stages: u32,
}

impl Multiplier {
    /// Its cycle time relative to that at full clock, at least 1.
    pub fn cycle(&self) -> f64 {
        cycle(self.stages, self.known.at_full_clock)
    }

    /// The highest clock in hertz that its depth allows, where the full clock of its machine is `full_hz`.
    pub fn highest_hz(&self, full_hz: f64) -> f64 {
        full_hz / self.cycle()
    }

    /// Its area in square millimetres: the known area plus or minus that of the registers added or removed. The result
    /// is at least half the known area, which stands for the logic.
    pub fn mm2(&self) -> f64 {
        let known = &self.known;
        let stages = f64::from(self.stages) - f64::from(known.stages);
        let bits = stages * (known.stage_widths * f64::from(known.width));
        let registers = Gates::FLIP_FLOP.times(bits).area_mm2_28() * known.from_28;
        (known.mm2 + registers).max(known.mm2 / 2.0)
    }

    /// Joules of a product, if a square millimetre that is active in a cycle takes `j_per_mm2`; registers are priced by
    /// their area like the logic.
    pub fn product_j(&self, j_per_mm2: f64) -> f64 {
        self.mm2() * j_per_mm2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> KnownMultiplier {
        KnownMultiplier {
            width: 255,
            stages: 28,
            mm2: 0.478,
            at_full_clock: 28,
            stage_widths: 4.0,
            from_28: 0.81,
        }
    }

    #[test]
    fn depth_buys_clock_with_area_up_to_the_full_one() {
        let all: Vec<Multiplier> = (1..=200).map(|stages| known().with(stages)).collect();
        for pair in all.windows(2) {
            let (short, long) = (pair[0], pair[1]);
            assert!(long.mm2() >= short.mm2() && long.product_j(1.0) >= short.product_j(1.0));
            let (slow, fast) = (short.highest_hz(1e9), long.highest_hz(1e9));
            assert!(if long.stages <= 28 { slow < fast } else { slow == fast && fast == 1e9 }, "{long:?}");
        }
        assert_eq!(known().with(28).mm2(), 0.478);
        // One register only: a cycle takes 24.8 times that of the full clock.
        assert!((all[0].cycle() - (0.88 * 28.0 + 0.12)).abs() < 1e-12);
        assert!(all[0].mm2() >= 0.239);
    }

    #[test]
    fn no_stage_counts_as_one() {
        assert_eq!((cycle(0, 4), known().with(0)), (cycle(1, 4), known().with(1)));
    }
}
