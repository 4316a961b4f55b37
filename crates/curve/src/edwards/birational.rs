//! The maps between a short Weierstrass curve with a point of order two and its twisted Edwards form, composed of the maps to and
//! from Montgomery's form.
//!
//! Bernstein, Birkner, Joye, Lange, Peters, *Twisted Edwards curves*, eprint 2008/013.

use super::{AtInfinity, EdwardsAffine, EdwardsPoint, TwistedEdwards};
use crate::{Affine, Curve, formulas};
use alloc::vec::Vec;
use pairwright_field::{Field, batch_invert};

/// A twisted Edwards curve birationally equivalent to a short Weierstrass curve `Y² = X³ + b`; the map is an
/// isomorphism of the two groups of order r.
///
/// With the curve's point `(α, 0)` of order two and `n = X - α`, the map is `x = c·n/Y` and `y = (n - 1/s)/(n + 1/s)`. It maps
/// infinity to the neutral element and `(α, 0)` to `(0, -1)`. The other points with `Y = 0` or `n = -1/s`, at most four,
/// of order two and four, have no image: they correspond to the points at infinity of the Edwards curve.
pub trait Birational: TwistedEdwards {
    /// The group on the Weierstrass curve.
    type Weierstrass: Curve<Base = Self::Base, Scalar = Self::Scalar>;
    /// The first coordinate `α` of the point of order two.
    const ALPHA: Self::Base;
    /// `1/s = √(3α²)`.
    const S_INVERSE: Self::Base;
    /// `c = √(-(A + 2)/B)` with the coefficients `A = 3αs` and `B = s` of Montgomery's form.
    const STRETCH: Self::Base;
}

impl<C: Birational> EdwardsPoint<C> {
    /// The image of a point *of the Weierstrass curve*, without an inversion; `None` for the four points that have no
    /// image. Time depends only on whether the point is exceptional.
    ///
    /// Neither the curve's equation nor membership in the subgroup is checked. The image of a point of the subgroup is in the
    /// subgroup of the Edwards curve.
    pub fn from_weierstrass(p: &Affine<C::Weierstrass>) -> Option<Self> {
        if p.is_infinity() {
            return Some(Self::IDENTITY);
        }
        let n = p.x - C::ALPHA;
        let image =
            Self::from_array(formulas::edwards_from_weierstrass([n, p.y], C::S_INVERSE, |a| C::STRETCH * a));
        match (image.z.is_zero(), n.is_zero()) {
            (false, _) => Some(image),
            (true, true) => Some(Self { y: -C::Base::ONE, ..Self::IDENTITY }),
            (true, false) => None,
        }
    }

    /// The image of the point on the Weierstrass curve, by one inversion. `None` for a value without an affine form, which can be
    /// the result of sums outside of the subgroup. Time depends only on whether the point is exceptional (the neutral element
    /// or `(0, -1)`).
    pub fn to_weierstrass(&self) -> Option<Affine<C::Weierstrass>> {
        let map = self.weierstrass_homogeneous();
        self.weierstrass_affine(map, map[2].invert().unwrap_or(C::Base::ZERO))
    }

    /// The images of many points on the Weierstrass curve, with one inversion. Time depends on the points as in
    /// [`Self::to_weierstrass`].
    pub fn batch_to_weierstrass(points: &[Self]) -> Result<Vec<Affine<C::Weierstrass>>, AtInfinity> {
        let maps: Vec<_> = points.iter().map(Self::weierstrass_homogeneous).collect();
        let mut inverses: Vec<_> = maps.iter().map(|m| m[2]).collect();
        batch_invert(&mut inverses);
        let images = points.iter().zip(maps).zip(inverses).enumerate();
        images
            .map(|(index, ((p, map), inverse))| {
                p.weierstrass_affine(map, inverse).ok_or(AtInfinity { curve: C::NAME, index })
            })
            .collect()
    }

    /// The homogeneous coordinates `(X - α : Y : Z)` of the image on the Weierstrass curve.
    fn weierstrass_homogeneous(&self) -> [C::Base; 3] {
        let point = [self.x, self.y, self.z];
        formulas::edwards_to_weierstrass(point, |a| C::S_INVERSE * a, |a| C::STRETCH * a)
    }

    /// The image, given its homogeneous coordinates and the inverse of the last one, or zero if there is none.
    fn weierstrass_affine(
        &self,
        [n, y, _]: [C::Base; 3],
        inverse: C::Base,
    ) -> Option<Affine<C::Weierstrass>> {
        if !inverse.is_zero() {
            return Some(Affine::from_xy_unchecked(n * inverse + C::ALPHA, y * inverse));
        }
        // (Z - Y)·X is zero for the neutral element, for (0, -1), and if Z is zero, since then X or Y is zero as well.
        match (self.z.is_zero(), self.is_identity()) {
            (true, _) => None,
            (false, true) => Some(Affine::INFINITY),
            (false, false) => Some(Affine::from_xy_unchecked(C::ALPHA, C::Base::ZERO)),
        }
    }
}

impl<C: Birational> EdwardsAffine<C> {
    /// [`EdwardsPoint::from_weierstrass`] as an affine triple, by one inversion.
    pub fn from_weierstrass(p: &Affine<C::Weierstrass>) -> Option<Self> {
        EdwardsPoint::from_weierstrass(p)?.to_triple()
    }

    /// The images of many points *of the Weierstrass curve*, with one inversion. Time depends on the points as in
    /// [`EdwardsPoint::from_weierstrass`].
    pub fn batch_from_weierstrass(points: &[Affine<C::Weierstrass>]) -> Result<Vec<Self>, AtInfinity> {
        let image =
            |(index, p)| EdwardsPoint::from_weierstrass(p).ok_or(AtInfinity { curve: C::NAME, index });
        let images: Vec<_> = points.iter().enumerate().map(image).collect::<Result<_, _>>()?;
        EdwardsPoint::batch_to_triples(&images)
    }
}
