//! The clock of a design, as its supply voltage and the shared multiplier limit it.
//!
//! All engines share one multiplier circuit. Each engine has its own latency for a product, because it may keep surplus
//! registers or leave some out. The engine with the shortest latency has the most logic per stage and sets the clock; the
//! engine with the longest latency has the most registers and sets the area.

use super::{MachineSpec, MmStyle};
use pairwright_sim::multiplier::cycle;

/// Printed: supply voltages in volts, with the clock frequencies in hertz that were measured on the chip at each.
pub const OPERATING_POINTS: [(f64, f64); 3] = [(0.7, 300e6), (0.9, 500e6), (1.1, 800e6)];

/// Pipeline stages of the published processing element, to which its printed area and clock belong. Inferred, as the
/// latencies are.
pub(crate) const STAGES: u32 = 16;
/// Cycles of an iterative multiplier inside of its loop and outside of it, at the published clock: the inferred interval of
/// G2, and the rest of its inferred latency.
const LOOP: [u32; 2] = [4, 6];

/// A processing element of a design: a pipelined modular multiplier. It accepts operands of 384 bits in every cycle; a
/// product of 256 bits passes the same registers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Element {
    /// Pipeline stages of a product, in the engine that has the most.
    pub stages: u32,
    /// Cycle time relative to that of the published element at the same voltage; at least 1.
    pub cycle: f64,
    /// Dotted path of the parameter that lengthens the cycle; `None` if the cycle is the published one.
    pub limited_by: Option<&'static str>,
}

impl Element {
    /// Derives the shared processing element from a design's latencies.
    pub fn of(spec: &MachineSpec) -> Self {
        let (mm, msm) = (&spec.mm, &spec.msm);
        let pipelined = mm.style == MmStyle::Pipelined;
        // An iterative product of the pairing processor spends four cycles outside of its loop: taking the operands, the
        // final subtraction of the modulus, the combination in Fp2 and the output register.
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
        // Fewer pipeline stages leave more logic in each stage, and fewer rounds of a loop leave more logic in each round.
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

/// The clock that a design runs at, in hertz: the requested frequency, or [`highest_hz`] where that is lower.
pub fn clock_hz(spec: &MachineSpec) -> f64 {
    spec.clock.hz.min(highest_hz(spec))
}
