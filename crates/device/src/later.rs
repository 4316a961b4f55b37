//! Results that a machine is still computing.

use crate::{Cost, Done, Record, Time};
use alloc::boxed::Box;
use core::fmt;

/// A result that a machine may still be computing. A machine that does one thing after the other has it at once.
pub struct Later<T>(State<T>);

enum State<T> {
    Ready(T),
    Pending(Box<dyn FnOnce() -> Done<T> + Send>),
}

impl<T> Later<T> {
    /// A result that is there.
    pub fn ready(value: T) -> Self {
        Self(State::Ready(value))
    }
    /// A result that `wait` waits for; its cost is what the wait adds to the cost of starting the work. Dropping the closure
    /// without calling it gives the result up.
    pub fn pending(wait: impl FnOnce() -> Done<T> + Send + 'static) -> Self {
        Self(State::Pending(Box::new(wait)))
    }
    /// The result of an operator that has run.
    ///
    /// # Errors
    /// The operator's own.
    pub fn of(done: Done<T>) -> Done<Self> {
        done.map(|(value, cost)| (Self::ready(value), cost))
    }
    /// Whether the result is there.
    pub fn is_ready(&self) -> bool {
        matches!(self.0, State::Ready(_))
    }
    /// Waits for the result. `started` is the cost of starting the work; the returned cost includes it.
    ///
    /// # Errors
    /// Those of the machine, which may find here what went wrong.
    pub fn wait(self, started: Cost) -> Done<T> {
        match self.0 {
            State::Ready(value) => Ok((value, started)),
            State::Pending(wait) => wait().map(|(value, waited)| (value, both(started, waited))),
        }
    }
}

/// The cost of starting some work and of waiting for it.
fn both(mut started: Cost, waited: Cost) -> Cost {
    started.time = match (started.time, waited.time) {
        (Time::Measured(start), Time::Measured(wait)) => Time::Measured(start + wait),
        // A modelled machine has its cycles when it is asked to start.
        (start, _) => start,
    };
    started.bytes += waited.bytes;
    started.ops += waited.ops;
    if let Some(transfer) = waited.transfer {
        *started.transfer.get_or_insert_default() += transfer;
    }
    started
}

impl<T> fmt::Debug for Later<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_ready() { "Later(ready)" } else { "Later(pending)" })
    }
}

/// A result that a session waits for: see [`crate::Session::wait`].
#[derive(Debug)]
pub struct Started<T> {
    pub(crate) later: Later<T>,
    /// What the account gets when the result is there; nothing if it has it already.
    pub(crate) record: Option<Record>,
    /// What starting has cost.
    pub(crate) cost: Cost,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceError, OpCount, Traffic, Transfer};
    use core::time::Duration;

    fn cost(milliseconds: u64, transfer: Option<Transfer>) -> Cost {
        Cost {
            machine: "m",
            time: Time::Measured(Duration::from_millis(milliseconds)),
            bytes: Traffic { read: 1, written: 2 },
            transfer,
            ops: OpCount { field_mul: 3, ..OpCount::default() },
            energy: None,
            model: None,
        }
    }

    #[test]
    fn what_a_wait_costs_is_added() {
        let back = Transfer { to_host: 96, ..Transfer::default() };
        let later = Later::pending(move || Ok((7, cost(5, Some(back)))));
        assert!(!later.is_ready());
        let (value, all) = later.wait(cost(2, None)).unwrap();
        assert_eq!((value, all.time), (7, Time::Measured(Duration::from_millis(7))));
        assert_eq!((all.bytes, all.ops.field_mul), (Traffic { read: 2, written: 4 }, 6));
        assert_eq!(all.transfer, Some(back));
        let (later, start) = Later::of(Ok((8, cost(3, None)))).unwrap();
        assert!(later.is_ready());
        assert_eq!(later.wait(start).unwrap(), (8, cost(3, None)));
        let failed = Later::<u8>::pending(|| Err(DeviceError::ZeroShift));
        assert!(failed.wait(cost(1, None)).is_err());
    }
}
