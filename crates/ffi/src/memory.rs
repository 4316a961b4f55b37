//! Access to the memory behind the caller's pointers, and buffers that the library hands out.

use crate::PairwrightStatus;
use crate::status::Failure;
use core::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Borrows the value behind a handle of the caller.
///
/// # Safety
/// The pointer is null, or a handle that was handed out and is not freed during `'a`.
pub(crate) unsafe fn borrow<'a, T>(handle: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: it is null or points to a live value that nobody changes, which the caller promises.
    unsafe { handle.as_ref() }.ok_or_else(|| Failure::null(what))
}

/// Borrows an array of the caller. The pointer may be null if the array is empty.
///
/// # Safety
/// The pointer is null, or there are `length` initialised elements that nobody changes during `'a`.
pub(crate) unsafe fn array<'a, T>(first: *const T, length: usize, what: &str) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if first.is_null() {
        return Err(Failure::null(what));
    }
    if !first.is_aligned()
        || length.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize)
    {
        return Err(Failure::bad(format!("{what}: no array has {length} elements at this address")));
    }
    // SAFETY: the pointer is aligned and not null, the length fits, and the caller promises the elements.
    Ok(unsafe { core::slice::from_raw_parts(first, length) })
}

/// Borrows `N` bytes of the caller.
///
/// # Safety
/// As [`array`], of `N` bytes.
pub(crate) unsafe fn fixed<'a, const N: usize>(first: *const u8, what: &str) -> Result<&'a [u8; N], Failure> {
    // SAFETY: the promise of this function.
    let bytes = unsafe { array(first, N, what) }?;
    bytes.first_chunk().ok_or_else(|| Failure::null(what))
}

/// Borrows a text of the caller that ends in a zero byte.
///
/// # Safety
/// The pointer is null, or a text with its zero byte that nobody changes during `'a`.
pub(crate) unsafe fn text<'a>(first: *const c_char, what: &str) -> Result<&'a CStr, Failure> {
    if first.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: it is not null, and the caller promises the rest.
    Ok(unsafe { CStr::from_ptr(first) })
}

/// Copies a path of the caller: any bytes on Unix, UTF-8 elsewhere.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn path(first: *const c_char) -> Result<PathBuf, Failure> {
    // SAFETY: the promise of this function.
    let text = unsafe { text(first, "path") }?;
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(std::ffi::OsStr::from_bytes(text.to_bytes()).into())
    }
    #[cfg(not(unix))]
    text.to_str().map(PathBuf::from).map_err(|_| Failure::bad("path: not UTF-8"))
}

/// An out-parameter: memory of the caller for one value.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Wraps the pointer and writes `empty`, which stays if no value is written later.
    ///
    /// # Safety
    /// The pointer is null, or a `T` can be written there until this value is dropped.
    pub(crate) unsafe fn new(place: *mut T, empty: T, what: &str) -> Result<Self, Failure> {
        if place.is_null() {
            return Err(Failure::null(what));
        }
        // SAFETY: it is not null, and the caller promises the rest; what is there may be uninitialised and is not dropped.
        unsafe { place.write(empty) };
        Ok(Self(place))
    }

    /// Writes the value.
    pub(crate) fn put(self, value: T) {
        // SAFETY: the promise made to `new` holds as long as this value is there.
        unsafe { self.0.write(value) }
    }
}

impl<T> Out<*mut T> {
    /// Moves the value to the heap and writes a handle to it.
    pub(crate) fn hand_out(self, value: T) {
        self.put(Box::into_raw(Box::new(value)));
    }
}

/// Copies `N` bytes to memory of the caller.
///
/// # Safety
/// The pointer is null, or `N` bytes can be written there.
pub(crate) unsafe fn copy_out<const N: usize>(
    bytes: &[u8],
    place: *mut u8,
    what: &str,
) -> Result<(), Failure> {
    let wrong = || Failure::new(PairwrightStatus::Internal, format!("{what}: {} bytes", bytes.len()));
    let bytes: [u8; N] = bytes.try_into().map_err(|_| wrong())?;
    if place.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: it is not null, bytes need no alignment, and the caller promises room for `N`.
    unsafe { place.cast::<[u8; N]>().write(bytes) };
    Ok(())
}

/// Takes a handle back and drops its value.
///
/// # Safety
/// The pointer is null, or a handle that was handed out, is not freed, and is used by nobody any more.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: `Out::hand_out` made it from a box of the same type, and nobody else has it, as the caller promises.
        let value = unsafe { Box::from_raw(handle) };
        // No handle panics when it is dropped; if one did, C must not see it. The last message stays.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
    }
}

/// Bytes that the library hands out. A zero byte follows them, so that text is a string of C.
pub struct PairwrightBuffer(Vec<u8>);

impl PairwrightBuffer {
    pub(crate) fn new(mut bytes: Vec<u8>) -> Self {
        bytes.push(0);
        Self(bytes)
    }
}

/// The bytes of a buffer, null for a null buffer. They stay until it is freed.
///
/// # Safety
/// The buffer is null or not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_buffer_data(buffer: *const PairwrightBuffer) -> *const u8 {
    // SAFETY: the promise of this function.
    unsafe { buffer.as_ref() }.map_or(core::ptr::null(), |buffer| buffer.0.as_ptr())
}

/// The number of bytes in a buffer, without the zero byte that follows them; 0 for a null buffer.
///
/// # Safety
/// The buffer is null or not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_buffer_length(buffer: *const PairwrightBuffer) -> usize {
    // SAFETY: the promise of this function.
    unsafe { buffer.as_ref() }.map_or(0, |buffer| buffer.0.len().saturating_sub(1))
}

/// Frees a buffer; nothing is done for null.
///
/// # Safety
/// The buffer is null, or it is not freed yet and used by nobody any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pairwright_buffer_free(buffer: *mut PairwrightBuffer) {
    // SAFETY: the promise of this function.
    unsafe { free(buffer) }
}
