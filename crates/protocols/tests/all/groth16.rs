//! Tests of completeness and soundness of Groth16 on every curve, on the reference board.

use pairwright_curve::{
    Affine, Curve, Jacobian, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254,
    tiny_bls12::TinyBls12,
};
use pairwright_device::{Device, PlannedCall, Record, Session, reference};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{
    BadPoint, Element, InSubgroup, PointFault, PreparedVerifyingKey, Proof, ProofSizes, ProveError,
    VerifyError, VerifyingKey, Weakness, check_proofs, prove, setup_local, verify, verify_with_unsafe_key,
};
use pairwright_protocols::r1cs::{R1csError, check};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

struct Case<E: Pairing> {
    device: Device<E>,
    key: pairwright_protocols::groth16::ProvingKey<E>,
    steps: usize,
}

impl<E: Pairing> Case<E> {
    fn new(steps: usize) -> Self {
        let device = reference::board::<E>();
        let key = setup_local(&mut Session::new(&device), &chain::<E::Fr>(steps), &mut rng(1)).unwrap();
        Self { device, key, steps }
    }
    fn prove(&self, input: u64, seed: u64) -> (Vec<E::Fr>, Proof<E>) {
        let w = chain_witness(self.steps, E::Fr::from(input));
        let public = w[1..2].to_vec();
        let mut on = Session::new(&self.device);
        let proof = prove(&mut on, &self.key, &Buf::from(w), &mut rng(seed)).unwrap();
        let call = |r: &Record| PlannedCall { phase: r.phase, operator: r.operator, size: r.size };
        let ran: Vec<_> = on.finish().records.iter().map(call).collect();
        assert_eq!(
            ran,
            ProofSizes::of(&self.key).plan(),
            "what was asked of the session is what was planned"
        );
        (public, proof)
    }
    fn verify(&self, public: &[E::Fr], proof: &Proof<E>) -> Result<(), VerifyError> {
        verify(&mut Session::new(&self.device), &self.key.vk, public, proof)
    }
    fn prepare(&self) -> PreparedVerifyingKey<E> {
        let vk = self.key.vk.clone().check().unwrap();
        PreparedVerifyingKey::new(&mut Session::new(&self.device), &vk).unwrap()
    }
}

fn completeness_and_soundness<E: Pairing>() {
    // 7 constraints + 2 rows: not a power of two; 14 + 2 fills its domain exactly.
    for steps in [1, 7, 14] {
        let case = Case::<E>::new(steps);
        let (public, proof) = case.prove(3, 2);
        case.verify(&public, &proof).unwrap();
        assert_eq!(proof, case.prove(3, 2).1, "same inputs and seed, same bytes");
        assert_ne!(proof, case.prove(3, 3).1, "another seed, another proof");
        case.verify(&public, &case.prove(3, 3).1).unwrap();

        assert!(matches!(case.verify(&[public[0] + E::Fr::ONE], &proof), Err(VerifyError::Rejected)));
        assert!(matches!(case.verify(&[], &proof), Err(VerifyError::PublicCount { expected: 1, found: 0 })));
        let swapped = Proof { a: proof.c, c: proof.a, ..proof };
        assert!(matches!(case.verify(&public, &swapped), Err(VerifyError::Rejected)));
        let off = Proof { a: Affine { x: proof.a.x, y: proof.a.x }, ..proof };
        refused(&case, &public, &off, Element::A, PointFault::OffCurve);
    }
}

/// A point of the curve outside the prime-order subgroup, if the curve has any.
fn torsion<C: Curve>() -> Option<Affine<C>> {
    let mut r = rng(9);
    for _ in 0..64 {
        let x = C::Base::random(&mut r);
        let Some(y) = (x.square() * x + C::B).sqrt_vartime() else { continue };
        let p = Affine::<C> { x, y };
        let t: Jacobian<C> = p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
        if !t.is_infinity() {
            return Some(t.to_affine());
        }
    }
    None
}

fn torsion_is_refused<E: Pairing>() {
    let case = Case::<E>::new(3);
    let (public, proof) = case.prove(5, 2);
    if let Some(t) = torsion::<E::G1>() {
        let a = Proof { a: proof.a.to_jacobian().add_mixed(&t).to_affine(), ..proof };
        refused(&case, &public, &a, Element::A, PointFault::WrongSubgroup);
        let c = Proof { c: proof.c.to_jacobian().add_mixed(&t).to_affine(), ..proof };
        refused(&case, &public, &c, Element::C, PointFault::WrongSubgroup);
    }
    let t = torsion::<E::G2>().expect("every second group of ours has a cofactor");
    let b = Proof { b: proof.b.to_jacobian().add_mixed(&t).to_affine(), ..proof };
    refused(&case, &public, &b, Element::B, PointFault::WrongSubgroup);
}

/// `check_proofs` agrees with the check of each proof, and names the first that fails.
fn checks_together<E: Pairing>() {
    let case = Case::<E>::new(3);
    let good: Vec<Proof<E>> = (0..9).map(|i| case.prove(i, 20 + i).1).collect();
    let run = |proofs: &[Proof<E>]| check_proofs(&mut Session::new(&case.device), proofs, &mut rng(9));
    for n in [0, 1, 9] {
        let checked = run(&good[..n]).unwrap();
        assert!(checked.len() == n && checked.iter().zip(&good).all(|(a, b)| a == b));
    }
    let refused = |at: usize, change: &dyn Fn(&mut Proof<E>)| {
        let mut proofs = good.clone();
        change(&mut proofs[at]);
        let alone = proofs[at].check().unwrap_err();
        let found = run(&proofs);
        let Err(VerifyError::InBatch { index, why }) = found else { panic!("{found:?}") };
        assert!(
            index == at && matches!(&*why, VerifyError::Point(bad) if *bad == alone),
            "{why:?}, not {alone:?}"
        );
    };
    let t = torsion::<E::G2>().expect("every second group of ours has a cofactor");
    for at in [0, 7, 8] {
        refused(at, &|p| p.b = p.b.to_jacobian().add_mixed(&t).to_affine());
        refused(at, &|p| p.a.x += E::Fq::ONE);
        refused(at, &|p| core::mem::swap(&mut p.c.x, &mut p.c.y));
        refused(at, &|p| p.b.y = p.b.x);
        if let Some(t) = torsion::<E::G1>() {
            refused(at, &|p| p.a = t);
            refused(at, &|p| (p.b.y, p.c) = (p.b.x, t));
            refused(at, &|p| p.c = t);
        }
    }
}

/// Checks that every check of the proof, and so every verifier, refuses it.
fn refused<E: Pairing>(
    case: &Case<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
    element: Element,
    fault: PointFault,
) {
    let bad = BadPoint { element, fault };
    assert_eq!(proof.check(), Err(bad));
    assert!(matches!(case.verify(public, proof), Err(VerifyError::Point(found)) if found == bad));
}

/// A key with bad points does not pass the check, and so cannot be prepared.
fn bad_keys<E: Pairing>() {
    let case = Case::<E>::new(3);
    let good = &case.key.vk;
    assert_eq!(good.clone().check().unwrap(), *good);
    let refused = |change: &dyn Fn(&mut VerifyingKey<E>), element: Element, fault: PointFault| {
        let mut bad = good.clone();
        change(&mut bad);
        assert_eq!(bad.check(), Err(BadPoint { element, fault }));
    };
    refused(&|k| k.alpha_g1 = Affine::INFINITY, Element::Alpha, PointFault::Infinity);
    refused(&|k| k.beta_g2 = Affine::INFINITY, Element::Beta, PointFault::Infinity);
    refused(&|k| k.gamma_g2 = Affine::INFINITY, Element::Gamma, PointFault::Infinity);
    refused(&|k| k.delta_g2 = Affine::INFINITY, Element::Delta, PointFault::Infinity);
    refused(&|k| k.ic[1].x += E::Fq::ONE, Element::Ic(1), PointFault::OffCurve);
    refused(&|k| k.alpha_g1.y = k.alpha_g1.x, Element::Alpha, PointFault::OffCurve);
    let add = |p: &mut Affine<E::G2>, t: &Affine<E::G2>| *p = p.to_jacobian().add_mixed(t).to_affine();
    let t = torsion::<E::G2>().expect("every second group of ours has a cofactor");
    refused(&|k| add(&mut k.beta_g2, &t), Element::Beta, PointFault::WrongSubgroup);
    refused(&|k| add(&mut k.gamma_g2, &t), Element::Gamma, PointFault::WrongSubgroup);
    refused(&|k| add(&mut k.delta_g2, &t), Element::Delta, PointFault::WrongSubgroup);
    if let Some(t) = torsion::<E::G1>() {
        refused(&|k| k.alpha_g1 = t, Element::Alpha, PointFault::WrongSubgroup);
        refused(&|k| k.ic[0] = t, Element::Ic(0), PointFault::WrongSubgroup);
    }
    let said = |element, fault| BadPoint { element, fault }.to_string();
    assert_eq!(said(Element::Ic(1), PointFault::OffCurve), "IC[1] is not on the curve");
    assert_eq!(said(Element::B, PointFault::WrongSubgroup), "pi_B is not in the prime-order subgroup");
    assert_eq!(said(Element::Delta, PointFault::Infinity), "delta is infinity");
    // Without IC there is no element for the constant one.
    let empty = VerifyingKey { ic: Vec::new(), ..good.clone() }.check().unwrap();
    let none = PreparedVerifyingKey::new(&mut Session::new(&case.device), &empty);
    assert!(matches!(none, Err(VerifyError::EmptyKey)));
}

/// The key of a ceremony to which nobody contributed, and other weak keys: a proof is forged for public values without a witness, and
/// only the functions for unsafe keys accept it.
fn forgeries<E: Pairing>() {
    let case = Case::<E>::new(3);
    let good = &case.key.vk;
    good.expect_safe().unwrap();
    let public = [E::Fr::from(12345)];
    let on = || Session::new(&case.device);
    let commitment =
        (good.ic[1].to_jacobian().mul_vartime(&public[0]) + good.ic[0].to_jacobian()).to_affine();
    let (a, b) = (good.alpha_g1, good.beta_g2);
    for (delta_g2, c, weakness) in [
        (good.gamma_g2, -commitment, Weakness::DeltaIsGamma),
        (-good.gamma_g2, commitment, Weakness::DeltaIsMinusGamma),
    ] {
        let key = VerifyingKey { delta_g2, ..good.clone() };
        let forged = Proof { a, b, c };
        assert_eq!(key.weaknesses(), [weakness]);
        let refused = verify(&mut on(), &key, &public, &forged);
        assert!(matches!(refused, Err(VerifyError::UnsafeKey(why)) if why == weakness), "{refused:?}");
        verify_with_unsafe_key(&mut on(), &key, &public, &forged).expect("a forgery");
        let key = key.check().unwrap();
        let refused = PreparedVerifyingKey::new(&mut on(), &key);
        assert!(matches!(refused, Err(VerifyError::UnsafeKey(why)) if why == weakness));
        let forged = forged.check().unwrap();
        let prepared = PreparedVerifyingKey::of_unsafe_key(&mut on(), &key).unwrap();
        prepared.verify(&mut on(), &public, &forged).expect("a forgery");
    }
    // Ceremonies choose the generator for γ, which is no weakness.
    let usual = VerifyingKey { gamma_g2: Affine::generator(), ..good.clone() };
    assert_eq!((usual.weaknesses(), usual.unbound()), (vec![], vec![]));
    let infinite = |change: &dyn Fn(&mut VerifyingKey<E>)| {
        let mut key = good.clone();
        change(&mut key);
        key.weaknesses()
    };
    assert_eq!(infinite(&|k| k.alpha_g1 = Affine::INFINITY), [Weakness::Infinity(Element::Alpha)]);
    assert_eq!(infinite(&|k| k.beta_g2 = Affine::INFINITY), [Weakness::Infinity(Element::Beta)]);
    assert_eq!(infinite(&|k| k.gamma_g2 = Affine::INFINITY), [Weakness::Infinity(Element::Gamma)]);
    assert_eq!(infinite(&|k| k.delta_g2 = Affine::INFINITY), [Weakness::Infinity(Element::Delta)]);
    // A public value whose element of IC is infinity.
    let mut key = good.clone();
    key.ic[1] = Affine::INFINITY;
    assert_eq!((key.unbound(), key.weaknesses()), (vec![0], vec![]));
}

#[test]
fn keys_under_which_proofs_can_be_forged_accept_none() {
    forgeries::<Bn254>();
    forgeries::<Bls12_381>();
    forgeries::<TinyBls12>();
}

fn batches<E: Pairing>() {
    let case = Case::<E>::new(4);
    let key = case.prepare();
    let mut batch: Vec<(Vec<E::Fr>, InSubgroup<Proof<E>>)> = (0..5)
        .map(|i| case.prove(i, 10 + i))
        .map(|(public, proof)| (public, proof.check().unwrap()))
        .collect();
    let run = |batch: &[_]| key.batch_verify(&mut Session::new(&case.device), batch, &mut rng(4));
    run(&[]).unwrap();
    run(&batch[..1]).unwrap();
    run(&batch).unwrap();
    batch[3].0[0] += E::Fr::ONE;
    assert!(matches!(
        run(&batch),
        Err(VerifyError::InBatch { index: 3, why }) if matches!(*why, VerifyError::Rejected)
    ));
    batch[3].0[0] -= E::Fr::ONE;
    let value = batch[2].0.pop().expect("one public value");
    assert!(matches!(
        run(&batch),
        Err(VerifyError::InBatch { index: 2, why })
            if matches!(*why, VerifyError::PublicCount { expected: 1, found: 0 })
    ));
    batch[2].0.push(value);
    // Errors that cancel in an unweighted sum must not pass: C1 + D and C2 - D.
    let d = Affine::<E::G1>::generator();
    let mut move_c = |i: usize, by: &Affine<E::G1>| {
        let mut proof = batch[i].1.into_inner();
        proof.c = proof.c.to_jacobian().add_mixed(by).to_affine();
        batch[i].1 = proof.check().unwrap();
    };
    move_c(1, &d);
    move_c(2, &-d);
    assert!(matches!(run(&batch), Err(VerifyError::InBatch { index: 1, .. })));
    // Proofs with points at infinity fail.
    let nothing = Proof { a: Affine::INFINITY, b: Affine::INFINITY, c: Affine::INFINITY };
    batch[0].1 = nothing.check().unwrap();
    assert!(matches!(run(&batch), Err(VerifyError::InBatch { index: 0, .. })));
}

fn bad_witnesses<E: Pairing>() {
    let case = Case::<E>::new(6);
    let system = chain::<E::Fr>(6);
    let good = chain_witness(6, E::Fr::from(2));
    check(&system, &good).unwrap();
    let mut bad = good.clone();
    bad[4] += E::Fr::ONE;
    assert!(matches!(check(&system, &bad), Err(R1csError::Unsatisfied { constraint: 1, .. })));
    assert!(matches!(check(&system, &good[1..]), Err(R1csError::WitnessLength { expected: 8, found: 7 })));
    let proof_of =
        |w: Vec<E::Fr>| prove(&mut Session::new(&case.device), &case.key, &Buf::from(w), &mut rng(1));
    let proof = proof_of(bad.clone()).unwrap();
    assert!(matches!(case.verify(&bad[1..2], &proof), Err(VerifyError::Rejected)));
    assert!(matches!(proof_of(good[1..].to_vec()), Err(ProveError::WitnessLength { .. })));
    let mut zero = good;
    zero[0] = E::Fr::ZERO;
    assert!(matches!(proof_of(zero), Err(ProveError::NoConstantOne)));
}

macro_rules! on_every_curve {
    ($($test:ident),+) => {$(
        mod $test {
            use super::*;
            #[test]
            fn bls12_381() { super::$test::<Bls12_381>() }
            #[test]
            fn bn254() { super::$test::<Bn254>() }
            #[test]
            fn bls12_377() { super::$test::<Bls12_377>() }
            #[test]
            fn tiny_bls12() { super::$test::<TinyBls12>() }
        }
    )+};
}
on_every_curve!(
    completeness_and_soundness,
    torsion_is_refused,
    checks_together,
    bad_keys,
    batches,
    bad_witnesses
);

/// On the tiny curve, a proof is accepted for its own public value and for none of `others` other values.
fn one_public_value_of(others: usize) {
    let case = Case::<TinyBls12>::new(14);
    let (public, proof) = case.prove(3, 2);
    let key = case.prepare();
    let proof = proof.check().unwrap();
    let mut on = Session::new(&case.device);
    let accepted = |on: &mut Session<'_, TinyBls12>, x| key.verify(on, &[x], &proof).is_ok();
    assert!(accepted(&mut on, public[0]));
    let mut x = public[0];
    for _ in 0..others {
        x += <TinyBls12 as Pairing>::Fr::from(97);
        assert!(!accepted(&mut on, x), "{x}");
    }
}

#[test]
fn one_public_value_of_many() {
    one_public_value_of(4_000);
}

#[test]
#[ignore = "full: three minutes; a hundred thousand other values instead of four thousand"]
fn one_public_value_of_very_many() {
    one_public_value_of(100_000);
}
