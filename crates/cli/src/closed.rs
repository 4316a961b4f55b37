//! Whether standard output was closed when the process began (`>&-`). This file and `freed.rs` are the only ones of this crate with
//! `unsafe`.
//!
//! Before `main`, Rust opens `/dev/null` in place of standard streams that are closed, so that no file that is opened later gets their
//! descriptors. From then on a closed stream cannot be told from one that the user has redirected to `/dev/null`, so this module
//! checks earlier.
#![allow(unsafe_code)]

use std::io;

/// Fails when standard output was closed at the start of the process. It is checked on Linux only.
pub(crate) fn expect_standard_output() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if before_main::CLOSED.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(())
}

#[cfg(target_os = "linux")]
mod before_main {
    use std::ffi::c_int;
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static CLOSED: AtomicBool = AtomicBool::new(false);

    /// The command of `fcntl` that reads the flags of a descriptor.
    const F_GETFD: c_int = 1;
    const STANDARD_OUTPUT: c_int = 1;

    // SAFETY: this is the C library's own declaration of `fcntl`, which Rust's standard library uses too.
    unsafe extern "C" {
        fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    }

    extern "C" fn check_standard_output() {
        // SAFETY: with this command `fcntl` takes no third argument and no pointer, and changes nothing; for a number that
        // is no open descriptor it returns -1.
        let flags = unsafe { fcntl(STANDARD_OUTPUT, F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the C library's start-up code calls every entry of this section once, on the only thread, before `main`, as a
    // C function without a result. Some C libraries pass arguments, which a C function may leave unread. This one needs no part
    // of Rust's runtime that is initialised before `main`: it makes a system call and stores into an atomic.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static CHECK: extern "C" fn() = check_standard_output;
}
