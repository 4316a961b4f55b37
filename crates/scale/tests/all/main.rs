//! Tests of plans, their execution and their simulation.
#![allow(unreachable_pub, reason = "modules of one binary")]

mod faults;
mod jobs;
mod orders;
mod plans;
mod proofs;
mod setups;
mod simulations;
mod workshop;
