//! Why a run gives no account.

use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// Why a run gave no account.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MtuError {
    /// A unit that cannot be built.
    #[error(transparent)]
    UnitConfig(#[from] OutOfRange),
    /// More leaves than the model takes.
    #[error("2^{log_size} leaves, the model takes up to 2^{most}")]
    TooLarge {
        /// log2 of the leaves asked for.
        log_size: u32,
        /// log2 of the most.
        most: u32,
    },
    /// A neighbouring stage that the workload cannot have, or of a rate beyond its elements.
    #[error("a stage {place} of {words} words a cycle: {}", attachable(*most, why))]
    Stage {
        /// The side that it is on: upstream or downstream.
        place: &'static str,
        /// The words that it gives or takes in a cycle.
        words: u32,
        /// The highest; 0 if the workload has no such stage.
        most: u32,
        /// The workloads that have such a stage, in words.
        why: &'static str,
    },
    /// The accumulator holds more words than it has room for.
    #[error("accumulator_words is {room}, it must be at least {needed} for this tree")]
    Accumulator {
        /// Words that the levels hold, each at its worst moment.
        needed: u32,
        /// Words that there is room for.
        room: u32,
    },
    /// Leaves of a tree of something else than hashes cannot be hashed.
    #[error("leaves are hashed in Merkle trees only, the workload is {workload}")]
    LeafHashes {
        /// The workload that was asked for.
        workload: &'static str,
    },
    /// A run that cannot be clocked from outside.
    #[error(
        "2^{log_size} leaves on {pes} elements cannot be clocked from outside: this takes hybrid traversal, one request in a cycle, and a tree \
         with work for all elements"
    )]
    Clocked {
        /// log2 of the leaves.
        log_size: u32,
        /// Elements of the unit.
        pes: u32,
    },
    /// The unit would wait for ever, because its buffers are too small.
    #[error("the unit stands still in cycle {cycle}: its buffers are too small for this traversal")]
    Standstill {
        /// The cycle in which the unit would wait for ever.
        cycle: u64,
    },
}

fn attachable(most: u32, why: &str) -> String {
    match most {
        0 => format!("one can only be attached {why}"),
        most => format!("1 to {most} can be attached"),
    }
}
