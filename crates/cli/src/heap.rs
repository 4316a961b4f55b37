//! Settings of the C library's allocator for a process that runs one command and ends.
//!
//! The operators of a proof allocate and free megabytes in turn, and the system clears every page that it hands out: in a process
//! that proves 4,840 constraints, pages of 4 KiB that are handed out one by one take a third of the time. So threads share one heap,
//! whose first part is in large pages, and a proof keeps what it frees. Allocators other than glibc's stay as they are.
#![allow(unsafe_code)]

/// As many bytes as any command frees.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const ALL: usize = 1 << 30;
/// Address space that the heap begins with; memory is taken as it is used.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const RESERVED: usize = 256 << 20;

/// Has all threads share one heap that keeps what is freed, and asks for large pages for its first 256 MiB. It is called before a second
/// thread starts.
pub(crate) fn share() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::share();
}

/// Has this process, which may take so many bytes, keep up to an eighth of them when they are freed, except blocks of half the limit or of
/// 32 MiB and more. Plans leave that much free.
pub(crate) fn limit(bytes: u64) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::keep(usize::try_from(bytes / 8).unwrap_or(ALL));
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = bytes;
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use super::{ALL, RESERVED};
    use std::ffi::{c_int, c_void};
    use std::hint::black_box;

    // SAFETY: these are the C library's own declarations, of the library that Rust's allocator calls.
    unsafe extern "C" {
        fn mallopt(parameter: c_int, value: c_int) -> c_int;
        fn sbrk(increment: isize) -> *mut c_void;
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_TOP_PAD: c_int = -2;
    const M_MMAP_THRESHOLD: c_int = -3;
    const M_ARENA_MAX: c_int = -8;
    const MADV_HUGEPAGE: c_int = 14;
    const LARGE_PAGE: usize = 2 << 20;
    /// The largest size from which blocks can be mapped one by one.
    const LARGEST_IN_HEAP: usize = 32 << 20;

    fn set(parameter: c_int, value: usize) {
        let value = c_int::try_from(value).unwrap_or(c_int::MAX);
        // SAFETY: the parameters are numbers that say which memory the allocator takes and which freed memory it keeps; they touch no
        // memory that is in use. A parameter that the allocator does not know leaves its settings as they were.
        let _ = unsafe { mallopt(parameter, value) };
    }

    fn end_of_heap() -> *mut c_void {
        // SAFETY: an increment of zero asks where the heap ends and changes nothing.
        unsafe { sbrk(0) }
    }

    pub(super) fn share() {
        set(M_ARENA_MAX, 1);
        keep(ALL);
        let start = end_of_heap();
        // A block for which the heap has no room lets it grow, by the padding as well. Where address space is limited nothing grows.
        set(M_TOP_PAD, RESERVED);
        let mut block = Vec::<u8>::new();
        let _ = block.try_reserve_exact(LARGE_PAGE);
        drop(black_box(block));
        set(M_TOP_PAD, ALL / 64);
        let skipped = start.addr().next_multiple_of(LARGE_PAGE) - start.addr();
        let Some(bytes) = end_of_heap().addr().checked_sub(start.addr() + skipped) else { return };
        // SAFETY: the pages are the heap's; the advice changes no contents, and nothing depends on whether the system takes it.
        let _ = unsafe { madvise(start.wrapping_byte_add(skipped), bytes, MADV_HUGEPAGE) };
    }

    pub(super) fn keep(most: usize) {
        set(M_TRIM_THRESHOLD, most);
        set(M_TOP_PAD, most / 64);
        set(M_MMAP_THRESHOLD, most.saturating_mul(4).min(LARGEST_IN_HEAP));
    }
}
