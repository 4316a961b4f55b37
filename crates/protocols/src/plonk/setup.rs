//! A key from a constraint system and powers of tau. Nothing in it is random: it is a function of the two.

use super::gates::{Gates, gates};
use super::{EXTRA_POWERS, PowersFault, PowersOfTau, ProvingKey, SetupError, VerifyingKey};
use crate::groth16::{Secret, check_chain, read_points};
use crate::r1cs::ConstraintSource;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing};
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_poly::{Buf, Domain, KeySection, Poly};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// snarkjs' domains have at least so many points.
const LEAST: usize = 8;

/// Makes the proving key of a circuit from powers of tau.
///
/// The powers in use are checked first: they are the powers of one τ. `rng` draws the weights of that check and nothing
/// else, so the key depends on (circuit, powers) alone, and is snarkjs'. Variable time: there is no secret here.
///
/// # Errors
/// When the constraints cannot be read, or the powers are too few, spoilt or unreadable.
pub fn setup<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    powers: &dyn PowersOfTau<E>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    let (gates, domain) = gates_of(on, system)?;
    if domain.log_size() > powers.power() {
        return Err(SetupError::PowersTooFew { needed: domain.log_size(), found: powers.power() });
    }

    on.phase("powers of tau");
    let used = domain.size() + EXTRA_POWERS;
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
    from_powers(on, gates, domain, points, x_2)
}

/// Makes the proving key of a circuit from a τ that is drawn from `rng` and wiped: whoever controls this machine can forge
/// proofs. For tests and private use. The key depends on (circuit, rng) alone.
///
/// # Errors
/// When the constraints cannot be read or a device fails.
pub fn setup_local<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    rng: &mut dyn CryptoRng,
) -> Result<ProvingKey<E>, SetupError> {
    let (gates, domain) = gates_of(on, system)?;
    on.phase("powers of tau");
    let tau = loop {
        let tau = Zeroizing::new(E::Fr::random(rng));
        // The powers 1, τ, τ², … must not repeat within the domain.
        if !tau.is_zero() && (0..domain.log_size()).fold(*tau, |x, _| x.square()) != E::Fr::ONE {
            break tau;
        }
    };
    let used = domain.size() + EXTRA_POWERS;
    let powers =
        Secret::new(core::iter::successors(Some(E::Fr::ONE), |x| Some(*x * *tau)).take(used).collect());
    let points = on.multiples_g1(&Affine::<E::G1>::generator(), powers.0.view())?;
    let of_g2 = on.multiples_g2(&Affine::<E::G2>::generator(), powers.0.slice(1..2))?;
    from_powers(on, gates, domain, points, of_g2[0])
}

/// The gates of a circuit, and a domain with a point for each of them.
fn gates_of<E: Pairing>(
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
) -> Result<(Gates<E::Fr>, Domain<E::Fr>), SetupError> {
    on.phase("circuit");
    let gates = on.host("read_constraints", system.shape().constraints, || gates(system))?;
    let domain = Domain::<E::Fr>::covering(gates.rows().max(LEAST))?;
    Ok((gates, domain))
}

/// Commits to the polynomials of a circuit with powers that are known to be powers of one τ.
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
        let Some(p) = Poly::new(domain, values.into()) else {
            return Err(PowersFault::Short { part: "tauG1", expected: n, found: 0 }.into());
        };
        let coefficients = on.intt(p)?.into_buf();
        let sum = on.msm_g1(points.slice(..n), coefficients.view())?.to_affine();
        Ok((KeySection::new(coefficients.into_vec()), sum))
    };
    let (k1, k2) = factors(&domain);
    let sigmas = permutation(&gates, &domain, [E::Fr::ONE, k1, k2]);
    let [s1, s2, s3] = sigmas;
    let (s1, s2, s3) = (commit(s1)?, commit(s2)?, commit(s3)?);
    let Gates { wires, public, columns, selectors, additions } = gates;
    let mut selector = |mut values: Vec<E::Fr>| {
        values.resize(n, E::Fr::ZERO);
        commit(values)
    };
    let [qm, ql, qr, qo, qc] = selectors;
    let (qm, ql, qr) = (selector(qm)?, selector(ql)?, selector(qr)?);
    let (qo, qc) = (selector(qo)?, selector(qc)?);
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

/// Factors that set the three columns apart: the first integers from two on such that the cosets of the domain by them do not
/// meet.
fn factors<F: PrimeField>(domain: &Domain<F>) -> (F, F) {
    let power = |x: F| (0..domain.log_size()).fold(x, |x, _| x.square());
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

/// The values of S1, S2 and S3 on the domain: for every cell the name of the cell before it, row by row, that has the same
/// wire; the first of a wire's cells gets the name of the last. The cell of row `i` in a column of factor `k` is named
/// `k·ω^i`. Rows below the gates have wire 0 in all their cells.
fn permutation<F: PrimeField>(gates: &Gates<F>, domain: &Domain<F>, factors: [F; 3]) -> [Vec<F>; 3] {
    /// No cell has this number.
    const NONE: usize = usize::MAX;
    let n = domain.size();
    let names: Vec<F> = core::iter::successors(Some(F::ONE), |x| Some(*x * domain.root())).take(n).collect();
    // Cell `column + 3·row`.
    let name = |cell: usize| factors[cell % 3] * names[cell / 3];
    let mut sigmas = [(); 3].map(|()| vec![F::ZERO; n]);
    let (mut first, mut last) = (vec![NONE; gates.wires], vec![NONE; gates.wires]);
    for row in 0..n {
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
