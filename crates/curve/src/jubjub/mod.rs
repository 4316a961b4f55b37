//! Jubjub: the twisted Edwards curve over the scalar field of BLS12-381 (Zcash protocol specification, §5.4.9.3).

#[rustfmt::skip]
mod constants;

use crate::bls12_381;
use crate::edwards::{CompleteEdwards, EdwardsPoint, TwistedEdwards};
use constants as k;
use pairwright_field::{Fp, Modulus, PrimeField};

/// The order of the prime subgroup, 252 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrModulus;
impl Modulus<4> for FrModulus {
    const NAME: &'static str = "Jubjub Fr";
    const P: [u64; 4] = k::FR_MODULUS;
    const NON_RESIDUE: u64 = k::FR_NON_RESIDUE;
}

/// The base field, which is the scalar field of BLS12-381.
pub type Fq = bls12_381::Fr;
/// The scalar field, whose modulus is the order of the prime subgroup.
pub type Fr = Fp<FrModulus, 4>;

/// The curve `-u² + v² = 1 - (10240/10241)·u²v²` with cofactor 8; `(u, v)` are `x` and `y` in the generic code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jubjub;
impl TwistedEdwards for Jubjub {
    type Base = Fq;
    type Scalar = Fr;
    const NAME: &'static str = "Jubjub";
    const D: Fq = Fq::constant(k::D);
    const GENERATOR: [Fq; 2] = [Fq::constant(k::GENERATOR[0]), Fq::constant(k::GENERATOR[1])];
    /// Tests membership by multiplication with the order of the subgroup.
    fn is_in_subgroup_vartime(p: &Point) -> bool {
        p.mul_limbs_vartime(&Fr::MODULUS).is_identity()
    }
}
impl CompleteEdwards for Jubjub {
    const COFACTOR_LOG2: u32 = 3;
}

/// A point of Jubjub.
pub type Point = EdwardsPoint<Jubjub>;
