//! Machines that a plan is simulated on: their parameters, and what was measured of real ones.

use crate::job::{Op, Part, Plan, Task};
use crate::{Outcome, ScaleError};
use pairwright_sim::settings::{Design, OutOfRange, Sections, between, in_range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Machines that work on a plan together. All of them are alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// Number of machines.
    pub nodes: u32,
    /// Workers of a machine: processes that run one task at a time, on one core.
    pub workers: u32,
    /// Cores of a machine.
    pub cores: u32,
    /// Bytes of memory that the tasks of a machine may take together.
    pub memory: u64,
    /// Bytes a second between a machine and the storage.
    pub network: f64,
    /// Bytes a second of the storage, all machines together.
    pub storage: f64,
    /// Seconds of the scheduler for a task; it hands out one after the other.
    pub dispatch: f64,
    /// Seconds from the end of a task until its worker has the next one, beside what the scheduler itself takes.
    pub handover: f64,
    /// How much longer a computation takes while all cores of its machine compute: cores share caches and memory, and two threads
    /// of one core its units. 1 for cores that do not disturb each other; between one core and all it grows in proportion.
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
    /// The scheduler's seconds for a task: what Dask's took in trials on a loaded machine of two cores.
    const DISPATCH: f64 = 1.7e-3;
    /// The built-in clusters by their names. Their rates are assumptions, not measurements.
    pub const DESIGNS: &'static [(&'static str, fn() -> Self)] =
        &[("rack", Self::rack), ("local", Self::pair)];

    /// A machine with so many processes and cores, whose files are in its memory: tasks wait for Dask's cost of a task and for nothing
    /// else.
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

    /// Sixteen machines of 32 cores and 128 GiB, each with 25 Gb/s to a storage of 20 GB/s.
    pub fn rack() -> Self {
        Self { nodes: 16, memory: 128 << 30, network: 3.125e9, storage: 20e9, ..Self::local(32, 32) }
    }

    /// Cores of all machines together.
    pub fn all_cores(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.cores)
    }

    /// Workers of all machines together.
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

/// By how much the seconds of tasks differ from the estimates of their plan, by kind of operation.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// The factor of a kind; kinds that were not measured have the mean of the others, or 1.
    pub factors: BTreeMap<String, f64>,
}

impl Costs {
    /// The factors of tasks that were run by workers of one thread, each of which had a core.
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

    /// Seconds of a core that a task takes.
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

/// The plan's own estimate in seconds of a core.
fn estimate(task: &Task) -> f64 {
    task.core_microseconds as f64 / 1e6
}

/// What tasks that cost alike are called.
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

/// What was measured of a machine: the factors of its tasks, what cores and Dask cost each other, and how far predictions with these
/// figures were from proofs that were run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The version of this object's form.
    pub version: u32,
    /// The processor and its cores, in words.
    pub machine: String,
    /// The version of the program, and the commit it was built from.
    pub program: String,
    /// The day of the measurement.
    pub date: String,
    /// The proof whose tasks gave the factors, by one process; none if no machine was measured.
    pub of: Option<Measured>,
    /// The factors of tasks, by kind of operation.
    pub costs: Costs,
    /// [`Cluster::crowding`], from tasks that ran while all cores computed.
    pub crowding: f64,
    /// [`Cluster::handover`], from what one process took beside its tasks.
    pub handover: f64,
    /// Proofs that were run, and what was predicted of them.
    pub compared: Vec<Compared>,
}

/// A proof whose tasks were run by processes of one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The curve's name in files.
    pub curve: String,
    /// Logarithm of the size of the domain.
    pub log_domain: u32,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of processes.
    pub processes: u32,
    /// Seconds from the first task to the last.
    pub seconds: f64,
}

/// A measured proof beside its prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The proof and its time.
    #[serde(flatten)]
    pub measured: Measured,
    /// The seconds that [`simulate`](crate::simulate) predicts.
    pub predicted: f64,
}

impl Compared {
    /// Predicted over measured seconds, less one.
    pub fn error(&self) -> f64 {
        self.predicted / self.measured.seconds - 1.0
    }
}

impl Calibration {
    /// The version of calibrations that is written.
    pub const VERSION: u32 = 1;

    /// No measurement: tasks take what the plan estimates, cores do not disturb each other, and nothing was compared.
    pub fn none() -> Self {
        Self {
            version: Self::VERSION,
            machine: String::new(),
            program: String::new(),
            date: String::new(),
            of: None,
            costs: Costs::default(),
            crowding: 1.0,
            handover: 0.0,
            compared: Vec::new(),
        }
    }

    /// Reads a calibration from its text; `name` says in errors where it comes from.
    ///
    /// # Errors
    /// When the text is no calibration of this version, or a figure is out of its range.
    pub fn parse(name: &str, text: &str) -> Result<Self, ScaleError> {
        let wrong = |why| ScaleError::Json { path: name.into(), why };
        let found: Self = serde_json::from_str(text).map_err(wrong)?;
        let said = |what: String| wrong(<serde_json::Error as serde::de::Error>::custom(what));
        if found.version != Self::VERSION {
            let (known, version) = (Self::VERSION, found.version);
            return Err(said(format!("version {version} of a calibration, known is {known}")));
        }
        if found.of.is_none() {
            return Err(said("no proof that was measured".to_owned()));
        }
        let factors = found.costs.factors.values();
        let times = found.compared.iter().flat_map(|c| [c.measured.seconds, c.predicted]);
        if !factors.copied().chain(times).all(|x| x.is_finite() && x > 0.0) {
            return Err(said("a factor or a time that is no number above 0".to_owned()));
        }
        found.on(Cluster::local(1, 1)).check().map_err(|why| said(why.to_string()))?;
        Ok(found)
    }

    /// A cluster of machines like the measured one.
    #[must_use]
    pub fn on(&self, cluster: Cluster) -> Cluster {
        Cluster { crowding: self.crowding, handover: self.handover, ..cluster }
    }

    /// The largest difference between a prediction and its measurement, as a share of the measurement; none if nothing was compared.
    pub fn worst(&self) -> Option<f64> {
        self.compared.iter().map(|c| c.error().abs()).reduce(f64::max)
    }
}
