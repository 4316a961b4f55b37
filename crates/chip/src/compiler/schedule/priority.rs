//! This project's scheduler: the task with the longest path to the end goes first, slot by slot, forwards or backwards, with
//! restarts around the best order found.

use super::list::predecessors;
use super::problem::{Problem, Schedule};
use super::table::Table;
use rand_core::Rng;

/// A rank per task; in a slot, the ready task of highest rank issues first.
pub type Ranks = Vec<f64>;

/// Ranks by the number of slots that must follow a task ([`Windows::tails`](super::Windows)); among equals, the task with
/// more readers ranks higher.
pub fn critical_path(problem: &Problem, tails: &[i32]) -> Ranks {
    let readers = |i: usize| problem.readers[i].len().min(99) as f64 / 100.0;
    tails.iter().enumerate().map(|(i, &t)| f64::from(t) + readers(i)).collect()
}

/// Random ranks around `from`, each changed by up to `spread`.
pub fn perturbed(from: &Ranks, spread: f64, rng: &mut impl Rng) -> Ranks {
    from.iter().map(|r| r + spread * ((rng.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0)).collect()
}

/// List scheduling by rank: slot by slot, the tasks that fit issue in the order of their ranks.
pub fn by_rank(problem: &Problem, ranks: &Ranks) -> Schedule {
    within(problem, ranks, usize::MAX)
}

/// [`by_rank`] with at most `limit` values in rows, as far as possible: a task that adds a value when the limit is reached
/// waits, unless no other task can proceed.
pub fn within(problem: &Problem, ranks: &Ranks, limit: usize) -> Schedule {
    let waits = predecessors(problem);
    let mut missing: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut successors = vec![Vec::new(); problem.tasks.len()];
    for (i, before) in waits.iter().enumerate() {
        before.iter().for_each(|&j| successors[j].push(i));
    }
    let mut table = Table::new(problem);
    let mut rows = Pressure::new(problem);
    // (earliest slot, task), all predecessors placed.
    let mut waiting: Vec<(i32, usize)> =
        (0..problem.tasks.len()).filter(|&i| missing[i] == 0).map(|i| (table.ready(i), i)).collect();
    let (mut slot, mut last_out) = (0, 0);
    while table.left() > 0 {
        for _ in 0..problem.width {
            let room = i64::try_from(limit).unwrap_or(i64::MAX) - rows.alive as i64;
            let stuck = slot > last_out + 2;
            let fitting = waiting.iter().enumerate().filter(|(_, (ready, task))| {
                *ready <= slot
                    && (stuck || i64::from(rows.added(*task)) <= room.max(0))
                    && table.fits(*task, slot)
            });
            let frugal = |task: usize| if room > 0 { 0 } else { -rows.added(task) };
            let best = fitting.max_by(|(_, (_, a)), (_, (_, b))| {
                frugal(*a).cmp(&frugal(*b)).then(ranks[*a].total_cmp(&ranks[*b])).then(b.cmp(a))
            });
            let Some((at, &(_, task))) = best else { break };
            waiting.swap_remove(at);
            table.place(task, slot);
            rows.take(task);
            last_out = last_out.max(slot + problem.tasks[task].latency);
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

/// The number of values that occupy rows, counted from the issue of their task to that of their last reader.
struct Pressure<'p> {
    problem: &'p Problem,
    /// For each node, the readers that have not issued yet.
    unread: Vec<usize>,
    alive: usize,
}

impl<'p> Pressure<'p> {
    fn new(problem: &'p Problem) -> Self {
        let mut unread = vec![0; problem.stays.len()];
        (0..problem.tasks.len()).flat_map(|i| read(problem, i)).for_each(|n| unread[n] += 1);
        let inputs = problem.stays.len() - problem.tasks.len();
        Self { problem, unread, alive: inputs }
    }
    /// Change of the number of occupied rows when a task issues.
    fn added(&self, task: usize) -> i32 {
        let freed = read(self.problem, task).filter(|&n| self.unread[n] == 1 && !self.problem.stays[n]);
        1 - freed.count() as i32
    }
    fn take(&mut self, task: usize) {
        self.alive = self.alive.saturating_add_signed(self.added(task) as isize);
        read(self.problem, task).for_each(|n| self.unread[n] -= 1);
    }
}

/// The nodes that a task reads, each once.
fn read(problem: &Problem, task: usize) -> impl Iterator<Item = usize> {
    let t = &problem.tasks[task];
    t.inputs.iter().map(|row| row.node).chain(t.data.iter().map(|&j| problem.tasks[j].node))
}

/// A schedule pushed to the right and pulled back to the left: in the order of their slots from the last to the first, tasks
/// are placed as late as they fit; then they are placed by rank again, with the distances from the end as ranks. The result
/// is never longer.
pub fn justified(problem: &Problem, schedule: Schedule) -> Schedule {
    let length = problem.length(&schedule);
    let Some(late) = backward(problem, &schedule) else { return schedule };
    let ranks = late.slots.iter().map(|&s| f64::from(-s)).collect();
    let again = by_rank(problem, &ranks);
    let candidates = [again, late].into_iter().min_by_key(|s| problem.length(s));
    candidates.filter(|s| problem.length(s) < length).unwrap_or(schedule)
}

/// Places tasks backwards: among the tasks whose readers are all placed, the one that is latest in `order` comes first, as
/// late as it fits. `None` if that takes far longer than `order` does.
fn backward(problem: &Problem, order: &Schedule) -> Option<Schedule> {
    let n = problem.tasks.len();
    let waits = predecessors(problem);
    let mut missing = vec![0; n];
    waits.iter().flatten().for_each(|&j| missing[j] += 1);
    let end = problem.length(order) + 64;
    let mut waiting: Vec<usize> = (0..n).filter(|&i| missing[i] == 0).collect();
    let mut table = Table::new(problem);
    while !waiting.is_empty() {
        let at =
            (0..waiting.len()).max_by_key(|&k| (table.latest(waiting[k], end), order.slots[waiting[k]]))?;
        let task = waiting.swap_remove(at);
        if !table.place_latest(task, end) {
            return None;
        }
        for &j in &waits[task] {
            missing[j] -= 1;
            if missing[j] == 0 {
                waiting.push(j);
            }
        }
    }
    let Schedule { mut slots } = table.finish();
    // Shifted to the start, as far as the releases of the tasks allow.
    let early = slots.iter().zip(&problem.tasks).map(|(s, t)| s - t.release).min()?;
    slots.iter_mut().for_each(|s| *s -= early);
    Some(Schedule { slots })
}
