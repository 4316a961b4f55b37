//! Tables of twiddles that stay on the device, the last few that were used.

use crate::error::GpuError;
use crate::memory::Words;
use std::sync::{Arc, Mutex, PoisonError};

/// Tables that are kept.
const KEPT: usize = 6;

/// What a table of twiddles depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableKey<F> {
    pub(crate) log_n: u32,
    pub(crate) inverse: bool,
    pub(crate) root: F,
    pub(crate) shift: Option<F>,
}

/// Tables by what they depend on; the last used stands last.
#[derive(Debug)]
pub(crate) struct Tables<F> {
    known: Mutex<Vec<(TableKey<F>, Arc<Words>)>>,
}

impl<F: Copy + Eq> Tables<F> {
    pub(crate) fn new() -> Self {
        Self { known: Mutex::default() }
    }

    /// Whether a table is on the device.
    pub(crate) fn has(&self, key: &TableKey<F>) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().any(|(other, _)| other == key)
    }

    /// A table, made if it is not there. The one that has been unused for longest makes room for it.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn get_or(
        &self,
        key: TableKey<F>,
        make: impl FnOnce() -> Result<Words, GpuError>,
    ) -> Result<Arc<Words>, GpuError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match known.iter().position(|(other, _)| *other == key) {
            Some(at) => known.remove(at),
            None => (key, Arc::new(make()?)),
        };
        if known.len() >= KEPT {
            known.remove(0);
        }
        let table = Arc::clone(&entry.1);
        known.push(entry);
        Ok(table)
    }

    /// Gives up all tables but those of some keys. Returns whether there were any.
    pub(crate) fn keep_only(&self, keys: &[TableKey<F>]) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.len();
        known.retain(|(key, _)| keys.contains(key));
        known.len() < before
    }
}
