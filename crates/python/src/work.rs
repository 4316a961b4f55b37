//! Runs work without the interpreter's lock: on a thread pool of this process, with progress, until Ctrl-C.
//!
//! The calling thread waits for the work and stays in contact with the interpreter: it checks for signals and calls the
//! caller's progress function. The work itself never calls Python. Between two operators it checks whether it has to end.

use crate::failure::{raised, usage};
use pairwright::curve::Pairing;
use pairwright::device::{Device, Event, Session};
use pairwright_cli::Failure;
use pairwright_cli::progress::{planned_units, units};
use pairwright_cli::stop::{Stop, Stopped};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Interval at which the waiting thread checks for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The thread pool of a process. A forked process inherits this value but not the threads, so the value stores its process.
struct Pool {
    process: u32,
    threads: Arc<ThreadPool>,
}

/// The pool, if it has been needed yet, and the number of threads that was asked for.
static POOL: Mutex<(Option<Pool>, Option<usize>)> = Mutex::new((None, None));

/// Leaks an inherited pool of the parent process: dropping it would wait for threads that this process does not have.
fn leave(inherited: Option<Pool>) {
    if let Some(pool) = inherited {
        Box::leak(Box::new(pool));
    }
}

/// The pool of this process, which is made at first use. The caller holds the interpreter's lock, so that no other Python
/// thread forks while the mutex is locked.
fn pool(_py: Python<'_>) -> Result<Arc<ThreadPool>, Failure> {
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some(pool) = slot.0.as_ref().filter(|pool| pool.process == process) {
        return Ok(Arc::clone(&pool.threads));
    }
    let made = ThreadPoolBuilder::new()
        .num_threads(slot.1.unwrap_or(0))
        .thread_name(|i| format!("pairwright-{i}"))
        .build()
        .map_err(|why| Failure::Internal(why.into()))?;
    let threads = Arc::new(made);
    let old = slot.0.replace(Pool { process, threads: Arc::clone(&threads) });
    leave(old);
    Ok(threads)
}

/// Number of threads that operators use.
#[pyfunction]
pub(crate) fn threads(py: Python<'_>) -> PyResult<usize> {
    Ok(pool(py).map_err(|why| raised(py, &why))?.current_num_threads())
}

/// Sets the number of threads that operators use from now on; `None` stands for all cores.
#[pyfunction]
#[pyo3(signature = (count))]
pub(crate) fn set_threads(py: Python<'_>, count: Option<usize>) -> PyResult<()> {
    if count == Some(0) {
        return Err(raised(py, &usage("threads: at least one is needed")));
    }
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if slot.1 == count {
        // The number is unchanged: a worker of a cluster sets it before every task, while other tasks may be using the pool.
        return Ok(());
    }
    slot.1 = count;
    match slot.0.take() {
        Some(own) if own.process == std::process::id() => drop(own),
        inherited => leave(inherited),
    }
    Ok(())
}

/// A message from the work to the waiting thread.
enum Message<T> {
    Progress(Step),
    Done(Result<T, Failure>),
    /// The work has ended because it was asked to.
    Stopped,
    /// The work panicked with this message.
    Panicked(String),
}

/// A progress report.
struct Step {
    done: u64,
    total: u64,
    what: String,
}

/// The work's connection to the waiting thread: it reports progress and checks whether the work has to end.
pub(crate) struct Watch<'a> {
    stop: &'a Stop,
    say: Option<&'a (dyn Fn(Step) + Sync)>,
}

impl Watch<'_> {
    /// The flag that requests the end of this work.
    pub(crate) fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Ends the work here, between two operators, if it was asked to end.
    pub(crate) fn go_on(&self) {
        self.stop.go_on();
    }

    /// A session that ends when the work has to end, without progress reports: for single operators and for verifiers.
    pub(crate) fn quiet<'d, E: Pairing>(&'d self, board: &'d Device<E>) -> Session<'d, E> {
        Session::new(board).observed(move |_| self.go_on())
    }

    /// A session that reports its progress, relative to the plans of its protocols if these have one.
    pub(crate) fn session<'d, E: Pairing>(&'d self, board: &'d Device<E>) -> Session<'d, E> {
        let (mut total, mut done) = (0, 0);
        Session::new(board).observed(move |event| {
            self.go_on();
            let Some(say) = self.say else { return };
            match event {
                Event::Plan(calls) => total += planned_units(calls),
                Event::Start { phase, operator, size } => {
                    say(Step { done, total, what: format!("{phase}: {operator} of {size}") });
                }
                Event::End(record) => {
                    done += units(record.operator, record.size);
                    say(Step { done, total, what: String::new() });
                }
                _ => {}
            }
        })
    }
}

/// Runs `body` on the pool and waits for it without the interpreter's lock. `progress` is called with the units done, the total
/// number of units (0 if unknown) and the current activity. An exception that it raises ends the work, and so does Ctrl-C.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    body: impl FnOnce(&Watch<'_>) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let pool = pool(py).map_err(|why| raised(py, &why))?;
    let stop = Stop::default();
    let outcome = py.detach(|| {
        let (to, from) = channel();
        pool.in_place_scope(|scope| {
            let (stop, wanted) = (&stop, progress.is_some());
            scope.spawn(move |_| run(&to, stop, wanted, body));
            let mut interrupted = None;
            let mut interrupt = |error: PyErr| {
                stop.request();
                interrupted.get_or_insert(error);
            };
            let last = loop {
                match from.recv_timeout(POLL_INTERVAL) {
                    Ok(Message::Progress(step)) => {
                        if let Err(error) = tell(progress, &step) {
                            interrupt(error);
                        }
                    }
                    Ok(last) => break last,
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            interrupt(error);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => break Message::Panicked("no message".to_owned()),
                }
            };
            (last, interrupted)
        })
    });
    py.check_signals()?;
    match outcome {
        (_, Some(error)) => Err(error),
        (Message::Done(Ok(value)), None) => Ok(value),
        (Message::Done(Err(failure)), None) => Err(raised(py, &failure)),
        (Message::Panicked(words), None) => Err(raised(py, &Failure::Internal(words.into()))),
        (Message::Stopped | Message::Progress(_), None) => {
            Err(raised(py, &Failure::Internal("the work ended early".into())))
        }
    }
}

/// Runs the work on a thread of the pool; a final message is sent in every case.
fn run<T: Send>(
    to: &Sender<Message<T>>,
    stop: &Stop,
    wanted: bool,
    body: impl FnOnce(&Watch<'_>) -> Result<T, Failure>,
) {
    let say = |step: Step| {
        // The receiver is gone only if the process is ending.
        let _ = to.send(Message::Progress(step));
    };
    let watch = Watch { stop, say: wanted.then_some(&say) };
    let last = match catch_unwind(AssertUnwindSafe(|| body(&watch))) {
        Ok(outcome) => Message::Done(outcome),
        Err(payload) if payload.is::<Stopped>() => Message::Stopped,
        Err(payload) => {
            let said = payload.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
            Message::Panicked(said.unwrap_or("no message").to_owned())
        }
    };
    let _ = to.send(last);
}

/// Calls the caller's progress function, and checks for signals.
fn tell(progress: Option<&Py<PyAny>>, step: &Step) -> PyResult<()> {
    Python::attach(|py| {
        if let Some(progress) = progress {
            progress.call1(py, (step.done, step.total, step.what.as_str()))?;
        }
        py.check_signals()
    })
}
