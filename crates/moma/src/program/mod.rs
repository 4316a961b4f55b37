//! Array programs: vector arithmetic, number-theoretic transforms and inversion as data.
//!
//! The scalar layer of this crate turns one operation on wide integers into machine words. This module is the layer
//! above: an [`ArrayKernel`] moves *elements* (integers modulo `q`, each a fixed number of machine words) between
//! buffers and element registers and calls *field functions* by [`Role`]. It never reads the words of an element, so
//! the same program serves every width, reduction and word size; modulus and twiddles are data.
//!
//! | part | holds |
//! |---|---|
//! | [`lang`] | the language: index expressions, statements, phases between barriers |
//! | [`interp`] | the language run on big integers, refusing races and unset values |
//! | [`mod@print`] | CUDA C, the same text as portable C block by block (the host shadow), C and Rust for plain host kernels |
//! | [`blas`] | vadd, vsub, vmul, axpy |
//! | [`ntt`] | plans, twiddles, device passes and host kernels of the transform |
//! | [`chain`] | powers with a fixed exponent |
//! | [`formula`] | straight-line formulas over elements, such as additions of points |
//! | [`inverse`] | inversion by exponentiation and in batches |
//! | [`scans`] | powers, running products and Horner's rule, by pieces of eight |
//! | [`poseidon`] | hashes of pairs of elements |
//! | [`rounds`] | rounds of sumchecks and their bound tables |
//! | [`tables`] | levels of trees and bound variables |
//! | [`primes`] | NTT-friendly primes and roots of unity |

pub mod blas;
pub mod chain;
pub mod formula;
pub mod interp;
pub mod inverse;
pub mod lang;
pub mod ntt;
pub mod poseidon;
pub mod primes;
pub mod print;
pub mod rounds;
pub mod scans;
pub mod tables;
#[cfg(test)]
mod trial;

pub use lang::{
    Access, ArrayKernel, Buffer, BufferKind, Element, ElementPlace, IndexVar, Ix, Launch, Node, Reg, Role,
    Stmt,
};
