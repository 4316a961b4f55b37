//! The reasons for which the verification of powers of tau fails.

use crate::FormatError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// Why powers of tau were not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyPowersError {
    /// The file is malformed.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The file has no contribution, so everybody knows τ.
    #[error("nobody has contributed to these powers: everybody knows tau")]
    NoContribution,
    /// A contribution does not follow from the contributions before it.
    #[error("contribution {number}: {what}")]
    Contribution {
        /// Number of the contribution, from 1.
        number: usize,
        /// Description of the check that failed.
        what: &'static str,
    },
    /// The powers in the file are not the result of the last contribution.
    #[error("{part}: {what}")]
    Powers {
        /// Name of the list of points.
        part: &'static str,
        /// Description of the check that failed.
        what: &'static str,
    },
    /// A device operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl VerifyPowersError {
    /// Whether this is a verdict on a well-formed file rather than a failure to read or compute.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::NoContribution | Self::Contribution { .. } | Self::Powers { .. })
    }
}
