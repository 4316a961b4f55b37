//! What both phases of a ceremony share: where secrets come from, and how snarkjs hashes.

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

/// Bytes of a contributor's name that a record holds at most.
const NAME: usize = 64;

/// Who contributes, and where the secrets of the contribution come from.
pub enum Contributor {
    /// Someone with a seed that nobody else knows, which is wiped afterwards.
    Secret {
        /// The name that the record carries, which may be empty; cut to 64 bytes.
        name: String,
        /// From which every secret is drawn.
        seed: Zeroizing<[u8; 32]>,
    },
    /// A public value that nobody could foresee, which ends a ceremony.
    Beacon {
        /// The name that the record carries, which may be empty; cut to 64 bytes.
        name: String,
        /// The value and how often it is hashed.
        beacon: Beacon,
    },
}

impl Contributor {
    /// The seed of all draws. A beacon's takes as long as its hashes.
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

/// The beginning of a name, whole characters.
pub(crate) fn cut(name: &str) -> &str {
    let end = (0..=NAME).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    name.get(..end).unwrap_or(name)
}
