//! The eight routines of \[CP\] Table I, built from the formulas that the host runs.
//!
//! Every routine takes its operands from the global bank and returns its results there. Row numbers are linear
//! addresses.

use super::few_additions;
use super::tower::{conjugate, frobenius, frobenius2, invert_fp2};
use pairwright_chip::compiler::{Fp2, Fp12, Graph, Sym, Trace, Xi, coordinates, fp12};
use pairwright_curve::pairing::{cyclotomic_square, lines};

/// `3b'·x` on the twist of BLS12-381: `12ξ·x`.
pub fn mul_3b<R: Fp2>(x: R) -> R {
    let y = x.mul_xi().double().double();
    y.clone().double() + y
}

/// Multiplies `f` by the line through the running point and `q`, evaluated at `p`, and adds `q` to the running point:
/// routine 1.
pub fn line_add<R: Fp2>(f: [R; 6], t: [R; 3], q: [R; 2], [xp, yp]: [R; 2]) -> ([R; 6], [R; 3]) {
    let (t, line) = lines::add_step(t, q);
    let f = lines::mul_by_014(fp12(f), line.constant, line.along_x * xp, line.along_y * yp);
    (coordinates(f), t)
}

/// Multiplies `f` by the tangent at the running point, evaluated at `p`, with a sparse product, and doubles the running
/// point.
pub fn line_double<R: Fp2>(f: [R; 6], t: [R; 3], [xp, yp]: [R; 2]) -> ([R; 6], [R; 3]) {
    let (t, line) = lines::double_step(t, mul_3b);
    let f = lines::mul_by_014(fp12(f), line.constant, line.along_x * xp, line.along_y * yp);
    (coordinates(f), t)
}

/// Routine 2: like [`line_double`], but with a general product of two elements of Fp12, the line being padded with
/// `zero`. It has the operation count that Table I prints, 34 for the line and 85 for the product.
pub fn line_double_full<R: Fp2>(f: [R; 6], t: [R; 3], [xp, yp]: [R; 2], zero: R) -> ([R; 6], [R; 3]) {
    let (t, line) = lines::double_step(t, mul_3b);
    let z = || zero.clone();
    let line = fp12([line.constant, line.along_x * xp, z(), z(), line.along_y * yp, z()]);
    (coordinates(fp12(f) * line), t)
}

/// `f·g` by three Karatsuba products of Fp6: routine 3.
pub fn mul<R: Fp2>(f: [R; 6], g: [R; 6]) -> [R; 6] {
    coordinates(fp12(f) * fp12(g))
}

/// `1/f` by the norm to Fp6, cofactors and norm to Fp2, norm to Fp, and back: routine 6. Zero for zero.
pub fn invert<R: Fp2>(f: [R; 6]) -> [R; 6] {
    let Fp12 { c0, c1, .. } = fp12(f);
    let norm = c0.clone() * c0.clone() - (c1.clone() * c1.clone()).mul_by_root();
    let [a, b, c] = [norm.c0, norm.c1, norm.c2];
    let t0 = a.clone() * a.clone() - (b.clone() * c.clone()).mul_xi();
    let t1 = (c.clone() * c.clone()).mul_xi() - a.clone() * b.clone();
    let t2 = b.clone() * b.clone() - a.clone() * c.clone();
    let d = invert_fp2(a * t0.clone() + (c * t1.clone() + b * t2.clone()).mul_xi());
    let norm = pairwright_field::Cubic::<R, Xi>::new(t0 * d.clone(), t1 * d.clone(), t2 * d);
    let (low, high) = (c0 * norm.clone(), -(c1 * norm));
    [low.c0, low.c1, low.c2, high.c0, high.c1, high.c2]
}

/// `f²` in the cyclotomic subgroup: routine 7.
pub fn cyclotomic<R: Fp2>(f: [R; 6]) -> [R; 6] {
    coordinates(cyclotomic_square(fp12(f)))
}

/// Rows of the routines' operands.
pub mod at {
    /// The first operand in Fp12, and the result.
    pub const F: u8 = 0;
    /// The running point.
    pub const T: u8 = 6;
    /// The second operand, or constants.
    pub const G: u8 = 12;
    /// The first argument of the pairing, both coordinates as Fp2 elements.
    pub const P: u8 = 12;
    /// The second argument.
    pub const Q: u8 = 14;
    /// Row of the constant zero.
    pub const ZERO: u8 = 11;
    /// With few additions: the first argument in the form of the line formulas, `x`, `3x`, `-y`.
    pub const ARGUMENT: u8 = 9;
    /// With few additions: the second argument, or the twist's constants.
    pub const AFTER: u8 = 12;
    /// With few additions: the constants one and two.
    pub const SMALL: u8 = 6;
}

/// The routines with their names, in the order of Table I.
pub fn routines() -> Vec<(&'static str, Graph)> {
    type Six = [Sym; 6];
    let unary =
        |formula: fn(Six) -> Six| Trace::graph(|t| t.outputs("r", at::F, formula(t.inputs("f", at::F))));
    let with_constants = |formula: fn(Six, [Sym; 5]) -> Six| {
        Trace::graph(|t| t.outputs("r", at::F, formula(t.inputs("f", at::F), t.inputs("gamma", at::G))))
    };
    let line_add = Trace::graph(|t| {
        let (f, point) = (t.inputs("f", at::F), t.inputs("t", at::T));
        let (f, point) = line_add(f, point, t.inputs("q", at::Q), t.inputs("p", at::P));
        t.outputs("r", at::F, f);
        t.outputs("t", at::T, point);
    });
    let line_double = Trace::graph(|t| {
        let (f, point) = (t.inputs("f", at::F), t.inputs("t", at::T));
        let p = t.inputs("p", at::P);
        let [zero] = t.inputs("zero", at::ZERO);
        let (f, point) = line_double_full(f, point, p, zero);
        t.outputs("r", at::F, f);
        t.outputs("t", at::T, point);
    });
    let mul = Trace::graph(|t| t.outputs("r", at::F, mul(t.inputs("f", at::F), t.inputs("g", at::G))));
    vec![
        ("line_add_mult", line_add),
        ("line_double_mult", line_double),
        ("fp12_mul", mul),
        ("fp12_frobenius", with_constants(frobenius)),
        ("fp12_frobenius2", with_constants(frobenius2)),
        ("fp12_inversion", unary(invert)),
        ("cyclotomic_square", unary(cyclotomic)),
        ("fp12_conjugate", unary(conjugate)),
    ]
}

/// The same routines with the formulas of [`few_additions`] where they differ: the lines take the first argument
/// prepared by the routine `argument`, the tangent takes the constants of the twist, and the cyclotomic square the
/// constants one and two.
pub fn few_addition_routines() -> Vec<(&'static str, Graph)> {
    let step = |after: fn(&Trace, [Sym; 3], [Sym; 3]) -> ([Sym; 3], [Sym; 3])| {
        Trace::graph(|t| {
            let (f, point) = (t.inputs("f", at::F), t.inputs("t", at::T));
            let (point, line) = after(t, point, t.inputs("p", at::ARGUMENT));
            t.outputs("r", at::F, few_additions::mul_by_line(f, line));
            t.outputs("t", at::T, point);
        })
    };
    let argument = Trace::graph(|t| {
        let [x, y] = t.inputs("p", at::ARGUMENT);
        t.outputs("p", at::ARGUMENT, [x.clone(), x.clone() + x.clone() + x, -y]);
    });
    let square = Trace::graph(|t| {
        let (f, small) = (t.inputs("f", at::F), t.inputs("small", at::SMALL));
        t.outputs("r", at::F, few_additions::cyclotomic_square(f, small));
    });
    let mul = |formula: fn([Sym; 6], [Sym; 6]) -> [Sym; 6]| {
        Trace::graph(|t| t.outputs("r", at::F, formula(t.inputs("f", at::F), t.inputs("g", at::G))))
    };
    let mut all = routines();
    all.retain(|(name, _)| {
        !matches!(*name, "line_add_mult" | "line_double_mult" | "cyclotomic_square" | "fp12_mul")
    });
    all.extend([
        ("argument", argument),
        ("line_add_mult", step(|t, point, p| few_additions::add_step(point, t.inputs("q", at::AFTER), p))),
        (
            "line_double_mult",
            step(|t, point, p| few_additions::double_step(point, t.inputs("twist", at::AFTER), p)),
        ),
        ("cyclotomic_square", square),
        ("fp12_mul", mul(few_additions::mul)),
        ("fp12_mul", mul(few_additions::mul_karatsuba)),
    ]);
    all
}
