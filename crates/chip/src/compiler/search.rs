//! The search for schedules of a routine.

use super::schedule::{self, Problem, Ranks, Schedule, Windows};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;

/// The scheduler that searches for a short schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scheduler {
    /// \[CP\] Algorithm 1: list scheduling with random selection.
    List,
    /// Longest path to the end first, with restarts.
    #[default]
    Critical,
    /// [`Scheduler::Critical`], then a beam search and branch and bound: the shortest schedule or a better bound, within
    /// work in proportion to the number of seeds.
    Exact,
}

impl Scheduler {
    /// All schedulers, in the order of the variants.
    pub const ALL: [Self; 3] = [Self::List, Self::Critical, Self::Exact];

    /// Its name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Critical => "critical",
            Self::Exact => "exact",
        }
    }
}

impl fmt::Display for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheduler {
    type Err = super::CompileError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|s| s.name() == text);
        named.ok_or_else(|| super::CompileError::NoScheduler(text.to_owned()))
    }
}

/// Options of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The scheduler that searches.
    pub scheduler: Scheduler,
    /// Number of schedules to try.
    pub seeds: u32,
    /// The first seed: the result is a function of it.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { scheduler: Scheduler::Critical, seeds: 200, seed: 1 }
    }
}

impl Options {
    /// The random number generator of one seed.
    pub(super) fn rng(&self, seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(self.seed.wrapping_mul(1 << 20).wrapping_add(seed))
    }
}

/// Schedules, shortest first, each with the seed that gave it.
pub(super) struct FoundSchedules {
    pub schedules: Vec<(u64, Schedule)>,
    /// Lower bound on the length of every schedule.
    pub bound: i32,
}

/// Number of schedules for which rows are searched; when so many of the least length are found, the search stops.
pub(super) const COLOURED: usize = 64;
/// Seeds per round of parallel work, so that the result does not depend on the number of threads.
const ROUND: u64 = 32;
/// Partial schedules that branch and bound may visit per seed.
const NODES: u64 = 64;

/// Schedules of the requested number of seeds; fewer once enough of them meet the bound.
pub(super) fn search(problem: &Problem, options: &Options) -> FoundSchedules {
    let seeds = u64::from(options.seeds.max(1));
    let windows = Windows::new(problem);
    let (mut schedules, mut bound) = match options.scheduler {
        Scheduler::List => {
            let run = |s| (s, schedule::random(problem, &mut options.rng(s)));
            ((0..seeds).into_par_iter().map(run).collect::<Vec<_>>(), windows.bound)
        }
        Scheduler::Critical | Scheduler::Exact => {
            let ranks = schedule::critical_path(problem, &windows.tails);
            (restarts(problem, ranks, usize::MAX, (seeds, windows.bound), options), windows.bound)
        }
    };
    sort(problem, &mut schedules);
    if options.scheduler == Scheduler::Exact
        && let Some((_, best)) = schedules.first()
    {
        // Beam searches, of a width in proportion to the seeds, one slot shorter each time.
        let mut best = best.clone();
        let width = (seeds / 4).clamp(4, 128) as usize;
        while let length = problem.length(&best)
            && length > windows.bound
            && let Some(shorter) = schedule::beam(problem, &windows, length, width)
        {
            best = shorter;
            schedules.insert(0, (0, best.clone()));
        }
        let found = schedule::exact(problem, &windows, best, seeds * NODES);
        bound = found.bound;
        schedules.insert(0, (0, found.schedule));
        sort(problem, &mut schedules);
    }
    FoundSchedules { schedules, bound }
}

/// Schedules that hold at most `limit` values in rows, as far as possible.
pub(super) fn frugal(problem: &Problem, options: &Options, limit: usize) -> Vec<(u64, Schedule)> {
    let windows = Windows::new(problem);
    let ranks = schedule::critical_path(problem, &windows.tails);
    let mut schedules = restarts(problem, ranks, limit, (ROUND * 2, 0), options);
    sort(problem, &mut schedules);
    schedules
}

fn sort(problem: &Problem, schedules: &mut Vec<(u64, Schedule)>) {
    schedules.sort_by_cached_key(|(seed, s)| (problem.length(s), problem.slots(s), *seed));
    schedules.dedup_by(|a, b| a.1 == b.1);
}

/// Rounds of restarts around the best ranks so far. The ranks are changed by small amounts while that helps, by larger ones
/// when it does not. Every other schedule of a round is also pushed to the end and pulled back.
fn restarts(
    problem: &Problem,
    ranks: Ranks,
    limit: usize,
    (seeds, bound): (u64, i32),
    options: &Options,
) -> Vec<(u64, Schedule)> {
    let first = schedule::within(problem, &ranks, limit);
    let start = ranks.clone();
    let mut best = (problem.length(&first), ranks);
    let mut found = vec![(0, first)];
    let mut stale = 0;
    for from in (1..seeds).step_by(ROUND as usize) {
        let until = (from + ROUND).min(seeds);
        if best.0 <= bound && found.len() > COLOURED {
            break;
        }
        // After several rounds without success the restarts begin again from the first ranks.
        let centre = if stale % 8 == 7 { &start } else { &best.1 };
        let widen = f64::from(1 + stale.min(6));
        let try_one = |s: u64| {
            let mut rng = options.rng(s);
            let spread = widen * [0.5, 1.0, 3.0, 8.0][(s / 2 % 4) as usize];
            let ranks = schedule::perturbed(centre, spread, &mut rng);
            let mut schedule = schedule::within(problem, &ranks, limit);
            if s % 2 == 1 && limit == usize::MAX {
                schedule = schedule::justified(problem, schedule);
            }
            (s, schedule, ranks)
        };
        let tried: Vec<_> = (from..until).into_par_iter().map(try_one).collect();
        stale += 1;
        for (s, schedule, ranks) in tried {
            let length = problem.length(&schedule);
            if length < best.0 {
                stale = 0;
            }
            if length <= best.0 {
                // A justified schedule does not follow from its ranks: the order of its slots reproduces it.
                let order = schedule.slots.iter().map(|&t| f64::from(-t)).collect();
                best = (length, if s % 2 == 1 { order } else { ranks });
            }
            found.push((s, schedule));
        }
    }
    found
}
