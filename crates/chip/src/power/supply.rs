//! Voltage and frequency.

use super::anchors::OPERATING_POINTS;
use crate::spec::{MachineSpec, MmStyle};

/// Stages of the published multiplier's pipeline that share its logic: its latency of 18 less the combination of four
/// products and a register. Estimated, as the latency is.
const STAGES: f64 = 16.0;
/// Share of a cycle that a pipeline register takes, about 0.15 ns of 1.25. Estimated.
const REGISTER_SHARE: f64 = 0.12;

/// The clock of the chip at a voltage from 0.7 to 1.1 V, in hertz: the parabola through the three printed points.
/// Derived.
pub fn frequency_hz(volts: f64) -> f64 {
    let [(v0, f0), (v1, f1), (v2, f2)] = OPERATING_POINTS;
    let first = (f1 - f0) / (v1 - v0);
    let second = ((f2 - f1) / (v2 - v1) - first) / (v2 - v0);
    f0 + (volts - v0) * (first + second * (volts - v1))
}

/// The highest clock of a design at its voltage, in hertz.
///
/// The critical path lies in the multiplier (\[CP\] §V.A). A pipelined one of fewer stages has more logic in each; one
/// of more stages is not taken to be faster, since nothing is printed about the paths that come next. Estimated but
/// for the published latency.
pub fn highest_hz(spec: &MachineSpec) -> f64 {
    let published = frequency_hz(spec.clock.volts);
    if spec.mm.style == MmStyle::Iterative {
        return published;
    }
    let stages = f64::from(spec.mm.latency.saturating_sub(2).max(1));
    let cycle = (1.0 - REGISTER_SHARE) * STAGES / stages + REGISTER_SHARE;
    published / cycle.max(1.0)
}

/// The clock that a design runs at: what it asks for, or what its multiplier allows, whichever is lower.
pub fn clock_hz(spec: &MachineSpec) -> f64 {
    spec.clock.hz.min(highest_hz(spec))
}
