//! The map of Shallue and van de Woestijne: RFC 9380, §6.6.1 and appendix F.1, for curves that have no cheap isogeny.

use super::{BlockHash, expand_message_xmd_by, hash_to_field_by, pow_public, sgn0};
use crate::{Affine, Curve, Projective};
use pairwright_field::{Field, Ring};

/// Constants of the map to `y² = g(x) = x³ + b` over a prime field of order `q = 3 mod 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Svdw<F: 'static> {
    /// The `Z` of RFC 9380, appendix H.1.
    pub z: F,
    /// The constant `g(Z)`.
    pub c1: F,
    /// The constant `-Z/2`.
    pub c2: F,
    /// The square root of `-3·Z²·g(Z)` with `sgn0` of 0.
    pub c3: F,
    /// The constant `-4·g(Z)/(3·Z²)`.
    pub c4: F,
    /// The exponent `(q + 1)/4` as little-endian limbs, whose power is a square root of a square.
    pub root: &'static [u64],
    /// The exponent `q - 2` as little-endian limbs, whose power is the inverse, and zero for zero.
    pub inverse: &'static [u64],
}

/// A group that is the whole curve, to which messages are hashed by the map of Shallue and van de Woestijne: suites
/// `…_XMD:hash_SVDW_RO_` and `…_NU_`, where the hash is a parameter.
///
/// `dst`, the domain separation tag, must not be empty and must differ from that of every other use (RFC 9380, §3.1).
pub trait HashBySvdw: Curve {
    /// The constants of the map.
    const SVDW: Svdw<Self::Base>;

    /// `map_to_curve` (RFC 9380, appendix F.1): a point of the curve. Constant time.
    #[inline(never)]
    fn map_to_curve(u: &Self::Base) -> Affine<Self> {
        let k = Self::SVDW;
        let one = Self::Base::ONE;
        let g = |x: &Self::Base| x.square() * *x + Self::B;
        let root = |x: &Self::Base| pow_public(*x, k.root);
        let square = u.square() * k.c1;
        let (plus, minus) = (one + square, one - square);
        let inverse = pow_public(minus * plus, k.inverse);
        let step = *u * minus * inverse * k.c3;
        let (x1, x2) = (k.c2 - step, k.c2 + step);
        let x3 = (plus.square() * inverse).square() * k.c4 + k.z;
        let (g1, g2, g3) = (g(&x1), g(&x2), g(&x3));
        let (y1, y2, y3) = (root(&g1), root(&g2), root(&g3));
        let (first, second) = (y1.square().ct_eq(&g1), y2.square().ct_eq(&g2));
        let select = Self::Base::select;
        let x = select(&select(&x3, &x2, second), &x1, first);
        let y = select(&select(&y3, &y2, second), &y1, first);
        let same_sign = !(sgn0(u) ^ sgn0(&y));
        Affine::from_xy_unchecked(x, select(&-y, &y, same_sign))
    }

    /// `hash_to_curve` (RFC 9380, §3): a point, indifferentiable from a random oracle. Time depends only on the length of the
    /// message.
    #[inline(never)]
    fn hash_to_curve<D: BlockHash>(message: &[u8], dst: &[u8]) -> Affine<Self> {
        let [u0, u1] = hash_to_field_by(expand_message_xmd_by::<D>, message, dst);
        (Projective::from(Self::map_to_curve(&u0)) + Projective::from(Self::map_to_curve(&u1))).to_affine()
    }

    /// `encode_to_curve` (RFC 9380, §3): a point for half the work, but not uniform. Time depends only on the length of the
    /// message.
    #[inline(never)]
    fn encode_to_curve<D: BlockHash>(message: &[u8], dst: &[u8]) -> Affine<Self> {
        let [u] = hash_to_field_by(expand_message_xmd_by::<D>, message, dst);
        Self::map_to_curve(&u)
    }
}
