//! Fuzzes the readers of keystores and BLS documents, and precompiled contracts, with arbitrary bytes: see `properties/signatures.rs`.
#![no_main]

#[path = "../properties/signatures.rs"]
mod signatures;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    signatures::signatures(data);
});
