//! What is wrong with keys, signatures and passwords, where no library says so.

use crate::failure::Failure;
use pairwright::formats::bls::VariantName;
use pairwright::protocols::schemes::bls::{BlsError, VerifyError};
use std::path::PathBuf;
use thiserror::Error;

/// What is wrong with keys, signatures or passwords that a command was given.
#[derive(Debug, Error)]
pub(super) enum BlsFault {
    /// A file holds neither a document nor hexadecimal digits.
    #[error("{what}: neither a document nor a point in hexadecimal")]
    NoPoint { what: String },
    /// Bytes that no public key has so many of.
    #[error("{what}: {found} bytes are no public key, which has 48 (min-pk) or 96 (min-sig)")]
    KeyLength { what: String, found: usize },
    /// Bytes that no signature of the variant has so many of.
    #[error("{what}: {found} bytes are no signature of the variant {variant}, which has {expected}")]
    SignatureLength { what: String, variant: VariantName, expected: usize, found: usize },
    /// A document of another ciphersuite.
    #[error(
        "{what}: a signature of the ciphersuite {found}, and not of {expected} (--scheme names the scheme)"
    )]
    Suite { what: String, found: String, expected: String },
    /// Keys or documents of two variants.
    #[error("{what}: it is of the variant {found}, and not of {expected}")]
    Variant { what: String, found: VariantName, expected: VariantName },
    /// Bytes that are no valid key or signature.
    #[error("{what}: {why}")]
    Invalid { what: String, why: BlsError },
    /// Something that was verified is not valid.
    #[error("{what}: {why}")]
    NotValid { what: String, why: VerifyError },
    /// Signatures of a batch are not valid.
    #[error("{failed} of {signatures} signatures; {named}")]
    Batch { failed: usize, signatures: usize, named: String },
    /// A secret as an argument.
    #[error(
        "a secret key comes from a file or from standard input, never from the command line, where others can read it"
    )]
    SecretArgument,
    /// A file that holds no secret key.
    #[error("{}: neither a document of a secret key, nor a keystore, nor 64 hexadecimal digits of a key", .0.display())]
    NoSecret(PathBuf),
    /// A file that holds no seed.
    #[error("{}: a seed is 32 to 1024 bytes in hexadecimal", .0.display())]
    NoSeed(PathBuf),
    /// A public key that is not that of the secret key.
    #[error("{}: the public key in it is not that of the secret key: it was put together from two, or is damaged", .0.display())]
    OtherKey(PathBuf),
    /// A key without a proof of possession.
    #[error(
        "{what}: no proof of possession stands with the key, and without one it may have been chosen to cancel others: \
         `pop-prove -o` writes both; --proved takes it that `pop-verify` has accepted the proofs"
    )]
    NotProved { what: String },
    /// A proof is missing.
    #[error("{what}: no proof of possession stands with the key, and none is given")]
    NoProof { what: String },
    /// A file that would be lost.
    #[error("{}: it is there already, and may hold a secret: --force writes over it", .0.display())]
    Exists(PathBuf),
    /// Options of an encryption that was not asked for.
    #[error("--password-file and --password-fd are for --encrypt")]
    NotEncrypted,
    /// A keystore where a key in clear is needed.
    #[error("{}: it is a keystore already", .0.display())]
    Encrypted(PathBuf),
    /// A file that is no keystore.
    #[error("{}: no keystore: its key is not encrypted", .0.display())]
    NotKeystore(PathBuf),
    /// Nobody can be asked for a password.
    #[error(
        "a password is needed, and there is no terminal to ask for it: name --password-file or --password-fd"
    )]
    NoTerminal,
    /// A password of nothing.
    #[error("the password is empty")]
    EmptyPassword,
    /// A password that is no text.
    #[error("{}: a password is text in UTF-8", .0.display())]
    PasswordText(PathBuf),
    /// Two passwords that should be one.
    #[error("the two passwords differ")]
    PasswordsDiffer,
    /// A share that is not of the key that was published with it.
    #[error("{}: the share is not what the published points say of its index", .0.display())]
    OtherShare(PathBuf),
    /// A share in a keystore, without the points that say its index.
    #[error("{}: a share in a keystore needs --shared-key, what the dealer published", .0.display())]
    NoSharedKey(PathBuf),
    /// Fewer valid parts than are needed.
    #[error("{valid} valid parts of {threshold} that are needed; {named}")]
    FewValid { valid: usize, threshold: usize, named: String },
    /// A part of a signer who has no share.
    #[error("{}: signer {index} of {signers}", .path.display())]
    NoSigner { path: PathBuf, index: u16, signers: u16 },
}

impl From<BlsFault> for Failure {
    fn from(fault: BlsFault) -> Self {
        match fault {
            BlsFault::NotValid { why: VerifyError::Device(why), .. } => why.into(),
            BlsFault::NotValid { .. } | BlsFault::Batch { .. } | BlsFault::FewValid { .. } => {
                Self::Rejected(fault.into())
            }
            BlsFault::Invalid { ref why, .. } if why.is_rejection() => Self::Rejected(fault.into()),
            other => Self::bad(other),
        }
    }
}
