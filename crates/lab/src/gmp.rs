//! The baseline: vector arithmetic and NTTs on GMP, in its two layers.
//!
//! - `gmp mpz`: integers of any size, an operation and then `mpz_mod`, as a program written against GMP's manual does
//!   it; this is what [MoMA] measures against.
//! - `gmp mpn`: limbs in arrays, additions with one conditional subtraction, products by `mpn_mul_n` and one
//!   `mpn_tdiv_qr`: the most that GMP's public functions give.

mod layers;
mod works;

pub(crate) use layers::{Layer, Mpn, Mpz};
pub(crate) use works::{GmpNtt, GmpVector};
