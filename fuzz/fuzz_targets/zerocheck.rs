//! Fuzzes the verifier of zerocheck proofs with arbitrary bytes: see `properties/zerocheck.rs`.
#![no_main]

#[path = "../properties/zerocheck.rs"]
mod zerocheck;

libfuzzer_sys::fuzz_target!(|data: &[u8]| zerocheck::zerocheck(data));
