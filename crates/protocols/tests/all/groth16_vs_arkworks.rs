//! Compares verification under a prepared key with the same equation on arkworks' prepared pairings: both give the same verdict on
//! proofs of random circuits, on wrong proofs, and on points at infinity. (The comparison with ark-groth16 itself is in `bench/`, to
//! keep its sixty packages out of this workspace.)

use ark_ec::pairing::{Pairing as ArkPairing, PairingOutput};
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use pairwright_curve::{Affine, Curve, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Session, reference};
use pairwright_field::{Extension, Field, PrimeField};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{
    PreparedVerifyingKey, Proof, VerifyError, VerifyingKey, prove, setup_local, verify,
};
use pairwright_protocols::r1cs::{Combination, Constraint, R1cs, Shape, check};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

fn prime<F: PrimeField, A: ark_ff::PrimeField>(x: &F) -> A {
    let mut bytes = vec![0; F::BYTES];
    x.write_le(&mut bytes);
    A::from_le_bytes_mod_order(&bytes)
}

fn element<F: Extension, A: ark_ff::Field>(x: &F) -> A {
    A::from_base_prime_field_elems((0..F::DEGREE).map(|i| prime(&x.coord(i)))).unwrap()
}

fn point<C: Curve, A: SWCurveConfig>(p: &Affine<C>) -> ArkAffine<A> {
    if p.is_infinity() { ArkAffine::identity() } else { ArkAffine::new(element(&p.x), element(&p.y)) }
}

/// A verifying key prepared in arkworks' types.
struct Theirs<A: ArkPairing> {
    product: PairingOutput<A>,
    minus_gamma: A::G2Prepared,
    minus_delta: A::G2Prepared,
    ic: Vec<A::G1Affine>,
}

impl<A, C1, C2> Theirs<A>
where
    A: ArkPairing<G1Affine = ArkAffine<C1>, G2Affine = ArkAffine<C2>>,
    C1: SWCurveConfig<ScalarField = A::ScalarField>,
    C2: SWCurveConfig,
{
    fn new<E: Pairing>(vk: &VerifyingKey<E>) -> Self {
        let minus = |q: &Affine<E::G2>| A::G2Prepared::from(point::<E::G2, C2>(&-*q));
        Self {
            product: A::pairing(point::<E::G1, C1>(&vk.alpha_g1), point::<E::G2, C2>(&vk.beta_g2)),
            minus_gamma: minus(&vk.gamma_g2),
            minus_delta: minus(&vk.delta_g2),
            ic: vk.ic.iter().map(point).collect(),
        }
    }

    fn accepts<E: Pairing>(&self, public: &[E::Fr], proof: &Proof<E>) -> bool {
        let mut ic = self.ic[0].into_group();
        for (x, p) in public.iter().zip(&self.ic[1..]) {
            ic += *p * prime::<E::Fr, A::ScalarField>(x);
        }
        let first: [ArkAffine<C1>; 3] = [point(&proof.a), ic.into_affine(), point(&proof.c)];
        let second =
            [point::<E::G2, C2>(&proof.b).into(), self.minus_gamma.clone(), self.minus_delta.clone()];
        A::final_exponentiation(A::multi_miller_loop(first, second)).unwrap() == self.product
    }
}

/// A circuit of random sparse constraints, each defining a wire, the last ones the public wires; and its witness.
fn random_circuit<F: PrimeField>(public: usize, rng: &mut ChaCha20Rng) -> (R1cs<F>, Vec<F>) {
    let (inputs, between) = (1 + rng.next_u32() as usize % 3, rng.next_u32() as usize % 9);
    let wires = 1 + public + inputs + between;
    let shape = Shape { wires, outputs: public, public_inputs: 0, private_inputs: inputs, constraints: 0 };
    let mut witness = vec![F::ZERO; wires];
    witness[0] = F::ONE;
    (0..inputs).for_each(|i| witness[1 + public + i] = F::random(rng));
    let mut known: Vec<usize> = [0].into_iter().chain(1 + public..1 + public + inputs).collect();
    let mut constraints = Vec::new();
    for wire in (1 + public + inputs..wires).chain(1..=public) {
        let mut side = || -> Combination<F> {
            let terms = 1 + rng.next_u32() as usize % 3;
            let coefficient = |rng: &mut ChaCha20Rng| match rng.next_u32() % 3 {
                0 => F::from(u64::from(rng.next_u32() % 100)),
                1 => -F::ONE,
                _ => F::random(rng),
            };
            (0..terms)
                .map(|_| {
                    let at = known[rng.next_u32() as usize % known.len()];
                    (at as u32, coefficient(rng))
                })
                .collect()
        };
        let (a, b) = (side(), side());
        let value = |side: &Combination<F>| {
            side.iter().fold(F::ZERO, |sum, (at, k)| sum + witness[*at as usize] * *k)
        };
        let product = value(&a) * value(&b);
        witness[wire] = product;
        known.push(wire);
        constraints.push(Constraint { a, b, c: vec![(wire as u32, F::ONE)] });
    }
    let system = R1cs::new(shape, constraints).unwrap();
    check(&system, &witness).unwrap();
    (system, witness)
}

/// A valid proof, and variations of it, each with a name.
fn variants<E: Pairing>(proof: &Proof<E>, other: &Proof<E>) -> Vec<(&'static str, Proof<E>)> {
    let double = |p: &Affine<E::G1>| p.to_jacobian().double().to_affine();
    vec![
        ("valid", *proof),
        ("valid, other blinding", *other),
        ("both of A and B negated", Proof { a: -proof.a, b: -proof.b, ..*proof }),
        ("A negated", Proof { a: -proof.a, ..*proof }),
        ("B negated", Proof { b: -proof.b, ..*proof }),
        ("C negated", Proof { c: -proof.c, ..*proof }),
        ("A and C exchanged", Proof { a: proof.c, c: proof.a, ..*proof }),
        ("A of another proof", Proof { a: other.a, ..*proof }),
        ("B of another proof", Proof { b: other.b, ..*proof }),
        ("C of another proof", Proof { c: other.c, ..*proof }),
        ("C doubled", Proof { c: double(&proof.c), ..*proof }),
        ("A infinite", Proof { a: Affine::INFINITY, ..*proof }),
        ("B infinite", Proof { b: Affine::INFINITY, ..*proof }),
        ("C infinite", Proof { c: Affine::INFINITY, ..*proof }),
        ("all infinite", Proof { a: Affine::INFINITY, b: Affine::INFINITY, c: Affine::INFINITY }),
    ]
}

fn same_verdicts<E, A, C1, C2>()
where
    E: Pairing,
    A: ArkPairing<G1Affine = ArkAffine<C1>, G2Affine = ArkAffine<C2>>,
    C1: SWCurveConfig<ScalarField = A::ScalarField>,
    C2: SWCurveConfig,
{
    let board = reference::board::<E>();
    let mut on = Session::new(&board);
    let mut rng = ChaCha20Rng::seed_from_u64(71);
    // The last circuit has more elements of IC than are stored with tables.
    for public in [0, 1, 2, 5, 70] {
        let (system, witness) = random_circuit::<E::Fr>(public, &mut rng);
        let key = setup_local(&mut on, &system, &mut rng).unwrap();
        let witness = Buf::from(witness);
        let [proof, other] = [(); 2].map(|()| prove(&mut on, &key, &witness, &mut rng).unwrap());
        let values = &witness[1..=public];

        let prepared = PreparedVerifyingKey::new(&mut on, &key.vk.clone().check().unwrap()).unwrap();
        assert_eq!(prepared.public(), public);
        let theirs = Theirs::<A>::new(&key.vk);
        let mut judge = |values: &[E::Fr], proof: &Proof<E>, what: &str| {
            let verdict = theirs.accepts(values, proof);
            for ours in [
                prepared.verify(&mut on, values, &proof.check().unwrap()),
                verify(&mut on, &key.vk, values, proof),
            ] {
                match ours {
                    Ok(()) => assert!(verdict, "{what}, {public} public: accepted, and not by arkworks"),
                    Err(VerifyError::Rejected) => assert!(!verdict, "{what}, {public} public: rejected"),
                    Err(other) => panic!("{what}, {public} public: {other}"),
                }
            }
            verdict
        };
        for (i, (what, proof)) in variants(&proof, &other).iter().enumerate() {
            assert_eq!(judge(values, proof, what), i < 3, "{what}, {public} public");
        }
        for i in 0..public.min(3) {
            let mut wrong = values.to_vec();
            wrong[i] += E::Fr::ONE;
            assert!(!judge(&wrong, &proof, "another public value"));
        }

        // A wrong number of public values is refused before the equation is computed.
        let checked = proof.check().unwrap();
        let longer: Vec<E::Fr> = values.iter().copied().chain([E::Fr::ZERO]).collect();
        let mut wrong = vec![&longer[..]];
        wrong.extend(values.split_last().map(|(_, shorter)| shorter));
        for values in wrong {
            let found = prepared.verify(&mut on, values, &checked);
            let counts = (public, values.len());
            assert!(
                matches!(found, Err(VerifyError::PublicCount { expected, found }) if (expected, found) == counts)
            );
        }
    }
}

#[test]
fn bls12_381() {
    use ark_bls12_381 as ark;
    same_verdicts::<Bls12_381, ark::Bls12_381, ark::g1::Config, ark::g2::Config>();
}

#[test]
fn bn254() {
    use ark_bn254 as ark;
    same_verdicts::<Bn254, ark::Bn254, ark::g1::Config, ark::g2::Config>();
}

#[test]
fn bls12_377() {
    use ark_bls12_377 as ark;
    same_verdicts::<Bls12_377, ark::Bls12_377, ark::g1::Config, ark::g2::Config>();
}
