//! The two assignments of the groups to keys and signatures.

use core::fmt::Debug;
use pairwright_curve::bls12_381::{Fr, G1, G2};
use pairwright_curve::{Affine, Curve, HashToCurve};

/// The choice of the group of BLS12-381 that holds public keys; signatures, and the points that messages are hashed
/// to, are in the other one.
pub trait Variant: Copy + Eq + Debug + Send + Sync + 'static {
    /// The group of public keys.
    type Keys: Curve<Scalar = Fr>;
    /// The group of signatures and of hashed messages.
    type Signatures: HashToCurve<Scalar = Fr>;

    /// The two points in the order of the pairing.
    fn pair(key: Affine<Self::Keys>, signature: Affine<Self::Signatures>) -> (Affine<G1>, Affine<G2>);
}

/// Public keys in G1 (48 bytes), signatures in G2 (96 bytes): Ethereum's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinPk;

/// Public keys in G2 (96 bytes), signatures in G1 (48 bytes): drand's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinSig;

impl Variant for MinPk {
    type Keys = G1;
    type Signatures = G2;
    fn pair(key: Affine<G1>, signature: Affine<G2>) -> (Affine<G1>, Affine<G2>) {
        (key, signature)
    }
}

impl Variant for MinSig {
    type Keys = G2;
    type Signatures = G1;
    fn pair(key: Affine<G2>, signature: Affine<G1>) -> (Affine<G1>, Affine<G2>) {
        (signature, key)
    }
}
