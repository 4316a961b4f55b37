//! Tables of twiddles on the device: the last few that were used are kept.

use crate::error::GpuError;
use crate::memory::Words;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of tables that are kept.
const KEPT: usize = 6;

/// The key of a table of twiddles: size, direction, root and shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableKey<F> {
    pub(crate) log_n: u32,
    pub(crate) inverse: bool,
    pub(crate) root: F,
    pub(crate) shift: Option<F>,
}

/// Tables with their keys, the most recently used last.
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

    /// The table for a key, made if it is not there. If too many are kept, the least recently used one is dropped.
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

    /// Releases all tables except those of some keys; returns whether there were any.
    pub(crate) fn keep_only(&self, keys: &[TableKey<F>]) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.len();
        known.retain(|(key, _)| keys.contains(key));
        known.len() < before
    }
}
