//! The machine from outside: instruction set, compiler passes, engines under the sender, operators, and what they cost.
//! One binary, so that what the tests instantiate is built once.

mod fuzz_seeds;
mod goldens;
mod isa;
mod isa_example;
mod l2_programs;
mod limits;
mod operators;
mod power;
mod power_chip;
mod scale;
