//! This project's division of the pairing into routines: values stay in the banks between routines, and routines are as
//! large as the L2 memory allows.
//!
//! The accumulator, the running point, the current line and the constants have fixed rows that every routine preserves,
//! so nothing is moved between calls. A step of the Miller loop multiplies by the line that the previous step has
//! prepared, and prepares the next line: the two halves are independent of each other and fill each other's idle slots.

use super::{few_additions, tower};
use pairwright_chip::compiler::{Graph, Sym, Trace};

/// The fixed rows, by linear address.
pub mod at {
    /// First row of the accumulator.
    pub const F: u8 = 0;
    /// The running point.
    pub const T: u8 = 6;
    /// The line that the next step multiplies by.
    pub const LINE: u8 = 9;
    /// The second argument.
    pub const Q: u8 = 12;
    /// The first argument: `x`, `3x`, `-y`.
    pub const P: u8 = 14;
    /// The twist's constants.
    pub const TWIST: u8 = 17;
    /// The constants one and two.
    pub const SMALL: u8 = 20;
    /// The second operand of a product in Fp12.
    pub const G: u8 = 22;
    /// The factors of the Frobenius maps.
    pub const GAMMA: u8 = 28;
}

/// The line that the second half of a Miller step prepares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Double,
    Add,
}

fn miller_step(square: bool, next: Next) -> Graph {
    Trace::graph(|t| {
        let f: [Sym; 6] = t.inputs("f", at::F);
        let point: [Sym; 3] = t.inputs("t", at::T);
        let line: [Sym; 3] = t.inputs("line", at::LINE);
        let p = t.kept("p", at::P);
        let f = few_additions::mul_by_line(if square { few_additions::square(f) } else { f }, line);
        let (point, line) = match next {
            Next::Double => {
                t.reserve(at::Q..at::P);
                few_additions::double_step(point, t.kept("twist", at::TWIST), p)
            }
            Next::Add => {
                t.reserve(at::TWIST..at::SMALL);
                few_additions::add_step(point, t.kept("q", at::Q), p)
            }
        };
        t.outputs("f", at::F, f);
        t.outputs("t", at::T, point);
        t.outputs("line", at::LINE, line);
    })
}

/// A routine of the final exponentiation that replaces the accumulator by `formula(f)`.
fn unary(formula: impl FnOnce([Sym; 6]) -> [Sym; 6]) -> Graph {
    Trace::graph(|t| {
        let r = formula(t.inputs("f", at::F));
        t.reserve(at::SMALL..at::GAMMA + 5);
        t.outputs("f", at::F, r);
    })
}

fn squares(n: usize) -> Graph {
    Trace::graph(|t| {
        let f = t.inputs("f", at::F);
        let r = few_additions::cyclotomic_squares(f, t.kept("small", at::SMALL), n);
        t.reserve(at::G..at::GAMMA + 5);
        t.outputs("f", at::F, r);
    })
}

/// A routine that replaces the accumulator by `formula(f, g)` and keeps `g`.
fn binary(formula: impl FnOnce([Sym; 6], [Sym; 6]) -> [Sym; 6]) -> Graph {
    Trace::graph(|t| {
        let r = formula(t.inputs("f", at::F), t.kept("g", at::G));
        t.reserve(at::SMALL..at::G);
        t.reserve(at::GAMMA..at::GAMMA + 5);
        t.outputs("f", at::F, r);
    })
}

/// A routine that replaces the accumulator by `formula(f, gamma)`.
fn with_factors(formula: impl FnOnce([Sym; 6], [Sym; 5]) -> [Sym; 6]) -> Graph {
    Trace::graph(|t| {
        let r = formula(t.inputs("f", at::F), t.inputs("gamma", at::GAMMA));
        t.reserve(at::SMALL..at::GAMMA);
        t.outputs("f", at::F, r);
    })
}

/// The routines with their names; several graphs under one name are alternative formulas. `unroll` is the number of
/// squarings in `squares`.
pub fn routines(unroll: usize) -> Vec<(&'static str, Graph)> {
    let argument = Trace::graph(|t| {
        let [x, y] = t.inputs("p", at::P);
        t.outputs("p", at::P, [x.clone(), x.clone() + x.clone() + x, -y]);
    });
    vec![
        ("argument", argument),
        ("square_line_double", miller_step(true, Next::Double)),
        ("square_line_add", miller_step(true, Next::Add)),
        ("line_double", miller_step(false, Next::Double)),
        ("line_add", miller_step(false, Next::Add)),
        ("unitary", unary(|f| few_additions::unitary(tower::conjugate(f)))),
        ("conjugate", unary(tower::conjugate)),
        ("frobenius", with_factors(tower::frobenius)),
        ("frobenius2", with_factors(tower::frobenius2)),
        ("square", squares(1)),
        ("squares", squares(unroll)),
        ("mul", binary(few_additions::mul)),
        ("mul", binary(few_additions::mul_karatsuba)),
    ]
}
