//! What the engine is asked for that it cannot do.

use thiserror::Error;

/// An MSM that the engine cannot run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MsmError {
    /// A parameter outside of its range.
    #[error("msm.{name} is {value}, not within {least} to {most}")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: u32,
        /// The least it may be.
        least: u32,
        /// The most it may be, given the other parameters.
        most: u32,
    },
    /// More buckets than the memory has words for.
    #[error("the buckets take {words} words, the bucket memory has {there_are}")]
    Buckets {
        /// Words they take.
        words: u64,
        /// Words there are.
        there_are: u32,
    },
    /// A number of parts that cannot be told apart by bits of the index.
    #[error("msm.{name} is {value}, not a power of two")]
    PowerOfTwo {
        /// The parameter's name.
        name: &'static str,
        /// Its value.
        value: u32,
    },
    /// A digit beyond the window.
    #[error("digit {digit} has no bucket: the window has {buckets}")]
    Digit {
        /// The digit.
        digit: i32,
        /// Buckets of a window.
        buckets: u32,
    },
    /// Digits of more windows than a fetched point serves.
    #[error("lane {lane} of {lanes}")]
    Lane {
        /// Which.
        lane: u32,
        /// How many there are.
        lanes: u32,
    },
    /// A window beyond those that [`super::Msm::begin`] announced.
    #[error("window {window} of {windows}")]
    Window {
        /// Which.
        window: u32,
        /// How many there are.
        windows: u32,
    },
    /// Group aggregation before every window was reduced.
    #[error("window {window} has not been reduced")]
    NotReduced {
        /// The lowest such window.
        window: u32,
    },
}
