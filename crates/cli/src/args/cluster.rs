//! Arguments of `pairwright sim cluster`.

use super::scale::Bytes;
use super::sim::{CurveName, Size};
use super::{Designs, InputPath, OutputPath};
use clap::Args;
use pairwright::formats::CurveId;
use serde::Serialize;
use std::num::NonZeroUsize;

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright sim cluster --size 2^20 --design local
  pairwright sim cluster --size 2^24 --set nodes=4 --memory 2G --trace proof.json
  pairwright sim cluster --size 2^20 --sweep nodes=1,2,4 --csv c.csv --plot c.svg
  pairwright sim cluster --design local --dump-config

Proofs that are run on clusters: pairwright prove --cluster, python3 -m pairwright.scale. The latter measures a machine with --calibrate.
The cluster of --design is changed by --spec, then by --set, then by --sweep.";

/// A Groth16 proof by a plan of tasks on simulated machines: the time in seconds, and the resources that the tasks wait for.
#[derive(Debug, Args)]
pub(crate) struct SimCluster {
    #[command(flatten)]
    pub proof: ProofOnCluster,
    /// Measurements of a machine with the same cores as the cluster's (JSON, `python3 -m pairwright.scale --calibrate`) [default: the
    /// plan's own estimates].
    #[arg(long, value_name = "FILE")]
    pub measured: Option<InputPath>,
    #[command(flatten)]
    pub designs: Designs,
    /// Write a timeline for Perfetto or Chrome (JSON): one group for each machine, one row for each worker.
    #[arg(long, value_name = "FILE", conflicts_with = "sweep")]
    pub trace: Option<OutputPath>,
}

/// A proof. Sweeps know its parameters by name: --sweep size=2^20,2^24.
#[derive(Clone, Debug, Args, Serialize)]
pub(crate) struct ProofOnCluster {
    /// Constraints; the domain is the next power of two.
    #[arg(long, value_name = "N", default_value = "2^20")]
    pub size: Size,
    /// Wires [default: as many as constraints].
    #[arg(long, value_name = "N")]
    pub wires: Option<Size>,
    /// Number of public values, without the constant one.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub public: u64,
    /// Entries of a constraint in the matrices A and B together.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub entries: u64,
    /// The curve of the key.
    #[arg(long, value_enum, default_value_t = CurveName(CurveId::Bls12_381))]
    pub curve: CurveName,
    /// Bytes of memory that a task may take, as with `prove --memory`.
    #[arg(long, value_name = "BYTES", default_value = "2G")]
    pub memory: Bytes,
    /// Divide the work into at least so many parts of each kind [default: two for each worker, and 512 blocks at most].
    #[arg(long, value_name = "N")]
    pub parts: Option<NonZeroUsize>,
}
