//! Pairwright from C: Groth16 proofs of circom's circuits, their verification, and BLS signatures.
//!
//! The header `include/pairwright.h` is printed from this source by `cargo x gen`, and the book's page *From C* shows how to
//! link. Every function has a form that C can call, and keeps to these rules:
//!
//! - If it can fail, it returns a [`PairwrightStatus`], and on failure leaves a message for [`pairwright_last_error`]. What frees
//!   a handle, or says a number or a name of it, cannot fail.
//! - A panic of ours ends at the boundary, as `PAIRWRIGHT_STATUS_INTERNAL`.
//! - A null pointer where there must be none is answered with `PAIRWRIGHT_STATUS_NULL_POINTER`. Other pointers have to be what
//!   the function says: no library can check that.
//! - What it hands out is an opaque handle with a function that frees it. Handles do not change once they are made, so that
//!   threads may use one at the same time; it is freed once, by whoever is last.
//!
//! The code of the curves is in `groth16` and has no `unsafe`; `memory` says what is behind the pointers of a call that can
//! fail, and what cannot fail looks at its handle itself.
//!
//! `#[unsafe(no_mangle)]` is sound: a function's name begins with the library's, and no other function of the program has it.

mod bls;
mod groth16;
mod keys;
mod memory;
mod proofs;
mod status;

pub use bls::*;
pub use keys::*;
pub use memory::{
    PairwrightBuffer, pairwright_buffer_data, pairwright_buffer_free, pairwright_buffer_length,
};
pub use proofs::*;
pub use status::{PairwrightStatus, guarded, pairwright_last_error, pairwright_version};
