//! Figure 7: multiplications in Fp by level of the tower, counted on the formulas that the host and the processor
//! share.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::compiler::{Fp6, Graph, Sym, Trace, coordinates, fp12, simplify::simplify};
use pairwright_chip::isa::L2Op;
use pairwright_chip_programs::published;
use pairwright_curve::pairing::lines;
use pairwright_field::Ring;

/// Each formula as a graph of Fp2 operations, with its name and the degree of the field whose schoolbook product it
/// replaces.
fn formulas() -> Vec<(&'static str, Graph, Option<u32>)> {
    type Six = [Sym; 6];
    let fp6 = |[a, b, c]: [Sym; 3]| Fp6::new(a, b, c);
    let three = |t: &Trace, f: Fp6<Sym>| t.outputs("r", 0, [f.c0, f.c1, f.c2]);
    let one = |formula: fn([Sym; 2]) -> Sym| Trace::graph(|t| t.outputs("r", 0, [formula(t.inputs("a", 0))]));
    let six = |formula: fn(Six) -> Six| Trace::graph(|t| t.outputs("r", 0, formula(t.inputs("f", 0))));
    let mut found = vec![
        ("Fp2 product", one(|[a, b]| a * b), Some(2)),
        ("Fp6 product", Trace::graph(|t| three(t, fp6(t.inputs("a", 0)) * fp6(t.inputs("b", 3)))), Some(6)),
        ("Fp6 square", Trace::graph(|t| three(t, fp6(t.inputs("a", 0)).square())), Some(6)),
        (
            "Fp12 product",
            Trace::graph(|t| t.outputs("r", 0, published::mul(t.inputs("f", 0), t.inputs("g", 6)))),
            Some(12),
        ),
        ("Fp12 square", six(|f| coordinates(fp12(f).square())), Some(12)),
        ("Fp12 cyclotomic square", six(published::cyclotomic), Some(12)),
        ("Fp12 by a line", by_a_line(), Some(12)),
    ];
    let routine = |name: &'static str| published::routines().into_iter().find(|(n, _)| *n == name);
    for (name, shown) in [
        ("fp12_frobenius", "Fp12 Frobenius"),
        ("fp12_inversion", "Fp12 inversion, without that in Fp"),
        ("line_add_mult", "line addition and product"),
    ] {
        found.extend(routine(name).map(|(_, graph)| (shown, graph, None)));
    }
    found
}

fn by_a_line() -> Graph {
    Trace::graph(|t| {
        let [a, b, c] = t.inputs("l", 6);
        t.outputs("r", 0, coordinates(lines::mul_by_014(fp12(t.inputs("f", 0)), a, b, c)));
    })
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let formulas = formulas();
    context.begin("cp/fig7", formulas.len());
    for (operation, graph, degree) in formulas {
        context.step(operation);
        let products = simplify(&graph).count(|op| op == L2Op::Mm) as f64;
        let place = Labels { quantity: WHAT, operation, unit: "products" };
        let karatsuba = "three products of Fp for one of Fp2, as the host computes";
        outcome.model(&place, "Karatsuba", 3.0 * products, karatsuba);
        let machine = "four processing elements for one product of Fp2, as the processor computes";
        outcome.model(&place, "schoolbook in Fp2", 4.0 * products, machine);
        if let Some(degree) = degree {
            let every = "every coefficient by every other, at all levels";
            outcome.model(&place, "schoolbook", f64::from(degree * degree), every);
        }
        if let Some(known) = ["Fp2 product", "Fp6 product", "Fp12 product"].iter().find(|n| **n == operation)
        {
            outcome.answer(WHAT, known, "Karatsuba", 3.0 * products, "the host's formulas");
        }
    }
    Ok(outcome)
}

const WHAT: &str = "multiplications in Fp";
