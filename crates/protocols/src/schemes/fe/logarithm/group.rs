//! The groups in which logarithms are searched: points of curves, and values of pairings.

use alloc::vec::Vec;
use core::fmt::Debug;

use pairwright_curve::{
    Affine, Curve, EdwardsAffine, EdwardsPoint, Jacobian, Pairing, TwistedEdwards, batch_to_affine,
};
use pairwright_field::{Extension, Field, PrimeField, Ring, batch_invert};

/// A group, written additively. All operations take variable time.
pub trait Group: Copy + PartialEq + Debug {
    /// Whether this is the neutral element.
    fn is_neutral(&self) -> bool;
    /// The inverse element.
    fn inverse(&self) -> Self;
    /// A number that is equal for an element and its inverse, and different for most other elements.
    fn fingerprint(&self) -> u64;
    /// The multiple of the element by `k`.
    fn times_vartime(&self, k: u64) -> Self;
    /// The multiples of the element by 1, 2, …, `count`.
    fn multiples_vartime(&self, count: u64) -> Vec<Self>;
    /// Adds one element to each of many.
    fn add_to_all_vartime(many: &mut [Self], one: &Self);
}

/// The lowest limb of an element's first coordinate, in canonical form.
fn low_limb<F: Extension>(x: &F) -> u64 {
    x.coord(0).to_limbs().as_ref().first().copied().unwrap_or(0)
}

impl<C: Curve> Group for Affine<C> {
    fn is_neutral(&self) -> bool {
        self.is_infinity()
    }
    fn inverse(&self) -> Self {
        -*self
    }
    fn fingerprint(&self) -> u64 {
        low_limb(&self.x)
    }
    fn times_vartime(&self, k: u64) -> Self {
        self.to_jacobian().mul_limbs_vartime(&[k]).to_affine()
    }
    fn multiples_vartime(&self, count: u64) -> Vec<Self> {
        let mut sum = Jacobian::INFINITY;
        let next = |_| {
            sum = sum.add_mixed(self);
            sum
        };
        batch_to_affine(&(0..count).map(next).collect::<Vec<_>>())
    }
    /// Affine additions with one inversion for all.
    fn add_to_all_vartime(many: &mut [Self], one: &Self) {
        let mut inverses: Vec<_> = many.iter().map(|p| one.x - p.x).collect();
        batch_invert(&mut inverses);
        for (p, inverse) in many.iter_mut().zip(inverses) {
            *p = if p.is_infinity() || one.is_infinity() || inverse.is_zero() {
                p.to_jacobian().add_mixed(one).to_affine()
            } else {
                let slope = (one.y - p.y) * inverse;
                let x = slope.square() - p.x - one.x;
                Self::from_xy_unchecked(x, slope * (p.x - x) - p.y)
            };
        }
    }
}

/// The affine forms of points of the subgroup, all of which have one.
fn triples<C: TwistedEdwards>(points: &[EdwardsPoint<C>]) -> Vec<EdwardsAffine<C>> {
    EdwardsPoint::batch_to_triples(points).unwrap_or_default()
}

/// Only for points of the subgroup of an Edwards curve, because sums of other points may have no affine form.
impl<C: TwistedEdwards> Group for EdwardsAffine<C> {
    fn is_neutral(&self) -> bool {
        self.is_identity()
    }
    fn inverse(&self) -> Self {
        -*self
    }
    /// The lowest limb of the second coordinate, which is the same for the inverse.
    fn fingerprint(&self) -> u64 {
        let [_, y, _] = self.coordinates();
        y.to_limbs().as_ref().first().copied().unwrap_or(0)
    }
    fn times_vartime(&self, k: u64) -> Self {
        self.to_extended().mul_limbs_vartime(&[k]).to_triple().unwrap_or(Self::IDENTITY)
    }
    fn multiples_vartime(&self, count: u64) -> Vec<Self> {
        let mut sum = EdwardsPoint::IDENTITY;
        let next = |_| {
            sum += *self;
            sum
        };
        triples(&(0..count).map(next).collect::<Vec<_>>())
    }
    fn add_to_all_vartime(many: &mut [Self], one: &Self) {
        let sums: Vec<_> = many.iter().map(|p| p.to_extended() + *one).collect();
        many.iter_mut().zip(triples(&sums)).for_each(|(p, sum)| *p = sum);
    }
}

/// A value of a pairing: an element of the target group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target<E: Pairing>(pub E::Gt);

impl<E: Pairing> Group for Target<E> {
    fn is_neutral(&self) -> bool {
        self.0 == E::Gt::ONE
    }
    fn inverse(&self) -> Self {
        Self(E::gt_inverse(&self.0))
    }
    /// The lowest limb of the first coordinate: the inverse is the conjugate, whose first coordinate is the same.
    fn fingerprint(&self) -> u64 {
        low_limb(&self.0)
    }
    fn times_vartime(&self, k: u64) -> Self {
        Self(E::gt_pow_vartime(&self.0, &E::Fr::from(k)))
    }
    fn multiples_vartime(&self, count: u64) -> Vec<Self> {
        let mut product = E::Gt::ONE;
        let next = |_| {
            product *= self.0;
            Self(product)
        };
        (0..count).map(next).collect()
    }
    fn add_to_all_vartime(many: &mut [Self], one: &Self) {
        many.iter_mut().for_each(|f| f.0 *= one.0);
    }
}
