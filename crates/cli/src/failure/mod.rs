//! The failures that end a command, and their exit codes.

mod abe;
mod argument;
mod conversions;
mod kind;
mod payment;
mod sealed;

pub(crate) use abe::AbeFailure;
pub(crate) use argument::{ArgumentError, ModelFault};
pub use kind::Kind;
pub(crate) use payment::PaymentError;
pub(crate) use sealed::SealedError;

use pairwright::formats::FormatError;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a command did not succeed.
#[derive(Debug, Error)]
pub enum Failure {
    /// A proof was not accepted.
    #[error("rejected: {0}")]
    Rejected(Box<dyn std::error::Error + Send + Sync>),
    /// Some proofs of a batch were not accepted.
    #[error("rejected: {}", .0)]
    RejectedInBatch(RejectedBatch),
    /// An argument or a file is invalid.
    #[error(transparent)]
    BadInput(Box<dyn std::error::Error + Send + Sync>),
    /// A file cannot be read or written.
    #[error("{path}: {why}")]
    File {
        /// The file's path.
        path: PathBuf,
        /// The system's error.
        why: std::io::Error,
    },
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(std::io::Error),
    /// A fault of this program or of the machine.
    #[error("internal error: {0}")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// The proofs of a batch that were not accepted.
#[derive(Debug)]
pub struct RejectedBatch {
    /// Number of proofs in the whole batch.
    pub proofs: usize,
    /// The proofs that were not accepted, in the order of the list.
    pub failed: Vec<RejectedProof>,
}

/// A proof of a batch that was not accepted.
#[derive(Debug, Serialize)]
pub struct RejectedProof {
    /// Position in the list, from 0.
    pub index: usize,
    /// Line of the list, from 1.
    pub line: usize,
    /// File of the public values.
    pub public: String,
    /// File of the proof.
    pub proof: String,
    /// Why it was not accepted.
    pub error: String,
}

/// The most rejected proofs that a message names; the JSON object has all of them.
const MOST_NAMED: usize = 8;

impl fmt::Display for RejectedBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} proofs", self.failed.len(), self.proofs)?;
        for bad in self.failed.iter().take(MOST_NAMED) {
            write!(f, "; index {}, line {}, {}: {}", bad.index, bad.line, bad.proof, bad.error)?;
        }
        if self.failed.len() > MOST_NAMED {
            write!(f, "; and {} more", self.failed.len() - MOST_NAMED)?;
        }
        Ok(())
    }
}

impl Failure {
    /// Wraps an error as bad input.
    pub fn bad(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::BadInput(why.into())
    }

    /// The internal error of a command that parsing should have replaced by its short form.
    pub(crate) fn without_short_form() -> Self {
        Self::Internal("a command without its short form".into())
    }

    /// The failure for an error in a proof or its public values: a rejection if the file is well-formed but its values are invalid,
    /// otherwise bad input.
    pub fn of_proof(e: FormatError) -> Self {
        if e.is_rejection() { Self::Rejected(e.into()) } else { Self::bad(e) }
    }

    /// Returns `Ok` if the failure is only that the reader of standard output has closed it.
    pub(crate) fn unless_reader_gone(self) -> Result<(), Self> {
        match self {
            Self::Output(why) if why.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => Err(other),
        }
    }

    /// The members of the JSON object for this failure, beside its status.
    pub(crate) fn object(&self) -> serde_json::Value {
        let mut object = serde_json::json!({ "error": self.to_string() });
        if let Self::RejectedInBatch(batch) = self {
            object["proofs"] = batch.proofs.into();
            object["failed"] = serde_json::json!(batch.failed);
        }
        if let Some(reason) = self.reason() {
            object["reason"] = reason.into();
        }
        object
    }

    /// The exit code: 1 for a rejection, 2 for bad input, files and standard output, 3 for an internal error.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Rejected(_) | Self::RejectedInBatch(_) => 1,
            Self::BadInput(_) | Self::File { .. } | Self::Output(_) => 2,
            Self::Internal(_) => 3,
        }
    }

    /// The status in the JSON object, one word for each exit code.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Rejected(_) | Self::RejectedInBatch(_) => "rejected",
            Self::BadInput(_) | Self::File { .. } | Self::Output(_) => "bad-input",
            Self::Internal(_) => "internal",
        }
    }
}
