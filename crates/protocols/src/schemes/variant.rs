//! The two assignments of the groups to keys and signatures.

use alloc::vec::Vec;
use core::fmt::Debug;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve, HashToCurve, Jacobian};
use pairwright_device::{DeviceError, Session};
use pairwright_poly::View;

/// The choice of the group of BLS12-381 that holds public keys; signatures, and the points that messages are hashed
/// to, are in the other one.
pub trait Variant: Copy + Eq + Debug + Send + Sync + 'static {
    /// The name of the choice: `min-pk` where keys are the smaller ones, `min-sig` where signatures are.
    const NAME: &'static str;
    /// The group of public keys.
    type Keys: Curve<Scalar = Fr>;
    /// The group of signatures and of hashed messages.
    type Signatures: HashToCurve<Scalar = Fr>;

    /// The two points in the order of the pairing.
    fn pair(key: Affine<Self::Keys>, signature: Affine<Self::Signatures>) -> (Affine<G1>, Affine<G2>);

    /// The points of the group of signatures that messages are hashed to. Not for messages that are secret.
    ///
    /// # Errors
    /// When the device cannot.
    fn hash(
        on: &mut Session<'_, Bls12_381>,
        messages: &[&[u8]],
        dst: &[u8],
    ) -> Result<Vec<Affine<Self::Signatures>>, DeviceError>;

    /// Tells which points of the curve are in the subgroup of signatures.
    ///
    /// # Errors
    /// When the device cannot.
    fn in_subgroup(
        on: &mut Session<'_, Bls12_381>,
        points: &[Affine<Self::Signatures>],
    ) -> Result<Vec<bool>, DeviceError>;

    /// `Σ scalars[i]·signatures[i]`.
    ///
    /// # Errors
    /// When the device cannot.
    fn sum(
        on: &mut Session<'_, Bls12_381>,
        signatures: View<'_, Affine<Self::Signatures>>,
        scalars: View<'_, Fr>,
    ) -> Result<Jacobian<Self::Signatures>, DeviceError>;
}

/// The operators on the group of signatures.
macro_rules! operators {
    ($group:ident: $hash:ident, $in_subgroup:ident, $msm:ident) => {
        fn hash(
            on: &mut Session<'_, Bls12_381>,
            messages: &[&[u8]],
            dst: &[u8],
        ) -> Result<Vec<Affine<$group>>, DeviceError> {
            on.$hash(&Suite::OF_GROUP, messages, dst)
        }
        fn in_subgroup(
            on: &mut Session<'_, Bls12_381>,
            points: &[Affine<$group>],
        ) -> Result<Vec<bool>, DeviceError> {
            on.$in_subgroup(points)
        }
        fn sum(
            on: &mut Session<'_, Bls12_381>,
            signatures: View<'_, Affine<$group>>,
            scalars: View<'_, Fr>,
        ) -> Result<Jacobian<$group>, DeviceError> {
            on.$msm(signatures, scalars)
        }
    };
}

/// Public keys in G1 (48 bytes), signatures in G2 (96 bytes): Ethereum's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinPk;

/// Public keys in G2 (96 bytes), signatures in G1 (48 bytes): drand's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinSig;

impl Variant for MinPk {
    const NAME: &'static str = "min-pk";
    type Keys = G1;
    type Signatures = G2;
    fn pair(key: Affine<G1>, signature: Affine<G2>) -> (Affine<G1>, Affine<G2>) {
        (key, signature)
    }
    operators!(G2: hash_to_g2, in_subgroup_g2, msm_g2);
}

impl Variant for MinSig {
    const NAME: &'static str = "min-sig";
    type Keys = G2;
    type Signatures = G1;
    fn pair(key: Affine<G2>, signature: Affine<G1>) -> (Affine<G1>, Affine<G2>) {
        (signature, key)
    }
    operators!(G1: hash_to_g1, in_subgroup_g1, msm_g1);
}
