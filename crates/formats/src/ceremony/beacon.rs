//! Beacons of ceremonies: unpredictable public values, hashed so many times that nobody could try candidates and choose among
//! them.

use alloc::vec::Vec;
use core::ops::RangeInclusive;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Allowed base-2 logarithms of the number of hash iterations.
const LOGS: RangeInclusive<u32> = 10..=63;

/// A public value, from which the secrets of a ceremony's last contribution are derived after `2^log_hashes` rounds of SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beacon {
    value: Vec<u8>,
    log_hashes: u8,
}

/// Why a value or a number of hashes is not valid for a beacon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BeaconError {
    /// The value is empty or longer than its record allows.
    #[error("a beacon of {found} bytes, expected 1 to 255")]
    Length {
        /// Length of the given value in bytes.
        found: usize,
    },
    /// The number of hashes is below 2^10 or above 2^63.
    #[error("2^{found} hashes of a beacon, expected 2^10 to 2^63")]
    Hashes {
        /// Base-2 logarithm of the given number of hashes.
        found: u32,
    },
}

impl Beacon {
    /// Makes a beacon of 1 to 255 bytes with `2^log_hashes` hashes; `log_hashes` is from 10 to 63.
    ///
    /// # Errors
    /// When the length or the number of hashes is out of its range.
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

    /// Base-2 logarithm of the number of hashes.
    pub fn log_hashes(&self) -> u8 {
        self.log_hashes
    }

    /// The last hash, which seeds the generator of the contribution's secrets.
    pub(crate) fn seed(&self) -> [u8; 32] {
        let mut hash: [u8; 32] = Sha256::digest(&self.value).into();
        let rounds = 1u64.checked_shl(self.log_hashes.into()).unwrap_or(0);
        for _ in 1..rounds {
            hash = Sha256::digest(hash).into();
        }
        hash
    }
}
