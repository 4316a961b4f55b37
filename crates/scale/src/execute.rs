//! Runs the tasks of a plan in this process, one after the other.

use crate::job::Plan;
use crate::task::{Kept, run_after};
use crate::{Ledger, Outcome, ScaleError, Scheduler};
use pairwright_curve::Pairing;
use pairwright_device::Device;

/// A progress report of the execution of a plan.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A task begins.
    Start(&'a crate::Task),
    /// A task is finished; there is no outcome if it was finished before this execution began.
    Done(&'a crate::Task, Option<&'a Outcome>),
}

/// Runs every task of a plan that is not in the ledger. Tasks divide their work among the threads of the pool in which this is
/// called. `next` chooses one of the tasks that can run, by its index in the given list, or `None` to stop early.
///
/// # Errors
/// The plan's first fault, or the error of the first task that fails. The ledger then has the tasks that are finished.
#[inline(never)]
pub fn execute<E: Pairing>(
    plan: &Plan,
    ledger: &mut Ledger,
    device: &Device<E>,
    next: &mut dyn FnMut(&[usize]) -> Option<usize>,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<(), ScaleError> {
    let mut scheduler = Scheduler::new(plan, ledger)?;
    for (i, task) in plan.tasks.iter().enumerate() {
        if scheduler.is_done(i) {
            watch(Progress::Done(task, None));
        }
    }
    let mut kept = Kept::default();
    // Tasks read sections one after the other, each into the memory of the previous one.
    let _memory = pairwright_poly::BlockReuse::new(0);
    loop {
        let ready = scheduler.waiting();
        let chosen = if ready.is_empty() { None } else { next(&ready) };
        let Some(i) = chosen.and_then(|at| ready.get(at)) else { return Ok(()) };
        let Some(job) = scheduler.take(*i) else { return Ok(()) };
        let task = &plan.tasks[*i];
        watch(Progress::Start(task));
        let outcome = run_after(&job, device, &mut kept)?;
        watch(Progress::Done(task, Some(&outcome)));
        scheduler.enter(outcome)?;
    }
}

/// Chooses the tasks in the order of the plan; an argument for [`execute`].
pub fn in_order(ready: &[usize]) -> Option<usize> {
    (!ready.is_empty()).then_some(0)
}
