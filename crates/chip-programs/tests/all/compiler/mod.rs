//! The pairing compiler on routines of pairings: its words against the independent validator, its schedulers against
//! each other.

mod chained;
mod common;
mod schedulers;
mod validator;
