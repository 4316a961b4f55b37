//! The scheduling problem: operations with channels, latencies and dependences, and the resources of a slot.

use crate::MachineSpec;
use crate::compiler::graph::{Graph, Node, NodeId};
use crate::isa::{Channel, FwdPath};

/// A row that a word reads: the value in it, and the bank if the routine's interface fixes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The node whose value the row holds.
    pub node: NodeId,
    /// The bank, for an input or output.
    pub bank: Option<u8>,
}

/// The route by which a result reaches a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// Over a forwarding path.
    Forward(FwdPath),
    /// From its row.
    Row,
}

/// An operation to be scheduled, called a task.
#[derive(Clone, Debug)]
pub struct ScheduledOp {
    /// The node it computes.
    pub node: NodeId,
    /// The channel on which it executes.
    pub channel: Channel,
    /// Slots from issue to result.
    pub latency: i32,
    /// The tasks whose results it reads, each once.
    pub data: Vec<usize>,
    /// The routine's inputs that it reads, from their rows.
    pub inputs: Vec<Row>,
    /// The bank of its result, if that is an output.
    pub bank: Option<u8>,
    /// The slot before which it may not issue, because its inputs are not in their rows yet.
    pub release: i32,
    /// Tasks that must have read a row before this one writes it, with the least distance between the issue slots (negative
    /// if this task may even issue before the reader).
    pub after: Vec<(usize, i32)>,
}

/// Operations, dependences and resources of one routine on one machine.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Tasks in topological order of the data dependences.
    pub tasks: Vec<ScheduledOp>,
    /// For each task, the tasks that read its result.
    pub readers: Vec<Vec<usize>>,
    /// The reverse of [`ScheduledOp::after`]: for each task, the tasks that must wait for it, with the least distances.
    pub before: Vec<Vec<(usize, i32)>>,
    /// Words that may issue in a slot.
    pub width: u32,
    /// Slots between the starts of two products.
    pub mm_interval: i32,
    /// Slots for which a product is in flight.
    pub mm_latency: i32,
    /// Whether path 1 exists.
    pub path1: bool,
    /// Whether path 2 exists.
    pub path2: bool,
    /// For each node, whether its row stays occupied after the last read.
    pub stays: Vec<bool>,
    /// Number of banks.
    pub banks: usize,
    /// Read ports of a bank.
    pub reads: usize,
    /// Write ports of a bank.
    pub writes: usize,
    /// The seam of a routine that follows itself without draining; `None` for other routines.
    pub seam: Option<Seam>,
}

/// The seam between a call of a routine and the next one, which starts right after its last issue slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seam {
    /// Issue slots of a call.
    pub period: i32,
    /// Values that pass from a call to the next.
    pub links: Vec<Link>,
}

/// An output in the row of an input of the next call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The task that computes it.
    pub writer: usize,
    /// The node that the next call reads.
    pub input: NodeId,
}

/// Issue slots, one per task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The slot of each task.
    pub slots: Vec<i32>,
}

impl Problem {
    /// The problem of a graph on a machine.
    pub fn new(graph: &Graph, spec: &MachineSpec) -> Self {
        let mut task_of = vec![usize::MAX; graph.nodes.len()];
        let mut tasks = Vec::new();
        for (id, node) in graph.nodes.iter().enumerate() {
            let Some(channel) = node.op().and_then(|op| op.channel()) else { continue };
            let latency = match channel {
                Channel::Mm => spec.mm.product_latency() as i32,
                Channel::Arith => spec.arith.latency as i32,
                Channel::Inv => 1,
            };
            let mut operands = node.operands().to_vec();
            operands.sort_unstable();
            operands.dedup();
            let data: Vec<usize> =
                operands.iter().map(|&n| task_of[n]).filter(|&t| t != usize::MAX).collect();
            let inputs = operands.iter().filter_map(|&n| match graph.nodes[n] {
                Node::Input(i) => Some(Row { node: n, bank: Some(graph.inputs[i].at.bank) }),
                Node::Op(..) => None,
            });
            let inputs = inputs.collect();
            let bank = graph.outputs.iter().find(|o| o.node == id).map(|o| o.at.bank);
            task_of[id] = tasks.len();
            let after = Vec::new();
            tasks.push(ScheduledOp { node: id, channel, latency, data, inputs, bank, release: 0, after });
        }
        // An output that replaces an input waits for the input's readers: the write commits at the end of cycle
        // slot + latency, reads take place in cycle slot - 1.
        let readers = graph.readers();
        for output in &graph.outputs {
            let writer = task_of[output.node];
            for (id, node) in graph.nodes.iter().enumerate() {
                let Node::Input(i) = node else { continue };
                if writer == usize::MAX || graph.inputs[*i].at != output.at {
                    continue;
                }
                let distance = -1 - tasks[writer].latency;
                let others = readers[id].iter().map(|&r| task_of[r]).filter(|&r| r != writer);
                tasks[writer].after.extend(others.map(|r| (r, distance)));
            }
        }
        let mut task_readers = vec![Vec::new(); tasks.len()];
        for (i, task) in tasks.iter().enumerate() {
            for &j in &task.data {
                task_readers[j].push(i);
            }
        }
        let mut before = vec![Vec::new(); tasks.len()];
        for (i, task) in tasks.iter().enumerate() {
            task.after.iter().for_each(|&(j, d)| before[j].push((i, d)));
        }
        Self {
            tasks,
            readers: task_readers,
            before,
            width: spec.issue.width,
            mm_interval: spec.mm.interval() as i32,
            mm_latency: spec.mm.product_latency() as i32,
            path1: spec.forwarding.path1,
            path2: spec.forwarding.path2,
            stays: stays(graph),
            banks: spec.banks.count as usize,
            reads: spec.banks.reads as usize,
            writes: spec.banks.writes as usize,
            seam: None,
        }
    }

    /// The outputs that lie in rows of inputs, where the next call reads them.
    pub fn links(&self, graph: &Graph) -> Vec<Link> {
        let computed = self.tasks.iter().enumerate().filter_map(|(writer, task)| {
            let output = graph.outputs.iter().find(|o| o.node == task.node)?;
            let lies_there = |n: &Node| matches!(*n, Node::Input(i) if graph.inputs[i].at == output.at);
            Some(Link { writer, input: graph.nodes.iter().position(lies_there)? })
        });
        computed.collect()
    }

    /// The period, if the slot is before the seam. A slot at or after the seam fits no period anyway; tasks there are placed
    /// as if there were no seam.
    pub(super) fn period_at(&self, slot: i32) -> Option<i32> {
        self.seam.as_ref().map(|seam| seam.period).filter(|&period| slot < period)
    }

    /// The least number of slots between the availability of a result and the issue of its reader: 0 with path 2, 1 with
    /// path 1, otherwise 2.
    pub fn least_gap(&self) -> i32 {
        match (self.path2, self.path1) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }

    /// The route of an operand to a reader that issues `gap` slots after the result is available; `None` if there is none.
    pub fn route(&self, gap: i32) -> Option<Route> {
        match gap {
            0 if self.path2 => Some(Route::Forward(FwdPath::Two)),
            1 if self.path1 => Some(Route::Forward(FwdPath::One)),
            2.. => Some(Route::Row),
            _ => None,
        }
    }

    /// Slots until the last result is in its bank: the length of the routine.
    pub fn length(&self, schedule: &Schedule) -> i32 {
        self.tasks.iter().zip(&schedule.slots).map(|(t, s)| s + t.latency + 1).max().unwrap_or(0)
    }

    /// Issue slots, including bubbles: the count of \[CP\] Table I.
    pub fn slots(&self, schedule: &Schedule) -> i32 {
        let last = schedule.slots.iter().max().map_or(0, |s| s + 1);
        self.seam.as_ref().map_or(last, |seam| last.max(seam.period))
    }

    /// Longest path from the issue of each task to the end of the routine.
    pub fn tails(&self) -> Vec<i32> {
        let gap = self.least_gap();
        let mut tails: Vec<i32> = self.tasks.iter().map(|t| t.latency + 1).collect();
        for i in (0..self.tasks.len()).rev() {
            for &j in &self.tasks[i].data {
                tails[j] = tails[j].max(self.tasks[j].latency + gap + tails[i]);
            }
        }
        tails
    }

    /// Earliest slot of each task by dependences and releases alone.
    pub fn heads(&self) -> Vec<i32> {
        let mut heads = vec![0; self.tasks.len()];
        for i in 0..self.tasks.len() {
            heads[i] = self.data_ready(i, &heads).max(self.tasks[i].release);
        }
        heads
    }

    /// The earliest slot that the operands of a task allow when they issue in `slots` or later.
    ///
    /// Two results of one channel come out in different slots, and a word names one path: with a slot between them the
    /// first is in its row when the second is on path 2, without one it is on path 1 and the word must wait. Either
    /// way the word issues two slots after the first result is out, or later.
    pub fn data_ready(&self, task: usize, slots: &[i32]) -> i32 {
        let data = &self.tasks[task].data;
        let out = |j: usize| slots[j] + self.tasks[j].latency;
        let last = data.iter().map(|&j| out(j) + self.least_gap()).max().unwrap_or(0);
        match data[..] {
            [a, b] if self.path2 && self.tasks[a].channel == self.tasks[b].channel => {
                last.max(out(a).min(out(b)) + 2)
            }
            _ => last,
        }
    }
}

fn stays(graph: &Graph) -> Vec<bool> {
    let kept = |n: &Node| matches!(*n, Node::Input(i) if graph.inputs[i].kept);
    let mut stays: Vec<bool> = graph.nodes.iter().map(kept).collect();
    graph.outputs.iter().for_each(|o| stays[o.node] = true);
    stays
}
