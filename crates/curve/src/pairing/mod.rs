//! Optimal ate pairings: Miller loop and final exponentiation, generic over the tower and the family.
//!
//! `tower` has the Frobenius maps of the target field and the easy part of the final exponentiation, `cyclotomic` the squares and
//! powers in its cyclotomic subgroup, and `lines` the straight-line formulas of the Miller loop over any ring in the role of Fq2.
//! [`Bls12`] and [`Bn`] are the families, each with its loop, its hard part and its subgroup checks. A curve is a type with
//! constants, [`PairingData`], which a script in `derive/` prints from the seed.
//!
//! References: Vercauteren, *Optimal pairings*, eprint 2008/096; Costello, Lange, Naehrig, *Faster pairing
//! computations on curves with high-degree twists*, eprint 2009/615; Aranha et al., *Faster explicit formulas for
//! computing pairings over ordinary curves*, eprint 2010/526; Granger, Scott, *Faster squaring in the cyclotomic
//! subgroup of sixth degree extensions*, eprint 2009/565.

mod bls12;
mod bn;
#[cfg(test)]
mod bounds;
mod cyclotomic;
mod family;
pub mod lines;
mod miller;
mod tower;

pub use bls12::Bls12;
pub use bn::Bn;
pub use cyclotomic::{Cyclotomic, cyclotomic_pow, cyclotomic_pow_vartime, cyclotomic_square};
pub use family::{Family, G1, G2};
pub use miller::{
    MillerStep, Prepared, RunningPoint, Twelve, TwistKind, closing_points, miller_steps, mul_by_line,
};
pub use tower::{Fq2, Fq6, Fq12, Tower, easy_part, frobenius};

use crate::{Affine, Curve};
use pairwright_field::{Field, Fp, Modulus, NonResidue, PrimeField, Quad, Ring};

/// A pairing-friendly curve `y² = x³ + b` of embedding degree 12 with its sextic twist, as data: all constants that the
/// groups, the Miller loop and the final exponentiation of its family use.
pub trait PairingData: Tower {
    /// The integers modulo the order of the groups.
    type Fr: PrimeField;
    /// Name of the curve in messages, e.g. `"BLS12-381"`.
    const NAME: &'static str;
    /// Name of the first group.
    const G1_NAME: &'static str;
    /// Name of the second group.
    const G2_NAME: &'static str;
    /// The magnitude of the seed.
    const X: u64;
    /// Whether the seed is negative.
    const X_NEGATIVE: bool;
    /// Signed digits of the seed's magnitude, each zero or odd, most significant first, the leading 1 first.
    const X_DIGITS: &'static [i8];
    /// Signed digits (-1, 0, 1) of the Miller loop, most significant first, without the leading 1.
    const MILLER_DIGITS: &'static [i8];
    /// The constant term `b` of the curve, below 6.
    const B: u64;
    /// The constant term `b` as an element of the base field.
    const B_BASE: Self::Fq;
    /// The constant term `b'` of the twist.
    const B_TWIST: Fq2<Self>;
    /// The product `3b'`.
    const B_TWIST_3: Fq2<Self>;
    /// The kind of sextic twist that carries the second group.
    const TWIST: TwistKind;
    /// The factors of the coordinates in ψ, see [`psi`].
    const PSI: [Fq2<Self>; 2];
    /// The generator of the first group.
    const G1_GENERATOR: [Self::Fq; 2];
    /// The generator of the second group.
    const G2_GENERATOR: [Fq2<Self>; 2];
    /// Cofactor of the first group, little-endian limbs.
    const G1_COFACTOR: &'static [u64];
    /// Cofactor of the second group, little-endian limbs.
    const G2_COFACTOR: &'static [u64];
    /// The cube root of unity `β` with `(β·x, y) = λ·(x, y)` in the first group.
    const G1_BETA: Self::Fq;
    /// The cube root of unity `β` with `(β·x, y) = λ·(x, y)` in the second group.
    const G2_BETA: Self::Fq;
    /// The eigenvalue λ, see [`Glv::lambda`](crate::Glv).
    const LAMBDA: [u64; 4];
    /// The short basis of [`Glv::basis`](crate::Glv).
    const GLV_BASIS: [[(u128, bool); 2]; 2];
    /// The factors of [`Glv::rounding`](crate::Glv).
    const GLV_ROUNDING: [([u64; 4], bool); 2];

    /// `3b'·x` for the constant term `b'` of the twist, over any ring in the role of the base field; `b3` is
    /// [`Self::B_TWIST_3`] in that ring. Takes additions only if `b' = b·ξ`, and two products if a coefficient of `b'` is zero.
    #[inline(always)]
    fn mul_3b_twist<R: Ring>(x: Quad<R, Self::U>, b3: Quad<R, Self::U>) -> Quad<R, Self::U>
    where
        Self::U: NonResidue<R>,
        Self::V: NonResidue<Quad<R, Self::U>>,
    {
        const { assert!(0 < Self::B && Self::B < 6, "3·b is a small multiple") };
        match Self::TWIST {
            TwistKind::M => Self::V::mul(x).times(3 * Self::B),
            TwistKind::D if Self::B_TWIST_3.c0.is_zero() => {
                Quad::new(Self::U::mul(x.c1 * b3.c1.clone()), x.c0 * b3.c1)
            }
            TwistKind::D => x * b3,
        }
    }
}

/// An element of a quadratic extension from canonical limbs, for use in constants.
pub(crate) const fn quad<M: Modulus<N>, const N: usize, B>(c: [[u64; N]; 2]) -> Quad<Fp<M, N>, B> {
    Quad::new(Fp::constant(c[0]), Fp::constant(c[1]))
}

/// An array of elements of a quadratic extension from canonical limbs, for use in constants.
pub(crate) const fn quads<M: Modulus<N>, const N: usize, B, const L: usize>(
    c: [[[u64; N]; 2]; L],
) -> [Quad<Fp<M, N>, B>; L] {
    let mut out = [const { quad([[0; N]; 2]) }; L];
    let mut i = 0;
    while i < L {
        out[i] = quad(c[i]);
        i += 1;
    }
    out
}

/// The endomorphism ψ of the twist, `(PSI₀·x̄, PSI₁·ȳ)`, which is the Frobenius endomorphism of the curve over Fq12 composed with
/// the twist isomorphisms. It multiplies the points of the second group by q, and satisfies `ψ² - t·ψ + q = 0` on the whole
/// twist over Fq2.
pub fn psi<P: PairingData, C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> Affine<C> {
    // Infinity, represented by (0, 0), is mapped to itself.
    Affine { x: q.x.conjugate() * P::PSI[0], y: q.y.conjugate() * P::PSI[1] }
}
