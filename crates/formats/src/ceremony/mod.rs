//! Code that both phases of a ceremony share: the sources of secrets, and the hashes of snarkjs.

mod beacon;
pub(crate) mod blake2b;
pub(crate) mod draws;
pub(crate) mod ratio;
pub(crate) mod record;

pub use beacon::{Beacon, BeaconError};
pub use draws::challenge_point_vartime;

use alloc::borrow::ToOwned;
use alloc::string::String;
use zeroize::Zeroizing;

/// Largest length of a contributor's name in a record, in bytes.
const NAME: usize = 64;

/// A contributor: the name for the record and the source of the contribution's secrets.
pub enum Contributor {
    /// A contributor with a secret seed, which is wiped when dropped.
    Secret {
        /// The name that the record carries, which may be empty; cut to 64 bytes.
        name: String,
        /// The seed from which every secret of the contribution is drawn.
        seed: Zeroizing<[u8; 32]>,
    },
    /// A beacon: an unpredictable public value, whose contribution ends a ceremony.
    Beacon {
        /// The name that the record carries, which may be empty; cut to 64 bytes.
        name: String,
        /// The value and the number of times that it is hashed.
        beacon: Beacon,
    },
}

impl Contributor {
    /// The seed of all draws. For a beacon this computes all of its hashes.
    pub(crate) fn seed(&self) -> Zeroizing<[u8; 32]> {
        match self {
            Self::Secret { seed, .. } => seed.clone(),
            Self::Beacon { beacon, .. } => Zeroizing::new(beacon.seed()),
        }
    }

    pub(crate) fn name(&self) -> String {
        let (Self::Secret { name, .. } | Self::Beacon { name, .. }) = self;
        cut(name).to_owned()
    }

    pub(crate) fn beacon(&self) -> Option<&Beacon> {
        match self {
            Self::Secret { .. } => None,
            Self::Beacon { beacon, .. } => Some(beacon),
        }
    }
}

/// Cuts a name to at most [`NAME`] bytes, at the end of a character.
pub(crate) fn cut(name: &str) -> &str {
    let end = (0..=NAME).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    name.get(..end).unwrap_or(name)
}
