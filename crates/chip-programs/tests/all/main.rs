//! Tests of programs on the machine: compiled routines, pairings, schemes, proofs, and the chip as a device. They form
//! one binary, so that the generic functions are instantiated once.

mod board;
mod compiler;
mod machine_pairing;
mod parameters;
mod programs_credentials;
mod programs_groth16;
mod programs_hash;
mod programs_on_processor;
mod programs_pairings;
mod programs_points;
mod programs_schemes;
mod programs_vs_blst;
mod prover;
mod routines_on_chip;
