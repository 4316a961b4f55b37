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

/// A signature, and what it signs under which key.
#[derive(Clone, Copy, Debug)]
pub struct SignedItem<'a> {
    /// The signer's key.
    pub key: &'a PublicKey,
    /// The header that was signed.
    pub header: &'a [u8],
    /// The messages that were signed.
    pub messages: &'a [&'a [u8]],
    /// The signature of both.
    pub signature: &'a Signature,
}

/// A proof, and what it discloses under which key.
#[derive(Clone, Copy, Debug)]
pub struct ProvedItem<'a> {
    /// The signer's key.
    pub key: &'a PublicKey,
    /// What is disclosed.
    pub disclosure: Disclosure<'a>,
    /// The proof of it.
    pub proof: &'a Proof,
}

/// Points of G1 with their weights, gathered by the key that they are paired with.
type ByKey = BTreeMap<Vec<u8>, (Affine<G2>, Vec<Affine<G1>>, Vec<Fr>)>;

fn add(groups: &mut ByKey, key: &PublicKey, point: Affine<G1>, weight: Fr) {
    let group = groups.entry(key.to_bytes()).or_insert_with(|| (key.point, Vec::new(), Vec::new()));
    group.1.push(point);
    group.2.push(weight);
}

/// The product over all keys and the generator of G2.
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

/// Accepts all of many signatures, or names one that fails alone: a pairing for each key and one more.
///
/// The equations are added up with random weights from `rng`: a batch with a bad signature passes with probability at most
/// 2^-127. When the sum fails, the signatures are verified one by one. An empty batch is accepted.
///
/// # Errors
/// Anything but acceptance of every signature.
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
    // The weighed sum of all `-B`, by generator.
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
    // Every signature passes alone, so the sum cannot fail; if it did, a device erred: refuse.
    Err(BbsError::Rejected)
}

/// Accepts all of many proofs, or names one that fails alone. The challenge of each is computed; the pairings are one product
/// as in [`batch_verify`], with the same probability of a wrong verdict.
///
/// # Errors
/// Anything but acceptance of every proof.
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
