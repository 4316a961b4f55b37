//! What the lab asks of whoever makes kernels: the cases of the figures, and the recipes to compute them by.

use crate::LabError;
use crate::measure::Work;
use crate::modulus::Modulus;
use num_bigint::BigUint;
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::blas::BlasOp;
use std::fmt;

/// The algorithms of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipe {
    /// The reduction of products. Numbers that are reduced by Montgomery's stand in that form; the conversion is not timed.
    pub reduction: Reduction,
    /// Levels of Karatsuba's products, with three of half the width in place of four; at 0 every word is multiplied with every word.
    pub karatsuba: u32,
}

impl Recipe {
    /// The paper's default.
    pub const BARRETT: Self = Self { reduction: Reduction::Barrett, karatsuba: 0 };
    /// Montgomery's reduction with schoolbook products.
    pub const MONTGOMERY: Self = Self { reduction: Reduction::Montgomery, karatsuba: 0 };
    /// Barrett on one level of Karatsuba.
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

/// The name of the series of a target by a recipe.
pub(crate) fn series(target: &str, recipe: Recipe) -> String {
    format!("{target} {recipe}")
}

/// A vector operation on operands below the modulus.
#[derive(Clone, Copy, Debug)]
pub struct VectorCase<'a> {
    /// The vector operation.
    pub op: BlasOp,
    /// The modulus of all numbers.
    pub modulus: &'a Modulus,
    /// The factor of [`BlasOp::Axpy`].
    pub scalar: &'a BigUint,
    /// The first vector, a power of two long, at least eight.
    pub a: &'a [BigUint],
    /// The second vector, as long.
    pub b: &'a [BigUint],
    /// Threads to run on.
    pub pool: &'a rayon::ThreadPool,
}

/// Forward transforms, natural order in and out: a batch of multiples of one input, as many as the target likes.
#[derive(Clone, Copy, Debug)]
pub struct NttCase<'a> {
    /// The modulus, which gives the root.
    pub modulus: &'a Modulus,
    /// Binary logarithm of the points of a transform.
    pub log2_n: u32,
    /// The input of the first transform.
    pub first: &'a [BigUint],
    /// Threads to run on.
    pub pool: &'a rayon::ThreadPool,
}

impl NttCase<'_> {
    /// The inputs of a batch, one after the other: once, twice, three times the first. Transforms are linear, so that
    /// whoever knows the first result knows all.
    pub fn inputs(&self, batch: usize) -> Vec<BigUint> {
        multiples(self.first, batch, &self.modulus.q)
    }

    /// A batch for this computer: the same for every thread, whole groups of lanes, and 2^12 points at least.
    pub fn host_batch(&self, lanes: usize) -> usize {
        self.pool.current_num_threads() * (1usize << 12 >> self.log2_n).max(1).next_multiple_of(lanes)
    }
}

/// The numbers once, twice, ...: `batch` times in all, modulo q.
pub(crate) fn multiples(numbers: &[BigUint], batch: usize, q: &BigUint) -> Vec<BigUint> {
    (1..=batch).flat_map(|i| numbers.iter().map(move |x| x * i % q)).collect()
}

/// Somebody who makes kernels for this machine.
pub trait Kernels: Sync {
    /// What the kernels run on, for the result's provenance.
    fn device(&self) -> String;

    /// Targets that run here.
    fn targets(&self) -> Vec<&'static str>;

    /// A vector operation by a target, ready to run; `None` where the target has no such kernel.
    ///
    /// # Errors
    /// The text cannot be printed, compiled or loaded.
    fn vector<'a>(
        &'a self,
        target: &'static str,
        recipe: Recipe,
        case: VectorCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError>;

    /// Transforms by a target, ready to run; `None` where the target has no such kernel.
    ///
    /// # Errors
    /// As [`Kernels::vector`].
    fn ntt<'a>(
        &'a self,
        target: &'static str,
        recipe: Recipe,
        case: NttCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError>;
}
