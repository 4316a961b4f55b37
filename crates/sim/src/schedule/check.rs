//! An independent checker of schedules: it reads the list of issued operations, the machine and the graph, and no data
//! structure of the scheduler.

use super::{Graph, Machine};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// One issue of an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// The operation: an index into [`Graph::ops`].
    pub op: usize,
    /// The index of the reservation table that it uses, in its class's [`Class::ways`](super::Class::ways).
    pub way: usize,
    /// The iteration, from 0.
    pub iteration: u32,
    /// The cycle of the issue.
    pub cycle: u64,
}

/// A rule that a schedule breaks.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// An operation, a class or a way that does not exist.
    #[error("{0:?} names nothing of this graph and machine")]
    Unknown(Fact),
    /// An operation that issued twice in one iteration.
    #[error("operation {op} issues twice in iteration {iteration}")]
    Twice {
        /// The operation: an index into [`Graph::ops`].
        op: usize,
        /// The iteration, from 0.
        iteration: u32,
    },
    /// An operation that did not issue in an iteration.
    #[error("operation {op} does not issue in iteration {iteration}")]
    Missing {
        /// The operation: an index into [`Graph::ops`].
        op: usize,
        /// The iteration, from 0.
        iteration: u32,
    },
    /// An operation that issued before the delay of a dependence had passed.
    #[error("operation {to} issues too early after operation {from} of iteration {iteration}")]
    Early {
        /// The operation that had to be waited for.
        from: usize,
        /// The operation that did not wait.
        to: usize,
        /// The iteration of `from`.
        iteration: u32,
    },
    /// Two operations that are not at their fixed offset.
    #[error("operations {from} and {to} of iteration {iteration} are not at their fixed offset")]
    Offset {
        /// One of the two operations.
        from: usize,
        /// The other operation.
        to: usize,
        /// The iteration, from 0.
        iteration: u32,
    },
    /// A slot that is occupied more often in a cycle than its count allows.
    #[error("slot {slot:?} is taken {taken} times in cycle {cycle}")]
    Slot {
        /// The name of the slot.
        slot: String,
        /// The cycle in which it happens.
        cycle: u64,
        /// How often the slot is occupied.
        taken: u32,
    },
    /// A register file with more live values than registers.
    #[error("file {file:?} holds {live} values in cycle {cycle}")]
    File {
        /// The name of the register file.
        file: String,
        /// The cycle in which it happens.
        cycle: u64,
        /// The number of live values.
        live: u32,
    },
    /// An operation of a block after the delay slots of its branch.
    #[error("operation {op} issues after the delay slots of branch {branch}")]
    AfterBranch {
        /// The operation: an index into [`Graph::ops`].
        op: usize,
        /// The branch: an index into [`Graph::ops`].
        branch: usize,
    },
}

/// Checks a run of `iterations` iterations: every operation issues once in each, every dependence within the run is
/// kept, and no slot and no register file is over its size in any cycle.
///
/// # Errors
/// The first [`Fault`].
pub fn check(machine: &Machine, graph: &Graph, facts: &[Fact], iterations: u32) -> Result<(), Fault> {
    let mut when: BTreeMap<(usize, u32), u64> = BTreeMap::new();
    for fact in facts {
        let class = graph.ops.get(fact.op).and_then(|op| machine.classes.get(op.class));
        if class.and_then(|c| c.ways.get(fact.way)).is_none() || fact.iteration >= iterations {
            return Err(Fault::Unknown(*fact));
        }
        if when.insert((fact.op, fact.iteration), fact.cycle).is_some() {
            return Err(Fault::Twice { op: fact.op, iteration: fact.iteration });
        }
    }
    for iteration in 0..iterations {
        if let Some(op) = (0..graph.ops.len()).find(|&op| !when.contains_key(&(op, iteration))) {
            return Err(Fault::Missing { op, iteration });
        }
    }
    order(graph, &when, iterations)?;
    slots(machine, graph, facts)?;
    files(machine, graph, &when)
}

/// Checks a block: the rules of [`check()`] for a run of one iteration, and that nothing issues after the delay slots
/// of a branch.
///
/// # Errors
/// The first [`Fault`].
pub fn check_block(machine: &Machine, graph: &Graph, facts: &[Fact]) -> Result<(), Fault> {
    check(machine, graph, facts, 1)?;
    let delay = |fact: &Fact| machine.classes[graph.ops[fact.op].class].delay_slots;
    let branches = facts.iter().filter_map(|f| Some((f.op, f.cycle.saturating_add(u64::from(delay(f)?)))));
    for (branch, last) in branches {
        if let Some(late) = facts.iter().find(|f| f.cycle > last) {
            return Err(Fault::AfterBranch { op: late.op, branch });
        }
    }
    Ok(())
}

fn order(graph: &Graph, when: &BTreeMap<(usize, u32), u64>, iterations: u32) -> Result<(), Fault> {
    let gap = |from: usize, to: usize, iteration: u32, distance: u32| {
        let to = when.get(&(to, iteration.checked_add(distance)?))?;
        Some(i128::from(*to) - i128::from(*when.get(&(from, iteration))?))
    };
    for iteration in 0..iterations {
        for e in &graph.edges {
            if gap(e.from, e.to, iteration, e.distance).is_some_and(|cycles| cycles < i128::from(e.delay)) {
                return Err(Fault::Early { from: e.from, to: e.to, iteration });
            }
        }
        for f in &graph.fixed {
            if gap(f.from, f.to, iteration, 0) != Some(i128::from(f.offset)) {
                return Err(Fault::Offset { from: f.from, to: f.to, iteration });
            }
        }
    }
    Ok(())
}

fn slots(machine: &Machine, graph: &Graph, facts: &[Fact]) -> Result<(), Fault> {
    let mut taken: BTreeMap<(&str, u64), u32> = BTreeMap::new();
    for fact in facts {
        for u in &machine.classes[graph.ops[fact.op].class].ways[fact.way] {
            for after in u.from..u.from.saturating_add(u.cycles) {
                *taken.entry((&u.slot, fact.cycle.saturating_add(u64::from(after)))).or_insert(0) += 1;
            }
        }
    }
    for ((name, cycle), taken) in taken {
        let there = machine.slots.iter().find(|s| s.name == name).map_or(0, |s| s.count);
        if taken > there {
            return Err(Fault::Slot { slot: name.to_owned(), cycle, taken });
        }
    }
    Ok(())
}

/// A value occupies a register from the cycle in which it can be read to that of its last read.
fn files(machine: &Machine, graph: &Graph, when: &BTreeMap<(usize, u32), u64>) -> Result<(), Fault> {
    let mut readers: BTreeMap<usize, Vec<(usize, u32, u32)>> = BTreeMap::new();
    for e in &graph.edges {
        if let Some(cycle) = e.reads {
            readers.entry(e.from).or_default().push((e.to, e.distance, cycle));
        }
    }
    for (n, file) in machine.files.iter().enumerate() {
        let mut changes: BTreeMap<u64, i64> = BTreeMap::new();
        for (&(op, iteration), &issued) in when {
            let class = &machine.classes[graph.ops[op].class];
            if class.writes.as_ref() != Some(&file.name) {
                continue;
            }
            let written = issued.saturating_add(u64::from(class.latency));
            let (mut first, mut last) = (written, written);
            for &(reader, distance, cycle) in readers.get(&op).into_iter().flatten() {
                let Some(at) = iteration.checked_add(distance).and_then(|i| when.get(&(reader, i))) else {
                    continue;
                };
                first = first.min(at.saturating_add(u64::from(cycle)));
                last = last.max(at.saturating_add(u64::from(cycle)));
            }
            *changes.entry(first).or_insert(0) += 1;
            *changes.entry(last.saturating_add(1)).or_insert(0) -= 1;
        }
        let mut live = i64::from(graph.held(n));
        for (cycle, change) in changes {
            live += change;
            if live > i64::from(file.size) {
                let live = u32::try_from(live).unwrap_or(u32::MAX);
                return Err(Fault::File { file: file.name.clone(), cycle, live });
            }
        }
    }
    Ok(())
}
