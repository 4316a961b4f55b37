//! Fuzzes the reader of age files with arbitrary bytes: see `properties/age.rs`.
#![no_main]

#[path = "../properties/age.rs"]
mod age;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    age::age(data);
});
