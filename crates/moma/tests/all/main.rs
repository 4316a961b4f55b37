//! All integration tests in one binary, so that generic code is compiled once.
//!
//! Printed texts are compiled without optimisation, which takes a third of the time. Optimised, they are compiled by `library.rs`, by the
//! tests of `lab` and in `cpu`.

mod book;
mod contribute;
mod counts;
mod library;
mod print_c;
mod print_common;
mod print_cuda;
mod print_neon;
mod print_rust;
mod program_blas;
mod program_common;
mod program_generated;
mod program_inverse;
mod program_ntt;
mod program_shadow;
mod random_kernels;
mod rules;
