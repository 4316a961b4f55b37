//! A hash-to-curve suite as a value, which is an operand of devices that hash many messages at once.

use super::{Expand, HashToCurve, Isogeny, SqrtRatio, Sswu, expand_message_xmd, hash_to_field_by};
use crate::{Affine, Curve, Projective};
use core::fmt;

/// The constants of the suite `…_RO_` of a group, and its steps for one message at a time. See [`HashToCurve`].
pub struct Suite<C: Curve> {
    /// The function that expands a message and a tag to bytes that look uniform.
    pub expand: Expand,
    /// The isogenous curve and the constant Z of the map.
    pub sswu: Sswu<C::Base>,
    /// The isogeny from the isogenous curve to that of the group.
    pub isogeny: Isogeny<'static, C::Base>,
    /// Constants of square roots of quotients.
    pub sqrt_ratio: SqrtRatio<C::Base>,
    /// The exponent [`HashToCurve::POW_EXPONENT`] as little-endian limbs.
    pub pow_exponent: &'static [u64],
    /// [`HashToCurve::map_to_curve`], in constant time.
    pub map_to_curve: fn(&C::Base) -> Projective<C>,
    /// [`HashToCurve::maps_to_curve`] of two elements, in constant time.
    pub map_two_to_curve: fn([C::Base; 2]) -> [Projective<C>; 2],
    /// [`HashToCurve::clear_cofactor`], in constant time.
    pub clear_cofactor: fn(&Projective<C>) -> Projective<C>,
}

impl<C: HashToCurve> Suite<C> {
    /// The suite of the group, with SHA-256.
    pub const OF_GROUP: Self = Self {
        expand: expand_message_xmd,
        sswu: C::SSWU,
        isogeny: C::ISOGENY,
        sqrt_ratio: C::SQRT_RATIO,
        pow_exponent: C::POW_EXPONENT,
        map_to_curve: C::map_to_curve,
        map_two_to_curve: C::maps_to_curve,
        clear_cofactor: C::clear_cofactor,
    };
}

impl<C: Curve> Suite<C> {
    /// The suite with another function to expand messages, as RFC 9380, §8.9 allows. With
    /// [`super::expand_message_xof`] on BLS12-381, it is `…_XOF:SHAKE-256_SSWU_RO_`.
    #[must_use]
    pub const fn with_expansion(self, expand: Expand) -> Self {
        Self { expand, ..self }
    }

    /// The two field elements that a message is hashed to (RFC 9380, §5.2).
    #[inline(never)]
    pub fn elements(&self, message: &[u8], dst: &[u8]) -> [C::Base; 2] {
        hash_to_field_by(self.expand, message, dst)
    }

    /// [`HashToCurve::hash_to_curve`]: a point of the subgroup, indifferentiable from a random oracle. Time depends only on the
    /// length of the message.
    #[inline(never)]
    pub fn hash_to_curve(&self, message: &[u8], dst: &[u8]) -> Affine<C> {
        let [p, q] = (self.map_two_to_curve)(self.elements(message, dst));
        (self.clear_cofactor)(&(p + q)).to_affine()
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
