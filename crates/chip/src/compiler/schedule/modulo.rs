//! Schedules for a routine that follows itself: the next call starts right after the last issue slot, while results
//! are still in flight. Values cross the seam through their rows only, because the first call has no predecessor to
//! forward anything.

use super::bound::distances;
use super::priority::Ranks;
use super::problem::{Link, Problem, Seam};
use crate::isa::Channel;

/// No call can take fewer slots than this: every channel must issue its tasks in every call, and on every cycle of
/// values from call to call the latencies must fit into as many calls as the cycle takes.
pub fn least_period(problem: &Problem, links: &[Link]) -> i32 {
    let on = |c: Channel| problem.tasks.iter().filter(|t| t.channel == c).count() as i32;
    let issue = problem.tasks.len().div_ceil(problem.width as usize) as i32;
    let resources = issue.max(on(Channel::Mm) * problem.mm_interval).max(on(Channel::Arith)).max(1);
    resources.max(largest_mean(&delays(problem, links)))
}

/// Slots from the first read of link `a`'s input to the first slot that can read link `b`'s next value.
fn delays(problem: &Problem, links: &[Link]) -> Vec<Vec<Option<i32>>> {
    let distance = distances(problem);
    let reads = |task: usize, link: &Link| problem.tasks[task].inputs.iter().any(|r| r.node == link.input);
    let delay = |a: &Link, b: &Link| {
        let from = (0..problem.tasks.len()).filter(|&r| reads(r, a));
        let longest = from.filter_map(|r| if r == b.writer { Some(0) } else { distance[r][b.writer] }).max();
        longest.map(|d| d + problem.tasks[b.writer].latency + 2)
    };
    links.iter().map(|a| links.iter().map(|b| delay(a, b)).collect()).collect()
}

/// The largest mean weight of a cycle, rounded up (Karp: from the weights of walks of every length).
fn largest_mean(weights: &[Vec<Option<i32>>]) -> i32 {
    let n = weights.len();
    let mut best = 0;
    for start in 0..n {
        // The heaviest walk of k steps from `start` to each vertex; a closed one of k steps gives a mean.
        let mut walk = vec![None; n];
        walk[start] = Some(0);
        for steps in 1..=n as i32 {
            let heaviest = |to: usize| (0..n).filter_map(|from| Some(walk[from]? + weights[from][to]?)).max();
            walk = (0..n).map(heaviest).collect();
            if let Some(closed) = walk[start] {
                best = best.max((closed + steps - 1).div_euclid(steps));
            }
        }
    }
    best
}

/// The slots that a call of `period` slots leaves to its tasks, and what that means for its inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Slots of a call.
    period: i32,
    /// Per link: the slot before which nothing may read its input.
    releases: Vec<i32>,
}

impl Turn {
    /// The earliest that the dependences allow; `period` is at least the least one.
    pub fn new(problem: &Problem, links: &[Link], period: i32) -> Self {
        let mut turn = Self { period, releases: vec![0; links.len()] };
        // A release depends on the writer's head, that on other releases; no cycle of them grows.
        for _ in 0..=links.len() {
            let heads = turn.applied(problem, links).heads();
            let later = Self::needed(period, problem, links, &heads);
            if later == turn.releases {
                break;
            }
            turn.releases = later;
        }
        turn
    }

    /// The problem of one call.
    pub fn applied(&self, problem: &Problem, links: &[Link]) -> Problem {
        let mut problem = problem.clone();
        for task in &mut problem.tasks {
            let read = links.iter().zip(&self.releases);
            let of = read.filter(|(l, _)| task.inputs.iter().any(|row| row.node == l.input));
            task.release = of.map(|(_, &release)| release).max().unwrap_or(0);
        }
        problem.seam = Some(Seam { period: self.period, links: links.to_vec() });
        problem
    }

    /// The releases that a call needs whose tasks issue in `slots`.
    fn needed(period: i32, problem: &Problem, links: &[Link], slots: &[i32]) -> Vec<i32> {
        let ready = |l: &Link| slots[l.writer] + problem.tasks[l.writer].latency + 2 - period;
        links.iter().map(|l| ready(l).max(0)).collect()
    }

    /// By how many slots a schedule made for these releases misses the period and the releases; it closes if by none.
    /// Releases that its results miss become later.
    pub fn over(&mut self, problem: &Problem, links: &[Link], slots: &[i32]) -> i32 {
        let last = slots.iter().max().map_or(0, |s| s + 1);
        let mut over = (last - self.period).max(0);
        for (release, needed) in
            self.releases.iter_mut().zip(Self::needed(self.period, problem, links, slots))
        {
            over += (needed - *release).max(0);
            *release = needed.max(*release);
        }
        over
    }

    /// Ranks by the latest slots that the releases and the period allow.
    pub fn ranks(&self, problem: &Problem, links: &[Link]) -> Ranks {
        let gap = problem.least_gap();
        let mut latest = vec![self.period - 1; problem.tasks.len()];
        for (l, release) in links.iter().zip(&self.releases) {
            let due = release + self.period - problem.tasks[l.writer].latency - 2;
            latest[l.writer] = latest[l.writer].min(due);
        }
        for i in (0..problem.tasks.len()).rev() {
            for &j in &problem.tasks[i].data {
                latest[j] = latest[j].min(latest[i] - problem.tasks[j].latency - gap);
            }
        }
        latest.into_iter().map(|slot| f64::from(-slot)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_the_heaviest_cycle() {
        assert_eq!(largest_mean(&[vec![Some(7)]]), 7);
        // A cycle of two steps with weight 21 beats loops of 10; 10.5 is rounded up.
        assert_eq!(largest_mean(&[vec![Some(10), Some(20)], vec![Some(1), Some(10)]]), 11);
        assert_eq!(largest_mean(&[vec![None, Some(5)], vec![None, None]]), 0);
    }
}
