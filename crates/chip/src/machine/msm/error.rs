//! What the engine is asked for that it cannot do.

use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// An MSM that the engine cannot run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MsmEngineError {
    /// A parameter outside of what can be built.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A digit beyond the window.
    #[error("digit {digit} has no bucket: the window has {buckets}")]
    Digit {
        /// The digit, with its sign.
        digit: i32,
        /// Buckets of a window.
        buckets: u32,
    },
    /// Digits of more windows than a fetched point serves.
    #[error("lane {lane} of {lanes}")]
    Lane {
        /// The lane that was asked for.
        lane: u32,
        /// How many there are.
        lanes: u32,
    },
    /// A window beyond those that [`super::Msm::begin`] announced.
    #[error("window {window} of {windows}")]
    Window {
        /// The window that was asked for.
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
