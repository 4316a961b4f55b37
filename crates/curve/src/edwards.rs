//! Twisted Edwards curves with a = -1 and a complete addition law: Jubjub.
//!
//! Hisil, Wong, Carter, Dawson, *Twisted Edwards curves revisited*, eprint 2008/522.

use crate::encoding::PointError;
use crate::formulas;
use crate::scalar_mul::wnaf_vartime;
use core::fmt::{self, Debug};
use core::ops::{Add, AddAssign, Neg, Sub};
use pairwright_field::ct::Choice;
use pairwright_field::limbs::bit_window;
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use zeroize::Zeroize;

/// A prime-order subgroup of `-u² + v² = 1 + d·u²v²`, where -1 is a square and `d` is none, so that addition is
/// complete on the whole curve.
pub trait TwistedEdwards: Copy + Eq + Debug + Send + Sync + 'static {
    /// Field of the coordinates.
    type Base: PrimeField;
    /// Integers modulo the subgroup's order.
    type Scalar: PrimeField;
    /// Name as used in messages, e.g. `"Jubjub"`.
    const NAME: &'static str;
    /// The curve's constant.
    const D: Self::Base;
    /// The subgroup's standard generator, `(u, v)`.
    const GENERATOR: [Self::Base; 2];
    /// Index of the subgroup in the curve, as a power of two.
    const COFACTOR_LOG2: u32;
}

/// A point in extended coordinates `(U : V : Z : T)` standing for `(U/Z, V/Z)`, `T = UV/Z`, `Z ≠ 0`.
pub struct EdwardsPoint<C: TwistedEdwards> {
    u: C::Base,
    v: C::Base,
    z: C::Base,
    t: C::Base,
}

/// Width of the windows of the scalar multiplication in constant time, bits.
const WINDOW: usize = 4;
/// Width of the signed windows of the one in variable time.
const WIDTH: usize = 5;

impl<C: TwistedEdwards> EdwardsPoint<C> {
    /// The neutral element, `(0, 1)`.
    pub const IDENTITY: Self = Self { u: C::Base::ZERO, v: C::Base::ONE, z: C::Base::ONE, t: C::Base::ZERO };

    #[inline(always)]
    fn from_array([u, v, z, t]: [C::Base; 4]) -> Self {
        Self { u, v, z, t }
    }

    /// The subgroup's standard generator.
    pub fn generator() -> Self {
        let [u, v] = C::GENERATOR;
        Self { u, v, z: C::Base::ONE, t: u * v }
    }

    /// The point with these affine coordinates if it is on the curve; it need not lie in the subgroup.
    pub fn from_affine_unchecked_subgroup(u: C::Base, v: C::Base) -> Option<Self> {
        let (uu, vv) = (u.square(), v.square());
        (vv - uu == C::Base::ONE + C::D * uu * vv).then(|| Self { u, v, z: C::Base::ONE, t: u * v })
    }

    /// The point with these affine coordinates if it is on the curve and in the prime-order subgroup. Variable time.
    pub fn from_affine(u: C::Base, v: C::Base) -> Option<Self> {
        Self::from_affine_unchecked_subgroup(u, v).filter(Self::is_in_subgroup_vartime)
    }

    /// The affine coordinates `(u, v)`: one inversion.
    pub fn to_affine(&self) -> [C::Base; 2] {
        // Z is never zero on a complete curve.
        let zi = self.z.invert().unwrap_or(C::Base::ZERO);
        [self.u * zi, self.v * zi]
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> bool {
        self.u.is_zero() && self.v == self.z
    }

    /// Whether the point lies in the prime-order subgroup, by multiplication with its order. Variable time.
    pub fn is_in_subgroup_vartime(&self) -> bool {
        self.mul_limbs_vartime(C::Scalar::MODULUS.as_ref()).is_identity()
    }

    /// The cofactor times the point: lands in the subgroup.
    pub fn clear_cofactor(&self) -> Self {
        (0..C::COFACTOR_LOG2).fold(*self, |p, _| p.double())
    }

    /// `2·self`.
    #[inline]
    pub fn double(&self) -> Self {
        Self::from_array(formulas::edwards_double([self.u, self.v, self.z]))
    }

    /// `if choice { b } else { a }` without a branch.
    #[inline(always)]
    pub fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            u: C::Base::select(&a.u, &b.u, choice),
            v: C::Base::select(&a.v, &b.v, choice),
            z: C::Base::select(&a.z, &b.z, choice),
            t: C::Base::select(&a.t, &b.t, choice),
        }
    }

    /// `k·self` in time independent of `k` and of the point: fixed windows, the table read whole at every step.
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

    /// Zcash's encoding (protocol specification, §5.4.9.3): `v` little-endian, with the parity of `u` in the top bit of
    /// the last byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [u, v] = self.to_affine();
        let mut out = vec![0; C::Base::BYTES];
        v.write_le(&mut out);
        if let Some(last) = out.last_mut() {
            *last |= u8::from(u.is_odd()) << 7;
        }
        out
    }

    /// Reads what [`Self::to_bytes`] writes, without the subgroup's check: refuses other lengths, `v` not below the
    /// modulus, `v` of no point, and the sign of `u = 0` (ZIP 216). Variable time.
    pub fn read_unchecked_subgroup(bytes: &[u8]) -> Result<Self, PointError> {
        const { assert!(C::Base::BITS as usize == 8 * C::Base::BYTES - 1, "the sign takes the one spare bit") };
        let (expected, found) = (C::Base::BYTES, bytes.len());
        if found != expected {
            return Err(PointError::Length { curve: C::NAME, expected, found });
        }
        let mut copy = bytes.to_vec();
        let mut flag = 0;
        if let Some(last) = copy.last_mut() {
            flag = *last & 0x80;
            *last &= 0x7f;
        }
        let v = C::Base::read_le(&copy).map_err(|_| PointError::NotReduced { curve: C::NAME, index: 0 })?;
        // u² = (v² - 1)/(1 + d·v²); the denominator is not zero, since -1/d is no square.
        let vv = v.square();
        let off = PointError::NotOnCurve { curve: C::NAME };
        let denominator = (C::Base::ONE + C::D * vv).invert().ok_or(off)?;
        let u = ((vv - C::Base::ONE) * denominator).sqrt_vartime().ok_or(off)?;
        let u = if u.is_odd() == (flag != 0) { u } else { -u };
        if u.is_odd() != (flag != 0) {
            return Err(PointError::Flags { curve: C::NAME, found: flag });
        }
        Ok(Self { u, v, z: C::Base::ONE, t: u * v })
    }

    /// As [`Self::read_unchecked_subgroup`], and refuses points outside of the prime-order subgroup.
    pub fn read(bytes: &[u8]) -> Result<Self, PointError> {
        let p = Self::read_unchecked_subgroup(bytes)?;
        if p.is_in_subgroup_vartime() { Ok(p) } else { Err(PointError::NotInSubgroup { curve: C::NAME }) }
    }
}

impl<C: TwistedEdwards> Add for EdwardsPoint<C> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        let mul_2d = |x: C::Base| C::D.double() * x;
        Self::from_array(formulas::edwards_add(
            [self.u, self.v, self.z, self.t],
            [o.u, o.v, o.z, o.t],
            mul_2d,
        ))
    }
}
impl<C: TwistedEdwards> AddAssign for EdwardsPoint<C> {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<C: TwistedEdwards> Neg for EdwardsPoint<C> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { u: -self.u, t: -self.t, ..self }
    }
}
impl<C: TwistedEdwards> Sub for EdwardsPoint<C> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}
impl<C: TwistedEdwards> Clone for EdwardsPoint<C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: TwistedEdwards> Copy for EdwardsPoint<C> {}
/// Equality of the points, not of the coordinates.
impl<C: TwistedEdwards> PartialEq for EdwardsPoint<C> {
    fn eq(&self, o: &Self) -> bool {
        self.u * o.z == o.u * self.z && self.v * o.z == o.v * self.z
    }
}
impl<C: TwistedEdwards> Eq for EdwardsPoint<C> {}
impl<C: TwistedEdwards> Zeroize for EdwardsPoint<C> {
    fn zeroize(&mut self) {
        self.u.zeroize();
        self.v.zeroize();
        self.z.zeroize();
        self.t.zeroize();
    }
}
impl<C: TwistedEdwards> fmt::Debug for EdwardsPoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [u, v] = self.to_affine();
        write!(f, "{}({u:?}, {v:?})", C::NAME)
    }
}
