//! What a curve is: data for one group ([`Curve`]) and for a pairing of two ([`Pairing`]).

use crate::{Affine, Glv, Jacobian, SeedEndomorphism};
use alloc::vec::Vec;
use core::fmt::Debug;
use pairwright_field::{Extension, Field, PrimeField, Sqrt};

/// A prime-order subgroup of a short Weierstrass curve `y² = x³ + b` with `b ≠ 0`.
pub trait Curve: Copy + Eq + Debug + Send + Sync + 'static {
    /// Field of the coordinates.
    type Base: Extension + Sqrt;
    /// Integers modulo the subgroup's order.
    type Scalar: PrimeField;
    /// Name as used in messages, e.g. `"BLS12-381 G1"`.
    const NAME: &'static str;
    /// The curve's constant term.
    const B: Self::Base;
    /// The subgroup's standard generator.
    const GENERATOR: Affine<Self>;
    /// Index of the subgroup in the curve, little-endian limbs.
    const COFACTOR: &'static [u64];
    /// The efficient endomorphism for splitting scalars, where the curve has a cheap one on this group.
    const GLV: Option<Glv<Self>> = None;
    /// The endomorphism whose eigenvalue is the seed, where the group has one.
    const SEED: Option<SeedEndomorphism<Self>> = None;

    /// Whether a point *of the curve* lies in the prime-order subgroup, by an endomorphism. Variable time.
    fn is_in_subgroup_vartime(p: &Affine<Self>) -> bool;

    /// A point of the subgroup from any point of the curve, by multiplication with (a multiple of) the cofactor.
    /// Variable time.
    fn clear_cofactor_vartime(p: &Affine<Self>) -> Jacobian<Self>;
}

/// Two groups of the same prime order and a bilinear map into a third.
pub trait Pairing: Copy + Eq + Debug + Send + Sync + 'static {
    /// The scalar field.
    type Fr: PrimeField;
    /// The base field.
    type Fq: PrimeField;
    /// The first group, over `Fq`.
    type G1: Curve<Base = Self::Fq, Scalar = Self::Fr>;
    /// The second group, over the twist's field.
    type G2: Curve<Scalar = Self::Fr>;
    /// The target: a subgroup of the multiplicative group of this field.
    type Gt: Field + Extension<Prime = Self::Fq>;
    /// A second argument, prepared: its line coefficients.
    type G2Prepared: Clone + Debug + Send + Sync + 'static;

    /// Name as used in messages and registries, e.g. `"BLS12-381"`.
    const NAME: &'static str;

    /// Computes the line coefficients of a second argument.
    fn prepare_g2(q: &G2Affine<Self>) -> Self::G2Prepared;
    /// [`Self::prepare_g2`] for an argument of many pairings: more work here, less in every Miller loop.
    fn prepare_fixed_g2(q: &G2Affine<Self>) -> Self::G2Prepared;
    /// The product of the Miller loops of the pairs; pairs with infinity on either side contribute one.
    fn multi_miller_loop(pairs: &[(G1Affine<Self>, &Self::G2Prepared)]) -> Self::Gt;
    /// The final exponentiation; `None` for zero, which no Miller loop over points of the two groups gives.
    fn final_exponentiation(f: &Self::Gt) -> Option<Self::Gt>;

    /// The inverse of an element of the target group: a conjugate.
    fn gt_inverse(f: &Self::Gt) -> Self::Gt;
    /// `f^k` for `f` in the target group, in time independent of `k`.
    fn gt_pow(f: &Self::Gt, k: &Self::Fr) -> Self::Gt;
    /// `f^k` for `f` in the target group. Time depends on `k`.
    fn gt_pow_vartime(f: &Self::Gt, k: &Self::Fr) -> Self::Gt;

    /// `∏ e(P_i, Q_i)`; zero, which is no element of the target group and equals no pairing, if the product of the
    /// Miller loops is zero. Points of the two groups never give that, but unchecked coordinates can.
    #[inline(never)]
    fn multi_pairing(pairs: &[(G1Affine<Self>, G2Affine<Self>)]) -> Self::Gt {
        let prepared: Vec<_> = pairs.iter().map(|(p, q)| (*p, Self::prepare_g2(q))).collect();
        let refs: Vec<_> = prepared.iter().map(|(p, q)| (*p, q)).collect();
        Self::final_exponentiation(&Self::multi_miller_loop(&refs)).unwrap_or(Self::Gt::ZERO)
    }
    /// Computes the pairing `e(P, Q)`.
    fn pairing(p: &G1Affine<Self>, q: &G2Affine<Self>) -> Self::Gt {
        Self::multi_pairing(&[(*p, *q)])
    }
}

/// An affine point of a pairing's first group.
pub type G1Affine<E> = Affine<<E as Pairing>::G1>;
/// An affine point of a pairing's second group.
pub type G2Affine<E> = Affine<<E as Pairing>::G2>;
