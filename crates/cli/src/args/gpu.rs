//! Arguments of `pairwright gpu`: rates, benchmarks, tuning, reports and predictions of a CUDA device, and kernels compiled ahead.

use super::{OutputPath, ReductionName};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Gpu {
    /// Measure instruction rates, latencies and copy bandwidth, from which lower bounds of times follow.
    Rates,
    /// Measure generated kernels on operands that stay on the device: products in registers, vectors, transforms.
    Bench(GpuField),
    /// Try shapes of kernels, and write the fastest ones as a table.
    Tune(GpuTune),
    /// Compare what the device computes with this computer's results, measure it, and write everything into one file.
    ///
    /// An existing file for the same device, version and sizes is continued where it ended.
    Report(GpuReport),
    /// Predict the times of calls on a device from its rates per clock and per second, without the device.
    Predict(GpuPredict),
    /// Compile kernels for a device of another computer, into a cache folder that a program there reads.
    Compile(GpuCompile),
}

/// The device that times are predicted for.
#[derive(Debug, Args)]
pub(crate) struct GpuPredict {
    /// The name of a known device, or a word of it [default: all known devices].
    #[arg(long = "on", value_name = "NAME")]
    pub on: Option<String>,
}

/// The sets of kernels that can be compiled without a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GpuKernels {
    /// Operators of a report, in transforms of 2^12 to 2^24 elements, on BN254 and BLS12-381
    Operators,
    /// Operators of the conformance suite on three curves
    Conformance,
    /// Products in registers
    Products,
    /// Transforms of the figures 3c and 3d of MoMA
    Figures,
    /// Transforms that the search for shapes measures first
    Tuning,
}

#[derive(Debug, Args)]
pub(crate) struct GpuCompile {
    /// The name of a known device, or a word of it.
    #[arg(long = "on", value_name = "NAME", default_value = "H200")]
    pub on: String,
    /// Compile only these sets of kernels.
    #[arg(long, value_enum, value_name = "KERNELS,...", value_delimiter = ',')]
    pub only: Vec<GpuKernels>,
    /// The folder for the kernels, which is XDG_CACHE_HOME/pairwright/kernels on the other computer [default: this user's].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,
}

/// A part of a report on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GpuSection {
    /// Every operator on small operands, compared with this computer's results
    Conformance,
    /// Instruction rates, latencies and copies
    Rates,
    /// Products in registers, for every kind of machine word
    Products,
    /// Transforms, sumchecks, trees and polynomials over scalar fields
    Operators,
    /// Multi-scalar multiplications in both groups
    Msm,
    /// Groth16 setups and proofs
    Proofs,
    /// Search for the fastest shapes of kernels, in half of the time that is left
    Tuning,
    /// Vectors and transforms of the figures 2 to 5 of MoMA
    Figures,
}

impl GpuSection {
    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Conformance => "conformance",
            Self::Rates => "rates",
            Self::Products => "products",
            Self::Operators => "operators",
            Self::Msm => "msm",
            Self::Proofs => "proofs",
            Self::Tuning => "tuning",
            Self::Figures => "figures",
        }
    }
}

/// A report on a device.
#[derive(Debug, Args)]
pub(crate) struct GpuReport {
    /// The file to write, or to continue.
    #[arg(short, long, value_name = "FILE")]
    pub out: OutputPath,
    /// Write only these sections.
    #[arg(long, value_enum, value_name = "SECTION,...", value_delimiter = ',')]
    pub only: Vec<GpuSection>,
    /// log2 of the largest size.
    #[arg(long, value_name = "K", default_value_t = 24)]
    pub most: u32,
    /// Measure only these widths of products and figures, in bits [default: all].
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub bits: Vec<u32>,
    /// Also write the report as tables in Markdown.
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<OutputPath>,
    /// Put the fastest shapes that were found into this table, in place of its rows for the same widths and sizes.
    #[arg(long, value_name = "FILE")]
    pub tuning: Option<OutputPath>,
    /// Begin no measurement after this many seconds.
    #[arg(long, value_name = "N", default_value_t = 480)]
    pub seconds: u64,
}

/// The moduli and sizes of measurements on a device.
#[derive(Debug, Args)]
pub(crate) struct GpuField {
    /// Widths of the moduli in bits: primes are found for them.
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [128, 256, 384, 768])]
    pub bits: Vec<u32>,
    /// log2 of the sizes.
    #[arg(long, value_name = "K,...", value_delimiter = ',', default_values_t = [12, 16, 20])]
    pub log_sizes: Vec<u32>,
    /// How products are reduced.
    #[arg(long, value_enum, default_value_t = ReductionName::Montgomery)]
    pub reduction: ReductionName,
}

#[derive(Debug, Args)]
pub(crate) struct GpuTune {
    /// The moduli and sizes to tune for.
    #[command(flatten)]
    pub field: GpuField,
    /// The table to write.
    #[arg(short, long, value_name = "FILE")]
    pub out: OutputPath,
    /// Tune for single transforms only, not for batches that fill the device.
    #[arg(long)]
    pub alone: bool,
    /// End the search after this many seconds; the best shapes until then are written.
    #[arg(long, value_name = "N", default_value_t = 3600)]
    pub seconds: u64,
}
