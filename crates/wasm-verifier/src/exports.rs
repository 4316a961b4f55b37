//! What the module exports.
#![allow(unsafe_code)]

use crate::{UNREADABLE, judge};
use std::sync::Mutex;

/// The bytes of the key, the public values and the proof.
static FILES: Mutex<[Vec<u8>; 3]> = Mutex::new([Vec::new(), Vec::new(), Vec::new()]);

/// Makes room for the bytes of a file: 0 is the key, 1 the public values, 2 the proof. Gives the place in memory where the
/// host writes them, 0 if there is no such file.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(file: u32, length: u32) -> *mut u8 {
    let Ok(mut files) = FILES.lock() else { return core::ptr::null_mut() };
    let Some(bytes) = files.get_mut(file as usize) else { return core::ptr::null_mut() };
    *bytes = vec![0; length as usize];
    bytes.as_mut_ptr()
}

/// The verdict on what was written since the last call: 0 accepted, 1 rejected, 2 a file is not what it should be.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn verify() -> i32 {
    let Ok(mut files) = FILES.lock() else { return UNREADABLE };
    let [key, public, proof] = core::mem::take(&mut *files);
    judge(key, public, proof)
}
