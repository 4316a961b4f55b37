//! Errors of the MSM engine.

use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// Why the engine refuses an operation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MsmEngineError {
    /// A parameter outside of what can be built.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A digit without a bucket.
    #[error("digit {digit} has no bucket: the window has {buckets}")]
    Digit {
        /// The digit, with its sign.
        digit: i32,
        /// Buckets of a window.
        buckets: u32,
    },
    /// A lane that a fetched point does not serve.
    #[error("lane {lane} of {lanes}")]
    Lane {
        /// The lane that was asked for.
        lane: u32,
        /// Number of lanes.
        lanes: u32,
    },
    /// A window beyond those that [`super::Msm::begin`] announced.
    #[error("window {window} of {windows}")]
    Window {
        /// The window that was asked for.
        window: u32,
        /// Number of windows.
        windows: u32,
    },
    /// Group aggregation before every window was reduced.
    #[error("window {window} has not been reduced")]
    NotReduced {
        /// The lowest such window.
        window: u32,
    },
}
