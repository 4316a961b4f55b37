//! The whole chip: its engines under the sender, as operators, as a device, and what it costs.

mod board;
mod operators;
mod power;
mod power_chip;
mod prover;
mod routines_on_chip;
