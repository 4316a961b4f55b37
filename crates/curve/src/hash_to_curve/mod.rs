//! Hashing to the groups of a curve by RFC 9380. There are the suites with SHA-256 and the simplified SWU map, which
//! [`Suite::with_expansion`] adapts to other hashes, and for BN254's first group the map of Shallue and van de Woestijne with any
//! hash ([`HashBySvdw`]).
//!
//! [`HashToCurve`] has the constants of a suite and combines the steps, each of which is public. Most steps are straight-line
//! code over [`Ring`]: [`Sswu`] (the candidates, and the choice between them), [`SqrtRatio`] (the computations before and after
//! the exponentiation) and [`Isogeny`]. Only two selections depend on values, both in [`HashToCurve::map_to_isogenous`]: the
//! exceptional input, and the sign of the second coordinate.
//!
//! Time depends on the length of the message but not on its content: identities and messages may be secret.

mod expand;
mod isogeny;
mod sqrt_ratio;
mod sswu;
mod suite;
mod svdw;

pub use expand::{
    BlockHash, Expand, expand_message_xmd, expand_message_xmd_by, expand_message_xof, hash_to_field,
    hash_to_field_by, reduce_be, sgn0,
};
pub use isogeny::Isogeny;
pub use sqrt_ratio::{SqrtRatio, pow_c3_quad, pow_public, powers_public};
pub use sswu::{Candidates, Sswu};
pub use suite::Suite;
pub use svdw::{HashBySvdw, Svdw};

use crate::{Affine, Curve, Projective};
use pairwright_field::{Field, Ring};

/// A point of the isogenous curve: `(numerator/denominator, y)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsogenousPoint<F> {
    /// Numerator of the first coordinate.
    pub numerator: F,
    /// Denominator of the first coordinate, not zero.
    pub denominator: F,
    /// The second coordinate.
    pub y: F,
}

/// A group that messages can be hashed to: the suites `…_XMD:SHA-256_SSWU_RO_` and `…_NU_` of RFC 9380, §8.
///
/// `dst`, the domain separation tag, must not be empty and must differ from that of every other use (RFC 9380, §3.1).
pub trait HashToCurve: Curve {
    /// Name of the suite that is indifferentiable from a random oracle.
    const SUITE_RO: &'static str;
    /// Name of the suite whose values are not uniform.
    const SUITE_NU: &'static str;
    /// The isogenous curve and the constant Z of the map.
    const SSWU: Sswu<Self::Base>;
    /// The isogeny from the isogenous curve to this one.
    const ISOGENY: Isogeny<'static, Self::Base>;
    /// Constants of square roots of quotients.
    const SQRT_RATIO: SqrtRatio<Self::Base>;

    /// The long exponent of [`Self::pow_c3`], little-endian limbs: in a prime field `c3` itself, in a quadratic
    /// extension the `k` from which `c3` is made with a Frobenius.
    const POW_EXPONENT: &'static [u64];

    /// `x^c3` for every element, the exponentiation of [`SqrtRatio`]. Time does not depend on the elements.
    fn pow_c3<const K: usize>(x: [Self::Base; K]) -> [Self::Base; K];

    /// Maps a point of the curve to the subgroup: `h_eff·p`, in constant time.
    fn clear_cofactor(p: &Projective<Self>) -> Projective<Self>;

    /// `map_to_curve_simple_swu` (RFC 9380, §6.6.2, appendix F.2) of several elements to the isogenous curve, computed in parallel.
    /// Constant time.
    #[inline(never)]
    fn map_to_isogenous<const K: usize>(u: [Self::Base; K]) -> [IsogenousPoint<Self::Base>; K] {
        let map = Self::SSWU;
        let started = u.map(|u| {
            let [zu2, t] = map.powers(u);
            let exceptional = t.ct_eq(&Self::Base::ZERO);
            (u, zu2, map.candidates(zu2, t, Self::Base::select(&-t, &map.z, exceptional)))
        });
        let roots = Self::sqrt_ratios(started.map(|(_, _, c)| c.g));
        core::array::from_fn(|i| {
            let (u, zu2, c) = started[i];
            let [numerator, y] = Sswu::choose(u, zu2, c, roots[i]);
            let same_sign = !(sgn0(&u) ^ sgn0(&y));
            IsogenousPoint {
                numerator,
                denominator: c.denominator,
                y: Self::Base::select(&-y, &y, same_sign),
            }
        })
    }

    /// For every pair `u, v`, neither of which is zero: 1 if `u/v` is a square and 0 if not, and one of the two square roots of
    /// `u/v`, or of `z·u/v` if `u/v` is not a square (RFC 9380, appendix F.2.1). Constant time.
    fn sqrt_ratios<const K: usize>(quotients: [[Self::Base; 2]; K]) -> [[Self::Base; 2]; K] {
        let started = quotients.map(|[u, v]| Self::SQRT_RATIO.before_power(u, v));
        let powers = Self::pow_c3(started.map(|[base, _]| base));
        core::array::from_fn(|i| {
            let [u, v] = quotients[i];
            let [root, check] = SqrtRatio::after_power(powers[i], started[i][1], u, v);
            Self::SQRT_RATIO.decide(root, check)
        })
    }

    /// `map_to_curve` (RFC 9380, §6.6.3): a point of the curve, not necessarily of the subgroup. Constant time.
    #[inline(never)]
    fn map_to_curve(u: &Self::Base) -> Projective<Self> {
        let [p] = Self::maps_to_curve([*u]);
        p
    }

    /// [`Self::map_to_curve`] of several elements, computed in parallel. Constant time.
    fn maps_to_curve<const K: usize>(u: [Self::Base; K]) -> [Projective<Self>; K] {
        Self::map_to_isogenous(u).map(|IsogenousPoint { numerator, denominator, y }| {
            let [x, y, z] = Self::ISOGENY.map([numerator, denominator, y]);
            Projective { x, y, z }
        })
    }

    /// `hash_to_curve` (RFC 9380, §3): a point of the subgroup, indifferentiable from a random oracle. Time depends only on the
    /// length of the message.
    #[inline(never)]
    fn hash_to_curve(message: &[u8], dst: &[u8]) -> Affine<Self> {
        Self::hash_to_projective(message, dst).to_affine()
    }

    /// [`Self::hash_to_curve`] without the inversion to affine coordinates, for a point that is multiplied next.
    #[inline(never)]
    fn hash_to_projective(message: &[u8], dst: &[u8]) -> Projective<Self> {
        let [p, q] = Self::maps_to_curve(hash_to_field(message, dst));
        Self::clear_cofactor(&(p + q))
    }

    /// `encode_to_curve` (RFC 9380, §3): a point of the subgroup for half the work, but not uniform. Time depends only on the
    /// length of the message.
    #[inline(never)]
    fn encode_to_curve(message: &[u8], dst: &[u8]) -> Affine<Self> {
        let [u] = hash_to_field(message, dst);
        Self::clear_cofactor(&Self::map_to_curve(&u)).to_affine()
    }
}

/// Selection by arithmetic: `yes` if `choice` is 1, `no` if it is 0.
#[inline(always)]
fn select<R: Ring>(no: R, yes: R, choice: R) -> R {
    choice * (yes - no.clone()) + no
}
