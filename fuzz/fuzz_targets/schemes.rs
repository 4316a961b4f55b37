//! Fuzzes the decoders of attribute-based and functional encryption and of BBS signatures with arbitrary bytes: see
//! `properties/schemes.rs`.
#![no_main]

#[path = "../properties/schemes.rs"]
mod schemes;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    schemes::schemes(data);
});
