//! Tests of the machine from outside: instruction set, compiler passes, engines under the sender, operators, and their
//! costs. All are one binary, so that the generic code that they instantiate is compiled once.

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
