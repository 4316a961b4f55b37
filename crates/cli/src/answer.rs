//! Results that are not printed, for callers in this process.

use std::sync::{Mutex, PoisonError};

/// The place of a result that is not printed, for callers in this process.
#[derive(Debug, Default)]
pub(crate) struct Answer(Option<Mutex<serde_json::Value>>);

impl Answer {
    /// A place that keeps what would be printed; the default prints.
    pub(crate) fn kept() -> Self {
        Self(Some(Mutex::default()))
    }

    /// Whether results are kept and not printed.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps a result, if this is such a place.
    pub(crate) fn keep(&self, answer: serde_json::Value) {
        if let Some(kept) = &self.0 {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = answer;
        }
    }

    /// Gives what was kept, if there is something.
    pub(crate) fn take(&self) -> Option<serde_json::Value> {
        let kept = self.0.as_ref()?;
        let value = core::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
        (!value.is_null()).then_some(value)
    }
}
