//! Transforms: every series at one width and size.

use super::{measured, series};
use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{GmpNtt, Mpn, Mpz};
use crate::host::{HostNtt, Recipe};
use crate::judge;
use crate::measure::{Plan, Work, measure};
use crate::modulus::Modulus;
use crate::report::Row;
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Points of a figure: one width, some sizes.
pub(super) struct Points<'a> {
    pub(super) bits: u32,
    pub(super) sizes: &'a [u32],
    /// Above this size GMP is left out: it would take minutes and say nothing new.
    pub(super) gmp_up_to: u32,
    pub(super) recipes: &'a [Recipe],
}

/// Nanoseconds per butterfly, `2 T / (n log2 n)` as in section 5.3, with a batch that keeps all threads busy.
pub(super) fn rows(context: &Context<'_>, points: &Points<'_>) -> Result<Vec<Row>, LabError> {
    let modulus = &Modulus::of_class(points.bits)?;
    let mut rows = Vec::new();
    for log2_n in points.sizes.iter().copied() {
        let one = Point::new(context, modulus, log2_n);
        if let (Ok(gmp), true) = (&context.gmp, log2_n <= points.gmp_up_to) {
            let pool = context.pool();
            let batch = one.batch(context, 1);
            let inputs = &one.inputs[..batch << log2_n];
            let mut mpz = GmpNtt::new(Mpz::new(gmp, modulus), pool, modulus, log2_n, inputs);
            rows.push(one.row(context, &mut mpz, batch)?);
            let mut mpn = GmpNtt::new(Mpn::new(gmp, modulus), pool, modulus, log2_n, inputs);
            rows.push(one.row(context, &mut mpn, batch)?);
        }
        for target in context.kernels.targets() {
            for recipe in points.recipes.iter().copied() {
                let Some(loaded) = context.kernels.ntt(target, recipe, modulus, log2_n)? else { continue };
                let name = series(target, recipe);
                let batch = one.batch(context, loaded.format.lanes);
                let inputs = &one.inputs[..batch << log2_n];
                let mut work = HostNtt::new(loaded, context.pool(), name, modulus, log2_n, inputs);
                rows.push(one.row(context, &mut work, batch)?);
            }
        }
    }
    Ok(rows)
}

/// The most lanes that a target has.
const LANES: usize = 8;

/// Batches of one size, and what comes out of them.
struct Point<'a> {
    modulus: &'a Modulus,
    log2_n: u32,
    inputs: Vec<BigUint>,
    right: Vec<BigUint>,
}

impl<'a> Point<'a> {
    /// The i-th transform of the batch takes i + 1 times the first input: an NTT is linear, so the judge computes one.
    fn new(context: &Context<'_>, modulus: &'a Modulus, log2_n: u32) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed ^ u64::from(modulus.bits));
        let first = modulus.operands(1 << log2_n, &mut rng);
        let mut made = Self { modulus, log2_n, inputs: Vec::new(), right: Vec::new() };
        let most = made.batch(context, LANES);
        let multiples = |numbers: &[BigUint]| -> Vec<BigUint> {
            (1..=most).flat_map(|i| numbers.iter().map(move |x| x * i % &modulus.q)).collect()
        };
        made.right = multiples(&judge::ntt(&first, modulus));
        made.inputs = multiples(&first);
        made
    }

    /// Transforms of a batch: the same for every thread, whole groups of lanes, and 2^12 points at least.
    fn batch(&self, context: &Context<'_>, lanes: usize) -> usize {
        context.threads() * (1usize << 12 >> self.log2_n).max(1).next_multiple_of(lanes)
    }

    fn row(&self, context: &Context<'_>, work: &mut dyn Work, batch: usize) -> Result<Row, LabError> {
        let (bits, log2_n) = (self.modulus.bits, self.log2_n);
        let what = format!("NTT of 2^{log2_n} at {bits} bits");
        context.step(format!("{}: {what}", work.series()));
        let timing = measure(work, &self.right[..batch << log2_n], &what, Plan::new(context.quick))?;
        let butterflies = batch as f64 * f64::from(1u32 << (log2_n - 1)) * f64::from(log2_n);
        let times = [timing.min, timing.median].map(|time| time / butterflies);
        let note = format!("{} threads; {} repeats; batch {batch}", context.threads(), timing.repeats);
        let mut row = measured("time per butterfly", "ntt", work.series(), bits, log2_n, times, note);
        row.unit = "ns per butterfly".to_owned();
        Ok(row)
    }
}

/// Series at a point: both layers of GMP and ours.
pub(super) fn steps(context: &Context<'_>, points: &Points<'_>) -> usize {
    let gmp = points.sizes.iter().filter(|size| **size <= points.gmp_up_to).count();
    let ours = context.kernels.targets().len() * points.recipes.len();
    2 * gmp * usize::from(context.gmp.is_ok()) + ours * points.sizes.len()
}
