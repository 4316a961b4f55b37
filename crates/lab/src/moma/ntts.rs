//! Transforms: all series at one width and several sizes.

use super::{Point, entries, measured};
use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{GmpNtt, Mpn, Mpz};
use crate::measure::{Repeats, Work, measure};
use crate::modulus::Modulus;
use crate::reference;
use crate::row::Row;
use crate::targets::{NttCase, Recipe, multiples};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Measures GMP and every target with every recipe, at one width and some sizes, in nanoseconds per butterfly,
/// `2 T / (n log2 n)` as in section 5.3, with a batch that keeps all threads busy. A CUDA device also measures
/// `device_sizes`. If rows of an earlier run are given, those of the host are taken from it.
pub(super) fn rows(
    context: &Context<'_>,
    kept: Option<&[Row]>,
    bits: u32,
    sizes: &[u32],
    device_sizes: &[u32],
    recipes: &[Recipe],
) -> Result<Vec<Row>, LabError> {
    let modulus = &Modulus::of_class(bits)?;
    let mut rows = Vec::new();
    let of_width = |row: &&Row| row.bits == Some(bits);
    rows.extend(kept.unwrap_or_default().iter().filter(of_width).cloned());
    for log2_n in sizes.iter().copied().filter(|_| kept.is_none()) {
        let what = format!("NTT of 2^{log2_n} at {bits} bits");
        context.step(&what);
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed ^ u64::from(bits));
        let first = &modulus.operands(1 << log2_n, &mut rng);
        let case = NttCase { modulus, log2_n, first, pool: context.pool() };
        let by_gmp = |gmp| -> [Box<dyn Work + '_>; 2] {
            [
                Box::new(GmpNtt::new(Mpz::new(gmp, modulus), case)),
                Box::new(GmpNtt::new(Mpn::new(gmp, modulus), case)),
            ]
        };
        let by = |target, recipe| context.kernels.ntt(target, recipe, case);
        let mut entries = entries(context, recipes, by_gmp, by)?;
        let right = reference::ntt(first, modulus);
        let all = |count: usize| multiples(&right, count >> log2_n, &modulus.q);
        let timings = measure(&mut entries, all, &what, Repeats::new(context.quick))?;
        for (entry, (timing, count)) in entries.iter().zip(timings) {
            let batch = count >> log2_n;
            let butterflies = batch as f64 * f64::from(1u32 << (log2_n - 1)) * f64::from(log2_n);
            let note = format!("{} threads; {} repeats; batch {batch}", context.threads(), timing.repeats);
            let point = Point { operation: "ntt", bits, log2_n };
            rows.push(measured(&point, "butterfly", entry, &timing, butterflies, note));
        }
    }
    let sizes = [sizes, device_sizes].concat();
    match (&context.report, &context.cuda) {
        (Some(report), _) => rows.extend(report.rows("ntt", bits, Some(&sizes), recipes)),
        (None, Ok(cuda)) => rows.extend(cuda.transforms(modulus, &sizes, recipes, &context.host())?),
        (None, Err(_)) => {}
    }
    Ok(rows)
}
