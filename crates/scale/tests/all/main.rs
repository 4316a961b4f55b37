//! Plans and what comes of them.
#![allow(unreachable_pub, reason = "modules of one binary")]

mod faults;
mod jobs;
mod orders;
mod plans;
mod proofs;
mod setups;
mod simulations;
mod workshop;
