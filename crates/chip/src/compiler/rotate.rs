//! Rotation: a routine that repeats itself is cut inside of a call instead of between two calls.
//!
//! In `f → f²` all products wait for the operand and all sums for the products, so that either the multiplier or the
//! arithmetic unit is idle. If the routine is cut in the middle, a turn finishes one call and starts the next: the two
//! halves fill each other's bubbles, as in software pipelining, and [`compile_chained`](super::compile_chained) lets one
//! turn flow into the next. `n` calls are the first half, `n - 1` turns, and the second half.

use super::chained::within;
use super::graph::{Graph, Input, Node, NodeId, Output};
use super::schedule::{Problem, Windows, least_period};
use super::search::{Options, search};
use super::{CompileError, Compiled, check, compile, simplify};
use crate::MachineSpec;
use crate::isa::Loc;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The three routines of a rotation as graphs. Values that cross the cut have rows of their own; `enter` has the inputs of
/// the routine, `leave` its outputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RotationGraphs {
    /// From the inputs to the cut.
    pub enter: Graph,
    /// From the cut through the end of one call and the start of the next to the cut again.
    pub turn: Graph,
    /// From the cut to the outputs.
    pub leave: Graph,
}

/// A rotation as words.
#[derive(Clone, PartialEq, Debug)]
pub struct Rotation {
    /// The graphs that the words compute.
    pub graphs: RotationGraphs,
    /// The routine from the inputs to the cut.
    pub enter: Compiled,
    /// The routine of a turn, which follows itself without draining.
    pub turn: Compiled,
    /// The routine from the cut to the outputs.
    pub leave: Compiled,
}

/// Number of cuts that are tried.
const CUTS: usize = 48;
/// Slots beyond the cycles of a call that drains; some turn always closes within that many.
const SEAM: i32 = 8;

/// Compiles a routine for repetition, cut where a turn takes the fewest slots. Each of its outputs has to lie in the row of
/// an input.
///
/// # Errors
/// As [`compile`], and a routine that cannot repeat itself because an output is no input.
pub fn compile_rotated(
    name: &str,
    graph: &Graph,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Rotation, CompileError> {
    check(name, graph, spec)?;
    let simplified = simplify::simplify(graph);
    let none = || CompileError::NoRotation { routine: name.to_owned() };
    let mut cuts: Vec<(i32, usize, RotationGraphs)> = Vec::new();
    for before in cuts_of(&simplified, spec, options) {
        let graphs = rotation_graphs(&simplified, &before, spec).ok_or_else(none)?;
        if check(name, &graphs.turn, spec).is_err() {
            continue;
        }
        let problem = Problem::new(&graphs.turn, spec);
        let least = least_period(&problem, &problem.links(&graphs.turn))?;
        cuts.push((least, graphs.turn.outputs.len(), graphs));
    }
    cuts.sort_by_key(|&(least, crossing, _)| (least, crossing));
    cuts.truncate(CUTS);
    let quick = Options { seeds: options.seeds.div_ceil(8), ..*options };
    let turn_name = format!("{name}_turn");
    // Bisects the range of periods; for each, takes the first cut that closes.
    let close = |period: i32| {
        let close = |(least, _, graphs): &(i32, usize, RotationGraphs)| {
            let turn = (*least <= period)
                .then(|| within(&turn_name, &graphs.turn, spec, &quick, period..=period).ok())??;
            Some((graphs.clone(), turn))
        };
        cuts.par_iter().map(close).find_first(Option::is_some).flatten()
    };
    let mut least = cuts.first().ok_or_else(none)?.0;
    let mut most = compile(name, graph, spec, &quick)?.report.cycles as i32 + SEAM;
    let mut found = None;
    while least < most || found.is_none() && least == most {
        let period = least + (most - least) / 2;
        match close(period) {
            Some(turn) => (found, most) = (Some(turn), period),
            None => least = period + 1,
        }
    }
    let (graphs, mut turn) = found.ok_or_else(none)?;
    // With all seeds the cut may allow a shorter turn.
    while let period = turn.report.slots as i32 - 1
        && let Ok(shorter) = within(&turn_name, &graphs.turn, spec, options, period..=period)
    {
        turn = shorter;
    }
    let enter = compile(&format!("{name}_enter"), &graphs.enter, spec, options)?;
    let leave = compile(&format!("{name}_leave"), &graphs.leave, spec, options)?;
    Ok(Rotation { graphs, enter, turn, leave })
}

/// Sets of nodes before a cut: the nodes that issue before some slot in a good schedule of one call, at their earliest, or
/// at their latest.
fn cuts_of(graph: &Graph, spec: &MachineSpec, options: &Options) -> BTreeSet<Vec<bool>> {
    let problem = Problem::new(graph, spec);
    let windows = Windows::new(&problem);
    let found = search(&problem, &Options { seeds: options.seeds.min(64), ..*options });
    let latest: Vec<i32> = windows.tails.iter().map(|tail| windows.bound - tail).collect();
    let schedules = found.schedules.into_iter().take(2).map(|(_, s)| s.slots);
    let mut cuts = BTreeSet::new();
    for side in schedules.chain([windows.heads, latest]) {
        for &limit in &side {
            let mut set: Vec<bool> = graph.nodes.iter().map(|n| matches!(n, Node::Input(_))).collect();
            problem.tasks.iter().zip(&side).for_each(|(task, &at)| set[task.node] = at < limit);
            cuts.insert(set);
        }
    }
    cuts
}

/// The three graphs for a cut; `before` is closed under operands and includes the inputs. `None` if an output does not lie
/// in the row of an input, or if there are too few rows.
pub fn rotation_graphs(graph: &Graph, before: &[bool], spec: &MachineSpec) -> Option<RotationGraphs> {
    let input_node = |at: Loc| {
        let lies_there = |n: &Node| matches!(*n, Node::Input(i) if graph.inputs[i].at == at);
        graph.nodes.iter().position(lies_there)
    };
    // The output that is an input of the next call, by the node of that input.
    let mut next: Vec<Option<NodeId>> = vec![None; graph.nodes.len()];
    for o in &graph.outputs {
        next[input_node(o.at)?] = Some(o.node);
    }
    let crosses = |id: NodeId| {
        let read_after = |k: NodeId| !before[k] && graph.nodes[k].operands().contains(&id);
        before[id] && ((0..graph.nodes.len()).any(read_after) || graph.outputs.iter().any(|o| o.node == id))
    };
    // A linked input keeps its row, a computed value gets a new one, and a constant has its own.
    let taken: BTreeSet<Loc> = (graph.inputs.iter().map(|i| i.at))
        .chain(graph.outputs.iter().map(|o| o.at))
        .chain(graph.reserved.iter().copied())
        .collect();
    let mut rows = (0..96).map(Loc::linear).filter(|at| {
        u32::from(at.bank) < spec.banks.count && u32::from(at.row) < spec.banks.rows && !taken.contains(at)
    });
    let mut state: Vec<(NodeId, String, Loc)> = Vec::new();
    for (id, node) in graph.nodes.iter().enumerate().filter(|&(id, _)| crosses(id)) {
        match *node {
            Node::Input(i) if next[id].is_some() => {
                state.push((id, graph.inputs[i].name.clone(), graph.inputs[i].at));
            }
            Node::Input(_) => {}
            Node::Op(..) => state.push((id, format!("cut{id}"), rows.next()?)),
        }
    }
    let constants = || {
        graph.nodes.iter().enumerate().filter(|&(id, n)| matches!(n, Node::Input(_)) && next[id].is_none())
    };
    let start = |kept_state: bool| {
        let mut half = Half::new(graph);
        for (id, _) in constants() {
            half.input(id, true);
        }
        if kept_state {
            for (id, name, at) in &state {
                half.place[*id] = half.push_input(Input { name: name.clone(), at: *at, kept: false });
            }
        }
        half
    };
    let mut enter = start(false);
    for id in (0..graph.nodes.len()).filter(|&id| next[id].is_some()) {
        enter.input(id, crosses(id));
    }
    enter.operations(|id| before[id]);
    let computed = |(id, ..): &&(NodeId, String, Loc)| matches!(graph.nodes[*id], Node::Op(..));
    for (id, name, at) in state.iter().filter(computed) {
        enter.output(name, *id, *at);
    }
    let mut leave = start(true);
    leave.operations(|id| !before[id]);
    for o in &graph.outputs {
        leave.output(&o.name, o.node, o.at);
    }
    let mut turn = start(true);
    turn.operations(|id| !before[id]);
    // The next call's inputs are this one's outputs.
    let values: Vec<_> = next.iter().map(|o| o.map(|node| turn.place[node])).collect();
    for (id, value) in values.into_iter().enumerate() {
        turn.place[id] = value.unwrap_or(turn.place[id]);
    }
    turn.operations(|id| before[id]);
    for (id, name, at) in &state {
        turn.output(name, *id, *at);
    }
    let finished = |half: Half<'_>| simplify::simplify(&half.graph);
    Some(RotationGraphs { enter: finished(enter), turn: finished(turn), leave: finished(leave) })
}

/// A graph that is assembled from nodes of another graph.
struct Half<'g> {
    from: &'g Graph,
    graph: Graph,
    /// For each node of the other graph, its node in this one.
    place: Vec<NodeId>,
}

impl<'g> Half<'g> {
    fn new(from: &'g Graph) -> Self {
        let graph = Graph { reserved: from.reserved.clone(), ..Graph::default() };
        Self { from, graph, place: vec![0; from.nodes.len()] }
    }

    fn push_input(&mut self, input: Input) -> NodeId {
        self.graph.inputs.push(input);
        self.graph.nodes.push(Node::Input(self.graph.inputs.len() - 1));
        self.graph.nodes.len() - 1
    }

    /// Copies an input of the other graph.
    fn input(&mut self, id: NodeId, kept: bool) {
        if let Node::Input(i) = self.from.nodes[id] {
            let input = &self.from.inputs[i];
            self.place[id] = self.push_input(Input { kept: kept || input.kept, ..input.clone() });
        }
    }

    /// Copies the operations of the other graph that satisfy a predicate.
    fn operations(&mut self, which: impl Fn(NodeId) -> bool) {
        for (id, node) in self.from.nodes.iter().enumerate() {
            if let Node::Op(op, [a, b]) = *node
                && which(id)
            {
                self.graph.nodes.push(Node::Op(op, [self.place[a], self.place[b]]));
                self.place[id] = self.graph.nodes.len() - 1;
            }
        }
    }

    fn output(&mut self, name: &str, id: NodeId, at: Loc) {
        self.graph.outputs.push(Output { name: name.to_owned(), node: self.place[id], at });
    }
}
