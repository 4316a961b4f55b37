//! Verifies that a key belongs to a circuit and is the result of the contributions that its file records.

use super::ceremony::past_end;
use super::contribution::{KeyContribution, KeyRecord, draw_factor, first_delta, transcript};
use super::quotient::{Quotient, weighted};
use super::{ZkeyFile, circuit_hash};
use crate::ceremony::ratio::{Ratio, first_wrong, holds};
use crate::ceremony::{Contributor, challenge_point_vartime};
use crate::sizes::chunks;
use crate::{FormatError, PtauFile};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, G1Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, EntrySource, Session};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Source, SourceError};
use pairwright_protocols::groth16::{ProvingKey, SetupError, setup_from_powers};
use pairwright_protocols::r1cs::{Constraint, ConstraintSource, R1cs, Shape};
use pairwright_protocols::short_weights::ShortWeights;
use rand_core::CryptoRng;
use thiserror::Error;

/// Number of elements that are compared at a time.
const CHUNK: usize = 1 << 16;

/// The result of a successful verification of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedKey {
    /// The hash of the circuit and its initial key.
    pub circuit_hash: [u8; 64],
    /// All contributions, in their order.
    pub contributions: Vec<KeyContribution>,
}

/// The verdicts other than acceptance, each with its reason, and failures to read or compute.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyKeyError {
    /// The key's file is malformed.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The given initial key does not follow from the powers, or has a contribution.
    #[error("the first key is not that of these powers before any contribution")]
    NotFirst,
    /// The circuit's initial key cannot be made from these powers.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Nobody has contributed, so anybody can forge proofs.
    #[error("nobody has contributed to this key: anybody can forge proofs")]
    NoContribution,
    /// The key does not belong to the circuit and the powers.
    #[error("{part}: not that of this circuit and these powers of tau")]
    Circuit {
        /// The part of the key that differs.
        part: &'static str,
    },
    /// The response belongs to another key, or changes a part that contributions must not change.
    #[error("{part}: not that of the key which the response is to")]
    OtherKey {
        /// The part of the response that differs.
        part: &'static str,
    },
    /// The response has no contribution that the key does not have.
    #[error("the response has no contribution that the key does not have")]
    NothingNew,
    /// A contribution does not follow from the contributions before it.
    #[error("contribution {number}: {what}")]
    Contribution {
        /// Number of the contribution, from 1.
        number: usize,
        /// Description of the check that failed.
        what: &'static str,
    },
    /// The key is not the result of the last contribution.
    #[error("{part}: not what the contributions made of it")]
    Key {
        /// The part of the key that differs.
        part: &'static str,
    },
    /// A device operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl VerifyKeyError {
    /// Whether this is a verdict on a well-formed key rather than a failure to read or compute.
    pub fn is_rejection(&self) -> bool {
        !matches!(self, Self::Format(_) | Self::Setup(_) | Self::Device(_))
    }
}

impl From<SourceError> for VerifyKeyError {
    fn from(e: SourceError) -> Self {
        Self::Format(FormatError::Source(e))
    }
}

/// Verifies that a key comes from a circuit, from powers of tau and from the contributions that its file records, as `snarkjs
/// zkey verify` does. The initial key is computed again from the circuit and the powers, which are checked to be powers of one
/// τ; whether they come from a ceremony is checked by [`crate::verify_powers`]. Every point is checked to be in its subgroup.
/// An invalid key is accepted with a probability below 2^-79. The elements H may differ if they serve the same proofs, as in
/// keys imported from bellman's files. Both keys are in memory.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason, and failures to read the files or to compute.
#[inline(never)]
pub fn verify_key<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    ptau: &PtauFile<E>,
    zkey: &ZkeyFile<E>,
    rng: &mut dyn CryptoRng,
) -> Result<VerifiedKey, VerifyKeyError> {
    let first = setup_from_powers(on, system, ptau, rng)?;
    follows(on, &first, ptau, zkey, rng)
}

/// Verifies that a key comes from the initial key of its ceremony by the contributions that its file records, as `snarkjs zkey
/// verify init` does. Checks that the initial key comes from these powers and has no contribution. Whether it belongs to a
/// circuit is not checked; [`verify_key`] does that from the constraints. An invalid key is accepted with a probability below
/// 2^-79. Both keys are in memory.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason, and failures to read the files or to compute.
#[inline(never)]
pub fn verify_key_from_first<E: Pairing>(
    on: &mut Session<'_, E>,
    first: &ZkeyFile<E>,
    ptau: &PtauFile<E>,
    zkey: &ZkeyFile<E>,
    rng: &mut dyn CryptoRng,
) -> Result<VerifiedKey, VerifyKeyError> {
    on.phase("check points");
    first.check(on, rng)?;
    let first = first.proving_key()?;
    // The key of an empty constraint system consists of exactly the parts that follow from the powers alone.
    let constraints = first.domain.size().saturating_sub(1);
    let shape = Shape { wires: 1, outputs: 0, public_inputs: 0, private_inputs: 0, constraints };
    let nothing = R1cs::new(shape, vec![Constraint::default(); constraints]).map_err(SetupError::from)?;
    let bare = setup_from_powers(on, &nothing, ptau, rng)?;
    let of_powers = |key: &ProvingKey<E>| {
        let vk = &key.vk;
        ([vk.alpha_g1, key.beta_g1, key.delta_g1], [vk.beta_g2, vk.gamma_g2, vk.delta_g2])
    };
    if of_powers(&first) != of_powers(&bare) || !same_points(first.h.as_ref(), bare.h.as_ref())? {
        return Err(VerifyKeyError::NotFirst);
    }
    follows(on, &first, ptau, zkey, rng)
}

/// Verifies that a key follows from the initial one by its records.
fn follows<E: Pairing>(
    on: &mut Session<'_, E>,
    first: &ProvingKey<E>,
    ptau: &PtauFile<E>,
    zkey: &ZkeyFile<E>,
    rng: &mut dyn CryptoRng,
) -> Result<VerifiedKey, VerifyKeyError> {
    let records = zkey.records()?;
    if records.is_empty() {
        return Err(VerifyKeyError::NoContribution);
    }
    let recorded = zkey.contributions()?.circuit_hash;
    on.phase("check points");
    let key = zkey.proving_key()?;
    // The initial key's points are in their subgroups, and so are the points that are equal to them.
    if let Err(different) = on.host("same_circuit", first.wires, || same_circuit(first, &key)) {
        zkey.check(on, rng)?;
        return Err(different);
    }
    zkey.check_changed(on, rng)?;
    on.phase("verify key");
    let past = past_end(ptau)?;
    let hash = on.host("circuit_hash", first.wires, || circuit_hash(first, ptau, past))?;
    if hash != recorded {
        return Err(VerifyKeyError::Circuit { part: "the circuit's hash" });
    }

    // The chain of records begins with δ = 1.
    let delta = follow_records(on, &hash, (&[], first_delta::<E>()), &records, rng)?;
    let (one_g1, one_g2) = (Affine::generator(), Affine::<E::G2>::generator());
    if delta != key.delta_g1 || !holds(on, [one_g1, delta], [one_g2, key.vk.delta_g2])? {
        return Err(VerifyKeyError::Key { part: "delta" });
    }
    // C and H are divided by δ, which a pairing equation checks for a random combination of each.
    let deltas = [one_g2, key.vk.delta_g2];
    let [before, after] = combined(on, first.c.as_ref(), key.c.as_ref(), rng)?;
    if !holds(on, [after, before], deltas)? {
        return Err(VerifyKeyError::Key { part: "C" });
    }
    let [before, after] = combined(on, first.h.as_ref(), key.h.as_ref(), rng)?;
    if !holds(on, [after, before], deltas)? {
        // H may differ, as in keys imported from bellman's files. Then H is compared by a combination that a quotient can make,
        // with long scalars.
        let quotient = Quotient::draw(on, &first.domain, rng)?;
        let before = weighted(on, first.h.as_ref(), &quotient.values)?.to_affine();
        let after = weighted(on, key.h.as_ref(), &quotient.values)?.to_affine();
        if !holds(on, [after, before], deltas)? {
            return Err(VerifyKeyError::Key { part: "H" });
        }
    }
    let contributions = records.iter().map(|record| record.description()).collect();
    Ok(VerifiedKey { circuit_hash: hash, contributions })
}

/// Verifies the records of contributions after those `before`, which resulted in the given δ; returns the last δ. A false
/// record is accepted with a probability below 2^-79.
pub(super) fn follow_records<E: Pairing>(
    on: &mut Session<'_, E>,
    hash: &[u8; 64],
    (before, mut delta): (&[KeyRecord<E>], G1Affine<E>),
    records: &[KeyRecord<E>],
    rng: &mut dyn CryptoRng,
) -> Result<G1Affine<E>, VerifyKeyError> {
    let mut ratios = Vec::new();
    let all = (1..).zip(records.iter().zip(prefixes(records)));
    for (number, (record, before)) in all.skip(before.len()) {
        let wrong = |what| Err(VerifyKeyError::Contribution { number, what });
        if transcript(hash, before, [&record.s, &record.sx]) != record.transcript {
            return wrong("its transcript is not that of the contributions before");
        }
        if let Some(beacon) = &record.beacon {
            let by = Contributor::Beacon { name: String::new(), beacon: beacon.clone() };
            let (factor, s) = draw_factor::<E>(&by);
            let sx = s.to_jacobian().mul_vartime(&factor).to_affine();
            if [s, sx] != [record.s, record.sx] {
                return wrong("its secret is not that of its beacon");
            }
        }
        let g2 = [challenge_point_vartime::<E::G2>(&record.transcript), record.px];
        let mut claim = |g1, what| ratios.push(Ratio { g1, g2, number, what });
        claim([record.s, record.sx], "its proof of knowledge is wrong");
        claim([delta, record.delta], "delta does not follow from the one before");
        delta = record.delta;
    }
    match first_wrong(on, &ratios, rng)? {
        Some(Ratio { number, what, .. }) => Err(VerifyKeyError::Contribution { number: *number, what }),
        None => Ok(delta),
    }
}

/// For each item of a list, the slice of the items before it.
fn prefixes<T>(list: &[T]) -> impl Iterator<Item = &[T]> {
    (0..list.len()).map(|end| list.get(..end).unwrap_or_default())
}

/// Compares the parts of a key that contributions do not change.
fn same_circuit<E: Pairing>(first: &ProvingKey<E>, key: &ProvingKey<E>) -> Result<(), VerifyKeyError> {
    let sizes = |key: &ProvingKey<E>| (key.wires, key.public, key.domain.size());
    let differs = |part| Err(VerifyKeyError::Circuit { part });
    if sizes(first) != sizes(key) {
        return differs("the sizes");
    }
    if (first.vk.alpha_g1, first.beta_g1) != (key.vk.alpha_g1, key.beta_g1)
        || (first.vk.beta_g2, first.vk.gamma_g2) != (key.vk.beta_g2, key.vk.gamma_g2)
    {
        return differs("alpha, beta or gamma");
    }
    if first.vk.ic != key.vk.ic {
        return differs("IC");
    }
    if !same_entries(&first.coefficients, &key.coefficients)? {
        return differs("the coefficients");
    }
    if !same_points(first.a.as_ref(), key.a.as_ref())? {
        return differs("A");
    }
    if !same_points(first.b_g1.as_ref(), key.b_g1.as_ref())?
        || !same_points(first.b_g2.as_ref(), key.b_g2.as_ref())?
    {
        return differs("B");
    }
    Ok(())
}

pub(super) fn same_points<C: Curve>(
    a: &dyn Source<Affine<C>>,
    b: &dyn Source<Affine<C>>,
) -> Result<bool, SourceError> {
    if a.len() != b.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for range in chunks(a.len(), CHUNK) {
        left.clear();
        right.clear();
        a.read(range.clone(), &mut left)?;
        b.read(range, &mut right)?;
        if left != right {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_entries<F: PrimeField>(a: &dyn EntrySource<F>, b: &dyn EntrySource<F>) -> Result<bool, SourceError> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for range in chunks(a.len(), CHUNK) {
        let mut left = Vec::new();
        a.read(range.clone(), &mut |e| left.push((e.matrix, e.row, e.column, e.value)))?;
        let (mut left, mut same) = (left.into_iter(), true);
        b.read(range, &mut |e| same &= left.next() == Some((e.matrix, e.row, e.column, e.value)))?;
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Combines each of two lists with the same random weights.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
pub(super) fn combined<E: Pairing>(
    on: &mut Session<'_, E>,
    first: &dyn Source<G1Affine<E>>,
    now: &dyn Source<G1Affine<E>>,
    rng: &mut dyn CryptoRng,
) -> Result<[G1Affine<E>; 2], VerifyKeyError> {
    let (mut sums, weights) = ([Jacobian::INFINITY; 2], ShortWeights::draw(rng));
    for range in chunks(first.len(), CHUNK) {
        let weights = weights.of::<E::Fr>(range.clone());
        for (sum, source) in sums.iter_mut().zip([first, now]) {
            let mut points = Vec::new();
            source.read(range.clone(), &mut points)?;
            *sum += on.msm_g1(Buf::from(points).view(), weights.view())?;
        }
    }
    Ok(sums.map(|sum| sum.to_affine()))
}
