//! Any bytes for proofs of a zerocheck: see `properties/zerocheck.rs`.
#![no_main]

#[path = "../properties/zerocheck.rs"]
mod zerocheck;

libfuzzer_sys::fuzz_target!(|data: &[u8]| zerocheck::zerocheck(data));
