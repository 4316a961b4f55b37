//! Transforms: every series at one width and size.

use super::{Point, measured, series};
use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{GmpNtt, Layer, Mpn, Mpz};
use crate::judge;
use crate::measure::{Name, Plan, Work, measure};
use crate::modulus::Modulus;
use crate::report::Row;
use crate::targets::{NttCase, Recipe, multiples};
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
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed ^ u64::from(modulus.bits));
        let first = &modulus.operands(1 << log2_n, &mut rng);
        let case = NttCase { modulus, log2_n, first, pool: context.pool() };
        let right = judge::ntt(first, modulus);
        if let (Ok(gmp), true) = (&context.gmp, log2_n <= points.gmp_up_to) {
            rows.push(row(context, case, Mpz::NAME, &mut GmpNtt::new(Mpz::new(gmp, modulus), case), &right)?);
            rows.push(row(context, case, Mpn::NAME, &mut GmpNtt::new(Mpn::new(gmp, modulus), case), &right)?);
        }
        for target in context.kernels.targets() {
            for recipe in points.recipes.iter().copied() {
                if let Some(mut work) = context.kernels.ntt(target, recipe, case)? {
                    rows.push(row(context, case, &series(target, recipe), &mut *work, &right)?);
                }
            }
        }
    }
    Ok(rows)
}

/// Measures one series; `right` is what comes out of the first transform.
fn row(
    context: &Context<'_>,
    case: NttCase<'_>,
    series: &str,
    work: &mut dyn Work,
    right: &[BigUint],
) -> Result<Row, LabError> {
    let (bits, log2_n) = (case.modulus.bits, case.log2_n);
    let what = format!("NTT of 2^{log2_n} at {bits} bits");
    context.step(format!("{series}: {what}"));
    let batch = core::cell::Cell::new(0);
    let all = |count: usize| {
        batch.set(count >> log2_n);
        multiples(right, batch.get(), &case.modulus.q)
    };
    let timing = measure(work, all, &Name { series, what: &what }, Plan::new(context.quick))?;
    let batch = batch.get();
    let butterflies = batch as f64 * f64::from(1u32 << (log2_n - 1)) * f64::from(log2_n);
    let note = format!("{} threads; {} repeats; batch {batch}", context.threads(), timing.repeats);
    let point = Point { operation: "ntt", series, bits, log2_n };
    Ok(measured(&point, "butterfly", work, &timing, butterflies, note))
}

/// Series at a point: both layers of GMP and ours.
pub(super) fn steps(context: &Context<'_>, points: &Points<'_>) -> usize {
    let gmp = points.sizes.iter().filter(|size| **size <= points.gmp_up_to).count();
    let ours = context.kernels.targets().len() * points.recipes.len();
    2 * gmp * usize::from(context.gmp.is_ok()) + ours * points.sizes.len()
}
