//! Point decompression: square roots in Fp and Fp2, signs, and the check that a point exists.
//!
//! The loader reads bytes into rows and refuses invalid encodings ([`encoded`]: flags, integers that are not below the
//! modulus); the program does everything that needs arithmetic. Points of both groups share one exponentiation, side by
//! side.

use super::control::zero;
use super::fields::{self, all_zero, minus_u, raw_minus_u, raw_one};
use super::hash::complete_power;
use super::points::{Group, Rows};
use super::{Builder, Label, Region, Value};
use pairwright_chip::compiler::{Graph, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Fq, G2};
use pairwright_curve::hash_to_curve::SqrtRatio;
use pairwright_curve::{HashToCurve, PointError};
use pairwright_field::{Extension, PrimeField, Ring};

/// A compressed point as an input of a program: three rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The first coordinate, zero for infinity.
    pub x: Value<Fq>,
    /// The integer one if the second coordinate is the larger of the two roots, else zero; read by a scan register.
    pub larger: Value<Fq>,
    /// The integer one for infinity, else zero; read by a scan register.
    pub infinity: Value<Fq>,
}

/// Reads the form of [`pairwright_curve::encoding::ZcashCompressed`] into rows, without any arithmetic.
///
/// # Errors
/// A wrong length, contradictory flags, infinity with other bits set, or a coordinate that is not below the modulus.
/// Whether a point with this coordinate exists is decided by the program.
pub fn encoded<C: Rows>(bytes: &[u8]) -> Result<Encoded, PointError> {
    let (curve, degree) = (C::NAME, C::Base::DEGREE);
    let (expected, found) = (Fq::BYTES * degree, bytes.len());
    if found != expected {
        return Err(PointError::Length { curve, expected, found });
    }
    let flags = bytes[0] & 0xe0;
    let (infinite, larger) = (flags & 0x40 != 0, flags & 0x20 != 0);
    if flags & 0x80 == 0 || (infinite && larger) {
        return Err(PointError::Flags { curve, found: flags });
    }
    let mut body = bytes.to_vec();
    body[0] &= 0x1f;
    if infinite && body.iter().any(|b| *b != 0) {
        return Err(PointError::InfinityNotZero { curve });
    }
    // The encoding has the highest coefficient first.
    let mut coordinates = Vec::with_capacity(degree);
    for (index, chunk) in body.chunks(Fq::BYTES).enumerate() {
        coordinates.push(Fq::read_be(chunk).map_err(|_| PointError::NotReduced { curve, index })?);
    }
    coordinates.reverse();
    let x = C::from_coefficients(&coordinates);
    let flag = |set: bool| if set { raw_one() } else { zero() };
    Ok(Encoded { x: C::row(x), larger: flag(larger), infinity: flag(infinite) })
}

/// Points that are decompressed side by side: up to three, with one row each in every input region.
pub(super) struct Compressed<'a> {
    pub groups: &'a [Group],
    pub x: Region,
    pub larger: Region,
    pub infinity: Region,
    /// The affine results, two rows each.
    pub to: &'a [Region],
    /// Rows for a table of powers, at least [`Builder::pow_rows`].
    pub table: Region,
}

/// The routines for `n` points, one to three, except those of powers.
pub(super) fn routines(n: u8) -> Vec<(String, Graph)> {
    fn right_side<const N: usize>() -> Graph {
        Trace::graph(|t| {
            let (x, b) = (t.inputs::<N>("x", 0), t.inputs::<N>("b", N as u8));
            let mut b = b.into_iter();
            let rhs = x.map(|x| x.clone() * x.clone() * x + b.next().expect("as many constants"));
            t.outputs("rhs", 0, rhs);
        })
    }
    // Computes a square root of g from w = g^k, if g has one: in Fp g^((q+1)/4) = w⁴·g³; in Fp2 as in RFC 9380,
    // appendix F.2.1.1.
    let root_fp = Trace::graph(|t| {
        let [w, g] = t.inputs("x", 0);
        t.outputs("y", 0, [w.square().square() * (g.clone().square() * g)]);
    });
    let root_fp2 = Trace::graph(|t| {
        let ([w, g], [c6, c7, half]) = (t.inputs("x", 0), t.inputs("c", 2));
        let w = complete_power(w, g.clone());
        let root = w.clone() * g;
        let check = root.clone() * w;
        let [_, y] = SqrtRatio { c1: G2::SQRT_RATIO.c1, c6, c7, half }.decide(root, check);
        t.outputs("y", 0, [y]);
    });
    let not_root = Trace::graph(|t| {
        let ([y], [g]) = (t.kept("y", 0), t.inputs("g", 1));
        t.outputs("zero", 1, [all_zero([y.clone() * y - g])]);
    });
    // The values that determine the sign: the parities of 2·y in both coefficients, and the second coefficient.
    let sign = Trace::graph(|t| {
        let ([y], [raw_one, raw_minus_u, minus_u]) = (t.kept("y", 0), t.inputs("c", 1));
        let twice = y.clone().double();
        t.outputs("s", 1, [twice.clone() * raw_one, twice * raw_minus_u, y * minus_u]);
    });
    let negate = Trace::graph(|t| {
        let [y] = t.inputs("y", 0);
        t.outputs("y", 0, [-y]);
    });
    let right = match n {
        1 => right_side::<1>(),
        2 => right_side::<2>(),
        _ => right_side::<3>(),
    };
    let own = [
        (format!("right_side{}", n.clamp(1, 3)), right),
        ("root_fp".to_owned(), root_fp),
        ("root_fp2".to_owned(), root_fp2),
        ("not_root".to_owned(), not_root),
        ("sign".to_owned(), sign),
        ("negate".to_owned(), negate),
    ];
    own.into_iter().chain(fields::power_routines(n)).collect()
}

impl Builder<Fq> {
    /// Decompresses points; infinity becomes `(0, 0)`. Jumps to `reject` if a point is not on its curve. The time
    /// depends on the points. Uses the scan registers and counters of `_i` and `_j`.
    pub(super) fn decompress_vartime(&mut self, points: &Compressed<'_>, reject: Label) {
        let n = points.groups.len() as u8;
        let constants: Vec<Value<Fq>> = points.groups.iter().map(|g| g.b()).collect();
        let constants = self.shared(&constants);
        let zeros = self.shared(&[zero(), zero()]);
        let (rhs, power, y) = (self.scratch("rhs", n), self.scratch("power", n), self.scratch("roots", n));
        let check = self.scratch("check", 1);
        self.load(points.x, 0);
        self.load(constants, n);
        self.run(&format!("right_side{n}"));
        self.store(rhs, 0);
        // The exponent (q - 11)/16 serves both fields.
        let mut exponent = [0; 6];
        exponent[..G2::POW_EXPONENT.len()].copy_from_slice(G2::POW_EXPONENT);
        self.pow(rhs, exponent, points.table.part(0, Self::pow_rows(n)), power);
        let row = |of: Region, i: u8| of.part(i, 1);
        let SqrtRatio { c6, c7, half, .. } = G2::SQRT_RATIO;
        for (i, group) in (0..n).zip(points.groups) {
            self.load(row(power, i), 0);
            self.load(row(rhs, i), 1);
            if *group == Group::G1 {
                self.run("root_fp");
            } else {
                let constants = self.shared(&[c6, c7, half]);
                self.load(constants, 2);
                self.run("root_fp2");
            }
            self.store(row(y, i), 0);
        }
        for (i, (&group, &to)) in (0..n).zip(points.groups.iter().zip(points.to)) {
            let finite = |b: &mut Self| {
                b.load(row(y, i), 0);
                b.load(row(rhs, i), 1);
                b.run("not_root");
                b.store(check, 1);
                b.unless_zero_vartime(LoopReg::J, check, reject);
                b.fix_sign_vartime(group, row(points.larger, i));
                b.store(row(to, 1), 0);
                b.copy(row(points.x, i), row(to, 0));
            };
            self.choose_by(LoopReg::J, row(points.infinity, i), |b| b.copy(zeros, to), finite);
        }
    }

    /// Negates the root at 0 where necessary, so that it is the larger one exactly if `larger` says so.
    fn fix_sign_vartime(&mut self, group: Group, larger: Region) {
        let constants = self.shared(&[raw_one(), raw_minus_u(), minus_u()]);
        let signs = self.scratch("signs", 3);
        self.load(constants, 1);
        self.run("sign");
        self.store(signs, 1);
        let agree = |b: &mut Self, sign: Region| {
            let negate = |b: &mut Self| b.run("negate");
            let (yes, no) = (
                |b: &mut Self| b.choose_by(LoopReg::J, larger, |_| (), negate),
                |b: &mut Self| b.choose_by(LoopReg::J, larger, negate, |_| ()),
            );
            b.choose_by(LoopReg::I, sign, yes, no);
        };
        if group == Group::G1 {
            return agree(self, signs.part(0, 1));
        }
        // The second coefficient decides, unless it is zero.
        let (second, end) = (self.label(), self.label());
        self.unless_zero_vartime(LoopReg::J, signs.part(2, 1), second);
        agree(self, signs.part(0, 1));
        self.go(end);
        self.bind(second);
        agree(self, signs.part(1, 1));
        self.bind(end);
    }
}
