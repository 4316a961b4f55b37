//! Affine points, the form of points in files and keys and of the bases of a multi-scalar multiplication.

use crate::plumbing::plumbing;
use crate::{Curve, Jacobian, Xyzz};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Neg;
use pairwright_field::{Field, Ring, batch_invert};

/// A point `(x, y)` of `y² = x³ + b`, or infinity.
///
/// Infinity is represented by `(0, 0)`, which is on no curve with `b ≠ 0`. So a point is two coordinates without a flag, the
/// layout of zkey and ptau files. A value of this type need not be on the curve; decoders and [`Affine::new`] check that.
pub struct Affine<C: Curve> {
    /// The first coordinate, zero at infinity.
    pub x: C::Base,
    /// The second coordinate, zero at infinity.
    pub y: C::Base,
}

plumbing!(Affine<Curve> [x y]);

impl<C: Curve> Affine<C> {
    /// The neutral element, the point at infinity.
    pub const INFINITY: Self = Self { x: C::Base::ZERO, y: C::Base::ZERO };

    /// Makes a point of coordinates without a check, for constants and for coordinates that have been checked.
    #[inline(always)]
    pub const fn from_xy_unchecked(x: C::Base, y: C::Base) -> Self {
        Self { x, y }
    }

    /// The point with these coordinates if it is on the curve and in the prime-order subgroup. Variable time.
    pub fn new(x: C::Base, y: C::Base) -> Option<Self> {
        let p = Self { x, y };
        (!p.is_infinity() && p.is_on_curve() && p.is_in_subgroup_vartime()).then_some(p)
    }

    /// The standard generator of the subgroup.
    pub const fn generator() -> Self {
        C::GENERATOR
    }

    /// Whether this is infinity.
    #[inline(always)]
    pub fn is_infinity(&self) -> bool {
        self.x.is_zero() && self.y.is_zero()
    }

    /// Whether this is infinity or satisfies the curve's equation.
    #[inline(never)]
    pub fn is_on_curve(&self) -> bool {
        self.is_infinity() || self.y.square() == self.x.square() * self.x + C::B
    }

    /// Whether a point of the curve lies in the prime-order subgroup. Variable time.
    #[inline(never)]
    pub fn is_in_subgroup_vartime(&self) -> bool {
        self.is_infinity() || C::is_in_subgroup_vartime(self)
    }

    /// The same point in Jacobian coordinates.
    #[inline]
    pub fn to_jacobian(&self) -> Jacobian<C> {
        if self.is_infinity() {
            Jacobian::INFINITY
        } else {
            Jacobian { x: self.x, y: self.y, z: C::Base::ONE }
        }
    }
}

/// Converts many points to affine coordinates with one inversion.
#[inline(never)]
pub fn batch_to_affine<C: Curve>(points: &[Jacobian<C>]) -> Vec<Affine<C>> {
    let mut z: Vec<_> = points.iter().map(|p| p.z).collect();
    batch_invert(&mut z);
    points
        .iter()
        .zip(&z)
        .map(|(p, zi)| {
            // Infinity has z = 0, whose "inverse" stays 0, and so becomes (0, 0).
            let zi2 = zi.square();
            Affine { x: p.x * zi2, y: p.y * zi2 * *zi }
        })
        .collect()
}

impl<C: Curve> Neg for Affine<C> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: self.x, y: -self.y }
    }
}
impl<C: Curve> PartialEq for Affine<C> {
    fn eq(&self, o: &Self) -> bool {
        self.x == o.x && self.y == o.y
    }
}
impl<C: Curve> Eq for Affine<C> {}
impl<C: Curve> Default for Affine<C> {
    fn default() -> Self {
        Self::INFINITY
    }
}
impl<C: Curve> From<Jacobian<C>> for Affine<C> {
    fn from(p: Jacobian<C>) -> Self {
        p.to_affine()
    }
}
impl<C: Curve> From<Xyzz<C>> for Affine<C> {
    fn from(p: Xyzz<C>) -> Self {
        p.to_jacobian().to_affine()
    }
}
impl<C: Curve> fmt::Debug for Affine<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_infinity() {
            write!(f, "{}::infinity", C::NAME)
        } else {
            write!(f, "{}({:?}, {:?})", C::NAME, self.x, self.y)
        }
    }
}
