//! Has the allocator keep the memory that a proof frees, so that the next operator reuses it.
//!
//! glibc's allocator returns freed memory to the system above a threshold that it adapts while the program runs. The operators of a
//! proof free and allocate megabytes in turn, and the system clears every page that it hands out. In a process that proves 4,840
//! constraints, this takes a seventh of the time.
#![allow(unsafe_code)]

/// As many bytes as any proof frees.
pub(crate) const ALL: usize = 1 << 30;

/// Has this process keep up to `most` bytes of the memory that each of its threads frees, except blocks of four times as many bytes or of
/// 32 MiB and more. Only for a process that runs one command and ends.
pub(crate) fn keep(most: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;
        // SAFETY: this is the C library's own declaration of `mallopt`, of the library that Rust's allocator calls.
        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        const M_TRIM_THRESHOLD: c_int = -1;
        const M_TOP_PAD: c_int = -2;
        const M_MMAP_THRESHOLD: c_int = -3;
        let most = c_int::try_from(most.min(ALL)).unwrap_or(c_int::MAX);
        for (parameter, value) in [
            (M_TRIM_THRESHOLD, most),
            (M_TOP_PAD, most / 64),
            (M_MMAP_THRESHOLD, most.saturating_mul(4).min(32 << 20)),
        ] {
            // SAFETY: the parameters are numbers that change which freed memory the allocator keeps; they touch no memory that is in
            // use. A parameter that the allocator does not take leaves its settings as they were.
            let _ = unsafe { mallopt(parameter, value) };
        }
    }
}
