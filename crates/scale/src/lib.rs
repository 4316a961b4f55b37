//! Groth16 proofs whose keys exceed memory.
//!
//! A [`Plan`] is a list of tasks. A task reads regions of files, computes with the operators of a device, and writes regions at
//! fixed offsets. It has no state, so it can run on any machine that can access the files, and more than once. [`plan()`] makes
//! a plan from the sizes of a key, [`run_task`] runs one task from a [`Job`], which is JSON, and [`execute`] runs all tasks in
//! this process with a [`Ledger`] of the finished ones, from which a proof that was killed can be resumed. Random values are
//! drawn only when the sums ([`sums`]) are blinded, and no task sees them. The proof has the same bytes as that of
//! [`prove`](pairwright_protocols::groth16::prove).
//!
//! The vectors of the quotient are extended to the coset in four steps. With `N = N1·N2`, row `i = i1·N2 + i2` of the circuit
//! and coefficient `k = k1 + N1·k2`, tasks transform columns over `i1`, rows over `i2` and back over `k2`, and columns over
//! `k1`. In between the values are exchanged through files, in pieces that a block of columns writes for a block of rows, and
//! the other way round. Value `j = j2 + N2·j1` of the coset ends in the layout in which the circuit's rows began, so no bit
//! reversal is needed.
#![forbid(unsafe_code)]

mod cluster;
mod digest;
mod error;
mod execute;
mod job;
mod layout;
mod ledger;
mod manifest;
mod plan;
mod region;
mod scheduler;
mod shard;
mod simulate;
mod sizes;
mod sums;
mod task;

pub use cluster::{Calibration, Cluster, Compared, Costs, Measured};
pub use digest::{Digest, Digester, PieceDigester};
pub use error::ScaleError;
pub use execute::{Progress, execute, in_order};
pub use job::{FileEntry, FileOrigin, Job, Op, Part, Plan, PlanFault, Region, Setting, Task};
pub use layout::Layout;
pub use ledger::{Ledger, Outcome};
pub use manifest::{BlockRegion, Manifest, SectionRange, Sections};
pub use plan::{WitnessRange, plan};
pub use scheduler::Scheduler;
pub use shard::shard;
pub use simulate::{KindTotal, Prediction, Span, simulate, urgency};
pub use sizes::{KeySizes, Sizes};
pub use sums::sums;
pub use task::run_task;

use pairwright_curve::{Pairing, compile_for_each_curve};

fn compiled<E: Pairing>() {
    core::hint::black_box((run_task::<E> as fn(&_, &_) -> _, sums::<E> as fn(&_, &_) -> _));
    core::hint::black_box(shard::<E> as fn(&_, _, &_, &mut dyn FnMut(u64)) -> _);
    type Next<'a> = &'a mut dyn FnMut(&[usize]) -> Option<usize>;
    type Watch<'a> = &'a mut dyn FnMut(Progress<'_>);
    core::hint::black_box(execute::<E> as fn(&_, &mut _, &_, Next<'_>, Watch<'_>) -> _);
}
compile_for_each_curve!(compiled);
