//! A routine as a graph of Fp2 operations, in the order in which its formula computed them.

use super::Fp2;
use crate::isa::{L2Op, Loc};
use std::fmt::Write as _;

/// A node of a [`Graph`]: its index.
pub type NodeId = usize;

/// A node: an input or an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Node {
    /// The routine's `n`-th input.
    Input(usize),
    /// An operation on one or two earlier nodes; the second entry is unused where the operation takes one.
    Op(L2Op, [NodeId; 2]),
}

impl Node {
    /// The nodes that this one reads; a node that is read twice occurs twice.
    pub fn operands(&self) -> &[NodeId] {
        match self {
            Self::Input(_) => &[],
            Self::Op(op, nodes) => &nodes[..op.operands()],
        }
    }
    /// The operation, unless this is an input.
    pub fn op(&self) -> Option<L2Op> {
        match self {
            Self::Input(_) => None,
            Self::Op(op, _) => Some(*op),
        }
    }
}

/// A value that is in its row when the routine begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name in listings.
    pub name: String,
    /// Its row before the routine starts.
    pub at: Loc,
    /// Whether the row must still hold the value at the end.
    pub kept: bool,
}

/// A value that must be in its row when the routine ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name in listings.
    pub name: String,
    /// The node that computes it.
    pub node: NodeId,
    /// Its row when the routine ends.
    pub at: Loc,
}

/// A routine before scheduling: nodes in topological order, with the rows of inputs and outputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// Nodes; an operand has a smaller index than its reader.
    pub nodes: Vec<Node>,
    /// Inputs, in the order of [`Node::Input`].
    pub inputs: Vec<Input>,
    /// The routine's outputs in the order of the formula.
    pub outputs: Vec<Output>,
    /// Rows that hold values of the surrounding program and must not be written.
    pub reserved: Vec<Loc>,
}

impl Graph {
    /// Number of operations that satisfy a predicate.
    pub fn count(&self, which: impl Fn(L2Op) -> bool) -> usize {
        self.nodes.iter().filter(|n| n.op().is_some_and(&which)).count()
    }

    /// The readers of every node, each once.
    pub fn readers(&self) -> Vec<Vec<NodeId>> {
        let mut readers = vec![Vec::new(); self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for &operand in node.operands() {
                if readers[operand].last() != Some(&id) {
                    readers[operand].push(id);
                }
            }
        }
        readers
    }

    /// A copy without the nodes whose `keep[i]` is false; each of them is replaced by `becomes[i]`, an earlier node, in
    /// operands and outputs.
    pub(crate) fn rewritten(&self, keep: &[bool], becomes: &[NodeId]) -> Self {
        let mut place = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            if keep[id] {
                place[id] = nodes.len();
                nodes.push(match *node {
                    Node::Input(i) => Node::Input(i),
                    Node::Op(op, [a, b]) => Node::Op(op, [place[a], place[b]]),
                });
            } else {
                place[id] = place[becomes[id]];
            }
        }
        let outputs = self.outputs.iter().map(|o| Output { node: place[o.node], ..o.clone() }).collect();
        Self { nodes, outputs, ..self.clone() }
    }

    /// A text with one line per node, for goldens and listings.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let place = |l: Loc| format!("b{}.{}", l.bank, l.row);
        for (id, node) in self.nodes.iter().enumerate() {
            let _ = match *node {
                Node::Input(i) => {
                    let input = &self.inputs[i];
                    let kept = if input.kept { ", kept" } else { "" };
                    writeln!(text, "%{id} = input {} at {}{kept}", input.name, place(input.at))
                }
                Node::Op(op, [a, b]) => {
                    let name = format!("{op:?}").to_lowercase();
                    if op.operands() == 2 {
                        writeln!(text, "%{id} = {name} %{a}, %{b}")
                    } else {
                        writeln!(text, "%{id} = {name} %{a}")
                    }
                }
            };
        }
        for o in &self.outputs {
            let _ = writeln!(text, "output {} = %{} at {}", o.name, o.node, place(o.at));
        }
        text
    }
}

impl Graph {
    /// The values of the outputs for these values of the inputs, in the order of [`Graph::outputs`].
    pub fn evaluate<R: Fp2>(&self, inputs: &[R]) -> Vec<R> {
        let mut values: Vec<R> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match *node {
                Node::Input(i) => inputs[i].clone(),
                Node::Op(op, [a, b]) => op.apply(values[a].clone(), values[b].clone()),
            };
            values.push(value);
        }
        self.outputs.iter().map(|o| values[o.node].clone()).collect()
    }
}
