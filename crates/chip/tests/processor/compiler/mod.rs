//! The pairing compiler: its words against the independent validator, its schedulers against each other, its passes
//! against goldens.

mod chained;
mod common;
mod goldens;
mod schedulers;
mod validator;
