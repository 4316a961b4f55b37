//! Conversions of circuits, keys and proofs between arkworks and this project.

use ark_ec::pairing::Pairing as ArkPairing;
use ark_ff::{FftField, Field as ArkField, UniformRand};
use ark_groth16::Groth16;
use ark_relations::gr1cs::{ConstraintSynthesizer, ConstraintSystemRef, SynthesisError, Variable};
use ark_relations::lc;
use ark_serialize::CanonicalSerialize;
use ark_std::rand::SeedableRng as _;
use pairwright_ark::{
    Bridge, Circuit, KeyError, proof_from_ark, proof_to_ark, proving_key_from_ark, proving_key_to_ark,
    scalar_from_ark, scalar_to_ark, verifying_key_from_ark, verifying_key_to_ark,
};
use pairwright_curve::encoding::Form;
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Session, reference};
use pairwright_formats::{Contributions, FileBytes, ZkeyFile, write_zkey};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{Encoded, prove, setup_local, verify};
use pairwright_protocols::r1cs::{ConstraintSource, check};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// A chain of `steps` maps `x -> x² + k·x` that begins with a secret; the last value and `k` are public.
#[derive(Clone)]
struct Chain<F> {
    steps: usize,
    start: Option<F>,
    k: F,
    /// Whether the sides A and B are exchanged, which gives another circuit of the same shape and meaning.
    other: bool,
}

impl<F: ArkField> Chain<F> {
    fn end(&self) -> F {
        (0..self.steps).fold(self.start.unwrap(), |x, _| x.square() + self.k * x)
    }
}

impl<F: ArkField> ConstraintSynthesizer<F> for Chain<F> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let missing = SynthesisError::AssignmentMissing;
        let k = cs.new_input_variable(|| Ok(self.k))?;
        let mut value = self.start;
        let mut x: Variable = cs.new_witness_variable(|| value.ok_or(missing))?;
        for step in 0..self.steps {
            value = value.map(|x| x.square() + self.k * x);
            let make = || value.ok_or(missing);
            let next = if step + 1 == self.steps {
                cs.new_input_variable(make)?
            } else {
                cs.new_witness_variable(make)?
            };
            // x·(x + k) = next
            let (a, b) = (lc!() + x, lc!() + x + k);
            let (a, b) = if self.other { (b, a) } else { (a, b) };
            cs.enforce_r1cs_constraint(|| a, || b, || lc!() + next)?;
            x = next;
        }
        Ok(())
    }
}

/// `same_roots` tells whether arkworks has our domain for every size, so that its prover can use all keys of our setup.
fn both_ways<E: Bridge + Encoded>(same_roots: bool) {
    type Fr<E> = <<E as Bridge>::Ark as ArkPairing>::ScalarField;
    let board = reference::board::<E>();
    let mut on = Session::new(&board);
    let mut ours = ChaCha20Rng::seed_from_u64(1);
    let mut theirs = ark_std::rand::rngs::StdRng::seed_from_u64(2);
    let mut refused_keys = 0;
    // Numbers of rows, with those of the public values: some are not powers of two, and one is exactly a power of two.
    for steps in [1usize, 4, 5, 13, 20] {
        let chain =
            Chain { steps, start: Some(Fr::<E>::rand(&mut theirs)), k: Fr::<E>::from(7u64), other: false };
        let blank = Chain { start: None, ..chain.clone() };
        let public = [chain.k, chain.end()];
        let our_public = public.map(|x| scalar_from_ark::<E>(&x));
        assert_eq!(our_public.map(|x| scalar_to_ark::<E>(&x)), public);

        // The circuit.
        let shape = Circuit::<E>::shape(blank.clone()).unwrap();
        let circuit = Circuit::<E>::with_witness(chain.clone()).unwrap();
        assert!(shape.witness.is_none());
        let witness = circuit.witness.unwrap();
        check(&circuit.r1cs, &witness).unwrap();
        check(&shape.r1cs, &witness).unwrap();
        assert_eq!(witness[1..=2], our_public);
        assert_eq!(shape.r1cs.shape().constraints, steps);

        // arkworks' key and our prover; both verifiers accept the proof.
        let ark_key =
            Groth16::<E::Ark>::generate_random_parameters_with_reduction(blank.clone(), &mut theirs).unwrap();
        let key = proving_key_from_ark::<E>(&mut on, &ark_key, &shape.r1cs).unwrap();
        let witness = Buf::from(witness);
        let proof = prove(&mut on, &key, &witness, &mut ours).unwrap();
        verify(&mut on, &key.vk, &our_public, &proof).unwrap();
        // The same key as a file, read back and checked.
        let mut bytes = Vec::new();
        write_zkey(&mut bytes, &key, &Contributions::none()).unwrap();
        let file = ZkeyFile::<E>::read(FileBytes::from_vec("bridge.zkey", bytes)).unwrap();
        file.check(&mut on, &mut ours).unwrap();
        let from_file = prove(&mut on, &file.proving_key().unwrap(), &witness, &mut ours).unwrap();
        verify(&mut on, &key.vk, &our_public, &from_file).unwrap();
        let ready = ark_groth16::prepare_verifying_key(&ark_key.vk);
        let accepts = |public: &[Fr<E>]| {
            Groth16::<E::Ark>::verify_proof(&ready, &proof_to_ark(&proof), public).unwrap()
        };
        assert!(accepts(&public));
        assert!(!accepts(&[public[0], public[1] + Fr::<E>::ONE]));

        // arkworks' prover; our verifier accepts the proof.
        let ark_proof =
            Groth16::<E::Ark>::create_random_proof_with_reduction(chain.clone(), &ark_key, &mut theirs)
                .unwrap();
        let vk = verifying_key_from_ark::<E>(&ark_key.vk);
        assert_eq!(vk, key.vk);
        verify(&mut on, &vk, &our_public, &proof_from_ark::<E>(&ark_proof)).unwrap();
        verify(&mut on, &vk, &[our_public[1], our_public[0]], &proof_from_ark::<E>(&ark_proof)).unwrap_err();
        assert_eq!(proof_to_ark::<E>(&proof_from_ark::<E>(&ark_proof)), ark_proof);
        assert_eq!(verifying_key_to_ark::<E>(&vk), ark_key.vk);

        // Our key and our prover; arkworks' verifier accepts the proof.
        let own = setup_local(&mut on, &shape.r1cs, &mut ours).unwrap();
        let proof = prove(&mut on, &own, &witness, &mut ours).unwrap();
        let ready = ark_groth16::prepare_verifying_key(&verifying_key_to_ark::<E>(&own.vk));
        assert!(Groth16::<E::Ark>::verify_proof(&ready, &proof_to_ark(&proof), &public).unwrap());

        // Our key and arkworks' prover; both verifiers accept the proof.
        let root = Fr::<E>::get_root_of_unity(own.domain.size() as u64).unwrap();
        let layout = scalar_from_ark::<E>(&root) == own.domain.root();
        assert!(layout || !same_roots);
        refused_keys += usize::from(!layout);
        match proving_key_to_ark::<E>(&mut on, &own, &shape.r1cs) {
            Ok(converted) if layout => {
                let made = Groth16::<E::Ark>::create_random_proof_with_reduction(
                    chain.clone(),
                    &converted,
                    &mut theirs,
                )
                .unwrap();
                assert!(Groth16::<E::Ark>::verify_proof(&ready, &made, &public).unwrap());
                assert!(!Groth16::<E::Ark>::verify_proof(&ready, &made, &[public[1], public[0]]).unwrap());
                verify(&mut on, &own.vk, &our_public, &proof_from_ark::<E>(&made)).unwrap();
            }
            Err(KeyError::OtherRows) if !layout => {}
            other => panic!("{:?}", other.map(|_| ())),
        }
        // A key of arkworks is unchanged after both conversions, on every curve.
        assert_eq!(proving_key_to_ark::<E>(&mut on, &key, &shape.r1cs).unwrap(), ark_key);

        // The same bytes.
        let (mut short, mut long) = (Vec::new(), Vec::new());
        ark_proof.serialize_compressed(&mut short).unwrap();
        ark_proof.serialize_uncompressed(&mut long).unwrap();
        let proof = proof_from_ark::<E>(&ark_proof);
        assert_eq!([proof.to_bytes(Form::Compressed), proof.to_bytes(Form::Uncompressed)], [short, long]);
        let (mut short, mut long) = (Vec::new(), Vec::new());
        ark_key.vk.serialize_compressed(&mut short).unwrap();
        ark_key.vk.serialize_uncompressed(&mut long).unwrap();
        assert_eq!([vk.to_bytes(Form::Compressed), vk.to_bytes(Form::Uncompressed)], [short, long]);

        // A key of another circuit.
        let other = Circuit::<E>::shape(Chain { steps: steps + 1, ..blank.clone() }).unwrap();
        let refused = proving_key_from_ark::<E>(&mut on, &ark_key, &other.r1cs);
        assert!(matches!(refused, Err(KeyError::OtherCircuit { .. })));
        let refused = proving_key_to_ark::<E>(&mut on, &key, &other.r1cs);
        assert!(matches!(refused, Err(KeyError::OtherCircuit { .. })));
        // Another circuit of the same shape.
        let same_shape = Circuit::<E>::shape(Chain { other: true, ..blank.clone() }).unwrap();
        let refused = proving_key_to_ark::<E>(&mut on, &key, &same_shape.r1cs);
        assert!(matches!(refused, Err(KeyError::OtherRows)));
    }
    assert_eq!(refused_keys == 0, same_roots);
}

#[test]
fn bn254() {
    both_ways::<Bn254>(true);
}
#[test]
fn bls12_381() {
    both_ways::<Bls12_381>(false);
}
#[test]
fn bls12_377() {
    both_ways::<Bls12_377>(false);
}
