//! The figures of [MoMA], "Code Generation for Cryptographic Kernels using Multi-word Modular Arithmetic on GPU".

mod fig2;
mod fig3;
mod fig4;
mod fig5;
mod ntts;
mod table2;
mod vectors;

use crate::experiment::{Context, Experiment};
use crate::measure::{Entry, Timing};
use crate::plot::Picture;
use crate::report::{Kind, Row};

const GPU: &str = "a GPU for the paper's setting; without one, the host's targets";

/// In the order of the paper.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "moma/table2",
        paper: "[MoMA] table 2",
        claim: "the machines of the evaluation",
        needs: "nothing",
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/table2.csv"),
        run: table2::run,
    },
    Experiment {
        id: "moma/fig2",
        paper: "[MoMA] figure 2",
        claim: "vector add, sub, mul and axpy at 128 to 1024 bits, at least 13 times faster than GMP and GRNS",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig2.csv"),
        run: fig2::run,
    },
    Experiment {
        id: "moma/fig3a",
        paper: "[MoMA] figure 3a",
        claim: "128-bit NTTs beat two ASICs on the H100 and the RTX 4090",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig3a.csv"),
        run: fig3::a,
    },
    Experiment {
        id: "moma/fig3b",
        paper: "[MoMA] figure 3b",
        claim: "256-bit NTTs, 13 times faster than ICICLE",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig3b.csv"),
        run: fig3::b,
    },
    Experiment {
        id: "moma/fig3c",
        paper: "[MoMA] figure 3c",
        claim: "384-bit NTTs, 4.8 times faster than ICICLE",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig3c.csv"),
        run: fig3::c,
    },
    Experiment {
        id: "moma/fig3d",
        paper: "[MoMA] figure 3d",
        claim: "768-bit NTTs, twice as fast as PipeZK",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig3d.csv"),
        run: fig3::d,
    },
    Experiment {
        id: "moma/fig4",
        paper: "[MoMA] figure 4",
        claim: "NTTs of 2^16 points across widths, against GMP",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig4.csv"),
        run: fig4::run,
    },
    Experiment {
        id: "moma/fig5a",
        paper: "[MoMA] figure 5a",
        claim: "NTTs of 4096 points from 64 to 1024 bits: doubling the width costs 2.7 to 5.6 times",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig5a.csv"),
        run: fig5::a,
    },
    Experiment {
        id: "moma/fig5b",
        paper: "[MoMA] figure 5b",
        claim: "Karatsuba wins at 128 and 256 bits, schoolbook at 768",
        needs: GPU,
        kind: Kind::Measured,
        picture: Picture::Times,
        published: include_str!("../published/moma/fig5b.csv"),
        run: fig5::b,
    },
];

/// Where a measurement stands in a figure.
struct Point {
    operation: &'static str,
    bits: u32,
    log2_n: u32,
}

/// The row of a measurement in which so many `units` were done.
fn measured(point: &Point, unit: &str, entry: &Entry<'_>, timing: &Timing, units: f64, note: String) -> Row {
    Row {
        what: format!("time per {unit}"),
        operation: point.operation.to_owned(),
        series: entry.series.clone(),
        bits: Some(point.bits),
        log2_n: Some(point.log2_n),
        device: entry.work.device().to_owned(),
        published: None,
        ours: Some(1e9 * timing.min / units),
        median: Some(1e9 * timing.median / units),
        ratio: None,
        unit: format!("ns per {unit}"),
        kind: Kind::Measured,
        note,
    }
}

/// Our time in a row of a figure.
fn time(rows: &[Row], operation: &str, series: &str, bits: u32) -> Option<f64> {
    let fits = |row: &&Row| row.operation == operation && row.series == series && row.bits == Some(bits);
    rows.iter().find(fits).and_then(|row| row.ours)
}

/// The series of the rows that are ours and not a baseline's, each once.
fn our_series<'a>(rows: &'a [Row], context: &Context<'_>) -> Vec<&'a str> {
    let targets = context.targets();
    let mut found: Vec<&str> = Vec::new();
    for row in rows {
        let ours = targets.iter().any(|target| row.series.split(' ').next() == Some(target));
        if ours && !found.contains(&row.series.as_str()) {
            found.push(&row.series);
        }
    }
    found
}
