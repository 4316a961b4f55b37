//! Algebraic laws, written once: a test instantiates them in a line per type.
//!
//! Every law runs on edge operands first (zero, one, `p - 1`, limb boundaries, unreduced-looking Montgomery
//! forms), then on values from a seeded generator, so that a failure repeats.

mod extension;
mod field;
mod group;
mod operands;
mod pairing;
mod prime_field;

pub use extension::{extension, square_root};
pub use field::{field, ring};
pub use group::group;
pub use operands::{operands, points};
pub use pairing::pairing;
pub use prime_field::prime_field;
