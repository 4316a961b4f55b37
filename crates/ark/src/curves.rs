//! The pairings that both libraries implement.

use ark_ec::pairing::Pairing as ArkPairing;
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use pairwright_curve::{Pairing, bls12_377, bls12_381, bn254};

/// Restricts [`Bridge`] to the pairings of this file, because the conversions rely on equal moduli.
mod sealed {
    pub trait Sealed {}
    impl Sealed for pairwright_curve::bn254::Bn254 {}
    impl Sealed for pairwright_curve::bls12_381::Bls12_381 {}
    impl Sealed for pairwright_curve::bls12_377::Bls12_377 {}
}

/// A pairing that arkworks implements too: BN254, BLS12-381, BLS12-377.
pub trait Bridge: Pairing + sealed::Sealed {
    /// arkworks' type of the group G1.
    type ArkG1: SWCurveConfig<ScalarField = <Self::Ark as ArkPairing>::ScalarField>;
    /// arkworks' type of the group G2.
    type ArkG2: SWCurveConfig<ScalarField = <Self::Ark as ArkPairing>::ScalarField>;
    /// arkworks' type of the pairing.
    type Ark: ArkPairing<G1Affine = ArkAffine<Self::ArkG1>, G2Affine = ArkAffine<Self::ArkG2>>;
}

/// arkworks' type of a pairing's scalar field.
pub(crate) type ArkScalar<E> = <<E as Bridge>::Ark as ArkPairing>::ScalarField;

impl Bridge for bn254::Bn254 {
    type ArkG1 = ark_bn254::g1::Config;
    type ArkG2 = ark_bn254::g2::Config;
    type Ark = ark_bn254::Bn254;
}
impl Bridge for bls12_381::Bls12_381 {
    type ArkG1 = ark_bls12_381::g1::Config;
    type ArkG2 = ark_bls12_381::g2::Config;
    type Ark = ark_bls12_381::Bls12_381;
}
impl Bridge for bls12_377::Bls12_377 {
    type ArkG1 = ark_bls12_377::g1::Config;
    type ArkG2 = ark_bls12_377::g2::Config;
    type Ark = ark_bls12_377::Bls12_377;
}
