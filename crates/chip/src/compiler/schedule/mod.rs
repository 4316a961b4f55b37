//! Instruction scheduling: Algorithm 1 of \[CP\], and stronger schedulers.

mod bound;
mod exact;
mod list;
mod modulo;
mod priority;
mod problem;
mod table;

pub use bound::{Windows, bound};
pub use exact::{ExactSchedule, beam, exact};
pub use list::random;
pub use modulo::{CallTiming, least_period};
pub use priority::{Ranks, by_rank, critical_path, justified, perturbed, within};
pub use problem::{Link, Problem, Route, Row, Schedule, ScheduledOp, Seam};
pub use table::Table;
