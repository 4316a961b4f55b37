//! Buffers, evaluation domains, polynomials typed by their basis, and multilinear tables. The crate also has reference
//! implementations of the number-theoretic transform (NTT), of trees and of sumcheck rounds, against which devices are tested;
//! the fast implementations are in the devices.
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
pub use pairwright_pages::BlockReuse;
pub use pairwright_pages::{Pages, Piece, ask_for_large_pages};
pub use poly::{Basis, Coeff, CosetEval, Eval, Poly};
pub use source::{Source, SourceError};
pub use sumcheck::{SumOfProducts, Term};
pub use tree::Levels;
