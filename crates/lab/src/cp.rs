//! The tables and figures of [CP], "A 28nm 8.3mm² 76.9µJ/Pairing Scheme-Adaptive Crypto-Processor": modelled with
//! `chip`, and the same on every machine.

mod chip;
mod explore;
mod fig13;
mod fig15;
mod fig16;
mod fig19;
mod fig22;
mod fig23;
mod fig24;
mod fig25;
mod fig5;
mod fig7;
mod formulas;
mod table1;
mod table2;
mod table3;

use crate::experiment::{Context, Experiment};
use crate::place::{Place, answer, modelled};
use crate::plot::Picture;
use crate::report::Kind;
use pairwright_chip::compiler::{Options, Scheduler};

const NOTHING: &str = "nothing: a model, the same on every machine";

const MINUTE: &str = "a minute: a model, the same on every machine, at sizes up to 2^20";

/// In the order of the paper.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "cp/fig5",
        paper: "[CP] figure 5",
        claim: "where the time of a proof goes on a CPU: MSM 70 %, NTT 20 %",
        needs: NOTHING,
        kind: Kind::Estimated,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig5.csv"),
        run: fig5::run,
    },
    Experiment {
        id: "cp/fig7",
        paper: "[CP] figure 7",
        claim: "multiplications in Fp for the operations of each level of the tower",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig7.csv"),
        run: fig7::run,
    },
    Experiment {
        id: "cp/fig13",
        paper: "[CP] figure 13",
        claim: "an Fp6 product: pipelining with forwarding against none (1.24) and an iterative multiplier (3.1)",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig13.csv"),
        run: fig13::run,
    },
    Experiment {
        id: "cp/table1",
        paper: "[CP] table I",
        claim: "the eight routines of a pairing in instructions",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/table1.csv"),
        run: table1::run,
    },
    Experiment {
        id: "cp/table2",
        paper: "[CP] table II",
        claim: "a pairing in 55.9 K cycles, 69.9 us, 76.9 uJ and 2.09 mm2; area-time product 17 times below SSCL'21's",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/table2.csv"),
        run: table2::run,
    },
    Experiment {
        id: "cp/formulas",
        paper: "beyond [CP]",
        claim: "formulas for the same operation against each other on the pairing processor",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/formulas.csv"),
        run: formulas::run,
    },
    Experiment {
        id: "cp/explore",
        paper: "beyond [CP]",
        claim: "designs that the paper does not make: latency against area at equal bandwidth",
        needs: MINUTE,
        kind: Kind::Modelled,
        picture: Picture::Points,
        published: include_str!("../published/cp/explore.csv"),
        run: explore::run,
    },
    Experiment {
        id: "cp/table3",
        paper: "[CP] table III",
        claim: "accelerators of proofs: 8.8 and 12.2 times PipeZK's area efficiency, 1.7 and 6.2 times its energy's",
        needs: MINUTE,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/table3.csv"),
        run: table3::run,
    },
    Experiment {
        id: "cp/fig15",
        paper: "[CP] figure 15",
        claim: "a large coset NTT with and without hiding of its transfers",
        needs: MINUTE,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig15.csv"),
        run: fig15::run,
    },
    Experiment {
        id: "cp/fig16",
        paper: "[CP] figure 16",
        claim: "layouts of 16 points by stages; 28 2-to-1 multiplexers against 16 8-to-1",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig16.csv"),
        run: fig16::run,
    },
    Experiment {
        id: "cp/fig19",
        paper: "[CP] figure 19",
        claim: "bucket reduction in two segments: about twice the utilisation",
        needs: MINUTE,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig19.csv"),
        run: fig19::run,
    },
    Experiment {
        id: "cp/fig22",
        paper: "[CP] figure 22",
        claim: "where the chip's area and power are: 72 % and 86 % in twelve processing elements",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig22.csv"),
        run: fig22::run,
    },
    Experiment {
        id: "cp/fig23",
        paper: "[CP] figure 23",
        claim: "frequency and power of a pairing from 0.7 to 1.1 V",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Curves,
        published: include_str!("../published/cp/fig23.csv"),
        run: fig23::run,
    },
    Experiment {
        id: "cp/fig24",
        paper: "[CP] figure 24",
        claim: "coset NTT, G1 and G2 MSM over sizes and bandwidths at 0.9 V and 500 MHz",
        needs: MINUTE,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig24.csv"),
        run: fig24::run,
    },
    Experiment {
        id: "cp/fig25",
        paper: "[CP] figure 25",
        claim: "whole proofs of three applications within a second; 0.15 J for 2^16 gates",
        needs: MINUTE,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/fig25.csv"),
        run: fig25::run,
    },
];

/// How hard the compiler looks: as [CP] does, a thousand schedules; fewer for tests of the lab.
fn options(context: &Context<'_>, scheduler: Scheduler) -> Options {
    Options { scheduler, seeds: if context.quick { 20 } else { 1000 }, seed: context.seed }
}
