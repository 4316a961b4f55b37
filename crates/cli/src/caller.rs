//! What a program that calls the command does for it: it may run the tasks of a proof with `--memory`, and end the command.

use crate::failure::Failure;
use crate::stop::Stop;
use pairwright::scale::Conductor;
use std::fmt;

/// Runs the tasks that a conductor hands out, in any place, and returns the conductor.
pub type Hands = dyn Fn(Conductor) -> Result<Conductor, Failure> + Send + Sync;

/// The caller of the command.
#[derive(Default)]
pub struct Caller {
    /// Run the tasks of a proof with `--memory`; without them this process runs the tasks. Everything else, the proof's
    /// blinding, its verification and its files included, stays with the command. Other commands have no tasks.
    pub hands: Option<Box<Hands>>,
    /// Ends the command where it says how far it is, by unwinding.
    pub stop: Stop,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hands = if self.hands.is_some() { "the caller's" } else { "ours" };
        f.debug_struct("Caller").field("hands", &hands).field("stop", &self.stop).finish()
    }
}
