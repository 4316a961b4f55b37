//! The layout of a diagram's boxes: columns along the paths of operands, rows ordered to reduce crossings.

use super::{Edge, Hierarchy};

/// The position of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cell {
    /// Column from the left.
    pub(super) column: usize,
    /// Row from the top in its column.
    pub(super) row: usize,
}

/// The positions of all nodes; `None` for a node that is not an instance and has no path.
pub(super) fn places(hierarchy: &Hierarchy) -> Vec<Option<Cell>> {
    let nodes = &hierarchy.nodes;
    let touched = |at: usize| {
        let ends = |edge: &Edge| edge.from == at || edge.to == at;
        !nodes[at].module.is_empty() || hierarchy.data.iter().chain(&hierarchy.control).any(ends)
    };
    let forward = forward(nodes.len(), &hierarchy.data);
    let mut columns = vec![0usize; nodes.len()];
    for _ in 0..nodes.len() {
        for (from, to) in &forward {
            columns[*to] = columns[*to].max(columns[*from] + 1);
        }
    }
    let last = nodes.len() - 1;
    let end = (0..last).map(|at| columns[at]).max().unwrap_or(0) + 1;
    columns[last] = end;
    // A node with only control outputs is placed before the nodes that it controls.
    for at in 1..last {
        if hierarchy.data.iter().all(|edge| edge.from != at && edge.to != at) {
            let targets = hierarchy.control.iter().filter(|edge| edge.from == at && edge.to != last);
            let first = targets.map(|edge| columns[edge.to]).filter(|column| *column > 0).min();
            columns[at] = first.map_or(0, |first| first - 1);
        }
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    (0..nodes.len()).filter(|at| touched(*at)).for_each(|at| rows[columns[at]].push(at));
    rows.retain(|row| !row.is_empty());
    for _ in 0..8 {
        untangle(&mut rows, &hierarchy.data);
    }
    let mut places = vec![None; nodes.len()];
    for (column, nodes) in rows.iter().enumerate() {
        for (row, node) in nodes.iter().enumerate() {
            places[*node] = Some(Cell { column, row });
        }
    }
    places
}

/// The paths without those that lead back to an ancestor in a depth-first walk from the first node.
fn forward(nodes: usize, edges: &[Edge]) -> Vec<(usize, usize)> {
    fn walk(at: usize, edges: &[Edge], state: &mut [u8], kept: &mut Vec<(usize, usize)>) {
        state[at] = 1;
        for edge in edges.iter().filter(|edge| edge.from == at) {
            if state[edge.to] != 1 {
                kept.push((at, edge.to));
            }
            if state[edge.to] == 0 {
                walk(edge.to, edges, state, kept);
            }
        }
        state[at] = 2;
    }
    let (mut state, mut kept) = (vec![0; nodes], Vec::new());
    for at in 0..nodes {
        if state[at] == 0 {
            walk(at, edges, &mut state, &mut kept);
        }
    }
    kept
}

/// Orders every column by the mean row of each node's neighbours.
fn untangle(rows: &mut [Vec<usize>], edges: &[Edge]) {
    for column in 0..rows.len() {
        let height = |node: usize| {
            let row = rows.iter().find_map(|row| Some((row.iter().position(|at| *at == node)?, row.len())));
            row.map_or(0.0, |(at, of)| (at as f64 + 0.5) / of as f64)
        };
        let mut keyed: Vec<(f64, usize)> = Vec::new();
        for node in &rows[column] {
            let ends = edges.iter().filter(|edge| edge.from != edge.to);
            let others: Vec<f64> = ends
                .filter_map(|edge| match *node {
                    node if edge.from == node => Some(edge.to),
                    node if edge.to == node => Some(edge.from),
                    _ => None,
                })
                .map(height)
                .collect();
            let mean = others.iter().sum::<f64>() / others.len().max(1) as f64;
            keyed.push((if others.is_empty() { height(*node) } else { mean }, *node));
        }
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows[column] = keyed.into_iter().map(|(_, node)| node).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Node;
    use super::*;

    #[test]
    fn columns_follow_paths_and_a_way_back_does_not_matter() {
        let node = |name: &str, module: &str| Node {
            name: name.to_owned(),
            module: module.to_owned(),
            times: 1,
            holds: Vec::new(),
            bits: 0,
        };
        let edge = |from, to| Edge { from, to, bits: 64 };
        let hierarchy = Hierarchy {
            block: String::new(),
            title: String::new(),
            digest: String::new(),
            nodes: vec![
                node("inputs", ""),
                node("registers of its own", ""),
                node("adder", "a"),
                node("bank", "b"),
                node("outputs", ""),
            ],
            data: vec![edge(0, 3), edge(3, 2), edge(2, 3), edge(3, 4)],
            control: Vec::new(),
        };
        let columns: Vec<Option<usize>> =
            places(&hierarchy).into_iter().map(|place| place.map(|place| place.column)).collect();
        assert_eq!(columns, [Some(0), None, Some(2), Some(1), Some(3)]);
    }
}
