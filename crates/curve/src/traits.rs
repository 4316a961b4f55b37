//! The traits of curves: the constants of one group ([`Curve`]), and a pairing of two groups ([`Pairing`]).

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
    /// Name of the group in messages, e.g. `"BLS12-381 G1"`.
    const NAME: &'static str;
    /// The constant term `b` of the curve equation.
    const B: Self::Base;
    /// The standard generator of the subgroup.
    const GENERATOR: Affine<Self>;
    /// The cofactor (index of the subgroup in the curve) as little-endian limbs.
    const COFACTOR: &'static [u64];
    /// The endomorphism `φ` for splitting scalars into two halves; `None` if the group has none.
    const GLV: Option<Glv<Self>> = None;
    /// The endomorphism whose eigenvalue is the seed of the curve; `None` if the group has none.
    const SEED: Option<SeedEndomorphism<Self>> = None;

    /// Whether a point *of the curve* lies in the prime-order subgroup, by an endomorphism. Variable time.
    fn is_in_subgroup_vartime(p: &Affine<Self>) -> bool;

    /// Maps a point of the curve to the subgroup by multiplication with (a multiple of) the cofactor. Variable time.
    fn clear_cofactor_vartime(p: &Affine<Self>) -> Jacobian<Self>;
}

/// Two groups of the same prime order and a bilinear map into a third.
pub trait Pairing: Copy + Eq + Debug + Send + Sync + 'static {
    /// The scalar field.
    type Fr: PrimeField;
    /// The base field.
    type Fq: PrimeField;
    /// The first group, with coordinates in `Fq`.
    type G1: Curve<Base = Self::Fq, Scalar = Self::Fr>;
    /// The second group, with coordinates in the field of the twist.
    type G2: Curve<Scalar = Self::Fr>;
    /// The target field; values of the pairing are in a subgroup of its multiplicative group.
    type Gt: Field + Extension<Prime = Self::Fq>;
    /// A prepared second argument, which consists of its line coefficients.
    type G2Prepared: Clone + Debug + Send + Sync + 'static;

    /// Name of the curve in messages and registries, e.g. `"BLS12-381"`.
    const NAME: &'static str;

    /// Computes the line coefficients of a second argument.
    fn prepare_g2(q: &G2Affine<Self>) -> Self::G2Prepared;
    /// [`Self::prepare_g2`] for the argument of many pairings: it takes more work, but saves work in every Miller loop.
    fn prepare_fixed_g2(q: &G2Affine<Self>) -> Self::G2Prepared;
    /// The product of the Miller loops of the pairs; pairs with infinity on either side contribute one.
    fn multi_miller_loop(pairs: &[(G1Affine<Self>, &Self::G2Prepared)]) -> Self::Gt;
    /// The final exponentiation; `None` for zero, which is never the value of a Miller loop over points of the two groups.
    fn final_exponentiation(f: &Self::Gt) -> Option<Self::Gt>;

    /// The inverse of an element of the target group, which is its conjugate.
    fn gt_inverse(f: &Self::Gt) -> Self::Gt;
    /// `f^k` for `f` in the target group, in time independent of `k`.
    fn gt_pow(f: &Self::Gt, k: &Self::Fr) -> Self::Gt;
    /// `f^k` for `f` in the target group. Time depends on `k`.
    fn gt_pow_vartime(f: &Self::Gt, k: &Self::Fr) -> Self::Gt;

    /// `∏ e(P_i, Q_i)`. If the product of the Miller loops is zero, the result is zero, which is not an element of the target group
    /// and so is equal to no pairing. This cannot happen with points of the two groups, but it can with unchecked coordinates.
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
