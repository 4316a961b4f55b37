//! The two variants of BLS signatures on BLS12-381: which group holds the keys, and which the signatures.

use super::{KeyGroups, MinPk, MinSig};
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve, HashToCurve, Jacobian};
use pairwright_device::{DeviceError, Session};
use pairwright_poly::View;

/// The [`KeyGroups`] of BLS12-381, with the operators that signatures need on a device.
pub trait Variant:
    KeyGroups<Engine = Bls12_381, Keys: Curve<Scalar = Fr>, Signatures: HashToCurve<Scalar = Fr>>
{
    /// The name of the variant: `min-pk` where keys are in the smaller group G1, `min-sig` where signatures are.
    const NAME: &'static str;

    /// Hashes messages to points of the group of signatures, under the domain separation tag `dst`. Not for secret messages.
    ///
    /// # Errors
    /// When the device fails.
    fn hash(
        on: &mut Session<'_, Bls12_381>,
        messages: &[&[u8]],
        dst: &[u8],
    ) -> Result<Vec<Affine<Self::Signatures>>, DeviceError>;

    /// Tells which points of the curve are in the subgroup of signatures.
    ///
    /// # Errors
    /// When the device fails.
    fn in_subgroup(
        on: &mut Session<'_, Bls12_381>,
        points: &[Affine<Self::Signatures>],
    ) -> Result<Vec<bool>, DeviceError>;

    /// Computes the multi-scalar multiplication `Σ scalars[i]·signatures[i]`.
    ///
    /// # Errors
    /// When the device fails.
    fn sum(
        on: &mut Session<'_, Bls12_381>,
        signatures: View<'_, Affine<Self::Signatures>>,
        scalars: View<'_, Fr>,
    ) -> Result<Jacobian<Self::Signatures>, DeviceError>;
}

/// Implements the methods of [`Variant`] by the session's operators on one group.
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

impl Variant for MinPk {
    const NAME: &'static str = "min-pk";
    operators!(G2: hash_to_g2, in_subgroup_g2, msm_g2);
}

impl Variant for MinSig {
    const NAME: &'static str = "min-sig";
    operators!(G1: hash_to_g1, in_subgroup_g1, msm_g1);
}
