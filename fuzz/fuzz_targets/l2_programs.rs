//! Fuzzes the processor with arbitrary routines on several designs: see `properties/l2.rs`.
#![no_main]

#[path = "../properties/l2.rs"]
#[allow(dead_code)]
mod l2;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = l2::l2_programs(data);
});
