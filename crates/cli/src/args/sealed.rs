//! Arguments of `pairwright tlock` and `ibe`: files that are encrypted to rounds of a beacon, and to identities.

use super::{InputPath, OnMachines, OutputPath};
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(super) const TLOCK_EXAMPLES: &str = "\
Examples:
  pairwright tlock encrypt letter.txt --chain chain.json --round 123456789 -o letter.age
  pairwright tlock encrypt letter.txt --chain chain.json --time 2036-06-01T12:00:00Z --armor -o june.age
  pairwright tlock encrypt letter.txt --chain chain.json --duration 10m -o soon.age
  pairwright tlock decrypt letter.age --chain chain.json --beacon beacon.json -o letter.txt

chain.json is what a server of drand gives as CHAIN/info, beacon.json what it gives as CHAIN/public/ROUND.";

pub(super) const IBE_EXAMPLES: &str = "\
Examples:
  pairwright ibe setup --key master.json --public public.json
  pairwright ibe encrypt letter.txt --public public.json --identity alice@example.org -o letter.age
  pairwright ibe extract master.json --identity alice@example.org -o alice.json
  pairwright ibe decrypt letter.age --key alice.json -o letter.txt";

/// Parses a moment as seconds since 1970, `2030-01-01T00:00:00Z`.
fn moment(text: &str) -> Result<u64, String> {
    let time = humantime::parse_rfc3339(text)
        .map_err(|why| format!("{why}: expected a time as 2030-01-01T00:00:00Z"))?;
    let since = time.duration_since(UNIX_EPOCH).map_err(|_| "before 1970".to_owned())?;
    // A fraction of a second is rounded up, so that a lock is not shorter than what was asked for.
    Ok(since.as_secs() + u64::from(since.subsec_nanos() > 0))
}

/// Parses a duration, such as `10m` or `2days`.
fn length(text: &str) -> Result<Duration, humantime::DurationError> {
    humantime::parse_duration(text)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tlock {
    /// Encrypt a file that can be read once a round of a beacon is published. With --device the pairings, of public points, run on
    /// that machine.
    Encrypt(TlockEncrypt),
    /// Decrypt a file with the beacon of its round. With --device the pairings, of public points, run on that machine.
    Decrypt(TlockDecrypt),
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("when").required(true).args(["round", "time", "duration"])))]
pub(crate) struct TlockEncrypt {
    /// The file to encrypt.
    pub file: InputPath,
    /// The chain's document (JSON), as drand serves it under CHAIN/info.
    #[arg(long, value_name = "FILE")]
    pub chain: InputPath,
    /// The round, from 1.
    #[arg(long, value_name = "N")]
    pub round: Option<u64>,
    /// The first round at this time or later, in UTC: 2030-01-01T00:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub time: Option<u64>,
    /// The first round after this much time from now, such as 10m or 2days, by this computer's clock.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    pub duration: Option<Duration>,
    #[command(flatten)]
    pub form: Form,
    /// The encrypted file to write, in the format of age.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct TlockDecrypt {
    /// The encrypted file, binary or armoured.
    pub file: InputPath,
    /// The chain's document (JSON), as drand serves it under CHAIN/info.
    #[arg(long, value_name = "FILE")]
    pub chain: InputPath,
    /// The beacon of the file's round: JSON as drand serves it under CHAIN/public/ROUND, or its signature in hexadecimal.
    #[arg(long, value_name = "FILE")]
    pub beacon: InputPath,
    /// The decrypted file to write, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

/// The form of an encrypted file.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Form {
    /// Write armoured text instead of binary data.
    #[arg(short, long)]
    pub armor: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Ibe {
    /// Draw a master key, from which the keys of all identities are derived, and write its public part.
    Setup(IbeSetup),
    /// Derive the key of an identity.
    Extract(IbeExtract),
    /// Encrypt a file to identities. With --device the pairings, of public points, run on that machine.
    Encrypt(IbeEncrypt),
    /// Decrypt a file with the key of an identity. With --device the pairings run on that machine, which gets the point that is the key.
    Decrypt(IbeDecrypt),
}

/// The groups of keys and of identities on BLS12-381.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyGroupsName {
    /// Master keys in G2 (96 bytes), keys of identities in G1 (48 bytes).
    MinSig,
    /// Master keys in G1 (48 bytes), keys of identities in G2 (96 bytes): ciphertexts are shorter.
    MinPk,
}

#[derive(Debug, Args)]
pub(crate) struct IbeSetup {
    /// The master key to write, which only its owner can read: whoever has it can read everything.
    #[arg(long, value_name = "FILE")]
    pub key: OutputPath,
    /// The public part to write, with which others encrypt.
    #[arg(long, value_name = "FILE")]
    pub public: OutputPath,
    /// The group of master keys and that of identities' keys.
    #[arg(long, value_enum, value_name = "NAME", default_value = "min-sig")]
    pub variant: KeyGroupsName,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("who").required(true).args(["identity", "identity_hex"])))]
pub(crate) struct IbeExtract {
    /// The master key (JSON), as `ibe setup` writes it.
    pub master: InputPath,
    /// The identity, a text.
    #[arg(long, value_name = "TEXT")]
    pub identity: Option<String>,
    /// The identity, bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    pub identity_hex: Option<String>,
    /// The identity's key to write, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("who").required(true).multiple(true).args(["identity", "identity_hex"])))]
pub(crate) struct IbeEncrypt {
    /// The file to encrypt.
    pub file: InputPath,
    /// The public part of a master key (JSON), as `ibe setup` writes it.
    #[arg(long, value_name = "FILE")]
    pub public: InputPath,
    /// An identity that can read the file, a text; may be given several times.
    #[arg(long, value_name = "TEXT")]
    pub identity: Vec<String>,
    /// An identity that can read the file, bytes in hexadecimal; may be given several times.
    #[arg(long, value_name = "HEX")]
    pub identity_hex: Vec<String>,
    #[command(flatten)]
    pub form: Form,
    /// The encrypted file to write, in the format of age.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct IbeDecrypt {
    /// The encrypted file, binary or armoured.
    pub file: InputPath,
    /// The key of an identity (JSON), as `ibe extract` writes it.
    #[arg(long, value_name = "FILE")]
    pub key: InputPath,
    /// The decrypted file to write, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

/// The time of this computer's clock.
#[expect(
    clippy::disallowed_methods,
    reason = "a lock's length is counted from now, and a report on a device says its day"
)]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_lengths() {
        assert_eq!(moment("1970-01-01T00:01:00Z"), Ok(60));
        assert_eq!(moment("1970-01-01T00:01:00.5Z"), Ok(61));
        for text in ["", "soon", "2030-01-01", "2030-01-01T00:00:00+01:00", "2030-13-01T00:00:00Z"] {
            assert!(moment(text).is_err(), "{text}");
        }
        assert_eq!(length("10m").ok(), Some(Duration::from_secs(600)));
        assert!(length("10").is_err() && length("-1m").is_err() && length("99999999999999999999y").is_err());
    }
}
