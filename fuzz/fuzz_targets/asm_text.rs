//! Fuzzes the assembler with arbitrary text: see `properties/isa.rs`.
#![no_main]

#[path = "../properties/isa.rs"]
#[allow(dead_code)]
mod isa;

libfuzzer_sys::fuzz_target!(|data: &[u8]| isa::asm_text(data));
