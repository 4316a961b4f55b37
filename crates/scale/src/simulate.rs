//! A plan on machines that are not here: the same tasks, with the same dependencies, on nodes of given cores, memory and rates.
//!
//! Events are the ends of what tasks do: they wait for the scheduler, which hands out one task after the other, read their inputs,
//! compute, and write their outputs. Transfers share the network of their node and the rate of the storage, computations the
//! cores of their node, both in equal parts. A task goes to the node with the most free cores that has the memory for it; of those
//! that can run, the one with the longest path behind it goes first.
//!
//! What a task costs is its plan's estimate, corrected for each kind of operation by tasks that were measured ([`Costs`]). The
//! model has no cache misses, no stragglers and no faults, and takes every core for one of those that were measured.

use crate::ScaleError;
use crate::cluster::{Cluster, Costs, kind};
use crate::job::{Plan, Task};
use pairwright_sim::settings::Design as _;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// When and where a task ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// The task's place in the plan.
    pub task: usize,
    /// Number of the machine.
    pub node: usize,
    /// Number of the worker on its machine.
    pub worker: usize,
    /// Seconds after the beginning at which the scheduler handed it out.
    pub start: f64,
    /// Seconds after the beginning at which its outputs were written.
    pub end: f64,
}

/// The tasks of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct KindOfTask {
    /// Number of tasks.
    pub tasks: usize,
    /// Seconds of cores that they take if nothing disturbs them.
    pub core_seconds: f64,
}

/// What the plan takes on a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Seconds from the first task to the last.
    pub seconds: f64,
    /// Seconds of cores that tasks take if nothing disturbs them.
    pub core_seconds: f64,
    /// Seconds of the longest path of tasks of which each waits for the one before it: no cluster is faster.
    pub longest_path: f64,
    /// The same tasks by kind.
    pub kinds: BTreeMap<&'static str, KindOfTask>,
    /// Share of the cluster's cores that computed, of all the time.
    pub busy: f64,
    /// Bytes that tasks read and wrote.
    pub bytes: u64,
    /// Seconds that tasks read and wrote, all tasks together.
    pub transfer_seconds: f64,
    /// The spans of all tasks, in the order of their ends.
    pub spans: Vec<Span>,
}

/// For every task of a plan, the seconds on the longest path from its beginning to the end of the plan: whoever picks the next
/// task picks the one with the most.
pub fn urgency(plan: &Plan, costs: &Costs) -> Vec<f64> {
    longest_paths(plan, costs, &plan.dependencies())
}

fn longest_paths(plan: &Plan, costs: &Costs, dependencies: &[BTreeSet<usize>]) -> Vec<f64> {
    let mut longest = vec![0.0f64; plan.tasks.len()];
    // A task stands behind those it depends on.
    for (i, task) in plan.tasks.iter().enumerate().rev() {
        longest[i] += costs.seconds(task);
        for before in &dependencies[i] {
            longest[*before] = longest[*before].max(longest[i]);
        }
    }
    longest
}

/// Runs a plan on a cluster that is not there.
///
/// # Errors
/// The plan's first fault, a cluster without a core or a rate, and a task that needs more memory than a machine has.
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

/// A task that can run: the most urgent first, the first in the plan among equals.
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

/// What a running task does, and how much of it is left: seconds on its way to a worker, bytes, seconds of a core, bytes.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
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
    doing: Doing,
}

struct NodeLoad {
    /// Workers that have a task, by their number.
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
    /// Now, and when the scheduler is free again.
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

    /// The machine that takes a task now, if one can.
    fn place(&self, memory: u64) -> Option<usize> {
        let able = self.nodes.iter().enumerate().filter(|(_, node)| {
            node.running < node.taken.len()
                && node.memory.checked_add(memory).is_some_and(|sum| sum <= self.cluster.memory)
        });
        able.min_by_key(|(i, node)| (node.running, *i)).map(|(i, _)| i)
    }

    /// Hands out one task if the scheduler is free and a machine can take it.
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
        let doing = Doing::Start(self.cluster.handover);
        self.running.push(SimulatedTask { task, node, worker, start: self.now, doing });
        true
    }

    /// How much of what a task does is done in a second.
    fn rate(&self, running: &SimulatedTask, moving: usize) -> f64 {
        let node = &self.nodes[running.node];
        match running.doing {
            Doing::Start(_) => 1.0,
            Doing::Read(_) | Doing::Write(_) => {
                (self.cluster.network / node.moving as f64).min(self.cluster.storage / moving as f64)
            }
            Doing::Compute(_) => {
                let cores = f64::from(self.cluster.cores);
                let share = (cores / node.computing as f64).min(1.0);
                let others = (node.computing as f64).min(cores) - 1.0;
                let crowd = if cores > 1.0 { others / (cores - 1.0) } else { 0.0 };
                share / (1.0 + (self.cluster.crowding - 1.0) * crowd)
            }
        }
    }

    /// Goes on to the next event. Nothing is left to do when it returns `false`.
    fn step(&mut self) -> bool {
        // The scheduler hands out one task after the other; one that takes no time for it hands out all at once.
        while self.hand_out() {}
        if self.running.is_empty() && self.ready.is_empty() {
            return false;
        }
        let moving = self.nodes.iter().map(|node| node.moving).sum();
        let rates: Vec<f64> = self.running.iter().map(|running| self.rate(running, moving)).collect();
        let left = |running: &SimulatedTask| match running.doing {
            Doing::Start(left) | Doing::Read(left) | Doing::Compute(left) | Doing::Write(left) => left,
        };
        let ends = self.running.iter().zip(&rates).map(|(running, rate)| left(running) / rate);
        let next = ends.fold(f64::INFINITY, f64::min);
        // The scheduler may hand out a task before anything ends.
        let waiting = self.free - self.now;
        let handed = self.free > self.now
            && self.ready.peek().is_some_and(|next| self.place(self.plan.tasks[next.task].memory).is_some());
        let passes = if handed { next.min(waiting) } else { next };
        self.now += passes;
        for (running, rate) in self.running.iter_mut().zip(&rates) {
            let done = passes * rate;
            match &mut running.doing {
                Doing::Start(left) | Doing::Compute(left) => *left = (*left - done).max(0.0),
                Doing::Read(left) | Doing::Write(left) => {
                    *left = (*left - done).max(0.0);
                    self.moved += passes;
                }
            }
        }
        self.advance();
        true
    }

    /// Takes every task whose part has ended to its next part, or to its end.
    fn advance(&mut self) {
        // Bytes and seconds below this are what rounding has left.
        const NOTHING: f64 = 1e-9;
        let mut i = 0;
        while i < self.running.len() {
            let running = &self.running[i];
            let (task, node) = (running.task, running.node);
            let about = &self.plan.tasks[task];
            let next = match running.doing {
                Doing::Start(left) if left <= NOTHING => {
                    self.nodes[node].moving += 1;
                    Some(Doing::Read(about.read_bytes() as f64))
                }
                Doing::Read(left) if left <= NOTHING => {
                    self.nodes[node].moving -= 1;
                    self.nodes[node].computing += 1;
                    Some(Doing::Compute(self.costs.seconds(about)))
                }
                Doing::Compute(left) if left <= NOTHING => {
                    self.computed += self.costs.seconds(about);
                    self.nodes[node].computing -= 1;
                    self.nodes[node].moving += 1;
                    Some(Doing::Write(about.written_bytes() as f64))
                }
                Doing::Write(left) if left <= NOTHING => None,
                _ => {
                    i += 1;
                    continue;
                }
            };
            if let Some(next) = next {
                self.running[i].doing = next;
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
        let mut kinds = BTreeMap::<&'static str, KindOfTask>::new();
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
