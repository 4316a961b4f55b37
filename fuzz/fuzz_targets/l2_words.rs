//! Fuzzes the decoder of instructions with arbitrary L2 words: see `properties/isa.rs`.
#![no_main]

#[path = "../properties/isa.rs"]
#[allow(dead_code)]
mod isa;

libfuzzer_sys::fuzz_target!(|data: &[u8]| isa::l2_words(data));
