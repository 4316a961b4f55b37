//! Lower bounds: on the length of any schedule, and on the distance of a task from both ends of it.
//!
//! The method follows Rim and Jain, and Langevin and Cerny: a task cannot issue before its ancestors have passed through
//! their channels, each not before its own head, and through the issue stage. The relaxed problem for the ancestors of one
//! task (one channel, preemptible tasks, no forwarding rule but the least gap) is solved exactly by always running the task
//! that is farthest from the end; the heads so found tighten those of later tasks. Tails are heads of the reversed problem.

use super::problem::Problem;
use crate::isa::Channel;
use std::collections::BinaryHeap;

/// The least number of slots before and after each task in every schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Windows {
    /// The earliest slot of each task.
    pub heads: Vec<i32>,
    /// The least number of slots from the issue of each task to the end of the routine.
    pub tails: Vec<i32>,
    /// Lower bound on the length of every schedule.
    pub bound: i32,
}

/// A task of a relaxed problem: its earliest start, and the slots that must follow it.
type Job = (i32, i32);

impl Windows {
    /// Computes the windows of a problem.
    pub fn new(problem: &Problem) -> Self {
        let n = problem.tasks.len();
        let distance = distances(problem);
        let (mut heads, mut tails) = (problem.heads(), problem.tails());
        // In topological order, so that the heads of all ancestors are final.
        for i in 0..n {
            let jobs = |on: &dyn Fn(usize) -> bool| -> Vec<Job> {
                let ancestors = (0..i).filter(|&j| on(j));
                ancestors.filter_map(|j| Some((heads[j], distance[j][i]?))).collect()
            };
            heads[i] = heads[i].max(problem.data_ready(i, &heads)).max(relaxed(problem, &jobs));
        }
        for i in (0..n).rev() {
            let jobs = |on: &dyn Fn(usize) -> bool| -> Vec<Job> {
                let descendants = (i + 1..n).filter(|&j| on(j));
                descendants.filter_map(|j| Some((tails[j], distance[i][j]?))).collect()
            };
            tails[i] = tails[i].max(relaxed(problem, &jobs));
        }
        let all = |on: &dyn Fn(usize) -> bool| -> Vec<Job> {
            (0..n).filter(|&j| on(j)).map(|j| (heads[j], tails[j])).collect()
        };
        let path = heads.iter().zip(&tails).map(|(h, t)| h + t).max().unwrap_or(0);
        let bound = path.max(relaxed(problem, &all));
        Self { heads, tails, bound }
    }
}

/// Lower bound on the length of every schedule of the problem.
pub fn bound(problem: &Problem) -> i32 {
    Windows::new(problem).bound
}

/// The longest path from each task to each task that depends on it, from issue to issue; `None` without a dependence.
fn distances(problem: &Problem) -> Vec<Vec<Option<i32>>> {
    let n = problem.tasks.len();
    let gap = problem.least_gap();
    let mut distance = vec![vec![None; n]; n];
    for from in 0..n {
        let row = &mut distance[from];
        for to in from + 1..n {
            let over = |&j: &usize| {
                let before = if j == from { Some(0) } else { row[j] };
                before.map(|d: i32| d + problem.tasks[j].latency + gap)
            };
            row[to] = problem.tasks[to].data.iter().filter_map(over).max();
        }
    }
    distance
}

/// Lower bound on the length of any schedule of some tasks, by the channels and the issue stage alone.
pub(super) fn relaxed(problem: &Problem, jobs: &dyn Fn(&dyn Fn(usize) -> bool) -> Vec<Job>) -> i32 {
    let on = |c: Channel| jobs(&|i| problem.tasks[i].channel == c);
    let products = interrupted(on(Channel::Mm), problem.mm_interval, 1);
    let sums = interrupted(on(Channel::Arith), 1, 1);
    // Inversions issue alone: they are left out, which can only lower the bound.
    let issue = interrupted(jobs(&|_| true), 1, problem.width as usize);
    products.max(sums).max(issue)
}

/// The least possible maximum over all jobs of start and tail, when a job occupies one of `width` machines for
/// `length` slots and may be interrupted (Jackson's rule; exact for unit jobs, a bound otherwise).
fn interrupted(mut jobs: Vec<Job>, length: i32, width: usize) -> i32 {
    jobs.sort_unstable();
    let mut best = 0;
    let mut next = 0;
    let mut time = 0;
    // Ordered by tail, then by the remaining slots of the job.
    let mut ready: BinaryHeap<(i32, i32)> = BinaryHeap::new();
    while next < jobs.len() || !ready.is_empty() {
        if ready.is_empty() {
            time = time.max(jobs[next].0);
        }
        while next < jobs.len() && jobs[next].0 <= time {
            ready.push((jobs[next].1, length));
            next += 1;
        }
        let until = if width > 1 { time + 1 } else { jobs.get(next).map_or(i32::MAX, |j| j.0) };
        for _ in 0..width {
            let Some((tail, left)) = ready.pop() else { break };
            let run = left.min(until - time);
            if run == left {
                best = best.max(time + run - length + tail);
            } else {
                ready.push((tail, left - run));
            }
            if width == 1 {
                time += run;
            }
        }
        if width > 1 {
            time += 1;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jackson_s_rule_on_small_cases() {
        // One machine, three unit jobs at once, tails 5, 1, 1: the long tail goes first.
        assert_eq!(interrupted(vec![(0, 1), (0, 5), (0, 1)], 1, 1), 5);
        assert_eq!(interrupted(vec![(0, 1), (0, 1), (0, 1), (0, 1)], 1, 1), 4);
        assert_eq!(interrupted(vec![(0, 1), (0, 1), (0, 1), (0, 1)], 1, 2), 2);
        // Jobs of three slots: the second starts at 3; interrupted by a later, more urgent one.
        assert_eq!(interrupted(vec![(0, 4), (0, 4)], 3, 1), 7);
        assert_eq!(interrupted(vec![(0, 1), (1, 9)], 3, 1), 10);
        assert_eq!(interrupted(Vec::new(), 1, 1), 0);
    }
}
