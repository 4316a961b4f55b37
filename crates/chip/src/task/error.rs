//! Errors of writing tasks.

use crate::machine::poly::PolyError;
use thiserror::Error;

/// Why no program for an operator can be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A transform below the smallest sub-NTT.
    #[error("a transform of {points} points: sub-NTTs have at least 32")]
    Small {
        /// Number of points asked for.
        points: u64,
    },
    /// Passes whose stages do not add up to the transform, or that the engine cannot run.
    #[error(
        "passes of {stages:?} stages for 2^{log_n} points: one to three passes of 5 to 10 stages must add up"
    )]
    Passes {
        /// Stages of each pass.
        stages: Vec<u32>,
        /// Stages of the transform.
        log_n: u32,
    },
    /// The design updates tables in place: the engine can do that, but no program uses it.
    #[error(
        "poly.row_tables is `update`: transforms of several passes are written for `load` and `generate`"
    )]
    RowTables,
    /// The field has no domain of this size.
    #[error(transparent)]
    Domain(#[from] pairwright_poly::DomainError),
    /// The table of twiddles cannot be computed.
    #[error(transparent)]
    Poly(#[from] PolyError),
}
