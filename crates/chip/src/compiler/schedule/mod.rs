//! Instruction scheduling: [CP] Algorithm 1, and stronger ones.

mod bound;
mod exact;
mod list;
mod priority;
mod problem;
mod table;

pub use bound::{Windows, bound};
pub use exact::{Exact, exact};
pub use list::random;
pub use priority::{Ranks, by_rank, critical_path, justified, perturbed, within};
pub use problem::{Problem, Row, Schedule, Task, Way};
pub use table::Table;
