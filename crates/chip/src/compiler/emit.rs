//! Generation of words from a schedule with assigned rows.

use super::colour::Rows;
use super::graph::Graph;
use super::lifetime::{Access, ValueTraffic};
use super::schedule::{Problem, Schedule};
use crate::isa::{Channel, L2, L2Op, Operand};

/// The words of a routine in the order of their slots. A slot in which nothing issues has a no-operation, and the last word
/// is marked.
pub fn emit(
    graph: &Graph,
    problem: &Problem,
    schedule: &Schedule,
    traffic: &ValueTraffic,
    rows: &Rows,
) -> Vec<L2> {
    let mut row_of = vec![None; graph.nodes.len()];
    for (lifetime, &row) in traffic.lifetimes.iter().zip(rows) {
        row_of[lifetime.node] = Some(row);
    }
    let mut order: Vec<usize> = (0..problem.tasks.len()).collect();
    // In a slot the multiplier's word comes first.
    let second = |i: usize| problem.tasks[i].channel != Channel::Mm;
    order.sort_by_key(|&i| (schedule.slots[i], second(i)));
    let mut words: Vec<L2> = Vec::new();
    let mut next = 0;
    for (k, &i) in order.iter().enumerate() {
        let slot = schedule.slots[i];
        while next < slot {
            words.push(L2::NOP);
            next += 1;
        }
        let node = problem.tasks[i].node;
        let op = graph.nodes[node].op().unwrap_or(L2Op::Nop);
        let mut word = L2 { op, ..L2::NOP };
        for (place, access) in word.src.iter_mut().zip(&traffic.access[i]) {
            *place = match *access {
                Access::Row(node) => row_of[node].map(Operand::Row),
                Access::Forward(channel, path) => {
                    word.path = Some(path);
                    Some(Operand::Forward(channel))
                }
            };
        }
        word.dst = row_of[node];
        word.with_next = order.get(k + 1).is_some_and(|&j| schedule.slots[j] == slot);
        words.push(word);
        if !word.with_next {
            next = slot + 1;
        }
    }
    let empty = problem.slots(schedule) - next;
    words.resize(words.len() + empty.max(0) as usize, L2::NOP);
    match words.last_mut() {
        Some(last) => last.last = true,
        None => words.push(L2 { last: true, ..L2::NOP }),
    }
    words
}
