//! The errors of running a job on a unit.

use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// Why a job cannot be run on a unit.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum MtuError {
    /// A parameter of the unit or of its memory is out of range.
    #[error(transparent)]
    UnitConfig(#[from] OutOfRange),
    /// The tree has more leaves than the model supports.
    #[error("2^{log_size} leaves, the model takes up to 2^{most}")]
    TooLarge {
        /// log2 of the leaves asked for.
        log_size: u32,
        /// log2 of the greatest number of leaves.
        most: u32,
    },
    /// The workload cannot have this neighbouring stage, or the stage is faster than the elements.
    #[error("a stage {place} of {words} words a cycle: {}", attachable(*most, why))]
    Stage {
        /// The side of the stage: upstream or downstream.
        place: &'static str,
        /// Words that the stage gives or takes per cycle.
        words: u32,
        /// The greatest number of words per cycle; 0 if the workload cannot have such a stage.
        most: u32,
        /// The workloads that can have such a stage, as text.
        why: &'static str,
    },
    /// The accumulator needs room for more words than it has.
    #[error("accumulator_words is {room}, it must be at least {needed} for this tree")]
    Accumulator {
        /// Words that the levels hold, each at its greatest occupancy.
        needed: u32,
        /// Words that the accumulator has room for.
        room: u32,
    },
    /// Hashing of leaves was requested for a tree that is not a Merkle tree.
    #[error("leaves are hashed in Merkle trees only, the workload is {workload}")]
    LeafHashes {
        /// The workload that was requested.
        workload: &'static str,
    },
    /// The unit or the job does not support clocking from outside.
    #[error(
        "2^{log_size} leaves on {pes} elements cannot be clocked from outside: this takes hybrid traversal, one request in a cycle, and a tree \
         with work for all elements"
    )]
    Clocked {
        /// log2 of the number of leaves.
        log_size: u32,
        /// Elements of the unit.
        pes: u32,
    },
    /// The unit can make no progress because its buffers are too small.
    #[error("the unit stands still in cycle {cycle}: its buffers are too small for this traversal")]
    Standstill {
        /// The first cycle in which the unit can make no progress.
        cycle: u64,
    },
}

fn attachable(most: u32, why: &str) -> String {
    match most {
        0 => format!("one can only be attached {why}"),
        most => format!("1 to {most} can be attached"),
    }
}
