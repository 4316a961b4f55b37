//! Experiments as data: one row per table or figure of a paper.

use crate::cuda::{self, Cuda};
use crate::plot::Picture;
use crate::report::{Kind, Row};
use crate::targets::Kernels;
use crate::{LabError, aie, cp, moma, mtu};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pairwright_gpu::GpuError;
use pairwright_testkit::gmp::{Gmp, GmpError};

/// A table or figure of a paper.
pub struct Experiment {
    /// `paper/figure`, and the stem of the result's files.
    pub id: &'static str,
    /// The paper's key in this repository, and the place in it.
    pub paper: &'static str,
    /// What the paper shows there.
    pub claim: &'static str,
    /// What it takes to run it whole.
    pub needs: &'static str,
    /// How our numbers are come by.
    pub kind: Kind,
    /// How its rows are drawn.
    pub(crate) picture: Picture,
    /// The published numbers, as in `published/<id>.csv`.
    pub(crate) published: &'static str,
    /// Measures or computes ours.
    pub(crate) run: fn(&Context<'_>) -> Result<Outcome, LabError>,
}

/// What an experiment found: rows of its own, and answers to what was published.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Rows of its own, in the order of the figure.
    pub(crate) rows: Vec<Row>,
    /// Answers to published rows.
    pub(crate) answers: Vec<Answer>,
}

/// Our value for a published one.
pub(crate) struct Answer {
    /// The published row's key.
    pub(crate) key: &'static str,
    /// Its operation; any, where there is none.
    pub(crate) operation: Option<String>,
    /// Its width in bits; any, where there is none.
    pub(crate) bits: Option<u32>,
    /// Its size; any, where there is none.
    pub(crate) log2_n: Option<u32>,
    /// The series of ours that this is about.
    pub(crate) series: String,
    /// Our value, in the published unit.
    pub(crate) value: f64,
    /// How it was come by, where that is not the experiment's way.
    pub(crate) kind: Option<Kind>,
    /// Why it differs, where that is known.
    pub(crate) note: String,
}

/// What an experiment may use.
pub struct Context<'a> {
    /// Small sizes, few repeats: for tests of the lab itself, not for figures.
    pub quick: bool,
    /// Seed of the operands.
    pub seed: u64,
    /// Kernels that run on this machine.
    pub kernels: &'a dyn Kernels,
    /// A CUDA device, where there is one.
    pub cuda: Result<Cuda, GpuError>,
    /// The baseline, where it is installed.
    pub gmp: Result<&'static Gmp, GmpError>,
    /// Designs of [AIE] that have been evaluated.
    pub(crate) evaluations: aie::Evaluations,
    pool: rayon::ThreadPool,
    progress: ProgressBar,
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
            gmp: Gmp::load(),
            evaluations: aie::Evaluations::default(),
            pool,
            progress,
        })
    }

    /// Threads that every series may use.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Targets that run: on the host, and on the device if there is one.
    pub(crate) fn targets(&self) -> Vec<&'static str> {
        let device = cuda::targets().filter(|_| self.cuda.is_ok());
        self.kernels.targets().into_iter().chain(device).collect()
    }

    /// What runs where.
    pub(crate) fn device(&self) -> String {
        let host = self.kernels.device();
        match &self.cuda {
            Ok(cuda) => {
                format!("{host}; {} ({})", cuda.name(), cuda::targets().collect::<Vec<_>>().join(", "))
            }
            Err(absent) => format!("{host}; {absent}"),
        }
    }

    pub(crate) fn pool(&self) -> &rayon::ThreadPool {
        &self.pool
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

/// Every experiment, in the order of the papers.
pub fn all() -> impl Iterator<Item = &'static Experiment> {
    moma::EXPERIMENTS.iter().chain(cp::EXPERIMENTS).chain(mtu::EXPERIMENTS).chain(aie::EXPERIMENTS)
}

/// The experiment with this id.
///
/// # Errors
/// There is none; or `id` is a paper.
pub fn find(id: &str) -> Result<&'static Experiment, LabError> {
    if let Some(found) = all().find(|experiment| experiment.id == id) {
        return Ok(found);
    }
    if of_paper(id).is_ok() {
        return Err(LabError::WholePaper(id.to_owned()));
    }
    Err(unknown(id))
}

/// The experiments of a paper, named by the first part of their ids.
///
/// # Errors
/// No experiment belongs to it.
pub fn of_paper(paper: &str) -> Result<Vec<&'static Experiment>, LabError> {
    let found: Vec<_> = all().filter(|e| e.id.split('/').next() == Some(paper)).collect();
    if found.is_empty() { Err(unknown(paper)) } else { Ok(found) }
}

fn unknown(asked: &str) -> LabError {
    let known = all().map(|experiment| experiment.id).collect::<Vec<_>>().join(", ");
    LabError::NoExperiment { asked: asked.to_owned(), known }
}
