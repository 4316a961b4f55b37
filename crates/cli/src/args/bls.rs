//! Arguments of `pairwright bls`: BLS signatures, their keys, keystores and threshold signatures.

use super::{InputPath, OnMachines, OutputPath};
use clap::builder::{TypedValueParser, ValueParser, ValueParserFactory};
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use pairwright::formats::bls::VariantName;
use pairwright::formats::from_hex;
use pairwright::protocols::schemes::bls::{KeyPath, Scheme};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright bls keygen -o secret.json --public public.json
  pairwright bls sign secret.json message.txt -o signature.json
  pairwright bls verify public.json message.txt signature.json
  pairwright bls pop-prove secret.json -o proved.json
  pairwright bls pop-verify proved.json
  pairwright bls sign secret.json message.txt --scheme pop -o one.json
  pairwright bls aggregate one.json one.json --scheme pop -o both.json
  pairwright bls fast-aggregate-verify message.txt both.json proved.json proved.json
  pairwright bls keystore encrypt secret.json -o keystore.json --password-file password.txt
  pairwright bls sign keystore.json message.txt --password-file password.txt
  pairwright bls derive seed.txt m/12381/3600/0/0/0 -o validator.json
  pairwright bls threshold split secret.json --threshold 2 --signers 3 -o shares
  pairwright bls threshold sign shares/share-1.json message.txt -o part-1.json
  pairwright bls threshold sign shares/share-3.json message.txt -o part-3.json
  pairwright bls threshold combine shares/shared-key.json message.txt part-1.json part-3.json -o together.json
  pairwright bls verify shares/shared-key.json message.txt together.json

Public keys and signatures are documents, or compressed points in hexadecimal: in a file, or as the argument itself.
Secret keys, seeds and passwords come from files, descriptors or a prompt, never from the command line.
Exit codes: 0 ok, 1 rejected, 2 bad input, 3 internal error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Bls {
    /// Draw a secret key, or make one from keying material.
    Keygen(Keygen),
    /// Print the public key of a secret key.
    Pubkey(Pubkey),
    /// Sign a message.
    Sign(Sign),
    /// Verify a signature of a message.
    Verify(VerifySignature),
    /// Aggregate signatures into one.
    Aggregate(Aggregate),
    /// Verify an aggregate of signatures, each of a message of its own.
    AggregateVerify(AggregateVerify),
    /// Verify an aggregate of signatures of one message, in the scheme with proofs of possession.
    FastAggregateVerify(FastAggregateVerify),
    /// Verify many independent signatures together; names those that are not valid.
    BatchVerify(BatchVerifySignatures),
    /// Prove possession of a secret key.
    PopProve(PopProve),
    /// Verify a proof that the owner of a public key has the secret key.
    PopVerify(PopVerify),
    /// Derive a secret key from a seed along a path (EIP-2333, EIP-2334).
    Derive(Derive),
    /// Encrypt a secret key under a password, or decrypt it (EIP-2335, version 4).
    Keystore {
        /// The subcommand to run.
        #[command(subcommand)]
        what: KeystoreVerb,
    },
    /// Share a secret key among signers, so that any T of N sign together.
    Threshold {
        /// The subcommand to run.
        #[command(subcommand)]
        what: ThresholdVerb,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeystoreVerb {
    /// Encrypt a secret key under a password.
    Encrypt(KeystoreEncrypt),
    /// Decrypt a keystore.
    Decrypt(KeystoreDecrypt),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ThresholdVerb {
    /// Share a secret key among signers.
    Split(Split),
    /// Sign a message with a share.
    Sign(SignPart),
    /// Combine the parts of enough signers into the signature; names those that are not valid.
    Combine(Combine),
}

/// A public key or a signature: compressed in hexadecimal, or a file.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    /// The bytes of the argument, decoded from hexadecimal.
    Hex(Vec<u8>),
    /// A file with a document, or with hexadecimal digits.
    File(PathBuf),
}

impl Given {
    /// The path, if the argument names a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Hex(_) => None,
            Self::File(path) => Some(path),
        }
    }

    /// Reads a word as hexadecimal or as the path of a file.
    pub(crate) fn of(path: PathBuf) -> Self {
        let point = |text: &str| {
            // A word that begins with 0x, or that has the length of a point, is meant as a point.
            let meant = text.starts_with("0x") || [96, 192].contains(&text.len());
            from_hex(text).filter(|_| meant)
        };
        match path.to_str().and_then(point) {
            Some(bytes) => Self::Hex(bytes),
            None => Self::File(path),
        }
    }
}

impl ValueParserFactory for Given {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        ValueParser::new(InputPath::value_parser().map(|path| Self::of(path.to_path_buf())))
    }
}

/// The names of schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemeName {
    /// The messages of an aggregate are distinct.
    Basic,
    /// The public key is signed with the message.
    Aug,
    /// Every signer has proved to have the secret key.
    Pop,
}

impl SchemeName {
    /// The scheme that is named.
    pub(crate) fn scheme(self) -> Scheme {
        match self {
            Self::Basic => Scheme::Basic,
            Self::Aug => Scheme::MessageAugmentation,
            Self::Pop => Scheme::ProofOfPossession,
        }
    }
}

/// Parses the name of a variant.
fn variant() -> impl TypedValueParser<Value = VariantName> {
    clap::builder::PossibleValuesParser::new(["min-pk", "min-sig"])
        .map(|name| name.parse().unwrap_or(VariantName::MinPk))
}

/// The source of a password.
#[derive(Debug, Args)]
pub(crate) struct PasswordFrom {
    /// Read the password from this file, without the line's end [default: ask for it].
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<InputPath>,
    /// Read the password from this open descriptor.
    #[arg(long, value_name = "N", conflicts_with = "password_file")]
    pub password_fd: Option<u16>,
}

/// The source of an existing secret key.
#[derive(Debug, Args)]
pub(crate) struct SecretFrom {
    /// A secret key: a document, a keystore, or 64 hexadecimal digits, in a file; `-` is standard input.
    #[arg(value_name = "SECRET")]
    pub secret: InputPath,
    /// The group of public keys, where the file does not say it [default: min-pk].
    #[arg(long, value_name = "NAME", value_parser = variant())]
    pub variant: Option<VariantName>,
    #[command(flatten)]
    pub password: PasswordFrom,
}

/// The file of a new secret key.
#[derive(Debug, Args)]
pub(crate) struct NewSecret {
    /// File to write the secret key to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    /// Overwrite the file if it exists.
    #[arg(long)]
    pub force: bool,
}

/// Whether and how a secret key is encrypted.
#[derive(Debug, Args)]
pub(crate) struct Encryption {
    /// Encrypt it under a password, as a keystore.
    #[arg(long)]
    pub encrypt: bool,
    #[command(flatten)]
    pub password: PasswordFrom,
    #[command(flatten)]
    pub kdf: KdfFrom,
}

/// The derivation of a key from a password.
#[derive(Debug, Args)]
pub(crate) struct KdfFrom {
    /// The function that derives the key from the password.
    #[arg(long, value_enum, value_name = "NAME", default_value = "scrypt")]
    pub kdf: KdfName,
    /// log2 of its cost: scrypt's N, or the iterations of PBKDF2.
    #[arg(long, value_name = "LOG2", default_value_t = 18, value_parser = clap::value_parser!(u8).range(10..=24))]
    pub cost: u8,
}

/// Names of key derivations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KdfName {
    /// scrypt, which takes much memory: 256 MiB at the default cost.
    Scrypt,
    /// PBKDF2 with HMAC-SHA-256, which takes hardly any memory.
    Pbkdf2,
}

#[derive(Debug, Args)]
pub(crate) struct Keygen {
    /// The group of public keys: min-pk (48 bytes, signatures 96) or min-sig (96 bytes, signatures 48).
    #[arg(long, value_name = "NAME", default_value = "min-pk", value_parser = variant())]
    pub variant: VariantName,
    /// Make the key from the secret bytes of this file, at least 32 (KeyGen of the draft), instead of drawing it.
    #[arg(long, value_name = "FILE")]
    pub material: Option<InputPath>,
    /// Public information that goes into a key from --material.
    #[arg(long, value_name = "TEXT", requires = "material", default_value = "")]
    pub info: String,
    /// File to write the public key to as well.
    #[arg(long, value_name = "FILE")]
    pub public: Option<OutputPath>,
    #[command(flatten)]
    pub to: NewSecret,
    #[command(flatten)]
    pub encryption: Encryption,
}

#[derive(Debug, Args)]
pub(crate) struct Derive {
    /// The seed, at least 32 bytes in hexadecimal, in a file; `-` is standard input.
    pub seed: InputPath,
    /// The path from the seed to the key: m, then / and a number for every step.
    pub path: KeyPath,
    /// The group of public keys: min-pk or min-sig.
    #[arg(long, value_name = "NAME", default_value = "min-pk", value_parser = variant())]
    pub variant: VariantName,
    #[command(flatten)]
    pub to: NewSecret,
    #[command(flatten)]
    pub encryption: Encryption,
}

#[derive(Debug, Args)]
pub(crate) struct Pubkey {
    #[command(flatten)]
    pub secret: SecretFrom,
    /// File to write the public key to.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct Sign {
    #[command(flatten)]
    pub secret: SecretFrom,
    /// The message, of 64 MiB at most; `-` is standard input.
    pub message: InputPath,
    /// The scheme, which determines how aggregates are protected against rogue keys.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    /// File to write the signature to [default: print it].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifySignature {
    /// The public key.
    #[arg(value_name = "KEY")]
    pub key: Given,
    /// The message, of 64 MiB at most; `-` is standard input.
    pub message: InputPath,
    /// The signature to verify.
    #[arg(value_name = "SIGNATURE")]
    pub signature: Given,
    /// The scheme that the message was signed in.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct Aggregate {
    /// The signatures, of one variant and scheme.
    #[arg(value_name = "SIGNATURE", required = true)]
    pub signatures: Vec<Given>,
    /// The scheme that the messages were signed in.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    /// File to write the aggregate to [default: print it].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct AggregateVerify {
    /// A text file with one signer per line: {"key": KEY, "message": "FILE"}, or the two words. Paths are relative to the list, `#`
    /// begins a comment.
    pub list: InputPath,
    /// The aggregate to verify.
    #[arg(value_name = "SIGNATURE")]
    pub signature: Given,
    /// The scheme that the messages were signed in.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    /// Assume that every key has passed `pop-verify` before. Without this, keys of --scheme pop need their proofs.
    #[arg(long)]
    pub proved: bool,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct FastAggregateVerify {
    /// The message that all have signed, of 64 MiB at most; `-` is standard input.
    pub message: InputPath,
    /// The aggregate to verify.
    #[arg(value_name = "SIGNATURE")]
    pub signature: Given,
    /// The public keys, with their proofs of possession (`pop-prove -o`).
    #[arg(value_name = "KEY", required = true)]
    pub keys: Vec<Given>,
    /// Assume that every key has passed `pop-verify` before.
    #[arg(long)]
    pub proved: bool,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct BatchVerifySignatures {
    /// A text file with one signature per line: {"key": KEY, "message": "FILE", "signature": SIGNATURE}, or the three words. Paths
    /// are relative to the list, `#` begins a comment.
    pub list: InputPath,
    /// The scheme that the messages were signed in.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct PopProve {
    #[command(flatten)]
    pub secret: SecretFrom,
    /// File to write the public key with the proof to [default: print the proof].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct PopVerify {
    /// The public key, with the proof or without.
    #[arg(value_name = "KEY")]
    pub key: Given,
    /// The proof, if the file of the key does not hold it.
    #[arg(value_name = "PROOF")]
    pub proof: Option<Given>,
    #[command(flatten)]
    pub on: OnMachines,
}

#[derive(Debug, Args)]
pub(crate) struct KeystoreEncrypt {
    /// A secret key: a document, or 64 hexadecimal digits, in a file; `-` is standard input.
    #[arg(value_name = "SECRET")]
    pub secret: InputPath,
    /// The group of public keys, where the file does not say it [default: min-pk].
    #[arg(long, value_name = "NAME", value_parser = variant())]
    pub variant: Option<VariantName>,
    /// A description of the key, which is stored unencrypted.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    #[command(flatten)]
    pub to: NewSecret,
    #[command(flatten)]
    pub password: PasswordFrom,
    #[command(flatten)]
    pub kdf: KdfFrom,
}

#[derive(Debug, Args)]
pub(crate) struct KeystoreDecrypt {
    #[command(flatten)]
    pub secret: SecretFrom,
    #[command(flatten)]
    pub to: NewSecret,
}

#[derive(Debug, Args)]
pub(crate) struct Split {
    #[command(flatten)]
    pub secret: SecretFrom,
    /// Number of signers whose parts make a signature.
    #[arg(short, long, value_name = "T")]
    pub threshold: u16,
    /// Number of signers, each of whom gets a share.
    #[arg(short = 'n', long, value_name = "N")]
    pub signers: u16,
    /// Folder to write the shares to, each for its signer alone, and the shared key, which is public.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// Encrypt every share under the password of this file, as a keystore.
    #[arg(long, value_name = "FILE")]
    pub share_password_file: Option<InputPath>,
    #[command(flatten)]
    pub kdf: KdfFrom,
}

#[derive(Debug, Args)]
pub(crate) struct SignPart {
    /// The signer's share: a document, or a keystore.
    pub share: InputPath,
    /// The shared key that the dealer published, without which a share in a keystore does not sign.
    #[arg(long, value_name = "FILE")]
    pub shared_key: Option<InputPath>,
    #[command(flatten)]
    pub password: PasswordFrom,
    /// The message, of 64 MiB at most; `-` is standard input.
    pub message: InputPath,
    /// The scheme, which determines how aggregates are protected against rogue keys.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    /// File to write the signer's part to.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct Combine {
    /// The shared key that the dealer published.
    pub key: InputPath,
    /// The message, of 64 MiB at most; `-` is standard input.
    pub message: InputPath,
    /// The parts that the signers have made.
    #[arg(value_name = "PART", required = true)]
    pub parts: Vec<InputPath>,
    /// The scheme that the message was signed in.
    #[arg(long, value_enum, value_name = "NAME", default_value = "basic")]
    pub scheme: SchemeName,
    /// File to write the signature to [default: print it].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_files_are_told_apart() {
        let hex = |text: &str| match Given::of(text.into()) {
            Given::Hex(bytes) => Some(bytes.len()),
            Given::File(_) => None,
        };
        assert_eq!([hex(&"ab".repeat(48)), hex(&"AB".repeat(96))], [Some(48), Some(96)]);
        assert_eq!([hex("0xab"), hex(&format!("0x{}", "00".repeat(48)))], [Some(1), Some(48)]);
        assert_eq!([hex("ab"), hex("key.json"), hex(&"zz".repeat(48)), hex("0xz")], [None; 4]);
    }
}
