//! The clock of a design: what its voltage allows, and the multiplier that all engines share.
//!
//! The multiplier's stages are one number. Every engine has a latency of its own for a product because it may keep surplus
//! registers, or leave some out; but all of them time the same circuit, so that the engine with the shortest latency sets the
//! clock and the one with the longest the area.

use super::{MachineSpec, MmStyle};
use pairwright_sim::multiplier::cycle;

/// Printed: volts and hertz that the chip was measured at.
pub const OPERATING_POINTS: [(f64, f64); 3] = [(0.7, 300e6), (0.9, 500e6), (1.1, 800e6)];

/// Stages of the published element: what its printed area and clock belong to. Inferred, as the latencies are.
pub(crate) const STAGES: u32 = 16;
/// Cycles of the loop of an iterative multiplier, and outside of it, at the published clock: the inferred interval of G2, and
/// what its inferred latency leaves.
const LOOP: [u32; 2] = [4, 6];

/// A processing element of a design. It takes a product of 384 bits in every cycle; one of 256 bits passes the same registers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Element {
    /// Registers on the way of a product, for the engine that has the most.
    pub stages: u32,
    /// Its cycle over that of the published element at the same voltage, at least 1.
    pub cycle: f64,
    /// The parameter that makes its cycle longer, if one does.
    pub limited_by: Option<&'static str>,
}

impl Element {
    /// The element of a design.
    pub fn of(spec: &MachineSpec) -> Self {
        let (mm, msm) = (&spec.mm, &spec.msm);
        let pipelined = mm.style == MmStyle::Pipelined;
        // An iterative product of a pairing takes its operands, subtracts the modulus, is combined and kept outside of the loop.
        let rounds = mm.latency.saturating_sub(4);
        let stages = [
            ("mm.latency", if pipelined { mm.stages() } else { STAGES }),
            ("poly.mm", spec.poly.mm),
            ("msm.pipelined_latency", msm.pipelined_latency),
        ];
        let loops = [
            ("mm.latency", if pipelined { LOOP[0] } else { rounds }, LOOP[0]),
            ("msm.iterative_interval", msm.iterative_interval, LOOP[0]),
            ("msm.iterative_latency", msm.iterative_latency.saturating_sub(msm.iterative_interval), LOOP[1]),
        ];
        // A pipeline of fewer stages has more logic in each, and a loop of fewer rounds too.
        let uses = stages.map(|(path, stages)| (path, stages, STAGES)).into_iter().chain(loops);
        let (limited_by, cycle) = uses
            .map(|(path, cycles, at_full_clock)| (path, cycle(cycles, at_full_clock)))
            .fold((None, 1.0), |most, (path, cycle)| if cycle > most.1 { (Some(path), cycle) } else { most });
        let stages = stages.iter().map(|(_, stages)| *stages).max().unwrap_or(STAGES);
        Self { stages, cycle, limited_by }
    }
}

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
