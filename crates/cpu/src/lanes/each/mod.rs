//! Element-wise operations on eight points at once, one per lane: tests of subgroups, multiples by individual scalars or by a power
//! of two, hashing to curves. The formulas are those of `pairwright_curve`, over [`super::lazy`].
//!
//! Points are in Jacobian coordinates with incomplete formulas, and exceptional cases are found afterwards. In doublings and
//! additions, the Z of the result is a product that has the Z of every operand as a factor, and it is zero for the sum of equal or
//! opposite points. So it stays zero to the end of a chain of additions. A lane that ends with `Z = 0` is computed again by the
//! portable code, whether the result is infinity or not.

mod doubled;
mod hash;
mod scale;
mod secret;

pub(crate) use doubled::doubled;
pub(crate) use hash::hash;
pub(crate) use scale::scale;
pub(crate) use secret::scale_by_secrets;

use super::across::{EightQuads, EightValues, TowerInLanes};
use super::coordinate::Coordinate;
use super::digits::LANES;
use super::form::LaneForm;
use super::lazy::Sums;
use core::array::from_fn;
use pairwright_curve::hash_to_curve::{pow_c3_quad, pow_public};
use pairwright_curve::pairing::{Family, G1, G2, PairingData};
use pairwright_curve::subgroup::{GroupLaw, beta_squared, psi};
use pairwright_curve::{Affine, Curve, Glv, Jacobian, formulas};
use pairwright_field::Ring;

const VALUE: u8 = LaneForm::Value as u8;

/// A group whose points have a form in lanes.
pub(crate) trait GroupInLanes: Curve {
    /// Eight elements of the field of coordinates.
    type Eight: Coordinate<Self::Base> + Sums;

    /// The endomorphism [`GroupLaw::image`] on coordinates.
    fn image(point: [Self::Eight; 3]) -> [Self::Eight; 3];
    /// `3b·x` for the constant term `b` of the curve; `b3` is `3b` in every lane.
    fn mul_3b(x: Self::Eight, b3: Self::Eight) -> Self::Eight;
    /// Two points that are equal exactly if the point of the curve lies in the subgroup; `None` if every point does.
    fn sides(p: &PointsInLanes<Self>) -> Option<[PointsInLanes<Self>; 2]>;
    /// Maps points of the curve to the subgroup by clearing the cofactor.
    fn clear_cofactor(p: &PointsInLanes<Self>) -> PointsInLanes<Self>;
    /// [`pairwright_curve::HashToCurve::pow_c3`] with the exponent of a suite.
    fn pow_c3(x: Self::Eight, exponent: &[u64]) -> Self::Eight;
}

impl<E: Family<Data: TowerInLanes>> GroupInLanes for G1<E> {
    type Eight = EightValues<E::Data>;

    #[inline(always)]
    fn image([x, y, z]: [Self::Eight; 3]) -> [Self::Eight; 3] {
        [x * constant::<Self::Base, _>(&x, &beta_squared::<E::Data>()), y, z]
    }
    #[inline(always)]
    fn mul_3b(x: Self::Eight, _: Self::Eight) -> Self::Eight {
        x.times(3 * E::Data::B)
    }
    fn sides(p: &PointsInLanes<Self>) -> Option<[PointsInLanes<Self>; 2]> {
        E::membership_sides_g1(p)
    }
    fn clear_cofactor(p: &PointsInLanes<Self>) -> PointsInLanes<Self> {
        E::clear_g1(p)
    }
    #[inline(always)]
    fn pow_c3(x: Self::Eight, exponent: &[u64]) -> Self::Eight {
        pow_public(x, exponent)
    }
}

impl<E: Family<Data: TowerInLanes>> GroupInLanes for G2<E> {
    type Eight = EightQuads<E::Data>;

    #[inline(always)]
    fn image(point: [Self::Eight; 3]) -> [Self::Eight; 3] {
        let [along_x, along_y] = &E::Data::PSI;
        let factor = |of| constant::<Self::Base, _>(&point[0], of);
        psi(point, [factor(along_x), factor(along_y)])
    }
    #[inline(always)]
    fn mul_3b(x: Self::Eight, b3: Self::Eight) -> Self::Eight {
        E::Data::mul_3b_twist(x, b3)
    }
    fn sides(q: &PointsInLanes<Self>) -> Option<[PointsInLanes<Self>; 2]> {
        Some(E::membership_sides_g2(q))
    }
    fn clear_cofactor(q: &PointsInLanes<Self>) -> PointsInLanes<Self> {
        E::clear_g2(q)
    }
    #[inline(always)]
    fn pow_c3(x: Self::Eight, exponent: &[u64]) -> Self::Eight {
        pow_c3_quad(x, exponent)
    }
}

/// The same element in every lane. The argument of type `T` proves that the processor has the instructions.
#[inline(always)]
fn constant<F, T: Coordinate<F>>(_: &T, x: &F) -> T {
    // SAFETY: a value in lanes exists; the address is that of an element.
    unsafe { T::load::<VALUE>([core::ptr::from_ref(x); LANES]).0 }
}

/// Eight points in Jacobian coordinates.
pub(crate) struct PointsInLanes<C: GroupInLanes> {
    x: C::Eight,
    y: C::Eight,
    z: C::Eight,
}

impl<C: GroupInLanes> Clone for PointsInLanes<C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: GroupInLanes> Copy for PointsInLanes<C> {}

impl<C: GroupInLanes> PointsInLanes<C> {
    #[inline(always)]
    fn new([x, y, z]: [C::Eight; 3]) -> Self {
        Self { x, y, z }
    }
    #[inline(always)]
    fn coordinates(&self) -> [C::Eight; 3] {
        [self.x, self.y, self.z]
    }

    /// Loads eight affine points, and returns a mask of the lanes with infinity. In those lanes the coordinates are `(0 : 0 : 1)`.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn load(points: &[Affine<C>; LANES]) -> (Self, u8) {
        // SAFETY: this function has the features; the addresses are those of coordinates.
        let ((x, nonzero_x), (y, nonzero_y), z) = unsafe {
            (
                C::Eight::load::<VALUE>(points.each_ref().map(|p| &raw const p.x)),
                C::Eight::load::<VALUE>(points.each_ref().map(|p| &raw const p.y)),
                C::Eight::one(),
            )
        };
        (Self { x, y, z }, !(nonzero_x | nonzero_y))
    }

    /// Loads eight points, whose three coordinates may be Jacobian or homogeneous.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn load_jacobian(points: [&Jacobian<C>; LANES]) -> Self {
        // SAFETY: as above.
        unsafe {
            Self {
                x: C::Eight::load::<VALUE>(points.map(|p| &raw const p.x)).0,
                y: C::Eight::load::<VALUE>(points.map(|p| &raw const p.y)).0,
                z: C::Eight::load::<VALUE>(points.map(|p| &raw const p.z)).0,
            }
        }
    }

    /// Stores the points to memory.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn stored(&self) -> [Jacobian<C>; LANES] {
        let mut out = [Jacobian::INFINITY; LANES];
        // SAFETY: the addresses are those of coordinates of different points.
        unsafe {
            self.x.store::<VALUE>(out.each_mut().map(|p| &raw mut p.x));
            self.y.store::<VALUE>(out.each_mut().map(|p| &raw mut p.y));
            self.z.store::<VALUE>(out.each_mut().map(|p| &raw mut p.z));
        }
        out
    }

    /// Selects the points `b` in the lanes of a mask and `a` in the others.
    #[inline(always)]
    fn blend(lanes: u8, a: &Self, b: &Self) -> Self {
        Self {
            x: C::Eight::blend(lanes, &a.x, &b.x),
            y: C::Eight::blend(lanes, &a.y, &b.y),
            z: C::Eight::blend(lanes, &a.z, &b.z),
        }
    }
}

/// Each operation is a function with the target features of the instructions, so that all its sums are inlined.
impl<C: GroupInLanes> GroupLaw for PointsInLanes<C> {
    fn twice(&self) -> Self {
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn run<C: GroupInLanes>(p: &PointsInLanes<C>) -> PointsInLanes<C> {
            PointsInLanes::new(formulas::jacobian_double(p.coordinates()))
        }
        // SAFETY: values in lanes exist, so the processor has the instructions.
        unsafe { run(self) }
    }
    fn plus(&self, other: &Self) -> Self {
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn run<C: GroupInLanes>(p: &PointsInLanes<C>, q: &PointsInLanes<C>) -> PointsInLanes<C> {
            PointsInLanes::new(formulas::jacobian_add(p.coordinates(), q.coordinates()).0)
        }
        // SAFETY: as above.
        unsafe { run(self, other) }
    }
    fn negative(&self) -> Self {
        Self { y: -self.y, ..*self }
    }
    fn image(&self) -> Self {
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn run<C: GroupInLanes>(p: &PointsInLanes<C>) -> PointsInLanes<C> {
            PointsInLanes::new(C::image(p.coordinates()))
        }
        // SAFETY: as above.
        unsafe { run(self) }
    }
}

/// The endomorphism for splitting scalars, which every group of a pairing-friendly curve has.
#[inline(always)]
fn glv<C: GroupInLanes>() -> Glv<C> {
    const {
        match C::GLV {
            Some(glv) => glv,
            None => panic!("a group of a pairing-friendly curve has the endomorphism"),
        }
    }
}

/// Up to eight values, padded to eight with copies of the first.
///
/// # Panics
/// If there are no values.
fn filled<T: Copy>(values: &[T]) -> [T; LANES] {
    from_fn(|i| *values.get(i).unwrap_or(&values[0]))
}

/// Tells for each point whether it lies in the subgroup; all points must be on the curve.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn in_subgroup<C: GroupInLanes>(points: &[Affine<C>]) -> Vec<bool> {
    let mut inside = Vec::with_capacity(points.len());
    for points in points.chunks(LANES) {
        let (p, infinite) = PointsInLanes::load(&filled(points));
        let (equal, unsure) = match C::sides(&p) {
            Some([a, b]) => compare(&a, &b),
            None => (!0, 0),
        };
        for (i, p) in points.iter().enumerate() {
            let lane = 1 << i;
            inside.push(if infinite & lane != 0 {
                true
            } else if unsure & lane != 0 {
                p.is_in_subgroup_vartime()
            } else {
                equal & lane != 0
            });
        }
    }
    inside
}

/// Masks of the lanes in which two finite points are equal, and of those in which a point may be infinity.
#[target_feature(enable = "avx512f,avx512ifma")]
fn compare<C: GroupInLanes>(a: &PointsInLanes<C>, b: &PointsInLanes<C>) -> (u8, u8) {
    let [x, y, z] = compare_coordinates(a.coordinates(), b.coordinates());
    (x.zero() & y.zero(), z.zero())
}

/// Two values that are both zero if finite points in Jacobian coordinates are equal, and one that is zero if one of the points is
/// infinity.
#[inline(always)]
fn compare_coordinates<R: Ring + Copy>([x1, y1, z1]: [R; 3], [x2, y2, z2]: [R; 3]) -> [R; 3] {
    let (zz1, zz2) = (z1.square(), z2.square());
    [x1 * zz2 - x2 * zz1, y1 * (zz2 * z2) - y2 * (zz1 * z1), z1 * z2]
}

#[cfg(test)]
mod tests;
