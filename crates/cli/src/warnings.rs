//! What a user should know beside a result.

use std::sync::{Mutex, PoisonError};

/// What a user should know beside a result: collected while a command runs, and said with its result.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Mutex<Vec<String>>);

impl Warnings {
    /// Adds a sentence, unless it is there already.
    pub(crate) fn add(&self, sentence: impl Into<String>) {
        let (mut all, sentence) = (self.0.lock().unwrap_or_else(PoisonError::into_inner), sentence.into());
        if !all.contains(&sentence) {
            all.push(sentence);
        }
    }

    /// Gives all of them, once.
    pub(crate) fn take(&self) -> Vec<String> {
        core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
