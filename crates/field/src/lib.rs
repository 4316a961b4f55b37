//! Prime fields in Montgomery form, tower extensions, batch inversion and byte encodings.
//!
//! All other crates build on this one; it depends on none of them and knows nothing of curves, polynomials or devices.
//!
//! A prime field is described by *data*: a zero-sized type that implements [`Modulus`] gives the prime, and [`Fp`] implements
//! the arithmetic for it. [`Quad`] and [`Cubic`] build extension towers over any [`Ring`], so that one tower formula can be
//! evaluated on field elements, on symbols (to record a dataflow graph) and on operation counters.
#![cfg_attr(not(test), no_std)]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[expect(unsafe_code, reason = "instructions that compilers do not choose")]
mod adx;
mod batch;
pub mod ct;
mod decimal;
mod encode;
mod fp;
mod inverse;
pub mod limbs;
mod modulus;
mod mont;
#[cfg(feature = "serde")]
pub mod serial;
mod sqrt;
mod steps;
mod tower;
mod traits;
mod wide;
mod wide_fp;

pub use batch::{batch_invert, batch_invert_with};
pub use encode::FieldError;
pub use fp::Fp;
pub use modulus::Modulus;
pub use steps::{MinusSmall, Root, SmallPlusRoot};
pub use tower::{Cubic, Quad};
pub use traits::{Extension, Field, NonResidue, PrimeField, Ring, Sqrt};
pub use wide::{Wide, WideCubic, WideQuad};
pub use wide_fp::WideFp;
