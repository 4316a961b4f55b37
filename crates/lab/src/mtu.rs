//! The tables and figures of [MTU], "MTU: The Multifunction Tree Unit for Accelerating Zero-Knowledge Proofs". The
//! unit's numbers come from its model in `mtu` and are the same on every machine; those of the CPU are measured on this
//! machine.

mod areas;
mod baseline;
mod cpu;
mod fig4;
mod fig5;
mod fig6;
mod fig7;
mod multiplier;
mod operations;
mod schedule;
mod sensitivity;
mod sweep;
mod table1;
mod table4;
mod tables;
mod toggles;
mod zkspeed;

use crate::experiment::{Picture::*, experiments};

const NOTHING: &str = "nothing: a model, the same on every machine";
const MINUTES: &str = "minutes: a model, the same on every machine, at 2^20";
const CORES: &str = "a quiet machine, a minute; threads up to its cores";

experiments! {
    "mtu/table1", "[MTU] table 1", MINUTES, Modelled, Bars, table1::run,
        "traversals by time, control, initiation interval, order of inputs, memory and bandwidth";
    "mtu/table2", "[MTU] table 2", NOTHING, Modelled, Bars, tables::inverted,
        "28 cycles of the DFS accumulator on an inverted tree";
    "mtu/table3", "[MTU] table 3", NOTHING, Modelled, Bars, tables::forward,
        "28 cycles of the DFS accumulator on a forward tree";
    "mtu/fig4", "[MTU] figure 4", MINUTES, Modelled, Bars, fig4::run,
        "runtimes of four workloads by traversal, elements and bandwidth: hybrid up to 3 times as fast as BFS";
    "mtu/fig5", "[MTU] figure 5", CORES, Measured, Bars, fig5::run,
        "BFS and DFS on a CPU by threads: DFS ahead by less than 200 ms";
    "mtu/fig6", "[MTU] figure 6", CORES, Estimated, Bars, fig6::run,
        "speed-up over a CPU with as many threads: 1478 at 64 GB/s, 9440 at 1024 GB/s on average";
    "mtu/baseline", "[MTU] figure 6", MINUTES, Estimated, Bars, baseline::run,
        "the same means over the code that the paper measures: HyperPlonk's and arkworks'";
    "mtu/fig7", "[MTU] figure 7", MINUTES, Modelled, Lines, fig7::run,
        "runtime and area of Merkle trees: bandwidths make no difference below 3 mm2";
    "mtu/table4", "[MTU] table 4", NOTHING, Modelled, Bars, table4::run,
        "4.697 mm2 and 7.219 W for 32 elements";
    "mtu/areas", "[MTU] table 4", NOTHING, Modelled, Bars, areas::run,
        "4.427 mm2 of modulus operations and 0.192 of SHA3: by cells of synthesised blocks, without the printed areas";
    "mtu/toggles", "[MTU] table 4", NOTHING, Modelled, Bars, toggles::run,
        "6.886 W of modulus operations and 0.320 W of SHA3: by the toggles of synthesised blocks, without the printed watts";
    "mtu/operations", "[MTU] section 3.1", NOTHING, Modelled, Bars, operations::run,
        "2^(mu+1) - 4 multiplications for Build MLE and 2^mu - 1 for an evaluation";
    "mtu/schedule", "beyond [MTU]", MINUTES, Modelled, Bars, schedule::run,
        "what the accumulator's schedule, the depth of pipelines and the memory change";
    "mtu/multiplier", "beyond [MTU]", MINUTES, Modelled, Bars, multiplier::run,
        "how deep multipliers and SHA3 engines should be when the clock follows their depth";
    "mtu/sensitivity", "beyond [MTU]", MINUTES, Modelled, Bars, sensitivity::run,
        "how far cycles, gains and areas move when one inferred parameter takes another plausible value";
    "mtu/zkspeed", "published designs", NOTHING, Modelled, Bars, zkspeed::run,
        "zkSpeed's sumchecks of 2^24 gates: 8.39 million cycles of evaluations, 6.57 and 8.03 million of updates";
}
