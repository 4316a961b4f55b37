//! Hashing to BN254's first group, and the conversion of pairing values to the exponent `(q¹² - 1)/r`.

use super::{Bn254, Fq, Fq12, Fr, G1, hash_constants as k};
use crate::Pairing;
use crate::hash_to_curve::{HashBySvdw, Svdw};
use pairwright_field::PrimeField;

impl HashBySvdw for G1 {
    const SVDW: Svdw<Fq> = Svdw {
        z: Fq::constant(k::Z),
        c1: Fq::constant(k::C1),
        c2: Fq::constant(k::C2),
        c3: Fq::constant(k::C3),
        c4: Fq::constant(k::C4),
        root: &k::ROOT_EXPONENT,
        inverse: &k::INVERSE_EXPONENT,
    };
}

/// Converts a value of [`Bn254`]'s pairing, whose exponent has the factor `2x(6x² + 3x + 1)`, to the value of the pairing with
/// the exponent `(q¹² - 1)/r`, which kyber and drand hash. Time does not depend on the value.
pub fn reduced(value: &Fq12) -> Fq12 {
    Bn254::gt_pow(value, &Fr::from_limbs_reduced(&k::REDUCED))
}
