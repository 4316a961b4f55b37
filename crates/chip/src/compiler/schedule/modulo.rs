//! Schedules for a routine that follows itself: the next call starts right after the last issue slot, while results are
//! still in flight. Values cross the seam only through their rows, because nothing precedes the first call that could
//! forward a value.

use super::priority::Ranks;
use super::problem::{Link, Problem, Seam};
use crate::isa::Channel;
use pairwright_sim::schedule::{Bounds, Class, Edge, Graph, Machine, ScheduleError, Slot, Use};
use std::collections::BTreeMap;

/// Lower bound on the slots of a call, from the bounds of a loop whose iterations are calls: every channel issues its tasks
/// in every call, and on every cycle of values from call to call the sum of the latencies must fit into the number of calls
/// that the cycle spans.
///
/// # Errors
/// A routine that is too long for the bounds.
pub fn least_period(problem: &Problem, links: &[Link]) -> Result<i32, ScheduleError> {
    let slot = |name: &str, count| Slot { name: name.to_owned(), count };
    let class = |name: &str, channel: Option<Use>| Class {
        name: name.to_owned(),
        ways: vec![[Use::now("issue")].into_iter().chain(channel).collect()],
        latency: 1,
        reads: BTreeMap::new(),
        writes: None,
        delay_slots: None,
    };
    let product = Use { cycles: problem.mm_interval.unsigned_abs(), ..Use::now("multiplier") };
    let machine = Machine {
        name: "issue stage and channels".to_owned(),
        slots: vec![slot("issue", problem.width), slot("multiplier", 1), slot("arithmetic", 1)],
        classes: vec![
            class("mm", Some(product)),
            class("arith", Some(Use::now("arithmetic"))),
            class("inv", None),
        ],
        ..Machine::default()
    };
    let mut calls = Graph::new();
    for task in &problem.tasks {
        let class = match task.channel {
            Channel::Mm => "mm",
            Channel::Arith => "arith",
            Channel::Inv => "inv",
        };
        calls.op(&machine, class, class)?;
    }
    let mut edge = |from: usize, to: usize, gap: i32, distance: u32| {
        let delay = problem.tasks[from].latency + gap;
        calls.edges.push(Edge { from, to, delay, distance, reads: None });
    };
    for (to, task) in problem.tasks.iter().enumerate() {
        task.data.iter().for_each(|&from| edge(from, to, problem.least_gap(), 0));
        // Values of the previous call are read from their rows.
        let read = links.iter().filter(|link| task.inputs.iter().any(|row| row.node == link.input));
        read.for_each(|link| edge(link.writer, to, 2, 1));
    }
    Ok(Bounds::of(&machine, &calls)?.ii() as i32)
}

/// The timing of one call of `period` slots: from which slot on its linked inputs are available.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallTiming {
    /// Slots of a call.
    period: i32,
    /// For each link, the slot before which its input may not be read.
    releases: Vec<i32>,
}

impl CallTiming {
    /// The earliest releases that the dependences allow; `period` is at least the least one.
    pub fn new(problem: &Problem, links: &[Link], period: i32) -> Self {
        let mut timing = Self { period, releases: vec![0; links.len()] };
        // A release depends on the writer's head, and that on other releases; the values converge, since no cycle of them
        // grows.
        for _ in 0..=links.len() {
            let heads = timing.applied(problem, links).heads();
            let later = Self::needed(period, problem, links, &heads);
            if later == timing.releases {
                break;
            }
            timing.releases = later;
        }
        timing
    }

    /// The scheduling problem of one call with these releases.
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

    /// The releases that are needed by a call whose tasks issue in `slots`.
    fn needed(period: i32, problem: &Problem, links: &[Link], slots: &[i32]) -> Vec<i32> {
        let ready = |l: &Link| slots[l.writer] + problem.tasks[l.writer].latency + 2 - period;
        links.iter().map(|l| ready(l).max(0)).collect()
    }

    /// The number of slots by which a schedule made for these releases exceeds the period or violates a release. Zero means
    /// that the routine can follow itself. Releases that the results miss are moved to later slots.
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
