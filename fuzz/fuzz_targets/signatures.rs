//! Any bytes for the readers of keystores and of BLS documents, and for precompiled contracts: see `properties/signatures.rs`.
#![no_main]

#[path = "../properties/signatures.rs"]
mod signatures;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    signatures::signatures(data);
});
