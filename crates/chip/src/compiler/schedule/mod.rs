//! Instruction scheduling: [CP] Algorithm 1, and stronger ones.

mod bound;
mod list;
mod priority;
mod problem;
mod table;

pub use bound::bound;
pub use list::random;
pub use priority::{Ranks, by_rank, critical_path, perturbed};
pub use problem::{Problem, Schedule, Task};
pub use table::Table;
