//! Membership tests for the prime-order subgroups by endomorphisms, as in [`pairwright_curve`] (eprint 2021/1130, §4).

use super::fields::all_zero;
use super::points::{Group, PSI, at};
use super::{Builder, Label, Region, Value};
use pairwright_chip::compiler::{Fp2, Graph, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::Curve;
use pairwright_curve::bls12_381::{Fq, G1};
use pairwright_field::{Field, Quad};

/// `β² = -1 - β`, for `φ²(x, y) = (β²·x, y)`.
pub(super) fn beta_squared() -> Value<Fq> {
    let beta = G1::GLV.expect("the first group has an endomorphism").beta;
    Quad::new(-Fq::ONE - beta, Fq::ZERO)
}

/// The routine of a group that compares the running point, negated, with the image of the affine point that follows it:
/// its result at 0 is zero exactly if they are equal. The constants of the image come after the point.
pub(super) fn routines(group: Group) -> Vec<(String, Graph)> {
    let compare = Trace::graph(|t| {
        let [x, y, z] = t.inputs("acc", at::ACC);
        let [px, py] = t.inputs("affine", at::POINT);
        let [px, py] = match group {
            Group::G1 => {
                let [beta] = t.inputs("constants", at::POINT + 2);
                [px * beta, py]
            }
            Group::G2 => {
                let [a, b] = t.inputs("constants", at::POINT + 2);
                [px.conj() * a, py.conj() * b]
            }
        };
        t.outputs("zero", 0, [all_zero([x - px * z.clone(), y + py * z])]);
    });
    vec![(group.routine("member"), compare)]
}

impl Builder<Fq> {
    /// Jumps to `reject` unless a finite affine point of the curve lies in the subgroup: `φ²(P) = -x²·P` in G1,
    /// `ψ(Q) = x·Q` in G2. Uses the scan register and the counter of `_i`.
    pub(super) fn unless_member_vartime(&mut self, group: Group, point: Region, reject: Label) {
        let (t, check) = (self.scratch("multiple", 3), self.scratch("check", 1));
        self.bring_affine(point, at::ACC);
        self.bring_affine(point, at::POINT);
        self.mul_by_seed(group);
        let constants = match group {
            Group::G1 => {
                self.store(t, at::ACC);
                self.load(t, at::POINT);
                self.mul_by_seed(group);
                self.shared(&[beta_squared()])
            }
            Group::G2 => self.shared(&PSI),
        };
        self.load(point, at::POINT);
        self.load(constants, at::POINT + 2);
        self.run(&group.routine("member"));
        self.store(check, 0);
        self.unless_zero_vartime(LoopReg::I, check, reject);
    }
}
