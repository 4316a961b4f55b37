//! G1 in twisted Edwards form: what \[AIE\] II.D computes on.

use super::constants as k;
use super::{Fq, Fr, G1};
use crate::edwards::{Birational, EdwardsAffine, EdwardsPoint, TwistedEdwards};

/// `-x² + y² = 1 + d·x²y²` over Fq, birationally equivalent to `y² = x³ + 1`; the group of order r on it.
///
/// `d` is a square, so two points of order two and two of order four lie at infinity and the addition law is complete
/// on points of odd order only: on the group of order r, which is all that an MSM meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct G1Edwards;
impl TwistedEdwards for G1Edwards {
    type Base = Fq;
    type Scalar = Fr;
    const NAME: &'static str = "BLS12-377 G1, twisted Edwards";
    const D: Fq = k::EDWARDS_D;
    const GENERATOR: [Fq; 2] = [k::EDWARDS_X, k::EDWARDS_Y];
    /// By the endomorphism of the Weierstrass curve, whose arithmetic handles every point.
    fn is_in_subgroup_vartime(p: &EdwardsPoint<Self>) -> bool {
        p.to_weierstrass().is_some_and(|w| w.is_in_subgroup_vartime())
    }
}
impl Birational for G1Edwards {
    type Weierstrass = G1;
    const ALPHA: Fq = k::EDWARDS_ALPHA;
    const S_INVERSE: Fq = k::EDWARDS_S_INVERSE;
    const STRETCH: Fq = k::EDWARDS_STRETCH;
}

/// A point of G1 in extended twisted Edwards coordinates.
pub type Point = EdwardsPoint<G1Edwards>;
/// A point of G1 as an affine triple.
pub type AffinePoint = EdwardsAffine<G1Edwards>;
