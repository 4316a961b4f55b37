//! Vector operations: every series at one width.

use super::{Point, measured, series};
use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{GmpVector, Layer, Mpn, Mpz};
use crate::judge::{self, VectorOp};
use crate::measure::{Name, Plan, Work, measure};
use crate::modulus::Modulus;
use crate::report::Row;
use crate::targets::{Recipe, VectorCase};
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Operands of a width, and what comes out of them.
struct Problem<'a> {
    context: &'a Context<'a>,
    op: VectorOp,
    modulus: &'a Modulus,
    scalar: BigUint,
    a: Vec<BigUint>,
    b: Vec<BigUint>,
    right: Vec<BigUint>,
    sizes: &'a [u32],
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
    let problem = Problem { context, op, modulus, scalar, a, b, right, sizes };
    let mut rows = Vec::new();
    if let Ok(gmp) = context.gmp {
        rows.extend(problem.best(Mpz::NAME, |case| gmp_work(Mpz::new(gmp, modulus), case))?);
        rows.extend(problem.best(Mpn::NAME, |case| gmp_work(Mpn::new(gmp, modulus), case))?);
    }
    for target in context.kernels.targets() {
        for recipe in recipes {
            let name = series(target, *recipe);
            rows.extend(problem.best(&name, |case| context.kernels.vector(target, *recipe, case))?);
        }
    }
    Ok(rows)
}

type Made<'a> = Result<Option<Box<dyn Work + 'a>>, LabError>;

fn gmp_work<'a, L: Layer + 'a>(layer: L, case: VectorCase<'a>) -> Made<'a> {
    Ok(Some(Box::new(GmpVector::new(layer, case))))
}

impl<'a> Problem<'a> {
    /// The row of a series at the size where it does best; none where it has no such kernel.
    fn best<'p>(
        &'p self,
        series: &str,
        make: impl Fn(VectorCase<'p>) -> Made<'p>,
    ) -> Result<Option<Row>, LabError> {
        let (op, modulus, context) = (self.op, self.modulus, self.context);
        let mut best: Option<Row> = None;
        for log2_n in self.sizes.iter().copied() {
            let n = 1 << log2_n;
            let (a, b) = (&self.a[..n], &self.b[..n]);
            let case = VectorCase { op, modulus, scalar: &self.scalar, a, b, pool: context.pool() };
            let what = format!("{} of 2^{log2_n} at {} bits", op.name(), modulus.bits);
            context.step(format!("{series}: {what}"));
            let Some(mut work) = make(case)? else { return Ok(None) };
            let name = Name { series, what: &what };
            let right = |count| self.right[..n.min(count)].to_vec();
            let timing = measure(&mut *work, right, &name, Plan::new(context.quick))?;
            let sizes = self.sizes.iter().map(|size| format!("2^{size}")).collect::<Vec<_>>().join(" ");
            let note = format!(
                "{} threads; {} repeats; best of vectors of {sizes}",
                context.threads(),
                timing.repeats,
            );
            let point = Point { operation: op.name(), series, bits: modulus.bits, log2_n };
            let row = measured(&point, "element", &*work, &timing, n as f64, note);
            if best.as_ref().is_none_or(|best| row.ours < best.ours) {
                best = Some(row);
            }
        }
        Ok(best)
    }
}
