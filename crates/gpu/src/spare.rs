//! Buffers on a device that can be released when a call lacks memory.

use crate::memory::Words;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A buffer until it is released. A caller that has obtained it before keeps it as long as it needs it.
#[derive(Debug)]
pub(crate) struct Spare(Mutex<Option<Arc<Words>>>);

impl Spare {
    /// The buffer, if it has not been released.
    pub(crate) fn words(&self) -> Option<Arc<Words>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn give_up(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().is_some()
    }
}

/// All buffers that can be released.
#[derive(Debug, Default)]
pub(crate) struct Spares(Mutex<Vec<Weak<Spare>>>);

impl Spares {
    /// Registers a buffer that can be released from now on.
    pub(crate) fn keep(&self, words: Words) -> Arc<Spare> {
        let spare = Arc::new(Spare(Mutex::new(Some(Arc::new(words)))));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&spare));
        spare
    }

    /// Releases all registered buffers; returns whether there were any.
    pub(crate) fn give_up(&self) -> bool {
        let all = core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        all.iter().filter_map(Weak::upgrade).filter(|spare| spare.give_up()).count() > 0
    }
}
