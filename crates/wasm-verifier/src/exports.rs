//! The functions that the WebAssembly module exports.
#![allow(unsafe_code)]

use crate::{UNREADABLE, judge};
use std::sync::Mutex;

/// The bytes of the key, the public values and the proof.
static FILES: Mutex<[Vec<u8>; 3]> = Mutex::new([Vec::new(), Vec::new(), Vec::new()]);

/// Allocates memory for `length` bytes of a file: 0 is the key, 1 the public values, 2 the proof. Returns the address to which the
/// host writes them, or 0 if there is no such file.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(file: u32, length: u32) -> *mut u8 {
    let Ok(mut files) = FILES.lock() else { return core::ptr::null_mut() };
    let Some(bytes) = files.get_mut(file as usize) else { return core::ptr::null_mut() };
    *bytes = vec![0; length as usize];
    bytes.as_mut_ptr()
}

/// Verifies the files that were written since the last call. Returns 0 for accepted, 1 for rejected, 2 for a malformed file or an
/// insecure key.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn verify() -> i32 {
    let Ok(mut files) = FILES.lock() else { return UNREADABLE };
    let [key, public, proof] = core::mem::take(&mut *files);
    judge(key, public, proof)
}
