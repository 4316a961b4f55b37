//! G1 of BLS12-377 in twisted Edwards form, the form of \[AIE\] II.D.

use super::constants as k;
use super::{Fq, Fr, G1};
use crate::edwards::{Birational, EdwardsAffine, EdwardsPoint, TwistedEdwards};

/// The group of order r on `-x² + y² = 1 + d·x²y²` over Fq, which is birationally equivalent to `y² = x³ + 1`.
///
/// `d` is a square, so two points of order two and two of order four lie at infinity, and the addition law is complete
/// only on points of odd order. This includes the group of order r, to which the points of an MSM belong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct G1Edwards;
impl TwistedEdwards for G1Edwards {
    type Base = Fq;
    type Scalar = Fr;
    const NAME: &'static str = "BLS12-377 G1, twisted Edwards";
    const D: Fq = k::EDWARDS_D;
    const GENERATOR: [Fq; 2] = [k::EDWARDS_X, k::EDWARDS_Y];
    /// Tests the image on the Weierstrass curve by its endomorphism, because the arithmetic there is correct for every point.
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
