//! The code that [`plonk`](crate::plonk) and [`fflonk`](crate::fflonk) share: both prove a table of gates and a permutation of its
//! cells, with KZG commitments to polynomials under one τ.

#[cfg(feature = "std")]
pub(crate) mod blinding;
#[cfg(feature = "std")]
pub(crate) mod columns;
pub(crate) mod equation;
#[cfg(feature = "std")]
pub(crate) mod gates;
#[cfg(feature = "std")]
mod instances;
#[cfg(feature = "std")]
pub(crate) mod keys;
pub(crate) mod points;
#[cfg(feature = "std")]
pub(crate) mod prover;
#[cfg(feature = "std")]
pub(crate) mod quotient;
#[cfg(feature = "std")]
pub(crate) mod setup;
#[cfg(feature = "std")]
pub(crate) mod sizes;
pub(crate) mod transcript;
pub(crate) mod verify;

pub use crate::groth16::PointFault;
pub use equation::{Equation, VerifyError, Weakness};
#[cfg(feature = "std")]
pub use gates::Gates;
#[cfg(feature = "std")]
pub use keys::ProvingKey;
pub use points::{BadPoint, Element};
#[cfg(feature = "std")]
pub use prover::ProveError;
#[cfg(feature = "std")]
use setup::LEAST_ROWS;
pub use verify::{Claim, PlonkishKey, Prepared};

/// An additional wire, which the constraint system does not have: `left_factor·left + right_factor·right` of two earlier wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addition<F> {
    /// The wire of the first term.
    pub left: u32,
    /// The wire of the second term.
    pub right: u32,
    /// The factor of the first term.
    pub left_factor: F,
    /// The factor of the second term.
    pub right_factor: F,
}
