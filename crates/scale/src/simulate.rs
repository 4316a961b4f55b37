//! A plan on machines that are not here: the same tasks, with the same dependencies, on nodes of given cores, memory and rates.
//!
//! Events are the ends of what tasks do: they wait for the scheduler, which hands out one task after the other, read their inputs,
//! compute, and write their outputs. Transfers share the network of their node and the rate of the storage, computations the
//! cores of their node, both in equal parts. A task goes to the node with the most free cores that has the memory for it; of those
//! that can run, the one with the longest path behind it goes first.
//!
//! What a task costs is its plan's estimate, corrected for each kind of operation by tasks that were measured ([`Costs`]). The
//! model has no cache misses, no stragglers and no faults, and takes every core for one of those that were measured.

use crate::job::{Op, Part, Plan, Task};
use crate::{Outcome, ScaleError};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// Machines that work on a plan together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Number of machines.
    pub nodes: usize,
    /// Workers of a machine: processes that run one task at a time, on one core.
    pub workers: usize,
    /// Cores of a machine.
    pub cores: usize,
    /// Bytes of memory that the tasks of a machine may take together.
    pub memory: u64,
    /// Bytes a second between a machine and the storage.
    pub network: f64,
    /// Bytes a second of the storage, all machines together.
    pub storage: f64,
    /// Seconds of the scheduler for a task; it hands out one after the other.
    pub dispatch: f64,
    /// How much longer a computation takes while all cores of its machine compute: cores share caches and memory, and two threads
    /// of one core its units. 1 for cores that do not disturb each other; between one core and all it grows in proportion.
    pub crowding: f64,
}

impl Cluster {
    /// A machine with so many processes and cores, whose files are in its memory: tasks wait for Dask's cost of a task and for nothing
    /// else.
    pub fn local(workers: usize, cores: usize) -> Self {
        Self {
            nodes: 1,
            workers,
            cores,
            memory: u64::MAX,
            network: f64::INFINITY,
            storage: f64::INFINITY,
            dispatch: 1.7e-3,
            crowding: 1.0,
        }
    }

    fn check(&self) -> Result<(), ScaleError> {
        let counts = [("nodes", self.nodes), ("workers", self.workers), ("cores", self.cores)];
        let rates = [("network", self.network), ("storage", self.storage)];
        let wrong = counts.into_iter().find(|(_, n)| *n == 0).map(|(what, _)| (what, "at least 1"));
        let wrong = wrong
            .or(rates.into_iter().find(|(_, r)| r.is_nan() || *r <= 0.0).map(|(what, _)| (what, "above 0")));
        let wrong = wrong.or((!(self.dispatch >= 0.0 && self.dispatch.is_finite()))
            .then_some(("dispatch", "a number of seconds from 0")));
        let wrong = wrong
            .or((!(self.crowding >= 1.0 && self.crowding.is_finite()))
                .then_some(("crowding", "a factor from 1")));
        wrong.map_or(Ok(()), |(what, range)| Err(ScaleError::Cluster { what, range }))
    }
}

/// By how much the seconds of tasks differ from the estimates of their plan, by kind of operation.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// The factor of a kind; kinds that were not measured have the mean of the others, or 1.
    pub factors: BTreeMap<String, f64>,
}

impl Costs {
    /// The factors of tasks that were run by workers of one thread, each of which had a core.
    pub fn measured<'a>(plan: &Plan, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let tasks: BTreeMap<&str, _> = plan.tasks.iter().map(|task| (task.name.as_str(), task)).collect();
        let mut sums = BTreeMap::<String, (f64, f64)>::new();
        for outcome in outcomes {
            let Some(task) = tasks.get(outcome.task.as_str()) else { continue };
            let (taken, estimated) = sums.entry(kind(&task.op).to_owned()).or_default();
            *taken += outcome.seconds;
            *estimated += estimate(task);
        }
        let factors = sums.into_iter().filter(|(_, (_, estimated))| *estimated > 0.0);
        Self { factors: factors.map(|(kind, (taken, estimated))| (kind, taken / estimated)).collect() }
    }

    /// Seconds of a core that a task takes.
    pub fn seconds(&self, task: &Task) -> f64 {
        estimate(task) * self.factor(&task.op)
    }

    fn factor(&self, op: &Op) -> f64 {
        let mean = || {
            let n = self.factors.len();
            if n == 0 { 1.0 } else { self.factors.values().sum::<f64>() / n as f64 }
        };
        self.factors.get(kind(op)).copied().unwrap_or_else(mean)
    }
}

/// The plan's own estimate in seconds of a core.
fn estimate(task: &Task) -> f64 {
    task.core_microseconds as f64 / 1e6
}

/// What tasks that cost alike are called.
fn kind(op: &Op) -> &'static str {
    match op {
        Op::Columns { .. } => "columns",
        Op::Rows { .. } => "rows",
        Op::Quotient { .. } => "quotient",
        Op::Msm { part: Part::B2 } => "msm in G2",
        Op::Msm { .. } => "msm in G1",
    }
}

/// When and where a task ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// The task's place in the plan.
    pub task: usize,
    /// Number of the machine.
    pub node: usize,
    /// Seconds after the beginning at which the scheduler handed it out.
    pub start: f64,
    /// Seconds after the beginning at which its outputs were written.
    pub end: f64,
}

/// What the plan takes on a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Seconds from the first task to the last.
    pub seconds: f64,
    /// Seconds of cores that tasks take if nothing disturbs them.
    pub core_seconds: f64,
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
    let mut longest = vec![0.0f64; plan.tasks.len()];
    let dependencies = plan.dependencies();
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

/// What a running task does, and how much of it is left: bytes, seconds of a core, bytes.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
    Read(f64),
    Compute(f64),
    Write(f64),
}

struct Running {
    task: usize,
    node: usize,
    start: f64,
    doing: Doing,
}

#[derive(Clone, Copy, Default)]
struct NodeLoad {
    running: usize,
    memory: u64,
    moving: usize,
    computing: usize,
}

struct Run<'a> {
    plan: &'a Plan,
    costs: &'a Costs,
    cluster: &'a Cluster,
    urgency: Vec<f64>,
    waits: Vec<usize>,
    followers: Vec<Vec<usize>>,
    ready: BinaryHeap<Ready>,
    running: Vec<Running>,
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
        let urgency = urgency(plan, costs);
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
            nodes: vec![NodeLoad::default(); cluster.nodes],
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
            node.running < self.cluster.workers
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
        let bytes = self.plan.tasks[task].inputs.iter().map(|region| region.length).sum::<u64>() as f64;
        let load = &mut self.nodes[node];
        load.running += 1;
        load.memory += self.plan.tasks[task].memory;
        load.moving += 1;
        self.running.push(Running { task, node, start: self.now, doing: Doing::Read(bytes) });
        true
    }

    /// How much of what a task does is done in a second.
    fn rate(&self, running: &Running, moving: usize) -> f64 {
        let node = &self.nodes[running.node];
        match running.doing {
            Doing::Read(_) | Doing::Write(_) => {
                (self.cluster.network / node.moving as f64).min(self.cluster.storage / moving as f64)
            }
            Doing::Compute(_) => {
                let cores = self.cluster.cores as f64;
                let share = (cores / node.computing as f64).min(1.0);
                let others = (node.computing.min(self.cluster.cores) - 1) as f64;
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
        let left = |running: &Running| match running.doing {
            Doing::Read(left) | Doing::Compute(left) | Doing::Write(left) => left,
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
                Doing::Compute(left) => *left = (*left - done).max(0.0),
                Doing::Read(left) | Doing::Write(left) => {
                    // An endless rate moves all at once.
                    *left = if done.is_finite() { (*left - done).max(0.0) } else { 0.0 };
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
                Doing::Read(left) if left <= NOTHING => {
                    self.nodes[node].moving -= 1;
                    self.nodes[node].computing += 1;
                    Some(Doing::Compute(self.costs.seconds(about)))
                }
                Doing::Compute(left) if left <= NOTHING => {
                    self.computed += self.costs.seconds(about);
                    self.nodes[node].computing -= 1;
                    self.nodes[node].moving += 1;
                    Some(Doing::Write(about.outputs.iter().map(|region| region.length).sum::<u64>() as f64))
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
            load.memory -= about.memory;
            self.spans.push(Span { task, node, start: ended.start, end: self.now });
            for follower in std::mem::take(&mut self.followers[task]) {
                self.waits[follower] -= 1;
                if self.waits[follower] == 0 {
                    self.ready.push(Ready { urgency: self.urgency[follower], task: follower });
                }
            }
        }
    }

    fn prediction(self) -> Prediction {
        let cores = (self.cluster.nodes * self.cluster.cores) as f64;
        let busy = if self.now > 0.0 { self.computed / (cores * self.now) } else { 0.0 };
        Prediction {
            seconds: self.now,
            core_seconds: self.computed,
            busy,
            bytes: self.plan.tasks.iter().map(Task::bytes).sum(),
            transfer_seconds: self.moved,
            spans: self.spans,
        }
    }
}
