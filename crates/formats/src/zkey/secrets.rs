//! A record of the origin of a Plonk or fflonk key's secret τ. The format of snarkjs has no such record, so a key whose τ was
//! known to one machine gets an additional section, which snarkjs ignores.

use crate::FormatError;
use crate::container::{Container, ContainerWriter, widen};

/// The type number of the section, far above those of snarkjs.
pub(in crate::zkey) const SECRETS: u32 = 1000;
/// The contents of the section, a text for people who look at the bytes.
const ONE_PLACE: &[u8] = b"tau was drawn in one place";

/// Who may know the τ of a Plonk or fflonk key, according to its file. The section can be left out, so its absence proves
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// The contributors to the powers of tau that the key was made from, if all of them are dishonest.
    OfPowers,
    /// The maker of the key: τ was drawn in one place, as `setup --unsafe-local` does.
    OnePlace,
}

impl Secrets {
    /// Number of sections of a key with `others` sections besides the one that [`Secrets::put`] writes.
    pub(in crate::zkey) const fn sections(self, others: u32) -> u32 {
        match self {
            Self::OfPowers => others,
            Self::OnePlace => others.saturating_add(1),
        }
    }

    /// Writes the section, if there is one.
    pub(in crate::zkey) fn put(self, file: &mut ContainerWriter<'_>) -> Result<(), FormatError> {
        match self {
            Self::OfPowers => Ok(()),
            Self::OnePlace => {
                file.section(SECRETS, widen(ONE_PLACE.len()))?;
                file.put(ONE_PLACE)
            }
        }
    }

    /// Reads the origin from a file.
    pub(in crate::zkey) fn of(container: &Container) -> Self {
        if container.optional(SECRETS).is_some() { Self::OnePlace } else { Self::OfPowers }
    }
}
