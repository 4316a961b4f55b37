//! The header and the contribution records of a `.ptau` file, with or without points.

use super::record::Record;
use super::{FORMAT, header};
use crate::container::Container;
use crate::{FileBytes, FormatError, Section};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use pairwright_curve::Pairing;
use std::path::Path;

/// The placeholder for the hash of powers whose points were left out.
pub(super) const NO_HASH: [u8; 64] = [0xff; 64];

/// A `.ptau` file of which only the header and the contribution records are read. The points may be missing, as they are after
/// an import without them ([`super::Imported::Record`]).
pub struct PowersRecord<E: Pairing> {
    pub(super) file: FileBytes,
    pub(super) power: u32,
    pub(super) ceremony_power: u32,
    pub(super) contributions: Option<Section>,
    curve: PhantomData<fn() -> E>,
}

impl<E: Pairing> PowersRecord<E> {
    /// Maps a file and reads its header.
    ///
    /// # Errors
    /// As [`PowersRecord::read`], and when the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::read(FileBytes::open(path)?)
    }

    /// Reads the header of bytes.
    ///
    /// # Errors
    /// When the container, the prime or the power is wrong. Contributions are not looked at.
    #[inline(never)]
    pub fn read(file: FileBytes) -> Result<Self, FormatError> {
        let container = Container::open(file, &FORMAT)?;
        let [power, ceremony_power] = header::<E>(&container)?;
        let (contributions, file) = (container.optional(7), container.file().clone());
        Ok(Self { file, power, ceremony_power, contributions, curve: PhantomData })
    }

    /// Base-2 logarithm of the number of powers of τ in G2.
    pub fn power(&self) -> u32 {
        self.power
    }

    /// The records of section 7; none if there is no such section.
    pub(super) fn records(&self) -> Result<Vec<Record<E>>, FormatError> {
        Record::all(self.contributions.as_ref())
    }
}

impl<E: Pairing> fmt::Debug for PowersRecord<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PowersRecord({}, 2^{} powers)", E::NAME, self.power)
    }
}
