//! Membership in the prime-order subgroup, and cofactor clearing, by endomorphisms.
//!
//! The formulas are written once over [`GroupLaw`]. They are used on points in Jacobian coordinates, on points with complete
//! formulas if time must not depend on them, and by devices on many points at once.
//!
//! The tests are exact on every point of the curve: `derive/pairing_family.py` proves for each curve that the points that
//! pass have order dividing r (see `membership` there). References: Scott, *A note on group membership tests*,
//! eprint 2021/1130; Dai, Lin, Zhao, Zhou, *Fast subgroup membership testings*, eprint 2022/348; El Housni,
//! Guillevic, Piellard, *Co-factor clearing and subgroup membership testing*, eprint 2022/352.

use crate::pairing::PairingData;
use crate::plumbing::plumbing;
use crate::{Curve, Jacobian, Projective, formulas};
use pairwright_field::{Field, NonResidue, Quad, Ring};

/// The group operations that the formulas of this module use, on a point in any coordinates, or on many points at once.
pub trait GroupLaw: Copy {
    /// The double of the point.
    #[must_use]
    fn twice(&self) -> Self;
    /// The sum with another point.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;
    /// The negative of the point.
    #[must_use]
    fn negative(&self) -> Self;
    /// The image under the endomorphism by which membership is tested: `φ²` in first groups, with
    /// `φ(x, y) = (β·x, y)`, and `ψ` in second groups.
    #[must_use]
    fn image(&self) -> Self;
}

/// The endomorphism `ψ` on Jacobian or homogeneous coordinates; the factors are [`PairingData::PSI`].
#[inline(always)]
pub fn psi<R: Ring, B: NonResidue<R>>(
    [x, y, z]: [Quad<R, B>; 3],
    [along_x, along_y]: [Quad<R, B>; 2],
) -> [Quad<R, B>; 3] {
    [x.conjugate() * along_x, y.conjugate() * along_y, z.conjugate()]
}

/// The factor `β²` of the first coordinate in `φ²`.
pub fn beta_squared<P: PairingData>() -> P::Fq {
    // A cube root of unity: β² + β + 1 = 0.
    -P::Fq::ONE - P::G1_BETA
}

/// A group whose endomorphism acts on homogeneous and Jacobian coordinates in the same way.
pub(crate) trait Endomorphism: Curve {
    /// [`GroupLaw::image`] on the coordinates of a point.
    fn image(point: [Self::Base; 3]) -> [Self::Base; 3];
}

macro_rules! group_law {
    ($form:ident) => {
        impl<C: Endomorphism> GroupLaw for $form<C> {
            fn twice(&self) -> Self {
                self.double()
            }
            fn plus(&self, other: &Self) -> Self {
                *self + *other
            }
            fn negative(&self) -> Self {
                -*self
            }
            fn image(&self) -> Self {
                let [x, y, z] = C::image([self.x, self.y, self.z]);
                Self { x, y, z }
            }
        }
    };
}
group_law!(Jacobian);
group_law!(Projective);

/// A point in Jacobian coordinates with incomplete formulas, which are wrong for equal points, opposite points and
/// infinity. A sum of such points has `Z = 0`, and so has every point computed from it.
pub(crate) struct Incomplete<C: Curve>([C::Base; 3]);

plumbing!(Incomplete<Curve> [0]);

impl<C: Curve> Incomplete<C> {
    /// Converts the point to Jacobian coordinates.
    pub(crate) fn new(p: &Projective<C>) -> Self {
        Self([p.x * p.z, p.y * p.z.square(), p.z])
    }

    /// The point, if no formula met an exceptional case, otherwise `None`. Reveals only whether there was one.
    pub(crate) fn finite(&self) -> Option<Projective<C>> {
        let [x, y, z] = self.0;
        (!z.ct_eq(&C::Base::ZERO)).reveal().then(|| Projective { x: x * z, y, z: z.square() * z })
    }
}

impl<C: Endomorphism> GroupLaw for Incomplete<C> {
    fn twice(&self) -> Self {
        Self(formulas::jacobian_double(self.0))
    }
    fn plus(&self, other: &Self) -> Self {
        Self(formulas::jacobian_add(self.0, other.0).0)
    }
    fn negative(&self) -> Self {
        let [x, y, z] = self.0;
        Self([x, -y, z])
    }
    fn image(&self) -> Self {
        Self(C::image(self.0))
    }
}

/// `x·p` for the seed with its sign. The sequence of operations depends only on the digits of the seed.
fn mul_x<P: PairingData, T: GroupLaw>(p: &T) -> T {
    let largest = P::X_DIGITS.iter().map(|d| d.unsigned_abs()).max().unwrap_or(0) as usize;
    let mut odd = [*p; 8];
    if largest > 1 {
        let twice = p.twice();
        for i in 1..=largest / 2 {
            odd[i] = odd[i - 1].plus(&twice);
        }
    }
    // The leading digit is one.
    let multiple = P::X_DIGITS.iter().skip(1).fold(*p, |sum, &d| match d {
        0 => sum.twice(),
        1.. => sum.twice().plus(&odd[d as usize / 2]),
        _ => sum.twice().plus(&odd[d.unsigned_abs() as usize / 2].negative()),
    });
    if P::X_NEGATIVE { multiple.negative() } else { multiple }
}

/// The two sides of the test for the first group of BLS12 curves, `φ²(P) = -x²·P`. Since `φ² + φ + 1 = 0` on the whole curve, a
/// point for which both sides are equal is annihilated by `x⁴ - x² + 1 = r` (eprint 2021/1130, §4).
pub(crate) fn bls12_g1_sides<P: PairingData, T: GroupLaw>(p: &T) -> [T; 2] {
    [p.image(), mul_x::<P, _>(&mul_x::<P, _>(p)).negative()]
}

/// The two sides of the test for the second group of BLS12 curves, `ψ(Q) = x·Q` (eprint 2021/1130, §4).
pub(crate) fn bls12_g2_sides<P: PairingData, T: GroupLaw>(q: &T) -> [T; 2] {
    [q.image(), mul_x::<P, _>(q)]
}

/// The two sides of the test for the second group of BN curves, `(x + 1)·Q + ψ(x·Q) + ψ²(x·Q) = ψ³(2x·Q)` (eprint 2022/348,
/// §4.3).
pub(crate) fn bn_g2_sides<P: PairingData, T: GroupLaw>(q: &T) -> [T; 2] {
    let xq = mul_x::<P, _>(q);
    let once = xq.image();
    let twice = once.image();
    [xq.plus(q).plus(&once).plus(&twice), twice.image().twice()]
}

/// Clears the cofactor of the first group of BLS12 curves: `(1 - x)·P`. The cofactor is `(x - 1)²/3`, but no point of the curve
/// has an order that needs more than one factor `x - 1` (eprint 2022/352, §3; the effective cofactor of RFC 9380, §8.8.1).
pub(crate) fn clear_bls12_g1<P: PairingData, T: GroupLaw>(p: &T) -> T {
    p.plus(&mul_x::<P, _>(p).negative())
}

/// Clears the cofactor of the second group of BLS12 curves: `(x² - x - 1)·Q + (x - 1)·ψ(Q) + 2·ψ²(Q)` (Budroni, Pintore, eprint
/// 2017/419; the effective cofactor of RFC 9380, §8.8.2): a multiple of `3(x² - 1)` times the cofactor.
pub(crate) fn clear_bls12_g2<P: PairingData, T: GroupLaw>(q: &T) -> T {
    // x·(x·Q + ψ(Q)) - (x·Q + ψ(Q)) - Q + ψ²(2Q).
    let sum = mul_x::<P, _>(q).plus(&q.image());
    let rest = mul_x::<P, _>(&sum).plus(&sum.negative()).plus(&q.negative());
    rest.plus(&q.twice().image().image())
}

/// Clears the cofactor of the second group of BN curves: `x·Q + ψ(3x·Q) + ψ²(x·Q) + ψ³(Q)` (Fuentes-Castañeda, Knapp,
/// Rodríguez-Henríquez, SAC 2011, §5.1).
pub(crate) fn clear_bn_g2<P: PairingData, T: GroupLaw>(q: &T) -> T {
    let xq = mul_x::<P, _>(q);
    let thrice = xq.twice().plus(&xq);
    xq.plus(&thrice.image()).plus(&xq.image().image()).plus(&q.image().image().image())
}
