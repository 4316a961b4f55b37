//! Verifies that powers of tau are the result of the contributions that their file records.

use super::PtauFile;
use super::chain::{G2_WEIGHT, verify_lists};
use super::contribute::first_challenge;
use super::error::VerifyPowersError;
use super::levels::verify_levels;
use super::record::{Heads, PowersContribution, Record, draw_secrets};
use crate::ceremony::Contributor;
use crate::ceremony::blake2b::Blake2b;
use crate::ceremony::ratio::{Ratio, first_wrong};
use crate::ceremony::record::push_uncompressed;
use crate::container::widen;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_poly::Source;
use rand_core::CryptoRng;

/// The result of a successful verification of powers of tau.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedPowers {
    /// All contributions, in their order.
    pub contributions: Vec<PowersContribution>,
    /// Whether the file is prepared for phase 2; its Lagrange points were then verified too.
    pub prepared: bool,
}

/// The work of [`verify_powers`], in points of G1 that are combined; a point of G2 counts as three of them.
pub fn verification_work<E: Pairing>(ptau: &PtauFile<E>) -> u64 {
    let n = widen(ptau.lists.tau_g2.len());
    let powers = n.saturating_mul(G2_WEIGHT.saturating_add(4));
    // All domains up to the size of the powers have about twice as many points together, and τ in G1 has one domain more.
    let levels = n.saturating_mul(2).saturating_mul(G2_WEIGHT.saturating_add(5).saturating_add(2));
    if ptau.is_prepared() { powers.saturating_add(levels) } else { powers }
}

/// Verifies that powers of tau are the result of the contributions that their file records, each with proofs of knowledge of
/// its factors, and that the file's Lagrange points, if any, belong to the powers. These are the checks of `snarkjs powersoftau
/// verify`, and in addition every point is checked to be in its prime-order subgroup. All checks use random weights: an invalid
/// file is accepted with a probability below 2^-79.
///
/// One chunk of points is in memory at a time, and for Lagrange points the scalars of the largest domain. `done` is called with
/// the amount of completed work in the unit of [`verification_work`]. The hashes of a beacon are computed again.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason, and failures to read the file or to compute.
#[inline(never)]
pub fn verify_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    ptau: &PtauFile<E>,
    rng: &mut dyn CryptoRng,
    done: &mut dyn FnMut(u64),
) -> Result<VerifiedPowers, VerifyPowersError> {
    on.phase("verify powers");
    let records = ptau.records()?;
    let Some(last) = records.last() else { return Err(VerifyPowersError::NoContribution) };
    follow(on, ptau.ceremony_power, &records, rng)?;
    ptau.check(on, rng)?;

    let mut hash = Blake2b::new();
    hash.update(&last.response());
    let heads = &last.heads;
    verify_lists(on, ptau, heads, &mut hash, rng, done)?;
    if ptau.beta != heads.beta_g2 {
        return Err(VerifyPowersError::Powers { part: "betaG2", what: "it is not the last contribution's" });
    }
    let mut bytes = Vec::new();
    push_uncompressed(&mut bytes, &ptau.beta);
    hash.update(&bytes);
    // The recorded hash covers all powers of the ceremony, so it can be compared only if the file has all of them.
    if ptau.power == ptau.ceremony_power && hash.finish() != last.next_challenge {
        let what = "their hash is not the one that the last contribution recorded";
        return Err(VerifyPowersError::Powers { part: "powers", what });
    }

    if let Some(lagrange) = &ptau.lagrange {
        on.phase("verify Lagrange points");
        verify_levels(on, ptau, lagrange, [heads.alpha_g1, heads.beta_g1], rng, done)?;
    }
    Ok(VerifiedPowers {
        contributions: records.iter().map(Record::description).collect(),
        prepared: ptau.is_prepared(),
    })
}

/// Verifies the chain of records, which begins with τ = α = β = 1.
pub(super) fn follow<E: Pairing>(
    on: &mut Session<'_, E>,
    ceremony_power: u32,
    records: &[Record<E>],
    rng: &mut dyn CryptoRng,
) -> Result<(), VerifyPowersError> {
    let mut before = (Heads::<E>::first(), first_challenge::<E>(ceremony_power));
    let mut ratios = Vec::new();
    for (number, record) in (1..).zip(records) {
        let (from, challenge) = &before;
        if let Some(beacon) = &record.beacon {
            let by = Contributor::Beacon { name: String::new(), beacon: beacon.clone() };
            if draw_secrets::<E>(&by, challenge).1 != record.knowledge {
                let what = "its secrets are not those of its beacon";
                return Err(VerifyPowersError::Contribution { number, what });
            }
        }
        let mut claim = |g1, g2, what| ratios.push(Ratio { g1, g2, number, what });
        let to = &record.heads;
        let [tau, alpha, beta] = &record.knowledge;
        let p = [tau.p(0, challenge), alpha.p(1, challenge), beta.p(2, challenge)];
        let [p_tau, p_alpha, p_beta] = [[p[0], tau.px], [p[1], alpha.px], [p[2], beta.px]];
        claim([tau.s, tau.sx], p_tau, "its proof of knowledge of tau is wrong");
        claim([alpha.s, alpha.sx], p_alpha, "its proof of knowledge of alpha is wrong");
        claim([beta.s, beta.sx], p_beta, "its proof of knowledge of beta is wrong");
        claim([from.tau_g1, to.tau_g1], p_tau, "tau in G1 does not follow from the one before");
        claim([tau.s, tau.sx], [from.tau_g2, to.tau_g2], "tau in G2 does not follow from the one before");
        claim([from.alpha_g1, to.alpha_g1], p_alpha, "alpha does not follow from the one before");
        claim([from.beta_g1, to.beta_g1], p_beta, "beta in G1 does not follow from the one before");
        claim(
            [beta.s, beta.sx],
            [from.beta_g2, to.beta_g2],
            "beta in G2 does not follow from the one before",
        );
        before = (record.heads, record.next_challenge);
    }
    match first_wrong(on, &ratios, rng)? {
        None => Ok(()),
        Some(Ratio { number, what, .. }) => Err(VerifyPowersError::Contribution { number: *number, what }),
    }
}
