//! Twisted Edwards curves with a = -1: Jubjub, and G1 of BLS12-377 in twisted Edwards form.
//!
//! Hisil, Wong, Carter, Dawson, *Twisted Edwards curves revisited*, eprint 2008/522.

mod affine;
mod birational;
mod complete;

pub use affine::EdwardsAffine;
pub use birational::Birational;
pub use complete::CompleteEdwards;

use crate::formulas;
use crate::plumbing::plumbing;
use core::fmt::{self, Debug};
use core::iter::Sum;
use core::ops::{Add, Neg, Sub};
use pairwright_field::ct::Choice;
use pairwright_field::limbs::{bit_window, wnaf_vartime};
use pairwright_field::{Field, PrimeField, Ring};
use thiserror::Error;
use zeroize::Zeroize;

/// A subgroup of odd prime order of `-x² + y² = 1 + d·x²y²`, where -1 is a square.
///
/// Addition is complete on the subgroup: the formulas have no special cases. If `d` is not a square, they are complete on the
/// whole curve ([`CompleteEdwards`]). If `d` is a square, the curve has four points at infinity, all of order two or four:
/// `(X : 0 : 0 : T)` with `X² = -d·T²` and `(0 : Y : 0 : T)` with `Y² = d·T²`. A sum `P + Q` then fails exactly if
/// `P - Q` is one of them. The formula returns `(0 : 0 : 0 : 0)`, and so do all further sums and doublings of this value. So
/// outside of the subgroup a result is either correct, or has `Z = 0` and no affine form; it is never a wrong point.
pub trait TwistedEdwards: Copy + Eq + Debug + Send + Sync + 'static {
    /// Field of the coordinates.
    type Base: PrimeField;
    /// Integers modulo the subgroup's order.
    type Scalar: PrimeField;
    /// Name of the curve in messages, e.g. `"Jubjub"`.
    const NAME: &'static str;
    /// The constant `d` of the curve's equation.
    const D: Self::Base;
    /// The standard generator `(x, y)` of the subgroup.
    const GENERATOR: [Self::Base; 2];

    /// Whether a point *of the curve* lies in the subgroup. Variable time.
    fn is_in_subgroup_vartime(p: &EdwardsPoint<Self>) -> bool;
}

/// The error of a batch conversion with a value that is not an affine point of a twisted Edwards curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{curve}: number {index} of the batch is not an affine point, so it does not have odd order")]
pub struct AtInfinity {
    /// Name of the Edwards curve.
    pub curve: &'static str,
    /// Index of the first such value in the batch.
    pub index: usize,
}

/// A point in extended coordinates `(X : Y : Z : T)`, which represent `(X/Z, Y/Z)` with `T = XY/Z`; `Z ≠ 0` for every point of
/// the subgroup.
pub struct EdwardsPoint<C: TwistedEdwards> {
    x: C::Base,
    y: C::Base,
    z: C::Base,
    t: C::Base,
}

plumbing!(EdwardsPoint<TwistedEdwards> [x y z t] AddAssign);

/// Width in bits of the windows of the constant-time scalar multiplication.
const WINDOW: usize = 4;
/// Width in bits of the signed windows of the variable-time scalar multiplication.
const WIDTH: usize = 5;

/// The product of `x` and `2d`, which is called `k` in \[AIE\].
#[inline(always)]
fn mul_2d<C: TwistedEdwards>(x: C::Base) -> C::Base {
    C::D.double() * x
}

impl<C: TwistedEdwards> EdwardsPoint<C> {
    /// The neutral element, `(0, 1)`.
    pub const IDENTITY: Self = Self { x: C::Base::ZERO, y: C::Base::ONE, z: C::Base::ONE, t: C::Base::ZERO };

    #[inline(always)]
    fn from_array([x, y, z, t]: [C::Base; 4]) -> Self {
        Self { x, y, z, t }
    }

    /// The standard generator of the subgroup.
    pub fn generator() -> Self {
        let [x, y] = C::GENERATOR;
        Self { x, y, z: C::Base::ONE, t: x * y }
    }

    /// The point with these extended coordinates, as [`Self::extended`] gives them, if it is on the curve; it need not
    /// lie in the subgroup.
    pub fn from_extended_unchecked_subgroup([x, y, z, t]: [C::Base; 4]) -> Option<Self> {
        let on_curve = y.square() - x.square() == z.square() + C::D * t.square();
        (!z.is_zero() && x * y == z * t && on_curve).then_some(Self { x, y, z, t })
    }

    /// The point with these affine coordinates if it is on the curve; it need not lie in the subgroup.
    pub fn from_affine_unchecked_subgroup(x: C::Base, y: C::Base) -> Option<Self> {
        Self::from_extended_unchecked_subgroup([x, y, C::Base::ONE, x * y])
    }

    /// The point with these affine coordinates if it is on the curve and in the prime-order subgroup. Variable time.
    pub fn from_affine(x: C::Base, y: C::Base) -> Option<Self> {
        Self::from_affine_unchecked_subgroup(x, y).filter(Self::is_in_subgroup_vartime)
    }

    /// The extended coordinates, `(X : Y : Z : T)`.
    #[inline(always)]
    pub fn extended(&self) -> [C::Base; 4] {
        [self.x, self.y, self.z, self.t]
    }

    /// The affine coordinates `(x, y)`, by one inversion; `(0, 0)`, which is on no curve, if the value has no affine form.
    pub fn to_affine(&self) -> [C::Base; 2] {
        let zi = self.z.invert().unwrap_or(C::Base::ZERO);
        [self.x * zi, self.y * zi]
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> bool {
        self.x.is_zero() && self.y == self.z && !self.z.is_zero()
    }

    /// Whether the point lies in the prime-order subgroup. Variable time.
    pub fn is_in_subgroup_vartime(&self) -> bool {
        C::is_in_subgroup_vartime(self)
    }

    /// Doubles the point.
    pub fn double(&self) -> Self {
        Self::from_array(formulas::edwards_double([self.x, self.y, self.z]))
    }

    /// `if choice { b } else { a }` without a branch.
    #[inline(always)]
    pub fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: C::Base::select(&a.x, &b.x, choice),
            y: C::Base::select(&a.y, &b.y, choice),
            z: C::Base::select(&a.z, &b.z, choice),
            t: C::Base::select(&a.t, &b.t, choice),
        }
    }

    /// `k·self` in time independent of `k` and of the point, by fixed windows; each step reads the whole table.
    pub fn mul(&self, k: &C::Scalar) -> Self {
        let mut table = [Self::IDENTITY; 1 << WINDOW];
        for i in 1..table.len() {
            table[i] = table[i - 1] + *self;
        }
        let mut limbs = k.to_limbs();
        let mut acc = Self::IDENTITY;
        for window in (0..(C::Scalar::BITS as usize).div_ceil(WINDOW)).rev() {
            for _ in 0..WINDOW {
                acc = acc.double();
            }
            let digit = bit_window(limbs.as_ref(), window * WINDOW, WINDOW);
            let mut term = Self::IDENTITY;
            for (i, entry) in table.iter().enumerate() {
                term = Self::select(&term, entry, Choice::is_zero(digit ^ i as u64));
            }
            acc += term;
        }
        limbs.as_mut().zeroize();
        table.iter_mut().for_each(Zeroize::zeroize);
        acc
    }

    /// `k·self` for an integer given as little-endian limbs of any length. Variable time in both.
    pub fn mul_limbs_vartime(&self, k: &[u64]) -> Self {
        let twice = self.double();
        let mut odd = [*self; 1 << (WIDTH - 2)];
        for i in 1..odd.len() {
            odd[i] = odd[i - 1] + twice;
        }
        wnaf_vartime(k, WIDTH).iter().rev().fold(Self::IDENTITY, |acc, &d| {
            let acc = acc.double();
            match d {
                0 => acc,
                1.. => acc + odd[d as usize / 2],
                _ => acc - odd[d.unsigned_abs() as usize / 2],
            }
        })
    }
}

impl<C: TwistedEdwards> Add for EdwardsPoint<C> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::from_array(formulas::edwards_add(self.extended(), o.extended(), mul_2d::<C>))
    }
}
impl<C: TwistedEdwards> Sum for EdwardsPoint<C> {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::IDENTITY, |sum, p| sum + p)
    }
}
impl<C: TwistedEdwards> Neg for EdwardsPoint<C> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, t: -self.t, ..self }
    }
}
impl<C: TwistedEdwards> Sub for EdwardsPoint<C> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}
/// Compares the points, not the coordinates. Values without an affine form (`Z = 0`) are equal to each other and to no point.
impl<C: TwistedEdwards> PartialEq for EdwardsPoint<C> {
    fn eq(&self, o: &Self) -> bool {
        let same = self.x * o.z == o.x * self.z && self.y * o.z == o.y * self.z;
        same && self.z.is_zero() == o.z.is_zero()
    }
}
impl<C: TwistedEdwards> Eq for EdwardsPoint<C> {}
impl<C: TwistedEdwards> fmt::Debug for EdwardsPoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y] = self.to_affine();
        write!(f, "{}({x:?}, {y:?})", C::NAME)
    }
}
