//! Serde implementations of proofs, keys, points and numbers, with JSON and with the binary format postcard.

use crate::common::vector;
use core::fmt::Debug;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{self, Bls12_381};
use pairwright_curve::bn254::{self, Bn254};
use pairwright_curve::encoding::Form;
use pairwright_field::{Field, PrimeField};
use pairwright_formats::{FileBytes, read_proof, read_verifying_key};
use pairwright_protocols::groth16::{Encoded, InSubgroup, Proof, VerifyingKey};
use pairwright_protocols::schemes::MinPk;
use pairwright_protocols::schemes::bls::{PublicKey, Scheme, SecretKey, Signature};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Checks the round trips in both formats; returns the JSON and the bytes.
fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> (String, Vec<u8>) {
    let (text, bytes) = (serde_json::to_string(value).unwrap(), postcard::to_allocvec(value).unwrap());
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value);
    assert_eq!(postcard::from_bytes::<T>(&bytes).unwrap(), *value);
    (text, bytes)
}

/// Changed encodings of `value` never decode to `value`, and truncated ones do not decode.
fn refuses<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let (text, bytes) = both(value);
    for at in 0..text.len() {
        assert!(serde_json::from_str::<T>(&text[..at]).is_err());
        let mut other = text.clone().into_bytes();
        other[at] = if other[at] == b'7' { b'3' } else { b'7' };
        // The changed text may be that of another value, which then has exactly this text.
        if let Ok(found) = serde_json::from_slice::<T>(&other) {
            assert_ne!(found, *value);
            assert_eq!(serde_json::to_vec(&found).unwrap(), other);
        }
    }
    let capital = text.to_uppercase();
    assert!(capital == text || serde_json::from_str::<T>(&capital).is_err());
    for at in 0..bytes.len() {
        assert!(postcard::from_bytes::<T>(&bytes[..at]).is_err());
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        if let Ok(found) = postcard::from_bytes::<T>(&other) {
            assert_ne!(found, *value);
            assert_eq!(postcard::to_allocvec(&found).unwrap(), other);
        }
    }
    for wrong in ["null", "7", "[]", "{}", "\"\"", "\"0x00\"", "\"zz\"", "[1,2,3]"] {
        assert!(serde_json::from_str::<T>(wrong).is_err(), "{wrong}");
    }
}

/// The bytes of an encoding, preceded by their number as postcard writes it.
fn counted(bytes: &[u8]) -> Vec<u8> {
    postcard::to_allocvec(bytes).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn files_of_snarkjs<E: Encoded>(curve: &str) {
    let file = |name: &str| FileBytes::open(vector(&format!("circom/cube/{curve}/{name}"))).unwrap();
    let proof: InSubgroup<Proof<E>> = read_proof(file("proof.json")).unwrap();
    let key: InSubgroup<VerifyingKey<E>> = read_verifying_key(file("verification_key.json")).unwrap();
    let (text, bytes) = both(&proof);
    let form = proof.to_bytes(Form::Compressed);
    assert_eq!((text, bytes), (format!("\"{}\"", hex(&form)), counted(&form)));
    assert_eq!(both(&*proof), both(&proof));
    assert_eq!(both(&*key), both(&key));
    refuses(&proof);
    refuses(&key);
}

#[test]
fn proofs_and_keys_of_bn254() {
    files_of_snarkjs::<Bn254>("bn128");
}
#[test]
fn proofs_and_keys_of_bls12_381() {
    files_of_snarkjs::<Bls12_381>("bls12381");
}

#[test]
fn public_values_are_snarkjs_list() {
    let file = FileBytes::open(vector("circom/cube/bn128/public.json")).unwrap();
    let values: Vec<bn254::Fr> = serde_json::from_slice(&file).unwrap();
    assert_eq!(values, [bn254::Fr::from_decimal("35").unwrap()]);
    assert_eq!(serde_json::to_string(&values).unwrap(), "[\"35\"]");
}

#[test]
fn numbers() {
    for x in [bn254::Fr::ZERO, bn254::Fr::ONE, -bn254::Fr::ONE] {
        let (text, bytes) = both(&x);
        let mut form = [0; 32];
        x.write_le(&mut form);
        assert_eq!((text, bytes), (format!("\"{}\"", x.to_decimal()), counted(&form)));
    }
    let modulus = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
    for wrong in [modulus, "007", "-1", "+1", " 1", "1 ", "", "0x1"] {
        let refused = serde_json::from_str::<bn254::Fr>(&format!("\"{wrong}\"")).unwrap_err();
        assert!(refused.to_string().contains("Fr"), "{wrong}: {refused}");
    }
    assert!(serde_json::from_str::<bn254::Fr>("1").is_err());
    assert!(postcard::from_bytes::<bn254::Fr>(&counted(&[0xff; 32])).is_err());
    assert!(postcard::from_bytes::<bn254::Fr>(&counted(&[0; 31])).is_err());
}

#[test]
fn points() {
    refuses(&Affine::<bn254::G1>::generator());
    refuses(&Affine::<bn254::G2>::generator());
    refuses(&Affine::<bls12_381::G1>::generator());
    refuses(&Affine::<bls12_381::G2>::generator());
    both(&Affine::<bls12_381::G2>::INFINITY);
    // A point on the curve y² = x³ + 4 outside of the subgroup.
    let mut bytes = [0u8; 48];
    bytes[0] = 0x80;
    let outside = (1..=255).find_map(|x| {
        bytes[47] = x;
        Affine::<bls12_381::G1>::from_bytes(&bytes, Form::Compressed)
            .err()
            .filter(|why| why.to_string().contains("subgroup"))
    });
    let refused = postcard::from_bytes::<Affine<bls12_381::G1>>(&counted(&bytes));
    assert!(outside.is_some() && refused.is_err());
    let refused = serde_json::from_str::<Affine<bls12_381::G1>>(&format!("\"{}\"", hex(&bytes))).unwrap_err();
    assert!(refused.to_string().contains("not in the prime-order subgroup"), "{refused}");
}

#[test]
fn what_signatures_show() {
    let secret = SecretKey::key_gen(&[7; 32], &[]).unwrap();
    let key: PublicKey<MinPk> = secret.public_key();
    let signature: Signature<MinPk> = secret.sign(Scheme::ProofOfPossession, b"message");
    assert_eq!(both(&key), (format!("\"{}\"", hex(&key.to_bytes())), counted(&key.to_bytes())));
    refuses(&key);
    refuses(&signature);
    // The neutral element is not a valid key.
    let neutral = format!("\"c0{}\"", "00".repeat(47));
    assert!(serde_json::from_str::<PublicKey<MinPk>>(&neutral).is_err());
    assert!(serde_json::from_str::<Affine<bls12_381::G1>>(&neutral).unwrap().is_infinity());
}
