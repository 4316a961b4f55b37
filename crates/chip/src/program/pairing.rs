//! The optimal ate pairing on BLS12-381 as a program: Miller loop and final exponentiation.
//!
//! The value is the host's, `f^(3·(p¹² - 1)/r)`; the final exponentiation follows Hayashida, Hayasaka and Teruya
//! (eprint 2020/875) as [`pairwright_curve::pairing::bls12`] does.

use super::published;
use super::{Builder, Program, Region, Value, integer};
use crate::MachineSpec;
use crate::compiler::{CompileError, Options};
use crate::isa::LoopReg;
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq2};
use pairwright_curve::pairing::{PairingData, Tower};
use pairwright_field::Field;

/// Bits of the seed's magnitude.
const SEED_BITS: u16 = 64;

/// The seed's magnitude as a row to scan.
pub(super) fn seed() -> Value<Fq> {
    integer([Bls12_381::X, 0, 0, 0, 0, 0])
}

/// The factors of the `k`-th Frobenius for the coefficients of `w` to `w⁵`.
pub(super) fn frobenius_factors(k: usize) -> [Fq2; 5] {
    let row = Bls12_381::FROBENIUS[k - 1];
    [row[1], row[2], row[3], row[4], row[5]]
}

/// One as an element of Fp12.
pub(super) const ONE: [Fq2; 6] = [Fq2::ONE, Fq2::ZERO, Fq2::ZERO, Fq2::ZERO, Fq2::ZERO, Fq2::ZERO];

/// The pairing in the routine division of [CP] Table I: every routine takes its operands from the global bank and
/// returns its results there.
///
/// Regions: `p` (2 rows, affine, coordinates in Fp), `q` (2 rows, affine), `result` (6 rows, tower order). Neither
/// point may be infinity.
///
/// # Errors
/// A machine on which it does not fit.
pub fn published(spec: &MachineSpec, options: &Options) -> Result<Program<Fq>, CompileError> {
    let mut b = Builder::new(published::routines());
    let r = Published::new(&mut b);
    let (zero, p, q) = (b.constants("zero", &[Fq2::ZERO]), b.region("p", 2), b.region("q", 2));
    let x = b.constants("x", &[seed()]);
    let f = b.constants("f", &ONE);
    let t = b.region("t", 3);
    // The running point starts as Q.
    let z = b.constants("one", &[Fq2::ONE]);
    b.bring(q, 0);
    b.bring(z, 2);
    b.keep(t, 0);
    let result = b.region("result", 6);
    let double = |b: &mut Builder<Fq>| {
        b.call("line_double_mult", &[("f", f), ("t", t), ("zero", zero), ("p", p)], &[("r", f), ("t", t)]);
    };
    let add_if_set = |b: &mut Builder<Fq>| {
        let skip = b.label();
        b.scan(LoopReg::I, skip);
        b.call("line_add_mult", &[("f", f), ("t", t), ("p", p), ("q", q)], &[("r", f), ("t", t)]);
        b.place(skip);
    };
    b.load_scan(LoopReg::I, x, SEED_BITS - 1);
    double(&mut b);
    add_if_set(&mut b);
    let top = b.here();
    b.call("fp12_mul", &[("f", f), ("g", f)], &[("r", f)]);
    double(&mut b);
    add_if_set(&mut b);
    b.repeat(LoopReg::I, top, u32::from(SEED_BITS) - 2);
    // The seed is negative.
    r.unary(&mut b, "fp12_conjugate", f, f);
    r.final_exponentiation(&mut b, f, result, x);
    b.finish(spec, options)
}

/// Scratch regions of the published division's final exponentiation.
struct Published {
    a: Region,
    b: Region,
    c: Region,
    acc: Region,
    gamma1: Region,
    gamma2: Region,
}

impl Published {
    fn new(b: &mut Builder<Fq>) -> Self {
        Self {
            a: b.region("a", 6),
            b: b.region("b", 6),
            c: b.region("c", 6),
            acc: b.region("acc", 6),
            gamma1: b.constants("gamma1", &frobenius_factors(1)),
            gamma2: b.constants("gamma2", &frobenius_factors(2)),
        }
    }

    fn unary(&self, b: &mut Builder<Fq>, routine: &str, from: Region, to: Region) {
        b.call(routine, &[("f", from)], &[("r", to)]);
    }

    fn mul(&self, b: &mut Builder<Fq>, f: Region, g: Region, to: Region) {
        b.call("fp12_mul", &[("f", f), ("g", g)], &[("r", to)]);
    }

    fn frobenius(&self, b: &mut Builder<Fq>, k: u32, from: Region, to: Region) {
        let (routine, gamma) =
            if k == 1 { ("fp12_frobenius", self.gamma1) } else { ("fp12_frobenius2", self.gamma2) };
        b.call(routine, &[("f", from), ("gamma", gamma)], &[("r", to)]);
    }

    /// `to = base^x` in the cyclotomic subgroup; `to` is not `base`.
    fn pow_x(&self, b: &mut Builder<Fq>, base: Region, to: Region, x: Region) {
        b.load_scan(LoopReg::I, x, SEED_BITS - 1);
        b.bring(base, published::at::F);
        b.keep(to, published::at::F);
        let top = b.here();
        self.unary(b, "cyclotomic_square", to, to);
        let skip = b.label();
        b.scan(LoopReg::I, skip);
        self.mul(b, to, base, to);
        b.place(skip);
        b.repeat(LoopReg::I, top, u32::from(SEED_BITS) - 1);
        self.unary(b, "fp12_conjugate", to, to);
    }

    fn final_exponentiation(&self, b: &mut Builder<Fq>, f: Region, result: Region, x: Region) {
        let Self { a, b: t, c, acc, .. } = *self;
        // f^((p⁶ - 1)(p² + 1)).
        self.unary(b, "fp12_inversion", f, a);
        self.unary(b, "fp12_conjugate", f, t);
        self.mul(b, t, a, a);
        self.frobenius(b, 2, a, t);
        self.mul(b, t, a, f);
        // (x - 1)².
        self.pow_x(b, f, acc, x);
        self.unary(b, "fp12_conjugate", f, t);
        self.mul(b, acc, t, a);
        self.pow_x(b, a, acc, x);
        self.unary(b, "fp12_conjugate", a, t);
        self.mul(b, acc, t, a);
        // x + p.
        self.pow_x(b, a, acc, x);
        self.frobenius(b, 1, a, t);
        self.mul(b, acc, t, a);
        // x² + p² - 1.
        self.pow_x(b, a, acc, x);
        self.pow_x(b, acc, c, x);
        self.frobenius(b, 2, a, t);
        self.mul(b, c, t, c);
        self.unary(b, "fp12_conjugate", a, t);
        self.mul(b, c, t, c);
        // 3.
        self.unary(b, "cyclotomic_square", f, t);
        self.mul(b, c, t, c);
        self.mul(b, c, f, result);
    }
}
