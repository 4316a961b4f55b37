//! The parameters of machines for the simulation of plans, and measurements of real machines.

use crate::job::{Op, Part, Plan, Task};
use crate::{Outcome, ScaleError};
use pairwright_sim::settings::{Design, OutOfRange, Sections, between, in_range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A cluster of identical machines that execute a plan together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// Number of machines.
    pub nodes: u32,
    /// Number of workers of a machine: processes that run one task at a time, on one core.
    pub workers: u32,
    /// Number of cores of a machine.
    pub cores: u32,
    /// Memory of a machine in bytes, which bounds its running tasks together.
    pub memory: u64,
    /// Bandwidth between a machine and the storage, in bytes per second.
    pub network: f64,
    /// Total bandwidth of the storage for all machines, in bytes per second.
    pub storage: f64,
    /// Scheduler time per task in seconds; the scheduler hands out one task after the other.
    pub dispatch: f64,
    /// Latency in seconds from the end of a task until its worker has the next one, without the scheduler's own time.
    pub handover: f64,
    /// Factor by which a computation slows down while all cores of its machine compute, since cores share caches and memory,
    /// and two threads of a core share its units. 1 means no slowdown; between one busy core and all the factor grows linearly.
    pub crowding: f64,
}

const RANGES: Sections = &[(
    "",
    &[
        between("nodes", 1.0, 65_536.0, "machines"),
        between("workers", 1.0, 4096.0, "processes of a machine"),
        between("cores", 1.0, 4096.0, "cores of a machine"),
        between("memory", 1.0, Cluster::UNBOUNDED, "bytes of a machine"),
        between("network", 1.0, Cluster::UNBOUNDED, "bytes/s of a machine"),
        between("storage", 1.0, Cluster::UNBOUNDED, "bytes/s"),
        between("dispatch", 0.0, 3600.0, "s"),
        between("handover", 0.0, 3600.0, "s"),
        between("crowding", 1.0, 100.0, ""),
    ],
)];

impl Cluster {
    /// Stands for unlimited memory (bytes) and bandwidth (bytes a second).
    const UNBOUNDED: f64 = 1e15;
    /// Scheduler time per task in seconds, as Dask's scheduler took in trials on a loaded machine of two cores.
    const DISPATCH: f64 = 1.7e-3;
    /// The built-in clusters with their names. Their rates are assumptions, not measurements.
    pub const DESIGNS: &'static [(&'static str, fn() -> Self)] =
        &[("rack", Self::rack), ("local", Self::pair)];

    /// One machine with this number of worker processes and cores, whose files are in memory: the only delay of a task is
    /// Dask's overhead.
    pub fn local(workers: u32, cores: u32) -> Self {
        Self {
            nodes: 1,
            workers,
            cores,
            memory: Self::UNBOUNDED as u64,
            network: Self::UNBOUNDED,
            storage: Self::UNBOUNDED,
            dispatch: Self::DISPATCH,
            handover: 0.0,
            crowding: 1.0,
        }
    }

    /// Two processes on two cores.
    fn pair() -> Self {
        Self::local(2, 2)
    }

    /// Sixteen machines with 32 cores and 128 GiB each, connected with 25 Gb/s to a storage of 20 GB/s.
    pub fn rack() -> Self {
        Self { nodes: 16, memory: 128 << 30, network: 3.125e9, storage: 20e9, ..Self::local(32, 32) }
    }

    /// Number of cores of all machines together.
    pub fn all_cores(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.cores)
    }

    /// Number of workers of all machines together.
    pub fn all_workers(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.workers)
    }
}

impl Default for Cluster {
    fn default() -> Self {
        Self::rack()
    }
}

impl Design for Cluster {
    type Error = OutOfRange;
    const RANGES: Sections = RANGES;

    fn check(&self) -> Result<(), OutOfRange> {
        in_range(self, RANGES)
    }

    fn out_of_range(why: &OutOfRange) -> Option<&OutOfRange> {
        Some(why)
    }
}

/// Correction factors for the estimated times of tasks, by kind of operation.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// Measured over estimated time of each kind; kinds without a measurement get the mean of the others, or 1.
    pub factors: BTreeMap<String, f64>,
}

impl Costs {
    /// Computes the factors from tasks that were run by single-threaded workers with a core each.
    pub fn measured<'a>(plan: &Plan, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let tasks: BTreeMap<&str, _> = plan.tasks.iter().map(|task| (task.name.as_str(), task)).collect();
        let mut sums = BTreeMap::<String, (f64, f64)>::new();
        for outcome in outcomes {
            let Some(task) = tasks.get(outcome.task.as_str()) else { continue };
            let (taken, estimated) = sums.entry(kind(&task.op).to_owned()).or_default();
            *taken += outcome.seconds;
            *estimated += estimate(task);
        }
        let factors = sums.into_iter().filter(|(_, (_, estimated))| *estimated > 0.0);
        Self { factors: factors.map(|(kind, (taken, estimated))| (kind, taken / estimated)).collect() }
    }

    /// Predicted core time of a task in seconds.
    pub fn seconds(&self, task: &Task) -> f64 {
        estimate(task) * self.factor(&task.op)
    }

    fn factor(&self, op: &Op) -> f64 {
        let mean = || {
            let n = self.factors.len();
            if n == 0 { 1.0 } else { self.factors.values().sum::<f64>() / n as f64 }
        };
        self.factors.get(kind(op)).copied().unwrap_or_else(mean)
    }
}

/// The plan's own estimate of a task's core time in seconds.
fn estimate(task: &Task) -> f64 {
    task.core_microseconds as f64 / 1e6
}

/// The name of the cost class of an operation.
pub(crate) fn kind(op: &Op) -> &'static str {
    match op {
        Op::Columns { .. } => "columns",
        Op::Rows { .. } => "rows",
        Op::Quotient { .. } => "quotient",
        Op::Undivided { .. } => "undivided",
        Op::Msm { part: Part::B2 } => "msm in G2",
        Op::Msm { .. } => "msm in G1",
    }
}

/// The measurements of a machine: the correction factors of its tasks, the slowdown by other cores, the overhead of Dask, and
/// how far predictions with these figures were from proofs that were run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The version of the JSON format.
    pub version: u32,
    /// Description of the processor and its cores.
    pub machine: String,
    /// The version of the program, with the commit that it was built from.
    pub program: String,
    /// The date of the measurement.
    pub date: String,
    /// The proof by one process whose tasks gave the factors; `None` if no machine was measured.
    #[serde(rename = "of")]
    pub measured: Option<Measured>,
    /// The correction factors of tasks, by kind of operation.
    pub costs: Costs,
    /// The measured [`Cluster::crowding`], from tasks that ran while all cores computed.
    pub crowding: f64,
    /// The measured [`Cluster::handover`], from the time that one process took in addition to its tasks.
    pub handover: f64,
    /// Proofs that were run, each with its prediction.
    pub compared: Vec<Compared>,
}

/// The measurement of a proof whose tasks were run by processes of one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The curve's name in files, such as `bn128`.
    pub curve: String,
    /// Base-2 logarithm of the domain size.
    pub log_domain: u32,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of processes.
    pub processes: u32,
    /// Time from the first task to the last, in seconds.
    pub seconds: f64,
}

/// A measured proof with its prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The proof and its measured time.
    #[serde(flatten)]
    pub measured: Measured,
    /// The time that [`simulate`](crate::simulate) predicts, in seconds.
    pub predicted: f64,
}

impl Compared {
    /// The relative error of the prediction: predicted over measured time, minus one.
    pub fn error(&self) -> f64 {
        self.predicted / self.measured.seconds - 1.0
    }
}

impl Calibration {
    /// The current version of the JSON format.
    pub const VERSION: u32 = 1;

    /// A calibration without measurements: all factors are 1, cores do not slow each other down, and there are no comparisons.
    pub fn none() -> Self {
        Self {
            version: Self::VERSION,
            machine: String::new(),
            program: String::new(),
            date: String::new(),
            measured: None,
            costs: Costs::default(),
            crowding: 1.0,
            handover: 0.0,
            compared: Vec::new(),
        }
    }

    /// Reads a calibration from JSON; `name` stands for its origin in errors.
    ///
    /// # Errors
    /// When the text is not a calibration of this version, or a figure is out of its range.
    pub fn parse(name: &str, text: &str) -> Result<Self, ScaleError> {
        let wrong = |why| ScaleError::Json { path: name.into(), why };
        let found: Self = serde_json::from_str(text).map_err(wrong)?;
        let said = |what: String| wrong(<serde_json::Error as serde::de::Error>::custom(what));
        if found.version != Self::VERSION {
            let (known, version) = (Self::VERSION, found.version);
            return Err(said(format!("version {version} of a calibration, known is {known}")));
        }
        if found.measured.is_none() {
            return Err(said("no proof that was measured".to_owned()));
        }
        let factors = found.costs.factors.values();
        let times = found.compared.iter().flat_map(|c| [c.measured.seconds, c.predicted]);
        if !factors.copied().chain(times).all(|x| x.is_finite() && x > 0.0) {
            return Err(said("a factor or a time that is no number above 0".to_owned()));
        }
        found.apply_to(Cluster::local(1, 1)).check().map_err(|why| said(why.to_string()))?;
        Ok(found)
    }

    /// The cluster with the measured values of crowding and handover.
    #[must_use]
    pub fn apply_to(&self, cluster: Cluster) -> Cluster {
        Cluster { crowding: self.crowding, handover: self.handover, ..cluster }
    }

    /// The largest absolute relative error of a prediction; `None` if there are no comparisons.
    pub fn worst_error(&self) -> Option<f64> {
        self.compared.iter().map(|c| c.error().abs()).reduce(f64::max)
    }
}
