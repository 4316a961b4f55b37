//! Lifetimes: which values need a row, for which cycles, and which rows are read or written in the same cycle.

use super::graph::{Graph, Node, NodeId};
use super::schedule::{Problem, Route, Schedule};
use crate::isa::{Channel, FwdPath, Loc};
use std::fmt::Write as _;

/// The source of an operand of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// From the row of the value.
    Row(NodeId),
    /// Over a forwarding path of the channel that computed it.
    Forward(Channel, FwdPath),
}

/// A value that occupies a row, from the end of cycle `from` to the reads of cycle `to`.
#[derive(Clone, Debug)]
pub struct Lifetime {
    /// The node whose value this is.
    pub node: NodeId,
    /// The cycle after which the value occupies the row: the cycle of its write, or -1 for an input, which is there from the
    /// start.
    pub from: i32,
    /// The cycle of its write; `None` for an input.
    pub written: Option<i32>,
    /// The cycle of its last read; `i32::MAX` if the value must be there at the end.
    pub to: i32,
    /// The row, if the routine's interface fixes it.
    pub pinned: Option<Loc>,
}

impl Lifetime {
    /// Whether the lifetimes overlap, so that the values cannot share a row. A row is read before it is written in a cycle,
    /// so a value may be replaced in the cycle of its last read.
    pub fn meets(&self, other: &Self) -> bool {
        self.from < other.to && other.from < self.to
    }
}

/// The memory traffic of a schedule.
#[derive(Clone, Debug)]
pub struct ValueTraffic {
    /// For each task, the sources of its operands.
    pub access: Vec<Vec<Access>>,
    /// Values with a row.
    pub lifetimes: Vec<Lifetime>,
    /// For each slot with reads: indices into `lifetimes` of the rows that are read for it, without repetition.
    pub reads: Vec<(i32, Vec<usize>)>,
    /// Number of operands forwarded over path 1 and over path 2.
    pub forwards: [usize; 2],
    /// Slots of a call, for a routine that follows itself: its writes share the ports with those of the other calls.
    pub period: Option<i32>,
}

impl ValueTraffic {
    /// Determines the traffic of a schedule. An operand is forwarded or read from its row by the number of slots since its
    /// producer's result, by the rule of \[CP\] §IV.A.
    pub fn new(graph: &Graph, problem: &Problem, schedule: &Schedule) -> Self {
        let n = graph.nodes.len();
        let mut task_of = vec![None; n];
        for (i, t) in problem.tasks.iter().enumerate() {
            task_of[t.node] = Some(i);
        }
        let mut last_read = vec![None::<i32>; n];
        let mut forwards = [0; 2];
        let mut access = Vec::with_capacity(problem.tasks.len());
        for (i, t) in problem.tasks.iter().enumerate() {
            let slot = schedule.slots[i];
            let operands = graph.nodes[t.node].operands().iter().map(|&node| {
                let forwarded = task_of[node].and_then(|j| {
                    let from = &problem.tasks[j];
                    match problem.route(slot - schedule.slots[j] - from.latency)? {
                        Route::Forward(path) => Some((from.channel, path)),
                        Route::Row => None,
                    }
                });
                match forwarded {
                    Some((channel, path)) => {
                        forwards[usize::from(path == FwdPath::Two)] += 1;
                        Access::Forward(channel, path)
                    }
                    None => {
                        last_read[node] = last_read[node].max(Some(slot - 1));
                        Access::Row(node)
                    }
                }
            });
            access.push(operands.collect::<Vec<_>>());
        }
        let mut lifetimes = Vec::new();
        let mut index = vec![usize::MAX; n];
        for (node, what) in graph.nodes.iter().enumerate() {
            let output = graph.outputs.iter().find(|o| o.node == node);
            let (from, mut pinned, kept) = match *what {
                Node::Input(i) => (-1, Some(graph.inputs[i].at), graph.inputs[i].kept),
                Node::Op(..) => match task_of[node] {
                    Some(i) => (schedule.slots[i] + problem.tasks[i].latency, None, false),
                    None => continue,
                },
            };
            pinned = pinned.or(output.map(|o| o.at));
            let written = task_of[node].map(|_| from);
            // A result that another call has in flight must find its row free: an output that is no input of the next call
            // has its row alone, and a linked input keeps its row until the last call's result has arrived.
            let landing = problem.seam.as_ref().and_then(|seam| {
                let l = seam.links.iter().find(|l| l.input == node)?;
                Some(schedule.slots[l.writer] + problem.tasks[l.writer].latency - seam.period)
            });
            let linked = |at| graph.inputs.iter().any(|i| i.at == at);
            let alone = problem.seam.is_some() && output.is_some_and(|o| !linked(o.at));
            let from = if alone { -1 } else { from };
            let to = match last_read[node].max(landing.filter(|&c| c >= 0)) {
                _ if output.is_some() || kept => i32::MAX,
                Some(read) => read,
                // An input that nothing reads still occupies its row until it is overwritten.
                None if from == -1 => -1,
                None => continue,
            };
            index[node] = lifetimes.len();
            lifetimes.push(Lifetime { node, from, written, to, pinned });
        }
        let mut reads: Vec<(i32, Vec<usize>)> = Vec::new();
        let mut order: Vec<usize> = (0..problem.tasks.len()).collect();
        order.sort_by_key(|&i| schedule.slots[i]);
        for i in order {
            for a in &access[i] {
                let &Access::Row(node) = a else { continue };
                let slot = schedule.slots[i];
                if reads.last().is_none_or(|(s, _)| *s != slot) {
                    reads.push((slot, Vec::new()));
                }
                if let Some((_, rows)) = reads.last_mut()
                    && !rows.contains(&index[node])
                {
                    rows.push(index[node]);
                }
            }
        }
        let period = problem.seam.as_ref().map(|seam| seam.period);
        Self { access, lifetimes, reads, forwards, period }
    }

    /// The largest number of values that are alive at once, a lower bound on the rows of any assignment.
    pub fn most_alive(&self) -> usize {
        let alive = |at: i32| self.lifetimes.iter().filter(|l| l.from < at && l.to >= at).count();
        self.lifetimes.iter().map(|l| alive(l.from + 1)).max().unwrap_or(0)
    }

    /// A text with one line per value, for goldens and listings.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for l in &self.lifetimes {
            let to = if l.to == i32::MAX { "end".to_owned() } else { l.to.to_string() };
            let _ = write!(text, "%{} {}..{to}", l.node, l.from);
            let _ = match l.pinned {
                Some(at) => writeln!(text, " in b{}.{}", at.bank, at.row),
                None => writeln!(text),
            };
        }
        text
    }
}
