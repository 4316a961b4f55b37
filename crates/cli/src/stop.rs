//! Requests by a calling program that a command end early.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request that some work end early, which can be made from another thread. Clones share the same state.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The panic payload with which work unwinds after it was asked to end.
#[derive(Debug)]
pub struct Stopped;

thread_local! {
    /// The request that the command on this thread checks.
    static CURRENT: RefCell<Stop> = RefCell::default();
}

impl Stop {
    /// Asks the work to end.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work has been asked to end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Unwinds with [`Stopped`] if the work has been asked to end. Work calls this where it holds no lock and no half-made
    /// value, between two operators for instance.
    pub fn go_on(&self) {
        if self.is_requested() {
            resume_unwind(Box::new(Stopped));
        }
    }

    /// The request of the command that runs on this thread; outside of [`Self::during`] it is one that nobody can make.
    pub(crate) fn current() -> Self {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Runs some work on this thread, which this request can end.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        // The previous request is restored when the work unwinds, too.
        struct Before(Stop);
        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.set(std::mem::take(&mut self.0));
            }
        }
        let _before = Before(CURRENT.replace(self.clone()));
        work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Progress;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn progress_ends_work_that_was_asked_to_end() {
        let stop = Stop::default();
        let steps = std::cell::Cell::new(0);
        let work = || {
            stop.during(|| {
                let progress = Progress::new(3, "work");
                for step in 1..=3 {
                    progress.add(1);
                    steps.set(step);
                    if step == 2 {
                        stop.request();
                    }
                }
            });
        };
        let ended = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
        assert!(ended.is::<Stopped>());
        assert_eq!(steps.get(), 2);
        assert!(!Stop::current().is_requested(), "what runs next on this thread goes on");
    }
}
