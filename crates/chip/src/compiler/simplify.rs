//! Passes over the graph before scheduling: common subexpressions, folding of signs, removal of dead nodes, and moves for
//! outputs that no operation computes in their row.

use super::graph::{Graph, Node, NodeId};
use crate::isa::{L2Op, Loc};
use std::collections::BTreeMap;

/// Runs all passes in order.
pub fn simplify(graph: &Graph) -> Graph {
    place_outputs(&prune(&share(&fold_signs(&share(graph)))))
}

/// Shares common subexpressions: of two nodes with the same operation and operands, the earlier stays. Products and sums are
/// commutative.
pub fn share(graph: &Graph) -> Graph {
    let n = graph.nodes.len();
    let (mut keep, mut becomes) = (vec![true; n], (0..n).collect::<Vec<_>>());
    let mut seen: BTreeMap<Node, NodeId> = BTreeMap::new();
    for (id, node) in graph.nodes.iter().enumerate() {
        let key = match *node {
            Node::Input(i) => Node::Input(i),
            Node::Op(op, [a, b]) => {
                let (mut a, mut b) = (becomes[a], becomes[b]);
                if op.operands() == 1 {
                    b = a;
                }
                if matches!(op, L2Op::Mm | L2Op::Add) && b < a {
                    (a, b) = (b, a);
                }
                Node::Op(op, [a, b])
            }
        };
        match seen.get(&key) {
            Some(&first) => {
                keep[id] = false;
                becomes[id] = first;
            }
            None => {
                seen.insert(key, id);
            }
        }
    }
    graph.rewritten(&keep, &becomes)
}

/// Folds signs into additions: `a + (-b)` and `(-b) + a` become `a - b`, `a - (-b)` becomes `a + b`, `-(a - b)` becomes
/// `b - a`, and `-(-a)` becomes `a`.
pub fn fold_signs(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    let n = out.nodes.len();
    let (mut keep, mut becomes) = (vec![true; n], (0..n).collect::<Vec<_>>());
    for id in 0..n {
        let Node::Op(op, [a, b]) = out.nodes[id] else { continue };
        let (a, b) = (becomes[a], becomes[b]);
        let negated = |x: NodeId| match out.nodes[x] {
            Node::Op(L2Op::Neg, [y, _]) => Some(becomes[y]),
            _ => None,
        };
        let folded = match (op, negated(a), negated(b)) {
            (L2Op::Add, _, Some(y)) => Node::Op(L2Op::Sub, [a, y]),
            (L2Op::Add, Some(x), None) => Node::Op(L2Op::Sub, [b, x]),
            (L2Op::Sub, _, Some(y)) => Node::Op(L2Op::Add, [a, y]),
            (L2Op::Neg, Some(x), _) => {
                keep[id] = false;
                becomes[id] = x;
                continue;
            }
            (L2Op::Neg, None, _) => match out.nodes[a] {
                Node::Op(L2Op::Sub, [x, y]) => Node::Op(L2Op::Sub, [becomes[y], becomes[x]]),
                _ => Node::Op(op, [a, a]),
            },
            _ => Node::Op(op, [a, b]),
        };
        out.nodes[id] = folded;
    }
    out.rewritten(&keep, &becomes)
}

/// Removes nodes that no output needs; inputs stay, since they are the routine's interface.
pub fn prune(graph: &Graph) -> Graph {
    let n = graph.nodes.len();
    let mut keep = vec![false; n];
    for output in &graph.outputs {
        keep[output.node] = true;
    }
    for id in (0..n).rev() {
        if matches!(graph.nodes[id], Node::Input(_)) {
            keep[id] = true;
        }
        if keep[id] {
            for &operand in graph.nodes[id].operands() {
                keep[operand] = true;
            }
        }
    }
    graph.rewritten(&keep, &(0..n).collect::<Vec<_>>())
}

/// Adds a move for an output if it is an input that lies in another row, if another output already uses its node, or if a
/// value computed from it still reads the input whose row it replaces.
pub fn place_outputs(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    let mut held = vec![false; out.nodes.len()];
    for i in 0..out.outputs.len() {
        let node = out.outputs[i].node;
        let in_place = match out.nodes[node] {
            Node::Input(k) => out.inputs[k].at == out.outputs[i].at,
            Node::Op(..) => !held[node] && !late_reader(&out, node, out.outputs[i].at),
        };
        if in_place {
            held[node] = true;
        } else {
            out.nodes.push(Node::Op(L2Op::Vld, [node, node]));
            out.outputs[i].node = out.nodes.len() - 1;
        }
    }
    out
}

/// Whether a node that depends on `from` reads an input in row `at`.
fn late_reader(graph: &Graph, from: NodeId, at: Loc) -> bool {
    let mut reached = vec![false; graph.nodes.len()];
    reached[from] = true;
    for id in from + 1..graph.nodes.len() {
        let operands = graph.nodes[id].operands();
        reached[id] = operands.iter().any(|&n| reached[n]);
        let lies_there = |&n: &NodeId| matches!(graph.nodes[n], Node::Input(k) if graph.inputs[k].at == at);
        if reached[id] && operands.iter().any(lies_there) {
            return true;
        }
    }
    false
}

/// For banks with one read port: if both operands of an operation lie in one bank, since they are inputs or outputs, one of
/// them is read from a copy in another row.
pub fn part_operands(graph: &Graph) -> Graph {
    let n = graph.nodes.len();
    let mut bank = vec![None; n];
    for (id, node) in graph.nodes.iter().enumerate() {
        if let Node::Input(i) = node {
            bank[id] = Some(graph.inputs[*i].at.bank);
        }
    }
    graph.outputs.iter().for_each(|o| bank[o.node] = bank[o.node].or(Some(o.at.bank)));
    let together = |[a, b]: [NodeId; 2]| a != b && bank[a].is_some() && bank[a] == bank[b];
    let clash = graph.nodes.iter().filter(|node| node.operands().len() == 2).filter_map(|node| match *node {
        Node::Op(_, [a, b]) if together([a, b]) => {
            Some(if matches!(graph.nodes[a], Node::Input(_)) { b } else { a })
        }
        _ => None,
    });
    let mut parted: Vec<NodeId> = clash.collect();
    parted.sort_unstable();
    parted.dedup();
    // A computed value stays in its own row, and the move writes the output's row; of an input the copy is read.
    let mut out = Graph { nodes: Vec::new(), ..graph.clone() };
    let (mut place, mut copy) = (vec![0; n], vec![None; n]);
    for (id, node) in graph.nodes.iter().enumerate() {
        let node = match *node {
            Node::Op(op, [a, b]) if op.operands() == 2 && together([a, b]) => {
                let read = |x: NodeId| copy[x].unwrap_or(place[x]);
                Node::Op(op, if parted.contains(&b) { [place[a], read(b)] } else { [read(a), place[b]] })
            }
            Node::Op(op, [a, b]) => Node::Op(op, [place[a], place[b]]),
            input => input,
        };
        place[id] = out.nodes.len();
        out.nodes.push(node);
        if parted.contains(&id) {
            if matches!(node, Node::Input(_)) {
                copy[id] = Some(out.nodes.len());
            }
            out.nodes.push(Node::Op(L2Op::Vld, [place[id]; 2]));
        }
    }
    for o in &mut out.outputs {
        let moved = parted.contains(&o.node) && matches!(graph.nodes[o.node], Node::Op(..));
        o.node = place[o.node] + usize::from(moved);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::{Fp2, Trace};

    #[test]
    fn passes_leave_the_text_one_expects() {
        let graph = Trace::graph(|t| {
            let [a, b] = t.inputs("x", 0);
            let p = a.clone() * b.clone();
            let q = b.clone() * a.clone();
            let unused = p.clone() + a.clone();
            drop(unused);
            t.outputs("y", 2, [p + (-q.clone()), -(a.clone() - b.clone()), a.clone().conj(), a]);
        });
        let text = simplify(&graph).text();
        let expected = "\
%0 = input x0 at b0.0
%1 = input x1 at b1.0
%2 = mm %0, %1
%3 = sub %2, %2
%4 = sub %1, %0
%5 = conj %0
%6 = vld %0
output y0 = %3 at b2.0
output y1 = %4 at b0.1
output y2 = %5 at b1.1
output y3 = %6 at b2.1
";
        assert_eq!(text, expected);
    }
}
