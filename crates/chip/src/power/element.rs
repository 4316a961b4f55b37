//! The area of a processing element: the pipelined modular multiplier that pairings, polynomials and MSMs share.

use super::anchors::PE_MM2;
use crate::spec::clock::{Element, STAGES};
use pairwright_sim::multiplier::{KnownMultiplier, Multiplier};

/// Bits of an operand.
const WIDTH: u32 = 384;
/// The published element at 28 nm, to which others are scaled.
const KNOWN: KnownMultiplier = KnownMultiplier {
    width: WIDTH,
    stages: STAGES,
    mm2: PE_MM2,
    at_full_clock: STAGES,
    stage_widths: 4.0,
    from_28: 1.0,
};

impl Element {
    /// Area in mm²: that of the published element with more or fewer pipeline registers.
    pub fn mm2(&self) -> f64 {
        self.multiplier().mm2()
    }

    /// The multiplier circuit that the engines share, which accepts a product in every cycle.
    pub fn multiplier(&self) -> Multiplier {
        KNOWN.with(self.stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MachineSpec;

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
