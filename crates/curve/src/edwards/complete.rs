//! Twisted Edwards curves whose addition is complete on the whole curve, such as Jubjub, and the encoding of their points.

use super::{EdwardsPoint, TwistedEdwards};
use crate::encoding::PointError;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::{Field, PrimeField, Ring, Sqrt};

/// A curve whose `d` is not a square, so that no point lies at infinity and addition is complete on the whole curve.
pub trait CompleteEdwards: TwistedEdwards {
    /// Base-2 logarithm of the cofactor, the index of the subgroup in the curve.
    const COFACTOR_LOG2: u32;
}

impl<C: CompleteEdwards> EdwardsPoint<C> {
    /// The cofactor times the point, which is in the subgroup.
    pub fn clear_cofactor(&self) -> Self {
        (0..C::COFACTOR_LOG2).fold(*self, |p, _| p.double())
    }

    /// Encodes the point as Zcash does (protocol specification, §5.4.9.3): `y` little-endian, with the parity of `x` in the top bit
    /// of the last byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [x, y] = self.to_affine();
        let mut out = vec![0; C::Base::BYTES];
        y.write_le(&mut out);
        if let Some(last) = out.last_mut() {
            *last |= u8::from(x.is_odd()) << 7;
        }
        out
    }

    /// Decodes the output of [`Self::to_bytes`] without checking membership in the subgroup. Refuses other lengths, a `y` that is
    /// not below the modulus or belongs to no point, and a set sign bit if `x = 0` (ZIP 216). Variable time.
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
        let y = C::Base::read_le(&copy).map_err(|_| PointError::NotReduced { curve: C::NAME, index: 0 })?;
        // x² = (y² - 1)/(1 + d·y²); the denominator is not zero, since -1/d is not a square.
        let yy = y.square();
        let off = PointError::NotOnCurve { curve: C::NAME };
        let denominator = (C::Base::ONE + C::D * yy).invert().ok_or(off)?;
        let x = ((yy - C::Base::ONE) * denominator).sqrt_vartime().ok_or(off)?;
        let x = if x.is_odd() == (flag != 0) { x } else { -x };
        if x.is_odd() != (flag != 0) {
            return Err(PointError::Flags { curve: C::NAME, found: flag });
        }
        Ok(Self { x, y, z: C::Base::ONE, t: x * y })
    }

    /// Decodes the output of [`Self::to_bytes`] as [`Self::read_unchecked_subgroup`] does, and refuses points outside of the
    /// prime-order subgroup.
    pub fn read(bytes: &[u8]) -> Result<Self, PointError> {
        let p = Self::read_unchecked_subgroup(bytes)?;
        if p.is_in_subgroup_vartime() { Ok(p) } else { Err(PointError::NotInSubgroup { curve: C::NAME }) }
    }
}
