//! Sumcheck: proves that `Σ_x f(x)` over the corners of the hypercube has a claimed value, for `f` a sum of products of multilinear
//! tables.
//!
//! In each round the prover sends the polynomial `g` of the first remaining variable, which is `f` summed over all corners of the
//! other remaining variables. The claim is `g(0) + g(1)`, and the claim of the next round is `g(r)` at a challenge `r`. After the
//! last round the claim is about one value, `f(r_1, …, r_μ)`: a [`Subclaim`], which the caller of the verifier has to check.
//!
//! A round polynomial of degree `d` is sent as its values at 0, 2, 3, …, `d`. The value at 1 follows from the claim, so no element
//! of a proof can contradict the claim, and **only the check of the subclaim decides**.
//!
//! A false claim passes with probability at most `d·μ/|F|` over random challenges, which a [`Transcript`] replaces by hashes. The
//! first variable is bit 0 of a table's index, as everywhere in `pairwright_poly::mle`.
//!
//! [`Transcript`]: crate::transcript::Transcript

mod interpolation;
mod proof;
mod prove;
#[cfg(test)]
pub(crate) mod tests;
mod verify;

pub use proof::{BytesError, SumcheckProof};
pub(crate) use proof::{read_scalars, write_scalars};
pub use prove::{ProveError, Reduced, prove};
pub use verify::{MOST_DEGREE, Subclaim, VerifyError, verify};
