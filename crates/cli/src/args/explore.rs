//! Arguments of `pairwright explore`.

use super::sim::{GroupName, ScheduleName, Size};
use super::{AieOptions, Axis, Design, OutputPath, Programs, TreeParameters, Unit};
use crate::failure::ArgumentError;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use core::str::FromStr;
use serde::Serialize;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright explore mtu --size 2^12 --over pes=2,4,8 --over mul_latency=14,28
  pairwright explore mtu --size 2^10 --max area=4 --budget 40 --csv front.csv --plot front.svg
  pairwright explore mtu --size 2^10 --over pes=2,4,8,16,32 --over hash_ii=1,2,6,12,24 --bounds
  pairwright explore mtu --size 2^10 --over pes=2,4,8 --designs front --journal points.jsonl
  pairwright explore chip --workload ntt --size 2^10 --over poly.groups=1,2 --json
  pairwright explore chip --seeds 1 --over mm.ii=1,2 --minimise cycles,area
  pairwright explore aie --over mapping=coarse,med-ind --max tiles=40

The design of --design is changed by --spec, then by --set, then by options that have a parameter's name, then by --over.
Where the space has more points than --budget, an evolutionary search picks those that are simulated.";

/// A machine whose designs are searched.
#[derive(Debug, Subcommand)]
pub(crate) enum Explore {
    /// Designs of the crypto-processor.
    #[command(after_help = EXAMPLES)]
    Chip(ExploreChip),
    /// Designs of the tree unit.
    #[command(after_help = EXAMPLES)]
    Mtu(ExploreMtu),
    /// Point additions on AI Engines.
    #[command(after_help = EXAMPLES)]
    Aie(ExploreAie),
}

/// The workload for which designs of the crypto-processor are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ChipWorkload {
    /// One pairing on BLS12-381, checked against the host's.
    Pairing,
    /// A number-theoretic transform.
    Ntt,
    /// A multi-scalar multiplication.
    Msm,
    /// A whole Groth16 proof.
    Groth16,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreChip {
    /// The computation, as in `pairwright sim`.
    #[arg(long, value_enum, default_value_t = ChipWorkload::Pairing)]
    pub workload: ChipWorkload,
    /// Points of a transform, of a multi-scalar multiplication or of a proof's domain.
    #[arg(long, value_name = "N", default_value = "2^12")]
    pub size: Size,
    /// The group of the points of a multi-scalar multiplication.
    #[arg(long, value_enum, default_value_t = GroupName::G1)]
    pub group: GroupName,
    /// How transfers and computation overlap.
    #[arg(long, value_enum, default_value_t = ScheduleName::Hidden)]
    pub schedule: ScheduleName,
    #[command(flatten)]
    pub base: Design,
    #[command(flatten)]
    pub programs: Programs,
    #[command(flatten)]
    pub search: SearchOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreMtu {
    /// The tree that is computed.
    #[command(flatten)]
    pub tree: TreeParameters,
    #[command(flatten)]
    pub base: Design,
    /// Parameters of the unit that have an option.
    #[command(flatten)]
    pub unit: Unit,
    #[command(flatten)]
    pub search: SearchOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ExploreAie {
    #[command(flatten)]
    pub base: Design,
    /// Parameters that have an option.
    #[command(flatten)]
    pub options: AieOptions,
    #[command(flatten)]
    pub search: SearchOptions,
}

/// A search of a space of designs.
#[derive(Clone, Debug, Args)]
pub(crate) struct SearchOptions {
    /// Search these values of a parameter: FIELD=FIRST..LAST, FIELD=FIRST..LAST:STEP or FIELD=A,B,C; several multiply
    /// [default: a space for each machine and workload, see the book].
    #[arg(long, value_name = "FIELD=VALUES")]
    pub over: Vec<Axis>,
    /// Take only designs whose result is at most this: a column of the results, as area_mm2=5.
    #[arg(long, value_name = "NAME=NUMBER")]
    pub max: Vec<Limit>,
    /// Take only designs whose result is at least this.
    #[arg(long, value_name = "NAME=NUMBER")]
    pub min: Vec<Limit>,
    /// The two results that designs are compared by; a result of which more is better is maximised [default: time and
    /// area, or latency and throughput].
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub minimise: Vec<String>,
    /// The most designs that are simulated, those of the journal included.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub budget: u32,
    /// Search by branch and bound: simulate only designs that may be on the Pareto front of the whole space. This needs axes along which
    /// it is known how both results change (those of the tree unit).
    #[arg(long)]
    pub bounds: bool,
    /// Number of designs in a generation of the search, or simulated at a time, if not all designs are simulated.
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub population: u32,
    /// The seed of the search.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub search_seed: u64,
    /// Keep every simulated design in this file, and reuse those that an earlier search has simulated.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<OutputPath>,
    /// Write the designs of the Pareto front, which none beats in both results, as a table (CSV).
    #[arg(long, value_name = "FILE")]
    pub csv: Option<OutputPath>,
    /// Draw all designs within the limits, and the Pareto front as a line (SVG).
    #[arg(long, value_name = "FILE")]
    pub plot: Option<OutputPath>,
    /// Write each design of the Pareto front as a file for --spec into this folder, which is made if it does not exist.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub designs: Option<PathBuf>,
}

/// A limit on a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Limit {
    /// The name of a result.
    pub name: String,
    /// The largest or smallest value that is allowed.
    pub value: f64,
}

impl FromStr for Limit {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let found = text.split_once('=').and_then(|(name, value)| {
            let value = value.trim().parse::<f64>().ok().filter(|value| value.is_finite())?;
            Some(Self { name: name.trim().to_owned(), value })
        });
        found.filter(|limit| !limit.name.is_empty()).ok_or_else(|| ArgumentError::Limit(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_names_and_numbers() {
        let limit = |text: &str| text.parse::<Limit>().map(|limit| (limit.name, limit.value)).ok();
        assert_eq!(limit("area_mm2=2.5"), Some(("area_mm2".to_owned(), 2.5)));
        assert!(
            ["area", "=3", "area=", "area=x", "area=inf", "area=nan"].iter().all(|bad| limit(bad).is_none())
        );
    }
}
