//! The tables and figures of [MTU], "MTU: The Multifunction Tree Unit for Accelerating Zero-Knowledge Proofs": the unit's
//! from its model in `mtu`, the same on every machine; the CPU's measured here.

mod cpu;
mod fig4;
mod fig5;
mod fig6;
mod fig7;
mod schedule;
mod sweep;
mod table1;
mod table4;
mod tables;

use crate::experiment::Experiment;
use crate::plot::Picture;
use crate::report::Kind;

const NOTHING: &str = "nothing: a model, the same on every machine";
const MINUTES: &str = "minutes: a model, the same on every machine, at 2^20";
const CORES: &str = "a quiet machine, a minute; threads up to its cores";

/// In the order of the paper.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "mtu/table1",
        paper: "[MTU] table 1",
        claim: "traversals by time, control, initiation interval, order of inputs, memory and bandwidth",
        needs: MINUTES,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/table1.csv"),
        run: table1::run,
    },
    Experiment {
        id: "mtu/table2",
        paper: "[MTU] table 2",
        claim: "28 cycles of the DFS accumulator on an inverted tree",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/table2.csv"),
        run: tables::inverted,
    },
    Experiment {
        id: "mtu/table3",
        paper: "[MTU] table 3",
        claim: "28 cycles of the DFS accumulator on a forward tree",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/table3.csv"),
        run: tables::forward,
    },
    Experiment {
        id: "mtu/fig4",
        paper: "[MTU] figure 4",
        claim: "runtimes of four workloads by traversal, elements and bandwidth: hybrid up to 3 times as fast as BFS",
        needs: MINUTES,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/fig4.csv"),
        run: fig4::run,
    },
    Experiment {
        id: "mtu/fig5",
        paper: "[MTU] figure 5",
        claim: "BFS and DFS on a CPU by threads: DFS ahead by less than 200 ms",
        needs: CORES,
        kind: Kind::Measured,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/fig5.csv"),
        run: fig5::run,
    },
    Experiment {
        id: "mtu/fig6",
        paper: "[MTU] figure 6",
        claim: "speed-up over a CPU with as many threads: 1478 at 64 GB/s, 9440 at 1024 GB/s on average",
        needs: CORES,
        kind: Kind::Estimated,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/fig6.csv"),
        run: fig6::run,
    },
    Experiment {
        id: "mtu/fig7",
        paper: "[MTU] figure 7",
        claim: "runtime and area of Merkle trees: bandwidths make no difference below 3 mm2",
        needs: MINUTES,
        kind: Kind::Modelled,
        picture: Picture::Curves,
        published: include_str!("../published/mtu/fig7.csv"),
        run: fig7::run,
    },
    Experiment {
        id: "mtu/table4",
        paper: "[MTU] table 4",
        claim: "4.697 mm2 and 7.219 W for 32 elements",
        needs: NOTHING,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/table4.csv"),
        run: table4::run,
    },
    Experiment {
        id: "mtu/schedule",
        paper: "beyond [MTU]",
        claim: "what the accumulator's schedule, the depth of pipelines and the memory change",
        needs: MINUTES,
        kind: Kind::Modelled,
        picture: Picture::Bars,
        published: include_str!("../published/mtu/schedule.csv"),
        run: schedule::run,
    },
];
