//! Runs the tasks of a plan in this process, one after the other.

use crate::job::Plan;
use crate::task::{Kept, run_after};
use crate::{Conductor, Ledger, Outcome, ScaleError};
use pairwright_curve::Pairing;
use pairwright_device::Device;

/// What whoever waits for a plan is told.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A task begins.
    Start(&'a crate::Task),
    /// A task is done; one that was done before the plan began has no outcome.
    Done(&'a crate::Task, Option<&'a Outcome>),
}

/// Runs every task of a plan that the ledger does not have. Tasks divide their work among the threads of the pool they
/// are called in. `next` picks one of the tasks that can run, by its place in the list of those, or none to stop early.
///
/// # Errors
/// The plan's first fault, and the error of the first task that fails. What is done until then is in the ledger.
#[inline(never)]
pub fn execute<E: Pairing>(
    plan: &Plan,
    ledger: &mut Ledger,
    device: &Device<E>,
    next: &mut dyn FnMut(&[usize]) -> Option<usize>,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<(), ScaleError> {
    let mut conductor = Conductor::new(plan, ledger)?;
    for (i, task) in plan.tasks.iter().enumerate() {
        if conductor.is_done(i) {
            watch(Progress::Done(task, None));
        }
    }
    let mut kept = Kept::default();
    // Tasks read sections one after the other, each into the memory of the one before.
    let _memory = pairwright_poly::Kept::new(0);
    loop {
        let ready = conductor.waiting();
        let chosen = if ready.is_empty() { None } else { next(&ready) };
        let Some(i) = chosen.and_then(|at| ready.get(at)) else { return Ok(()) };
        let Some(job) = conductor.take(*i) else { return Ok(()) };
        let task = &plan.tasks[*i];
        watch(Progress::Start(task));
        let outcome = run_after(&job, device, &mut kept)?;
        watch(Progress::Done(task, Some(&outcome)));
        conductor.enter(outcome)?;
    }
}

/// Takes the tasks in the order of the plan.
pub fn in_order(ready: &[usize]) -> Option<usize> {
    (!ready.is_empty()).then_some(0)
}
