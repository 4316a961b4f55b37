//! The processing element: the pipelined modular multiplier that pairings, polynomials and MSMs share.
//!
//! Its stages are one number. Every engine has a latency of its own for a product because it may keep surplus registers,
//! or leave some out; but all of them time the same circuit, so that the engine with the shortest latency sets the clock
//! and the one with the longest the area.

use super::anchors::PE_MM2;
use crate::spec::{MachineSpec, MmStyle};
use pairwright_sim::multiplier::{Known, Multiplier, cycle};

/// Bits of an operand.
const WIDTH: u32 = 384;
/// Stages of the published element: what its printed area and clock belong to. Inferred, as the latencies are.
const STAGES: u32 = 16;
/// The published element, at 28 nm.
const KNOWN: Known = Known {
    width: WIDTH,
    stages: STAGES,
    mm2: PE_MM2,
    at_full_clock: STAGES,
    stage_widths: 4.0,
    from_28: 1.0,
};
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

    /// Its area in mm²: the published one with more or fewer pipeline registers.
    pub fn mm2(&self) -> f64 {
        self.multiplier().mm2()
    }

    /// The circuit that its engines share, which takes a product in every cycle.
    pub fn multiplier(&self) -> Multiplier {
        KNOWN.with(self.stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(changes: &[(&str, &str)]) -> Element {
        Element::of(
            &changes.iter().fold(MachineSpec::paper(), |spec, (path, value)| spec.with(path, value).unwrap()),
        )
    }

    #[test]
    fn the_shortest_latency_sets_the_clock_and_the_longest_the_area() {
        let paper = element(&[]);
        assert_eq!((paper.stages, paper.cycle, paper.limited_by, paper.mm2()), (16, 1.0, None, PE_MM2));
        for engine in ["poly.mm", "msm.pipelined_latency"] {
            let short = element(&[(engine, "8")]);
            assert_eq!((short.stages, short.limited_by, short.mm2()), (16, Some(engine), PE_MM2));
            assert!((short.cycle - 1.88).abs() < 1e-12);
            let long = element(&[(engine, "24")]);
            assert!(long.stages == 24 && long.cycle == 1.0 && long.mm2() > PE_MM2);
        }
        // The engines share a multiplier: its latency is theirs.
        let short = element(&[("mm.latency", "10")]);
        assert!(short.stages == 8 && short.mm2() < PE_MM2 && (short.cycle - 1.88).abs() < 1e-12);
        for (path, value) in
            [("msm.iterative_interval", "2"), ("msm.iterative_latency", "5"), ("msm.pipelined_latency", "1")]
        {
            assert_eq!(element(&[(path, value)]).limited_by, Some(path));
        }
        let iterative = |latency| {
            element(&[
                ("mm.style", "iterative"),
                ("mm.latency", latency),
                ("poly.mm", "16"),
                ("msm.pipelined_latency", "16"),
            ])
        };
        assert_eq!((iterative("8").cycle, iterative("6").limited_by), (1.0, Some("mm.latency")));
    }

    #[test]
    fn a_product_costs_more_in_a_larger_element() {
        let (paper, long) = (element(&[]), element(&[("mm.latency", "26")]));
        assert!(
            long.product_j(1.1) > paper.product_j(1.1) && paper.product_j(1.1) > 2.0 * paper.product_j(0.7)
        );
    }
}
