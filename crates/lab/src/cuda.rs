//! Measurements on a CUDA device, if there is one: kernels on operands that stay on the device, timed by the device's
//! clock and checked by `gpu::bench`, which compares samples with numbers on the host. The host's work for several
//! series of a figure runs in parallel; the device works for one series at a time.

use crate::LabError;
use crate::modulus::Modulus;
use crate::row::{Kind, Labels, Row};
use crate::targets::{Recipe, series};
use indicatif::ProgressBar;
use pairwright_gpu::bench::{Measured, RUNS, Subject};
use pairwright_gpu::family::{FieldTuning, KernelTarget};
use pairwright_gpu::{GpuError, Setup, chosen};
use pairwright_moma::program::blas::{BlasOp, BlasTuning};
use pairwright_moma::program::ntt::Tuning;
use rayon::prelude::*;

/// The first CUDA device with its compiler.
pub struct Cuda {
    setup: Setup,
}

/// The host's settings in measurements of a device.
pub(crate) struct Host<'a> {
    /// Small sizes, for tests of the lab.
    pub(crate) quick: bool,
    /// The progress display, which shows the last measurement; `None` for no output.
    pub(crate) progress: Option<&'a ProgressBar>,
}

impl Host<'_> {
    fn say(&self, what: String) {
        match self.progress {
            // A progress bar cannot be drawn in a file or a pipe.
            Some(progress) if progress.is_hidden() => eprintln!("{what}"),
            Some(progress) => progress.set_message(what),
            None => {}
        }
    }
}

/// Word sizes of the device's kernels; each is a target.
const TARGETS: [KernelTarget; 2] = [KernelTarget::Cuda32, KernelTarget::Cuda64];

/// The names of the targets.
pub(crate) fn targets() -> impl Iterator<Item = &'static str> {
    TARGETS.into_iter().map(KernelTarget::machine)
}

impl Cuda {
    /// Opens the device.
    ///
    /// # Errors
    /// There is no driver, no device, or no compiler.
    pub fn open() -> Result<Self, GpuError> {
        Ok(Self { setup: Setup::open(chosen()?)? })
    }

    /// The product name of the device.
    pub fn name(&self) -> &str {
        &self.setup.gpu.facts().name
    }

    /// Measures a vector operation with each word size and recipe, in nanoseconds per element.
    pub(crate) fn vectors(
        &self,
        modulus: &Modulus,
        op: BlasOp,
        recipes: &[Recipe],
        on: &Host<'_>,
    ) -> Result<Vec<Row>, LabError> {
        // Vectors of 128 MB, which fill the device and together exceed its cache several times.
        let log2_n = if on.quick { 12 } else { 23 - (modulus.bits / 128).max(1).ilog2() };
        self.each(modulus, recipes, |subject| {
            let shape = self.setup.table.vec(subject.bits());
            let shape = shape.unwrap_or_else(|| BlasTuning::for_element(subject.element()));
            let measured = subject.vector(op, 1 << log2_n, shape)?;
            let note = format!("{:.0} GB/s", measured.gigabytes_per_second);
            Ok(vec![Point { measured, operation: op.name(), log2_n, unit: "element", note }])
        })
    }

    /// Measures transforms of several sizes with each word size and recipe, in a batch that fills the device, in
    /// nanoseconds per butterfly.
    pub(crate) fn transforms(
        &self,
        modulus: &Modulus,
        sizes: &[u32],
        recipes: &[Recipe],
        on: &Host<'_>,
    ) -> Result<Vec<Row>, LabError> {
        let most = sizes.iter().copied().max().unwrap_or(0);
        let points = most.max(if on.quick { 12 } else { 22 });
        self.each(modulus, recipes, |subject| {
            let shape = |log2_n| {
                let known = self.setup.table.ntt(subject.bits(), log2_n, true).map(|row| row.tuning);
                subject.gpu().facts().fit(known.unwrap_or_else(|| Tuning::for_element(subject.element())))
            };
            // All threads compile before the device is used.
            sizes.par_iter().for_each(|log2_n| subject.compile_transforms(*log2_n, &[shape(*log2_n)]));
            // All sizes use the same elements, which are transferred to the device once.
            let mut transforms = subject.transforms(1 << points)?;
            let mut point = |log2_n: u32| -> Result<Point, GpuError> {
                let measured = transforms.measure(log2_n, &shape(log2_n))?;
                let (target, ns) = (subject.target().machine(), measured.nanoseconds);
                on.say(format!("{} bits, {target}: {}, {ns:.4} ns", modulus.bits, measured.kernel));
                let note = format!("batch {}", 1u32 << (points - log2_n));
                Ok(Point { measured, operation: "ntt", log2_n, unit: "butterfly", note })
            };
            sizes.iter().map(|log2_n| point(*log2_n)).collect()
        })
    }

    /// The rows of all combinations, ordered by size, then word size, then recipe.
    fn each(
        &self,
        modulus: &Modulus,
        recipes: &[Recipe],
        run: impl Fn(&Subject) -> Result<Vec<Point>, GpuError> + Sync,
    ) -> Result<Vec<Row>, LabError> {
        let all = TARGETS.into_iter().flat_map(|target| recipes.iter().map(move |recipe| (target, *recipe)));
        let rows = |(target, recipe): (KernelTarget, Recipe)| -> Result<Vec<Row>, LabError> {
            let tuning = FieldTuning { target, karatsuba: recipe.karatsuba };
            let subject = Subject::new(self.setup.clone(), &modulus.q, recipe.reduction, tuning)?;
            let series = series(target.machine(), recipe);
            Ok(run(&subject)?.into_iter().map(|point| self.row(modulus.bits, &series, point)).collect())
        };
        // These threads do not belong to a pool: a waiting pool thread would take up another series and deadlock on the
        // device, which it holds itself.
        let rows = &rows;
        let series = std::thread::scope(|scope| {
            let started: Vec<_> = all.map(|choice| scope.spawn(move || rows(choice))).collect();
            let ended = started.into_iter().map(|thread| match thread.join() {
                Ok(rows) => rows,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect::<Result<Vec<Vec<Row>>, LabError>>()
        })?;
        let points = series.first().map_or(0, Vec::len);
        Ok((0..points).flat_map(|at| series.iter().map(move |rows| rows[at].clone())).collect())
    }

    fn row(&self, bits: u32, series: &str, point: Point) -> Row {
        let Point { measured, operation, log2_n, unit, note } = point;
        let (quantity, ns) = (format!("time per {unit}"), format!("ns per {unit}"));
        let labels = Labels { quantity: &quantity, operation, unit: &ns };
        let time = measured.nanoseconds;
        let note = format!("median of {RUNS} launches; samples of the results checked; {note}");
        Row {
            bits: Some(bits),
            log2_n: Some(log2_n),
            median: Some(time),
            ..labels.row(Kind::Measured, self.name(), series, time, &note)
        }
    }
}

/// The measurement of one kernel, with the labels of its row.
struct Point {
    measured: Measured,
    operation: &'static str,
    log2_n: u32,
    unit: &'static str,
    note: String,
}
