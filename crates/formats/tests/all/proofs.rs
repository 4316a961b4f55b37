//! Groth16 proofs with snarkjs' keys and snarkjs' random values.

use crate::common::{bytes, vector};
use pairwright_curve::Pairing;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_device::{Session, reference};
use pairwright_field::Field;
use pairwright_formats::{WtnsFile, ZkeyFile, write_proof};
use pairwright_protocols::groth16::{Blinding, prove_blinded};

fn equals_snarkjs<E: Pairing>(curve: &str) {
    let zkey = ZkeyFile::<E>::open(vector(&format!("circom/cube/{curve}/cube.zkey"))).unwrap();
    let witness = WtnsFile::<E::Fr>::open(vector(&format!("circom/cube/{curve}/witness.wtns"))).unwrap();
    let board = reference::board::<E>();
    let draws = [3, 4].map(|i| E::Fr::from(i).pow_vartime(&[40]));
    let proof = prove_blinded(
        &mut Session::new(&board),
        &zkey.proving_key().unwrap(),
        &witness.witness().unwrap(),
        &Blinding::from_known(draws),
    );
    let mut text = Vec::new();
    write_proof(&mut text, &proof.unwrap()).unwrap();
    assert_eq!(text, bytes(&format!("groth16/{curve}.proof.json")), "{curve}");
}

/// A proof is a function of key, witness and random values: with those of snarkjs it has the same bytes.
#[test]
fn proofs_of_known_draws_are_those_of_snarkjs() {
    equals_snarkjs::<Bn254>("bn128");
    equals_snarkjs::<Bls12_381>("bls12381");
}
