//! Runs the tasks of a plan in this process, one after the other.

use crate::job::{FileKind, Job, Key, Plan};
use crate::{Digest, Ledger, Outcome, ScaleError, run_task};
use pairwright_curve::Pairing;
use pairwright_device::Device;
use std::collections::{BTreeMap, BTreeSet};

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
pub fn execute<E: Pairing>(
    plan: &Plan,
    ledger: &mut Ledger,
    device: &Device<E>,
    next: &mut dyn FnMut(&[usize]) -> Option<usize>,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<(), ScaleError> {
    plan.check()?;
    let dependencies = plan.dependencies();
    let mut digests = BTreeMap::<Key, Digest>::new();
    let mut done = vec![false; plan.tasks.len()];
    for (i, task) in plan.tasks.iter().enumerate() {
        if let Some(outcome) = ledger.outcome(&task.name) {
            digests.extend(task.outputs.iter().map(|r| r.key()).zip(outcome.outputs.iter().copied()));
            done[i] = true;
            watch(Progress::Done(task, None));
        }
    }
    let left = |i: usize| dependencies[i].iter().filter(|j| !done[**j]).count();
    let mut waits: Vec<usize> = (0..plan.tasks.len()).map(left).collect();
    let mut ready: BTreeSet<usize> = (0..plan.tasks.len()).filter(|i| !done[*i] && waits[*i] == 0).collect();
    let mut dependents = vec![Vec::new(); plan.tasks.len()];
    for (i, on) in dependencies.iter().enumerate() {
        on.iter().for_each(|j| dependents[*j].push(i));
    }
    loop {
        let list: Vec<usize> = ready.iter().copied().collect();
        let picked = if list.is_empty() { None } else { next(&list) };
        let Some(&i) = picked.and_then(|at| list.get(at)) else { return Ok(()) };
        let task = &plan.tasks[i];
        watch(Progress::Start(task));
        let outcome = run_task(&job(plan, i, &digests, ledger.is_durable()), device)?;
        digests.extend(task.outputs.iter().map(|r| r.key()).zip(outcome.outputs.iter().copied()));
        watch(Progress::Done(task, Some(&outcome)));
        ledger.enter(outcome)?;
        ready.remove(&i);
        for &dependent in &dependents[i] {
            waits[dependent] -= 1;
            if waits[dependent] == 0 && !done[dependent] {
                ready.insert(dependent);
            }
        }
    }
}

/// Takes the tasks in the order of the plan.
pub fn in_order(ready: &[usize]) -> Option<usize> {
    (!ready.is_empty()).then_some(0)
}

/// A task with its files, and the digests of what it reads.
fn job(plan: &Plan, i: usize, digests: &BTreeMap<Key, Digest>, durable: bool) -> Job {
    let mut task = plan.tasks[i].clone();
    let names = || plan.tasks[i].inputs.iter().chain(&plan.tasks[i].outputs).map(|region| &region.file);
    let files = names().filter_map(|name| Some((name.clone(), plan.files.get(name)?.clone()))).collect();
    let made = |name: &str| plan.files.get(name).is_some_and(|file| file.kind == FileKind::Made);
    for region in task.inputs.iter_mut().filter(|region| made(&region.file)) {
        region.digest = digests.get(&region.key()).copied();
    }
    Job { setting: plan.setting.clone(), files, task, durable }
}
