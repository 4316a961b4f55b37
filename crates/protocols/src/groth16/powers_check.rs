//! Whether points are the powers of tau, and the prepared points their Lagrange points, before a setup trusts them.
//!
//! A random polynomial d of short coefficients tests the powers of τ in G1: `Σ d_i·P_{i+1} = τ·Σ d_i·P_i`, which a pairing
//! compares with the second power. All other lists are compared with these, or with `D = Σ d_i·τ^i` in G2, combined with the
//! same d: `e(Σ d_i·α·τ^i, 1) = e(α, D)`. Lagrange points L in G1 have `Σ d(ω^j)·L_j = Σ d_i·τ^i`, whose scalars are long; the
//! other lists of Lagrange points are compared with those in G2, with the coefficients of d as weights. The first list that is
//! something else passes with probability about 2^-80. Membership in the prime-order subgroup is tested on the first points and on the
//! sums, not on every point.

use super::SetupError;
use super::powers::{Level, Powers, PowersFault};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, Poly};
use rand_core::CryptoRng;

/// The random polynomial and what the powers gave for it.
pub(super) struct Checked<E: Pairing> {
    /// Its `n` coefficients.
    d: Buf<E::Fr>,
    /// The combination `Σ d_i·τ^i` in G1, without the last power.
    tau: Jacobian<E::G1>,
    /// The last coefficient times the last power.
    last: Jacobian<E::G1>,
    /// The combination `Σ d_i·τ^(n+i)` in G1, without the last power, which proofs do not need.
    tau_high: Jacobian<E::G1>,
    /// The points α and β of G1.
    heads: [G1Affine<E>; 2],
}

/// Checks that the powers are powers of one τ, times α and β, in both groups.
pub(super) fn check_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    powers: &Powers<E>,
    rng: &mut dyn CryptoRng,
) -> Result<Checked<E>, SetupError> {
    let n = powers.tau_g2.len();
    check_heads(powers)?;
    let d: Buf<E::Fr> = (0..n).map(|_| short::<E::Fr>(rng)).collect();
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let (tau_g1, tau_g2) = (&powers.tau_g1, powers.tau_g2[1]);
    let but_last = || d.slice(..n - 1);

    let sum = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(..n - 1), but_last())?)?;
    let next = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(1..n), but_last())?)?;
    let wrong = PowersFault::NotPowers { part: "tauG1" };
    same_ratio(on, [sum.to_affine(), next.to_affine()], [one_g2, tau_g2], wrong)?;
    let last = tau_g1[n - 1].to_jacobian().mul_vartime(&d[n - 1]);

    let in_g2 = in_subgroup("tauG2", on.msm_g2(powers.tau_g2.slice(..n - 1), but_last())?)?;
    let last_in_g2 = powers.tau_g2[n - 1].to_jacobian().mul_vartime(&d[n - 1]);
    let all_in_g2 = in_subgroup("tauG2", in_g2 + last_in_g2)?.to_affine();
    let sides = [one_g1, in_subgroup("tauG1", sum + last)?.to_affine()];
    same_ratio(on, sides, [one_g2, all_in_g2], PowersFault::NotPowers { part: "tauG2" })?;

    // The upper half ends at power 2n - 2, the last that proofs need; one more where there is one.
    same_ratio(on, [tau_g1[n - 1], tau_g1[n]], [one_g2, tau_g2], wrong)?;
    let tau_high = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(n..2 * n - 1), but_last())?)?;
    same_ratio(on, [tau_g1[n], tau_high.to_affine()], [one_g2, in_g2.to_affine()], wrong)?;
    if let Some(end) = tau_g1.get(2 * n - 1) {
        same_ratio(on, [tau_g1[2 * n - 2], *end], [one_g2, tau_g2], wrong)?;
    }
    let heads = [powers.alpha_tau_g1[0], powers.beta_tau_g1[0]];
    for (part, points, head) in
        [("alphaTauG1", &powers.alpha_tau_g1, heads[0]), ("betaTauG1", &powers.beta_tau_g1, heads[1])]
    {
        let sum = in_subgroup(part, on.msm_g1(points.view(), d.view())?)?.to_affine();
        same_ratio(on, [head, sum], [one_g2, all_in_g2], PowersFault::NotPowers { part })?;
    }
    same_ratio(on, [one_g1, heads[1]], [one_g2, powers.beta_g2], PowersFault::BetaDiffers)?;
    Ok(Checked { d, tau: sum, last, tau_high, heads })
}

/// Checks that prepared points are the Lagrange points of powers that have passed.
pub(super) fn check_level<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    level: &Level<E>,
    checked: &Checked<E>,
) -> Result<(), SetupError> {
    let values = evaluate(on, domain, checked.d.clone())?;
    let sum = on.msm_g1(level.tau_g1.view(), values.view())?;
    equal("lagrange tauG1", sum, checked.tau + checked.last)?;

    // The coefficients are random weights of as many points: the same randomness serves raw and prepared powers.
    let weights = &checked.d;
    let in_g2 = on.msm_g2(level.tau_g2.view(), weights.view())?;
    let in_g2 = in_subgroup("lagrange tauG2", in_g2)?.to_affine();
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let [alpha, beta] = checked.heads;
    for (sum_of, part, points, head) in [
        ("lagrange tauG1", "lagrange tauG2", &level.tau_g1, one_g1),
        ("lagrange alphaTauG1", "lagrange alphaTauG1", &level.alpha_tau_g1, alpha),
        ("lagrange betaTauG1", "lagrange betaTauG1", &level.beta_tau_g1, beta),
    ] {
        let sum = in_subgroup(sum_of, on.msm_g1(points.view(), weights.view())?)?.to_affine();
        same_ratio(on, [head, sum], [one_g2, in_g2], PowersFault::NotLagrange { part })?;
    }

    // The odd positions of the double domain: weights (d·(x^n - 1))(x) at x = v·ω^i, v the odd shift. That is
    // -2·d(x) there and zero at the even positions, and Σ d_i·(τ^(n+i) - τ^i) on the side of the powers. The last
    // power of the double domain, which ceremonies of exactly this size lack, is left out: its coefficient is zero.
    let (shift, mut scale) = (domain.odd_shift()?, -E::Fr::from(2));
    let mut shifted = checked.d.clone();
    let at = shifted.len() - 1;
    shifted[at] = E::Fr::ZERO;
    for x in shifted.iter_mut() {
        *x *= scale;
        scale *= shift;
    }
    let values = evaluate(on, domain, shifted)?;
    let sum = on.msm_g1(level.odd.view(), values.view())?;
    equal("lagrange tauG1 of the double domain", sum, checked.tau_high - checked.tau)
}

/// The values of a polynomial on the domain.
fn evaluate<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    coefficients: Buf<E::Fr>,
) -> Result<Buf<E::Fr>, SetupError> {
    let found = coefficients.len();
    let poly = Poly::new(*domain, coefficients);
    let poly = poly.ok_or(PowersFault::Short { part: "tauG2", expected: domain.size(), found })?;
    Ok(on.ntt(poly)?.into_buf())
}

/// Checks that points of G1, two at least, are the powers of the τ of which G2 has `[1, τ]`, the generators first.
pub(crate) fn check_chain<E: Pairing>(
    on: &mut Session<'_, E>,
    tau_g1: &Buf<G1Affine<E>>,
    [one_g2, tau_g2]: &[G2Affine<E>; 2],
    rng: &mut dyn CryptoRng,
) -> Result<(), SetupError> {
    if tau_g1.first() != Some(&Affine::generator()) {
        return Err(PowersFault::NotGenerator { part: "tauG1" }.into());
    }
    if *one_g2 != Affine::generator() {
        return Err(PowersFault::NotGenerator { part: "tauG2" }.into());
    }
    head("tauG2", tau_g2)?;
    let last = tau_g1.len() - 1;
    let d: Buf<E::Fr> = (0..last).map(|_| short::<E::Fr>(rng)).collect();
    let sum = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(..last), d.view())?)?;
    let next = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(1..), d.view())?)?;
    let sums = [sum.to_affine(), next.to_affine()];
    same_ratio(on, sums, [*one_g2, *tau_g2], PowersFault::NotPowers { part: "tauG1" })
}

/// The first points: generators where they must be, all in their subgroups.
fn check_heads<E: Pairing>(powers: &Powers<E>) -> Result<(), SetupError> {
    if powers.tau_g1[0] != Affine::generator() {
        return Err(PowersFault::NotGenerator { part: "tauG1" }.into());
    }
    if powers.tau_g2[0] != Affine::generator() {
        return Err(PowersFault::NotGenerator { part: "tauG2" }.into());
    }
    head("tauG1", &powers.tau_g1[1])?;
    head("alphaTauG1", &powers.alpha_tau_g1[0])?;
    head("betaTauG1", &powers.beta_tau_g1[0])?;
    let tau: &G2Affine<E> = &powers.tau_g2[1];
    head("tauG2", tau)?;
    head("betaG2", &powers.beta_g2)
}

fn head<C: Curve>(part: &'static str, p: &Affine<C>) -> Result<(), SetupError> {
    if p.is_infinity() || !p.is_on_curve() {
        return Err(PowersFault::BadPoint { part, index: 0 }.into());
    }
    if !p.is_in_subgroup_vartime() {
        return Err(PowersFault::WrongSubgroup { part }.into());
    }
    Ok(())
}

fn in_subgroup<C: Curve>(part: &'static str, sum: Jacobian<C>) -> Result<Jacobian<C>, SetupError> {
    if sum.to_affine().is_in_subgroup_vartime() {
        Ok(sum)
    } else {
        Err(PowersFault::WrongSubgroup { part }.into())
    }
}

fn equal<C: Curve>(part: &'static str, a: Jacobian<C>, b: Jacobian<C>) -> Result<(), SetupError> {
    if a == b { Ok(()) } else { Err(PowersFault::NotLagrange { part }.into()) }
}

/// Whether `b = x·a` in G1 and `d = x·c` in G2 for one x: `e(a, d) = e(b, c)`.
fn same_ratio<E: Pairing>(
    on: &mut Session<'_, E>,
    [a, b]: [G1Affine<E>; 2],
    [c, d]: [G2Affine<E>; 2],
    fault: PowersFault,
) -> Result<(), SetupError> {
    if on.multi_pairing(&[(a, d), (-b, c)])? == E::Gt::ONE { Ok(()) } else { Err(fault.into()) }
}

/// A uniform weight of 80 bits.
fn short<F: PrimeField>(rng: &mut dyn CryptoRng) -> F {
    F::from_limbs_reduced(&[rng.next_u64(), rng.next_u64() & 0xffff])
}
