//! Why a task cannot be written.

use crate::machine::poly::PolyError;
use thiserror::Error;

/// An operator that the chip has no program for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A transform below the smallest sub-NTT.
    #[error("a transform of {points} points: sub-NTTs have at least 32")]
    Small {
        /// Number of points asked for.
        points: u64,
    },
    /// Passes that do not make a transform.
    #[error(
        "passes of {stages:?} stages for 2^{log_n} points: one to three passes of 5 to 10 stages must add up"
    )]
    Passes {
        /// Stages of each.
        stages: Vec<u32>,
        /// Stages of the transform.
        log_n: u32,
    },
    /// Tables that are changed in place, which the engine can do and no program makes use of.
    #[error(
        "poly.row_tables is `update`: transforms of several passes are written for `load` and `generate`"
    )]
    RowTables,
    /// No such domain.
    #[error(transparent)]
    Domain(#[from] pairwright_poly::DomainError),
    /// Twiddles that cannot be made.
    #[error(transparent)]
    Poly(#[from] PolyError),
}
