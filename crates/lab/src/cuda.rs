//! Series on a CUDA device, where there is one: kernels on operands that stay there, timed by the device's clock and
//! checked by `gpu::bench`, which compares samples with numbers on the host. Operands and comparisons of several points of
//! a figure are computed side by side; the device works for one at a time.

use crate::LabError;
use crate::judge::VectorOp;
use crate::modulus::Modulus;
use crate::row::{Kind, Labels, Row};
use crate::targets::{Multiplication, Recipe, Reduction, series};
use pairwright_gpu::bench::{Measured, RUNS, Subject};
use pairwright_gpu::family::{FieldTuning, WordSize};
use pairwright_gpu::{GpuError, Setup, chosen};
use pairwright_moma::ir;
use pairwright_moma::program::blas::{BlasOp, BlasTuning};
use pairwright_moma::program::ntt::Tuning;
use rayon::prelude::*;

/// The first CUDA device with its compiler.
pub struct Cuda {
    setup: Setup,
}

/// How this computer takes part.
pub(crate) struct Host<'a> {
    /// Small sizes, for tests of the lab.
    pub(crate) quick: bool,
    /// The threads that make operands and compare results.
    pub(crate) pool: &'a rayon::ThreadPool,
}

/// Words that a device computes in; each is a target.
const WORDS: [WordSize; 2] = [WordSize::Cuda32, WordSize::Cuda64];

/// The names of the targets.
pub(crate) fn targets() -> impl Iterator<Item = &'static str> {
    WORDS.into_iter().map(WordSize::machine)
}

impl Cuda {
    /// Opens the device.
    ///
    /// # Errors
    /// There is no driver, no device, or no compiler.
    pub fn open() -> Result<Self, GpuError> {
        Ok(Self { setup: Setup::open(chosen()?)? })
    }

    /// The product's name.
    pub fn name(&self) -> &str {
        &self.setup.gpu.facts().name
    }

    /// A vector operation with each word size and recipe: nanoseconds per element.
    pub(crate) fn vectors(
        &self,
        modulus: &Modulus,
        op: VectorOp,
        recipes: &[Recipe],
        on: &Host<'_>,
    ) -> Result<Vec<Row>, LabError> {
        let kernel = match op {
            VectorOp::Add => BlasOp::Vadd,
            VectorOp::Sub => BlasOp::Vsub,
            VectorOp::Mul => BlasOp::Vmul,
            VectorOp::Axpy => BlasOp::Axpy,
        };
        // Vectors of 128 MB: enough to fill the device, and together several times its cache.
        let log2_n = if on.quick { 12 } else { 23 - (modulus.bits / 128).max(1).ilog2() };
        self.each(modulus, &[log2_n], recipes, on, |subject, bits, log2_n| {
            let shape =
                self.setup.table.vec(bits).unwrap_or_else(|| BlasTuning::for_element(subject.element()));
            let measured = subject.vector(kernel, 1 << log2_n, shape)?;
            let note = format!("{:.0} GB/s", measured.gigabytes_per_second);
            Ok(Point { measured, operation: op.name(), unit: "element", note })
        })
    }

    /// Transforms of several sizes with each word size and recipe, in a batch that fills the device: nanoseconds per
    /// butterfly.
    pub(crate) fn transforms(
        &self,
        modulus: &Modulus,
        sizes: &[u32],
        recipes: &[Recipe],
        on: &Host<'_>,
    ) -> Result<Vec<Row>, LabError> {
        let points = if on.quick { 12 } else { 22 };
        self.each(modulus, sizes, recipes, on, |subject, bits, log2_n| {
            let batch = 1u32 << u32::saturating_sub(points, log2_n);
            let known = self.setup.table.ntt(bits, log2_n, true).map(|row| row.tuning);
            let tuning = known.unwrap_or_else(|| Tuning::for_element(subject.element()));
            let tuning = subject.gpu().facts().fit(tuning);
            let measured = subject.transform(log2_n, batch, &tuning)?;
            Ok(Point { measured, operation: "ntt", unit: "butterfly", note: format!("batch {batch}") })
        })
    }

    /// A row for each size, word size and recipe, in this order.
    fn each(
        &self,
        modulus: &Modulus,
        sizes: &[u32],
        recipes: &[Recipe],
        on: &Host<'_>,
        run: impl Fn(&Subject, u32, u32) -> Result<Point, GpuError> + Sync,
    ) -> Result<Vec<Row>, LabError> {
        let with_words = |size| WORDS.into_iter().map(move |words| (size, words));
        let with_recipes = |(size, words)| recipes.iter().map(move |recipe| (size, words, *recipe));
        let all: Vec<_> = sizes.iter().copied().flat_map(with_words).flat_map(with_recipes).collect();
        let row = |(log2_n, words, recipe): (u32, WordSize, Recipe)| {
            let karatsuba = match recipe.multiplication {
                Multiplication::Schoolbook => 0,
                Multiplication::Karatsuba(levels) => levels,
            };
            let reduction = match recipe.reduction {
                Reduction::Barrett => ir::Reduction::Barrett,
                Reduction::Montgomery => ir::Reduction::Montgomery,
            };
            let tuning = FieldTuning { words, karatsuba };
            let subject = Subject::new(self.setup.clone(), &modulus.q, reduction, tuning)?;
            let Point { measured, operation, unit, note } = run(&subject, modulus.bits - 4, log2_n)?;
            let (quantity, ns) = (format!("time per {unit}"), format!("ns per {unit}"));
            let labels = Labels { quantity: &quantity, operation, unit: &ns };
            let (series, time) = (series(words.machine(), recipe), measured.nanoseconds);
            let note = format!("median of {RUNS} launches; samples of the results checked; {note}");
            Ok(Row {
                bits: Some(modulus.bits),
                log2_n: Some(log2_n),
                median: Some(time),
                ..labels.row(Kind::Measured, self.name(), &series, time, &note)
            })
        };
        on.pool.install(|| all.into_par_iter().map(row).collect())
    }
}

/// What was measured of one kernel, and how its row is named.
struct Point {
    measured: Measured,
    operation: &'static str,
    unit: &'static str,
    note: String,
}
