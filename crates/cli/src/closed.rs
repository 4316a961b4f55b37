//! Whether standard output was closed when the process began (`>&-`). With `freed.rs` the only place of this crate with `unsafe`.
//!
//! Before `main`, Rust opens `/dev/null` in the place of standard streams that are closed, so that no file which is opened
//! later gets their number. After that a closed stream looks as one whose user wants no output, so this looks before.
#![allow(unsafe_code)]

use std::io;

/// Fails when standard output was closed. Only Linux tells.
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

    // SAFETY: this is the C library's declaration, of which Rust's own library uses the same.
    unsafe extern "C" {
        fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    }

    extern "C" fn look() {
        // SAFETY: with this command `fcntl` takes no third argument and no pointer, and changes nothing; of a number that
        // is no open descriptor it returns -1.
        let flags = unsafe { fcntl(STANDARD_OUTPUT, F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: what starts a program calls every entry of this section once, on its only thread, before `main`, as a C
    // function without a result. Some C libraries pass arguments, which a C function may leave unread. `look` needs
    // nothing of Rust that `main` would have to prepare: it makes a system call and stores into an atomic.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}
