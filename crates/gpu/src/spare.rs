//! Words on a device that calls can do without: they are given up where a call lacks memory.

use crate::memory::Words;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Words until they are given up. Who has taken them before keeps them as long as he needs them.
#[derive(Debug)]
pub(crate) struct Spare(Mutex<Option<Arc<Words>>>);

impl Spare {
    /// The words, if they are still there.
    pub(crate) fn words(&self) -> Option<Arc<Words>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn give_up(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().is_some()
    }
}

/// All that can be given up.
#[derive(Debug, Default)]
pub(crate) struct Spares(Mutex<Vec<Weak<Spare>>>);

impl Spares {
    /// Words that can be given up from now on.
    pub(crate) fn keep(&self, words: Words) -> Arc<Spare> {
        let spare = Arc::new(Spare(Mutex::new(Some(Arc::new(words)))));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&spare));
        spare
    }

    /// Gives up all of them. Returns whether there were any.
    pub(crate) fn give_up(&self) -> bool {
        let all = core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        all.iter().filter_map(Weak::upgrade).filter(|spare| spare.give_up()).count() > 0
    }
}
