//! Hands out the tasks of a plan as soon as their inputs exist, and records their outcomes. It serves any executor of tasks, in
//! this process or elsewhere.

use crate::job::{FileOrigin, Job, Key, Plan};
use crate::region::Output;
use crate::{Digest, Ledger, Outcome, ScaleError};
use std::borrow::{Borrow, BorrowMut};
use std::collections::{BTreeMap, BTreeSet};

/// The execution state of a plan, with its ledger. Both are owned or borrowed.
#[derive(Debug)]
pub struct Scheduler<P = Plan, L = Ledger> {
    plan: P,
    ledger: L,
    /// For every task, the tasks that read its outputs, and the number of tasks that it still waits for.
    followers: Vec<Vec<usize>>,
    waits: Vec<usize>,
    /// The index of each task by its name.
    index_of: BTreeMap<String, usize>,
    digests: BTreeMap<Key, Digest>,
    /// Tasks that can run and are not handed out yet.
    ready: BTreeSet<usize>,
    done: Vec<bool>,
    resumed: usize,
}

impl<P: Borrow<Plan>, L: BorrowMut<Ledger>> Scheduler<P, L> {
    /// Checks a plan, takes the finished tasks from its ledger, and creates the files that tasks will write, empty and readable
    /// by their owner only. Tasks themselves create no files, so a task that ends after the proof is over and its files are
    /// removed writes nothing.
    ///
    /// # Errors
    /// The plan's first fault, a line of the ledger that does not belong to this plan, or a file that cannot be created.
    pub fn new(plan: P, ledger: L) -> Result<Self, ScaleError> {
        let tasks = plan.borrow();
        tasks.check()?;
        let dependencies = tasks.dependencies();
        let mut followers = vec![Vec::new(); tasks.tasks.len()];
        for (i, before) in dependencies.iter().enumerate() {
            before.iter().for_each(|before| followers[*before].push(i));
        }
        let waits: Vec<usize> = dependencies.iter().map(BTreeSet::len).collect();
        let index_of = tasks.tasks.iter().enumerate().map(|(i, task)| (task.name.clone(), i)).collect();
        let ready = (0..waits.len()).filter(|i| waits[*i] == 0).collect();
        let done = vec![false; waits.len()];
        let digests = BTreeMap::new();
        let mut all = Self { plan, ledger, followers, waits, index_of, digests, ready, done, resumed: 0 };
        // The dependencies of a finished task are finished too.
        for i in 0..all.done.len() {
            let outcome = all.ledger.borrow().outcome(&all.plan.borrow().tasks[i].name).cloned();
            if let Some(outcome) = outcome {
                all.note(i, &outcome)?;
                all.resumed += 1;
            }
        }
        all.make_files()?;
        Ok(all)
    }

    /// The plan whose tasks are handed out.
    pub fn plan(&self) -> &Plan {
        self.plan.borrow()
    }
    /// Number of finished tasks.
    pub fn done(&self) -> usize {
        self.done.iter().filter(|done| **done).count()
    }
    /// Whether a task is finished.
    pub fn is_done(&self, task: usize) -> bool {
        self.done.get(task).copied().unwrap_or(false)
    }
    /// Number of tasks that were finished before this scheduler was made.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// The indices of the tasks that can run and are not taken yet, in the order of the plan.
    pub fn waiting(&self) -> Vec<usize> {
        self.ready.iter().copied().collect()
    }

    /// Takes a task that can run: returns its description with the digests of its inputs, or `None` if it cannot run or was
    /// taken already.
    pub fn take(&mut self, task: usize) -> Option<Job> {
        if !self.ready.remove(&task) {
            return None;
        }
        let plan = self.plan.borrow();
        let mut taken = plan.tasks.get(task)?.clone();
        let names = taken.inputs.iter().chain(&taken.outputs).map(|region| &region.file);
        let files = names.filter_map(|name| Some((name.clone(), plan.files.get(name)?.clone()))).collect();
        let made = |name: &str| plan.files.get(name).is_some_and(|file| file.origin == FileOrigin::Made);
        for region in taken.inputs.iter_mut().filter(|region| made(&region.file)) {
            region.digest = self.digests.get(&region.key()).copied();
        }
        let durable = self.ledger.borrow().is_durable();
        Some(Job { setting: plan.setting.clone(), files, task: taken, durable })
    }

    /// Records the outcome of a task, and makes the tasks ready that have waited for it. A second outcome of the same task
    /// changes nothing if the outputs are equal.
    ///
    /// # Errors
    /// When the task does not belong to the plan or was not taken, when the number of its outputs is wrong or their digests
    /// differ from those recorded before, or when the ledger cannot be written.
    pub fn enter(&mut self, outcome: Outcome) -> Result<(), ScaleError> {
        let refused = |why| ScaleError::Job { task: outcome.task.clone(), why };
        let task = *self.index_of.get(&outcome.task).ok_or_else(|| refused("no task of this plan"))?;
        if let Some(before) = self.ledger.borrow().outcome(&outcome.task) {
            let same = before.outputs == outcome.outputs;
            return if same { Ok(()) } else { Err(refused("two workers wrote different bytes")) };
        }
        if self.ready.contains(&task) || self.waits[task] > 0 {
            return Err(refused("done before it was handed out"));
        }
        self.expect_outputs(task, &outcome)?;
        // A task is not done before the ledger says so.
        self.ledger.borrow_mut().enter(outcome.clone())?;
        self.note(task, &outcome)
    }

    /// The outcomes of the finished tasks, in the order of the plan.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let names = self.plan.borrow().tasks.iter().map(|task| &task.name);
        names.filter_map(|name| self.ledger.borrow().outcome(name))
    }

    /// Returns the plan and the ledger.
    pub fn into_parts(self) -> (P, L) {
        (self.plan, self.ledger)
    }

    /// Creates the files that no finished task has written to. If a file that was written to is missing, the task that reads it
    /// reports that.
    fn make_files(&self) -> Result<(), ScaleError> {
        let plan = self.plan.borrow();
        let done = plan.tasks.iter().zip(&self.done).filter(|(_, done)| **done);
        let written: BTreeSet<&str> =
            done.flat_map(|(task, _)| &task.outputs).map(|region| region.file.as_str()).collect();
        for (name, file) in plan.files.iter().filter(|(_, file)| file.origin == FileOrigin::Made) {
            if !written.contains(name.as_str()) {
                Output::create(&file.path)?;
            }
        }
        Ok(())
    }

    fn expect_outputs(&self, task: usize, outcome: &Outcome) -> Result<(), ScaleError> {
        if self.plan.borrow().tasks[task].outputs.len() != outcome.outputs.len() {
            let why = "the number of its outputs is not that of the plan";
            return Err(ScaleError::Job { task: outcome.task.clone(), why });
        }
        Ok(())
    }

    fn note(&mut self, task: usize, outcome: &Outcome) -> Result<(), ScaleError> {
        self.expect_outputs(task, outcome)?;
        let outputs = &self.plan.borrow().tasks[task].outputs;
        self.digests.extend(outputs.iter().map(|region| region.key()).zip(outcome.outputs.iter().copied()));
        self.ready.remove(&task);
        self.done[task] = true;
        for follower in std::mem::take(&mut self.followers[task]) {
            self.waits[follower] -= 1;
            if self.waits[follower] == 0 && !self.done[follower] {
                self.ready.insert(follower);
            }
        }
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_not_finished_before_the_ledger_says_so() {
        let plan: Plan = serde_json::from_value(serde_json::json!({
            "identity": "00".repeat(32),
            "setting": {
                "curve": "bn128", "log_domain": 2, "wires": 4,
                "layout": {"log_rows": 1, "log_columns": 1, "blocks": 1},
            },
            "files": {},
            "tasks": [{
                "name": "columns", "op": "columns", "block": 0, "cache": 0, "inputs": [], "outputs": [],
                "core_microseconds": 1, "memory": 0,
            }],
        }))
        .unwrap();
        let mut scheduler = Scheduler::new(plan, Ledger::on_a_full_disk()).unwrap();
        let job = scheduler.take(0).unwrap();
        let outcome = Outcome { task: job.task.name, outputs: Vec::new(), seconds: 0.0 };
        for _ in 0..2 {
            let refused = scheduler.enter(outcome.clone());
            assert!(matches!(refused, Err(ScaleError::Io { .. })), "{refused:?}");
            assert!(!scheduler.is_done(0) && scheduler.done() == 0);
        }
    }
}
