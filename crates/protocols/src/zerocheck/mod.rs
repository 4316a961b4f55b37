//! Zerocheck: proves that an expression in multilinear tables vanishes at every corner of the hypercube (\[MTU\] §3.1.1).
//!
//! It is not enough that the values sum to zero, but it is enough that they do so when weighted by `eq(x, r)` for a random
//! `r`: `Σ_x eq(x, r)·f(x)` is the value at `r` of the multilinear extension of `f`'s values, which is the zero
//! polynomial only if all of them are zero. So a zerocheck is a sumcheck of `eq·f` with claim 0. Both sides reduce its last claim
//! to the values of the tables at one point; the verifier computes `eq` there in `O(μ)`.
//!
//! The verifier returns [`Evaluations`]: claims about the tables, which a commitment scheme has to check. A false statement
//! passes with probability at most `(d + 2)·μ/|F|` for an expression of degree `d`: `μ/|F|` that `r` is a root, and
//! `(d + 1)·μ/|F|` in the sumcheck. This holds for random challenges, which the transcript replaces by hashes, and for tables that
//! were fixed (their commitments absorbed) before `r` was drawn. The operators are the trees of \[MTU\]: `build_eq`, `mle_eval`, and
//! the rounds between them.

mod proof;
mod prove;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod vector;
mod verify;

pub use proof::{Proof, Statement};
pub use prove::{ProveError, prove};
pub use verify::{Evaluations, VerifyError, verify};
