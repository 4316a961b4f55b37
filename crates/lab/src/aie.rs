//! The tables and figures of [AIE], "Accelerating Elliptic Curve Point Additions on Versal AI Engine for Multi-scalar
//! Multiplication": the engines', the array's and the board's numbers from their models in `aie`, the same on every machine; the
//! CPU's measured here.

mod board;
mod carry;
mod cpu;
mod designs;
mod explore;
mod fig7;
mod fig8;
mod msm;
mod table1;
mod table2;
mod table3;

pub(crate) use designs::Evaluations;

use crate::experiment::Experiment;
use crate::plot::Picture;
use crate::report::Kind;

const NOTHING: &str = "nothing: a model, the same on every machine";
const MINUTES: &str = "minutes: a model, the same on every machine";
const QUIET: &str = "a quiet machine, a minute; GMP, if it is installed";

/// In the order of the paper.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "aie/table1",
        paper: "[AIE] table I",
        claim: "five mappings by throughput, latency, instructions and utilisations",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/aie/table1.csv"),
        run: table1::run,
    },
    Experiment {
        id: "aie/fig7",
        paper: "[AIE] figure 7",
        claim: "throughput against latency: single, coarse and med-ind are beaten by none",
        needs: MINUTES,
        kind: Kind::Modelled,
        picture: Picture::Points,
        published: include_str!("../published/aie/fig7.csv"),
        run: fig7::run,
    },
    Experiment {
        id: "aie/fig8",
        paper: "[AIE] figure 8",
        claim: "one task on med-ind and on med-coop, tile by tile: 795 and 1211 cycles",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Timeline,
        published: include_str!("../published/aie/fig8.csv"),
        run: fig8::run,
    },
    Experiment {
        id: "aie/carry",
        paper: "[AIE] section IV.C",
        claim: "carries in the engines keep multipliers busy 27.4 % of the time, carries in the logic 21.9 %",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/aie/carry.csv"),
        run: carry::run,
    },
    Experiment {
        id: "aie/table2",
        paper: "[AIE] table II",
        claim: "67.0 million additions a second on the board, 568 times its CPU, half of its memory's bandwidth",
        needs: QUIET,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/aie/table2.csv"),
        run: table2::run,
    },
    Experiment {
        id: "aie/table3",
        paper: "[AIE] table III",
        claim: "an addition after the other: 1.05 us each, with 0.28 times the multipliers of BSTMSM",
        needs: QUIET,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/aie/table3.csv"),
        run: table3::run,
    },
    Experiment {
        id: "aie/explore",
        paper: "beyond [AIE]",
        claim: "other reductions, carries and products on every mapping; the best design, and what the board makes of it",
        needs: MINUTES,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/aie/explore.csv"),
        run: explore::run,
    },
    Experiment {
        id: "aie/msm",
        paper: "beyond [AIE]",
        claim: "whole MSMs on the board beside this machine's cores",
        needs: QUIET,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/aie/msm.csv"),
        run: msm::run,
    },
];
