//! A suite as a value: an operand of devices, which hash many messages at once.

use super::{HashToCurve, Isogeny, SqrtRatio, Sswu, hash_to_field};
use crate::{Affine, Curve, Projective};
use core::fmt;

/// The data of the suite `…_RO_` of a group, and its steps one message at a time. See [`HashToCurve`].
pub struct Suite<C: Curve> {
    /// The isogenous curve and Z.
    pub sswu: Sswu<C::Base>,
    /// From the isogenous curve to this one.
    pub isogeny: Isogeny<'static, C::Base>,
    /// Constants of square roots of quotients.
    pub sqrt_ratio: SqrtRatio<C::Base>,
    /// [`HashToCurve::POW_EXPONENT`], little-endian limbs.
    pub pow_exponent: &'static [u64],
    /// [`HashToCurve::map_to_curve`], in constant time.
    pub map_to_curve: fn(&C::Base) -> Projective<C>,
    /// [`HashToCurve::clear_cofactor`], in constant time.
    pub clear_cofactor: fn(&Projective<C>) -> Projective<C>,
}

impl<C: HashToCurve> Suite<C> {
    /// The suite of the group.
    pub const OF_GROUP: Self = Self {
        sswu: C::SSWU,
        isogeny: C::ISOGENY,
        sqrt_ratio: C::SQRT_RATIO,
        pow_exponent: C::POW_EXPONENT,
        map_to_curve: C::map_to_curve,
        clear_cofactor: C::clear_cofactor,
    };
}

impl<C: Curve> Suite<C> {
    /// The two field elements that a message is hashed to (RFC 9380, §5.2).
    pub fn elements(&self, message: &[u8], dst: &[u8]) -> [C::Base; 2] {
        hash_to_field(message, dst)
    }

    /// [`HashToCurve::hash_to_curve`]: a point of the subgroup, as from a random oracle. Constant time but for the
    /// message's length.
    pub fn hash_to_curve(&self, message: &[u8], dst: &[u8]) -> Affine<C> {
        let [u0, u1] = self.elements(message, dst);
        (self.clear_cofactor)(&((self.map_to_curve)(&u0) + (self.map_to_curve)(&u1))).to_affine()
    }
}

impl<C: Curve> Clone for Suite<C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: Curve> Copy for Suite<C> {}
impl<C: Curve> fmt::Debug for Suite<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Suite({})", C::NAME)
    }
}
