//! What is wrong with files that are encrypted under policies, their keys and their policies.

use super::Failure;
use pairwright::protocols::schemes::abe::AbeError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file cannot be encrypted or decrypted, or a key not be made.
#[derive(Debug, Error)]
pub(crate) enum AbeFailure {
    /// A file that is not what it should be, or does not go with another.
    #[error("{}: {why}", .path.display())]
    File { path: PathBuf, why: AbeError },
    /// An option whose text is not what it should be.
    #[error("{option}: {why}")]
    Option { option: &'static str, why: AbeError },
    /// Attributes to hold against something else than a policy.
    #[error("{}: attributes are held against the policy of a ciphertext, and this is a {kind}", .path.display())]
    NoPolicy { path: PathBuf, kind: &'static str },
}

impl AbeFailure {
    /// Gives an error the name of the file that it is about.
    pub(crate) fn of(path: &Path) -> impl FnOnce(AbeError) -> Failure + '_ {
        |why| Self::File { path: path.to_owned(), why }.into()
    }

    /// Gives an error the name of the option that it is about.
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
