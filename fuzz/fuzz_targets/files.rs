//! Fuzzes the decoders of files with arbitrary bytes: see `properties/files.rs`.
#![no_main]

#[path = "../properties/files.rs"]
mod files;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    files::files(data);
});
