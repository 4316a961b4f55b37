//! Memory that a proof frees stays with the process, for the next operator.
//!
//! The allocator of glibc gives freed memory back to the system at a size that it learns while the program runs. The operators of a proof
//! free and ask for megabytes in turns, and the system clears every page that it gives out: of a process that proves 4,840 constraints a
//! seventh of the time.
#![allow(unsafe_code)]

/// Has this process keep what it frees, but for blocks of 32 MiB and more. Only for a process that does one thing and ends.
pub(crate) fn keep() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;
        // SAFETY: this is the declaration of the C library, which Rust's own allocator calls.
        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        const M_TRIM_THRESHOLD: c_int = -1;
        const M_TOP_PAD: c_int = -2;
        const M_MMAP_THRESHOLD: c_int = -3;
        for (parameter, value) in
            [(M_TRIM_THRESHOLD, 1 << 30), (M_TOP_PAD, 16 << 20), (M_MMAP_THRESHOLD, 32 << 20)]
        {
            // SAFETY: the parameters are numbers that change what the allocator keeps, and no memory that is in use. One that it does
            // not take leaves it as it was.
            let _ = unsafe { mallopt(parameter, value) };
        }
    }
}
