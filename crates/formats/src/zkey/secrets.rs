//! A record of where the secret of a Plonk or fflonk key was drawn. The format has none, so that a key whose τ one machine has
//! known carries a section of its own, which snarkjs reads past.

use crate::FormatError;
use crate::container::{Container, ContainerWriter, widen};

/// The type of the section, far above those of snarkjs.
pub(in crate::zkey) const SECRETS: u32 = 1000;
/// What stands in it, for a reader of bytes.
const ONE_PLACE: &[u8] = b"tau was drawn in one place";

/// Who may know the τ of a key of Plonk or fflonk, by what its file says. A file can leave the section out, so that its
/// absence proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// Those who made the powers of tau that the key was made from, if all of them are dishonest.
    OfPowers,
    /// Whoever made the key: τ was drawn in one place, as `setup --unsafe-local` does.
    OnePlace,
}

impl Secrets {
    /// Number of sections of a key with `others` sections besides what [`Secrets::put`] writes.
    pub(in crate::zkey) const fn sections(self, others: u32) -> u32 {
        match self {
            Self::OfPowers => others,
            Self::OnePlace => others.saturating_add(1),
        }
    }

    /// Writes the section, where there is one.
    pub(in crate::zkey) fn put(self, file: &mut ContainerWriter<'_>) -> Result<(), FormatError> {
        match self {
            Self::OfPowers => Ok(()),
            Self::OnePlace => {
                file.section(SECRETS, widen(ONE_PLACE.len()))?;
                file.put(ONE_PLACE)
            }
        }
    }

    /// What a file says.
    pub(in crate::zkey) fn of(container: &Container) -> Self {
        if container.optional(SECRETS).is_some() { Self::OnePlace } else { Self::OfPowers }
    }
}
