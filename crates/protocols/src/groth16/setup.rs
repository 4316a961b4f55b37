//! The error type of setups, and a type for secret operands of setups.

use super::PowersFault;
use crate::r1cs::R1csError;
use alloc::vec::Vec;
use pairwright_device::DeviceError;
use pairwright_poly::{Buf, DomainError, SourceError};
use thiserror::Error;
use zeroize::Zeroize;

/// Why a setup gives no key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The constraint system cannot be read or is malformed.
    #[error(transparent)]
    R1cs(#[from] R1csError),
    /// There are more constraints than the field's largest domain has points.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The ceremony is for smaller circuits.
    #[error("the circuit needs powers of tau of 2^{needed}, these are of 2^{found}")]
    PowersTooFew {
        /// Binary logarithm of the size of the circuit's domain.
        needed: u32,
        /// Power of the given ceremony, the binary logarithm of its size.
        found: u32,
    },
    /// The ceremony has fewer powers of tau than the key needs.
    #[error(
        "the key has {points} powers of tau, so that a ceremony of 2^{needed} is needed; this one is of 2^{found}"
    )]
    PointsTooFew {
        /// Number of powers of τ in G1 that the key has.
        points: usize,
        /// Power of the smallest ceremony that suffices.
        needed: u32,
        /// Power of the given ceremony, the binary logarithm of its size.
        found: u32,
    },
    /// The powers of tau cannot be used.
    #[error("the powers of tau cannot be used: {0}")]
    Powers(#[from] PowersFault),
    /// The powers of tau could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// Operands that are functions of the secrets, wiped when they are dropped: at the end of the setup, and when an
/// error ends it early.
pub(crate) struct Secret<F: Zeroize>(pub(crate) Buf<F>);

impl<F: Zeroize> Secret<F> {
    pub(crate) fn new(values: Vec<F>) -> Self {
        Self(values.into())
    }
}

impl<F: Zeroize> Drop for Secret<F> {
    fn drop(&mut self) {
        // Wiping a `Vec` includes its spare capacity: the vector may have been longer.
        core::mem::take(&mut self.0).into_vec().zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// A value that counts how often it is wiped.
    struct Counted<'a>(&'a Cell<u32>);
    impl Zeroize for Counted<'_> {
        fn zeroize(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn secrets_are_wiped_when_an_error_ends_the_setup() {
        let wiped = Cell::new(0);
        let fails = || -> Result<(), DeviceError> {
            let _secret = Secret::new(vec![Counted(&wiped), Counted(&wiped)]);
            Err(DeviceError::ZeroShift)
        };
        fails().unwrap_err();
        assert_eq!(wiped.get(), 2);
    }
}
