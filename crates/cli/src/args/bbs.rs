//! Arguments of `pairwright bbs`: BBS signatures.

use super::{InputPath, OnMachines, OutputPath};
use clap::{Args, Subcommand, ValueEnum};
use pairwright::protocols::schemes::bbs::Ciphersuite;

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright bbs keygen -o secret.json --public public.json
  pairwright bbs sign secret.json messages.json -o signature.json
  pairwright bbs verify public.json messages.json signature.json
  pairwright bbs prove public.json messages.json signature.json --disclose 0,2 --presentation-header 0x5eed -o proof.json
  pairwright bbs verify-proof public.json proof.json --presentation-header 0x5eed

Exit codes: 0 ok, 1 signature or proof rejected, 2 bad input, 3 internal error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Bbs {
    /// Draw a secret key, or make one from key material.
    Keygen(BbsKeygen),
    /// Print the public key of a secret key.
    Pubkey(BbsPubkey),
    /// Sign a header and a list of messages.
    Sign(BbsSign),
    /// Verify a signature of a header and all messages.
    Verify(BbsVerify),
    /// Prove knowledge of a signature, disclosing some of the messages. Signature and hidden messages stay on this computer.
    Prove(BbsProve),
    /// Verify a proof of disclosed messages.
    VerifyProof(BbsVerifyProof),
}

/// A ciphersuite of the draft, by its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BbsSuiteName {
    /// BLS12-381 with SHA-256.
    #[value(name = "sha-256")]
    Sha256,
    /// BLS12-381 with SHAKE-256.
    #[value(name = "shake-256")]
    Shake256,
}

impl From<BbsSuiteName> for Ciphersuite {
    fn from(name: BbsSuiteName) -> Self {
        match name {
            BbsSuiteName::Sha256 => Self::Sha256,
            BbsSuiteName::Shake256 => Self::Shake256,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct BbsKeygen {
    /// Hash of the ciphersuite.
    #[arg(long, value_enum, value_name = "NAME", default_value = "sha-256")]
    pub ciphersuite: BbsSuiteName,
    /// Secret key material: a file of at least 32 bytes of high entropy [default: the system's randomness].
    #[arg(long, value_name = "FILE")]
    pub material: Option<InputPath>,
    /// Public information that the key depends on.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "material", hide_default_value = true)]
    pub info: String,
    /// File to write the secret key to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    /// File to write the public key to.
    #[arg(long, value_name = "FILE")]
    pub public: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct BbsPubkey {
    /// Secret key (JSON).
    pub secret: InputPath,
    /// File to write the public key to.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct BbsSign {
    /// Secret key (JSON).
    pub secret: InputPath,
    /// Header and messages (JSON).
    pub messages: InputPath,
    /// File to write the signature to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct BbsVerify {
    /// Public key of the signer (JSON).
    pub public: InputPath,
    /// Header and messages (JSON).
    pub messages: InputPath,
    /// Signature of the header and the messages (JSON).
    pub signature: InputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct BbsProve {
    /// Public key of the signer (JSON).
    pub public: InputPath,
    /// Header and messages (JSON).
    pub messages: InputPath,
    /// Signature of the header and the messages (JSON).
    pub signature: InputPath,
    /// Indexes of the messages to disclose, from 0 and ascending [default: none].
    #[arg(long, value_name = "I,...", value_delimiter = ',')]
    pub disclose: Vec<usize>,
    /// Bytes that the proof is bound to, a verifier's nonce for instance (hexadecimal).
    #[arg(long, value_name = "HEX", default_value = "", hide_default_value = true)]
    pub presentation_header: String,
    /// File to write the proof to.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct BbsVerifyProof {
    /// Public key of the signer (JSON).
    pub public: InputPath,
    /// Proof with the messages that it discloses (JSON).
    pub proof: InputPath,
    /// The presentation header that the proof has to be bound to (hexadecimal).
    #[arg(long, value_name = "HEX")]
    pub presentation_header: Option<String>,
    #[command(flatten)]
    pub on: OnMachines,
}
