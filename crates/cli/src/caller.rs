//! The hooks that a program which calls the command may set: it can run the tasks of a proof with `--memory` itself, and end the
//! command early.

use crate::failure::Failure;
use crate::stop::Stop;
use pairwright::scale::Scheduler;
use std::fmt;

/// A function that runs the tasks which a scheduler hands out, on any machines, and returns the scheduler.
pub type TaskRunner = dyn Fn(Scheduler) -> Result<Scheduler, Failure> + Send + Sync;

/// The hooks of a calling program; the default runs the command without any.
#[derive(Default)]
pub struct Caller {
    /// Runs the tasks of a proof with `--memory`; if it is `None`, this process runs the tasks. All other steps, including the
    /// proof's blinding, its verification and its files, stay with the command. Other commands have no tasks.
    pub task_runner: Option<Box<TaskRunner>>,
    /// Ends the command, by unwinding, the next time that it reports progress.
    pub stop: Stop,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runner = if self.task_runner.is_some() { "the caller's" } else { "ours" };
        f.debug_struct("Caller").field("task_runner", &runner).field("stop", &self.stop).finish()
    }
}
