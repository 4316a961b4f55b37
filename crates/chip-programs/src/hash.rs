//! Hashing to G1 and G2 by RFC 9380, from two field elements to a point of the subgroup. The chip does not compute
//! SHA-256: the loader provides the two elements that [`hash_to_field`] derives from a message.
//!
//! The formulas are the host's, [`pairwright_curve::hash_to_curve`], evaluated on symbols. Decisions are bits, stored
//! as rows with value one or zero, and selections between rows, so the time does not depend on the message. The first
//! program maps to the isogenous curve; the second applies the isogeny, adds, and clears the cofactor.

use super::control::{one, zero};
use super::fields::{self, raw_minus_u, raw_one, select};
use super::points::{self, Group, PSI, Rows, at};
use super::{Builder, Chain, Inputs, Region, Value};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Fp2, Graph, Options, Sym, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::HashToCurve;
use pairwright_curve::bls12_381::Fq;
use pairwright_curve::hash_to_curve::{Candidates, Isogeny, SqrtRatio, Sswu, hash_to_field};

/// Declares these values as outputs of a routine, in consecutive rows from 0 on.
fn rows<const N: usize>(t: &Trace, name: &str, values: [Sym; N]) {
    t.outputs(name, 0, values);
}

/// `y·(1 - 2·s)(1 - 2·t)` for the signs `s`, `t` of two elements. Each sign is given by the parities of both
/// coefficients and by whether the first one is nonzero.
fn orient<R: Fp2>(y: R, [u0, u1, u]: [R; 3], [y0, y1, nonzero]: [R; 3], one: R) -> R {
    let factor = |even: R, second: R, nonzero: R| {
        let sign = even + second * (one.clone() - nonzero);
        one.clone() - sign.double()
    };
    y * (factor(u0, u1, u) * factor(y0, y1, nonzero))
}

/// The power that a square root of a quotient in Fp2 needs, from `x^((q - 11)/16)`; the host's `pow_c3`.
pub(super) fn complete_power<R: Fp2>(x_k: R, x: R) -> R {
    let four = (x_k.clone().square() * x.clone()).square().square();
    let three = x_k.clone() * x;
    x_k.conj() * four * (three.clone().square() * three)
}

/// The routines of the first program. Operands and results are in rows from 0 on.
fn map_routines<C: Rows + HashToCurve>() -> Vec<(String, Graph)> {
    let c1 = C::SQRT_RATIO.c1;
    let powers = Trace::graph(|t| {
        let [u, z] = t.inputs("u", 0);
        let map = Sswu { a: z.clone(), b: z.clone(), z };
        rows(t, "t", map.powers(u));
    });
    // Computes x1, x2, their denominator, g(x1) as a quotient, the base of the power for its root, and an intermediate
    // value.
    let candidates = Trace::graph(|t| {
        let ([zu2, tt, finite], [a, b, z]) = (t.inputs("t", 0), t.inputs("map", 3));
        let d = select(finite, -tt.clone(), z.clone());
        let c = Sswu { a, b, z: z.clone() }.candidates(zu2, tt, d);
        let [g, h] = c.g;
        let roots = SqrtRatio { c1, c6: z.clone(), c7: z.clone(), half: z };
        let [base, by_product] = roots.before_power(g.clone(), h.clone());
        rows(t, "x", [c.x1, c.x2, c.denominator, g, h, base, by_product]);
    });
    let complete = Trace::graph(|t| {
        let [x_k, x] = t.inputs("x", 0);
        rows(t, "w", [complete_power(x_k, x)]);
    });
    // Computes the point up to its sign, and the values that determine the signs of u and y, from the power and the
    // earlier results.
    let decide = Trace::graph(|t| {
        let ([w], [x1, x2, denominator, g, h, _, by_product]) = (t.inputs("w", 0), t.inputs("x", 1));
        let ([u, zu2], [c6, c7, half]) = (t.inputs("u", 8), t.inputs("c", 10));
        let [r0, r1] = t.inputs("raw", 13);
        let [root, check] = SqrtRatio::after_power(w, by_product, g.clone(), h.clone());
        let chosen = SqrtRatio { c1, c6, c7, half }.decide(root, check);
        let candidates = Candidates { x1, x2, denominator, g: [g, h] };
        let [x, y] = Sswu::choose(u.clone(), zu2, candidates, chosen);
        let parities = [u.clone() * r0.clone(), u * r1.clone(), y.clone() * r0, y.clone() * r1];
        let [a, b, c, d] = parities;
        rows(t, "x", [x, y, a, b, c, d]);
    });
    let turn = Trace::graph(|t| {
        let ([y, one], u, v) = (t.inputs("y", 0), t.inputs("u", 2), t.inputs("v", 5));
        rows(t, "y", [orient(y, u, v, one)]);
    });
    let own = [
        ("sswu_powers", powers),
        ("sswu_candidates", candidates),
        ("complete_power", complete),
        ("sswu_decide", decide),
        ("sswu_turn", turn),
    ];
    own.into_iter().map(|(n, g)| (n.to_owned(), g)).chain(fields::power_routines(2)).collect()
}

/// Constants of the isogeny: scale, kernel, polynomials.
fn isogeny_rows<C: Rows + HashToCurve>() -> Vec<Value<Fq>> {
    let Isogeny { scale, kernel, x, y } = C::ISOGENY;
    std::iter::once(&scale).chain(kernel).chain(x).chain(y).map(|c| C::row(*c)).collect()
}

/// The routines of the second program.
fn clear_routines<C: Rows + HashToCurve>() -> Vec<(String, Graph)> {
    let isogeny = Trace::graph(|t| {
        let point = t.inputs("x", 0);
        let mut next = 3;
        let mut take = |name: &str, n: usize| -> Vec<Sym> {
            let first = next;
            next += n as u8;
            (0..n).map(|i| t.inputs::<1>(&format!("{name}{i}_"), first + i as u8)).map(|[c]| c).collect()
        };
        let [scale] = take("s", 1).try_into().expect("one scale");
        let (kernel, x, y) = (
            take("h", C::ISOGENY.kernel.len()),
            take("n", C::ISOGENY.x.len()),
            take("m", C::ISOGENY.y.len()),
        );
        t.outputs("acc", at::ACC, Isogeny { scale, kernel: &kernel, x: &x, y: &y }.map(point));
    });
    let negate = Trace::graph(|t| {
        t.reserve(at::POINT..at::POINT + 3);
        let [x, y, z] = t.inputs("acc", at::ACC);
        t.outputs("acc", at::ACC, [x, -y, z]);
    });
    let psi = Trace::graph(|t| {
        let ([x, y, z], [a, b]) = (t.inputs("acc", at::ACC), t.inputs("psi", at::POINT));
        t.outputs("acc", at::ACC, [x.conj() * a, y.conj() * b, z.conj()]);
    });
    let own = [("isogeny", isogeny), ("opposite", negate), ("psi", psi)];
    own.into_iter().map(|(n, g)| (n.to_owned(), g)).chain(points::routines(C::GROUP)).collect()
}

/// Rows for one of the two elements while it is mapped.
#[derive(Clone, Copy)]
struct State {
    /// The field element `u`.
    u: Region,
    /// `z·u²`, `t`, and whether `t` is not zero.
    t: Region,
    /// The results of `sswu_candidates`.
    x: Region,
    /// The results of `sswu_decide`.
    signs: Region,
    /// Six bits, one row each.
    bits: Region,
    /// The point: numerator and denominator of `x`, and `y`.
    point: Region,
}

impl State {
    fn new(b: &mut Builder<Fq>, i: u8, u: Region, point: Region) -> Self {
        let mut rows = |name: &str, n: u8| b.scratch(&format!("{name} {i}"), n);
        Self {
            u: u.part(i, 1),
            t: rows("sswu t", 3),
            x: rows("sswu x", 7),
            signs: rows("sswu signs", 6),
            bits: rows("sswu bits", 6),
            point: point.part(3 * i, 3),
        }
    }
}

impl Builder<Fq> {
    /// Copies rows to 0, 1, …, runs a routine and copies its results from there.
    fn on_rows(&mut self, routine: &str, takes: &[Region], gives: Region) {
        let mut at = 0;
        for region in takes {
            self.load(*region, at);
            at += region.rows;
        }
        self.run(routine);
        self.store(gives, 0);
    }

    /// Maps the two elements of `u` to points of the isogenous curve, written to `to` with three rows each. Uses the
    /// scan register and the counter of `_i`.
    fn map_to_isogenous<C: Rows + HashToCurve>(&mut self, u: Region, to: Region) {
        let map = C::SSWU;
        let z = self.shared(&[C::row(map.z)]);
        let coefficients = self.shared(&[map.a, map.b, map.z].map(C::row));
        let raw = self.shared(&[raw_one(), raw_minus_u()]);
        let states = [0, 1].map(|i| State::new(self, i, u, to));
        let (bases, powers) = (self.scratch("bases", 2), self.scratch("power", 2));
        for (i, s) in (0..).zip(states) {
            self.on_rows("sswu_powers", &[s.u, z], s.t.part(0, 2));
            self.nonzero(LoopReg::I, s.t.part(1, 1), s.t.part(2, 1));
            self.on_rows("sswu_candidates", &[s.t, coefficients], s.x);
            self.copy(s.x.part(5, 1), bases.part(i, 1));
        }
        let table = self.scratch("powers", Self::pow_rows(2));
        let mut exponent = [0; 6];
        exponent[..C::POW_EXPONENT.len()].copy_from_slice(C::POW_EXPONENT);
        self.pow(bases, exponent, table, powers);
        let SqrtRatio { c6, c7, half, .. } = C::SQRT_RATIO;
        let roots = self.shared(&[c6, c7, half].map(C::row));
        for (i, s) in (0..).zip(states) {
            let power = powers.part(i, 1);
            if C::GROUP == Group::G2 {
                self.on_rows("complete_power", &[power, bases.part(i, 1)], power);
            }
            self.on_rows("sswu_decide", &[power, s.x, s.u, s.t.part(0, 1), roots, raw], s.signs);
            self.signs::<C>(s);
            let one = self.shared(&[one()]);
            self.on_rows("sswu_turn", &[s.signs.part(1, 1), one, s.bits], s.point.part(2, 1));
            self.copy(s.signs.part(0, 1), s.point.part(0, 1));
            self.copy(s.x.part(2, 1), s.point.part(1, 1));
        }
    }

    /// Computes the bits that determine the signs of `u` and `y`: parities of both coefficients, and whether the first
    /// is nonzero.
    fn signs<C: Rows + HashToCurve>(&mut self, s: State) {
        for (i, value) in [(0, s.u), (1, s.signs.part(1, 1))] {
            let bits = s.bits.part(3 * i, 3);
            self.bit(LoopReg::I, s.signs.part(2 + 2 * i, 1), bits.part(0, 1));
            if C::GROUP == Group::G1 {
                // In G1 there is no second coefficient.
                let rest = self.shared(&[zero(), one()]);
                self.copy(rest, bits.part(1, 2));
            } else {
                self.bit(LoopReg::I, s.signs.part(3 + 2 * i, 1), bits.part(1, 1));
                self.nonzero(LoopReg::I, value, bits.part(2, 1));
            }
        }
    }

    /// Adds two points of the isogenous curve and writes the sum's image in the subgroup, affine. Uses the scan
    /// register and the counter of `_i`.
    fn clear_sum<C: Rows + HashToCurve>(&mut self, from: Region, to: Region) {
        let routine = |name: &str| C::GROUP.routine(name);
        let (add, double) = (routine("add"), routine("double"));
        let constants = self.shared(&isogeny_rows::<C>());
        let (p, q, r) = (self.scratch("clear p", 3), self.scratch("clear q", 3), self.scratch("clear r", 3));
        for (i, image) in [(0, q), (1, p)] {
            self.on_rows("isogeny", &[from.part(3 * i, 3), constants], image);
        }
        self.load(q, at::POINT);
        self.run(&add);
        self.store(p, at::ACC);
        self.load(p, at::POINT);
        match C::GROUP {
            Group::G1 => {
                // (1 - x)·P, x being negative.
                self.mul_by_seed(C::GROUP);
                self.run(&add);
            }
            Group::G2 => {
                let psi = self.shared(&PSI);
                // ψ²(2·P).
                self.run(&double);
                for _ in 0..2 {
                    self.load(psi, at::POINT);
                    self.run("psi");
                }
                self.store(r, at::ACC);
                // Q = x·P + ψ(P), x being negative.
                self.load(p, at::ACC);
                self.load(psi, at::POINT);
                self.run("psi");
                self.store(q, at::ACC);
                self.load(p, at::ACC);
                self.load(p, at::POINT);
                self.mul_by_seed(C::GROUP);
                self.run("opposite");
                self.load(q, at::POINT);
                self.run(&add);
                self.store(q, at::ACC);
                // x·Q - Q - P + ψ²(2·P).
                self.load(q, at::POINT);
                self.mul_by_seed(C::GROUP);
                self.run(&add);
                self.load(p, at::POINT);
                self.run(&add);
                self.run("opposite");
                self.load(r, at::POINT);
                self.run(&add);
            }
        }
        self.run(&routine("affine"));
        self.store(to, at::ACC);
    }
}

/// The two programs that map the elements in `u` (2 rows) to a point in `to` (2 rows, affine); they run after `before`,
/// or come first.
///
/// # Errors
/// The programs do not fit the machine.
pub(super) fn phases<C: Rows + HashToCurve>(
    first: Builder<Fq>,
    (u, to): (Region, Region),
    spec: &MachineSpec,
    options: &Options,
) -> Result<[super::Program<Fq>; 2], CompileError> {
    let mut b = first;
    let points = b.scratch("isogenous", 6);
    b.map_to_isogenous::<C>(u, points);
    let map = b.finish(spec, options)?;
    let mut b = Builder::after(&map, clear_routines::<C>());
    b.clear_sum::<C>(points, to);
    Ok([map, b.finish(spec, options)?])
}

/// A builder for the first of the two programs, which runs after `before` if it is given.
pub(super) fn map_builder<C: Rows + HashToCurve>(before: Option<&super::Program<Fq>>) -> Builder<Fq> {
    let routines = map_routines::<C>();
    match before {
        Some(before) => Builder::after(before, routines),
        None => Builder::new(routines),
    }
}

/// Maps two elements of the base field to a point of the subgroup, in constant time.
///
/// Regions: `elements` (2 rows); `result` (2 rows, affine).
///
/// # Errors
/// The program does not fit the machine.
pub fn hash_to_curve<C: Rows + HashToCurve>(
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let mut b = map_builder::<C>(None);
    let (u, result) = (b.region("elements", 2), b.region("result", 2));
    Ok(Chain { phases: phases::<C>(b, (u, result), spec, options)?.into() })
}

/// The input regions of [`hash_to_curve`] for a message and a domain separation tag.
pub fn inputs<C: Rows + HashToCurve>(message: &[u8], dst: &[u8]) -> Inputs<Fq> {
    vec![("elements", element_rows::<C>(message, dst).to_vec())]
}

/// The two elements of a message as rows.
pub(super) fn element_rows<C: Rows + HashToCurve>(message: &[u8], dst: &[u8]) -> [Value<Fq>; 2] {
    hash_to_field::<C::Base, 2>(message, dst).map(C::row)
}
