//! Verifies many signatures or proofs with one product of pairings.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::verify::{check_challenge, coefficients, product_is_one, sum, verify, verify_proof};
use super::{BbsError, Disclosure, Generators, Proof, PublicKey, Signature};
use crate::weights::weights;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
use pairwright_curve::{Affine, Curve};
use pairwright_device::Session;
use pairwright_field::Field;
use rand_core::CryptoRng;

/// A signature with its key, header and messages, for [`batch_verify`].
#[derive(Clone, Copy, Debug)]
pub struct SignedItem<'a> {
    /// The signer's key.
    pub key: &'a PublicKey,
    /// The header that was signed.
    pub header: &'a [u8],
    /// The messages that were signed.
    pub messages: &'a [&'a [u8]],
    /// The signature of header and messages.
    pub signature: &'a Signature,
}

/// A proof with its key and the disclosed messages, for [`batch_verify_proofs`].
#[derive(Clone, Copy, Debug)]
pub struct ProvedItem<'a> {
    /// The signer's key.
    pub key: &'a PublicKey,
    /// The headers and the disclosed messages.
    pub disclosure: Disclosure<'a>,
    /// The proof for this key and disclosure.
    pub proof: &'a Proof,
}

/// Points of G1 with their weights, grouped by the encoded key with which they are paired.
type ByKey = BTreeMap<Vec<u8>, (Affine<G2>, Vec<Affine<G1>>, Vec<Fr>)>;

fn add(groups: &mut ByKey, key: &PublicKey, point: Affine<G1>, weight: Fr) {
    let group = groups.entry(key.to_bytes()).or_insert_with(|| (key.point, Vec::new(), Vec::new()));
    group.1.push(point);
    group.2.push(weight);
}

/// Checks the product of pairings: the sum of each key's points with the key, and the sum of `points` with the generator of G2.
fn check(
    on: &mut Session<'_, Bls12_381>,
    groups: ByKey,
    (points, scalars): (Vec<Affine<G1>>, Vec<Fr>),
) -> Result<(), BbsError> {
    let mut pairs = vec![(sum(on, points, scalars)?, G2::GENERATOR)];
    for (key, points, scalars) in groups.into_values() {
        pairs.push((sum(on, points, scalars)?, key));
    }
    product_is_one(on, &pairs)
}

/// The error of the item at a position.
fn at(index: usize) -> impl FnOnce(BbsError) -> BbsError {
    move |why| BbsError::InBatch { index, why: Box::new(why) }
}

/// Verifies many signatures together, by one pairing for each key and one more, and names the first that is not valid.
///
/// The equations are added up with random weights from `rng`: a batch with an invalid signature passes with probability at most
/// 2^-127. When the sum fails, the signatures are verified one by one. An empty batch is accepted.
///
/// # Errors
/// The verdicts other than acceptance of every signature, each with its reason.
pub fn batch_verify(
    on: &mut Session<'_, Bls12_381>,
    generators: &Generators,
    batch: &[SignedItem<'_>],
    rng: &mut dyn CryptoRng,
) -> Result<(), BbsError> {
    on.phase("bbs batch verify");
    if batch.is_empty() {
        return Ok(());
    }
    let weights = weights::<G1>(batch.len(), rng);
    let most = batch.iter().map(|item| item.messages.len()).max().unwrap_or(0);
    // The coefficients of the weighted sum of all `-B`, one per generator.
    let mut totals = vec![Fr::ZERO; most.saturating_add(2)];
    let (mut points, mut scalars) = (vec![generators.p1(), generators.q1()], Vec::new());
    points.extend(generators.first(most)?);
    let mut groups = ByKey::new();
    let mut own = Vec::new();
    for (index, (item, weight)) in batch.iter().zip(&weights).enumerate() {
        let terms = coefficients(generators, item.key, item.header, item.messages).map_err(at(index))?;
        for (total, term) in totals.iter_mut().zip(&terms) {
            *total -= *term * *weight;
        }
        own.push((item.signature.a, item.signature.e * *weight));
        add(&mut groups, item.key, item.signature.a, *weight);
    }
    scalars.extend(totals);
    points.extend(own.iter().map(|(point, _)| *point));
    scalars.extend(own.iter().map(|(_, scalar)| *scalar));
    match check(on, groups, (points, scalars)) {
        Err(BbsError::Rejected) => {}
        verdict => return verdict,
    }
    for (index, item) in batch.iter().enumerate() {
        verify(on, generators, item.key, item.header, item.messages, item.signature).map_err(at(index))?;
    }
    // If every signature is valid, the sum holds: a device has computed wrongly, so refuse.
    Err(BbsError::Rejected)
}

/// Verifies many proofs together, and names the first that fails. The challenge of each proof is computed; the pairings form one
/// product as in [`batch_verify`], with the same probability of a wrong acceptance.
///
/// # Errors
/// The verdicts other than acceptance of every proof, each with its reason.
pub fn batch_verify_proofs(
    on: &mut Session<'_, Bls12_381>,
    generators: &Generators,
    batch: &[ProvedItem<'_>],
    rng: &mut dyn CryptoRng,
) -> Result<(), BbsError> {
    on.phase("bbs batch verify proofs");
    if batch.is_empty() {
        return Ok(());
    }
    let weights = weights::<G1>(batch.len(), rng);
    let (mut points, mut scalars) = (Vec::new(), Vec::new());
    let mut groups = ByKey::new();
    for (index, (item, weight)) in batch.iter().zip(&weights).enumerate() {
        check_challenge(on, generators, item.key, &item.disclosure, item.proof).map_err(at(index))?;
        points.push(item.proof.b_bar);
        scalars.push(-*weight);
        add(&mut groups, item.key, item.proof.a_bar, *weight);
    }
    match check(on, groups, (points, scalars)) {
        Err(BbsError::Rejected) => {}
        verdict => return verdict,
    }
    for (index, item) in batch.iter().enumerate() {
        verify_proof(on, generators, item.key, &item.disclosure, item.proof).map_err(at(index))?;
    }
    // As in [`batch_verify`].
    Err(BbsError::Rejected)
}
