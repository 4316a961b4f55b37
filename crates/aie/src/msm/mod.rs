//! A whole MSM on the board, \[AIE\] II.C and V: Pippenger's algorithm with the additions on the array, and everything
//! else in the programmable logic.
//!
//! ```text
//!   DRAM ─► points, scalars ─► digits ─► scheduler ─► units of bucket accumulation ─┐
//!                                          │   ▲       (mixed additions)            │
//!                                     waiting  buckets ◄────────────────────────────┘
//!                                              └─► unit of bucket and group aggregation (complete additions)
//! ```

mod error;
mod job;
mod report;

pub use error::MsmError;
pub use job::{First, Job, Spread};
pub use report::{Bound, MsmReport, Phases};
