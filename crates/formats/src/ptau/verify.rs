//! Whether powers of tau are the outcome of the contributions that their file records.

use super::PtauFile;
use super::contribute::first_challenge;
use super::record::{Heads, PowersContribution, Record, draw_secrets};
use crate::FormatError;
use crate::ceremony::Contributor;
use crate::ceremony::blake2b::Blake2b;
use crate::ceremony::ratio::{Ratio, first_wrong, holds, weight};
use crate::ceremony::record::push_uncompressed;
use crate::container::widen;
use crate::points::PointSource;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{Buf, Coeff, Domain, Poly, Source, View};
use rand_core::CryptoRng;
use thiserror::Error;

/// Points that are combined at a time.
const CHUNK: usize = 1 << 17;
/// How many points of G1 a point of G2 counts as, about.
const G2_WEIGHT: u64 = 3;

/// Powers of tau that have been verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedPowers {
    /// All contributions, in their order.
    pub contributions: Vec<PowersContribution>,
    /// Whether the file has Lagrange points, which were verified too.
    pub prepared: bool,
}

/// Why powers of tau were not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyPowersError {
    /// The file is malformed.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Nobody has contributed: everybody knows τ.
    #[error("nobody has contributed to these powers: everybody knows tau")]
    NoContribution,
    /// A contribution does not follow from those before.
    #[error("contribution {number}: {what}")]
    Contribution {
        /// Its number, from one.
        number: usize,
        /// What does not hold.
        what: &'static str,
    },
    /// The powers are not those that the last contribution left.
    #[error("{part}: {what}")]
    Powers {
        /// The list of points.
        part: &'static str,
        /// What does not hold.
        what: &'static str,
    },
    /// An operator failed: no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl VerifyPowersError {
    /// Whether this is a verdict on well-formed powers.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::NoContribution | Self::Contribution { .. } | Self::Powers { .. })
    }
}

/// The work of [`verify_powers`], in points of G1.
pub fn verification_work<E: Pairing>(ptau: &PtauFile<E>) -> u64 {
    let n = widen(ptau.tau_g2.len());
    let all = n.saturating_mul(G2_WEIGHT.saturating_add(4));
    if ptau.is_prepared() { all.saturating_mul(5) } else { all }
}

/// Verifies that powers of tau come from the contributions that their file records, each of which proves to know its factors, and
/// that its Lagrange points, if there are any, are those of the powers. What `snarkjs powersoftau verify` checks, and beyond
/// it that every point is in its prime-order subgroup. All of it with random weights: what is wrong passes with a probability
/// below 2^-79.
///
/// Memory is that of a chunk of points; with Lagrange points, of the scalars of the largest domain. `done` hears of work in the
/// unit of [`verification_work`]. A beacon's hashes are computed again.
///
/// # Errors
/// Anything but acceptance.
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
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let in_g1 = [
        ("tauG1", &ptau.tau_g1, [Some(one_g1), Some(heads.tau_g1)]),
        ("alphaTauG1", &ptau.alpha_tau_g1, [Some(heads.alpha_g1), None]),
        ("betaTauG1", &ptau.beta_tau_g1, [Some(heads.beta_g1), None]),
    ];
    let mut sums_g1 = Vec::new();
    for (index, (part, source, expected)) in in_g1.into_iter().enumerate() {
        let mut msm = |points: View<'_, _>, weights: View<'_, _>| on.msm_g1(points, weights);
        let [sum, next] = chain(part, source, expected, &mut msm, &mut hash, rng, &mut |n| done(n))?;
        sums_g1.push((part, [sum, next]));
        if index == 0 {
            let mut msm = |points: View<'_, _>, weights: View<'_, _>| on.msm_g2(points, weights);
            let expected = [Some(one_g2), Some(heads.tau_g2)];
            let mut weighed = |n: u64| done(n.saturating_mul(G2_WEIGHT));
            let sums = chain("tauG2", &ptau.tau_g2, expected, &mut msm, &mut hash, rng, &mut weighed)?;
            equal_ratio(on, [one_g1, heads.tau_g1], sums, "tauG2")?;
        }
    }
    for (part, sums) in sums_g1 {
        equal_ratio(on, sums, [one_g2, heads.tau_g2], part)?;
    }
    if ptau.beta != heads.beta_g2 {
        return Err(VerifyPowersError::Powers { part: "betaG2", what: "it is not the last contribution's" });
    }
    let mut bytes = Vec::new();
    push_uncompressed(&mut bytes, &ptau.beta);
    hash.update(&bytes);
    // The hash is that of all powers of the ceremony.
    if ptau.power == ptau.ceremony_power && hash.finish() != last.next_challenge {
        let what = "their hash is not the one that the last contribution recorded";
        return Err(VerifyPowersError::Powers { part: "powers", what });
    }

    if let Some(lagrange) = &ptau.lagrange {
        on.phase("verify Lagrange points");
        let power = ptau.power;
        let lists = [
            ("tauG1", &ptau.tau_g1, &lagrange.tau_g1, power.saturating_add(1)),
            ("alphaTauG1", &ptau.alpha_tau_g1, &lagrange.alpha_tau_g1, power),
            ("betaTauG1", &ptau.beta_tau_g1, &lagrange.beta_tau_g1, power),
        ];
        for (part, powers, points, largest) in lists {
            for log in 0..=largest {
                let (short, values) = weights(on, log, powers.len(), rng)?;
                let mut msm = |points: View<'_, _>, weights: View<'_, _>| on.msm_g1(points, weights);
                lagrange_level(part, powers, points, &short, &values, &mut msm, &mut |n| done(n))?;
            }
        }
        for log in 0..=power {
            let (short, values) = weights(on, log, ptau.tau_g2.len(), rng)?;
            let mut msm = |points: View<'_, _>, weights: View<'_, _>| on.msm_g2(points, weights);
            let mut weighed = |n: u64| done(n.saturating_mul(G2_WEIGHT));
            lagrange_level("tauG2", &ptau.tau_g2, &lagrange.tau_g2, &short, &values, &mut msm, &mut weighed)?;
        }
    }
    Ok(VerifiedPowers {
        contributions: records.iter().map(Record::told).collect(),
        prepared: ptau.is_prepared(),
    })
}

/// Follows the chain of records from τ = α = β = 1.
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

fn equal_ratio<E: Pairing>(
    on: &mut Session<'_, E>,
    g1: [G1Affine<E>; 2],
    g2: [G2Affine<E>; 2],
    part: &'static str,
) -> Result<(), VerifyPowersError> {
    if holds(on, g1, g2)? {
        return Ok(());
    }
    Err(VerifyPowersError::Powers { part, what: "its points are not successive multiples by tau" })
}

/// An operator that combines points.
type Msm<'a, C> = &'a mut dyn FnMut(
    View<'_, Affine<C>>,
    View<'_, <C as Curve>::Scalar>,
) -> Result<Jacobian<C>, DeviceError>;

/// `Σ w_i·P_i` and `Σ w_i·P_{i+1}` for random weights; the points are hashed, and the first ones compared.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
fn chain<C: Curve>(
    part: &'static str,
    source: &PointSource<C>,
    expected: [Option<Affine<C>>; 2],
    msm: Msm<'_, C>,
    hash: &mut Blake2b,
    rng: &mut dyn CryptoRng,
    done: &mut dyn FnMut(u64),
) -> Result<[Affine<C>; 2], VerifyPowersError> {
    let mut sums = [Jacobian::INFINITY; 2];
    let len = source.len();
    for start in (0..len).step_by(CHUNK) {
        let end = len.min(start.saturating_add(CHUNK));
        // One point more, with which the chunks are linked.
        let mut points = Vec::new();
        source.decode(start..len.min(end.saturating_add(1)), &mut points)?;
        let own = end.saturating_sub(start);
        hash_points(hash, points.get(..own).unwrap_or_default());
        if start == 0 {
            let differs = |(p, expected): (&Affine<C>, Option<Affine<C>>)| expected.is_some_and(|e| e != *p);
            if points.iter().zip(expected).any(differs) {
                let what = "its first points are not the last contribution's";
                return Err(VerifyPowersError::Powers { part, what });
            }
        }
        let steps = points.len().saturating_sub(1);
        let weights: Buf<C::Scalar> = (0..steps).map(|_| weight::<C::Scalar>(rng)).collect();
        let points = Buf::from(points);
        sums[0] += msm(points.slice(..steps), weights.view())?;
        sums[1] += msm(points.slice(1..), weights.view())?;
        done(widen(own));
    }
    Ok(sums.map(|sum| sum.to_affine()))
}

/// Hashes points in their order.
fn hash_points<C: Curve>(hash: &mut Blake2b, points: &[Affine<C>]) {
    for points in points.chunks(1 << 12) {
        let mut bytes = Vec::new();
        points.iter().for_each(|p| push_uncompressed(&mut bytes, p));
        hash.update(&bytes);
    }
}

/// Random short coefficients of a polynomial, of which the last is zero where the powers end before it, and its values.
fn weights<E: Pairing>(
    on: &mut Session<'_, E>,
    log_size: u32,
    powers: usize,
    rng: &mut dyn CryptoRng,
) -> Result<(Buf<E::Fr>, Buf<E::Fr>), VerifyPowersError> {
    let domain = Domain::new(log_size).map_err(DeviceError::from)?;
    let mut short = vec![E::Fr::ZERO; domain.size()];
    short.iter_mut().take(powers).for_each(|w| *w = weight(rng));
    let short = Buf::from(short);
    let (left, right) = (domain.size(), short.len());
    let p = Poly::<_, Coeff>::new(domain, short.clone());
    let p = p.ok_or(DeviceError::LengthMismatch { op: "ntt", left, right })?;
    Ok((short, on.ntt(p)?.into_buf()))
}

/// Compares `Σ d_i·P_i` of the powers with `Σ d(ω^j)·L_j` of the Lagrange points of one domain.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
fn lagrange_level<C: Curve>(
    part: &'static str,
    powers: &PointSource<C>,
    points: &PointSource<C>,
    short: &Buf<C::Scalar>,
    values: &Buf<C::Scalar>,
    msm: Msm<'_, C>,
    done: &mut dyn FnMut(u64),
) -> Result<(), VerifyPowersError> {
    let n = short.len();
    let mut sum = |source: &PointSource<C>, from: usize, count: usize, weights: &Buf<C::Scalar>| {
        let mut sum = Jacobian::INFINITY;
        for start in (0..count).step_by(CHUNK) {
            let end = count.min(start.saturating_add(CHUNK));
            let mut piece = Vec::new();
            source.decode(from.saturating_add(start)..from.saturating_add(end), &mut piece)?;
            sum += msm(Buf::from(piece).view(), weights.slice(start..end))?;
            done(widen(end.saturating_sub(start)));
        }
        Ok::<_, VerifyPowersError>(sum)
    };
    // The domains of 1, 2, 4, … points stand one after another.
    let of_powers = sum(powers, 0, n.min(powers.len()), short)?;
    if of_powers == sum(points, n.saturating_sub(1), n, values)? {
        return Ok(());
    }
    Err(VerifyPowersError::Powers { part, what: "its Lagrange points are not those of the powers" })
}
