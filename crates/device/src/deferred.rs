//! Results that a machine is still computing.

use crate::{Cost, Done, Record, Time};
use alloc::boxed::Box;
use core::fmt;

/// A result that a machine may still be computing. A machine that runs one operator at a time has the result at once.
pub struct Deferred<T>(State<T>);

enum State<T> {
    Ready(T),
    Pending(Box<dyn FnOnce() -> Done<T> + Send>),
}

impl<T> Deferred<T> {
    /// A result that is already computed.
    pub fn ready(value: T) -> Self {
        Self(State::Ready(value))
    }
    /// A result for which `wait` waits. The cost that `wait` returns is added to the cost of starting the work. Dropping the
    /// closure without calling it abandons the result.
    pub fn pending(wait: impl FnOnce() -> Done<T> + Send + 'static) -> Self {
        Self(State::Pending(Box::new(wait)))
    }
    /// Wraps the result of an operator that has already run.
    ///
    /// # Errors
    /// The error of the operator.
    pub fn of(done: Done<T>) -> Done<Self> {
        done.map(|(value, cost)| (Self::ready(value), cost))
    }
    /// Whether the result is already computed.
    pub fn is_ready(&self) -> bool {
        matches!(self.0, State::Ready(_))
    }
    /// Waits for the result. `started` is the cost of starting the work; the returned cost includes it.
    ///
    /// # Errors
    /// The errors of the machine, which may appear only while waiting.
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
        // A modelled machine knows its cycles when the work is started.
        (start, _) => start,
    };
    started.bytes += waited.bytes;
    started.ops += waited.ops;
    if let Some(transfer) = waited.transfer {
        *started.transfer.get_or_insert_default() += transfer;
    }
    started
}

impl<T> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_ready() { "Deferred(ready)" } else { "Deferred(pending)" })
    }
}

/// Work that a session has started and whose result [`crate::Session::wait`] waits for.
#[derive(Debug)]
pub struct Started<T> {
    pub(crate) result: Deferred<T>,
    /// The record that is entered into the account when the result is there; `None` if it has been entered already.
    pub(crate) record: Option<Record>,
    /// The cost of starting the work.
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
        let result = Deferred::pending(move || Ok((7, cost(5, Some(back)))));
        assert!(!result.is_ready());
        let (value, all) = result.wait(cost(2, None)).unwrap();
        assert_eq!((value, all.time), (7, Time::Measured(Duration::from_millis(7))));
        assert_eq!((all.bytes, all.ops.field_mul), (Traffic { read: 2, written: 4 }, 6));
        assert_eq!(all.transfer, Some(back));
        let (result, start) = Deferred::of(Ok((8, cost(3, None)))).unwrap();
        assert!(result.is_ready());
        assert_eq!(result.wait(start).unwrap(), (8, cost(3, None)));
        let failed = Deferred::<u8>::pending(|| Err(DeviceError::ZeroShift));
        assert!(failed.wait(cost(1, None)).is_err());
    }
}
