//! Points in homogeneous coordinates with complete formulas: the same sequence of operations for every pair of points.

use crate::plumbing::plumbing;
use crate::{Affine, Curve, formulas};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, Neg};
use pairwright_field::ct::Choice;
use pairwright_field::{Field, Ring, batch_invert};

/// A point `(X : Y : Z)` that represents `(X/Z, Y/Z)`; infinity is `(0 : 1 : 0)`. Addition is complete on points of odd order.
pub struct Projective<C: Curve> {
    /// The coordinate X.
    pub x: C::Base,
    /// The coordinate Y.
    pub y: C::Base,
    /// The coordinate Z, zero at infinity.
    pub z: C::Base,
}

plumbing!(Projective<Curve> [x y z] AddAssign);

impl<C: Curve> Projective<C> {
    /// The neutral element, the point at infinity.
    pub const INFINITY: Self = Self { x: C::Base::ZERO, y: C::Base::ONE, z: C::Base::ZERO };

    /// The standard generator of the subgroup.
    pub fn generator() -> Self {
        C::GENERATOR.into()
    }

    #[inline(always)]
    fn mul_3b(x: C::Base) -> C::Base {
        let bx = C::B * x;
        bx.double() + bx
    }

    /// Doubles the point by a complete formula.
    #[inline(never)]
    pub fn double(&self) -> Self {
        let [x, y, z] = formulas::complete_double([self.x, self.y, self.z], Self::mul_3b);
        Self { x, y, z }
    }

    /// `self + q` for an affine `q` that is not infinity; complete in all other respects.
    #[inline(never)]
    pub fn add_mixed_finite(&self, q: &Affine<C>) -> Self {
        let [x, y, z] = formulas::complete_add_mixed([self.x, self.y, self.z], [q.x, q.y], Self::mul_3b);
        Self { x, y, z }
    }

    /// `if choice { b } else { a }` without a branch.
    #[inline(always)]
    pub fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: C::Base::select(&a.x, &b.x, choice),
            y: C::Base::select(&a.y, &b.y, choice),
            z: C::Base::select(&a.z, &b.z, choice),
        }
    }

    /// The same point in affine coordinates, by one constant-time inversion.
    #[inline(never)]
    pub fn to_affine(&self) -> Affine<C> {
        let Some(zi) = self.z.invert() else { return Affine::INFINITY };
        Affine { x: self.x * zi, y: self.y * zi }
    }

    /// Converts many points to affine coordinates with one inversion. Time depends only on which of them are infinity.
    #[inline(never)]
    pub fn batch_to_affine(points: &[Self]) -> Vec<Affine<C>> {
        let mut inverses: Vec<C::Base> = points.iter().map(|p| p.z).collect();
        batch_invert(&mut inverses);
        // Batch inversion leaves zeros as they are, and (0, 0) is the affine form of infinity.
        points.iter().zip(&inverses).map(|(p, zi)| Affine { x: p.x * *zi, y: p.y * *zi }).collect()
    }
}

impl<C: Curve> Add for Projective<C> {
    type Output = Self;
    #[inline(never)]
    fn add(self, o: Self) -> Self {
        let [x, y, z] = formulas::complete_add([self.x, self.y, self.z], [o.x, o.y, o.z], Self::mul_3b);
        Self { x, y, z }
    }
}
impl<C: Curve> Neg for Projective<C> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: self.x, y: -self.y, z: self.z }
    }
}
impl<C: Curve> From<Affine<C>> for Projective<C> {
    fn from(p: Affine<C>) -> Self {
        if p.is_infinity() { Self::INFINITY } else { Self { x: p.x, y: p.y, z: C::Base::ONE } }
    }
}
impl<C: Curve> fmt::Debug for Projective<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_affine().fmt(f)
    }
}
