//! Our scheduler: the longest path to the end decides, slot by slot, with restarts around the best order found.

use super::list::predecessors;
use super::problem::{Problem, Schedule};
use super::table::Table;
use rand_core::Rng;

/// A rank per task; in a slot, the ready task of highest rank issues first.
pub type Ranks = Vec<f64>;

/// Ranks by the longest path from a task's issue to the end of the routine.
pub fn critical_path(problem: &Problem) -> Ranks {
    problem.tails().into_iter().map(f64::from).collect()
}

/// Ranks around `from`, each moved by up to `spread`.
pub fn perturbed(from: &Ranks, spread: f64, rng: &mut impl Rng) -> Ranks {
    from.iter().map(|r| r + spread * ((rng.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0)).collect()
}

/// Slot by slot, the tasks that fit issue in the order of their ranks.
pub fn by_rank(problem: &Problem, ranks: &Ranks) -> Schedule {
    let waits = predecessors(problem);
    let mut missing: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut successors = vec![Vec::new(); problem.tasks.len()];
    for (i, before) in waits.iter().enumerate() {
        before.iter().for_each(|&j| successors[j].push(i));
    }
    let mut table = Table::new(problem);
    // (earliest slot, task), all predecessors placed.
    let mut waiting: Vec<(i32, usize)> =
        (0..problem.tasks.len()).filter(|&i| missing[i] == 0).map(|i| (0, i)).collect();
    let mut slot = 0;
    while table.left() > 0 {
        let mut width = problem.width;
        while width > 0 {
            let best = waiting
                .iter()
                .enumerate()
                .filter(|(_, (ready, task))| *ready <= slot && table.fits(*task, slot))
                .max_by(|(_, (_, a)), (_, (_, b))| ranks[*a].total_cmp(&ranks[*b]).then(b.cmp(a)));
            let Some((at, &(_, task))) = best else { break };
            waiting.swap_remove(at);
            table.place(task, slot);
            width -= 1;
            for &next in &successors[task] {
                missing[next] -= 1;
                if missing[next] == 0 {
                    waiting.push((table.ready(next), next));
                }
            }
        }
        slot += 1;
    }
    table.finish()
}
