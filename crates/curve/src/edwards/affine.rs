//! Affine points of twisted Edwards curves: the second operand of a mixed addition.

use super::{AtInfinity, EdwardsPoint, TwistedEdwards};
use crate::formulas;
use crate::plumbing::plumbing;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, AddAssign, Neg, Sub};
use pairwright_field::{Field, batch_invert};

/// An affine point as the triple `(x, y, u)` with `u = 2d·xy`, the form of \[AIE\] II.D: the product by the curve's constant is
/// computed once per point instead of once per addition.
///
/// Triples are made from points only, so `u` always matches `x` and `y`.
pub struct EdwardsAffine<C: TwistedEdwards> {
    x: C::Base,
    y: C::Base,
    u: C::Base,
}

plumbing!(EdwardsAffine<TwistedEdwards> [x y u]);

impl<C: TwistedEdwards> EdwardsAffine<C> {
    /// The neutral element, `(0, 1)`, which is not a special case of the addition.
    pub const IDENTITY: Self = Self { x: C::Base::ZERO, y: C::Base::ONE, u: C::Base::ZERO };

    #[inline(always)]
    pub(super) fn from_xy(x: C::Base, y: C::Base) -> Self {
        Self { x, y, u: super::mul_2d::<C>(x * y) }
    }

    /// The coordinates `(x, y, u)`.
    #[inline(always)]
    pub fn coordinates(&self) -> [C::Base; 3] {
        [self.x, self.y, self.u]
    }

    /// The point in extended coordinates.
    #[inline]
    pub fn to_extended(&self) -> EdwardsPoint<C> {
        EdwardsPoint { x: self.x, y: self.y, z: C::Base::ONE, t: self.x * self.y }
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> bool {
        self.x.is_zero() && self.y == C::Base::ONE
    }
}

impl<C: TwistedEdwards> EdwardsPoint<C> {
    /// The point as an affine triple, by one inversion. `None` for a value without an affine form, which can be the result of
    /// sums outside of the subgroup.
    pub fn to_triple(&self) -> Option<EdwardsAffine<C>> {
        let zi = self.z.invert()?;
        Some(EdwardsAffine::from_xy(self.x * zi, self.y * zi))
    }

    /// Converts many points to affine triples with one inversion.
    pub fn batch_to_triples(points: &[Self]) -> Result<Vec<EdwardsAffine<C>>, AtInfinity> {
        let mut inverses: Vec<_> = points.iter().map(|p| p.z).collect();
        batch_invert(&mut inverses);
        let triple = |(index, (p, zi)): (usize, (&Self, &C::Base))| {
            // Batch inversion leaves zeros as they are.
            if zi.is_zero() {
                Err(AtInfinity { curve: C::NAME, index })
            } else {
                Ok(EdwardsAffine::from_xy(p.x * *zi, p.y * *zi))
            }
        };
        points.iter().zip(&inverses).enumerate().map(triple).collect()
    }
}

/// Mixed addition, at the cost of 7 multiplications (7M).
impl<C: TwistedEdwards> Add<EdwardsAffine<C>> for EdwardsPoint<C> {
    type Output = Self;
    #[inline]
    fn add(self, o: EdwardsAffine<C>) -> Self {
        Self::from_array(formulas::edwards_add_mixed([self.x, self.y, self.z, self.t], [o.x, o.y, o.u]))
    }
}
impl<C: TwistedEdwards> AddAssign<EdwardsAffine<C>> for EdwardsPoint<C> {
    #[inline]
    fn add_assign(&mut self, o: EdwardsAffine<C>) {
        *self = *self + o;
    }
}
impl<C: TwistedEdwards> Sub<EdwardsAffine<C>> for EdwardsPoint<C> {
    type Output = Self;
    #[inline]
    fn sub(self, o: EdwardsAffine<C>) -> Self {
        self + -o
    }
}
impl<C: TwistedEdwards> Neg for EdwardsAffine<C> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: self.y, u: -self.u }
    }
}
impl<C: TwistedEdwards> core::iter::Sum<EdwardsAffine<C>> for EdwardsPoint<C> {
    fn sum<I: Iterator<Item = EdwardsAffine<C>>>(points: I) -> Self {
        points.fold(Self::IDENTITY, |sum, p| sum + p)
    }
}
impl<C: TwistedEdwards> From<EdwardsAffine<C>> for EdwardsPoint<C> {
    fn from(p: EdwardsAffine<C>) -> Self {
        p.to_extended()
    }
}
impl<C: TwistedEdwards> PartialEq for EdwardsAffine<C> {
    fn eq(&self, o: &Self) -> bool {
        self.x == o.x && self.y == o.y
    }
}
impl<C: TwistedEdwards> Eq for EdwardsAffine<C> {}
impl<C: TwistedEdwards> fmt::Debug for EdwardsAffine<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?}, {:?})", C::NAME, self.x, self.y)
    }
}
