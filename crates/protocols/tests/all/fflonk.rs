//! Tests of completeness and soundness of fflonk on every curve, on the reference board.

use super::plonk::{Known, mixed, rng, secret, torsion};
use crate::common::as_planned;
use pairwright_curve::{Affine, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Device, PlannedCall, Record, Session, reference};
use pairwright_field::Field;
use pairwright_poly::Buf;
use pairwright_protocols::fflonk::{
    BadPoint, Blinding, Claim, Element, PointFault, PowersFault, PreparedVerifyingKey, Proof, ProofSizes,
    ProveError, ProvingKey, SetupError, VerifyError, VerifyingKey, Weakness, batch_verify, check_proofs,
    prove, prove_blinded, setup, setup_local, verify, verify_with_unsafe_key,
};
use pairwright_protocols::r1cs::{R1cs, check};
use pairwright_testkit::circuits::{chain, chain_witness};

struct Case<E: Pairing> {
    device: Device<E>,
    key: ProvingKey<E>,
    witness: Vec<E::Fr>,
}

impl<E: Pairing> Case<E> {
    fn new((system, witness): (R1cs<E::Fr>, Vec<E::Fr>)) -> Self {
        Self::with_tau((system, witness), 987)
    }
    fn with_tau((system, witness): (R1cs<E::Fr>, Vec<E::Fr>), tau: u64) -> Self {
        check(&system, &witness).unwrap();
        let device = reference::board::<E>();
        let powers = Known::<E>::new(8, tau);
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

/// Changes every point and value of a proof separately, including the inverse, and every public value.
fn changes_are_rejected<E: Pairing>(case: &Case<E>, proof: &Proof<E>) {
    let public = case.public();
    let (points, values, inverse) = (proof.points(), proof.evaluations.to_array(), proof.inverse);
    assert_eq!(Proof::from_parts(points, values, inverse), *proof);
    let rejected = |public: &[E::Fr], proof: &Proof<E>, what: &str| {
        let found = case.verify(public, proof);
        assert!(matches!(found, Err(VerifyError::Rejected)), "{what}: {found:?}");
    };
    let generator = Affine::<E::G1>::generator();
    for i in 0..points.len() {
        let mut points = points;
        points[i] = points[i].to_jacobian().add_mixed(&generator).to_affine();
        rejected(public, &Proof::from_parts(points, values, inverse), Element::OF_FFLONK_PROOF[i].name());
    }
    for change in [E::Fr::ONE, -E::Fr::ONE] {
        for i in 0..values.len() {
            let mut values = values;
            values[i] += change;
            rejected(public, &Proof::from_parts(points, values, inverse), &format!("value {i}"));
        }
        rejected(public, &Proof::from_parts(points, values, inverse + change), "inverse");
    }
    for i in 0..public.len() {
        let mut public = public.to_vec();
        public[i] += E::Fr::ONE;
        rejected(&public, proof, "public value");
    }
    let more = [public, &[E::Fr::ZERO]].concat();
    let refused = case.verify(&more, proof);
    assert!(matches!(refused, Err(VerifyError::PublicCount { .. })), "{refused:?}");
    let mut vk = case.key.vk.clone();
    vk.c0 = vk.c0.to_jacobian().add_mixed(&generator).to_affine();
    let found = verify(&mut Session::new(&case.device), &vk, public, proof);
    assert!(matches!(found, Err(VerifyError::Rejected)), "C0");
}

fn completeness_and_soundness<E: Pairing>() {
    // A chain of 5 fills a domain of 8 rows exactly; two of them are for blinding.
    let cases = [
        Case::<E>::chain(1, 3),
        Case::chain(5, 4),
        Case::chain(6, 4),
        Case::new(mixed()),
        Case::new(secret(1)),
        Case::new(secret(0)),
    ];
    assert_eq!(cases.each_ref().map(|case| case.key.vk.domain.size()), [8, 8, 16, 16, 8, 8]);
    assert_eq!(cases.each_ref().map(|case| case.key.vk.public), [1, 1, 1, 2, 0, 0]);
    for (i, case) in cases.iter().enumerate() {
        let proof = case.prove(2);
        case.verify(case.public(), &proof).unwrap_or_else(|why| panic!("case {i}: {why}"));
        assert_eq!(proof, case.prove(2), "same inputs and seed, same proof");
        assert_ne!(proof, case.prove(3), "another seed, another proof");
        if i == 3 || i == 5 {
            changes_are_rejected(case, &proof);
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

#[test]
fn a_local_setup_proves() {
    type E = Bn254;
    let mut case = Case::<E>::new(mixed());
    let (system, _) = mixed();
    case.key = as_planned(&case.device, |on| setup_local(on, &system, &mut rng(5))).unwrap();
    case.verify(case.public(), &case.prove(1)).unwrap();
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

/// Gates whose error is such that the quotient's highest coefficients vanish although the division leaves a remainder.
#[test]
fn errors_that_a_quotient_hides_are_found() {
    type E = Bn254;
    let mut case = Case::<E>::new(mixed());
    let n = case.key.vk.domain.size();
    // Adds one on every row, so that the remainder is a constant.
    let mut coefficients = Vec::new();
    case.key.selectors[4].read(0..n, &mut coefficients).unwrap();
    coefficients[0] += <E as Pairing>::Fr::ONE;
    case.key.selectors[4] = pairwright_poly::KeySection::new(coefficients);
    let mut on = Session::new(&case.device);
    let found = prove(&mut on, &case.key, &Buf::from(case.witness.clone()), &mut rng(1)).unwrap_err();
    assert!(matches!(found, ProveError::Unsatisfied { gate: 0 }), "{found}");
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
    // Gates in the rows that are for blinding.
    let found = run(&|key| {
        for column in 0..3 {
            let mut wires = columns(key, column);
            wires.resize(15, 0);
            key.columns[column] = Box::new(wires);
        }
    });
    assert!(matches!(found, ProveError::KeyShape { expected: 14, found: 15, .. }), "{found}");
    let found = run(&|key| {
        let mut wires = columns(key, 0);
        wires[0] = 3;
        key.columns[0] = Box::new(wires);
    });
    assert!(matches!(found, ProveError::Unsatisfied { .. } | ProveError::KeyPermutation), "{found}");
    let found = run(&|key| key.powers = pairwright_poly::KeySection::new(vec![Affine::generator(); 161]));
    assert!(matches!(found, ProveError::KeyShape { expected: 162, found: 161, .. }), "{found}");
}

#[test]
fn blinding_is_all_that_is_random() {
    type E = Bls12_381;
    let case = Case::<E>::chain(3, 3);
    let mut draws = rng(4);
    let values = [(); 9].map(|()| Field::random(&mut draws));
    let proof = |values| {
        let mut on = Session::new(&case.device);
        prove_blinded(&mut on, &case.key, &Buf::from(case.witness.clone()), &Blinding::from_known(values))
            .unwrap()
    };
    assert_eq!(proof(values), case.prove(4), "nine draws in order");
    // Each blinding value matters: without it the proof is different, and verifies too.
    for i in 0..9 {
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
    let run = |change: &dyn Fn(&mut Vec<Proof<E>>)| {
        let mut proofs = proofs.clone();
        change(&mut proofs);
        let mut on = Session::new(&device);
        let proofs = check_proofs(&mut on, &proofs, &mut rng(9))?;
        let claim = |i: usize| Claim { key: &keys[i % 3], public: cases[i % 3].public(), proof: &proofs[i] };
        batch_verify(&mut on, &(0..6).map(claim).collect::<Vec<_>>(), &mut rng(7))?;
        let pairings =
            on.finish().records.iter().filter(|r| r.operator == "multi_pairing").map(|r| r.size).sum();
        Ok::<usize, VerifyError>(pairings)
    };
    assert_eq!(run(&|_| ()).unwrap(), 2, "two pairings for all");
    for at in 0..6 {
        let found = run(&|proofs| proofs[at].evaluations.b += Field::ONE);
        let Err(VerifyError::InBatch { index, why }) = found else { panic!("{found:?}") };
        assert!(index == at && matches!(*why, VerifyError::Rejected));
        let found = run(&|proofs| proofs[at].w1.x = proofs[at].w1.y);
        let Err(VerifyError::InBatch { index, why }) = found else { panic!("{found:?}") };
        let expected = BadPoint { element: Element::OF_FFLONK_PROOF[2], fault: PointFault::OffCurve };
        assert!(index == at && matches!(*why, VerifyError::Point(bad) if bad == expected));
    }
    // Errors that would cancel each other without weights.
    let generator = Affine::<<E as Pairing>::G1>::generator();
    let found = run(&|proofs| {
        let w2 = proofs[0].w2;
        proofs[3] = proofs[0];
        proofs[0].w2 = w2.to_jacobian().add_mixed(&generator).to_affine();
        proofs[3].w2 = w2.to_jacobian().add_mixed(&-generator).to_affine();
    });
    assert!(matches!(found, Err(VerifyError::InBatch { index: 0, .. })), "{found:?}");
    // Powers of another ceremony.
    let other = Case::<E>::with_tau(secret(1), 986);
    let (key, proof) = (other.prepare(), other.prove(1).check().unwrap());
    let ours = proofs[2].check().unwrap();
    let claims =
        [Claim { key: &keys[2], public: &[], proof: &ours }, Claim { key: &key, public: &[], proof: &proof }];
    let found = batch_verify(&mut Session::new(&device), &claims, &mut rng(1));
    let Err(VerifyError::InBatch { index: 1, why }) = found else { panic!("{found:?}") };
    assert!(matches!(*why, VerifyError::OtherPowers));
}

#[test]
fn points_outside_of_the_subgroup_are_refused() {
    type E = Bls12_381;
    let case = Case::<E>::chain(2, 3);
    let proof = case.prove(1);
    let t = torsion::<<E as Pairing>::G1>();
    for i in 0..4 {
        let mut points = proof.points();
        points[i] = points[i].to_jacobian().add_mixed(&t).to_affine();
        let bad = Proof::from_parts(points, proof.evaluations.to_array(), proof.inverse);
        let expected = BadPoint { element: Element::OF_FFLONK_PROOF[i], fault: PointFault::WrongSubgroup };
        assert!(matches!(case.verify(case.public(), &bad), Err(VerifyError::Point(bad)) if bad == expected));
    }
    let mut vk = case.key.vk.clone();
    vk.c0 = vk.c0.to_jacobian().add_mixed(&t).to_affine();
    assert_eq!(vk.check().unwrap_err(), BadPoint { element: Element::C0, fault: PointFault::WrongSubgroup });
    let x_2 = |x_2| VerifyingKey::<E> { x_2, ..case.key.vk.clone() }.check().unwrap_err();
    assert_eq!(x_2(Affine::INFINITY), BadPoint { element: Element::X_2, fault: PointFault::Infinity });
}

#[test]
fn keys_for_which_anybody_can_forge_are_refused() {
    type E = Bn254;
    let case = Case::<E>::chain(2, 3);
    let proof = case.prove(1);
    let vk = || case.key.vk.clone();
    let keys = [
        (VerifyingKey { x_2: Affine::generator(), ..vk() }, Weakness::TauIsOne),
        (VerifyingKey { k2: vk().k1 * vk().domain.root(), ..vk() }, Weakness::ColumnsMeet),
        (VerifyingKey { public: 9, ..vk() }, Weakness::TooManyPublic),
    ];
    assert_eq!(vk().weakness(), None);
    for (vk, weakness) in keys {
        let found = verify(&mut Session::new(&case.device), &vk, case.public(), &proof);
        assert!(matches!(found, Err(VerifyError::UnsafeKey(found)) if found == weakness), "{weakness}");
        let taken = verify_with_unsafe_key(&mut Session::new(&case.device), &vk, case.public(), &proof);
        assert!(!matches!(taken, Ok(()) | Err(VerifyError::UnsafeKey(_))), "{weakness}");
    }
    let powers = Known::<E>::new(7, 1);
    let key = setup(&mut Session::new(&case.device), &chain(2), &powers, &mut rng(1)).unwrap();
    let case = Case { key, ..case };
    let (proof, on) = (case.prove(1), &mut Session::new(&case.device));
    assert!(matches!(case.verify(case.public(), &proof), Err(VerifyError::UnsafeKey(Weakness::TauIsOne))));
    verify_with_unsafe_key(on, &case.key.vk, case.public(), &proof).unwrap();
}

#[test]
fn powers_that_are_too_few_say_how_many_are_needed() {
    type E = Bn254;
    let device = reference::board::<E>();
    let run = |steps: usize, powers: &Known<E>| {
        setup(&mut Session::new(&device), &chain(steps), powers, &mut rng(1)).map(|_| ())
    };
    run(5, &Known::new(6, 5)).unwrap();
    let small = run(5, &Known::new(5, 5)).unwrap_err();
    assert!(matches!(small, SetupError::PointsTooFew { points: 90, needed: 6, found: 5 }), "{small}");
    let mut cut = Known::<E>::new(6, 5);
    cut.tau_g1.truncate(89);
    let short = PowersFault::Short { part: "tauG1", expected: 90, found: 89 };
    let found = run(5, &cut).unwrap_err();
    assert!(matches!(found, SetupError::Powers(fault) if fault == short), "{found}");
}
