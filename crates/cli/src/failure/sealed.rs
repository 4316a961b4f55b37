//! Errors in files encrypted to identities or beacon rounds, in their beacons and in their keys.

use pairwright::formats::FileName;
use pairwright::protocols::schemes::bls::BlsError;
use pairwright::protocols::schemes::ibe::IbeError;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a file cannot be encrypted, or cannot be decrypted with the given beacon or key.
#[derive(Debug, Error)]
pub(crate) enum SealedError {
    /// A member of a document that should be a key or a signature and is no valid point.
    #[error("{}: {member}: {why}", .path.display())]
    Point { path: PathBuf, member: &'static str, why: BlsError },
    /// A round number that this chain does not have.
    #[error("--round: {0} is not a round of this chain: rounds begin with 1, and end before the end of time")]
    NoRound(u64),
    /// The computer's clock is set to a time before 1970.
    #[error("the clock of this computer stands before 1970")]
    Clock,
    /// A file without a stanza that the command could open.
    #[error("{file}: no part of this file is for {wanted}; its stanzas: {found}")]
    NoStanza {
        file: FileName,
        /// The recipient that was looked for.
        wanted: &'static str,
        /// The types of the stanzas that are there.
        found: String,
    },
    /// A file for another chain.
    #[error("{file}: encrypted to chain {found}, and --chain is {wanted}")]
    OtherChain { file: FileName, found: String, wanted: String },
    /// A stanza whose round is not a number.
    #[error("{file}: a stanza names `{found}`, which is not the number of a round")]
    RoundWord { file: FileName, found: String },
    /// The beacon of another round.
    #[error("{file}: encrypted to {rounds}; the beacon is of round {found}{}", .early.then_some(", which comes before: the round is not reached").unwrap_or_default())]
    OtherRound {
        file: FileName,
        /// The rounds of the file, and when they are due.
        rounds: String,
        /// The round of the beacon.
        found: u64,
        /// Whether the beacon's round comes before all of the file's.
        early: bool,
    },
    /// A signature that the chain did not make.
    #[error("{}: the signature is not that of {rounds} under the key of the chain", .path.display())]
    Signature {
        path: PathBuf,
        /// The rounds it could be of.
        rounds: String,
    },
    /// A stanza with an invalid ciphertext.
    #[error("{file}: stanza {index}: {why}")]
    Stanza {
        file: FileName,
        /// Its number, from 0.
        index: usize,
        why: IbeError,
    },
    /// A stanza whose key has another length than the 16 bytes of a file's key.
    #[error("{file}: stanza {index}: it holds a key of {found} bytes, and files have keys of 16")]
    KeyLength {
        file: FileName,
        /// Its number, from 0.
        index: usize,
        found: usize,
    },
    /// A stanza of a later version.
    #[error("{file}: stanza {index} is of version `{found}`, and version 1 is read here")]
    Version {
        file: FileName,
        /// Its number, from 0.
        index: usize,
        found: String,
    },
    /// A file for identities of another master key.
    #[error("{file}: encrypted under the master key {found}, and this key is of {wanted}")]
    OtherMaster { file: FileName, found: String, wanted: String },
    /// A file that is not for this identity.
    #[error("{0}: not encrypted to the identity of this key, or changed")]
    NotForUs(FileName),
    /// A document that the command cannot use.
    #[error("{}: {what}", .path.display())]
    Document { path: PathBuf, what: String },
    /// An identity that is empty, or not in hexadecimal.
    #[error("{0}: an identity has at least one byte, in hexadecimal two digits each")]
    Identity(&'static str),
}

impl SealedError {
    /// Whether the input was well-formed but was not accepted.
    pub(super) fn is_rejection(&self) -> bool {
        matches!(
            self,
            Self::Signature { .. } | Self::NotForUs(_) | Self::Stanza { why: IbeError::Rejected, .. }
        )
    }
}
