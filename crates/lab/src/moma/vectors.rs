//! Vector operations: all series at one width.

use super::{Point, entries, measured};
use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{GmpVector, Mpn, Mpz};
use crate::measure::{Repeats, Work, measure};
use crate::modulus::Modulus;
use crate::reference;
use crate::row::Row;
use crate::targets::{Recipe, VectorCase};
use pairwright_moma::program::blas::BlasOp;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Measures GMP and every target with every recipe, for one operation, in nanoseconds per element on all threads: the
/// best over vectors of 2^n for the n in `sizes`, as the paper takes the best over its batches. If rows of an earlier
/// run are given, those of the host are taken from it.
pub(super) fn rows(
    context: &Context<'_>,
    kept: Option<&[Row]>,
    modulus: &Modulus,
    op: BlasOp,
    recipes: &[Recipe],
    sizes: &[u32],
) -> Result<Vec<Row>, LabError> {
    let mut best = match kept {
        Some(kept) => {
            let fits = |row: &&Row| row.bits == Some(modulus.bits) && row.operation == op.name();
            kept.iter().filter(fits).cloned().collect()
        }
        None => on_host(context, modulus, op, recipes, sizes)?,
    };
    match (&context.report, &context.cuda) {
        (Some(report), _) => best.extend(report.rows(op.name(), modulus.bits, None, recipes)),
        (None, Ok(cuda)) => best.extend(cuda.vectors(modulus, op, recipes, &context.host())?),
        (None, Err(_)) => {}
    }
    Ok(best)
}

/// Measures the rows of the host.
fn on_host(
    context: &Context<'_>,
    modulus: &Modulus,
    op: BlasOp,
    recipes: &[Recipe],
    sizes: &[u32],
) -> Result<Vec<Row>, LabError> {
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed ^ u64::from(modulus.bits));
    let most = 1 << sizes.iter().max().expect("a size");
    let scalar = modulus.operands(4, &mut rng).pop().expect("a random number after the edges");
    let a = modulus.operands(most, &mut rng);
    // Rotated by one, so that the edge values of the two vectors meet in other pairs.
    let mut b = modulus.operands(most, &mut rng);
    b.rotate_right(1);
    let right = reference::vector(op, &modulus.q, &scalar, &a, &b);
    let tried = sizes.iter().map(|size| format!("2^{size}")).collect::<Vec<_>>().join(" ");
    let mut best: Vec<Row> = Vec::new();
    for log2_n in sizes.iter().copied() {
        let n = 1 << log2_n;
        let what = format!("{} of 2^{log2_n} at {} bits", op.name(), modulus.bits);
        context.step(&what);
        let (a, b) = (&a[..n], &b[..n]);
        let case = VectorCase { op, modulus, scalar: &scalar, a, b, pool: context.pool() };
        let by_gmp = |gmp| -> [Box<dyn Work + '_>; 2] {
            [
                Box::new(GmpVector::new(Mpz::new(gmp, modulus), case)),
                Box::new(GmpVector::new(Mpn::new(gmp, modulus), case)),
            ]
        };
        let by = |target, recipe| context.kernels.vector(target, recipe, case);
        let mut entries = entries(context, recipes, by_gmp, by)?;
        let right = |count: usize| right[..n.min(count)].to_vec();
        let timings = measure(&mut entries, right, &what, Repeats::new(context.quick))?;
        for (at, (entry, (timing, count))) in entries.iter().zip(timings).enumerate() {
            let note = format!(
                "{} threads; {} repeats; best of vectors of {tried}",
                context.threads(),
                timing.repeats
            );
            let point = Point { operation: op.name(), bits: modulus.bits, log2_n };
            let row = measured(&point, "element", entry, &timing, count as f64, note);
            match best.get_mut(at) {
                Some(best) if row.ours < best.ours => *best = row,
                Some(_) => {}
                None => best.push(row),
            }
        }
    }
    Ok(best)
}
