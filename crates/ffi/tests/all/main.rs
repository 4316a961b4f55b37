//! Tests of the functions for C: called from C and C++, and from Rust with invalid arguments.

mod calls;
mod programs;
