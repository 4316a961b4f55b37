//! Points in XYZZ coordinates, whose mixed addition is the cheapest (8M + 2S), for the buckets of a multi-scalar multiplication.
//! Variable time.

use crate::plumbing::plumbing;
use crate::{Affine, Curve, Jacobian, formulas};
use core::fmt;
use core::ops::Add;
use pairwright_field::Field;

/// A point `(X, Y, ZZ, ZZZ)` that represents `(X/ZZ, Y/ZZZ)` with `ZZ³ = ZZZ²`; infinity has `ZZ = 0`.
pub struct Xyzz<C: Curve> {
    /// The coordinate X, where x = X/ZZ.
    pub x: C::Base,
    /// The coordinate Y, where y = Y/ZZZ.
    pub y: C::Base,
    /// The square ZZ of Z.
    pub zz: C::Base,
    /// The cube ZZZ of Z.
    pub zzz: C::Base,
}

plumbing!(Xyzz<Curve> [x y zz zzz] AddAssign);

impl<C: Curve> Xyzz<C> {
    /// The neutral element, the point at infinity.
    pub const INFINITY: Self =
        Self { x: C::Base::ONE, y: C::Base::ONE, zz: C::Base::ZERO, zzz: C::Base::ZERO };

    #[inline(always)]
    fn from_array([x, y, zz, zzz]: [C::Base; 4]) -> Self {
        Self { x, y, zz, zzz }
    }

    /// Whether this is infinity.
    #[inline(always)]
    pub fn is_infinity(&self) -> bool {
        self.zz.is_zero()
    }

    /// Doubles the point.
    pub fn double(&self) -> Self {
        Self::from_array(formulas::xyzz_double([self.x, self.y, self.zz, self.zzz]))
    }

    /// `self + q` for an affine `q`.
    pub fn add_mixed(&self, q: &Affine<C>) -> Self {
        if q.is_infinity() {
            return *self;
        }
        if self.is_infinity() {
            return Self { x: q.x, y: q.y, zz: C::Base::ONE, zzz: C::Base::ONE };
        }
        let (sum, p, r) = formulas::xyzz_add_mixed([self.x, self.y, self.zz, self.zzz], [q.x, q.y]);
        if p.is_zero() {
            return if r.is_zero() {
                Self::from_array(formulas::xyzz_double_affine([q.x, q.y]))
            } else {
                Self::INFINITY
            };
        }
        Self::from_array(sum)
    }

    /// The same point in Jacobian coordinates, with `Z = ZZ`, since `X/ZZ = X·ZZ/ZZ²` and `Y/ZZZ = Y·ZZZ/ZZ³`.
    #[inline]
    pub fn to_jacobian(&self) -> Jacobian<C> {
        Jacobian { x: self.x * self.zz, y: self.y * self.zzz, z: self.zz }
    }
}

impl<C: Curve> Add for Xyzz<C> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        if o.is_infinity() {
            return self;
        }
        if self.is_infinity() {
            return o;
        }
        let (sum, p, r) = formulas::xyzz_add([self.x, self.y, self.zz, self.zzz], [o.x, o.y, o.zz, o.zzz]);
        if p.is_zero() {
            return if r.is_zero() { self.double() } else { Self::INFINITY };
        }
        Self::from_array(sum)
    }
}
impl<C: Curve> From<Affine<C>> for Xyzz<C> {
    fn from(p: Affine<C>) -> Self {
        Self::INFINITY.add_mixed(&p)
    }
}
impl<C: Curve> fmt::Debug for Xyzz<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_jacobian().fmt(f)
    }
}
