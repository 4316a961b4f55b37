//! Arguments of `pairwright fe`: functional encryption of inner products.

use super::{InputPath, OnMachines, OutputPath};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright fe setup --dimension 3 -o master.json --public public.json
  pairwright fe derive master.json weights.json -o key.json
  pairwright fe encrypt public.json values.json -o ciphertext.json
  pairwright fe table --bound 1000000 -o table
  pairwright fe decrypt key.json ciphertext.json --bound 1000000 --table table
  pairwright fe setup --scheme klmmrw --dimension 3 -o hiding.json
  pairwright fe derive hiding.json weights.json -o hidden-key.json
  pairwright fe encrypt hiding.json values.json -o hidden.json
  pairwright fe decrypt hidden-key.json hidden.json --bound 1000

Exit codes: 0 ok, 1 no result in the range, 2 bad input, 3 internal error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Fe {
    /// Draw the master key of an authority.
    Setup(FeSetup),
    /// Derive the key of a vector, which gives inner products with that vector.
    Derive(FeDerive),
    /// Encrypt a vector.
    Encrypt(FeEncrypt),
    /// Compute the inner product of a key's vector and a ciphertext's. With --device the sums of als16 and the pairings of klmmrw run on
    /// that machine, which gets the points of a klmmrw key; the scalars of an als16 key stay on this computer.
    Decrypt(FeDecrypt),
    /// Make a table for decryptions of als16, which can be reused.
    Table(FeTable),
}

/// A scheme for inner products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FeScheme {
    /// Anybody encrypts; the vectors of keys are public (Agrawal, Libert, Stehlé).
    Als16,
    /// The master key encrypts; keys hide their vectors too (Kim, Lewi, Mandal, Montgomery, Roy, Wu).
    Klmmrw,
}

#[derive(Debug, Args)]
pub(crate) struct FeSetup {
    /// Scheme of the key.
    #[arg(long, value_enum, value_name = "NAME", default_value = "als16")]
    pub scheme: FeScheme,
    /// Number of entries of every vector.
    #[arg(long, value_name = "N")]
    pub dimension: usize,
    /// File to write the master key to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    /// File to write the public key to; als16 needs it.
    #[arg(long, value_name = "FILE")]
    pub public: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct FeDerive {
    /// Master key (JSON).
    pub master: InputPath,
    /// Vector of the key (JSON).
    pub vector: InputPath,
    /// File to write the key to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct FeEncrypt {
    /// Public key of als16, or master key of klmmrw (JSON).
    pub key: InputPath,
    /// Vector to encrypt (JSON).
    pub vector: InputPath,
    /// File to write the ciphertext to.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct FeDecrypt {
    /// Key of a vector (JSON).
    pub key: InputPath,
    /// Encrypted vector (JSON).
    pub ciphertext: InputPath,
    /// The result is searched from -N to N.
    #[arg(long, value_name = "N")]
    pub bound: u64,
    /// Table for als16, by `pairwright fe table` [default: one is made].
    #[arg(long, value_name = "FILE")]
    pub table: Option<InputPath>,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("size").required(true).args(["steps", "bound"])))]
pub(crate) struct FeTable {
    /// Number of multiples in the table, eight bytes each.
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Choose the table's size for results from -N to N.
    #[arg(long, value_name = "N")]
    pub bound: Option<u64>,
    /// File to write the table to.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}
