//! Algebraic laws as generic tests, which a test crate instantiates in one line per type.
//!
//! Every law is tested on edge cases first (zero, one, `p - 1`, limb boundaries, special Montgomery
//! forms), then on values from a seeded generator, so that failures are reproducible.

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
