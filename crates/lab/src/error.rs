//! The errors of experiments.

use pairwright_aie::AieError;
use pairwright_aie::msm::MsmError as BoardError;
use pairwright_chip::compiler::CompileError;
use pairwright_chip::machine::{msm::MsmEngineError, poly::PolyError};
use pairwright_chip::operator::OperatorError;
use pairwright_chip_programs::RunError;
use pairwright_chip_programs::prover::ProofError;
use pairwright_device::DeviceError;
use pairwright_gpu::GpuError;
use pairwright_moma::MomaError;
use pairwright_mtu::MtuError;
use pairwright_plot::PlotError;
use pairwright_poly::DomainError;
use pairwright_sim::settings::{OutOfRange, SettingError};
use pairwright_testkit::jit::JitError;
use std::path::{Path, PathBuf};

/// Why an experiment has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// No experiment has this id.
    #[error("no experiment `{asked}`; there are: {known}")]
    NoExperiment {
        /// The requested name.
        asked: String,
        /// The ids that exist.
        known: String,
    },
    /// The cluster could not run the experiments.
    #[error(
        "--cluster: {0}; its workers need the Python package `pairwright`, and so does python3, or what PAIRWRIGHT_PYTHON names"
    )]
    Cluster(String),
    /// A paper was named where one experiment was expected.
    #[error("`{0}` is a paper: say --all to run every figure of it")]
    WholePaper(String),
    /// Neither an experiment nor a paper was named.
    #[error("name an experiment, or a paper together with --all; `lab list` lists them")]
    Nothing,
    /// An experiment answers a number that is not in its table of published numbers.
    #[error("{id} answers `{key}` of `{operation}`, which published/{id}.csv does not have")]
    Unanswered {
        /// The experiment's id.
        id: &'static str,
        /// The key of the answer.
        key: &'static str,
        /// Its operation (empty if any), with its width and its size if it names them.
        operation: String,
    },
    /// Modelled operators whose cycles cannot be added, since they ran on different machines or clocks.
    #[error("{operation}: its operators ran on {models} modelled machines or clocks, not on one")]
    Clocks {
        /// The operation that consists of them.
        operation: String,
        /// The number of different machines, clocks or kinds of models.
        models: usize,
    },
    /// An answer whose basis no pattern states.
    #[error("{id}: no line of published/basis.csv fits `{what}` of `{operation}` by `{series}`")]
    NoBasis {
        /// The experiment's id.
        id: &'static str,
        /// The quantity of the answer.
        what: String,
        /// The operation, design or track.
        operation: String,
        /// The series of our numbers.
        series: String,
    },
    /// A series gave a wrong result, so none of its times is kept.
    #[error("{series}: element {at} of {what} is wrong")]
    Wrong {
        /// The name of the series.
        series: String,
        /// The operation, with its width and size.
        what: String,
        /// The first element that differs.
        at: usize,
    },
    /// A kernel text could not be compiled, loaded or found.
    #[error("{series}: {source}")]
    Kernel {
        /// The name of the series.
        series: String,
        /// The error that caused it.
        source: JitError,
    },
    /// The rewrite system or its printers refuse the experiment's request.
    #[error(transparent)]
    Moma(#[from] MomaError),
    /// A routine cannot be compiled for a design.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A program cannot run on the modelled processor.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An operator cannot run on the modelled chip.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// A proof that the modelled chip cannot compute.
    #[error(transparent)]
    Proof(Box<ProofError>),
    /// An error of the polynomial engine.
    #[error(transparent)]
    Poly(#[from] PolyError),
    /// An error of the MSM engine.
    #[error(transparent)]
    Msm(#[from] MsmEngineError),
    /// A field lacks roots of unity of the required order.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A design cannot be built.
    #[error(transparent)]
    Spec(#[from] SettingError),
    /// The tree unit cannot run a job.
    #[error(transparent)]
    Tree(#[from] MtuError),
    /// A measurement report lacks the operator of a peer.
    #[error("the report of trees has no {operator} of {peer} at 2^20 on one and on two threads")]
    NoPeer {
        /// The operator of the report.
        operator: &'static str,
        /// The peer's name in the report.
        peer: &'static str,
    },
    /// The engines, the array or the board cannot run a design.
    #[error(transparent)]
    Engines(Box<AieError>),
    /// The board cannot run an MSM.
    #[error(transparent)]
    Board(Box<BoardError>),
    /// A memory's configuration is invalid.
    #[error(transparent)]
    Memory(#[from] OutOfRange),
    /// The host's operators refuse their operands.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The CUDA device failed, or gave a wrong result.
    #[error(transparent)]
    Cuda(#[from] GpuError),
    /// A scheme refuses inputs that are valid.
    #[error("{operation}: {source}")]
    Scheme {
        /// The operation of the scheme.
        operation: String,
        /// The error that caused it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A result table is not in the form that the lab writes.
    #[error("{}: {source}", path.display())]
    Table {
        /// The path of the file.
        path: PathBuf,
        /// The error that caused it.
        source: csv::Error,
    },
    /// The provenance file of a kept result is not in the form that the lab writes.
    #[error("{}: {source}", path.display())]
    Meta {
        /// The path of the file.
        path: PathBuf,
        /// The error that caused it.
        source: Box<toml::de::Error>,
    },
    /// A report on a device is not in the form that `pairwright gpu report` writes.
    #[error("{}: field `{field}`: {source}", path.display())]
    Report {
        /// The path of the file.
        path: PathBuf,
        /// The field before which, or in which, reading stopped; empty if there was none.
        field: String,
        /// The underlying error, which names a missing field.
        source: serde_json::Error,
    },
    /// A report on a device has a missing or invalid field for figures.
    #[error("{}: field `{field}`: {why}", path.display())]
    ReportField {
        /// The path of the file.
        path: PathBuf,
        /// The path of the field within the file.
        field: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error that caused it.
        source: std::io::Error,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// There is nothing to plot, because the experiment has not run.
    #[error("{}: no result yet; run the experiment first", .0.display())]
    NotRun(PathBuf),
    /// Measured rows are to be kept, but the experiment has no other rows.
    #[error(
        "{0} measures all of its rows, which stay as they are: to measure them anew, run it without --keep-measured"
    )]
    MeasuresAnew(&'static str),
    /// Measured rows are to be kept, but the kept result has none.
    #[error("{}: no measured row that could be kept; run the experiment without --keep-measured", .0.display())]
    NothingKept(PathBuf),
    /// A figure could not be plotted.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl LabError {
    /// Converts a system error into the error of a file.
    pub fn io(path: &Path) -> impl Fn(std::io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

impl From<ProofError> for LabError {
    fn from(why: ProofError) -> Self {
        Self::Proof(Box::new(why))
    }
}

impl From<AieError> for LabError {
    fn from(error: AieError) -> Self {
        Self::Engines(Box::new(error))
    }
}

impl From<BoardError> for LabError {
    fn from(error: BoardError) -> Self {
        Self::Board(Box::new(error))
    }
}
