//! Optimal ate pairings: Miller loop and final exponentiation, generic over the tower and the family.
//!
//! `tower` holds what the target field can do beyond a ring (Frobenius, cyclotomic arithmetic); `lines` the
//! straight-line formulas of the Miller loop over any ring standing for Fq2; [`bls12`] and [`bn`] the loop and the
//! hard part of each family. A curve is the data of [`PairingData`].
//!
//! References: Vercauteren, *Optimal pairings*, eprint 2008/096; Costello, Lange, Naehrig, *Faster pairing
//! computations on curves with high-degree twists*, eprint 2009/615; Aranha et al., *Faster explicit formulas for
//! computing pairings over ordinary curves*, eprint 2010/526; Granger, Scott, *Faster squaring in the cyclotomic
//! subgroup of sixth degree extensions*, eprint 2009/565.

pub mod bls12;
pub mod bn;
pub mod lines;
mod miller;
mod tower;

pub use miller::{Prepared, TwistKind};
pub use tower::{
    Fq2, Fq6, Fq12, Tower, cyclotomic_pow, cyclotomic_pow_vartime, cyclotomic_square, easy_part, frobenius,
};

use crate::{Affine, Curve};

/// A pairing-friendly curve as data: what the Miller loop and the final exponentiation of its family read.
pub trait PairingData: Tower {
    /// The first group.
    type G1: Curve<Base = Self::Fq>;
    /// The second group, on the sextic twist.
    type G2: Curve<Base = Fq2<Self>>;
    /// The seed's magnitude.
    const X: u64;
    /// Whether the seed is negative.
    const X_NEGATIVE: bool;
    /// Signed digits of the seed's magnitude, each zero or odd, most significant first, the leading 1 first.
    const X_DIGITS: &'static [i8];
    /// Signed digits (-1, 0, 1) of the Miller loop, most significant first, without the leading 1.
    const MILLER_DIGITS: &'static [i8];
    /// The kind of sextic twist that carries the second group.
    const TWIST: TwistKind;
    /// Factors of ψ, see [`psi`].
    const PSI: [Fq2<Self>; 2];

    /// `3b'·x` for the constant term `b'` of the twist.
    fn mul_3b_twist(x: Fq2<Self>) -> Fq2<Self>;
}

/// ψ: the Frobenius endomorphism of the curve over Fq12 carried to the twist, `(PSI₀·x̄, PSI₁·ȳ)`. It multiplies
/// the points of the second group by q, and satisfies `ψ² - t·ψ + q = 0` on the whole twist over Fq2.
pub fn psi<P: PairingData>(q: &Affine<P::G2>) -> Affine<P::G2> {
    // Infinity, held as (0, 0), goes to itself.
    Affine { x: q.x.conjugate() * P::PSI[0], y: q.y.conjugate() * P::PSI[1] }
}
