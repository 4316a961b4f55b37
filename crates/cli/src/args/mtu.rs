//! Arguments of `pairwright sim mtu`.

use super::sim::{CurveName, Size};
use super::{Designs, OutputPath};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use pairwright::formats::CurveId;
use pairwright::mtu::{Schedule, Traversal, Workload};
use serde::Serialize;

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright sim mtu --workload merkle --size 2^20 --pes 32 --bandwidth 256 --traversal hybrid
  pairwright sim mtu --workload product-mle --size 2^12 --pes 8 --data
  pairwright sim mtu --workload build-mle --size 2^14 --trace tree.json --window 2000
  pairwright sim mtu --workload merkle --hash-ii 12 --set hash_latency=12 --json
  pairwright sim mtu --workload merkle --size 2^12 --hash-leaves --data
  pairwright sim mtu --workload merkle --size 2^16 --roofline roof.svg
  pairwright sim mtu --dump-config --pes 8 > unit.toml; pairwright sim mtu --spec unit.toml
  pairwright sim mtu --sweep pes=2,4,8,16,32 --sweep bandwidth=64,256,1024 --csv s.csv --plot s.svg

The unit of --design is changed by --spec, then by --set, then by the options that have a parameter's name, then by --sweep.";

/// Declares the command line's names for the values of a type that has names already.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident of $of:ident: $($value:ident, $about:literal;)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub(crate) struct $name(pub $of);

        impl ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self($of::$value)),+]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let about = match self.0 { $($of::$value => $about),+ };
                Some(PossibleValue::new(self.0.name()).help(about))
            }
        }
    };
}

names! {
    /// The workloads of a tree.
    WorkloadName of Workload:
    BuildMle, "eq(x, r) at every corner x: a forward tree";
    MleEval, "the value of a multilinear extension";
    Product, "the product of all leaves";
    ProductMle, "the same, every inner node written";
    Merkle, "the SHA3 root over digests";
    MerkleLevels, "the same, every inner node written, as openings need";
}

names! {
    /// Orders of a tree's nodes.
    TraversalName of Traversal:
    Bfs, "level by level, every level through memory";
    Dfs, "a subtree an element, one element to merge them";
    Hybrid, "the lowest levels in a pipeline of elements, the others in the DFS accumulator";
}

names! {
    /// Schedules of the DFS accumulator.
    AccumulatorName of Schedule:
    Ruler, "the pattern of tables 2 and 3, idle slots included";
    Filled, "no slot idle that any level could use";
}

#[derive(Debug, Args)]
pub(crate) struct SimMtu {
    /// The tree that is computed.
    #[command(flatten)]
    pub tree: TreeParameters,
    /// The unit, and families of units.
    #[command(flatten)]
    pub designs: Designs,
    /// Parameters of the unit that have an option.
    #[command(flatten)]
    pub unit: Unit,
    /// Write a timeline for Perfetto or Chrome (JSON).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sweep", "data"])]
    pub trace: Option<OutputPath>,
    /// Draw the roofline of the run (SVG): operations a second over operations per byte from memory.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub roofline: Option<OutputPath>,
    /// The number of cycles in the timeline, from the first on, 65536 at most.
    #[arg(
        long,
        value_name = "CYCLES",
        default_value_t = 4096,
        requires = "trace",
        value_parser = clap::value_parser!(u64).range(..=65536)
    )]
    pub window: u64,
}

/// A tree. Sweeps know its parameters by name: --sweep size=2^10,2^20.
#[derive(Clone, Debug, Args, Serialize)]
pub(crate) struct TreeParameters {
    /// The computation on the tree.
    #[arg(long, value_enum, default_value = "build-mle")]
    pub workload: WorkloadName,
    /// Leaves: a power of two.
    #[arg(long, value_name = "N", default_value = "2^20")]
    pub size: Size,
    /// The leaves of a Merkle tree are data of one word each, which the unit hashes first; otherwise they are digests.
    #[arg(long)]
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub hash_leaves: bool,
    /// The leaves come from a preceding stage that delivers N leaves a cycle in the order of their indices, not from memory.
    #[arg(long, value_name = "N", conflicts_with = "data")]
    pub upstream: Option<u32>,
    /// The leaves of a forward tree go to a following stage that takes N leaves a cycle in that order, not to memory.
    #[arg(long, value_name = "N", conflicts_with = "data")]
    pub downstream: Option<u32>,
    /// Compute with real data, and compare the result with the host's; otherwise only time is simulated.
    #[arg(long)]
    pub data: bool,
    /// Draw the data from this seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
    /// The curve whose scalar field the data are of.
    #[arg(long, value_enum, default_value_t = CurveName(CurveId::Bls12_381))]
    pub curve: CurveName,
}

/// Parameters of the tree unit that have an option.
#[derive(Clone, Debug, Args)]
pub(crate) struct Unit {
    /// Processing elements: a power of two [default: 32].
    #[arg(long, value_name = "N")]
    pub pes: Option<u32>,
    /// Bandwidth of the memory in GB/s [default: 1024].
    #[arg(long, value_name = "GB/S")]
    pub bandwidth: Option<u32>,
    /// Size both buffers for the memory: twice its bandwidth times its latency. Otherwise they have the paper's size, made for
    /// 1024 GB/s, or the size that a file or --set gives.
    #[arg(long)]
    pub fit_buffers: bool,
    /// Cycles between two inputs of a SHA3 engine: 1, 12 or 24 [default: 1].
    #[arg(long, value_name = "CYCLES")]
    pub hash_ii: Option<u32>,
    /// The order in which nodes are computed [default: hybrid].
    #[arg(long, value_enum)]
    pub traversal: Option<TraversalName>,
    /// How the DFS accumulator fills its slots [default: ruler].
    #[arg(long, value_enum)]
    pub schedule: Option<AccumulatorName>,
}
