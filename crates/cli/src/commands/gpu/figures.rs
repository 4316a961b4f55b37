//! The measurements of figures 2 to 5 of [MoMA] on a CUDA device: nanoseconds per element of vector operations, and nanoseconds per
//! butterfly of transforms, in batches that fill the device. The names of the lines are those of the series that `cargo lab` draws.

use super::lines::{Extent, Section};
use super::shape;
use crate::failure::Failure;
use pairwright::gpu::Setup;
use pairwright::gpu::bench::{Measured, Subject};
use pairwright::gpu::family::{FieldTuning, KernelTarget};
use pairwright::gpu::report::{Line, Point};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::blas::{BlasOp, BlasTuning};
use pairwright::moma::program::primes::ntt_prime;

/// Widths of figure 2, in bits.
const OF_VECTORS: [u32; 4] = [128, 256, 512, 1024];

/// Widths of figures 3 and 5b, in bits.
const OF_SIZES: [u32; 4] = [128, 256, 384, 768];

/// Widths of figures 4 and 5a, in bits.
const OF_WIDTHS: [u32; 13] = [64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 768, 896, 1024];

/// log2 of the sizes of transforms in figure 3.
const SIZES: core::ops::RangeInclusive<u32> = 8..=22;

/// log2 of the sizes of transforms in figures 5 and 4.
const ACROSS_WIDTHS: [u32; 2] = [12, 16];

/// A series of a figure: the size of machine words, the reduction, and whether products use Karatsuba's method.
#[derive(Clone, Copy)]
struct Series {
    target: KernelTarget,
    reduction: Reduction,
    karatsuba: u32,
}

impl Series {
    /// The series of a figure on both sizes of words.
    fn all(karatsuba: bool) -> Vec<Self> {
        let recipes = match karatsuba {
            true => vec![(Reduction::Barrett, 1)],
            false => vec![(Reduction::Barrett, 0), (Reduction::Montgomery, 0)],
        };
        let of = |target| move |(reduction, karatsuba)| Self { target, reduction, karatsuba };
        let [small, large] = [KernelTarget::Cuda32, KernelTarget::Cuda64].map(of);
        recipes.iter().copied().map(small).chain(recipes.iter().copied().map(large)).collect()
    }

    /// The name of the series in the figures.
    fn name(self) -> String {
        let reduction = match self.reduction {
            Reduction::Barrett => "barrett",
            Reduction::Montgomery => "montgomery",
        };
        let levels =
            if self.karatsuba > 0 { format!(" karatsuba:{}", self.karatsuba) } else { String::new() };
        format!("{} {reduction}{levels}", self.target.machine())
    }

    /// The point of a figure for an operation of this series and width.
    fn point(self, operation: &str, bits: u32) -> Point {
        Point { operation: operation.to_owned(), bits, series: self.name() }
    }

    /// The kernels for a prime four bits shorter than the width, as in the paper, also with Montgomery's reduction.
    fn subject(self, setup: &Setup, bits: u32) -> Result<Subject, Failure> {
        let tuning = FieldTuning { target: self.target, karatsuba: self.karatsuba };
        let modulus = ntt_prime(bits.saturating_sub(4), *SIZES.end())?;
        Ok(Subject::new(setup.clone(), &modulus, self.reduction, tuning)?)
    }
}

/// The line of the report for a measured point of a figure.
fn line(point: Point, log_n: u32, unit: &str, measured: &Measured) -> Line {
    let what = format!("{}, {} bits, {}", point.operation, point.bits, point.series);
    Line { log_size: Some(log_n), point: Some(point), ..Line::by_unit(what, unit, measured.nanoseconds) }
}

/// The widths that are measured, in bits.
pub(super) fn widths() -> impl Iterator<Item = u32> {
    OF_VECTORS.into_iter().chain(OF_SIZES).chain(OF_WIDTHS)
}

/// Measures all figures, for the sizes and widths of an extent.
pub(super) fn run(setup: &Setup, extent: Extent<'_>, into: &mut Section<'_>) {
    let most = extent.most;
    for bits in extent.of(&OF_VECTORS) {
        // Vectors of 128 MB fill the device, and together are several times as large as its cache.
        let log_n = most.min(23 - (bits / 128).ilog2());
        for series in Series::all(false) {
            into.lines(&format!("vectors, {bits} bits, {}", series.name()), || {
                let subject = series.subject(setup, bits)?;
                let table = setup.table.vec(subject.bits());
                let shape = table.unwrap_or_else(|| BlasTuning::for_element(subject.element()));
                // Additions and subtractions do not reduce products, so that one series of them is enough.
                let sums = series.reduction == Reduction::Barrett;
                let shown = |op: &&BlasOp| sums || matches!(op, BlasOp::Vmul | BlasOp::Axpy);
                let measured = BlasOp::ALL.iter().filter(shown).map(|op| {
                    let measured = subject.vector(*op, 1 << log_n, shape)?;
                    Ok(line(series.point(op.name(), bits), log_n, "element", &measured))
                });
                measured.collect()
            });
        }
    }
    for bits in extent.of(&OF_WIDTHS) {
        for series in Series::all(false) {
            let mut sizes: Vec<u32> = ACROSS_WIDTHS.to_vec();
            if OF_SIZES.contains(&bits) {
                sizes = SIZES.collect();
            }
            transforms(setup, bits, series, sizes, most, into);
        }
        if OF_SIZES.contains(&bits) {
            for series in Series::all(true) {
                transforms(setup, bits, series, vec![ACROSS_WIDTHS[0]], most, into);
            }
        }
    }
}

fn transforms(
    setup: &Setup,
    bits: u32,
    series: Series,
    mut sizes: Vec<u32>,
    most: u32,
    into: &mut Section<'_>,
) {
    sizes.retain(|log_n| *log_n <= most);
    if sizes.is_empty() {
        sizes.push(most.max(1));
    }
    let what = format!("ntt, {bits} bits, {}", series.name());
    into.lines(&what, || {
        let subject = series.subject(setup, bits)?;
        // The operands of all sizes are parts of the same elements, which are sent to the device once.
        let mut transforms = subject.transforms(1 << most.clamp(1, *SIZES.end()))?;
        let measure = |log_n: &u32| {
            let measured = transforms.measure(*log_n, &shape(setup, &subject, *log_n, true))?;
            Ok(line(series.point("ntt", bits), *log_n, "butterfly", &measured))
        };
        sizes.iter().map(measure).collect()
    });
}
