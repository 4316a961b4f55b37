//! Verifies signatures and proofs, one at a time.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::proof::{challenge, generators_at};
use super::{BbsError, Disclosure, Generators, Proof, PublicKey, Signature};
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Curve};
use pairwright_device::Session;
use pairwright_field::Field;
use pairwright_poly::Buf;

/// A multi-scalar multiplication of public points by public scalars, on the device.
pub(super) fn sum(
    on: &mut Session<'_, Bls12_381>,
    points: Vec<Affine<G1>>,
    scalars: Vec<Fr>,
) -> Result<Affine<G1>, BbsError> {
    let (points, scalars): (Buf<_>, Buf<_>) = (points.into(), scalars.into());
    Ok(on.msm_g1(points.view(), scalars.view())?.to_affine())
}

/// Checks that the product of pairings is one.
pub(super) fn product_is_one(
    on: &mut Session<'_, Bls12_381>,
    pairs: &[(Affine<G1>, Affine<G2>)],
) -> Result<(), BbsError> {
    if on.multi_pairing(pairs)? == Fq12::ONE { Ok(()) } else { Err(BbsError::Rejected) }
}

/// The scalars of `P1`, `Q_1` and the `H_i` in `B`: one, the domain, and the messages.
pub(super) fn coefficients(
    generators: &Generators,
    key: &PublicKey,
    header: &[u8],
    messages: &[&[u8]],
) -> Result<Vec<Fr>, BbsError> {
    let domain = generators.domain(key, header, messages.len())?;
    let mut scalars = [Fr::ONE, domain].to_vec();
    scalars.extend(generators.suite().messages_to_scalars(messages).iter());
    Ok(scalars)
}

/// Verifies a signature of a header and messages (§3.5.2): `e(A, W)·e(e·A - B, G2) = 1`. Variable time.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn verify(
    on: &mut Session<'_, Bls12_381>,
    generators: &Generators,
    key: &PublicKey,
    header: &[u8],
    messages: &[&[u8]],
    signature: &Signature,
) -> Result<(), BbsError> {
    on.phase("bbs verify");
    let mut scalars = [signature.e].to_vec();
    scalars.extend(coefficients(generators, key, header, messages)?.iter().map(|scalar| -*scalar));
    let mut points = [signature.a, generators.p1(), generators.q1()].to_vec();
    points.extend(generators.first(messages.len())?);
    let right = sum(on, points, scalars)?;
    product_is_one(on, &[(signature.a, key.point), (right, G2::GENERATOR)])
}

/// Verifies a proof of the disclosed messages (§3.5.4). Variable time.
///
/// The number of signed messages follows from the proof's length; the generators must be for at least as many.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn verify_proof(
    on: &mut Session<'_, Bls12_381>,
    generators: &Generators,
    key: &PublicKey,
    disclosure: &Disclosure<'_>,
    proof: &Proof,
) -> Result<(), BbsError> {
    on.phase("bbs verify proof");
    check_challenge(on, generators, key, disclosure, proof)?;
    product_is_one(on, &[(proof.a_bar, key.point), (proof.b_bar, -G2::GENERATOR)])
}

/// The part of [`verify_proof`] before the pairings: recomputes and compares the challenge.
pub(super) fn check_challenge(
    on: &mut Session<'_, Bls12_381>,
    generators: &Generators,
    key: &PublicKey,
    disclosure: &Disclosure<'_>,
    proof: &Proof,
) -> Result<(), BbsError> {
    let messages = disclosure.indexes.len().saturating_add(proof.hidden.len());
    let hidden = disclosure.hidden(messages)?;
    let domain = generators.domain(key, disclosure.header, messages)?;
    let suite = generators.suite();
    let shown = suite.messages_to_scalars(disclosure.messages);
    let c = proof.challenge;
    let [e, r1, r3] = proof.responses;

    let t1 = sum(on, [proof.b_bar, proof.a_bar, proof.d].to_vec(), [c, e, r1].to_vec())?;
    let mut points = [generators.p1(), generators.q1(), proof.d].to_vec();
    points.extend(generators_at(generators, messages, disclosure.indexes)?);
    points.extend(generators_at(generators, messages, &hidden)?);
    let mut scalars = [c, domain * c, r3].to_vec();
    scalars.extend(shown.iter().map(|message| *message * c));
    scalars.extend(&proof.hidden);
    let t2 = sum(on, points, scalars)?;

    let shown = disclosure.indexes.iter().copied().zip(shown.iter().copied());
    let shown = shown.collect::<Vec<_>>().into_iter();
    let points = [proof.a_bar, proof.b_bar, proof.d, t1, t2];
    if challenge(suite, points, &domain, shown, disclosure.presentation_header) == c {
        Ok(())
    } else {
        Err(BbsError::Challenge)
    }
}
