//! What Plonk and fflonk have in common: they prove the same table of gates and the same permutation of its cells, with
//! commitments to polynomials under one τ.

pub(crate) mod points;

pub use points::{BadPoint, Element};
