//! Fuzzes openings of Merkle trees with arbitrary bytes: see `properties/openings.rs`.
#![no_main]

#[path = "../properties/openings.rs"]
mod openings;

libfuzzer_sys::fuzz_target!(|data: &[u8]| openings::openings(data));
