//! Tests of completeness and soundness of Plonk on every curve, on the reference board.

use crate::common::as_planned;
use pairwright_curve::{
    Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381,
    bn254::Bn254,
};
use pairwright_device::{Device, PlannedCall, Record, Session, reference};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_poly::{Buf, Source};
use pairwright_protocols::groth16::LagrangePoints;
use pairwright_protocols::plonk::{
    BadPoint, Blinding, Claim, Element, PointFault, PowersFault, PowersOfTau, PreparedVerifyingKey, Proof,
    ProofSizes, ProveError, ProvingKey, SetupError, VerifyError, VerifyingKey, Weakness, batch_verify,
    check_proofs, prove, prove_blinded, setup, setup_local, verify, verify_with_unsafe_key,
};
use pairwright_protocols::r1cs::{Combination, Constraint, R1cs, Shape, check};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// The powers of a known τ, as many as Plonk uses.
#[derive(Clone)]
pub(super) struct Known<E: Pairing> {
    power: u32,
    pub(super) tau_g1: Vec<G1Affine<E>>,
    tau_g2: Vec<G2Affine<E>>,
}

fn powers<C: Curve>(tau: C::Scalar, count: usize) -> Vec<Affine<C>> {
    let all = core::iter::successors(Some(C::Scalar::ONE), |x| Some(*x * tau));
    all.take(count).map(|k| Jacobian::<C>::generator().mul_vartime(&k).to_affine()).collect()
}

impl<E: Pairing> Known<E> {
    pub(super) fn new(power: u32, tau: u64) -> Self {
        Self::of(power, E::Fr::from(tau).square())
    }
    fn of(power: u32, tau: E::Fr) -> Self {
        Self { power, tau_g1: powers(tau, (2 << power) - 1), tau_g2: powers(tau, 2) }
    }
}

impl<E: Pairing> PowersOfTau<E> for Known<E> {
    fn power(&self) -> u32 {
        self.power
    }
    fn tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.tau_g1
    }
    fn tau_g2(&self) -> &dyn Source<G2Affine<E>> {
        &self.tau_g2
    }
    fn alpha_tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        panic!("Plonk has no alpha")
    }
    fn beta_tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        panic!("Plonk has no beta")
    }
    fn beta_g2(&self) -> G2Affine<E> {
        panic!("Plonk has no beta")
    }
    fn lagrange(&self) -> Option<LagrangePoints<'_, E>> {
        None
    }
}

/// A circuit with long combinations, constant factors, empty factors and public inputs, and a witness for it.
pub(super) fn mixed<F: PrimeField>() -> (R1cs<F>, Vec<F>) {
    let shape = Shape { wires: 8, outputs: 1, public_inputs: 1, private_inputs: 3, constraints: 0 };
    let of = |terms: &[(u32, i64)]| -> Combination<F> {
        let coefficient = |k: i64| if k < 0 { -F::from(k.unsigned_abs()) } else { F::from(k.unsigned_abs()) };
        terms.iter().map(|(wire, k)| (*wire, coefficient(*k))).collect()
    };
    let constraint =
        |a: &[(u32, i64)], b: &[(u32, i64)], c: &[(u32, i64)]| Constraint { a: of(a), b: of(b), c: of(c) };
    let constraints = vec![
        // (x3 + 2·x4 + 3·x5 + 4)·(x4 + x5 + 1) = x1 + 7·x3 + 1
        constraint(&[(3, 1), (4, 2), (5, 3), (0, 4)], &[(5, 1), (4, 1), (0, 1)], &[(1, 1), (3, 7), (0, 1)]),
        // x2 = x3 + x4 + x5 + 9, with an empty factor
        constraint(&[], &[(3, 1)], &[(2, 1), (3, -1), (4, -1), (5, -1), (0, -9)]),
        // 5·(x3 + x4) = x6
        constraint(&[(0, 5)], &[(3, 1), (4, 1)], &[(6, 1)]),
        // (x6 - x3)·3 = x7 - x3, where a term nearly cancels
        constraint(&[(6, 1), (3, -1)], &[(0, 3)], &[(7, 1), (3, -3)]),
        // x3·x3 = x3², by a wire that stands alone
        constraint(&[(3, 1)], &[(4, 1)], &[(3, 4)]),
    ];
    let (x3, x4, x5) = (F::from(11), F::from(4), F::from(10));
    let x1 = (x3 + x4 + x4 + x5 + x5 + x5 + F::from(4)) * (x4 + x5 + F::ONE) - F::from(7) * x3 - F::ONE;
    let x2 = x3 + x4 + x5 + F::from(9);
    let x6 = F::from(5) * (x3 + x4);
    let witness = vec![F::ONE, x1, x2, x3, x4, x5, x6, F::from(3) * x6];
    (R1cs::new(shape, constraints).unwrap(), witness)
}

/// Circuits without public values, with and without constraints.
pub(super) fn secret<F: PrimeField>(constraints: usize) -> (R1cs<F>, Vec<F>) {
    let shape = Shape { wires: 3, outputs: 0, public_inputs: 0, private_inputs: 1, constraints: 0 };
    let square = Constraint { a: vec![(1, F::ONE)], b: vec![(1, F::ONE)], c: vec![(2, F::ONE)] };
    (R1cs::new(shape, vec![square; constraints]).unwrap(), vec![F::ONE, F::from(6), F::from(36)])
}

struct Case<E: Pairing> {
    device: Device<E>,
    key: ProvingKey<E>,
    witness: Vec<E::Fr>,
}

impl<E: Pairing> Case<E> {
    fn new((system, witness): (R1cs<E::Fr>, Vec<E::Fr>)) -> Self {
        check(&system, &witness).unwrap();
        let device = reference::board::<E>();
        let powers = Known::<E>::new(5, 987);
        let key = as_planned(&device, |on| setup(on, &system, &powers, &mut rng(1))).unwrap();
        Self { device, key, witness }
    }
    fn chain(steps: usize, input: u64) -> Self {
        Self::new((chain(steps), chain_witness(steps, E::Fr::from(input))))
    }
    fn public(&self) -> &[E::Fr] {
        &self.witness[1..=self.key.vk.public]
    }
    fn prove(&self, seed: u64) -> Proof<E> {
        let mut on = Session::new(&self.device);
        let proof = prove(&mut on, &self.key, &Buf::from(self.witness.clone()), &mut rng(seed)).unwrap();
        let call = |r: &Record| PlannedCall { phase: r.phase, operator: r.operator, size: r.size };
        let ran: Vec<_> = on.finish().records.iter().map(call).collect();
        let planned = ProofSizes::of(&self.key).plan();
        for (at, (ran, planned)) in ran.iter().zip(&planned).enumerate() {
            assert_eq!(ran, planned, "call {at}");
        }
        assert_eq!(ran.len(), planned.len());
        proof
    }
    fn verify(&self, public: &[E::Fr], proof: &Proof<E>) -> Result<(), VerifyError> {
        verify(&mut Session::new(&self.device), &self.key.vk, public, proof)
    }
    fn prepare(&self) -> PreparedVerifyingKey<E> {
        let vk = self.key.vk.clone().check().unwrap();
        PreparedVerifyingKey::new(&mut Session::new(&self.device), &vk).unwrap()
    }
}

/// Changes every point and value of a proof separately, and every public value.
fn changes_are_rejected<E: Pairing>(case: &Case<E>, proof: &Proof<E>) {
    let public = case.public();
    let (points, values) = (proof.points(), proof.evaluations.to_array());
    assert_eq!(Proof::from_parts(points, values), *proof);
    let generator = Affine::<E::G1>::generator();
    for i in 0..points.len() {
        let mut points = points;
        points[i] = points[i].to_jacobian().add_mixed(&generator).to_affine();
        let found = case.verify(public, &Proof::from_parts(points, values));
        assert!(matches!(found, Err(VerifyError::Rejected)), "{}: {found:?}", Element::OF_PROOF[i]);
    }
    for i in 0..values.len() {
        for change in [E::Fr::ONE, -E::Fr::ONE] {
            let mut values = values;
            values[i] += change;
            let found = case.verify(public, &Proof::from_parts(points, values));
            assert!(matches!(found, Err(VerifyError::Rejected)), "value {i}: {found:?}");
        }
    }
    for i in 0..public.len() {
        let mut public = public.to_vec();
        public[i] += E::Fr::ONE;
        assert!(matches!(case.verify(&public, proof), Err(VerifyError::Rejected)), "public value {i}");
    }
    let more = [public, &[E::Fr::ZERO]].concat();
    let (expected, found) = (public.len(), more.len());
    let refused = case.verify(&more, proof);
    assert!(
        matches!(refused, Err(VerifyError::PublicCount { expected: x, found: y }) if (x, y) == (expected, found))
    );
}

/// A key with a changed commitment does not accept the proof.
fn changed_keys_reject<E: Pairing>(case: &Case<E>, proof: &Proof<E>) {
    for i in 0..8 {
        let mut vk = case.key.vk.clone();
        let p = vk.selectors.iter_mut().chain(&mut vk.sigmas).nth(i).unwrap();
        *p = p.to_jacobian().add_mixed(&Affine::generator()).to_affine();
        let found = verify(&mut Session::new(&case.device), &vk, case.public(), proof);
        assert!(matches!(found, Err(VerifyError::Rejected)), "{}", Element::OF_KEY[i]);
    }
}

fn completeness_and_soundness<E: Pairing>() {
    // A chain of 7 fills its domain of 8 rows exactly.
    let cases = [
        Case::<E>::chain(1, 3),
        Case::chain(7, 4),
        Case::chain(20, 5),
        Case::new(mixed()),
        Case::new(secret(1)),
        Case::new(secret(0)),
    ];
    assert_eq!(cases.each_ref().map(|case| case.key.vk.domain.size()), [8, 8, 32, 16, 8, 8]);
    assert_eq!(cases.each_ref().map(|case| case.key.vk.public), [1, 1, 1, 2, 0, 0]);
    for (i, case) in cases.iter().enumerate() {
        let proof = case.prove(2);
        case.verify(case.public(), &proof).unwrap_or_else(|why| panic!("case {i}: {why}"));
        assert_eq!(proof, case.prove(2), "same inputs and seed, same proof");
        assert_ne!(proof, case.prove(3), "another seed, another proof");
        if i == 3 || i == 5 {
            changes_are_rejected(case, &proof);
        }
        if i == 3 {
            changed_keys_reject(case, &proof);
        }
    }
}

#[test]
fn completeness_and_soundness_on_bn254() {
    completeness_and_soundness::<Bn254>();
}

#[test]
fn completeness_and_soundness_on_bls12_381() {
    completeness_and_soundness::<Bls12_381>();
}

#[test]
fn completeness_and_soundness_on_bls12_377() {
    completeness_and_soundness::<Bls12_377>();
}

fn local_setup<E: Pairing>() {
    let case = Case::<E>::new(mixed());
    let (system, _) = mixed::<E::Fr>();
    let on = &mut Session::new(&case.device);
    let local = as_planned(&case.device, |on| setup_local(on, &system, &mut rng(9))).unwrap();
    // The local setup draws only its τ from the generator.
    let powers = Known::<E>::of(5, E::Fr::random(&mut rng(9)));
    let key = setup(on, &system, &powers, &mut rng(1)).unwrap();
    assert_eq!(local.vk, key.vk);
    let read = |points: &dyn Source<G1Affine<E>>| {
        let mut all = Vec::new();
        points.read(0..points.len(), &mut all).unwrap();
        all
    };
    assert_eq!(read(local.powers.as_ref()), read(key.powers.as_ref()));
    let proof = prove(on, &local, &Buf::from(case.witness.clone()), &mut rng(2)).unwrap();
    verify(on, &key.vk, case.public(), &proof).unwrap();
}

#[test]
fn a_local_setup_is_one_from_powers_of_its_draw() {
    local_setup::<Bn254>();
    local_setup::<Bls12_377>();
}

#[test]
fn witnesses_that_do_not_fit_are_refused() {
    type E = Bn254;
    let case = Case::<E>::new(mixed());
    let run = |witness: Vec<_>| {
        prove(&mut Session::new(&case.device), &case.key, &Buf::from(witness), &mut rng(1)).unwrap_err()
    };
    for wire in 1..case.witness.len() {
        let mut witness = case.witness.clone();
        witness[wire] += Field::ONE;
        let found = run(witness);
        // The rows: two of public values; the first constraint has four additions and a product, the second an addition.
        let gate = [0, 6, 8, 6, 6, 6, 9, 10][wire];
        assert!(
            matches!(found, ProveError::Unsatisfied { gate: found } if found == gate),
            "wire {wire}: {found}"
        );
    }
    let mut witness = case.witness.clone();
    witness[0] += Field::ONE;
    assert!(matches!(run(witness), ProveError::NoConstantOne));
    let short = run(case.witness[..7].to_vec());
    assert!(matches!(short, ProveError::WitnessLength { expected: 8, found: 7 }));
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    type E = Bn254;
    let run = |change: &dyn Fn(&mut ProvingKey<E>)| {
        let mut case = Case::<E>::new(mixed());
        change(&mut case.key);
        prove(&mut Session::new(&case.device), &case.key, &Buf::from(case.witness.clone()), &mut rng(1))
            .unwrap_err()
    };
    let columns = |key: &mut ProvingKey<E>, column: usize| {
        let mut wires = Vec::new();
        key.columns[column].read(0..key.columns[column].len(), &mut wires).unwrap();
        wires
    };
    let found = run(&|key| {
        let mut wires = columns(key, 1);
        wires[4] = 99;
        key.columns[1] = Box::new(wires);
    });
    assert!(matches!(found, ProveError::NoSuchWire { index: 4, wire: 99, .. }), "{found}");
    let found = run(&|key| key.columns[2] = Box::new(vec![0u32; 3]));
    assert!(matches!(found, ProveError::KeyShape { found: 3, .. }), "{found}");
    let found = run(&|key| {
        let mut additions = Vec::new();
        key.additions.read(0..key.additions.len(), &mut additions).unwrap();
        additions[0].right = 8;
        key.additions = Box::new(additions);
    });
    assert!(
        matches!(found, ProveError::NoSuchWire { part: "additions", index: 0, wire: 8, wires: 8 }),
        "{found}"
    );
    // The cells of a row that is not in use are tied to others.
    let found = run(&|key| {
        let mut wires = columns(key, 0);
        wires[0] = 3;
        key.columns[0] = Box::new(wires);
    });
    assert!(matches!(found, ProveError::KeyPermutation), "{found}");
}

#[test]
fn blinding_is_all_that_is_random() {
    type E = Bls12_381;
    let case = Case::<E>::chain(3, 3);
    let mut draws = rng(4);
    let values = [(); 11].map(|()| Field::random(&mut draws));
    let proof = |values| {
        let mut on = Session::new(&case.device);
        prove_blinded(&mut on, &case.key, &Buf::from(case.witness.clone()), &Blinding::from_known(values))
            .unwrap()
    };
    assert_eq!(proof(values), case.prove(4), "eleven draws in order");
    // Each blinding value matters: without it the proof is different, and verifies too.
    for i in 0..11 {
        let mut values = values;
        values[i] = Field::ZERO;
        assert_ne!(proof(values), case.prove(4), "value {i}");
        case.verify(case.public(), &proof(values)).unwrap();
    }
}

#[test]
fn proofs_under_different_keys_verify_together() {
    type E = Bn254;
    let cases = [Case::<E>::chain(3, 3), Case::new(mixed()), Case::new(secret(1))];
    let keys = cases.each_ref().map(Case::prepare);
    let proofs: Vec<_> = (0..6).map(|i| cases[i % 3].prove(i as u64)).collect();
    let device = reference::board::<E>();
    let run = |change: &dyn Fn(&mut Vec<Proof<E>>), public: &dyn Fn(usize) -> Vec<<E as Pairing>::Fr>| {
        let mut proofs = proofs.clone();
        change(&mut proofs);
        let mut on = Session::new(&device);
        let proofs = check_proofs(&mut on, &proofs, &mut rng(9))?;
        let public: Vec<_> = (0..6).map(public).collect();
        let claims: Vec<_> =
            (0..6).map(|i| Claim { key: &keys[i % 3], public: &public[i], proof: &proofs[i] }).collect();
        batch_verify(&mut on, &claims, &mut rng(7))?;
        let pairings =
            on.finish().records.iter().filter(|r| r.operator == "multi_pairing").map(|r| r.size).sum();
        Ok::<usize, VerifyError>(pairings)
    };
    let public = |i: usize| cases[i % 3].public().to_vec();
    assert_eq!(run(&|_| (), &public).unwrap(), 2, "two pairings for all");
    for at in 0..6 {
        let found = run(&|proofs| proofs[at].evaluations.b += Field::ONE, &public);
        let Err(VerifyError::InBatch { index, why }) = found else { panic!("{found:?}") };
        assert!(index == at && matches!(*why, VerifyError::Rejected));
        let found = run(&|proofs| proofs[at].t[1].x = proofs[at].t[1].y, &public);
        let Err(VerifyError::InBatch { index, why }) = found else { panic!("{found:?}") };
        let expected = BadPoint { element: Element::OF_PROOF[5], fault: PointFault::OffCurve };
        assert!(index == at && matches!(*why, VerifyError::Point(bad) if bad == expected));
    }
    let wrong = |i: usize| if i == 4 { vec![Field::ONE; 2] } else { public(i) };
    let found = run(&|_| (), &wrong);
    assert!(matches!(found, Err(VerifyError::InBatch { index: 4, .. })), "{found:?}");
    let short = |i: usize| if i == 4 { vec![] } else { public(i) };
    let Err(VerifyError::InBatch { index: 4, why }) = run(&|_| (), &short) else { panic!("accepted") };
    assert!(matches!(*why, VerifyError::PublicCount { expected: 2, found: 0 }));
    batch_verify::<E, VerifyingKey<E>>(&mut Session::new(&device), &[], &mut rng(1)).unwrap();
}

/// A batch must belong to one τ; invalid proofs whose errors would cancel without weights are found.
#[test]
fn batches_are_of_one_tau_and_weighed() {
    type E = Bn254;
    let case = Case::<E>::chain(3, 3);
    let mut other = Case::<E>::chain(3, 3);
    let mut on = Session::new(&case.device);
    other.key = setup(&mut on, &chain(3), &Known::<E>::new(5, 986), &mut rng(1)).unwrap();
    let (key, another) = (case.prepare(), other.prepare());
    let (proof, its) = (case.prove(1).check().unwrap(), other.prove(1).check().unwrap());
    let claims = [
        Claim { key: &key, public: case.public(), proof: &proof },
        Claim { key: &another, public: other.public(), proof: &its },
    ];
    let found = batch_verify(&mut on, &claims, &mut rng(1));
    let Err(VerifyError::InBatch { index: 1, why }) = found else { panic!("{found:?}") };
    assert!(matches!(*why, VerifyError::OtherPowers));

    // Errors in two proofs can cancel only if all challenges are equal. A change of a quotient's part changes challenges; a change of
    // the opening points changes only u.
    let generator = Affine::<<E as Pairing>::G1>::generator();
    let (mut more, mut less) = (*proof, *proof);
    more.w_xi = more.w_xi.to_jacobian().add_mixed(&generator).to_affine();
    less.w_xi = less.w_xi.to_jacobian().add_mixed(&-generator).to_affine();
    let (more, less) = (more.check().unwrap(), less.check().unwrap());
    let claims = [
        Claim { key: &key, public: case.public(), proof: &more },
        Claim { key: &key, public: case.public(), proof: &less },
    ];
    assert!(matches!(
        batch_verify(&mut on, &claims, &mut rng(1)),
        Err(VerifyError::InBatch { index: 0, .. })
    ));
}

/// A point of the curve outside the prime-order subgroup.
pub(super) fn torsion<C: Curve>() -> Affine<C> {
    let mut r = rng(9);
    loop {
        let x = C::Base::random(&mut r);
        let Some(y) = (x.square() * x + C::B).sqrt_vartime() else { continue };
        let t: Jacobian<C> =
            Affine::<C> { x, y }.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
        if !t.is_infinity() {
            return t.to_affine();
        }
    }
}

#[test]
fn points_outside_of_the_subgroup_are_refused() {
    type E = Bls12_381;
    let case = Case::<E>::chain(2, 3);
    let proof = case.prove(1);
    let t = torsion::<<E as Pairing>::G1>();
    for i in 0..9 {
        let mut points = proof.points();
        points[i] = points[i].to_jacobian().add_mixed(&t).to_affine();
        let bad = Proof::from_parts(points, proof.evaluations.to_array());
        let expected = BadPoint { element: Element::OF_PROOF[i], fault: PointFault::WrongSubgroup };
        assert!(matches!(case.verify(case.public(), &bad), Err(VerifyError::Point(bad)) if bad == expected));
        let found = check_proofs(&mut Session::new(&case.device), &[proof, bad], &mut rng(9));
        let Err(VerifyError::InBatch { index: 1, why }) = found else { panic!("{found:?}") };
        assert!(matches!(*why, VerifyError::Point(bad) if bad == expected));
    }
    for i in 0..8 {
        let mut vk = case.key.vk.clone();
        let p = vk.selectors.iter_mut().chain(&mut vk.sigmas).nth(i).unwrap();
        *p = p.to_jacobian().add_mixed(&t).to_affine();
        let expected = BadPoint { element: Element::OF_KEY[i], fault: PointFault::WrongSubgroup };
        assert_eq!(vk.check().unwrap_err(), expected);
    }
    let x_2 = |x_2| VerifyingKey::<E> { x_2, ..case.key.vk.clone() }.check().unwrap_err();
    let t = case.key.vk.x_2.to_jacobian().add_mixed(&torsion()).to_affine();
    assert_eq!(x_2(t), BadPoint { element: Element::X_2, fault: PointFault::WrongSubgroup });
    assert_eq!(x_2(Affine::INFINITY), BadPoint { element: Element::X_2, fault: PointFault::Infinity });
}

#[test]
fn keys_for_which_anybody_can_forge_are_refused() {
    type E = Bn254;
    let case = Case::<E>::chain(2, 3);
    let proof = case.prove(1);
    let vk = || case.key.vk.clone();
    let root = vk().domain.root();
    let keys = [
        (VerifyingKey { x_2: Affine::generator(), ..vk() }, Weakness::TauIsOne),
        (VerifyingKey { k1: root, ..vk() }, Weakness::ColumnsMeet),
        (VerifyingKey { k2: Field::ONE, ..vk() }, Weakness::ColumnsMeet),
        (VerifyingKey { k2: vk().k1 * root, ..vk() }, Weakness::ColumnsMeet),
        (VerifyingKey { k1: Field::ZERO, ..vk() }, Weakness::ColumnsMeet),
        (VerifyingKey { public: 9, ..vk() }, Weakness::TooManyPublic),
    ];
    assert_eq!(vk().weakness(), None);
    for (vk, weakness) in keys {
        let found = verify(&mut Session::new(&case.device), &vk, case.public(), &proof);
        assert!(matches!(found, Err(VerifyError::UnsafeKey(found)) if found == weakness), "{weakness}");
        let taken = verify_with_unsafe_key(&mut Session::new(&case.device), &vk, case.public(), &proof);
        assert!(!matches!(taken, Ok(()) | Err(VerifyError::UnsafeKey(_))), "{weakness}");
    }
    let powers = Known::<E>::new(5, 1);
    let key = setup(&mut Session::new(&case.device), &chain(2), &powers, &mut rng(1)).unwrap();
    let case = Case { key, ..case };
    let (proof, on) = (case.prove(1), &mut Session::new(&case.device));
    assert!(matches!(case.verify(case.public(), &proof), Err(VerifyError::UnsafeKey(Weakness::TauIsOne))));
    verify_with_unsafe_key(on, &case.key.vk, case.public(), &proof).unwrap();
}

#[test]
fn powers_that_are_none_make_no_key() {
    type E = Bn254;
    let device = reference::board::<E>();
    let run = |steps: usize, powers: &Known<E>| {
        setup(&mut Session::new(&device), &chain(steps), powers, &mut rng(1)).map(|_| ()).unwrap_err()
    };
    let good = Known::<E>::new(3, 5);
    let small = run(8, &good);
    assert!(matches!(small, SetupError::PowersTooFew { needed: 4, found: 3 }), "{small}");
    let fault = |change: &dyn Fn(&mut Known<E>)| {
        let mut powers = good.clone();
        change(&mut powers);
        let SetupError::Powers(fault) = run(2, &powers) else { panic!("another error") };
        fault
    };
    assert_eq!(fault(&|p| p.tau_g1[13] = p.tau_g1[12]), PowersFault::NotPowers { part: "tauG1" });
    assert_eq!(fault(&|p| p.tau_g2[1] = Affine::generator()), PowersFault::NotPowers { part: "tauG1" });
    assert_eq!(fault(&|p| p.tau_g1[0] = p.tau_g1[1]), PowersFault::NotGenerator { part: "tauG1" });
    assert_eq!(fault(&|p| p.tau_g2[0] = p.tau_g2[1]), PowersFault::NotGenerator { part: "tauG2" });
    assert_eq!(fault(&|p| p.tau_g1[3].x = p.tau_g1[3].y), PowersFault::BadPoint { part: "tauG1", index: 3 });
    let short = PowersFault::Short { part: "tauG1", expected: 14, found: 13 };
    assert_eq!(fault(&|p| p.tau_g1.truncate(13)), short);
    // Points after the powers in use are not read.
    let mut more = good.clone();
    more.tau_g1[14] = more.tau_g1[1];
    setup(&mut Session::new(&device), &chain::<<E as Pairing>::Fr>(2), &more, &mut rng(1)).unwrap();
}
