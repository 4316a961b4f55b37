//! Storage for a result that is returned to a caller in this process instead of being printed.

use std::sync::{Mutex, PoisonError};

/// Keeps a command's result for a caller in this process instead of printing it. The default keeps nothing: results are printed.
#[derive(Debug, Default)]
pub(crate) struct Answer(Option<Mutex<Option<String>>>);

impl Answer {
    /// An answer that keeps the object that would be printed.
    pub(crate) fn kept() -> Self {
        Self(Some(Mutex::default()))
    }

    /// Whether results are kept and not printed.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps an object and returns `None`, or returns the object if results are printed.
    pub(crate) fn keep(&self, object: String) -> Option<String> {
        let Some(kept) = &self.0 else { return Some(object) };
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(object);
        None
    }

    /// Takes out the object that was kept, if there is one.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
