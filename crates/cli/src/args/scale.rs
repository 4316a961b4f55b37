//! Arguments of proofs that take less memory than their key.

use super::{InputPath, KeyPolicy};
use clap::{ArgGroup, Args, ValueHint};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

/// A number of bytes, such as `512M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no number of bytes; expected one such as 512M, 2G or 1073741824");
        let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        let shift = match unit.trim_end_matches("iB").trim_end_matches('B') {
            "" => 0,
            "k" | "K" => 10,
            "M" => 20,
            "G" => 30,
            "T" => 40,
            _ => return Err(wrong()),
        };
        let count: u64 = digits.parse().map_err(|_| wrong())?;
        count.checked_mul(1 << shift).filter(|n| *n > 0).map(Self).ok_or_else(wrong)
    }
}

/// Options of a proof with less memory than its key. Groth16 only.
#[derive(Debug, Args)]
pub(crate) struct OutOfCore {
    /// Take about this much memory, such as 512M: the key is read by ranges, and intermediate values go to files. The proof is the same.
    #[arg(long, value_name = "BYTES", conflicts_with_all = ["r1cs", "check", "report"])]
    pub memory: Option<Bytes>,
    /// Have a Dask cluster run the tasks, with the scheduler at this address, such as tls://host:8786. Its workers see the key, the
    /// witness and --work under the same paths, and have the Python package `pairwright`, as the Python that is called here has
    /// (python3, or the one that PAIRWRIGHT_PYTHON names).
    #[arg(long, value_name = "ADDRESS", requires_all = ["memory", "work"],
        conflicts_with_all = ["allow_unsafe_key", "device", "slot"])]
    pub cluster: Option<String>,
    /// Have another worker of the cluster do every task again, and name a worker whose result was wrong. This doubles the work.
    #[arg(long, requires = "cluster")]
    pub audit: bool,
    /// Divide the work into at least this many parts of each kind, for that many workers. A key that is sharded already keeps its blocks.
    #[arg(long, value_name = "N", requires = "memory", default_value = "1")]
    pub parts: NonZeroUsize,
    /// The sharded key of this key (`pairwright shard`) [default: made for this proof].
    #[arg(long, value_name = "DIR", requires = "memory", value_hint = ValueHint::DirPath)]
    pub shards: Option<PathBuf>,
    /// Work in this directory, from which a proof that was stopped goes on [default: a temporary one]. Until the proof is
    /// finished, it holds values of the witness.
    #[arg(long, value_name = "DIR", requires = "memory", value_hint = ValueHint::DirPath)]
    pub work: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("division").required(true).args(["blocks", "memory"])))]
pub(crate) struct Shard {
    /// Proving key of Groth16 (.zkey).
    pub zkey: InputPath,
    /// Number of blocks of the domain, at most the square root of its size: a proof holds one block in memory.
    #[arg(long, value_name = "B")]
    pub blocks: Option<usize>,
    /// Choose the number of blocks for proofs with this much memory.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// Directory to write the sharded key to. The key itself stays where it is, and is read too.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes() {
        let read = |text: &str| text.parse::<Bytes>().map(|b| b.0);
        for (text, bytes) in
            [("512M", 512 << 20), ("2G", 2 << 30), ("1", 1), ("3KiB", 3 << 10), ("7MB", 7 << 20)]
        {
            assert_eq!(read(text), Ok(bytes));
        }
        for text in ["", "0", "M", "-1", "1.5G", "99999999999999999999", "999999999T", "5X", "5 M"] {
            assert!(read(text).unwrap_err().starts_with(&format!("`{text}` is no number")));
        }
    }
}
