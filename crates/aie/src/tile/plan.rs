//! The cycles in which the operations of a kernel issue, in a loop or in straight-line code.

use pairwright_sim::schedule::{Block, Fact, Issue, Pipelined};
use std::collections::BTreeSet;

/// A schedule of a kernel's body.
#[derive(Clone, Debug)]
pub(super) enum TilePlan {
    /// A loop of overlapped iterations.
    Loop(Pipelined),
    /// Straight-line code: a task begins when the previous one has ended.
    Once(Block),
}

impl TilePlan {
    pub(super) fn ops(&self) -> &[Issue] {
        match self {
            Self::Loop(looped) => &looped.ops,
            Self::Once(block) => &block.ops,
        }
    }

    #[cfg(test)]
    pub(super) fn ops_mut(&mut self) -> &mut [Issue] {
        match self {
            Self::Loop(looped) => &mut looped.ops,
            Self::Once(block) => &mut block.ops,
        }
    }

    /// Cycles from the start of a task to the start of the next.
    pub(super) fn interval(&self) -> u32 {
        match self {
            Self::Loop(looped) => looped.ii,
            Self::Once(block) => block.latency,
        }
    }

    /// Cycles from the first instruction of a task to its last.
    pub(super) fn length(&self) -> u32 {
        match self {
            Self::Loop(looped) => looped.length,
            Self::Once(block) => block.length,
        }
    }

    /// Cycles from the start of a task until its last result is available.
    pub(super) fn latency(&self) -> u32 {
        match self {
            Self::Loop(looped) => looped.latency,
            Self::Once(block) => block.latency,
        }
    }

    /// Cycles of a run of `tasks` tasks.
    pub(super) fn cycles(&self, tasks: u64) -> u64 {
        match self {
            Self::Loop(looped) => looped.cycles(tasks),
            Self::Once(block) => tasks * u64::from(block.latency),
        }
    }

    /// Cycles from the first instruction of a run of `tasks` tasks to its last.
    pub(super) fn issue_cycles(&self, tasks: u64) -> u64 {
        match self {
            Self::Loop(looped) => looped.issue_cycles(tasks),
            Self::Once(block) if tasks > 0 => {
                (tasks - 1) * u64::from(block.latency) + u64::from(block.length)
            }
            Self::Once(_) => 0,
        }
    }

    /// Instructions in program memory, with `copies` copies of the loop's kernel.
    pub(super) fn instructions(&self, copies: u32, tasks: u64) -> u64 {
        match self {
            Self::Loop(looped) => {
                let phases = looped.phases(tasks);
                phases.prologue + u64::from(copies) * u64::from(looped.ii) + phases.epilogue
            }
            Self::Once(block) => block.length.into(),
        }
    }

    /// The number of these instructions that are not empty. `issuing` lists for each operation the cycles after its issue
    /// in which it occupies an issue slot.
    pub(super) fn nonempty_instructions(&self, copies: u32, tasks: u64, issuing: &[Vec<u32>]) -> u64 {
        let cycles = |facts: &[Fact]| -> BTreeSet<u64> {
            facts.iter().flat_map(|f| issuing[f.op].iter().map(|&after| f.cycle + u64::from(after))).collect()
        };
        match self {
            Self::Loop(looped) => {
                let ii = u64::from(looped.ii);
                let one: BTreeSet<u64> =
                    cycles(&looped.kernel()).into_iter().map(|cycle| cycle % ii).collect();
                let all = cycles(&looped.facts(u32::try_from(tasks).unwrap_or(u32::MAX)));
                let phases = looped.phases(tasks);
                let outside =
                    |&cycle: &u64| cycle < phases.prologue || cycle >= phases.prologue + phases.kernel;
                let last = looped.issue_cycles(tasks);
                all.into_iter().filter(|&cycle| cycle < last).filter(outside).count() as u64
                    + u64::from(copies) * one.len() as u64
            }
            Self::Once(block) => {
                let all = cycles(&block.facts());
                all.into_iter().filter(|&cycle| cycle < u64::from(block.length)).count() as u64
            }
        }
    }

    /// Lower bounds of a loop's interval by slots and by recurrences; for straight-line code, 0 and the longest chain of
    /// dependent operations.
    pub(super) fn bounds(&self) -> [u32; 2] {
        match self {
            Self::Loop(looped) => [looped.bounds.resources, looped.bounds.recurrences],
            Self::Once(block) => [0, block.critical],
        }
    }

    /// The greatest number of values alive at once, by file.
    pub(super) fn live(&self) -> &[u32] {
        match self {
            Self::Loop(looped) => &looped.live,
            Self::Once(block) => &block.live,
        }
    }

    /// The operations of one task in the steady state.
    pub(super) fn kernel(&self) -> Vec<Fact> {
        match self {
            Self::Loop(looped) => looped.kernel(),
            Self::Once(block) => block.facts(),
        }
    }

    /// The operations of a run of `tasks` tasks.
    pub(super) fn facts(&self, tasks: u32) -> Vec<Fact> {
        match self {
            Self::Loop(looped) => looped.facts(tasks),
            Self::Once(block) => {
                let shifted = |task: u32| {
                    let start = u64::from(task) * u64::from(block.latency);
                    block.facts().into_iter().map(move |f| Fact {
                        iteration: task,
                        cycle: f.cycle + start,
                        ..f
                    })
                };
                (0..tasks).flat_map(shifted).collect()
            }
        }
    }
}
