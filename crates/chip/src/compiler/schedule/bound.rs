//! A lower bound on the length of any schedule.

use super::problem::Problem;
use crate::isa::Channel;

/// No schedule of the problem is shorter: the longest path, and for every channel and for the issue stage the tasks
/// that must pass through it, between the earliest of their heads and the least of their tails.
pub fn bound(problem: &Problem) -> i32 {
    let (heads, tails) = (problem.heads(), problem.tails());
    let path = heads.iter().zip(&tails).map(|(h, t)| h + t).max().unwrap_or(0);
    let of =
        |c: Channel| (0..problem.tasks.len()).filter(|&i| problem.tasks[i].channel == c).collect::<Vec<_>>();
    let all: Vec<usize> = (0..problem.tasks.len()).collect();
    let single = |tasks: &[usize], interval: i32, width: i32| {
        // For the tasks that cannot start before h and still need t after their issue: h + passes + t. All pairs of
        // thresholds are tried.
        let mut best = 0;
        let mut starts: Vec<i32> = tasks.iter().map(|&i| heads[i]).collect();
        starts.sort_unstable();
        starts.dedup();
        for &h in &starts {
            let mut ends: Vec<i32> = tasks.iter().filter(|&&i| heads[i] >= h).map(|&i| tails[i]).collect();
            ends.sort_unstable_by(|a, b| b.cmp(a));
            for (k, &t) in ends.iter().enumerate() {
                best = best.max(h + k as i32 / width * interval + t);
            }
        }
        best
    };
    path.max(single(&of(Channel::Mm), problem.mm_interval, 1))
        .max(single(&of(Channel::Arith), 1, 1))
        .max(single(&all, 1, problem.width as i32))
}
