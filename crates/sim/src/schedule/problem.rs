//! The scheduler's input with names resolved, and with operations at fixed offsets merged into units.

use super::{Graph, Machine, ScheduleError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The largest serial length (all operations one after the other) that tables are made for.
const LONGEST: u64 = 1 << 20;

/// A class with its slots as indices.
pub(super) struct Kind {
    /// For each way, the slots it occupies and the cycles after the issue. The least contested way comes first.
    pub(super) ways: Vec<Vec<(usize, i64)>>,
    /// For each of `ways`, the cycles in which it occupies any slot.
    pub(super) rows: Vec<Vec<i64>>,
    /// For each of `ways`, its index in [`Class::ways`](super::Class::ways).
    pub(super) names: Vec<usize>,
    pub(super) latency: i64,
    pub(super) file: Option<usize>,
    pub(super) delay_slots: Option<u32>,
}

/// A dependence between units, seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arc {
    pub(super) to: usize,
    pub(super) distance: i64,
    pub(super) delay: i64,
}

impl Arc {
    /// The least distance in cycles between the two starts if iterations start `ii` cycles apart.
    pub(super) fn cycles(self, ii: i64) -> i64 {
        self.delay - ii * self.distance
    }
}

/// The input of the scheduler. A unit is one operation, or several at fixed offsets.
pub(super) struct Problem<'a> {
    pub(super) graph: &'a Graph,
    pub(super) kinds: Vec<Kind>,
    /// The count of every slot.
    pub(super) counts: Vec<u32>,
    /// Operations of a unit with their offsets from its start, in the order of the offsets.
    pub(super) units: Vec<Vec<(usize, i64)>>,
    /// The unit of an operation, and its offset.
    pub(super) unit: Vec<(usize, i64)>,
    pub(super) after: Vec<Vec<Arc>>,
    pub(super) before: Vec<Vec<Arc>>,
    /// Units in topological order of the arcs of distance 0, as far as one exists.
    pub(super) sequence: Vec<usize>,
    /// Strongly connected components, each in the order of `sequence`, with the smallest interval that its cycles
    /// allow; only components with a cycle.
    pub(super) recurrences: Vec<(u32, Vec<usize>)>,
    /// Total cycles of all units one after the other.
    pub(super) serial: i64,
}

impl<'a> Problem<'a> {
    /// Resolves names and checks the input. Without `looped`, edges between iterations are left out and branches come
    /// last.
    pub(super) fn new(machine: &Machine, graph: &'a Graph, looped: bool) -> Result<Self, ScheduleError> {
        machine.check()?;
        graph.check(machine)?;
        let kinds = kinds(machine, graph);
        let (units, unit) = units(graph)?;
        let mut arcs: BTreeMap<(usize, usize, i64), i64> = BTreeMap::new();
        let mut join = |from: usize, to: usize, delay: i64, distance: i64| {
            let ((u, a), (v, b)) = (unit[from], unit[to]);
            let delay = delay + a - b;
            if u == v && distance == 0 {
                return if delay > 0 { Err(ScheduleError::Offsets(from)) } else { Ok(()) };
            }
            let longest = arcs.entry((u, v, distance)).or_insert(delay);
            *longest = delay.max(*longest);
            Ok(())
        };
        for e in graph.edges.iter().filter(|e| looped || e.distance == 0) {
            join(e.from, e.to, i64::from(e.delay), i64::from(e.distance))?;
        }
        for (branch, op) in graph.ops.iter().enumerate().filter(|_| !looped) {
            if let Some(slots) = kinds[op.class].delay_slots {
                let others = (0..graph.ops.len()).filter(|&v| v != branch);
                others.into_iter().try_for_each(|v| join(v, branch, -i64::from(slots), 0))?;
            }
        }
        let mut after = vec![Vec::new(); units.len()];
        let mut before = vec![Vec::new(); units.len()];
        for (&(from, to, distance), &delay) in &arcs {
            after[from].push(Arc { to, distance, delay });
            before[to].push(Arc { to: from, distance, delay });
        }
        let length = |u: &Vec<(usize, i64)>| {
            let end = |&(op, offset): &(usize, i64)| {
                let kind = &kinds[graph.ops[op].class];
                let uses = kind.ways.iter().flatten().map(|u| u.1 + 1);
                offset + uses.chain([kind.latency, 1]).max().unwrap_or(1)
            };
            u.iter().map(end).max().unwrap_or(1)
        };
        let waits = after.iter().map(|a| a.iter().map(|a| a.delay).max().unwrap_or(0));
        let serial: i64 = units.iter().map(length).zip(waits).map(|(l, w)| l.max(w)).sum();
        if serial.unsigned_abs() > LONGEST {
            return Err(ScheduleError::Long { cycles: serial.unsigned_abs(), most: LONGEST });
        }
        let counts = machine.slots.iter().map(|s| s.count).collect();
        let mut problem = Self {
            graph,
            kinds,
            counts,
            units,
            unit,
            after,
            before,
            sequence: Vec::new(),
            recurrences: Vec::new(),
            serial,
        };
        problem.sequence = problem.finished(|a| a.distance == 0, false);
        problem.sequence.reverse();
        for members in problem.components() {
            if !problem.converges(&members, serial) {
                return Err(ScheduleError::Offsets(problem.units[members[0]][0].0));
            }
            problem.recurrences.push((problem.least_interval(&members), members));
        }
        Ok(problem)
    }

    /// A table period that never wraps around: operations can be placed below cycle 0 as far as above.
    pub(super) fn unwrapped_period(&self) -> i64 {
        2 * self.serial + 1
    }

    /// The class of an operation.
    pub(super) fn kind(&self, op: usize) -> &Kind {
        &self.kinds[self.graph.ops[op].class]
    }

    /// Units in the post-order of a depth-first search along the arcs that `along` accepts.
    fn finished(&self, along: impl Fn(&Arc) -> bool, backward: bool) -> Vec<usize> {
        let arcs = if backward { &self.before } else { &self.after };
        let (mut left, mut seen) = (Vec::with_capacity(arcs.len()), vec![false; arcs.len()]);
        for root in (0..arcs.len()).rev() {
            let mut path = if seen[root] { Vec::new() } else { vec![(root, 0)] };
            seen[root] = true;
            while let Some((v, next)) = path.pop() {
                let Some(arc) = arcs[v].get(next) else {
                    left.push(v);
                    continue;
                };
                path.push((v, next + 1));
                if along(arc) && !seen[arc.to] {
                    seen[arc.to] = true;
                    path.push((arc.to, 0));
                }
            }
        }
        left
    }

    /// Strongly connected components with a cycle, by two depth-first searches (Kosaraju, Sharir 1981).
    fn components(&self) -> Vec<Vec<usize>> {
        let mut group = vec![usize::MAX; self.units.len()];
        let mut groups = 0;
        for &root in self.finished(|_| true, false).iter().rev() {
            if group[root] != usize::MAX {
                continue;
            }
            let mut stack = vec![root];
            group[root] = groups;
            while let Some(v) = stack.pop() {
                for arc in &self.before[v] {
                    if group[arc.to] == usize::MAX {
                        group[arc.to] = groups;
                        stack.push(arc.to);
                    }
                }
            }
            groups += 1;
        }
        let mut members = vec![Vec::new(); groups];
        self.sequence.iter().for_each(|&v| members[group[v]].push(v));
        members.retain(|m| m.len() > 1 || self.after[m[0]].iter().any(|a| a.to == m[0]));
        members
    }

    /// The smallest interval that the cycles among these units allow, by bisection.
    fn least_interval(&self, members: &[usize]) -> u32 {
        let (mut low, mut high) = (0, self.serial);
        while low < high {
            let middle = (low + high) / 2;
            if self.converges(members, middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        u32::try_from(low).unwrap_or(u32::MAX)
    }

    /// Whether no cycle among `members` is longer than iterations `ii` cycles apart allow, so that longest paths exist.
    fn converges(&self, members: &[usize], ii: i64) -> bool {
        let mut inside = vec![false; self.units.len()];
        members.iter().for_each(|&m| inside[m] = true);
        self.longest(members, &inside, ii, vec![0; self.units.len()], true).is_some()
    }

    /// For each unit, the longest path from it to the end of the iteration, its own latency included.
    pub(super) fn heights(&self, ii: i64) -> Vec<i64> {
        let end = |u: &Vec<(usize, i64)>| {
            u.iter().map(|&(op, offset)| offset + self.kind(op).latency.max(1)).max().unwrap_or(0)
        };
        let ends = self.units.iter().map(end).collect();
        let all = vec![true; self.units.len()];
        self.longest(&self.sequence, &all, ii, ends, false).unwrap_or_default()
    }

    /// For each unit, the longest path from the start of the iteration to it.
    pub(super) fn depths(&self, ii: i64) -> Vec<i64> {
        let n = self.units.len();
        self.longest(&self.sequence, &vec![true; n], ii, vec![0; n], true).unwrap_or_default()
    }

    /// Longest paths by relaxation in `order` (Bellman, Ford); `None` if a cycle has positive length.
    ///
    /// One pass settles all arcs that follow the order, so a path needs one more pass for each arc against it. A simple
    /// path has at most one such arc for every unit that has any.
    fn longest(
        &self,
        order: &[usize],
        inside: &[bool],
        ii: i64,
        mut value: Vec<i64>,
        forward: bool,
    ) -> Option<Vec<i64>> {
        let mut place = vec![0; self.units.len()];
        order.iter().enumerate().for_each(|(n, &v)| place[v] = n);
        let against = |&&v: &&usize| self.after[v].iter().any(|a| inside[a.to] && place[a.to] <= place[v]);
        let passes = order.iter().filter(against).count() + 2;
        for _ in 0..passes {
            let mut changed = false;
            let mut relax = |v: usize| {
                let arcs = if forward { &self.before[v] } else { &self.after[v] };
                for arc in arcs.iter().filter(|a| inside[a.to]) {
                    let reached = value[arc.to] + arc.cycles(ii);
                    if reached > value[v] {
                        value[v] = reached;
                        changed = true;
                    }
                }
            };
            if forward {
                order.iter().for_each(|&v| relax(v));
            } else {
                order.iter().rev().for_each(|&v| relax(v));
            }
            if !changed {
                return Some(value);
            }
        }
        None
    }
}

/// Classes with their slots as indices; ways are ordered by how contested their slots are.
fn kinds(machine: &Machine, graph: &Graph) -> Vec<Kind> {
    let slot = |name: &str| machine.slots.iter().position(|s| s.name == name).unwrap_or(0);
    let way = |way: &Vec<super::Use>| {
        let cycles =
            way.iter().flat_map(|u| (u.from..u.from + u.cycles).map(|c| (slot(&u.slot), i64::from(c))));
        cycles.collect::<Vec<_>>()
    };
    let ways: Vec<Vec<Vec<(usize, i64)>>> =
        machine.classes.iter().map(|c| c.ways.iter().map(way).collect()).collect();
    // An operation with several ways contributes an equal share of each.
    let mut wanted = vec![0_u64; machine.slots.len()];
    for ways in graph.ops.iter().map(|op| &ways[op.class]) {
        for &(slot, _) in ways.iter().flatten() {
            wanted[slot] += 1024 / ways.len() as u64;
        }
    }
    let contest = |way: &Vec<(usize, i64)>| {
        way.iter().map(|&(slot, _)| wanted[slot] / u64::from(machine.slots[slot].count)).max()
    };
    let kind = |(class, ways): (&super::Class, Vec<Vec<(usize, i64)>>)| {
        let mut ranked: Vec<(usize, Vec<(usize, i64)>)> = ways.into_iter().enumerate().collect();
        ranked.sort_by_key(|(_, way)| contest(way));
        // Slots most likely to be occupied are checked first: the most contested ones, in cycles far from each other.
        let likely = |&(slot, cycle): &(usize, i64)| {
            (Reverse(wanted[slot] / u64::from(machine.slots[slot].count)), cycle.reverse_bits())
        };
        ranked.iter_mut().for_each(|(_, way)| way.sort_by_key(likely));
        let (names, ways): (Vec<usize>, Vec<Vec<(usize, i64)>>) = ranked.into_iter().unzip();
        let cycles = |way: &Vec<(usize, i64)>| way.iter().map(|&(_, cycle)| cycle).collect::<BTreeSet<_>>();
        let rows = ways.iter().map(|way| cycles(way).into_iter().collect()).collect();
        let file = class.writes.as_ref().and_then(|w| machine.files.iter().position(|f| f.name == *w));
        let (latency, delay_slots) = (i64::from(class.latency), class.delay_slots);
        Kind { ways, rows, names, latency, file, delay_slots }
    };
    machine.classes.iter().zip(ways).map(kind).collect()
}

/// The operations of each unit with their offsets, and the unit and offset of each operation.
type Units = (Vec<Vec<(usize, i64)>>, Vec<(usize, i64)>);

fn units(graph: &Graph) -> Result<Units, ScheduleError> {
    let mut ties = vec![Vec::new(); graph.ops.len()];
    for f in &graph.fixed {
        ties[f.from].push((f.to, i64::from(f.offset)));
        ties[f.to].push((f.from, -i64::from(f.offset)));
    }
    let mut unit: Vec<Option<(usize, i64)>> = vec![None; graph.ops.len()];
    let mut units = Vec::new();
    for root in 0..graph.ops.len() {
        if unit[root].is_some() {
            continue;
        }
        let mut members = vec![(root, 0)];
        unit[root] = Some((units.len(), 0));
        let mut next = 0;
        while let Some(&(op, at)) = members.get(next) {
            next += 1;
            for &(other, offset) in &ties[op] {
                match unit[other] {
                    None => {
                        unit[other] = Some((units.len(), at + offset));
                        members.push((other, at + offset));
                    }
                    Some((_, there)) if there != at + offset => return Err(ScheduleError::Offsets(other)),
                    Some(_) => {}
                }
            }
        }
        let first = members.iter().map(|m| m.1).min().unwrap_or(0);
        members.iter_mut().for_each(|m| m.1 -= first);
        members.sort_by_key(|m| (m.1, m.0));
        members.iter().for_each(|&(op, offset)| unit[op] = Some((units.len(), offset)));
        units.push(members);
    }
    Ok((units, unit.into_iter().map(|u| u.unwrap_or((0, 0))).collect()))
}
