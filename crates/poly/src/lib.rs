//! Buffers, evaluation domains, polynomials typed by their basis, multilinear tables, and plain forms of the NTT, of trees and of
//! the rounds of sumchecks, which devices are compared with. What is fast is in devices.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod buf;
mod copies;
mod domain;
mod key_section;
pub mod mle;
pub mod plain;
mod poly;
mod source;
pub mod sumcheck;
mod sync;
mod tree;

pub use buf::{Buf, View};
pub use copies::{Copies, Memory};
pub use domain::{Domain, DomainError, bit_reversed};
pub use key_section::KeySection;
#[cfg(feature = "std")]
pub use pairwright_pages::Kept;
pub use pairwright_pages::{Pages, Piece, ask_for_large_pages};
pub use poly::{Basis, Coeff, CosetEval, Eval, Poly};
pub use source::{Source, SourceError};
pub use sumcheck::{SumOfProducts, Term};
pub use tree::Levels;
