//! Prime fields in Montgomery form, tower extensions, batch inversion and byte encodings.
//!
//! The room everything stands on. A field is *data*: a zero-sized type that implements [`Modulus`] names the
//! prime, and [`Fp`] is the arithmetic. [`Quad`] and [`Cubic`] stack towers over any [`Ring`], so a tower
//! formula written once runs on values, on symbols and on counters.
//!
//! Knows nothing of curves, polynomials or devices.
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
