//! List scheduling with random selection: Algorithm 1 of \[CP\].

use super::problem::{Problem, Schedule};
use super::table::Table;
use rand_core::Rng;

/// One run of Algorithm 1: one of the instructions whose predecessors are scheduled is drawn at random and put into the
/// first slot, from its ideal one on, that is free in the reservation table.
pub fn random(problem: &Problem, rng: &mut impl Rng) -> Schedule {
    let waits = predecessors(problem);
    let mut missing: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut successors = vec![Vec::new(); problem.tasks.len()];
    for (i, before) in waits.iter().enumerate() {
        before.iter().for_each(|&j| successors[j].push(i));
    }
    let mut active: Vec<usize> = (0..problem.tasks.len()).filter(|&i| missing[i] == 0).collect();
    let mut table = Table::new(problem);
    while table.left() > 0 {
        let drawn = (rng.next_u64() % active.len() as u64) as usize;
        let task = active.swap_remove(drawn);
        table.place_earliest(task);
        for &next in &successors[task] {
            missing[next] -= 1;
            if missing[next] == 0 {
                active.push(next);
            }
        }
    }
    table.finish()
}

/// The tasks that each task waits for, without repetition.
pub(super) fn predecessors(problem: &Problem) -> Vec<Vec<usize>> {
    let all = problem.tasks.iter().map(|t| {
        let mut before: Vec<usize> = t.data.iter().copied().chain(t.after.iter().map(|&(j, _)| j)).collect();
        before.sort_unstable();
        before.dedup();
        before
    });
    all.collect()
}
