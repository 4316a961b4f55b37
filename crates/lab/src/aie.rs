//! The tables and figures of [AIE], "Accelerating Elliptic Curve Point Additions on Versal AI Engine for Multi-scalar
//! Multiplication". The numbers of the engines, the array and the board come from their models in `aie` and are the
//! same on every machine; those of the CPU are measured on this machine.

mod board;
mod carry;
mod cpu;
mod designs;
mod explore;
mod fig7;
mod fig8;
mod msm;
mod sensitivity;
mod table1;
mod table2;
mod table3;

use crate::experiment::{Picture::*, experiments};
use pairwright_plot::{Better, Frontier};

const NOTHING: &str = "nothing: a model, the same on every machine";
const MINUTES: &str = "minutes: a model, the same on every machine";
const QUIET: &str = "a quiet machine, a minute; GMP, if it is installed";

experiments! {
    "aie/table1", "[AIE] table I", NOTHING, Modelled, Bars, table1::run,
        "five mappings by throughput, latency, instructions and utilisations";
    "aie/fig7", "[AIE] figure 7", MINUTES, Modelled, Points(Frontier { better: Better::LessXMoreY, each: false }), fig7::run,
        "throughput against latency: single, coarse and med-ind are beaten by none";
    "aie/fig8", "[AIE] figure 8", NOTHING, Modelled, Timeline, fig8::run,
        "one task on med-ind and on med-coop, tile by tile: 795 and 1211 cycles";
    "aie/carry", "[AIE] section IV.C", NOTHING, Modelled, Bars, carry::run,
        "carries in the engines keep multipliers busy 27.4 % of the time, carries in the logic 21.9 %";
    "aie/table2", "[AIE] table II", QUIET, Modelled, Bars, table2::run,
        "67.0 million additions a second on the board, 568 times its CPU, half of its memory's bandwidth";
    "aie/table3", "[AIE] table III", QUIET, Modelled, Bars, table3::run,
        "an addition after the other: 1.05 us each, with 0.28 times the multipliers of BSTMSM";
    "aie/explore", "beyond [AIE]", MINUTES, Modelled, Bars, explore::run,
        "other reductions, carries and products on every mapping; the best design, and what the board makes of it";
    "aie/sensitivity", "beyond [AIE]", MINUTES, Modelled, Bars, sensitivity::run,
        "how far one inferred parameter moves table I, and what other registers and locks would do";
    "aie/msm", "beyond [AIE]", QUIET, Modelled, Bars, msm::run,
        "whole MSMs on the board beside this machine's cores";
}
