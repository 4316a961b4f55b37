//! The tables and figures of [CP], "A 28nm 8.3mm² 76.9µJ/Pairing Scheme-Adaptive Crypto-Processor": modelled with
//! `chip`, and the same on every machine.

mod fig13;
mod fig22;
mod fig23;
mod fig7;
mod formulas;
mod table1;
mod table2;
mod table3;

use crate::experiment::{Answer, Context, Experiment};
use crate::plot::Picture;
use crate::report::{Kind, Row};
use pairwright_chip::compiler::{Options, Scheduler};

const NOTHING: &str = "nothing: a model, the same on every machine";

/// In the order of the paper.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
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
        id: "cp/table3",
        paper: "[CP] table III",
        claim: "accelerators of proofs: 8.8 and 12.2 times PipeZK's area efficiency, 1.7 and 6.2 times its energy's",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/cp/table3.csv"),
        run: table3::run,
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
];

/// What our numbers are about, for their notes and units.
struct Place<'a> {
    what: &'a str,
    operation: &'a str,
    unit: &'a str,
}

/// A row of a model's own.
fn modelled(place: &Place<'_>, series: &str, value: f64, note: &str) -> Row {
    Row {
        what: place.what.to_owned(),
        operation: place.operation.to_owned(),
        series: series.to_owned(),
        bits: None,
        log2_n: None,
        device: "model".to_owned(),
        published: None,
        ours: Some(value),
        median: None,
        ratio: None,
        unit: place.unit.to_owned(),
        kind: Kind::Modelled,
        note: note.to_owned(),
    }
}

/// An answer to a published number.
fn answer(key: &'static str, operation: &'static str, series: &str, value: f64, note: &str) -> Answer {
    Answer {
        key,
        operation: Some(operation),
        bits: None,
        log2_n: None,
        series: series.to_owned(),
        value,
        note: note.to_owned(),
    }
}

/// How hard the compiler looks: as [CP] does, a thousand schedules; fewer for tests of the lab.
fn options(context: &Context<'_>, scheduler: Scheduler) -> Options {
    Options { scheduler, seeds: if context.quick { 20 } else { 1000 }, seed: context.seed }
}
