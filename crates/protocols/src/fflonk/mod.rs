//! fflonk (eprint 2021/1167) in the shape snarkjs gave it: Plonk's gates and permutation, with many polynomials behind one
//! commitment, so that a verifier has few points to multiply.
//!
//! Polynomials `f_0 … f_(k-1)` are committed to as one, `f_0(X^k) + X·f_1(X^k) + … + X^(k-1)·f_(k-1)(X^k)`, whose values at the
//! k-th roots of a point say what all of them are at that point. Of eight are the key's selectors and permutation (C0), of four
//! the columns and the gates' quotient (C1), of three the running product and its two quotients (C2). C0 and C1 are opened at
//! ξ, C2 at ξ and ξω, by two points W1 and W2 (the scheme of eprint 2020/081).
//!
//! Files of it are known on BN254 alone; the protocol itself asks for no curve.

mod keys;
mod points;

pub use crate::groth16::{Fault, InSubgroup};
pub use crate::plonkish::{BadPoint, Element};
pub use keys::{Evaluations, Proof, VerifyingKey};
