//! Beacons: public values that nobody could foresee, hashed so often that nobody could choose among them either.

use alloc::vec::Vec;
use core::ops::RangeInclusive;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Logarithms of numbers of hashes that a beacon can have.
const LOGS: RangeInclusive<u32> = 10..=63;

/// A public value, from which the secrets of a last contribution are drawn after `2^log_hashes` rounds of SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beacon {
    value: Vec<u8>,
    log_hashes: u8,
}

/// Why something is no beacon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BeaconError {
    /// The value is empty or longer than its record allows.
    #[error("a beacon of {found} bytes, expected 1 to 255")]
    Length {
        /// Bytes that were given.
        found: usize,
    },
    /// Too few hashes, or more than can be computed.
    #[error("2^{found} hashes of a beacon, expected 2^10 to 2^63")]
    Hashes {
        /// Logarithm of the number that was given.
        found: u32,
    },
}

impl Beacon {
    /// A beacon of 1 to 255 bytes with `2^log_hashes` hashes, from 2^10 to 2^63.
    ///
    /// # Errors
    /// When either is out of its range.
    pub fn new(value: Vec<u8>, log_hashes: u32) -> Result<Self, BeaconError> {
        if !(1..=255).contains(&value.len()) {
            return Err(BeaconError::Length { found: value.len() });
        }
        match u8::try_from(log_hashes) {
            Ok(log) if LOGS.contains(&log_hashes) => Ok(Self { value, log_hashes: log }),
            _ => Err(BeaconError::Hashes { found: log_hashes }),
        }
    }

    /// The value, as it was published.
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    /// Logarithm of the number of hashes.
    pub fn log_hashes(&self) -> u8 {
        self.log_hashes
    }

    /// The last hash, of which generators are seeded.
    pub(crate) fn seed(&self) -> [u8; 32] {
        let mut hash: [u8; 32] = Sha256::digest(&self.value).into();
        let rounds = 1u64.checked_shl(self.log_hashes.into()).unwrap_or(0);
        for _ in 1..rounds {
            hash = Sha256::digest(hash).into();
        }
        hash
    }
}
