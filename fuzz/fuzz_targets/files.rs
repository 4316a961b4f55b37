//! Any bytes for the decoders of files: see `properties/files.rs`.
#![no_main]

#[path = "../properties/files.rs"]
mod files;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    files::files(data);
});
