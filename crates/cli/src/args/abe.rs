//! Arguments of `pairwright abe`: files that are encrypted under policies.

use super::{Files, OnMachines, input};
use clap::{ArgGroup, Args, Subcommand, ValueHint};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright abe setup --key master.key --public public.key
  pairwright abe keygen master.key --attribute 'role: doctor' --attribute 'ward: 3' -o alice.key
  pairwright abe encrypt letter.txt --public public.key --policy 'role: doctor' -o letter.abe
  pairwright abe inspect letter.abe --attribute 'role: doctor' --attribute 'ward: 3'
  pairwright abe decrypt letter.abe --key alice.key -o opened.txt

A policy is like 'role: doctor and (ward: 3 or not site: north)', and its ciphertext shows it.
Keys and ciphertexts have the bytes of Cloudflare's CIRCL (abe/cpabe/tkn20).";

#[derive(Debug, Subcommand)]
pub(crate) enum Abe {
    /// Make the keys of a system: a public key to encrypt with, and a master key that derives keys and opens everything.
    Setup(AbeSetup),
    /// Derive the key of some attributes.
    Keygen(AbeKeygen),
    /// Encrypt a file under a policy. With --device the hashes and multiples of public points run on that machine.
    Encrypt(AbeEncrypt),
    /// Decrypt a file with a key whose attributes satisfy its policy. With --device the pairings run on that machine, which gets points of
    /// the key; no scalar of the key goes there.
    Decrypt(AbeDecrypt),
    /// Describe a key or a ciphertext: the policy, the names of attributes, and whether attributes satisfy a policy.
    Inspect(AbeInspect),
}

impl Abe {
    pub(super) fn files<'a>(&'a self, none: Files<'a>) -> Files<'a> {
        match self {
            Self::Setup(a) => none.writes("--key", &*a.key).writes("--public", &*a.public),
            Self::Keygen(a) => none.reads("the master key", &*a.master).writes("--output", &*a.output),
            Self::Encrypt(a) => none
                .reads("the file", &*a.file)
                .reads("--public", &*a.public)
                .reads("--policy-file", a.policy_file.as_deref())
                .writes("--output", &*a.output)
                .on(&a.on),
            Self::Decrypt(a) => none
                .reads("the file", &*a.file)
                .reads("--key", &*a.key)
                .writes("--output", &*a.output)
                .on(&a.on),
            Self::Inspect(a) => none.reads("the file", &*a.file),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct AbeSetup {
    /// Write the master key to this file, which only its owner can read.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub key: PathBuf,
    /// Write the public key to this file, which is for everybody who encrypts.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub public: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct AbeKeygen {
    /// The master key of a system.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub master: PathBuf,
    /// An attribute of the key, such as `role: doctor`; the value * stands for every value. May be given several times.
    #[arg(short, long, value_name = "NAME: VALUE", required = true)]
    pub attribute: Vec<String>,
    /// Write the key to this file, which only its owner can read.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("who").required(true).args(["policy", "policy_file"])))]
pub(crate) struct AbeEncrypt {
    /// The file to encrypt.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub file: PathBuf,
    /// The public key of a system.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = input())]
    pub public: PathBuf,
    /// Who may decrypt: `NAME: VALUE`, joined by and, or, not and parentheses. Names and values consist of letters, digits and
    /// underscores.
    #[arg(short, long, value_name = "TEXT")]
    pub policy: Option<String>,
    /// A text file with the policy.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = input())]
    pub policy_file: Option<PathBuf>,
    /// Write the ciphertext to this file.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct AbeDecrypt {
    /// The ciphertext to decrypt.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub file: PathBuf,
    /// A key of attributes.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = input())]
    pub key: PathBuf,
    /// Write the message to this file.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct AbeInspect {
    /// A ciphertext, a public key, a master key or a key of attributes.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub file: PathBuf,
    /// Attributes to check against the policy of a ciphertext; if they do not satisfy it, the exit code is 1.
    #[arg(short, long, value_name = "NAME: VALUE")]
    pub attribute: Vec<String>,
}
