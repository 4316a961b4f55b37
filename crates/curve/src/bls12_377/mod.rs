//! BLS12-377: fields, tower, groups, pairing.

#[rustfmt::skip]
mod constants;
pub mod edwards;

use crate::pairing::{
    PairingData, Prepared, Tower, TwistKind, bls12, cyclotomic_pow, cyclotomic_pow_vartime,
};
use crate::{Affine, Curve, Glv, Jacobian, Pairing, subgroup};
use constants as k;
use pairwright_field::{Cubic, Field, Fp, Modulus, NonResidue, PrimeField, Quad, Ring};

/// The base prime q, 377 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FqModulus;
impl Modulus<6> for FqModulus {
    const NAME: &'static str = "BLS12-377 Fq";
    const P: [u64; 6] = k::FQ_MODULUS;
    const NON_RESIDUE: u64 = k::FQ_NON_RESIDUE;
}

/// The group order r, 253 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrModulus;
impl Modulus<4> for FrModulus {
    const NAME: &'static str = "BLS12-377 Fr";
    const P: [u64; 4] = k::FR_MODULUS;
    const NON_RESIDUE: u64 = k::FR_NON_RESIDUE;
}

/// The base field, in which coordinates of G1 lie.
pub type Fq = Fp<FqModulus, 6>;
/// The scalar field, whose modulus is the order of G1.
pub type Fr = Fp<FrModulus, 4>;
/// `Fq[u]/(u² + 5)`.
pub type Fq2 = Quad<Fq, U>;
/// `Fq2[v]/(v³ - ξ)`, `ξ = u`.
pub type Fq6 = Cubic<Fq2, V>;
/// `Fq6[w]/(w² - v)`.
pub type Fq12 = Quad<Fq6, W>;

/// `u² = -5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct U;
impl<R: Ring> NonResidue<R> for U {
    const MINUS_SMALL: Option<u64> = Some(5);
    #[inline(always)]
    fn mul(x: R) -> R {
        -(x.clone().double().double() + x)
    }
    #[inline(always)]
    fn square_quad(c0: R, c1: R) -> (R, R) {
        // c0² - 5·c1² = (c0 + c1)(c0 - 5·c1) + 4·c0·c1.
        let c0c1_2 = (c0.clone() * c1.clone()).double();
        let five = c1.clone().double().double() + c1.clone();
        ((c0.clone() + c1) * (c0 - five) + c0c1_2.clone().double(), c0c1_2)
    }
}

/// `v³ = ξ = u`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct V;
impl<R: Ring> NonResidue<Quad<R, U>> for V {
    #[inline(always)]
    fn mul(x: Quad<R, U>) -> Quad<R, U> {
        x.mul_by_root()
    }
}

/// `w² = v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct W;
impl<R: Ring> NonResidue<Cubic<Quad<R, U>, V>> for W {
    #[inline(always)]
    fn mul(x: Cubic<Quad<R, U>, V>) -> Cubic<Quad<R, U>, V> {
        x.mul_by_root()
    }
}

const fn fq2(c: [[u64; 6]; 2]) -> Fq2 {
    Quad::new(Fq::constant(c[0]), Fq::constant(c[1]))
}
const fn fq2_row(c: [[[u64; 6]; 2]; 6]) -> [Fq2; 6] {
    [fq2(c[0]), fq2(c[1]), fq2(c[2]), fq2(c[3]), fq2(c[4]), fq2(c[5])]
}

/// The group of order r on `y² = x³ + 1` over Fq.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct G1;
impl Curve for G1 {
    type Base = Fq;
    type Scalar = Fr;
    const NAME: &'static str = "BLS12-377 G1";
    const B: Fq = Fq::constant(k::G1_B);
    const GENERATOR: Affine<Self> =
        Affine::from_xy_unchecked(Fq::constant(k::G1_GENERATOR[0]), Fq::constant(k::G1_GENERATOR[1]));
    const COFACTOR: &'static [u64] = &k::G1_COFACTOR;
    const GLV: Option<Glv<Self>> = Some(Glv {
        beta: Fq::constant(k::G1_BETA),
        lambda: k::G1_LAMBDA,
        v1: k::GLV_V1,
        v2: k::GLV_V2,
        g1: k::GLV_G1,
        g2: k::GLV_G2,
    });
    fn is_in_subgroup_vartime(p: &Affine<Self>) -> bool {
        subgroup::bls12_g1_vartime::<Bls12_377>(p, Fq::constant(k::G1_BETA))
    }
    fn clear_cofactor_vartime(p: &Affine<Self>) -> Jacobian<Self> {
        subgroup::clear_bls12_g1_vartime::<Bls12_377>(p)
    }
}

/// The group of order r on the D-type sextic twist over Fq2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct G2;
impl Curve for G2 {
    type Base = Fq2;
    type Scalar = Fr;
    const NAME: &'static str = "BLS12-377 G2";
    const B: Fq2 = fq2(k::G2_B);
    const GENERATOR: Affine<Self> =
        Affine::from_xy_unchecked(fq2(k::G2_GENERATOR[0]), fq2(k::G2_GENERATOR[1]));
    const COFACTOR: &'static [u64] = &k::G2_COFACTOR;
    const GLV: Option<Glv<Self>> = Some(Glv {
        beta: Quad::new(Fq::constant(k::G2_BETA), Fq::ZERO),
        lambda: k::G1_LAMBDA,
        v1: k::GLV_V1,
        v2: k::GLV_V2,
        g1: k::GLV_G1,
        g2: k::GLV_G2,
    });
    fn is_in_subgroup_vartime(p: &Affine<Self>) -> bool {
        subgroup::bls12_g2_vartime::<Bls12_377>(p)
    }
    fn clear_cofactor_vartime(p: &Affine<Self>) -> Jacobian<Self> {
        subgroup::clear_bls12_g2_vartime::<Bls12_377>(p)
    }
}

/// `3b'` of the twist.
const TWIST_3B: Fq2 = fq2(k::G2_3B);

/// The optimal ate pairing of BLS12-377.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bls12_377;
impl Tower for Bls12_377 {
    type Fq = Fq;
    type U = U;
    type V = V;
    type W = W;
    const FROBENIUS: [[Fq2; 6]; 3] =
        [fq2_row(k::FROBENIUS_1), fq2_row(k::FROBENIUS_2), fq2_row(k::FROBENIUS_3)];
}
impl PairingData for Bls12_377 {
    type G1 = G1;
    type G2 = G2;
    const X: u64 = k::X;
    const X_NEGATIVE: bool = k::X_NEGATIVE;
    const X_DIGITS: &'static [i8] = k::X_DIGITS;
    const MILLER_DIGITS: &'static [i8] = k::MILLER_DIGITS;
    const TWIST: TwistKind = TwistKind::D;
    const PSI: [Fq2; 2] = [fq2(k::PSI[0]), fq2(k::PSI[1])];
    #[inline(always)]
    fn mul_3b_twist(x: Fq2) -> Fq2 {
        // b' = 1/u = u/β: the coefficient of 1 is zero.
        Quad::new(<U as NonResidue<Fq>>::mul(x.c1 * TWIST_3B.c1), x.c0 * TWIST_3B.c1)
    }
}
impl Pairing for Bls12_377 {
    type Fr = Fr;
    type Fq = Fq;
    type G1 = G1;
    type G2 = G2;
    type Gt = Fq12;
    type G2Prepared = Prepared<Self>;
    const NAME: &'static str = "BLS12-377";
    fn prepare_g2(q: &Affine<G2>) -> Prepared<Self> {
        bls12::prepare(q)
    }
    fn prepare_fixed_g2(q: &Affine<G2>) -> Prepared<Self> {
        bls12::prepare(q).into_monic()
    }
    fn multi_miller_loop(pairs: &[(Affine<G1>, &Prepared<Self>)]) -> Fq12 {
        bls12::multi_miller_loop(pairs)
    }
    fn final_exponentiation(f: &Fq12) -> Option<Fq12> {
        bls12::final_exponentiation::<Self>(f)
    }
    fn gt_inverse(f: &Fq12) -> Fq12 {
        f.conjugate()
    }
    fn gt_pow(f: &Fq12, k: &Fr) -> Fq12 {
        cyclotomic_pow::<Self>(f, &k.to_limbs())
    }
    fn gt_pow_vartime(f: &Fq12, k: &Fr) -> Fq12 {
        cyclotomic_pow_vartime::<Self>(f, &k.to_limbs())
    }
}
