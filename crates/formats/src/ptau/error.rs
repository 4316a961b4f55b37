//! What can be wrong with powers of tau that are verified.

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
    /// Nobody has contributed: everybody knows τ.
    #[error("nobody has contributed to these powers: everybody knows tau")]
    NoContribution,
    /// A contribution does not follow from those before.
    #[error("contribution {number}: {what}")]
    Contribution {
        /// Its number, from one.
        number: usize,
        /// What does not hold.
        what: &'static str,
    },
    /// The powers are not those that the last contribution left.
    #[error("{part}: {what}")]
    Powers {
        /// The list of points.
        part: &'static str,
        /// What does not hold.
        what: &'static str,
    },
    /// An operator failed: no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl VerifyPowersError {
    /// Whether this is a verdict on well-formed powers.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::NoContribution | Self::Contribution { .. } | Self::Powers { .. })
    }
}
