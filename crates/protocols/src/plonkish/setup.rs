//! The steps of a setup that Plonk and fflonk share: powers of τ, checked or drawn; the table of gates; its permutation.

use super::gates::Gates;
use super::sizes::Plan;
use crate::groth16::{PowersFault, PowersOfTau, Secret, SetupError, check_chain, read_points};
use crate::r1cs::ConstraintSource;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing};
use pairwright_device::{Operator, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, Poly};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// Name of the session's phase in which powers are checked or drawn.
const POWERS: &str = "powers of tau";
/// The smallest size of a domain, as in snarkjs.
pub(crate) const LEAST_ROWS: usize = 8;

/// Adds the calls of [`checked_powers`] that take significant time to a plan.
pub(crate) fn plan_checked(plan: &mut Plan, used: usize) {
    plan.phase(POWERS);
    plan.call("read_powers", used);
    (0..2).for_each(|_| plan.call(Operator::MsmG1.name(), used - 1));
}

/// Adds the calls of [`drawn_powers`] to a plan.
pub(crate) fn plan_drawn(plan: &mut Plan, used: usize) {
    plan.phase(POWERS);
    plan.call(Operator::MultiplesG1.name(), used);
    plan.call(Operator::MultiplesG2.name(), 1);
}

/// Reads the first `used` powers of τ in G1, and τ in G2, and checks that they belong to one τ.
pub(crate) fn checked_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    powers: &dyn PowersOfTau<E>,
    used: usize,
    rng: &mut dyn CryptoRng,
) -> Result<(Buf<G1Affine<E>>, G2Affine<E>), SetupError> {
    on.phase(POWERS);
    let points: Buf<G1Affine<E>> =
        on.host("read_powers", used, || read_points("tauG1", powers.tau_g1(), 0..used))?.into();
    let of_g2: Vec<G2Affine<E>> = read_points("tauG2", powers.tau_g2(), 0..2)?;
    let of_g2: [G2Affine<E>; 2] = of_g2.try_into().map_err(|short: Vec<_>| PowersFault::Short {
        part: "tauG2",
        expected: 2,
        found: short.len(),
    })?;
    check_chain(on, &points, &of_g2, rng)?;
    let [_, x_2] = of_g2;
    Ok((points, x_2))
}

/// Draws a τ, and computes its first `used` powers in G1, and τ in G2. The τ and its powers as scalars are wiped.
pub(crate) fn drawn_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    used: usize,
    rng: &mut dyn CryptoRng,
) -> Result<(Buf<G1Affine<E>>, G2Affine<E>), SetupError> {
    on.phase(POWERS);
    let tau = loop {
        let tau = Zeroizing::new(E::Fr::random(rng));
        // τ must not be a point of the domain.
        if !tau.is_zero() && domain.power_of(*tau) != E::Fr::ONE {
            break tau;
        }
    };
    // The capacity is reserved, because a vector that grows leaves copies of its elements behind.
    let mut powers = Vec::with_capacity(used);
    powers.extend(core::iter::successors(Some(E::Fr::ONE), |x| Some(*x * *tau)).take(used));
    let powers = Secret::new(powers);
    let points = on.multiples_g1(&Affine::<E::G1>::generator(), powers.0.view())?;
    let of_g2 = on.multiples_g2(&Affine::<E::G2>::generator(), powers.0.slice(1..2))?;
    Ok((points, of_g2[0]))
}

/// Computes the table of gates of a circuit by `gates`, and a domain with a point for each row and for `spare` more.
pub(crate) fn gates_of<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    gates: fn(&dyn ConstraintSource<E::Fr>) -> Result<Gates<E::Fr>, SetupError>,
    spare: usize,
) -> Result<(Gates<E::Fr>, Domain<E::Fr>), SetupError> {
    on.phase("circuit");
    let gates = on.host("read_constraints", system.shape().constraints, || gates(system))?;
    let domain = Domain::<E::Fr>::covering((gates.rows() + spare).max(LEAST_ROWS))?;
    Ok((gates, domain))
}

/// Computes the coefficients of the polynomial with these values on the domain, padded with zeros.
pub(crate) fn interpolated<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: Domain<E::Fr>,
    mut values: Vec<E::Fr>,
) -> Result<Buf<E::Fr>, SetupError> {
    let n = domain.size();
    values.resize(n, E::Fr::ZERO);
    let Some(p) = Poly::new(domain, values.into()) else {
        return Err(PowersFault::Short { part: "tauG1", expected: n, found: 0 }.into());
    };
    Ok(on.intt(p)?.into_buf())
}

/// The factors `k1` and `k2` of the columns b and c: the smallest integers from two on such that the domain and its cosets by them
/// are disjoint.
pub(crate) fn factors<F: PrimeField>(domain: &Domain<F>) -> (F, F) {
    let power = |x: F| domain.power_of(x);
    let mut k1 = F::from(2);
    while power(k1) == F::ONE {
        k1 += F::ONE;
    }
    let mut k2 = k1 + F::ONE;
    while power(k2) == F::ONE || power(k2) == power(k1) {
        k2 += F::ONE;
    }
    (k1, k2)
}

/// The values of S1, S2 and S3 on the domain: for every cell the name of the previous cell, row by row, with the same wire; the first
/// cell of a wire gets the name of its last. The cell of row `i` in a column with factor `k` is named `k·ω^i`. Unused rows after the
/// gates have wire 0 in all their cells. The cells of the rows from `tied` on are not tied to others: they keep their own names.
pub(crate) fn permutation<F: PrimeField>(
    gates: &Gates<F>,
    domain: &Domain<F>,
    factors: [F; 3],
    tied: usize,
) -> [Vec<F>; 3] {
    /// No cell has this number.
    const NONE: usize = usize::MAX;
    let n = domain.size();
    let names: Vec<F> = core::iter::successors(Some(F::ONE), |x| Some(*x * domain.root())).take(n).collect();
    // Cell `column + 3·row`.
    let name = |cell: usize| factors[cell % 3] * names[cell / 3];
    let mut sigmas = [(); 3].map(|()| vec![F::ZERO; n]);
    let (mut first, mut last) = (vec![NONE; gates.wires], vec![NONE; gates.wires]);
    for row in tied..n {
        for (column, sigma) in sigmas.iter_mut().enumerate() {
            sigma[row] = name(column + 3 * row);
        }
    }
    for row in 0..tied {
        for column in 0..3 {
            let wire = gates.columns[column].get(row).map_or(0, |wire| *wire as usize);
            if last[wire] == NONE {
                first[wire] = column + 3 * row;
            } else {
                sigmas[column][row] = name(last[wire]);
            }
            last[wire] = column + 3 * row;
        }
    }
    for (first, last) in first.into_iter().zip(last).filter(|(first, _)| *first != NONE) {
        sigmas[first % 3][first / 3] = name(last);
    }
    sigmas
}
