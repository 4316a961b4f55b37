//! Errors in keys, signatures and passwords that no library reports.

use crate::failure::Failure;
use pairwright::formats::bls::VariantName;
use pairwright::protocols::schemes::bls::{BlsError, VerifyError};
use std::path::PathBuf;
use thiserror::Error;

/// An error in the keys, signatures or passwords that a command was given.
#[derive(Debug, Error)]
pub(super) enum BlsFault {
    /// A file holds neither a document nor hexadecimal digits.
    #[error("{what}: neither a document nor a point in hexadecimal")]
    NoPoint { what: String },
    /// A number of bytes that no public key has.
    #[error("{what}: {found} bytes are no public key, which has 48 (min-pk) or 96 (min-sig)")]
    KeyLength { what: String, found: usize },
    /// A number of bytes that no signature of the variant has.
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
    /// Bytes that are not a valid key or signature.
    #[error("{what}: {why}")]
    Invalid { what: String, why: BlsError },
    /// A signature, aggregate or proof of possession that is not valid.
    #[error("{what}: {why}")]
    NotValid { what: String, why: VerifyError },
    /// Some signatures of a batch are not valid.
    #[error("{failed} of {signatures} signatures; {named}")]
    Batch { failed: usize, signatures: usize, named: String },
    /// A secret key given on the command line.
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
    /// A document whose public key does not belong to its secret key.
    #[error("{}: the public key in it is not that of the secret key: it was put together from two, or is damaged", .0.display())]
    OtherKey(PathBuf),
    /// A key without a proof of possession.
    #[error(
        "{what}: no proof of possession stands with the key, and without one it may have been chosen to cancel others: \
         `pop-prove -o` writes both; --proved takes it that `pop-verify` has accepted the proofs"
    )]
    NotProved { what: String },
    /// The proof of possession to verify is missing.
    #[error("{what}: no proof of possession stands with the key, and none is given")]
    NoProof { what: String },
    /// A file that would be overwritten without `--force`.
    #[error("{}: it is there already, and may hold a secret: --force writes over it", .0.display())]
    Exists(PathBuf),
    /// Options of an encryption without `--encrypt`.
    #[error("--password-file and --password-fd are for --encrypt")]
    NotEncrypted,
    /// A keystore where an unencrypted key is needed.
    #[error("{}: it is a keystore already", .0.display())]
    Encrypted(PathBuf),
    /// A file that is not a keystore.
    #[error("{}: no keystore: its key is not encrypted", .0.display())]
    NotKeystore(PathBuf),
    /// There is no terminal to ask for a password.
    #[error(
        "a password is needed, and there is no terminal to ask for it: name --password-file or --password-fd"
    )]
    NoTerminal,
    /// An empty password.
    #[error("the password is empty")]
    EmptyPassword,
    /// A password that is not UTF-8 text.
    #[error("{}: a password is text in UTF-8", .0.display())]
    PasswordText(PathBuf),
    /// A new password was repeated differently.
    #[error("the two passwords differ")]
    PasswordsDiffer,
    /// A share that does not belong to the shared key's published points.
    #[error("{}: the share is not what the published points say of its index", .0.display())]
    OtherShare(PathBuf),
    /// A share in a keystore, without the published points from which its index is found.
    #[error("{}: a share in a keystore needs --shared-key, what the dealer published", .0.display())]
    NoSharedKey(PathBuf),
    /// Fewer valid parts than are needed.
    #[error("{valid} valid parts of {threshold} that are needed; {named}")]
    FewValid { valid: usize, threshold: usize, named: String },
    /// A part whose signer's index is out of range.
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
