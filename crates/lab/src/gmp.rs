//! The baseline: vector arithmetic and NTTs with GMP, through two of its interfaces.
//!
//! - `gmp mpz`: integers of any size, with an operation followed by `mpz_mod`, as in a program that follows GMP's
//!   manual; this is what [MoMA] compares with.
//! - `gmp mpn`: arrays of limbs, additions with one conditional subtraction, products by `mpn_mul_n` and one
//!   `mpn_tdiv_qr`: the best that GMP's public functions allow.

mod layers;
mod works;

pub(crate) use layers::{Layer, Mpn, Mpz};
pub(crate) use works::{GmpNtt, GmpVector};
