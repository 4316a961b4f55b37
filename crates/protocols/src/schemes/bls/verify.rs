//! Verifies single signatures, aggregates, and batches under one key or several.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::keys::sum;
use super::{BlsError, PublicKey, Scheme, Signature, Variant, message_points, possession_point};
use crate::schemes::KeyGroups;
use crate::weights::weights;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::encoding::PointError;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::Buf;
use rand_core::CryptoRng;
use thiserror::Error;

/// Why a signature was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The list of public keys is empty.
    #[error("no public keys")]
    NoSigners,
    /// Two messages of an aggregate are equal, which the basic scheme forbids.
    #[error("messages {first} and {second} are the same, which the basic scheme forbids")]
    RepeatedMessage {
        /// Position of the earlier message, from zero.
        first: usize,
        /// Position of the later message, from zero.
        second: usize,
    },
    /// The public keys of an aggregate add up to the neutral element.
    #[error("the public keys add up to the neutral element")]
    KeysCancel,
    /// The pairing equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// A point is not on the curve or not in the subgroup, and so not a signature.
    #[error(transparent)]
    Signature(#[from] BlsError),
    /// A signature of a batch is not accepted.
    #[error("signature {index}: {why}")]
    InBatch {
        /// Position in the batch, from zero.
        index: usize,
        /// The reason for which this signature is refused.
        why: Box<VerifyError>,
    },
    /// An operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// A factor of a product of pairings: a point of G1 and one of G2.
type Pair<E = Bls12_381> = (G1Affine<E>, G2Affine<E>);

/// The two pairs whose product of pairings is one for a valid signature: `e(key, point)·e(-g, signature) = 1` in the
/// order of the groups, `point` being [`super::message_point`] or [`possession_point`].
pub fn equation<V: KeyGroups>(
    key: &PublicKey<V>,
    point: &Affine<V::Signatures>,
    signature: &Signature<V>,
) -> [Pair<V::Engine>; 2] {
    [V::pair(key.point, *point), closing(signature)]
}

/// The pair `(-g, signature)`, in the order of the pairing's groups.
fn closing<V: KeyGroups>(signature: &Signature<V>) -> Pair<V::Engine> {
    V::pair(-V::Keys::GENERATOR, signature.point)
}

fn product_is_one<E: Pairing>(on: &mut Session<'_, E>, pairs: &[Pair<E>]) -> Result<(), VerifyError> {
    if on.multi_pairing(pairs)? == E::Gt::ONE { Ok(()) } else { Err(VerifyError::Rejected) }
}

/// Verifies a signature of `message` (§2.7).
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn verify<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    scheme: Scheme,
    key: &PublicKey<V>,
    message: &[u8],
    signature: &Signature<V>,
) -> Result<(), VerifyError> {
    on.phase("bls verify");
    let points = message_points(on, scheme, &[(*key, message)])?;
    // There is one point, for the one message.
    let point = points.first().ok_or(VerifyError::Rejected)?;
    verify_point(on, key, point, signature)
}

/// Verifies that `signature` is the multiple of `point`, a point of the subgroup, by the secret key of `key`: the part of [`verify`]
/// after the hash.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn verify_point<V: KeyGroups>(
    on: &mut Session<'_, V::Engine>,
    key: &PublicKey<V>,
    point: &Affine<V::Signatures>,
    signature: &Signature<V>,
) -> Result<(), VerifyError> {
    on.phase("bls verify");
    product_is_one(on, &equation(key, point, signature))
}

/// Verifies a proof of possession of the secret key (§3.3.3).
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn pop_verify<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    key: &PublicKey<V>,
    proof: &Signature<V>,
) -> Result<(), VerifyError> {
    verify_point(on, key, &possession_point(key), proof)
}

/// Verifies an aggregate of signatures, each of its own message under its own key (§2.9), by one Miller loop per signer, one more,
/// and one final exponentiation. In the basic scheme the messages must be distinct, which is checked; with proofs of possession every
/// key must have passed [`pop_verify`], which is not checked.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn aggregate_verify<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    scheme: Scheme,
    signed: &[(PublicKey<V>, &[u8])],
    signature: &Signature<V>,
) -> Result<(), VerifyError> {
    on.phase("bls aggregate verify");
    if signed.is_empty() {
        return Err(VerifyError::NoSigners);
    }
    if scheme == Scheme::Basic {
        distinct(signed.iter().map(|(_, message)| *message))?;
    }
    let points = message_points(on, scheme, signed)?;
    let mut pairs: Vec<Pair> =
        signed.iter().zip(points).map(|((key, _), point)| V::pair(key.point, point)).collect();
    pairs.push(closing(signature));
    product_is_one(on, &pairs)
}

fn distinct<'m>(messages: impl Iterator<Item = &'m [u8]>) -> Result<(), VerifyError> {
    let mut seen = BTreeMap::new();
    for (second, message) in messages.enumerate() {
        if let Some(first) = seen.insert(message, second) {
            return Err(VerifyError::RepeatedMessage { first, second });
        }
    }
    Ok(())
}

/// Verifies an aggregate of signatures of one message (§3.3.4), by two pairings whatever the number of signers. Every key must have
/// passed [`pop_verify`], which is not checked here; without that, a signer can choose a key that cancels those of others.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn fast_aggregate_verify<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    keys: &[PublicKey<V>],
    message: &[u8],
    signature: &Signature<V>,
) -> Result<(), VerifyError> {
    if keys.is_empty() {
        return Err(VerifyError::NoSigners);
    }
    // A sum of points of the subgroup is in the subgroup.
    let key = PublicKey { point: sum(keys.iter().map(|k| k.point)) };
    if key.point.is_infinity() {
        return Err(VerifyError::KeysCancel);
    }
    verify(on, Scheme::ProofOfPossession, &key, message, signature)
}

/// Verifies many independent signatures together, and names the first that is not valid.
///
/// The equations are added up with random weights from `rng`, of 127 bits of entropy each: a batch with an invalid signature passes
/// with probability at most 2^-127. When the sum fails, the signatures are verified one by one. An empty batch is accepted.
///
/// # Errors
/// The verdicts other than acceptance of every signature, each with its reason.
pub fn batch_verify<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    scheme: Scheme,
    batch: &[(PublicKey<V>, &[u8], Signature<V>)],
    rng: &mut dyn CryptoRng,
) -> Result<(), VerifyError> {
    on.phase("bls batch verify");
    if batch.is_empty() {
        return Ok(());
    }
    let signed: Vec<_> = batch.iter().map(|(key, message, _)| (*key, *message)).collect();
    let points = message_points(on, scheme, &signed)?;
    let weights: Buf<Fr> = weights::<G1>(batch.len(), rng).into();
    let (first, second): (Vec<_>, Vec<_>) =
        signed.iter().zip(&points).map(|((key, _), point)| V::pair(key.point, *point)).unzip();
    // The weights multiply the points of G1, where multiplication costs least.
    let first = on.scale_points_g1(&first, &weights)?;
    let signatures: Buf<_> = batch.iter().map(|(_, _, signature)| signature.point).collect();
    let sum = V::sum(on, signatures.view(), weights.view())?;
    let mut pairs: Vec<Pair> = first.into_iter().zip(second).collect();
    pairs.push(closing(&Signature::<V> { point: sum.to_affine() }));
    match product_is_one(on, &pairs) {
        Err(VerifyError::Rejected) => {}
        verdict => return verdict,
    }
    for (index, ((key, _, signature), point)) in batch.iter().zip(&points).enumerate() {
        verify_point(on, key, point, signature)
            .map_err(|why| VerifyError::InBatch { index, why: Box::new(why) })?;
    }
    // If every signature is valid, the sum holds: a device has computed wrongly, so refuse.
    Err(VerifyError::Rejected)
}

/// Checks that all points are on the curve and in the subgroup, and returns them as signatures: [`Signature::from_point`] for many
/// points, by a device. Variable time.
///
/// # Errors
/// The position of the first point that fails the check, or the error of an operator.
pub fn check_signatures<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    points: &[Affine<V::Signatures>],
) -> Result<Vec<Signature<V>>, VerifyError> {
    on.phase("check signatures");
    let curve = <V::Signatures as Curve>::NAME;
    let inside = V::in_subgroup(on, points)?;
    let signatures = points.iter().zip(inside).enumerate().map(|(index, (point, inside))| {
        let fault = match (point.is_on_curve(), inside) {
            (true, true) => return Ok(Signature { point: *point }),
            (true, false) => PointError::NotInSubgroup { curve },
            (false, _) => PointError::NotOnCurve { curve },
        };
        let why = Box::new(VerifyError::Signature(fault.into()));
        Err(VerifyError::InBatch { index, why })
    });
    signatures.collect()
}
