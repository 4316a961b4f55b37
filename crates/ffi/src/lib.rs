//! Pairwright from C: Groth16 proofs of circom's circuits, their verification, and BLS signatures.
//!
//! The header `include/pairwright.h` is printed from this source by `cargo x gen`, and the book's page *From C* shows how to
//! link. All exported functions follow these rules:
//!
//! - A function that can fail returns a [`PairwrightStatus`], and on failure stores a message for [`pairwright_last_error`].
//!   Functions that free a handle, or return a number or a name of it, cannot fail.
//! - A panic in the library is caught at the boundary and returned as `PAIRWRIGHT_STATUS_INTERNAL`.
//! - A null pointer that is not allowed gives `PAIRWRIGHT_STATUS_NULL_POINTER`. Other pointers have to be as the function
//!   requires: no library can check that.
//! - Values are handed out as opaque handles, each type with a function that frees it. Handles are immutable, so that threads
//!   may use one at the same time; a handle is freed once, by its last user.
//!
//! The code that is generic over the curves is in `groth16` and has no `unsafe`. `memory` accesses the memory behind the
//! pointers of calls that can fail; functions that cannot fail dereference their handle themselves.
//!
//! `#[unsafe(no_mangle)]` is sound: the names of the functions begin with the name of the library, and no other function of the
//! program has the same name.

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
