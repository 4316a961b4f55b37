//! The interface between the lab and the makers of kernels: the cases of the figures, and the recipes by which they are
//! computed.

use crate::LabError;
use crate::measure::Work;
use crate::modulus::Modulus;
use num_bigint::BigUint;
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::blas::BlasOp;
use std::fmt;

/// The algorithms that a kernel uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    /// The reduction of products. With Montgomery's reduction, numbers are in Montgomery form; the conversion is not
    /// timed.
    pub reduction: Reduction,
    /// Levels of Karatsuba multiplication, each with three products of half the width instead of four; 0 means
    /// schoolbook multiplication.
    pub karatsuba: u32,
}

impl Recipe {
    /// Barrett's reduction with schoolbook products, the paper's default.
    pub const BARRETT: Self = Self { reduction: Reduction::Barrett, karatsuba: 0 };
    /// Montgomery's reduction with schoolbook products.
    pub const MONTGOMERY: Self = Self { reduction: Reduction::Montgomery, karatsuba: 0 };
    /// Barrett's reduction with one level of Karatsuba.
    pub const KARATSUBA: Self = Self { reduction: Reduction::Barrett, karatsuba: 1 };
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reduction {
            Reduction::Barrett => "barrett",
            Reduction::Montgomery => "montgomery",
        })?;
        match self.karatsuba {
            0 => Ok(()),
            levels => write!(f, " karatsuba:{levels}"),
        }
    }
}

/// The series name of a target with a recipe.
pub(crate) fn series(target: &str, recipe: Recipe) -> String {
    format!("{target} {recipe}")
}

/// A vector operation on operands below the modulus, as a benchmark case.
#[derive(Clone, Copy, Debug)]
pub struct VectorCase<'a> {
    /// The vector operation.
    pub op: BlasOp,
    /// The modulus of all numbers.
    pub modulus: &'a Modulus,
    /// The factor of [`BlasOp::Axpy`].
    pub scalar: &'a BigUint,
    /// The first vector, whose length is a power of two, at least eight.
    pub a: &'a [BigUint],
    /// The second vector, with the same length.
    pub b: &'a [BigUint],
    /// Threads to run on.
    pub pool: &'a rayon::ThreadPool,
}

/// Forward transforms with input and output in natural order: a batch of multiples of one input, of a size that the
/// target chooses.
#[derive(Clone, Copy, Debug)]
pub struct NttCase<'a> {
    /// The modulus, which gives the root.
    pub modulus: &'a Modulus,
    /// Binary logarithm of the number of points of a transform.
    pub log2_n: u32,
    /// The input of the first transform.
    pub first: &'a [BigUint],
    /// Threads to run on.
    pub pool: &'a rayon::ThreadPool,
}

impl NttCase<'_> {
    /// The inputs of a batch, concatenated: once, twice, three times the first. Since transforms are linear, the
    /// results follow from the first one.
    pub fn inputs(&self, batch: usize) -> Vec<BigUint> {
        multiples(self.first, batch, &self.modulus.q)
    }

    /// A batch size for this computer: the same for every thread, in whole groups of lanes, and at least 2^12 points.
    pub fn host_batch(&self, lanes: usize) -> usize {
        self.pool.current_num_threads() * (1usize << 12 >> self.log2_n).max(1).next_multiple_of(lanes)
    }
}

/// The numbers times 1, 2, ..., `batch`, modulo q, concatenated.
pub(crate) fn multiples(numbers: &[BigUint], batch: usize, q: &BigUint) -> Vec<BigUint> {
    (1..=batch).flat_map(|i| numbers.iter().map(move |x| x * i % q)).collect()
}

/// A provider of kernels for this machine.
pub trait Kernels: Sync {
    /// The device on which the kernels run, for the result's provenance.
    fn device(&self) -> String;

    /// Targets that can run on this machine.
    fn targets(&self) -> Vec<&'static str>;

    /// A vector operation by a target, ready to run; `None` if the target has no such kernel.
    ///
    /// # Errors
    /// The text cannot be printed, compiled or loaded.
    fn vector<'a>(
        &'a self,
        target: &'static str,
        recipe: Recipe,
        case: VectorCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError>;

    /// Transforms by a target, ready to run; `None` if the target has no such kernel.
    ///
    /// # Errors
    /// The errors of [`Kernels::vector`].
    fn ntt<'a>(
        &'a self,
        target: &'static str,
        recipe: Recipe,
        case: NttCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError>;
}
