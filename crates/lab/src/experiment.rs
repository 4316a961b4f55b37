//! What an experiment is, what it may use, and what it finds.

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
    /// `paper/figure`, and the stem of the result's files.
    pub id: &'static str,
    /// The paper's key in this repository, and the place in it.
    pub paper: &'static str,
    /// The paper's statement or figure, in our words.
    pub claim: &'static str,
    /// The machine and the time that a whole run needs.
    pub needs: &'static str,
    /// The source of our numbers, unless a row says otherwise.
    pub kind: Kind,
    /// The kind of chart that draws its rows.
    pub picture: Picture,
    /// The published numbers, as in `published/<id>.csv`.
    pub(crate) published: &'static str,
    /// Measures or computes ours.
    pub(crate) run: fn(&Context<'_>) -> Result<Outcome, LabError>,
}

/// The kind of chart that draws an experiment's rows; all but [`Picture::Times`] have a chart for each quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Nanoseconds on a logarithmic axis, over the length where it varies, or else over the width; a chart for each
    /// operation.
    Times,
    /// Bars of the series, in a group for each operation.
    Bars,
    /// Lines of the series over `x`.
    Lines,
    /// Points over `x`, named by their operations, with a line through those that no other point beats, of all series or of
    /// each.
    Points(Frontier),
    /// Blocks that start at `x` and last for the value, on a track for each operation.
    Timeline,
}

/// Makes the list of a paper's experiments from a table: id, place in the paper, what it takes, where our numbers come
/// from, how they are drawn, the function, and the claim.
macro_rules! experiments {
    ($($id:literal, $paper:literal, $needs:expr, $kind:ident, $picture:expr, $run:path, $claim:literal;)*) => {
        /// The experiments of this paper, in its order.
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

/// The findings of an experiment: rows of its own, and answers to what was published.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Rows of its own, in the order of the figure.
    pub(crate) rows: Vec<Row>,
    /// Answers to published rows.
    pub(crate) answers: Vec<Answer>,
}

impl Outcome {
    /// Keeps the value of a model, and returns its row.
    pub(crate) fn model(&mut self, labels: &Labels<'_>, series: &str, value: f64, note: &str) -> &mut Row {
        self.keep(labels.modelled(series, value, note))
    }

    /// Keeps a row, and returns it.
    pub(crate) fn keep(&mut self, row: Row) -> &mut Row {
        self.rows.push(row);
        self.rows.last_mut().expect("a row was pushed")
    }

    /// Answers the published numbers of a key and an operation, and returns the answer.
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

/// Our value for a published one.
pub(crate) struct Answer {
    /// The published row's key.
    pub(crate) key: &'static str,
    /// Its operation; any, if there is none.
    pub(crate) operation: Option<String>,
    /// Its width in bits; any, if there is none.
    pub(crate) bits: Option<u32>,
    /// The binary logarithm of its size; any, if there is none.
    pub(crate) log2_n: Option<u32>,
    /// The series of ours that this is about.
    pub(crate) series: String,
    /// Our value, in the published unit.
    pub(crate) value: f64,
    /// The source of the value, if it is not that of the experiment.
    pub(crate) kind: Option<Kind>,
    /// Why it differs, where that is known.
    pub(crate) note: String,
}

impl Answer {
    /// An answer to every published row with this key.
    pub(crate) fn new(key: &'static str, series: &str, value: f64) -> Self {
        let (series, note) = (series.to_owned(), String::new());
        Self { key, operation: None, bits: None, log2_n: None, series, value, kind: None, note }
    }
}

/// The means that an experiment may use.
pub struct Context<'a> {
    /// Small sizes, few repeats: for tests of the lab itself, not for figures.
    pub quick: bool,
    /// Seed of the operands.
    pub seed: u64,
    /// Kernels that run on this machine.
    pub kernels: &'a dyn Kernels,
    /// A CUDA device, where there is one.
    pub cuda: Result<Cuda, GpuError>,
    /// A report on a device, whose points stand for what a device here would give.
    pub(crate) report: Option<DeviceReport>,
    /// The baseline, where it is installed.
    pub gmp: Result<&'static Gmp, GmpError>,
    /// Designs of [AIE] that have been evaluated.
    pub(crate) evaluations: Evaluations,
    /// The folder of results whose measured rows are kept, if nothing is to be measured again.
    keeping: Option<PathBuf>,
    /// Whether the experiment that runs has taken such rows.
    took: AtomicBool,
    pool: rayon::ThreadPool,
    progress: ProgressBar,
    show: bool,
}

impl<'a> Context<'a> {
    /// A context with `threads` threads (all cores for `None`); `show` draws progress on standard error.
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

    /// The same context, in which experiments that measure beside a model take the measured rows of the results in a folder
    /// instead of measuring again: a machine that is busy, or another one, is no reason to lose what a quiet one gave.
    #[must_use]
    pub fn keeping(self, folder: &Path) -> Self {
        Self { keeping: Some(folder.to_owned()), ..self }
    }

    /// The same context, in which the figures of [MoMA] have the points of a report on a device; a device that is here is not
    /// measured.
    #[must_use]
    pub fn reporting(self, report: DeviceReport) -> Self {
        Self { report: Some(report), ..self }
    }

    /// The folder whose measured rows are kept; `None` if this machine measures.
    pub(crate) fn kept(&self) -> Option<&Path> {
        self.keeping.as_deref()
    }

    /// The measured rows of a kept result that answer nothing published, or `None` if this machine measures.
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

    /// Whether kept rows were taken since this was asked last.
    pub(crate) fn took_kept_rows(&self) -> bool {
        self.took.swap(false, Ordering::Relaxed)
    }

    /// Threads that every series may use.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The processor and the CUDA device, each with the targets that run on it.
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

    /// The part of this computer in measurements of a device.
    pub(crate) fn host(&self) -> cuda::Host<'_> {
        cuda::Host { quick: self.quick, progress: self.show.then_some(&self.progress) }
    }

    /// Begins a bar of so many steps.
    pub(crate) fn begin(&self, id: &str, steps: usize) {
        self.progress.reset();
        self.progress.set_length(steps as u64);
        self.progress.set_prefix(id.to_owned());
    }

    /// Says which point of the figure comes next.
    pub(crate) fn step(&self, what: &str) {
        self.progress.set_message(what.to_owned());
        self.progress.inc(1);
    }

    pub(crate) fn end(&self) {
        self.progress.finish_and_clear();
    }
}
