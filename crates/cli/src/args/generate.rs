//! Arguments of `pairwright gen`.

use super::OutputPath;
use clap::{Args, Subcommand, ValueHint};
use std::ops::Deref;
use std::path::{Path, PathBuf};

pub(super) const GEN_EXAMPLES: &str = "\
Examples:
  pairwright gen targets
  pairwright gen explain --op addmod --bits 256 --word 64
  pairwright gen field --modulus 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed --prefix fe -o fe
  pairwright gen field --modulus 2013265921 --prefix babybear --target c32 -o babybear
  pairwright gen kernel --op mulmod --bits 381 --reduction montgomery --target c -o mulmod.h
  pairwright gen kernel --op ntt --bits 256 --log-size 12 --target cuda32 -o ntt.cu";

#[derive(Debug, Subcommand)]
pub(crate) enum Gen {
    /// Print a kernel: a field function, a vector operation or a transform.
    Kernel(GenKernel),
    /// Print the derivation of a field function step by step, with the numbers of the rules.
    Explain(GenExplain),
    /// Write a field as a library: all its functions for one modulus, with a self-test, a bench and a check for constant
    /// time.
    Field(GenLibrary),
    /// List the machines that kernels are generated for.
    Targets,
}

/// A machine by its name, or the path of its description (.toml).
#[derive(Clone, Debug)]
pub(crate) struct TargetName(String);

impl TargetName {
    /// The path, if the argument names a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.ends_with(".toml").then(|| Path::new(&self.0))
    }
}

impl From<String> for TargetName {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl Deref for TargetName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A field as a library.
#[derive(Debug, Args)]
pub(crate) struct GenLibrary {
    /// The modulus, decimal or hexadecimal after 0x: odd; without inversion and transforms if it is not prime.
    #[arg(long, value_name = "MODULUS")]
    pub modulus: String,
    /// The machine: c, c32 or rust, or a description (FILE.toml) with one of their printers.
    #[arg(long, value_name = "NAME|FILE", default_value = "c")]
    pub target: TargetName,
    /// Prefix of names and files; left out, `f`, the bits of the modulus and its last four hexadecimal digits.
    #[arg(long, value_name = "NAME")]
    pub prefix: Option<String>,
    /// Representation of elements; left out, digits or plain where the modulus 2^m - c allows it and that is faster, else
    /// Montgomery form.
    #[arg(long, value_enum, value_name = "FORM")]
    pub form: Option<FormName>,
    /// log2 of the transform's size, 0 for none; left out, 12 or as many as the modulus allows.
    #[arg(long, value_name = "K")]
    pub log_size: Option<u32>,
    /// Folder to write the files to; it is made if it does not exist.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
}

/// Names of the representations of field elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FormName {
    /// Montgomery form, whose products are reduced word by word: any odd modulus.
    Montgomery,
    /// Plain values, whose products are folded: a modulus 2^m - c with a short c.
    Plain,
    /// Digits shorter than words, not fully reduced: a modulus 2^m - c with a c of one or two short digits.
    Digits,
}

/// The field and the machine, the same for kernels and derivations.
#[derive(Debug, Args)]
pub(crate) struct GenField {
    /// Exact width of the modulus in bits; left out, it is taken from --modulus.
    #[arg(long, value_name = "N")]
    pub bits: Option<u32>,
    /// The modulus, decimal or hexadecimal after 0x: checked, never written into a kernel.
    #[arg(long, value_name = "MODULUS")]
    pub modulus: Option<String>,
    /// How products are reduced.
    #[arg(long, value_enum, default_value_t = ReductionName::Montgomery)]
    pub reduction: ReductionName,
    /// Range of values: below q, or below 2q (Montgomery without the last subtraction).
    #[arg(long, value_enum, default_value_t = RangeName::Canonical)]
    pub range: RangeName,
    /// How wide products are split: schoolbook, karatsuba or karatsuba:LEVELS.
    #[arg(long, value_name = "HOW", default_value = "schoolbook")]
    pub mul: String,
    /// The machine: a name (see `gen targets`) or a description (FILE.toml). Left out, it is `c` for kernels
    /// and the paper's own for derivations.
    #[arg(long, value_name = "NAME|FILE")]
    pub target: Option<TargetName>,
}

impl GenField {
    /// The machine, or the one that a command takes where none is given.
    pub(crate) fn target_or(&self, name: &str) -> TargetName {
        self.target.clone().unwrap_or_else(|| name.to_owned().into())
    }
}

#[derive(Debug, Args)]
pub(crate) struct GenKernel {
    /// addmod, submod, mulmod, sqrmod, mul, sqr, reduce; vadd, vsub, vmul, axpy; ntt, intt; power, batchinv.
    #[arg(long, value_name = "OP")]
    pub op: String,
    #[command(flatten)]
    pub field: GenField,
    /// log2 of the transform's size (ntt, intt).
    #[arg(long, value_name = "K", default_value_t = 12)]
    pub log_size: u32,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct GenExplain {
    /// addmod, submod, mulmod, sqrmod, mul, sqr, reduce.
    #[arg(long, value_name = "OP")]
    pub op: String,
    #[command(flatten)]
    pub field: GenField,
    /// Bits of a machine word, in place of the target's.
    #[arg(long, value_name = "BITS")]
    pub word: Option<u32>,
    /// Run the passes (folding, dead code, common subexpressions); without them, the text is the rules' direct result.
    #[arg(long)]
    pub optimise: bool,
}

/// Names of the methods of reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReductionName {
    /// Barrett reduction, for a modulus of at most k - 4 bits in words of k bits together.
    Barrett,
    /// Montgomery reduction, for a modulus of any width.
    Montgomery,
}

/// Names of the ranges of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RangeName {
    /// Values in [0, q).
    Canonical,
    /// Values in [0, 2q).
    Twice,
}
