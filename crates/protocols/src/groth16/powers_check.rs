//! Checks that points are the powers of tau, and that prepared points are their Lagrange points, before a setup relies on them.
//!
//! Points are read by ranges; no list is in memory as a whole. The checks are:
//!
//! - The powers of τ in G1 are combined with the powers of a random x, `S = Σ x^i·P_i`, and `S - P_0 = x·Σ x^i·P_{i+1}` is compared
//!   with `τ·x` times the sum without its last term.
//! - All other lists of powers are compared with these by short random weights w, the same for all lists:
//!   `e(Σ w_i·P_i, 1) = e(1, D)` for `D = Σ w_i·τ^i` in G2, and `e(Σ w_i·α·τ^i, 1) = e(α, D)`.
//! - Lagrange points L in G1 have `Σ d(ω^j)·L_j = Σ x^i·τ^i` for the polynomial `d = Σ x^i·X^i`, whose values are quotients:
//!   `d(ω^j) = (x^n - 1)/(x·ω^j - 1)`.
//! - The other lists of Lagrange points are compared with those in G2, with weights w.
//!
//! A list that fails its condition passes with probability about 2^-80. Membership in the prime-order subgroup is tested on the first
//! points and on the sums, not on every point.

use super::SetupError;
use super::powers::{List, Powers, PowersFault, PreparedLists};
use crate::short_weights::{ShortWeights, in_pieces};
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::{Field, PrimeField, batch_invert};
use pairwright_poly::{Buf, Domain, View};
use rand_core::CryptoRng;

/// The random values with which the powers were checked, and the resulting sums, for the check of the Lagrange points.
pub(super) struct Checked<E: Pairing> {
    /// The random scalar x.
    x: E::Fr,
    weights: ShortWeights,
    /// Number of points of G1 and of G2 that are in memory at a time.
    steps: [usize; 2],
    /// The combination `Σ x^i·τ^i` in G1 for `i` below `n - 1`.
    tau: Jacobian<E::G1>,
    /// The term that `tau` lacks: `x^(n-1)·τ^(n-1)` in G1.
    last: Jacobian<E::G1>,
    /// The combination `Σ x^i·τ^(n+i)` in G1 for `i` below `n - 1`; proofs do not need the last power.
    tau_high: Jacobian<E::G1>,
    /// The points α and β of G1.
    pub(super) heads: [G1Affine<E>; 2],
}

/// The session's MSM operator of a group.
type Msm<'d, E, C> = fn(
    &mut Session<'d, E>,
    View<'_, Affine<C>>,
    View<'_, <C as Curve>::Scalar>,
) -> Result<Jacobian<C>, DeviceError>;

/// Computes `N` sums over a range of a list in one pass, each with its own scalars for the points. `step` points are read at a time.
fn sums<'d, E: Pairing, C: Curve<Scalar = E::Fr>, const N: usize>(
    on: &mut Session<'d, E>,
    msm: Msm<'d, E, C>,
    (list, range): (&List<'_, C>, Range<usize>),
    step: usize,
    mut scalars: impl FnMut(Range<usize>) -> [Buf<E::Fr>; N],
) -> Result<[Jacobian<C>; N], SetupError> {
    let mut sums = [Jacobian::INFINITY; N];
    for start in range.clone().step_by(step) {
        let part = start..range.end.min(start + step);
        let points = list.buf(part.clone())?;
        for (sum, scalars) in sums.iter_mut().zip(scalars(part)) {
            *sum += msm(on, points.view(), scalars.view())?;
        }
    }
    Ok(sums)
}

/// The powers `x^i` of a range of exponents.
fn powers_of<F: PrimeField>(x: F, range: Range<usize>) -> Buf<F> {
    in_pieces(range, |piece| powers(x, piece).collect())
}

/// An iterator over the powers `x^i` of a range of exponents.
fn powers<F: Field>(x: F, range: Range<usize>) -> impl Iterator<Item = F> {
    let first = x.pow_vartime(&[range.start as u64]);
    core::iter::successors(Some(first), move |y| Some(*y * x)).take(range.len())
}

/// Checks that the lists are the powers of one τ in both groups, and these times α and times β in G1.
pub(super) fn check_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    powers: &Powers<'_, E>,
    steps: [usize; 2],
    rng: &mut dyn CryptoRng,
) -> Result<Checked<E>, SetupError> {
    let (n, tau_list) = (powers.n, &powers.tau_g1);
    let heads = check_heads(powers)?;
    let x = loop {
        let x = E::Fr::random(rng);
        // No denominator below is zero.
        if !x.is_zero() && x.pow_vartime(&[2 * n as u64]) != E::Fr::ONE {
            break x;
        }
    };
    let weights = ShortWeights::draw(rng);
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let tau_g2 = powers.tau_g2.read(1..2)?[0];

    let [tau, weighted] = sums(on, Session::msm_g1, (tau_list, 0..n - 1), steps[0], |part| {
        [powers_of(x, part.clone()), weights.of(part)]
    })?;
    let [tau_high] = sums(on, Session::msm_g1, (tau_list, n..2 * n - 1), steps[0], |part| {
        [powers_of(x, part.start - n..part.end - n)]
    })?;
    let end = tau_list.read(n - 1..n)?[0];
    let at = |i: usize| x.pow_vartime(&[i as u64]);
    let last = end.to_jacobian().mul_vartime(&at(n - 1));
    let low = in_subgroup("tauG1", tau + last)?;
    let whole = low + in_subgroup("tauG1", tau_high)?.mul_vartime(&at(n));
    // The combinations of the powers up to 2n - 2, the last that proofs need: without the last power, times x, and without the first.
    let last_needed = tau_list.read(2 * n - 2..2 * n - 1)?[0];
    let but_last = whole - last_needed.to_jacobian().mul_vartime(&at(2 * n - 2));
    let but_first = whole - one_g1.to_jacobian();
    let wrong = PowersFault::NotPowers { part: "tauG1" };
    let sides = [but_last.mul_vartime(&x).to_affine(), but_first.to_affine()];
    same_ratio(on, sides, [one_g2, tau_g2], wrong)?;
    if powers.whole {
        let after = tau_list.read(2 * n - 1..2 * n)?[0];
        same_ratio(on, [last_needed, after], [one_g2, tau_g2], wrong)?;
    }

    let [in_g2] =
        sums(on, Session::msm_g2, (&powers.tau_g2, 0..n), steps[1], |part| [weights.of::<E::Fr>(part)])?;
    let in_g2 = in_subgroup("tauG2", in_g2)?.to_affine();
    let of_last = end.to_jacobian().mul_vartime(&weights.of::<E::Fr>(n - 1..n)[0]);
    let sides = [one_g1, in_subgroup("tauG1", weighted + of_last)?.to_affine()];
    same_ratio(on, sides, [one_g2, in_g2], PowersFault::NotPowers { part: "tauG2" })?;
    for (list, head) in [(&powers.alpha_tau_g1, heads[0]), (&powers.beta_tau_g1, heads[1])] {
        let [sum] = sums(on, Session::msm_g1, (list, 0..n), steps[0], |part| [weights.of::<E::Fr>(part)])?;
        let (part, sum) = (list.part, in_subgroup(list.part, sum)?.to_affine());
        same_ratio(on, [head, sum], [one_g2, in_g2], PowersFault::NotPowers { part })?;
    }
    same_ratio(on, [one_g1, heads[1]], [one_g2, powers.beta_g2], PowersFault::BetaDiffers)?;
    Ok(Checked { x, weights, steps, tau, last, tau_high, heads })
}

/// Checks that prepared points are the Lagrange points of powers that have passed [`check_powers`].
pub(super) fn check_level<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    level: &PreparedLists<'_, E>,
    checked: &Checked<E>,
) -> Result<(), SetupError> {
    let (n, x, [step, step_g2]) = (domain.size(), checked.x, checked.steps);
    let of_points = |range: Range<usize>| powers(domain.root(), range);
    let weights = |part: Range<usize>| checked.weights.of::<E::Fr>(part);
    let above = x.pow_vartime(&[n as u64]) - E::Fr::ONE;
    let [sum, weighted] = sums(on, Session::msm_g1, (&level.tau_g1, 0..n), step, |part| {
        let values = in_pieces(part.clone(), |piece| {
            let mut values: Vec<E::Fr> = of_points(piece).map(|at| x * at - E::Fr::ONE).collect();
            batch_invert(&mut values);
            values.iter_mut().for_each(|value| *value *= above);
            values
        });
        [values, weights(part)]
    })?;
    equal("lagrange tauG1", sum, checked.tau + checked.last)?;

    // The weights that checked the powers also check the Lagrange points.
    let [in_g2] = sums(on, Session::msm_g2, (&level.tau_g2, 0..n), step_g2, |part| [weights(part)])?;
    let in_g2 = in_subgroup("lagrange tauG2", in_g2)?.to_affine();
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let ratio = |on: &mut Session<'_, E>, part, sum: Jacobian<E::G1>, head, sum_of| {
        let sum = in_subgroup(sum_of, sum)?.to_affine();
        same_ratio(on, [head, sum], [one_g2, in_g2], PowersFault::NotLagrange { part })
    };
    ratio(on, "lagrange tauG2", weighted, one_g1, "lagrange tauG1")?;
    for (list, head) in [(&level.alpha_tau_g1, checked.heads[0]), (&level.beta_tau_g1, checked.heads[1])] {
        let [sum] = sums(on, Session::msm_g1, (list, 0..n), step, |part| [weights(part)])?;
        ratio(on, list.part, sum, head, list.part)?;
    }

    // The odd positions of the double domain: weights (d·(X^n - 1))(y) at y = v·ω^j, v the odd shift, for d without its last
    // term. That is -2·d(y) there and zero at the even positions, and Σ x^i·(τ^(n+i) - τ^i) on the side of the powers. The last
    // power of the double domain, which ceremonies of exactly this size lack, is left out. As y^n = -1,
    // -2·d(y) = 2·(x^(n-1) + y)/(y·(x·y - 1)).
    let (shift, last) = (domain.odd_shift()?, x.pow_vartime(&[n as u64 - 1]));
    let [sum] = sums(on, Session::msm_g1, (&level.odd, 0..n), step, |part| {
        [in_pieces(part, |piece| {
            let at = || of_points(piece.clone()).map(|y| y * shift);
            let mut values: Vec<E::Fr> = at().map(|y| y * (x * y - E::Fr::ONE)).collect();
            batch_invert(&mut values);
            values.iter_mut().zip(at()).for_each(|(value, y)| *value *= (last + y) + (last + y));
            values
        })]
    })?;
    equal("lagrange tauG1 of the double domain", sum, checked.tau_high - checked.tau)
}

/// Checks that at least two points of G1 are the powers of τ, beginning with the generator, where G2 has `[1, τ]`.
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
    let d = ShortWeights::draw(rng).of::<E::Fr>(0..last);
    let sum = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(..last), d.view())?)?;
    let next = in_subgroup("tauG1", on.msm_g1(tau_g1.slice(1..), d.view())?)?;
    let sums = [sum.to_affine(), next.to_affine()];
    same_ratio(on, sums, [*one_g2, *tau_g2], PowersFault::NotPowers { part: "tauG1" })
}

/// Checks the first points of all lists: that the powers of τ begin with the generators, and that all are in their subgroups. Returns α
/// and β in G1.
fn check_heads<E: Pairing>(powers: &Powers<'_, E>) -> Result<[G1Affine<E>; 2], SetupError> {
    let (tau_g1, tau_g2) = (powers.tau_g1.read(0..2)?, powers.tau_g2.read(0..2)?);
    let heads = [powers.alpha_tau_g1.first()?, powers.beta_tau_g1.first()?];
    if tau_g1[0] != Affine::generator() {
        return Err(PowersFault::NotGenerator { part: "tauG1" }.into());
    }
    if tau_g2[0] != Affine::generator() {
        return Err(PowersFault::NotGenerator { part: "tauG2" }.into());
    }
    head("tauG1", &tau_g1[1])?;
    head("alphaTauG1", &heads[0])?;
    head("betaTauG1", &heads[1])?;
    head("tauG2", &tau_g2[1])?;
    head("betaG2", &powers.beta_g2)?;
    Ok(heads)
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

/// Fails with `fault` unless `b = x·a` in G1 and `d = x·c` in G2 for the same x: `e(a, d) = e(b, c)`.
fn same_ratio<E: Pairing>(
    on: &mut Session<'_, E>,
    [a, b]: [G1Affine<E>; 2],
    [c, d]: [G2Affine<E>; 2],
    fault: PowersFault,
) -> Result<(), SetupError> {
    if on.multi_pairing(&[(a, d), (-b, c)])? == E::Gt::ONE { Ok(()) } else { Err(fault.into()) }
}
