//! Setup: computes the proving key from a constraint system and powers of tau, of which it is a function without randomness.

use super::{EXTRA_POWERS, Gates, PowersOfTau, ProvingKey, SetupError, VerifyingKey, gates};
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

/// Makes the proving key of a circuit from powers of tau.
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
    let (gates, domain) = gates_of(on, system, gates, 0)?;
    if domain.log_size() > powers.power() {
        return Err(SetupError::PowersTooFew { needed: domain.log_size(), found: powers.power() });
    }
    on.plan(|| plan(&domain, plan_checked));
    let (points, x_2) = checked_powers(on, powers, domain.size() + EXTRA_POWERS, rng)?;
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
    let (gates, domain) = gates_of(on, system, gates, 0)?;
    on.plan(|| plan(&domain, plan_drawn));
    let (points, x_2) = drawn_powers(on, &domain, domain.size() + EXTRA_POWERS, rng)?;
    from_powers(on, gates, domain, points, x_2)
}

/// The planned calls of a setup after the computation of the gates; `powers` adds the calls for the powers.
fn plan<F: PrimeField>(domain: &Domain<F>, powers: impl Fn(&mut Plan, usize)) -> Vec<PlannedCall> {
    let mut plan = Plan::new(domain.size());
    powers(&mut plan, domain.size() + EXTRA_POWERS);
    plan.phase("setup");
    (0..8).for_each(|_| plan.all(&[Operator::Intt, Operator::MsmG1]));
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
    let mut commit = |values: Vec<E::Fr>| -> Result<(KeySection<E::Fr>, G1Affine<E>), SetupError> {
        let coefficients = interpolated(on, domain, values)?;
        let sum = on.msm_g1(points.slice(..n), coefficients.view())?.to_affine();
        Ok((KeySection::new(coefficients.into_vec()), sum))
    };
    let (k1, k2) = factors(&domain);
    let sigmas = permutation(&gates, &domain, [E::Fr::ONE, k1, k2], n);
    let [s1, s2, s3] = sigmas;
    let (s1, s2, s3) = (commit(s1)?, commit(s2)?, commit(s3)?);
    let Gates { wires, public, columns, selectors, additions } = gates;
    let [qm, ql, qr, qo, qc] = selectors;
    let (qm, ql, qr) = (commit(qm)?, commit(ql)?, commit(qr)?);
    let (qo, qc) = (commit(qo)?, commit(qc)?);
    Ok(ProvingKey {
        vk: VerifyingKey {
            domain,
            public,
            k1,
            k2,
            selectors: [qm.1, ql.1, qr.1, qo.1, qc.1],
            sigmas: [s1.1, s2.1, s3.1],
            x_2,
        },
        wires,
        additions: Box::new(additions),
        columns: columns.map(|wires| Box::new(wires) as _),
        selectors: [qm.0, ql.0, qr.0, qo.0, qc.0],
        sigmas: [s1.0, s2.0, s3.0],
        powers: KeySection::new(points.into_vec()),
    })
}
