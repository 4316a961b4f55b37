//! Completeness and soundness of Groth16 on every curve, on the plain board.

use pairwright_curve::{
    Affine, Curve, Jacobian, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254,
};
use pairwright_device::{Device, Session, reference};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{
    Element, Proof, ProveError, VerifyError, batch_verify, prove, setup_local, verify,
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
        (public, prove(&mut on, &self.key, &Buf::from(w), &mut rng(seed)).unwrap())
    }
    fn verify(&self, public: &[E::Fr], proof: &Proof<E>) -> Result<(), VerifyError> {
        verify(&mut Session::new(&self.device), &self.key.vk, public, proof)
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
        assert!(matches!(case.verify(&public, &off), Err(VerifyError::OffCurve(Element::A))));
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
        assert!(matches!(case.verify(&public, &a), Err(VerifyError::WrongSubgroup(Element::A))));
        let c = Proof { c: proof.c.to_jacobian().add_mixed(&t).to_affine(), ..proof };
        assert!(matches!(case.verify(&public, &c), Err(VerifyError::WrongSubgroup(Element::C))));
    }
    let t = torsion::<E::G2>().expect("every second group of ours has a cofactor");
    let b = Proof { b: proof.b.to_jacobian().add_mixed(&t).to_affine(), ..proof };
    assert!(matches!(case.verify(&public, &b), Err(VerifyError::WrongSubgroup(Element::B))));
}

fn batches<E: Pairing>() {
    let case = Case::<E>::new(4);
    let mut batch: Vec<_> = (0..5).map(|i| case.prove(i, 10 + i)).collect();
    let run = |batch: &[_]| batch_verify(&mut Session::new(&case.device), &case.key.vk, batch, &mut rng(4));
    run(&[]).unwrap();
    run(&batch[..1]).unwrap();
    run(&batch).unwrap();
    batch[3].0[0] += E::Fr::ONE;
    assert!(matches!(
        run(&batch),
        Err(VerifyError::InBatch { index: 3, why }) if matches!(*why, VerifyError::Rejected)
    ));
    // Errors that cancel in an unweighted sum must not pass: C1 + D and C2 - D.
    batch[3].0[0] -= E::Fr::ONE;
    let d = Affine::<E::G1>::generator();
    batch[1].1.c = batch[1].1.c.to_jacobian().add_mixed(&d).to_affine();
    batch[2].1.c = batch[2].1.c.to_jacobian().add_mixed(&-d).to_affine();
    assert!(matches!(run(&batch), Err(VerifyError::InBatch { index: 1, .. })));
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
        }
    )+};
}
on_every_curve!(completeness_and_soundness, torsion_is_refused, batches, bad_witnesses);
