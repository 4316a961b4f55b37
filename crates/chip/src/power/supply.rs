//! Voltage and frequency.

use super::anchors::OPERATING_POINTS;
use super::element::Element;
use crate::spec::MachineSpec;

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
/// The critical path lies in the multiplier (\[CP\] §V.A), so this is the clock of its [`Element`]. Estimated but for the
/// published design.
pub fn highest_hz(spec: &MachineSpec) -> f64 {
    frequency_hz(spec.clock.volts) / Element::of(spec).cycle
}

/// The clock that a design runs at: what it asks for, or what its multiplier allows, whichever is lower.
pub fn clock_hz(spec: &MachineSpec) -> f64 {
    spec.clock.hz.min(highest_hz(spec))
}
