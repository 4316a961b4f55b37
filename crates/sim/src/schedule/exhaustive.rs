//! An exhaustive reference for tiny graphs: enumerates all schedules.

use super::{Graph, Machine};

/// The smallest initiation interval up to `most` for which all dependences and slots can be kept, ignoring the register
/// files.
///
/// Tries all rows and ways, row by row as the slots allow. For the rows of all operations, the stages are a system of
/// difference constraints, which has a solution if none of its cycles is positive.
pub(super) fn least_ii(machine: &Machine, graph: &Graph, most: u32) -> Option<u32> {
    (1..=most).find(|&ii| {
        let width = machine.slots.len();
        let mut taken = vec![0_u32; width * ii as usize];
        rows(machine, graph, i64::from(ii), &mut Vec::new(), &mut taken)
    })
}

fn rows(machine: &Machine, graph: &Graph, ii: i64, row: &mut Vec<i64>, taken: &mut Vec<u32>) -> bool {
    let Some(op) = graph.ops.get(row.len()) else { return stages(graph, ii, row) };
    // The first operation's row can be fixed to 0, since a kernel is cyclic.
    let choices = if row.is_empty() { 1 } else { ii };
    for at in 0..choices {
        for way in &machine.classes[op.class].ways {
            let before = taken.clone();
            let mut room = true;
            for u in way {
                let slot = machine.slots.iter().position(|s| s.name == u.slot).unwrap();
                for after in u.from..u.from + u.cycles {
                    let cell = ((at + i64::from(after)) % ii) as usize * machine.slots.len() + slot;
                    taken[cell] += 1;
                    room &= taken[cell] <= machine.slots[slot].count;
                }
            }
            row.push(at);
            let found = room && rows(machine, graph, ii, row, taken);
            row.pop();
            *taken = before;
            if found {
                return true;
            }
        }
    }
    false
}

/// Whether stages exist that satisfy `delay <= start(to) - start(from) + ii * distance` with
/// `start = row + ii * stage`.
fn stages(graph: &Graph, ii: i64, row: &[i64]) -> bool {
    let steps = |delay: i64, distance: i64, from: usize, to: usize| {
        let over = delay + row[from] - row[to];
        (from, to, -(-over).div_euclid(ii) - distance)
    };
    let mut edges: Vec<(usize, usize, i64)> =
        graph.edges.iter().map(|e| steps(i64::from(e.delay), i64::from(e.distance), e.from, e.to)).collect();
    for f in &graph.fixed {
        edges.push(steps(i64::from(f.offset), 0, f.from, f.to));
        edges.push(steps(-i64::from(f.offset), 0, f.to, f.from));
    }
    let mut stage = vec![0_i64; row.len()];
    for _ in 0..=row.len() {
        let mut changed = false;
        for &(from, to, least) in &edges {
            if stage[from] + least > stage[to] {
                stage[to] = stage[from] + least;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

/// The least number of cycles until all results of a block can be read, up to `most`.
pub(super) fn least_latency(machine: &Machine, graph: &Graph, most: u32) -> Option<u32> {
    let width = machine.slots.len();
    let long =
        machine.classes.iter().flat_map(|c| &c.ways).flatten().map(|u| u.from + u.cycles).max().unwrap_or(0);
    (1..=most).find(|&end| {
        let mut taken = vec![0_u32; width * (end + long) as usize];
        starts(machine, graph, i64::from(end), &mut Vec::new(), &mut taken)
    })
}

fn starts(machine: &Machine, graph: &Graph, end: i64, start: &mut Vec<i64>, taken: &mut Vec<u32>) -> bool {
    let n = start.len();
    let Some(op) = graph.ops.get(n) else { return true };
    let class = &machine.classes[op.class];
    for at in 0..=end - i64::from(class.latency).max(1) {
        start.push(at);
        let kept = graph
            .edges
            .iter()
            .filter(|e| e.distance == 0 && e.from.max(e.to) == n)
            .all(|e| start[e.to] - start[e.from] >= i64::from(e.delay))
            && graph
                .fixed
                .iter()
                .filter(|f| f.from.max(f.to) == n)
                .all(|f| start[f.to] - start[f.from] == i64::from(f.offset));
        for way in class.ways.iter().filter(|_| kept) {
            let before = taken.clone();
            let mut room = true;
            for u in way {
                let slot = machine.slots.iter().position(|s| s.name == u.slot).unwrap();
                for after in u.from..u.from + u.cycles {
                    let cell = (at + i64::from(after)) as usize * machine.slots.len() + slot;
                    taken[cell] += 1;
                    room &= taken[cell] <= machine.slots[slot].count;
                }
            }
            let found = room && starts(machine, graph, end, start, taken);
            *taken = before;
            if found {
                return true;
            }
        }
        start.pop();
    }
    false
}
