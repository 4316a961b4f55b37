//! Experiments, the resources that they use, and their findings.

use crate::LabError;
use crate::cuda::{self, Cuda};
use crate::device_report::DeviceReport;
use crate::evaluations::Evaluations;
use crate::row::{Kind, Labels, Row};
use crate::targets::Kernels;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pairwright_gpu::GpuError;
use pairwright_plot::Frontier;
use pairwright_testkit::gmp::{Gmp, GmpError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// A table or figure of a paper.
pub struct Experiment {
    /// The id `paper/figure`, which is also the stem of the result files.
    pub id: &'static str,
    /// The paper's key in this repository, and the figure, table or section.
    pub paper: &'static str,
    /// The paper's statement or figure, in our words.
    pub claim: &'static str,
    /// The machine and the time that a full run needs.
    pub needs: &'static str,
    /// The default kind of our numbers, unless a row states another.
    pub kind: Kind,
    /// The kind of chart that draws its rows.
    pub picture: Picture,
    /// The published numbers: the contents of `published/<id>.csv`.
    pub(crate) published: &'static str,
    /// The function that measures or computes our numbers.
    pub(crate) run: fn(&Context<'_>) -> Result<Outcome, LabError>,
}

/// The kind of chart that draws an experiment's rows; all except [`Picture::Times`] have one chart per quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Nanoseconds on a logarithmic axis, over the length if it varies, otherwise over the width; one chart per
    /// operation.
    Times,
    /// Bars of the series, grouped by operation.
    Bars,
    /// Lines of the series over the column `x`.
    Lines,
    /// Points over `x`, labelled by their operations, with a line through the points that no other point beats, over
    /// all series or for each.
    Points(Frontier),
    /// A timeline: blocks that start at `x` and last for the value, with a track for each operation.
    Timeline,
}

/// Makes the list of a paper's experiments from a table with the columns id, location in the paper, requirements, kind
/// of our numbers, kind of chart, function, and claim.
macro_rules! experiments {
    ($($id:literal, $paper:literal, $needs:expr, $kind:ident, $picture:expr, $run:path, $claim:literal;)*) => {
        /// The experiments of this paper, in its own order.
        pub(crate) const EXPERIMENTS: &[crate::experiment::Experiment] = &[$(crate::experiment::Experiment {
            id: $id,
            paper: $paper,
            claim: $claim,
            needs: $needs,
            kind: crate::row::Kind::$kind,
            picture: $picture,
            published: include_str!(concat!("../published/", $id, ".csv")),
            run: $run,
        }),*];
    };
}
pub(crate) use experiments;

/// The findings of an experiment: its own rows, and answers to published numbers.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Its own rows, in the order of the figure.
    pub(crate) rows: Vec<Row>,
    /// Answers to published rows.
    pub(crate) answers: Vec<Answer>,
}

impl Outcome {
    /// Adds a modelled value and returns its row.
    pub(crate) fn model(&mut self, labels: &Labels<'_>, series: &str, value: f64, note: &str) -> &mut Row {
        self.keep(labels.modelled(series, value, note))
    }

    /// Adds a row and returns it.
    pub(crate) fn keep(&mut self, row: Row) -> &mut Row {
        self.rows.push(row);
        self.rows.last_mut().expect("a row was pushed")
    }

    /// Adds an answer to the published numbers with a key and an operation, and returns it.
    pub(crate) fn answer(
        &mut self,
        key: &'static str,
        operation: &str,
        series: &str,
        value: f64,
        note: &str,
    ) -> &mut Answer {
        let operation = Some(operation.to_owned());
        self.answers.push(Answer { operation, note: note.to_owned(), ..Answer::new(key, series, value) });
        self.answers.last_mut().expect("an answer was pushed")
    }
}

/// Our value for a published number.
pub(crate) struct Answer {
    /// The published row's key.
    pub(crate) key: &'static str,
    /// Its operation; `None` matches any.
    pub(crate) operation: Option<String>,
    /// Its width in bits; `None` matches any.
    pub(crate) bits: Option<u32>,
    /// The binary logarithm of its size; `None` matches any.
    pub(crate) log2_n: Option<u32>,
    /// Our series to which it belongs.
    pub(crate) series: String,
    /// Our value, in the published unit.
    pub(crate) value: f64,
    /// The kind of the value, if it differs from that of the experiment.
    pub(crate) kind: Option<Kind>,
    /// The reason for a difference, where it is known.
    pub(crate) note: String,
}

impl Answer {
    /// An answer to every published row with this key.
    pub(crate) fn new(key: &'static str, series: &str, value: f64) -> Self {
        let (series, note) = (series.to_owned(), String::new());
        Self { key, operation: None, bits: None, log2_n: None, series, value, kind: None, note }
    }
}

/// The resources that an experiment may use.
pub struct Context<'a> {
    /// Small sizes and few repeats, for tests of the lab itself, not for figures.
    pub quick: bool,
    /// Seed of the operands.
    pub seed: u64,
    /// Kernels that run on this machine.
    pub kernels: &'a dyn Kernels,
    /// The CUDA device, or why there is none.
    pub cuda: Result<Cuda, GpuError>,
    /// A report on a device, whose points replace measurements of a local device.
    pub(crate) report: Option<DeviceReport>,
    /// The GMP baseline, or why it is not available.
    pub gmp: Result<&'static Gmp, GmpError>,
    /// Evaluated designs of [AIE].
    pub(crate) evaluations: Evaluations,
    /// The folder with results whose measured rows are kept; `None` if this machine measures.
    keeping: Option<PathBuf>,
    /// Whether the current experiment has used kept rows.
    took: AtomicBool,
    pool: rayon::ThreadPool,
    progress: ProgressBar,
    show: bool,
}

impl<'a> Context<'a> {
    /// A context with `threads` threads (all cores for `None`); with `show`, progress is shown on standard error.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn new(
        kernels: &'a dyn Kernels,
        threads: Option<usize>,
        quick: bool,
        seed: u64,
        show: bool,
    ) -> Result<Self, LabError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?;
        let target = if show { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let progress = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg} [{elapsed}]") {
            progress.set_style(style.progress_chars("=> "));
        }
        Ok(Self {
            quick,
            seed,
            kernels,
            cuda: Cuda::open(),
            report: None,
            gmp: Gmp::load(),
            evaluations: Evaluations::default(),
            keeping: None,
            took: AtomicBool::new(false),
            pool,
            progress,
            show,
        })
    }

    /// This context with kept measurements: experiments that measure beside a model take the measured rows from the
    /// results in a folder instead of measuring again, so that running on a busy or different machine does not replace
    /// good measurements.
    #[must_use]
    pub fn keeping(self, folder: &Path) -> Self {
        Self { keeping: Some(folder.to_owned()), ..self }
    }

    /// This context with a device report: the figures of \[MoMA\] use the report's points, and a local device is not
    /// measured.
    #[must_use]
    pub fn reporting(self, report: DeviceReport) -> Self {
        Self { report: Some(report), ..self }
    }

    /// The folder with kept measured rows; `None` if this machine measures.
    pub(crate) fn kept(&self) -> Option<&Path> {
        self.keeping.as_deref()
    }

    /// The measured rows of a kept result, without those that answer published numbers; `None` if this machine
    /// measures.
    ///
    /// # Errors
    /// The result cannot be read, or has no such row.
    pub(crate) fn kept_rows(&self, id: &str) -> Result<Option<Vec<Row>>, LabError> {
        let Some(folder) = self.kept() else { return Ok(None) };
        let path = folder.join(id).with_extension("csv");
        let all = crate::report::read(&path)?;
        let rows: Vec<Row> =
            all.into_iter().filter(|row| row.kind == Kind::Measured && row.published.is_none()).collect();
        self.took.store(true, Ordering::Relaxed);
        if rows.is_empty() { Err(LabError::NothingKept(path)) } else { Ok(Some(rows)) }
    }

    /// Whether kept rows were used since the last call.
    pub(crate) fn took_kept_rows(&self) -> bool {
        self.took.swap(false, Ordering::Relaxed)
    }

    /// The number of threads that every series may use.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// A description of the processor and the CUDA device, each with the targets that run on it.
    pub(crate) fn device(&self) -> String {
        let host = self.kernels.device();
        match (&self.report, &self.cuda) {
            (Some(report), _) => format!("{host}; {}, by its report", report.name()),
            (None, Ok(cuda)) => {
                format!("{host}; {} ({})", cuda.name(), cuda::targets().collect::<Vec<_>>().join(", "))
            }
            (None, Err(absent)) => format!("{host}; {absent}"),
        }
    }

    pub(crate) fn pool(&self) -> &rayon::ThreadPool {
        &self.pool
    }

    /// The host's settings in measurements of a device.
    pub(crate) fn host(&self) -> cuda::Host<'_> {
        cuda::Host { quick: self.quick, progress: self.show.then_some(&self.progress) }
    }

    /// Starts a progress bar with `steps` steps.
    pub(crate) fn begin(&self, id: &str, steps: usize) {
        self.progress.reset();
        self.progress.set_length(steps as u64);
        self.progress.set_prefix(id.to_owned());
    }

    /// Announces the next point of the figure.
    pub(crate) fn step(&self, what: &str) {
        self.progress.set_message(what.to_owned());
        self.progress.inc(1);
    }

    pub(crate) fn end(&self) {
        self.progress.finish_and_clear();
    }
}
