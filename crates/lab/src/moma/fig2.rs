//! Figure 2: vector addition, subtraction, multiplication and axpy, nanoseconds per element.
//!
//! Barrett reduction and moduli four bits below the width class, as in the paper; products are also measured with
//! Montgomery's reduction. GRNS needs a GPU of its own and is quoted, not run.

use super::{kept, our_series, time, vectors};
use crate::LabError;
use crate::experiment::{Answer, Context, Outcome};
use crate::gmp::{Layer, Mpn, Mpz};
use crate::modulus::Modulus;
use crate::row::Row;
use crate::targets::Recipe;
use pairwright_moma::program::blas::BlasOp;

const SUMS: &[BlasOp] = &[BlasOp::Vadd, BlasOp::Vsub];
const PRODUCTS: &[BlasOp] = &[BlasOp::Vmul, BlasOp::Axpy];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let widths: &[u32] = if context.quick { &[128, 256] } else { &[128, 256, 512, 1024] };
    let sizes: &[u32] = if context.quick { &[6] } else { &[10, 12, 14, 16] };
    context.begin("moma/fig2", widths.len() * BlasOp::ALL.len() * sizes.len());
    let kept = kept(context, "moma/fig2")?;
    let mut rows = Vec::new();
    for bits in widths {
        let modulus = Modulus::of_class(*bits)?;
        for op in BlasOp::ALL {
            let recipes: &[Recipe] =
                if SUMS.contains(&op) { &[Recipe::BARRETT] } else { &[Recipe::BARRETT, Recipe::MONTGOMERY] };
            rows.extend(vectors::rows(context, kept.as_deref(), &modulus, op, recipes, sizes)?);
        }
    }
    let mut answers = Vec::new();
    for ours in our_series(&rows).into_iter().filter(|series| series.ends_with("barrett")) {
        for gmp in [Mpz::NAME, Mpn::NAME] {
            let mut answer = |key, operation: &str, ops: &[BlasOp], widths: &[u32]| {
                let bits = if let [one] = widths { Some(*one) } else { None };
                let series = format!("{ours} over {gmp}");
                let operation = Some(operation.to_owned());
                let note = if ours.starts_with("cuda") { "a device, GMP on the host" } else { "" }.to_owned();
                let answer = |value| Answer { operation, bits, note, ..Answer::new(key, &series, value) };
                answers.extend(least(&rows, ours, gmp, ops, widths).map(answer));
            };
            answer("speedup over GMP and GRNS", "all", &BlasOp::ALL, widths);
            answer("speedup over GMP", "add and sub", SUMS, widths);
            answer("speedup over GMP", "mul and axpy", PRODUCTS, &[1024]);
        }
        let axpy = BlasOp::Axpy.name();
        answers.extend(time(&rows, axpy, ours, 512).map(|value| Answer {
            operation: Some(axpy.to_owned()),
            bits: Some(512),
            ..Answer::new("time per element", ours, value)
        }));
    }
    Ok(Outcome { rows, answers })
}

/// The smallest speed-up over some operations and widths, if all of them were measured.
fn least(rows: &[Row], ours: &str, gmp: &str, ops: &[BlasOp], widths: &[u32]) -> Option<f64> {
    let pairs = ops.iter().flat_map(|op| widths.iter().map(|bits| (op.name(), *bits)));
    let ratios = pairs.map(|(op, bits)| Some(time(rows, op, gmp, bits)? / time(rows, op, ours, bits)?));
    ratios.collect::<Option<Vec<_>>>()?.into_iter().reduce(f64::min)
}
