//! Setup: computes the proving key from a constraint system and powers of tau, of which it is a function without randomness.

use super::{BLINDED_ROWS, PowersOfTau, ProvingKey, SetupError, VerifyingKey, gates, interleave, powers_for};
use crate::plonkish::Gates;
use crate::plonkish::setup::{
    checked_powers, drawn_powers, factors, gates_of, interpolated, permutation, plan_checked, plan_drawn,
};
use crate::plonkish::sizes::Plan;
use crate::r1cs::ConstraintSource;
use alloc::boxed::Box;
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::{Operator, PlannedCall, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, KeySection};
use rand_core::CryptoRng;

/// Makes the proving key of a circuit from powers of tau. It uses as many as [`powers_for`] gives for its domain.
///
/// The powers that the key uses are first checked to be the powers of one τ. `rng` is used only for the weights of that check, so the
/// key depends on (circuit, powers) alone; it is equal to snarkjs'. Variable time: no input is secret.
///
/// # Errors
/// When the constraints cannot be read, or the powers are too few, spoilt or unreadable.
#[inline(never)]
pub fn setup<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    powers: &dyn PowersOfTau<E>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    let (gates, domain) = gates_of(on, system, gates, BLINDED_ROWS)?;
    // A ceremony of power p has 2^(p+1) - 1 powers of τ in G1.
    let (points, needed) = (powers_for(domain.size()), domain.log_size() + 3);
    if needed > powers.power() {
        return Err(SetupError::PointsTooFew { points, needed, found: powers.power() });
    }
    on.plan(|| plan(&domain, plan_checked));
    let (points, x_2) = checked_powers(on, powers, points, rng)?;
    from_powers(on, gates, domain, points, x_2)
}

/// Makes the proving key of a circuit from a τ that is drawn from `rng` and wiped. Whoever can read this process' memory can forge
/// proofs, so it is for tests and private use. The key depends on (circuit, rng) alone.
///
/// # Errors
/// When the constraints cannot be read or a device fails.
#[inline(never)]
pub fn setup_local<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    let (gates, domain) = gates_of(on, system, gates, BLINDED_ROWS)?;
    on.plan(|| plan(&domain, plan_drawn));
    let (points, x_2) = drawn_powers(on, &domain, powers_for(domain.size()), rng)?;
    from_powers(on, gates, domain, points, x_2)
}

/// The planned calls of a setup after the computation of the gates; `powers` adds the calls for the powers.
fn plan<F: PrimeField>(domain: &Domain<F>, powers: impl Fn(&mut Plan, usize)) -> Vec<PlannedCall> {
    let n = domain.size();
    let mut plan = Plan::new(n);
    powers(&mut plan, powers_for(n));
    plan.phase("setup");
    plan.all(&[Operator::Intt; 8]);
    plan.call("interleave", 8 * n);
    plan.call(Operator::MsmG1.name(), 8 * n);
    plan.calls
}

/// Makes the key from the gates and from points that are known to be the powers of one τ.
fn from_powers<E: Pairing>(
    on: &mut Session<'_, E>,
    gates: Gates<E::Fr>,
    domain: Domain<E::Fr>,
    points: Buf<G1Affine<E>>,
    x_2: G2Affine<E>,
) -> Result<ProvingKey<E>, SetupError> {
    let n = domain.size();
    on.phase("setup");
    let (k1, k2) = factors(&domain);
    let tied = permutation(&gates, &domain, [E::Fr::ONE, k1, k2], n - BLINDED_ROWS);
    let Gates { wires, public, columns, selectors, additions } = gates;
    let mut coefficients: Vec<Buf<E::Fr>> = Vec::new();
    for values in selectors.into_iter().chain(tied) {
        coefficients.push(interpolated(on, domain, values)?);
    }
    let c0 = on.host("interleave", 8 * n, || interleave(8 * n, c0_order(&coefficients)))?;
    let c0 = on.msm_g1(points.slice(..8 * n), c0.view())?.to_affine();
    let mut sections = coefficients.into_iter().map(|p| KeySection::new(p.into_vec()));
    let mut next = || sections.next().unwrap_or_else(|| KeySection::new(Vec::new()));
    Ok(ProvingKey {
        vk: VerifyingKey { domain, public, k1, k2, c0, x_2 },
        wires,
        additions: Box::new(additions),
        columns: columns.map(|wires| Box::new(wires) as _),
        selectors: [next(), next(), next(), next(), next()],
        sigmas: [next(), next(), next()],
        powers: KeySection::new(points.into_vec()),
    })
}

/// Reorders the selectors and the permutation's polynomials, given as qM, qL, qR, qO, qC, S1, S2, S3, to their order in C0: qL, qR, qO,
/// qM, qC, S1, S2, S3.
pub(super) fn c0_order<T>(polys: &[T]) -> [&T; 8] {
    [1, 2, 3, 0, 4, 5, 6, 7].map(|index: usize| &polys[index])
}
