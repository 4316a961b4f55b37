//! Names of slots and boards. The types themselves are generated from the table of operators in [`crate::ops`].

use crate::{Device, MachineLog, Slot};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, str::FromStr};
use pairwright_curve::Pairing;
use thiserror::Error;

/// The error of a name that no slot of a board has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no slot {0:?}; there are: {slots}", slots = slot_names())]
pub struct NoSlot(pub String);

fn slot_names() -> String {
    Slot::ALL.iter().map(|slot| slot.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Slot {
    type Err = NoSlot;

    fn from_str(name: &str) -> Result<Self, NoSlot> {
        Self::ALL.iter().copied().find(|s| s.name() == name).ok_or_else(|| NoSlot(name.to_owned()))
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<E: Pairing> Device<E> {
    /// The board under another name.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// The board with the log of one of its machines added; a log that it already has is not added again.
    #[must_use]
    pub fn with_log(mut self, log: MachineLog) -> Self {
        if !self.logs.iter().any(|known| known.is(&log)) {
            self.logs.push(log);
        }
        self
    }
}

impl<E: Pairing> fmt::Debug for Device<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({} on {})", self.name, E::NAME)
    }
}
