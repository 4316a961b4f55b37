//! What can be said of a CUDA device: rates, benches, shapes, reports, predictions, kernels compiled ahead.

use super::ReductionName;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Gpu {
    /// Instruction rates, latencies and copy bandwidth, from which lower bounds of times follow.
    Rates,
    /// Generated kernels on operands that stay on the device: products in registers, vectors, transforms.
    Bench(GpuField),
    /// Try shapes of kernels, and write the fastest ones as a table.
    Tune(GpuTune),
    /// Compare what the device computes with this computer's results, measure it, and write everything into one file.
    ///
    /// A file of the same device, version and sizes is continued where it ended.
    Report(GpuReport),
    /// What calls should take on a device, from what it does in a clock and a second, without the device.
    Predict(GpuPredict),
    /// Compile kernels for a device that is not here, into the cache that a program there reads.
    Compile(GpuCompile),
}

/// The device that times are predicted for.
#[derive(Debug, Args)]
pub(crate) struct GpuPredict {
    /// The name of a known device, or a word of it; all known devices, if none is given.
    #[arg(long = "on", value_name = "NAME")]
    pub on: Option<String>,
}

/// Kernels that are compiled before there is a device.
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
    /// Transforms that a search of shapes measures first
    Tuning,
}

#[derive(Debug, Args)]
pub(crate) struct GpuCompile {
    /// The name of a known device, or a word of it.
    #[arg(long = "on", value_name = "NAME", default_value = "H200")]
    pub on: String,
    /// These kernels alone.
    #[arg(long, value_enum, value_name = "KERNELS,...", value_delimiter = ',')]
    pub only: Vec<GpuKernels>,
    /// The folder to keep them in, which XDG_CACHE_HOME/pairwright/kernels is there [default: this user's].
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,
}

/// A part of a report on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GpuSection {
    /// Every operator on small operands, beside this computer's
    Conformance,
    /// Instruction rates, latencies and copies
    Rates,
    /// Products in registers with every kind of word
    Products,
    /// Transforms, sumchecks, trees and polynomials over scalar fields
    Operators,
    /// Multi-scalar multiplications in both groups
    Msm,
    /// Groth16 setups and proofs
    Proofs,
    /// The fastest shapes of kernels, for half of the time that is left
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
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,
    /// These sections alone.
    #[arg(long, value_enum, value_name = "SECTION,...", value_delimiter = ',')]
    pub only: Vec<GpuSection>,
    /// log2 of the largest size.
    #[arg(long, value_name = "K", default_value_t = 24)]
    pub most: u32,
    /// These widths of products and figures alone, in bits [default: all].
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub bits: Vec<u32>,
    /// Also write the report as tables in Markdown.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub markdown: Option<PathBuf>,
    /// Put the fastest shapes that were found into this table, in place of its rows for the same widths and sizes.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub tuning: Option<PathBuf>,
    /// Begin no measurement after so many seconds.
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
    /// What to tune for.
    #[command(flatten)]
    pub field: GpuField,
    /// The table to write.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,
    /// Single transforms alone, and no batches that fill the device.
    #[arg(long)]
    pub alone: bool,
    /// Measure no more after so many seconds; what is best until then is written.
    #[arg(long, value_name = "N", default_value_t = 3600)]
    pub seconds: u64,
}
