//! Arguments of the commands on curves: hashing to them, and Ethereum's precompiled contracts.

use super::InputPath;
use clap::{Args, ValueEnum};
use pairwright::formats::precompile::Precompile;

pub(super) const HASH_EXAMPLES: &str = "\
Examples:
  pairwright hash-to-curve --dst QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_ --suite g1-ro --text abc
  pairwright hash-to-curve --dst BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_ --suite g2-ro message.txt
  pairwright hash-to-curve --dst my-protocol-v1 --suite g1-nu --hex 00ff --json";

pub(super) const EIP2537_EXAMPLES: &str = "\
Examples:
  pairwright eip2537 MAP_FP_TO_G1 --cases map_fp_to_G1_bls.json
  pairwright eip2537 PAIRING_CHECK --input call.hex";

pub(super) const EIP196_EXAMPLES: &str = "\
Examples:
  pairwright eip196 add 00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002
  pairwright eip196 pairing 0x";

/// A suite of RFC 9380 on BLS12-381.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HashSuiteName {
    /// BLS12381G1_XMD:SHA-256_SSWU_RO_: uniform, as a random oracle's output.
    #[value(alias = "BLS12381G1_XMD:SHA-256_SSWU_RO_")]
    G1Ro,
    /// BLS12381G1_XMD:SHA-256_SSWU_NU_: not uniform.
    #[value(alias = "BLS12381G1_XMD:SHA-256_SSWU_NU_")]
    G1Nu,
    /// BLS12381G2_XMD:SHA-256_SSWU_RO_: uniform, as a random oracle's output.
    #[value(alias = "BLS12381G2_XMD:SHA-256_SSWU_RO_")]
    G2Ro,
    /// BLS12381G2_XMD:SHA-256_SSWU_NU_: not uniform.
    #[value(alias = "BLS12381G2_XMD:SHA-256_SSWU_NU_")]
    G2Nu,
}

#[derive(Debug, Args)]
pub(crate) struct HashToCurve {
    /// The suite: group and kind.
    #[arg(long, value_enum, value_name = "NAME", default_value = "g2-ro")]
    pub suite: HashSuiteName,
    /// The domain separation tag: a text that no other application of the suite uses.
    #[arg(long, value_name = "TEXT", required_unless_present = "dst_hex")]
    pub dst: Option<String>,
    /// The domain separation tag in hexadecimal.
    #[arg(long, value_name = "HEX", conflicts_with = "dst")]
    pub dst_hex: Option<String>,
    /// The message as a file, of 64 MiB at most; `-` is standard input.
    #[arg(value_name = "MESSAGE", required_unless_present_any = ["text", "hex"])]
    pub message: Option<InputPath>,
    /// The message as a text.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["message", "hex"])]
    pub text: Option<String>,
    /// The message in hexadecimal.
    #[arg(long, value_name = "HEX", conflicts_with = "message")]
    pub hex: Option<String>,
    /// Print the point uncompressed.
    #[arg(long)]
    pub uncompressed: bool,
}

/// The source of the input of a call.
#[derive(Debug, Args)]
pub(crate) struct CallInput {
    /// The input in hexadecimal, with 0x or without; `0x` is an empty input.
    #[arg(value_name = "HEX", required_unless_present_any = ["input", "cases"])]
    pub hex: Option<String>,
    /// Read the input, in hexadecimal, from this file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hex", "cases"])]
    pub input: Option<InputPath>,
    /// Run every case of a JSON file in go-ethereum's format, and compare outputs, errors and gas.
    #[arg(long, value_name = "FILE", conflicts_with = "hex")]
    pub cases: Option<InputPath>,
    /// Do not compare gas, which has changed from draft to draft.
    #[arg(long, requires = "cases")]
    pub ignore_gas: bool,
}

/// The contracts of EIP-2537.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Eip2537Name {
    /// The sum of two points of G1.
    #[value(name = "G1ADD")]
    G1Add,
    /// A sum of multiples of points of G1.
    #[value(name = "G1MSM")]
    G1Msm,
    /// The sum of two points of G2.
    #[value(name = "G2ADD")]
    G2Add,
    /// A sum of multiples of points of G2.
    #[value(name = "G2MSM")]
    G2Msm,
    /// Whether a product of pairings is one.
    #[value(name = "PAIRING_CHECK")]
    PairingCheck,
    /// Map an element of the base field to a point of G1.
    #[value(name = "MAP_FP_TO_G1")]
    MapFpToG1,
    /// Map an element of the quadratic extension to a point of G2.
    #[value(name = "MAP_FP2_TO_G2")]
    MapFp2ToG2,
}

impl Eip2537Name {
    /// The contract that is named.
    pub(crate) fn precompile(self) -> Precompile {
        match self {
            Self::G1Add => Precompile::G1Add,
            Self::G1Msm => Precompile::G1Msm,
            Self::G2Add => Precompile::G2Add,
            Self::G2Msm => Precompile::G2Msm,
            Self::PairingCheck => Precompile::PairingCheck,
            Self::MapFpToG1 => Precompile::MapFpToG1,
            Self::MapFp2ToG2 => Precompile::MapFp2ToG2,
        }
    }
}

/// The contracts of EIP-196 and EIP-197.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Eip196Name {
    /// The sum of two points.
    Add,
    /// A multiple of a point.
    Mul,
    /// Whether a product of pairings is one (EIP-197).
    Pairing,
}

impl Eip196Name {
    /// The contract that is named.
    pub(crate) fn precompile(self) -> Precompile {
        match self {
            Self::Add => Precompile::Bn254Add,
            Self::Mul => Precompile::Bn254Mul,
            Self::Pairing => Precompile::Bn254Pairing,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Eip2537 {
    /// The contract to call.
    #[arg(value_enum, ignore_case = true)]
    pub name: Eip2537Name,
    #[command(flatten)]
    pub call: CallInput,
}

#[derive(Debug, Args)]
pub(crate) struct Eip196 {
    /// The contract to call.
    #[arg(value_enum)]
    pub name: Eip196Name,
    #[command(flatten)]
    pub call: CallInput,
}
