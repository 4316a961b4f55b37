//! Vector operations: every series at one width.

use super::{measured, series};
use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{GmpVector, Layer, Mpn, Mpz};
use crate::host::{HostVector, Recipe};
use crate::judge::{self, VectorOp};
use crate::measure::{Plan, Work, measure};
use crate::modulus::Modulus;
use crate::report::Row;
use num_bigint::BigUint;
use pairwright_testkit::gmp::Gmp;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The operands of a width, and what comes out of them.
struct Problem<'a> {
    op: VectorOp,
    modulus: &'a Modulus,
    scalar: BigUint,
    a: Vec<BigUint>,
    b: Vec<BigUint>,
    right: Vec<BigUint>,
}

/// GMP and every target with every recipe, for one operation: nanoseconds per element on all threads, the best over
/// vectors of 2^n for the n in `sizes`, as the paper takes the best over its batches.
pub(super) fn rows(
    context: &Context<'_>,
    modulus: &Modulus,
    op: VectorOp,
    recipes: &[Recipe],
    sizes: &[u32],
) -> Result<Vec<Row>, LabError> {
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed ^ u64::from(modulus.bits));
    let most = 1 << sizes.iter().max().expect("a size");
    let scalar = modulus.operands(4, &mut rng).pop().expect("a random number after the edges");
    let a = modulus.operands(most, &mut rng);
    // The edges of one vector meet each other in other places of the other one.
    let mut b = modulus.operands(most, &mut rng);
    b.rotate_right(1);
    let right = judge::vector(op, &modulus.q, &scalar, &a, &b);
    let problem = Problem { op, modulus, scalar, a, b, right };
    let mut rows = Vec::new();
    if let Ok(gmp) = context.gmp {
        rows.push(problem.gmp(context, sizes, Mpz::new, gmp)?);
        rows.push(problem.gmp(context, sizes, Mpn::new, gmp)?);
    }
    for target in context.kernels.targets() {
        for recipe in recipes {
            rows.extend(problem.ours(context, sizes, target, *recipe)?);
        }
    }
    Ok(rows)
}

impl Problem<'_> {
    fn gmp<L: Layer>(
        &self,
        context: &Context<'_>,
        sizes: &[u32],
        layer: impl Fn(&'static Gmp, &Modulus) -> L,
        gmp: &'static Gmp,
    ) -> Result<Row, LabError> {
        self.best(context, sizes, |n| {
            let layer = layer(gmp, self.modulus);
            let (a, b) = (&self.a[..n], &self.b[..n]);
            Ok(GmpVector::new(layer, context.pool(), self.op, &self.scalar, a, b))
        })
    }

    fn ours(
        &self,
        context: &Context<'_>,
        sizes: &[u32],
        target: &'static str,
        recipe: Recipe,
    ) -> Result<Option<Row>, LabError> {
        let load = || context.kernels.vector(target, recipe, self.op, &self.scalar, self.modulus);
        if load()?.is_none() {
            return Ok(None);
        }
        let row = self.best(context, sizes, |n| {
            let loaded = load()?.expect("a target that has the kernel keeps it");
            let (a, b) = (&self.a[..n], &self.b[..n]);
            Ok(HostVector::new(loaded, context.pool(), series(target, recipe), self.modulus, a, b))
        })?;
        Ok(Some(row))
    }

    fn best<W: Work>(
        &self,
        context: &Context<'_>,
        sizes: &[u32],
        make: impl Fn(usize) -> Result<W, LabError>,
    ) -> Result<Row, LabError> {
        let mut best: Option<Row> = None;
        for log2_n in sizes {
            let n = 1 << log2_n;
            let mut work = make(n)?;
            let bits = self.modulus.bits;
            let what = format!("{} of 2^{log2_n} at {bits} bits", self.op.name());
            context.step(format!("{}: {what}", work.series()));
            let timing = measure(&mut work, &self.right[..n], &what, Plan::new(context.quick))?;
            let times = [timing.min, timing.median].map(|time| time / n as f64);
            let note = format!(
                "{} threads; {} repeats; best of vectors of {}",
                context.threads(),
                timing.repeats,
                sizes.iter().map(|size| format!("2^{size}")).collect::<Vec<_>>().join(" ")
            );
            let mut row =
                measured("time per element", self.op.name(), work.series(), bits, *log2_n, times, note);
            row.unit = "ns per element".to_owned();
            if best.as_ref().is_none_or(|best| row.ours < best.ours) {
                best = Some(row);
            }
        }
        Ok(best.expect("a size"))
    }
}
