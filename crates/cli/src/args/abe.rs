//! Arguments of `pairwright abe`: files that are encrypted under policies.

use super::{InputPath, OnMachines, OutputPath};
use clap::{ArgGroup, Args, Subcommand};

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

#[derive(Debug, Args)]
pub(crate) struct AbeSetup {
    /// Write the master key to this file, which only its owner can read.
    #[arg(long, value_name = "FILE")]
    pub key: OutputPath,
    /// Write the public key to this file, which is for everybody who encrypts.
    #[arg(long, value_name = "FILE")]
    pub public: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct AbeKeygen {
    /// The master key of a system.
    pub master: InputPath,
    /// An attribute of the key, such as `role: doctor`; the value * stands for every value. May be given several times.
    #[arg(short, long, value_name = "NAME: VALUE", required = true)]
    pub attribute: Vec<String>,
    /// Write the key to this file, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("who").required(true).args(["policy", "policy_file"])))]
pub(crate) struct AbeEncrypt {
    /// The file to encrypt.
    pub file: InputPath,
    /// The public key of a system.
    #[arg(long, value_name = "FILE")]
    pub public: InputPath,
    /// Who may decrypt: `NAME: VALUE`, joined by and, or, not and parentheses. Names and values consist of letters, digits and
    /// underscores.
    #[arg(short, long, value_name = "TEXT")]
    pub policy: Option<String>,
    /// A text file with the policy.
    #[arg(long, value_name = "FILE")]
    pub policy_file: Option<InputPath>,
    /// Write the ciphertext to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct AbeDecrypt {
    /// The ciphertext to decrypt.
    pub file: InputPath,
    /// A key of attributes.
    #[arg(long, value_name = "FILE")]
    pub key: InputPath,
    /// Write the message to this file.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct AbeInspect {
    /// A ciphertext, a public key, a master key or a key of attributes.
    pub file: InputPath,
    /// Attributes to check against the policy of a ciphertext; if they do not satisfy it, the exit code is 1.
    #[arg(short, long, value_name = "NAME: VALUE")]
    pub attribute: Vec<String>,
}
