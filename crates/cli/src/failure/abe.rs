//! Errors of attribute-based encryption: files that are encrypted under policies, their keys and their policies.

use super::Failure;
use pairwright::protocols::schemes::abe::AbeError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file cannot be encrypted or decrypted, or a key cannot be made.
#[derive(Debug, Error)]
pub(crate) enum AbeFailure {
    /// A file that is invalid, or that does not belong with another one.
    #[error("{}: {why}", .path.display())]
    File { path: PathBuf, why: AbeError },
    /// An option with invalid text.
    #[error("{option}: {why}")]
    Option { option: &'static str, why: AbeError },
    /// Attributes are to be checked against a file that has no policy.
    #[error("{}: attributes are held against the policy of a ciphertext, and this is a {kind}", .path.display())]
    NoPolicy { path: PathBuf, kind: &'static str },
}

impl AbeFailure {
    /// Wraps an error together with the file that it is about.
    pub(crate) fn of(path: &Path) -> impl FnOnce(AbeError) -> Failure + '_ {
        |why| Self::File { path: path.to_owned(), why }.into()
    }

    /// Wraps an error together with the option that it is about.
    pub(crate) fn option(option: &'static str) -> impl FnOnce(AbeError) -> Failure {
        move |why| Self::Option { option, why }.into()
    }
}

impl From<AbeFailure> for Failure {
    fn from(e: AbeFailure) -> Self {
        match e {
            AbeFailure::File { why: AbeError::Device(why), .. }
            | AbeFailure::Option { why: AbeError::Device(why), .. } => why.into(),
            AbeFailure::File { why: AbeError::Unsatisfied | AbeError::Rejected, .. } => {
                Self::Rejected(e.into())
            }
            AbeFailure::File { why: AbeError::Singular, .. } => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
