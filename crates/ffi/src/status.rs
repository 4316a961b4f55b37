//! The status of a call, and the message of the last call that failed.

use core::ffi::{CStr, c_char};
use pairwright::device::DeviceError;
use pairwright::formats::FormatError;
use pairwright::protocols::groth16::{BytesError, ProveError, VerifyError};
use pairwright::randomness::NoRandomness;
use std::cell::RefCell;
use std::error::Error;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairwrightStatus {
    /// The call succeeded; of a verifier: the proof or signature is accepted.
    Ok = 0,
    /// A proof or a signature is not accepted.
    Rejected = 1,
    /// A file, bytes or an argument are not valid.
    BadInput = 2,
    /// A fault of the library or of the machine: there is no verdict.
    Internal = 3,
    /// A pointer is null although it must not be.
    NullPointer = 4,
    /// Anybody can forge proofs under the key. With the flag `PAIRWRIGHT_ALLOW_UNSAFE_KEY` it is accepted all the same.
    UnsafeKey = 5,
}

/// The status and the message of a call that did not succeed.
#[derive(Debug)]
pub(crate) struct Failure {
    status: PairwrightStatus,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: PairwrightStatus, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
    pub(crate) fn bad(why: impl ToString) -> Self {
        Self::new(PairwrightStatus::BadInput, why.to_string())
    }
    pub(crate) fn rejected(why: impl ToString) -> Self {
        Self::new(PairwrightStatus::Rejected, why.to_string())
    }
    pub(crate) fn internal(why: &(impl Error + ?Sized)) -> Self {
        Self::new(PairwrightStatus::Internal, why.to_string())
    }
    pub(crate) fn null(what: &str) -> Self {
        Self::new(PairwrightStatus::NullPointer, format!("{what}: the pointer is null"))
    }
}

impl From<FormatError> for Failure {
    fn from(why: FormatError) -> Self {
        if why.is_rejection() { Self::rejected(why) } else { Self::bad(why) }
    }
}
impl From<BytesError> for Failure {
    fn from(why: BytesError) -> Self {
        Self::bad(why)
    }
}
impl From<DeviceError> for Failure {
    fn from(why: DeviceError) -> Self {
        Self::internal(&why)
    }
}
impl From<NoRandomness> for Failure {
    fn from(why: NoRandomness) -> Self {
        Self::internal(&why)
    }
}
impl From<ProveError> for Failure {
    fn from(why: ProveError) -> Self {
        match why {
            ProveError::Device(why) => why.into(),
            other => Self::bad(other),
        }
    }
}
impl From<VerifyError> for Failure {
    fn from(why: VerifyError) -> Self {
        match why {
            VerifyError::Device(why) => why.into(),
            VerifyError::UnsafeKey(_) => Self::new(PairwrightStatus::UnsafeKey, why.to_string()),
            VerifyError::EmptyKey => Self::bad(why),
            other => Self::rejected(other),
        }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Stores the message for this thread; a thread that is terminating stores none.
fn remember(message: &str) {
    let text = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    let _ = LAST.try_with(|last| last.replace(text));
}

/// Runs the body of a function that C calls: panics are caught, and the message of a failure is stored.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> PairwrightStatus {
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(Failure::new(PairwrightStatus::Internal, format!("internal error: {said}")))
    });
    match outcome {
        Ok(()) => {
            remember("");
            PairwrightStatus::Ok
        }
        Err(failure) => {
            remember(&failure.message);
            failure.status
        }
    }
}

/// Runs a body like a function for C. It is used in tests of panics, as no call is known that panics.
#[doc(hidden)]
pub fn guarded(body: impl FnOnce()) -> PairwrightStatus {
    guard(|| {
        body();
        Ok(())
    })
}

/// The message of the last call on this thread that returned a status. It describes the fault; for a file it names file,
/// section and offset, or the member of a JSON document. It is empty after a call that succeeded, and never null. The string is
/// valid until the next such call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn pairwright_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn pairwright_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
