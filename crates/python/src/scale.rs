//! Proofs whose tasks are run by Python code, for example on a cluster.

use crate::failure::{raised, usage};
use crate::work::work;
use pairwright::scale::{Calibration, Cluster, Costs, Outcome, Scheduler, run_job as run, simulate, urgency};
use pairwright_cli::stop::Stop;
use pairwright_cli::{Caller, Failure};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

/// The tasks of a proof in progress: tasks that can run are taken, and the outcomes of finished tasks are entered.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Tasks {
    /// `None` when the proof has all its results, or was given up.
    scheduler: Arc<Mutex<Option<Scheduler>>>,
    /// For every task, the estimated time in seconds from its beginning to the end of the plan.
    urgency: Vec<f64>,
    /// The flag that requests the end of the proof.
    stop: Stop,
}

impl Tasks {
    fn with<T>(&self, f: impl FnOnce(&mut Scheduler) -> PyResult<T>) -> PyResult<T> {
        let mut held = self.scheduler.lock().unwrap_or_else(PoisonError::into_inner);
        f(held.as_mut().ok_or_else(|| PyRuntimeError::new_err("the proof of these tasks has ended"))?)
    }
}

/// A task that can run: its name, its urgency in seconds, its estimated core time in seconds, and its description as JSON.
type Ready = (String, f64, f64, String);

#[pymethods]
impl Tasks {
    /// Raises if the proof has to end. Ctrl-C reaches the thread that waits for the proof, not the one that hands out tasks.
    fn go_on(&self) -> PyResult<()> {
        if self.stop.is_requested() { Err(PyKeyboardInterrupt::new_err(())) } else { Ok(()) }
    }

    /// Takes the tasks that have become ready since the last call.
    fn ready(&self, py: Python<'_>) -> PyResult<Vec<Ready>> {
        self.with(|scheduler| {
            let mut out = Vec::new();
            for i in scheduler.waiting() {
                let Some(job) = scheduler.take(i) else { continue };
                let text = serde_json::to_string(&job);
                let text = text.map_err(|why| raised(py, &Failure::Internal(why.into())))?;
                let seconds = job.task.core_microseconds as f64 / 1e6;
                out.push((job.task.name, self.urgency.get(i).copied().unwrap_or(0.0), seconds, text));
            }
            Ok(out)
        })
    }

    /// Enters the outcome of a task, as returned by `run_job`.
    fn enter(&self, py: Python<'_>, outcome: &str) -> PyResult<()> {
        let outcome: Outcome = serde_json::from_str(outcome)
            .map_err(|why| raised(py, &usage(format!("not an outcome of a task: {why}"))))?;
        self.with(|scheduler| scheduler.enter(outcome).map_err(|why| raised(py, &why.into())))
    }

    /// The curve's name in files, and the base-2 logarithm of the domain size.
    #[getter]
    fn setting(&self) -> PyResult<(String, u32)> {
        self.with(|scheduler| {
            let setting = &scheduler.plan().setting;
            Ok((setting.curve.clone(), setting.log_domain))
        })
    }

    /// The cost factors of the finished tasks, which one single-threaded process has run, as JSON.
    fn costs(&self, py: Python<'_>) -> PyResult<String> {
        self.with(|scheduler| {
            let costs = Costs::measured(scheduler.plan(), scheduler.outcomes());
            serde_json::to_string(&costs).map_err(|why| raised(py, &Failure::Internal(why.into())))
        })
    }

    /// The predicted time in seconds of all tasks on this number of processes and cores of one machine, with factors from
    /// `costs`, and with crowding and handover given as `times`.
    fn predict(
        &self,
        py: Python<'_>,
        costs: &str,
        processes: (u32, u32),
        times: (f64, f64),
    ) -> PyResult<f64> {
        let costs: Costs = serde_json::from_str(costs)
            .map_err(|why| raised(py, &usage(format!("not costs of tasks: {why}"))))?;
        let ((workers, cores), (crowding, handover)) = (processes, times);
        let cluster = Cluster { crowding, handover, ..Cluster::local(workers, cores) };
        self.with(|scheduler| match simulate(scheduler.plan(), &costs, &cluster) {
            Ok(found) => Ok(found.seconds),
            Err(why) => Err(raised(py, &why.into())),
        })
    }

    /// Number of finished tasks.
    #[getter]
    fn done(&self) -> PyResult<usize> {
        self.with(|scheduler| Ok(scheduler.done()))
    }

    /// Number of all tasks.
    #[getter]
    fn total(&self) -> PyResult<usize> {
        self.with(|scheduler| Ok(scheduler.plan().tasks.len()))
    }
}

/// Raises if a text is not a calibration that `sim cluster --measured` reads; `name` stands for its origin in errors.
#[pyfunction]
pub(crate) fn check_calibration(py: Python<'_>, name: &str, text: &str) -> PyResult<()> {
    Calibration::parse(name, text).map(drop).map_err(|why| raised(py, &why.into()))
}

/// Runs a task from its description, and returns its outcome, both as JSON.
#[pyfunction]
pub(crate) fn run_job(py: Python<'_>, job: &str) -> PyResult<String> {
    work(py, None, |_| {
        let outcome = run(job)?;
        serde_json::to_string(&outcome).map_err(|why| Failure::Internal(why.into()))
    })
}

/// Runs the command with the arguments that follow its name, and calls `run` with the tasks of its proof, which `run` has to
/// execute. Returns the object that `--json` prints, as JSON. An exception of `run` ends the proof and is raised here, and so
/// is Ctrl-C.
#[pyfunction]
pub(crate) fn prove_by(py: Python<'_>, words: Vec<OsString>, run: Py<PyAny>) -> PyResult<String> {
    let caught = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&caught);
    let run_tasks = move |scheduler: Scheduler, stop: &Stop| {
        let urgency = urgency(scheduler.plan(), &Costs::default());
        let scheduler = Arc::new(Mutex::new(Some(scheduler)));
        let tasks = Tasks { scheduler: Arc::clone(&scheduler), urgency, stop: stop.clone() };
        let called = Python::attach(|py| run.call1(py, (tasks,)).map(drop));
        let back = scheduler.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (called, back) {
            (Ok(()), Some(scheduler)) => Ok(scheduler),
            (Ok(()), None) => Err(Failure::Internal("the tasks are gone".into())),
            (Err(error), _) => {
                *keep.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(Failure::Internal("the tasks were given up".into()))
            }
        }
    };
    let answer = work(py, None, move |watch| {
        let (stop, asked) = (watch.stop(), watch.stop());
        let task_runner = Box::new(move |scheduler| run_tasks(scheduler, &asked));
        pairwright_cli::call(&words, Caller { task_runner: Some(task_runner), stop })
    });
    let error = caught.lock().unwrap_or_else(PoisonError::into_inner).take();
    error.map_or(answer, Err)
}
