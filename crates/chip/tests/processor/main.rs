//! The pairing processor: instruction set, compiler, machine and programs. One binary, so that what they all
//! instantiate is built once.

mod compiler;
mod fuzz_seeds;
mod isa;
mod isa_example;
mod l2_programs;
mod machine_pairing;
mod programs_groth16;
mod programs_hash;
mod programs_on_processor;
mod programs_pairings;
mod programs_points;
mod programs_schemes;
mod programs_vs_blst;
