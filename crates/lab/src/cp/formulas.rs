//! Beyond the paper: a comparison of formulas for the same operation, on the published front end and on ours.
//!
//! A product costs an issue slot like an addition, so formulas that replace additions by products are faster, and those
//! that do the opposite are slower. Lazy reduction saves nothing here, since products leave the multiplier reduced.

use super::options;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{Graph, Scheduler, Sym, Trace, compile, coordinates, fp12};
use pairwright_chip_programs::{compressed, few_additions, published};
use pairwright_curve::pairing::lines;
use pairwright_field::Ring;

/// Consecutive squarings in the cyclotomic subgroup: enough for one to overlap with the next.
const SQUARES: usize = 8;

/// An operation, the name of a formula for it, and the routine.
type Form = (&'static str, &'static str, Graph);

/// A routine with inputs and results at separate addresses, so that no form gains or loses by its row allocation.
fn routine<const IN: usize, const OUT: usize>(formula: impl FnOnce([Sym; IN]) -> [Sym; OUT]) -> Graph {
    Trace::graph(|t| t.outputs("r", 48, formula(t.inputs("x", 0))))
}

fn pair([a, b, c, d, e, f, g, h, i, j, k, l]: [Sym; 12]) -> ([Sym; 6], [Sym; 6]) {
    ([a, b, c, d, e, f], [g, h, i, j, k, l])
}

fn with_line([a, b, c, d, e, f, l0, l1, l4]: [Sym; 9]) -> ([Sym; 6], [Sym; 3]) {
    ([a, b, c, d, e, f], [l0, l1, l4])
}

fn forms() -> Vec<Form> {
    let product = |mul: fn([Sym; 6], [Sym; 6]) -> [Sym; 6]| {
        routine::<12, 6>(|x| {
            let (f, g) = pair(x);
            mul(f, g)
        })
    };
    let sparse = routine::<9, 6>(|x| {
        let (f, [l0, l1, l4]) = with_line(x);
        coordinates(lines::mul_by_014(fp12(f), l0, l1, l4))
    });
    let lean_sparse = routine::<9, 6>(|x| {
        let (f, line) = with_line(x);
        few_additions::mul_by_line(f, line)
    });
    let tangent = routine::<5, 6>(|[x, y, z, xp, yp]| {
        let (t, line) = lines::double_step([x, y, z], published::mul_3b);
        let [x, y, z] = t;
        [x, y, z, line.constant, line.along_x * xp, line.along_y * yp]
    });
    let lean_tangent = routine::<9, 6>(|[x, y, z, b3, b9, b18, xp, xp3, yp]| {
        let ([x, y, z], [l0, l1, l4]) = few_additions::double_step([x, y, z], [b3, b9, b18], [xp, xp3, yp]);
        [x, y, z, l0, l1, l4]
    });
    let joined = |([a, b, c, d, e, f], [x, y, z]): ([Sym; 6], [Sym; 3])| [a, b, c, d, e, f, x, y, z];
    let step_full = routine::<12, 9>(|[a, b, c, d, e, f, x, y, z, xp, yp, zero]| {
        joined(published::line_double_full([a, b, c, d, e, f], [x, y, z], [xp, yp], zero))
    });
    let step_sparse = routine::<11, 9>(|[a, b, c, d, e, f, x, y, z, xp, yp]| {
        joined(published::line_double([a, b, c, d, e, f], [x, y, z], [xp, yp]))
    });
    let step_lean = routine::<15, 9>(|[a, b, c, d, e, f, x, y, z, b3, b9, b18, xp, xp3, yp]| {
        let (t, line) = few_additions::double_step([x, y, z], [b3, b9, b18], [xp, xp3, yp]);
        joined((few_additions::mul_by_line([a, b, c, d, e, f], line), t))
    });
    let lean_squares = routine::<8, 6>(|[a, b, c, d, e, f, one, two]| {
        few_additions::cyclotomic_squares([a, b, c, d, e, f], [one, two], SQUARES)
    });
    let square = |f: [Sym; 6]| coordinates(Ring::square(fp12(f)));
    let recover = routine::<5, 2>(|[a, b, c, d, inverse]| compressed::recover([a, b, c, d], inverse));
    vec![
        ("Fp12 product", "Karatsuba", product(published::mul)),
        ("Fp12 product", "Karatsuba over schoolbook", product(few_additions::mul_karatsuba)),
        ("Fp12 product", "schoolbook", product(few_additions::mul)),
        ("Fp12 square", "complex", routine(square)),
        ("Fp12 square", "schoolbook", routine(few_additions::square)),
        ("Fp12 by a line", "Karatsuba", sparse),
        ("Fp12 by a line", "schoolbook", lean_sparse),
        ("tangent at p", "as the host", tangent),
        ("tangent at p", "constants multiplied", lean_tangent),
        ("tangent and product by it", "general product", step_full),
        ("tangent and product by it", "sparse product, Karatsuba", step_sparse),
        ("tangent and product by it", "sparse product, few additions", step_lean),
        (
            "8 cyclotomic squares",
            "Granger-Scott",
            routine(|f| (0..SQUARES).fold(f, |f, _| published::cyclotomic(f))),
        ),
        ("8 cyclotomic squares", "factors in operands", lean_squares),
        (
            "8 cyclotomic squares",
            "compressed",
            routine(|c| (0..SQUARES).fold(c, |c, _| compressed::square(c))),
        ),
        ("recovery after compressed squares", "without its inversion", recover),
    ]
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let designs = [MachineSpec::paper(), MachineSpec::best()];
    let forms = forms();
    context.begin("cp/formulas", forms.len());
    for (operation, form, graph) in &forms {
        context.step(operation);
        for spec in &designs {
            let options = options(context, Scheduler::Critical);
            let compiled = context.pool().install(|| compile("formula", graph, spec, &options))?;
            let r = &compiled.report;
            let note = format!(
                "{} products, {} other operations; no schedule takes less than {}",
                r.mm, r.arith, r.bound
            );
            let place = Labels { quantity: "cycles of a formula", operation, unit: "cycles" };
            let series =
                format!("{form}, {} slot{}", spec.issue.width, if spec.issue.width > 1 { "s" } else { "" });
            outcome.model(&place, &series, f64::from(r.cycles), &note);
        }
    }
    Ok(outcome)
}
