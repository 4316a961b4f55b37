//! Simulates the execution of a plan on a cluster: the same tasks, with the same dependencies, on nodes with given cores,
//! memory and rates.
//!
//! This is a discrete-event simulation. A task waits for the scheduler, which hands out one task after the other, reads its
//! inputs, computes, and writes its outputs; the end of each of these phases is an event. Transfers share the network of their
//! node and the rate of the storage, computations share the cores of their node, both in equal parts. A task is placed on the
//! node with the most free cores among those with enough memory; of the tasks that can run, the one with the longest path to
//! the end of the plan goes first.
//!
//! The cost of a task is its plan's estimate, corrected for each kind of operation by measured tasks ([`Costs`]). The model has
//! no cache misses, no stragglers and no faults, and assumes that every core is like the measured ones.

use crate::ScaleError;
use crate::cluster::{Cluster, Costs, kind};
use crate::job::{Plan, Task};
use pairwright_sim::settings::Design as _;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The time and the place of a task's execution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Index of the task in the plan.
    pub task: usize,
    /// Index of the machine.
    pub node: usize,
    /// Index of the worker on its machine.
    pub worker: usize,
    /// Time at which the scheduler handed the task out, in seconds from the beginning.
    pub start: f64,
    /// Time at which the task's outputs were written, in seconds from the beginning.
    pub end: f64,
}

/// The total of the tasks of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct KindTotal {
    /// Number of tasks.
    pub tasks: usize,
    /// Total core time of these tasks without slowdown, in seconds.
    pub core_seconds: f64,
}

/// The predicted execution of a plan on a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Time from the first task to the last, in seconds.
    pub seconds: f64,
    /// Total core time of all tasks without slowdown, in seconds.
    pub core_seconds: f64,
    /// Length in seconds of the longest chain of dependent tasks: a lower bound for every cluster.
    pub longest_path: f64,
    /// The tasks and their core time by kind.
    pub kinds: BTreeMap<&'static str, KindTotal>,
    /// Utilisation of the cluster's cores by computations, from 0 to 1.
    pub busy: f64,
    /// Number of bytes that all tasks read and wrote.
    pub bytes: u64,
    /// Total time that tasks spent reading and writing, in seconds.
    pub transfer_seconds: f64,
    /// The spans of all tasks, in the order of their ends.
    pub spans: Vec<Span>,
}

/// For every task of a plan, the length in seconds of the longest path from its beginning to the end of the plan. A scheduler
/// should choose the task with the largest value next.
pub fn urgency(plan: &Plan, costs: &Costs) -> Vec<f64> {
    longest_paths(plan, costs, &plan.dependencies())
}

fn longest_paths(plan: &Plan, costs: &Costs, dependencies: &[BTreeSet<usize>]) -> Vec<f64> {
    let mut longest = vec![0.0f64; plan.tasks.len()];
    // A task follows its dependencies in the plan, so the reverse order visits its dependents first.
    for (i, task) in plan.tasks.iter().enumerate().rev() {
        longest[i] += costs.seconds(task);
        for before in &dependencies[i] {
            longest[*before] = longest[*before].max(longest[i]);
        }
    }
    longest
}

/// Simulates a plan on a cluster.
///
/// # Errors
/// The plan's first fault, a cluster parameter out of range, or a task that needs more memory than a machine has.
pub fn simulate(plan: &Plan, costs: &Costs, cluster: &Cluster) -> Result<Prediction, ScaleError> {
    plan.check()?;
    cluster.check()?;
    if let Some(task) = plan.tasks.iter().find(|task| task.memory > cluster.memory) {
        return Err(ScaleError::TooLarge {
            task: task.name.clone(),
            needed: task.memory,
            memory: cluster.memory,
        });
    }
    let mut run = Run::new(plan, costs, cluster);
    while run.step() {}
    Ok(run.prediction())
}

/// A task that can run, ordered by urgency and then by its position in the plan.
#[derive(PartialEq)]
struct Ready {
    urgency: f64,
    task: usize,
}

impl Eq for Ready {}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        self.urgency.total_cmp(&other.urgency).then(other.task.cmp(&self.task))
    }
}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The phase of a running task and its remaining amount: seconds of latency, bytes to read, seconds of core time, bytes to
/// write.
#[derive(Clone, Copy, PartialEq)]
enum TaskPhase {
    Start(f64),
    Read(f64),
    Compute(f64),
    Write(f64),
}

struct SimulatedTask {
    task: usize,
    node: usize,
    worker: usize,
    start: f64,
    phase: TaskPhase,
}

struct NodeLoad {
    /// For each worker, whether it has a task.
    taken: Vec<bool>,
    running: usize,
    memory: u64,
    moving: usize,
    computing: usize,
}

impl NodeLoad {
    fn idle(workers: usize) -> Self {
        Self { taken: vec![false; workers], running: 0, memory: 0, moving: 0, computing: 0 }
    }
}

struct Run<'a> {
    plan: &'a Plan,
    costs: &'a Costs,
    cluster: &'a Cluster,
    urgency: Vec<f64>,
    waits: Vec<usize>,
    followers: Vec<Vec<usize>>,
    ready: BinaryHeap<Ready>,
    running: Vec<SimulatedTask>,
    nodes: Vec<NodeLoad>,
    /// The current time and the time at which the scheduler is free again, in seconds.
    now: f64,
    free: f64,
    computed: f64,
    moved: f64,
    spans: Vec<Span>,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, costs: &'a Costs, cluster: &'a Cluster) -> Self {
        let dependencies = plan.dependencies();
        let mut followers = vec![Vec::new(); plan.tasks.len()];
        for (i, before) in dependencies.iter().enumerate() {
            before.iter().for_each(|before| followers[*before].push(i));
        }
        let urgency = longest_paths(plan, costs, &dependencies);
        let waits: Vec<usize> = dependencies.iter().map(|before| before.len()).collect();
        let ready = waits.iter().enumerate().filter(|(_, waits)| **waits == 0);
        let ready = ready.map(|(task, _)| Ready { urgency: urgency[task], task }).collect();
        Self {
            plan,
            costs,
            cluster,
            urgency,
            waits,
            followers,
            ready,
            running: Vec::new(),
            nodes: (0..cluster.nodes).map(|_| NodeLoad::idle(cluster.workers as usize)).collect(),
            now: 0.0,
            free: 0.0,
            computed: 0.0,
            moved: 0.0,
            spans: Vec::with_capacity(plan.tasks.len()),
        }
    }

    /// The machine on which a task with this memory can start now, if there is one.
    fn place(&self, memory: u64) -> Option<usize> {
        let able = self.nodes.iter().enumerate().filter(|(_, node)| {
            node.running < node.taken.len()
                && node.memory.checked_add(memory).is_some_and(|sum| sum <= self.cluster.memory)
        });
        able.min_by_key(|(i, node)| (node.running, *i)).map(|(i, _)| i)
    }

    /// Hands out one task if the scheduler is free and a machine can take it; returns whether it did.
    fn hand_out(&mut self) -> bool {
        if self.free > self.now {
            return false;
        }
        let Some(next) = self.ready.peek() else { return false };
        let task = next.task;
        let Some(node) = self.place(self.plan.tasks[task].memory) else { return false };
        self.ready.pop();
        self.free = self.now + self.cluster.dispatch;
        let load = &mut self.nodes[node];
        let worker = load.taken.iter().position(|taken| !taken).unwrap_or(0);
        load.taken[worker] = true;
        load.running += 1;
        load.memory += self.plan.tasks[task].memory;
        let phase = TaskPhase::Start(self.cluster.handover);
        self.running.push(SimulatedTask { task, node, worker, start: self.now, phase });
        true
    }

    /// The rate at which the current phase of a task progresses, per second.
    fn rate(&self, running: &SimulatedTask, moving: usize) -> f64 {
        let node = &self.nodes[running.node];
        match running.phase {
            TaskPhase::Start(_) => 1.0,
            TaskPhase::Read(_) | TaskPhase::Write(_) => {
                (self.cluster.network / node.moving as f64).min(self.cluster.storage / moving as f64)
            }
            TaskPhase::Compute(_) => {
                let cores = f64::from(self.cluster.cores);
                let share = (cores / node.computing as f64).min(1.0);
                let others = (node.computing as f64).min(cores) - 1.0;
                let crowd = if cores > 1.0 { others / (cores - 1.0) } else { 0.0 };
                share / (1.0 + (self.cluster.crowding - 1.0) * crowd)
            }
        }
    }

    /// Advances to the next event; returns `false` if nothing is left to do.
    fn step(&mut self) -> bool {
        // The scheduler hands out one task after the other; without dispatch time it hands out all at once.
        while self.hand_out() {}
        if self.running.is_empty() && self.ready.is_empty() {
            return false;
        }
        let moving = self.nodes.iter().map(|node| node.moving).sum();
        let rates: Vec<f64> = self.running.iter().map(|running| self.rate(running, moving)).collect();
        let left = |running: &SimulatedTask| match running.phase {
            TaskPhase::Start(left)
            | TaskPhase::Read(left)
            | TaskPhase::Compute(left)
            | TaskPhase::Write(left) => left,
        };
        let ends = self.running.iter().zip(&rates).map(|(running, rate)| left(running) / rate);
        let next = ends.fold(f64::INFINITY, f64::min);
        // The scheduler may hand out a task before any phase ends.
        let waiting = self.free - self.now;
        let handed = self.free > self.now
            && self.ready.peek().is_some_and(|next| self.place(self.plan.tasks[next.task].memory).is_some());
        let passes = if handed { next.min(waiting) } else { next };
        self.now += passes;
        for (running, rate) in self.running.iter_mut().zip(&rates) {
            let done = passes * rate;
            match &mut running.phase {
                TaskPhase::Start(left) | TaskPhase::Compute(left) => *left = (*left - done).max(0.0),
                TaskPhase::Read(left) | TaskPhase::Write(left) => {
                    *left = (*left - done).max(0.0);
                    self.moved += passes;
                }
            }
        }
        self.advance();
        true
    }

    /// Moves every task whose phase has ended to its next phase, or finishes it.
    fn advance(&mut self) {
        // Smaller remaining amounts are rounding errors.
        const NOTHING: f64 = 1e-9;
        let mut i = 0;
        while i < self.running.len() {
            let running = &self.running[i];
            let (task, node) = (running.task, running.node);
            let about = &self.plan.tasks[task];
            let next = match running.phase {
                TaskPhase::Start(left) if left <= NOTHING => {
                    self.nodes[node].moving += 1;
                    Some(TaskPhase::Read(about.read_bytes() as f64))
                }
                TaskPhase::Read(left) if left <= NOTHING => {
                    self.nodes[node].moving -= 1;
                    self.nodes[node].computing += 1;
                    Some(TaskPhase::Compute(self.costs.seconds(about)))
                }
                TaskPhase::Compute(left) if left <= NOTHING => {
                    self.computed += self.costs.seconds(about);
                    self.nodes[node].computing -= 1;
                    self.nodes[node].moving += 1;
                    Some(TaskPhase::Write(about.written_bytes() as f64))
                }
                TaskPhase::Write(left) if left <= NOTHING => None,
                _ => {
                    i += 1;
                    continue;
                }
            };
            if let Some(next) = next {
                self.running[i].phase = next;
                continue;
            }
            let ended = self.running.swap_remove(i);
            let load = &mut self.nodes[node];
            load.moving -= 1;
            load.running -= 1;
            load.taken[ended.worker] = false;
            load.memory -= about.memory;
            let SimulatedTask { worker, start, .. } = ended;
            self.spans.push(Span { task, node, worker, start, end: self.now });
            for follower in std::mem::take(&mut self.followers[task]) {
                self.waits[follower] -= 1;
                if self.waits[follower] == 0 {
                    self.ready.push(Ready { urgency: self.urgency[follower], task: follower });
                }
            }
        }
    }

    fn prediction(self) -> Prediction {
        let cores = self.cluster.all_cores() as f64;
        let mut kinds = BTreeMap::<&'static str, KindTotal>::new();
        for task in &self.plan.tasks {
            let of = kinds.entry(kind(&task.op)).or_default();
            of.tasks += 1;
            of.core_seconds += self.costs.seconds(task);
        }
        let busy = if self.now > 0.0 { self.computed / (cores * self.now) } else { 0.0 };
        Prediction {
            seconds: self.now,
            core_seconds: self.computed,
            longest_path: self.urgency.iter().copied().fold(0.0, f64::max),
            kinds,
            busy,
            bytes: self.plan.tasks.iter().map(Task::bytes).sum(),
            transfer_seconds: self.moved,
            spans: self.spans,
        }
    }
}
