//! Sumcheck: `Σ_x f(x)` over the corners of the hypercube is what is claimed, for `f` a sum of products of multilinear
//! tables.
//!
//! In a round the prover sends the polynomial `g` of the first variable that is left, summed over all corners of the
//! others; `g(0) + g(1)` is the claim, and the claim of the next round is `g(r)` at a challenge `r`. After the last round
//! the claim is of one value, `f(r_1, …, r_μ)`: a [`Subclaim`], which somebody has to check.
//!
//! A round polynomial of degree `d` goes over the wire as its values at 0, 2, 3, …, `d`. The value at 1 follows from the
//! claim, so nothing in a proof can contradict the claim before the last round, and **only the subclaim decides**.
//!
//! A false claim passes with probability at most `d·μ/|F|`, over challenges that are random; those of a [`Transcript`]
//! stand for them. The first variable is bit 0 of a table's index, as everywhere in `pairwright_poly::mle`.
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
