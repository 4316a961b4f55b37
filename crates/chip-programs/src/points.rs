//! Group arithmetic on rows: routines for G1, whose coordinates are rows with a zero second coefficient, and G2.
//!
//! Points are homogeneous, `(X : Y : Z)` = `(X/Z, Y/Z)`, infinity `(0 : 1 : 0)`. The formulas are complete (RCB), so no
//! case distinction is needed; both curves have odd order, which the formulas require. The running point is updated in
//! place at [`at::ACC`]; the point that is added is at [`at::POINT`] and is not changed.

use super::control::{one, zero};
use super::{Builder, Region, Value, published, tower};
use pairwright_chip::compiler::{Fp2, Graph, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Fq, Fq2, G1, G2, Parameters};
use pairwright_curve::formulas::{complete_add, complete_double};
use pairwright_curve::pairing::PairingData;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, Field, Quad};

/// Linear addresses of the routines' operands.
pub mod at {
    /// The running point, homogeneous.
    pub const ACC: u8 = 0;
    /// The other point, homogeneous.
    pub const POINT: u8 = 3;
}

/// One of the two groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Group {
    /// The group over Fp.
    G1,
    /// The group over Fp2.
    G2,
}

impl Group {
    /// `3b·x`: `12·x` for G1, `12ξ·x` for G2.
    pub fn mul_3b<R: Fp2>(self, x: R) -> R {
        match self {
            Self::G1 => {
                let y = x.double().double();
                y.clone().double() + y
            }
            Self::G2 => published::mul_3b(x),
        }
    }

    /// The name of the group's version of a routine.
    pub fn routine(self, name: &str) -> String {
        let prefix = match self {
            Self::G1 => "g1",
            Self::G2 => "g2",
        };
        format!("{prefix}_{name}")
    }

    /// The constant term of the curve equation, as a row.
    pub fn b(self) -> Fq2 {
        match self {
            Self::G1 => Quad::new(G1::B, Fq::ZERO),
            Self::G2 => G2::B,
        }
    }

    /// `1/z`; zero for zero.
    fn invert<R: Fp2>(self, z: R) -> R {
        match self {
            Self::G1 => z.inv_fp(),
            Self::G2 => tower::invert_fp2(z),
        }
    }
}

/// A group whose points can be stored in rows.
pub trait Rows: Curve {
    /// The group as the programs name it.
    const GROUP: Group;
    /// Converts a coordinate to a row.
    fn row(x: Self::Base) -> Value<Fq>;
    /// Makes a coordinate from its coefficients, lowest first.
    fn from_coefficients(coefficients: &[Fq]) -> Self::Base;
    /// Converts a row to a coordinate.
    fn coordinate(row: Value<Fq>) -> Self::Base;
}

impl Rows for G1 {
    const GROUP: Group = Group::G1;
    fn row(x: Fq) -> Value<Fq> {
        Quad::new(x, Fq::ZERO)
    }
    fn from_coefficients(coefficients: &[Fq]) -> Fq {
        Fq::from_coords(coefficients)
    }
    fn coordinate(row: Value<Fq>) -> Fq {
        row.c0
    }
}

impl Rows for G2 {
    const GROUP: Group = Group::G2;
    fn row(x: Fq2) -> Value<Fq> {
        x
    }
    fn from_coefficients(coefficients: &[Fq]) -> Fq2 {
        Fq2::from_coords(coefficients)
    }
    fn coordinate(row: Value<Fq>) -> Fq2 {
        row
    }
}

/// The two rows of an affine point; infinity is `(0, 0)`.
pub fn affine_rows<C: Rows>(p: &Affine<C>) -> [Value<Fq>; 2] {
    [C::row(p.x), C::row(p.y)]
}

/// The three rows of an affine point in homogeneous coordinates.
pub fn homogeneous_rows<C: Rows>(p: &Affine<C>) -> [Value<Fq>; 3] {
    if p.is_infinity() { infinity() } else { [C::row(p.x), C::row(p.y), one()] }
}

/// The affine point in two rows, without a check that it is on the curve.
pub fn affine<C: Rows>([x, y]: [Value<Fq>; 2]) -> Affine<C> {
    Affine::from_xy_unchecked(C::coordinate(x), C::coordinate(y))
}

/// The three homogeneous rows of infinity.
pub(super) fn infinity() -> [Value<Fq>; 3] {
    [zero(), one(), zero()]
}

/// The factors of ψ on G2: `ψ(x, y) = (PSI₀·x̄, PSI₁·ȳ)`.
pub(super) const PSI: [Fq2; 2] = Parameters::PSI;

/// The routines of the group, with their names.
pub fn routines(group: Group) -> Vec<(String, Graph)> {
    let name = |n| group.routine(n);
    let double = Trace::graph(|t| {
        t.reserve(at::POINT..at::POINT + 3);
        let p = t.inputs("acc", at::ACC);
        t.outputs("acc", at::ACC, complete_double(p, |x| group.mul_3b(x)));
    });
    let add = Trace::graph(|t| {
        let (p, q) = (t.inputs("acc", at::ACC), t.kept("point", at::POINT));
        t.outputs("acc", at::ACC, complete_add(p, q, |x| group.mul_3b(x)));
    });
    let affine = Trace::graph(|t| {
        let [x, y, z] = t.inputs("acc", at::ACC);
        let inverse = group.invert(z);
        t.outputs("affine", at::ACC, [x * inverse.clone(), y * inverse]);
    });
    vec![(name("double"), double), (name("add"), add), (name("affine"), affine)]
}

impl Builder<Fq> {
    /// Copies a finite affine point into the banks as a homogeneous one.
    pub(super) fn bring_affine(&mut self, p: Region, at: u8) {
        let one = self.shared(&[one()]);
        self.load(p, at);
        self.load(one, at + 2);
    }

    /// Sets the running point to `|x|` times the finite point at [`at::POINT`], for the seed `x`. Uses the scan
    /// register and the counter of `_i`. The time does not depend on the point.
    pub(super) fn mul_by_seed(&mut self, group: Group) {
        let seed = self.shared(&[super::pairing::seed()]);
        self.load_scan(LoopReg::I, seed, 63);
        let top = self.here();
        self.run(&group.routine("double"));
        let skip = self.label();
        self.scan(LoopReg::I, skip);
        self.run(&group.routine("add"));
        self.bind(skip);
        self.repeat(LoopReg::I, top, 63);
    }
}
