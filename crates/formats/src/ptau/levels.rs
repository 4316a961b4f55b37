//! Verifies that the Lagrange points of a file belong to its powers, which have been verified before.
//!
//! For each domain, the points `L_j` of τ in G1 are compared with the powers by a random polynomial d of short coefficients:
//! `Σ d(ω^j)·L_j = Σ d_i·τ^i`. The values `d(ω^j)` are long, so the other lists are compared with that one instead, with short
//! weights w that they share: `e(Σ w_j·L_j, 1) = e(1, Σ w_j·L_j in G2)`, and of the sums with α and β,
//! `e(Σ w_j·α·L_j, 1) = e(α, Σ w_j·L_j in G2)`.

use super::chain::{G2_WEIGHT, Msm};
use super::error::VerifyPowersError;
use super::weights::{CHUNK, Weights};
use super::{Lagrange, PtauFile};
use crate::ceremony::ratio::holds;
use crate::container::widen;
use crate::points::PointSource;
use crate::sizes::chunks;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, G1Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{Buf, Coeff, Domain, Poly, Source};
use pairwright_protocols::short_weights::ShortWeights;
use rand_core::CryptoRng;

/// Verifies the Lagrange points of every domain.
pub(super) fn verify_levels<E: Pairing>(
    on: &mut Session<'_, E>,
    ptau: &PtauFile<E>,
    lagrange: &Lagrange<E>,
    [alpha, beta]: [G1Affine<E>; 2],
    rng: &mut dyn CryptoRng,
    done: &mut dyn FnMut(u64),
) -> Result<(), VerifyPowersError> {
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let wrong = |part| {
        Err(VerifyPowersError::Powers { part, what: "its Lagrange points are not those of the powers" })
    };
    for log in 0..=ptau.power.saturating_add(1) {
        let domain = Domain::new(log).map_err(DeviceError::from)?;
        let n = domain.size();
        let (short, values) = polynomial(on, domain, ptau.lists.tau_g1.len(), rng)?;
        let msm: Msm<'_, E::G1> = &mut |p, w| on.msm_g1(p, w);
        let of_powers = combine(&ptau.lists.tau_g1, 0, n.min(ptau.lists.tau_g1.len()), &short, msm, done)?;
        // The points of the domains of sizes 1, 2, 4, … follow each other.
        let at = n.saturating_sub(1);
        if of_powers != combine(&lagrange.tau_g1, at, n, &values, msm, done)? {
            return wrong("tauG1");
        }
        if log > ptau.power {
            break;
        }
        let weights = Weights::draw(n, rng);
        let mut g1 = |on: &mut Session<'_, E>, source| {
            weigh(source, at, &weights, &mut |p, w| on.msm_g1(p, w), &mut |points| done(points))
        };
        let sum = g1(on, &lagrange.tau_g1)?;
        let of_alpha = g1(on, &lagrange.alpha_tau_g1)?;
        let of_beta = g1(on, &lagrange.beta_tau_g1)?;
        let mut weighed = |points: u64| done(points.saturating_mul(G2_WEIGHT));
        let in_g2 = weigh(&lagrange.tau_g2, at, &weights, &mut |p, w| on.msm_g2(p, w), &mut weighed)?;
        for (part, head, sum) in
            [("tauG2", one_g1, sum), ("alphaTauG1", alpha, of_alpha), ("betaTauG1", beta, of_beta)]
        {
            if !holds(on, [head, sum], [one_g2, in_g2])? {
                return wrong(part);
            }
        }
    }
    Ok(())
}

/// Draws a polynomial with short random coefficients, zero where there are no powers, and computes its values on the domain.
fn polynomial<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: Domain<E::Fr>,
    powers: usize,
    rng: &mut dyn CryptoRng,
) -> Result<(Buf<E::Fr>, Buf<E::Fr>), VerifyPowersError> {
    let mut short = ShortWeights::draw(rng).of::<E::Fr>(0..domain.size());
    short.iter_mut().skip(powers).for_each(|w| *w = E::Fr::ZERO);
    let (left, right) = (domain.size(), short.len());
    let p = Poly::<_, Coeff>::new(domain, short.clone());
    let p = p.ok_or(DeviceError::LengthMismatch { op: "ntt", left, right })?;
    Ok((short, on.ntt(p)?.into_buf()))
}

/// Computes `Σ scalars[i]·P_{from+i}` over `n` points.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
fn combine<C: Curve>(
    source: &PointSource<C>,
    from: usize,
    count: usize,
    scalars: &Buf<C::Scalar>,
    msm: Msm<'_, C>,
    done: &mut dyn FnMut(u64),
) -> Result<Jacobian<C>, VerifyPowersError> {
    let mut sum = Jacobian::INFINITY;
    for range in chunks(count, CHUNK) {
        let mut points = Vec::new();
        source.decode(from.saturating_add(range.start)..from.saturating_add(range.end), &mut points)?;
        sum += msm(Buf::from(points).view(), scalars.slice(range.clone()))?;
        done(widen(range.len()));
    }
    Ok(sum)
}

/// Computes `Σ w_i·P_{from+i}`; the weights are generated again from their seed.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
fn weigh<C: Curve>(
    source: &PointSource<C>,
    from: usize,
    weights: &Weights,
    msm: Msm<'_, C>,
    done: &mut dyn FnMut(u64),
) -> Result<Affine<C>, VerifyPowersError> {
    let mut sum = Jacobian::INFINITY;
    for chunk in weights.chunks() {
        let mut points = Vec::new();
        source.decode(from.saturating_add(chunk.start)..from.saturating_add(chunk.end), &mut points)?;
        sum += msm(Buf::from(points).view(), weights.of(&chunk).view())?;
        done(widen(chunk.len()));
    }
    Ok(sum.to_affine())
}
