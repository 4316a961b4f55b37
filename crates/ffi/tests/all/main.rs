//! The functions for C: called from C and C++, and from Rust with what C should not hand in.

mod calls;
mod programs;
