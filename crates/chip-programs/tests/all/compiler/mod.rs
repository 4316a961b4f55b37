//! The pairing compiler on routines of pairings: its words checked by the independent validator, and its schedulers
//! compared with each other.

mod chained;
mod common;
mod schedulers;
mod validator;
