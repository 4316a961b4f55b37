//! The tasks of a proof with `--memory` are run by this process, or by the caller of the command.

use crate::failure::Failure;
use pairwright::scale::Conductor;
use std::fmt;

/// Runs the tasks that a conductor hands out, in any place, and returns the conductor.
pub type Hands = dyn Fn(Conductor) -> Result<Conductor, Failure> + Send + Sync;

/// The caller's hands; without them this process runs the tasks.
#[derive(Default)]
pub(crate) struct Borrowed(Option<Box<Hands>>);

impl Borrowed {
    pub(crate) fn new(hands: Box<Hands>) -> Self {
        Self(Some(hands))
    }

    pub(crate) fn get(&self) -> Option<&Hands> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Borrowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "the caller's" } else { "ours" })
    }
}
