//! Whether points are the powers of tau, and the prepared points their Lagrange points, before a setup trusts them.
//!
//! One random polynomial `d` of short coefficients tests everything. A list `P` of successive multiples by τ has
//! `Σ d_i·P_{i+1} = τ·Σ d_i·P_i`, which a pairing compares with the second power; and Lagrange points `L` of the
//! powers `P` have `Σ d(ω^j)·L_j = Σ d_i·P_i`. A list that is something else passes with probability about 2^-80.
//! Membership in the prime-order subgroup is tested on the first points and on the sums, not on every point.

use super::SetupError;
use super::powers::{Level, Powers, PowersFault};
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, Poly};
use rand_core::CryptoRng;

/// The random polynomial and what the powers gave for it.
pub(super) struct Checked<E: Pairing> {
    /// `n` coefficients, the last one zero.
    d: Buf<E::Fr>,
    /// The combination `Σ d_i·τ^i` in G1.
    tau_g1: Jacobian<E::G1>,
    /// The combination `Σ d_i·τ^(n+i)` in G1.
    tau_g1_high: Jacobian<E::G1>,
    /// `Σ d_i·τ^i` in the second group.
    tau_g2: Jacobian<E::G2>,
    /// The combination `Σ d_i·α·τ^i` in G1.
    alpha: Jacobian<E::G1>,
    /// The combination `Σ d_i·β·τ^i` in G1.
    beta: Jacobian<E::G1>,
}

/// Checks that the powers are powers of one τ, times α and β, in both groups.
pub(super) fn check_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    powers: &Powers<E>,
    rng: &mut dyn CryptoRng,
) -> Result<Checked<E>, SetupError> {
    let n = powers.tau_g2.len();
    check_heads(powers)?;
    let mut d: Vec<E::Fr> = (1..n).map(|_| short(rng)).collect();
    d.push(E::Fr::ZERO);
    let d = Buf::from(d);
    let mut g1 = |part, points: &Buf<G1Affine<E>>, at: usize| -> Result<Jacobian<E::G1>, SetupError> {
        let range: Range<usize> = at..at + n - 1;
        in_subgroup(part, on.msm_g1(points.slice(range), d.slice(..n - 1))?)
    };
    let tau = [
        g1("tauG1", &powers.tau_g1, 0)?,
        g1("tauG1", &powers.tau_g1, 1)?,
        g1("tauG1", &powers.tau_g1, n - 1)?,
        g1("tauG1", &powers.tau_g1, n)?,
    ];
    let alpha = [g1("alphaTauG1", &powers.alpha_tau_g1, 0)?, g1("alphaTauG1", &powers.alpha_tau_g1, 1)?];
    let beta = [g1("betaTauG1", &powers.beta_tau_g1, 0)?, g1("betaTauG1", &powers.beta_tau_g1, 1)?];
    let mut g2 = |at: usize| -> Result<Jacobian<E::G2>, SetupError> {
        let sum = on.msm_g2(powers.tau_g2.slice(at..at + n - 1), d.slice(..n - 1))?;
        in_subgroup("tauG2", sum)
    };
    let tau_g2 = [g2(0)?, g2(1)?];

    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let chains = [
        ("tauG1", tau[0], tau[1]),
        ("tauG1", tau[2], tau[3]),
        ("alphaTauG1", alpha[0], alpha[1]),
        ("betaTauG1", beta[0], beta[1]),
    ];
    for (part, sum, next) in chains {
        let sides = [(sum.to_affine(), powers.tau_g2[1]), (-next.to_affine(), one_g2)];
        holds(on, &sides, PowersFault::NotPowers { part })?;
    }
    // The sums end at power 2n - 2, the last that proofs need; one more where there is one.
    if let Some(last) = powers.tau_g1.get(2 * n - 1) {
        let sides = [(powers.tau_g1[2 * n - 2], powers.tau_g2[1]), (-*last, one_g2)];
        holds(on, &sides, PowersFault::NotPowers { part: "tauG1" })?;
    }
    let sides = [(powers.tau_g1[1], tau_g2[0].to_affine()), (-one_g1, tau_g2[1].to_affine())];
    holds(on, &sides, PowersFault::NotPowers { part: "tauG2" })?;
    let sides = [(powers.beta_tau_g1[0], one_g2), (-one_g1, powers.beta_g2)];
    holds(on, &sides, PowersFault::BetaDiffers)?;
    Ok(Checked { d, tau_g1: tau[0], tau_g1_high: tau[3], tau_g2: tau_g2[0], alpha: alpha[0], beta: beta[0] })
}

/// Checks that prepared points are the Lagrange points of powers that have passed.
pub(super) fn check_level<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    level: &Level<E>,
    checked: &Checked<E>,
) -> Result<(), SetupError> {
    let values = evaluate(on, domain, checked.d.clone())?;
    let mut g1 = |part, points: &Buf<G1Affine<E>>, values: &Buf<E::Fr>, sum| {
        equal(part, on.msm_g1(points.view(), values.view())?, sum)
    };
    g1("lagrange tauG1", &level.tau_g1, &values, checked.tau_g1)?;
    g1("lagrange alphaTauG1", &level.alpha_tau_g1, &values, checked.alpha)?;
    g1("lagrange betaTauG1", &level.beta_tau_g1, &values, checked.beta)?;
    equal("lagrange tauG2", on.msm_g2(level.tau_g2.view(), values.view())?, checked.tau_g2)?;

    // The odd positions of the double domain: weights (d·(x^n - 1))(x) at x = v·ω^i, v the odd shift. That is
    // -2·d(x) there and zero at the even positions, and Σ d_i·(τ^(n+i) - τ^i) on the side of the powers. The last
    // power of the double domain, which ceremonies of exactly this size lack, has the coefficient d_{n-1} = 0.
    let (shift, mut scale) = (domain.odd_shift()?, -E::Fr::from(2));
    let mut shifted = checked.d.clone();
    for x in shifted.iter_mut() {
        *x *= scale;
        scale *= shift;
    }
    let values = evaluate(on, domain, shifted)?;
    let sum = on.msm_g1(level.odd.view(), values.view())?;
    equal("lagrange tauG1 of the double domain", sum, checked.tau_g1_high - checked.tau_g1)
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
    let sides = [(sum.to_affine(), *tau_g2), (-next.to_affine(), *one_g2)];
    holds(on, &sides, PowersFault::NotPowers { part: "tauG1" })
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

/// Whether a product of two pairings is one.
fn holds<E: Pairing>(
    on: &mut Session<'_, E>,
    sides: &[(G1Affine<E>, G2Affine<E>)],
    fault: PowersFault,
) -> Result<(), SetupError> {
    if on.multi_pairing(sides)? == E::Gt::ONE { Ok(()) } else { Err(fault.into()) }
}

/// A uniform weight of 80 bits.
fn short<F: PrimeField>(rng: &mut dyn CryptoRng) -> F {
    F::from_limbs_reduced(&[rng.next_u64(), rng.next_u64() & 0xffff])
}
