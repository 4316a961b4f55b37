//! Results that are not printed, for callers in this process.

use std::sync::{Mutex, PoisonError};

/// The place of a result that is not printed, for callers in this process.
#[derive(Debug, Default)]
pub(crate) struct Answer(Option<Mutex<Option<String>>>);

impl Answer {
    /// A place that keeps the object that would be printed; the default keeps nothing.
    pub(crate) fn kept() -> Self {
        Self(Some(Mutex::default()))
    }

    /// Whether results are kept and not printed.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps an object if this is such a place, and gives it back if not.
    pub(crate) fn keep(&self, object: String) -> Option<String> {
        let Some(kept) = &self.0 else { return Some(object) };
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(object);
        None
    }

    /// Gives what was kept, if there is something.
    pub(crate) fn take(&self) -> Option<String> {
        self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
