//! Points in Jacobian coordinates: fast formulas, with branches for the special cases. Variable time.

use crate::plumbing::plumbing;
use crate::{Affine, Curve, formulas};
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, Neg, Sub};
use pairwright_field::{Field, Ring};

/// A point `(X : Y : Z)` that represents `(X/Z², Y/Z³)`; infinity has `Z = 0`.
///
/// Addition branches on equal, opposite and infinite operands, so its time depends on the points. Use [`crate::Projective`]
/// for secret scalars.
pub struct Jacobian<C: Curve> {
    /// The coordinate X, where x = X/Z².
    pub x: C::Base,
    /// The coordinate Y, where y = Y/Z³.
    pub y: C::Base,
    /// The coordinate Z, zero at infinity.
    pub z: C::Base,
}

plumbing!(Jacobian<Curve> [x y z] AddAssign SubAssign);

impl<C: Curve> Jacobian<C> {
    /// The neutral element, the point at infinity.
    pub const INFINITY: Self = Self { x: C::Base::ONE, y: C::Base::ONE, z: C::Base::ZERO };

    /// The standard generator of the subgroup.
    pub fn generator() -> Self {
        C::GENERATOR.to_jacobian()
    }

    /// Whether this is infinity.
    #[inline(always)]
    pub fn is_infinity(&self) -> bool {
        self.z.is_zero()
    }

    /// Doubles the point.
    #[inline(never)]
    pub fn double(&self) -> Self {
        // Infinity stays infinity, since Z3 = 2·Y·Z. A point of order two has y = 0 and correctly gives Z3 = 0.
        let [x, y, z] = formulas::jacobian_double([self.x, self.y, self.z]);
        Self { x, y, z }
    }

    /// `self + q` for an affine `q`.
    #[inline(never)]
    pub fn add_mixed(&self, q: &Affine<C>) -> Self {
        if q.is_infinity() {
            return *self;
        }
        if self.is_infinity() {
            return q.to_jacobian();
        }
        let ([x, y, z], h, r) = formulas::jacobian_add_mixed([self.x, self.y, self.z], [q.x, q.y]);
        if h.is_zero() {
            return if r.is_zero() { self.double() } else { Self::INFINITY };
        }
        Self { x, y, z }
    }

    /// The same point in affine coordinates, by one inversion.
    #[inline(never)]
    pub fn to_affine(&self) -> Affine<C> {
        let Some(zi) = self.z.invert() else { return Affine::INFINITY };
        let zi2 = zi.square();
        Affine { x: self.x * zi2, y: self.y * zi2 * zi }
    }
}

impl<C: Curve> Add for Jacobian<C> {
    type Output = Self;
    #[inline(never)]
    fn add(self, o: Self) -> Self {
        if o.is_infinity() {
            return self;
        }
        if self.is_infinity() {
            return o;
        }
        let ([x, y, z], h, r) = formulas::jacobian_add([self.x, self.y, self.z], [o.x, o.y, o.z]);
        if h.is_zero() {
            return if r.is_zero() { self.double() } else { Self::INFINITY };
        }
        Self { x, y, z }
    }
}
impl<C: Curve> Sub for Jacobian<C> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}
impl<C: Curve> Neg for Jacobian<C> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: self.x, y: -self.y, z: self.z }
    }
}
impl<C: Curve> Sum for Jacobian<C> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::INFINITY, |a, b| a + b)
    }
}
/// Compares the points, not the coordinates. Variable time.
impl<C: Curve> PartialEq for Jacobian<C> {
    fn eq(&self, o: &Self) -> bool {
        if self.is_infinity() || o.is_infinity() {
            return self.is_infinity() == o.is_infinity();
        }
        let (z1, z2) = (self.z.square(), o.z.square());
        self.x * z2 == o.x * z1 && self.y * z2 * o.z == o.y * z1 * self.z
    }
}
impl<C: Curve> Eq for Jacobian<C> {}
impl<C: Curve> Default for Jacobian<C> {
    fn default() -> Self {
        Self::INFINITY
    }
}
impl<C: Curve> From<Affine<C>> for Jacobian<C> {
    fn from(p: Affine<C>) -> Self {
        p.to_jacobian()
    }
}
impl<C: Curve> fmt::Debug for Jacobian<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_affine().fmt(f)
    }
}
