//! Contracts and the arguments of their calls for keys and proofs of snarkjs, and keys for which there is no contract.
//! `interop/contracts.test.mjs` tests with an EVM that the contracts compile and give the right verdicts.

use crate::common::{file, vector};
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Pairing};
use pairwright_formats::solidity::{
    ContractError, fflonk_calldata, fflonk_contract, groth16_calldata, groth16_contract, plonk_calldata,
    plonk_contract,
};
use pairwright_formats::{
    FileBytes, FormatError, read_proof, read_public, read_verifying_key, write_verifying_key,
};
use pairwright_formats::{fflonk, plonk};
use pairwright_poly::Domain;
use pairwright_protocols::fflonk::VerifyingKey as FflonkKey;
use pairwright_protocols::groth16::{VerifyingKey, Weakness};
use pairwright_protocols::plonk::{VerifyingKey as PlonkKey, Weakness as PlonkWeakness};
use std::path::Path;

fn open(path: &str) -> FileBytes {
    FileBytes::open(vector(path)).unwrap()
}

/// Compares a text with a golden; `BLESS=1 cargo test` writes it.
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert!(text == expected, "{name} has changed; with BLESS=1 the golden is written anew");
}

fn cube<E: Pairing>(curve: &str) {
    let at = |name: &str| open(&format!("circom/cube/{curve}/{name}"));
    let vk = read_verifying_key::<E>(at("verification_key.json")).unwrap();
    golden(&format!("groth16-{curve}.sol"), &groth16_contract(&vk).unwrap());
    let proof = read_proof::<E>(at("proof.json")).unwrap();
    let public = read_public::<E::Fr>(at("public.json")).unwrap();
    golden(&format!("groth16-{curve}.calldata"), &groth16_calldata::<E>(&proof, &public).unwrap());

    let at = |name: &str| open(&format!("plonk/{curve}/cube.{name}.json"));
    let vk = plonk::read_verifying_key::<E>(at("vk")).unwrap();
    golden(&format!("plonk-{curve}.sol"), &plonk_contract(&vk).unwrap());
    let proof = plonk::read_proof::<E>(at("proof")).unwrap();
    let public = read_public::<E::Fr>(at("public")).unwrap();
    golden(&format!("plonk-{curve}.calldata"), &plonk_calldata::<E>(&proof, &public).unwrap());
}

#[test]
fn the_texts_for_the_cube() {
    cube::<Bn254>("bn128");
    cube::<Bls12_381>("bls12381");
    let at = |name: &str| open(&format!("fflonk/cube.{name}.json"));
    let vk = fflonk::read_verifying_key::<Bn254>(at("vk")).unwrap();
    golden("fflonk-bn128.sol", &fflonk_contract(&vk).unwrap());
    let proof = fflonk::read_proof::<Bn254>(at("proof")).unwrap();
    let public = read_public(at("public")).unwrap();
    golden("fflonk-bn128.calldata", &fflonk_calldata::<Bn254>(&proof, &public).unwrap());
}

/// No placeholder is left in any contract, and no line ends in spaces.
fn filled(text: &str) {
    for line in text.lines() {
        assert!(!line.contains("{{") && !line.contains("}}") && line.trim_end() == line, "{line}");
    }
}

fn every_number_of_values<E: Pairing>(curve: &str) {
    for (circuit, values) in [("silent", 0), ("bare", 1), ("cube", 1), ("mixed", 2)] {
        let vk = plonk::read_verifying_key::<E>(open(&format!("plonk/{curve}/{circuit}.vk.json"))).unwrap();
        assert_eq!(vk.public, values);
        let text = plonk_contract(&vk).unwrap();
        filled(&text);
        let list =
            if values == 0 { "uint256[] calldata".into() } else { format!("uint256[{values}] calldata") };
        assert!(text.contains(&list), "{circuit}");
        // A commitment that is infinity is hashed but not multiplied.
        for (name, p) in ["QM", "QL", "QR", "QO"].iter().zip(&vk.selectors) {
            assert_eq!(
                text.contains(&format!("// {name} is infinity.")),
                p.is_infinity(),
                "{circuit} {name}"
            );
        }
    }
    let vk = read_verifying_key::<E>(open(&format!("circom/cube/{curve}/verification_key.json"))).unwrap();
    for values in [0, 1, 5] {
        let mut vk = vk.clone().into_inner();
        vk.ic.resize(values + 1, vk.ic[1]);
        let text = groth16_contract(&vk.check().unwrap()).unwrap();
        filled(&text);
        let list =
            if values == 0 { "uint256[] calldata".into() } else { format!("uint256[{values}] calldata") };
        assert!(text.contains(&list), "{values}");
        assert!(!text.contains(&format!("IC{}_", values + 1)) && text.contains(&format!("IC{values}_")));
    }
}

#[test]
fn contracts_of_any_number_of_values_are_whole() {
    every_number_of_values::<Bn254>("bn128");
    every_number_of_values::<Bls12_381>("bls12381");
    let vk = fflonk::read_verifying_key::<Bn254>(open("fflonk/cube.vk.json")).unwrap();
    for public in [0, 1, 5] {
        let vk = FflonkKey { public, ..(*vk).clone() };
        filled(&fflonk_contract(&vk.check().unwrap()).unwrap());
    }
}

/// The empty list of public values is written as an empty list.
#[test]
fn a_call_without_values() {
    let proof = read_proof::<Bn254>(open("circom/cube/bn128/proof.json")).unwrap();
    assert!(groth16_calldata::<Bn254>(&proof, &[]).unwrap().ends_with("\"],[]"));
    let proof = plonk::read_proof::<Bn254>(open("plonk/bn128/bare.proof.json")).unwrap();
    assert!(plonk_calldata::<Bn254>(&proof, &[]).unwrap().ends_with("\"][]"));
}

#[test]
fn keys_that_anybody_can_forge_proofs_for_have_no_contract() {
    let vk =
        read_verifying_key::<Bn254>(open("circom/cube/bn128/verification_key.json")).unwrap().into_inner();
    let initial = VerifyingKey { delta_g2: vk.gamma_g2, ..vk.clone() };
    let refused = groth16_contract(&initial.check().unwrap());
    assert_eq!(refused, Err(ContractError::UnsafeGroth16(Weakness::DeltaIsGamma)));
    let empty = VerifyingKey { ic: Vec::new(), ..vk };
    assert_eq!(groth16_contract(&empty.check().unwrap()), Err(ContractError::EmptyKey));

    let vk = plonk::read_verifying_key::<Bn254>(open("plonk/bn128/cube.vk.json")).unwrap().into_inner();
    let known = PlonkKey { x_2: Affine::generator(), ..vk.clone() };
    let refused = plonk_contract(&known.check().unwrap());
    assert_eq!(refused, Err(ContractError::UnsafePlonk(PlonkWeakness::TauIsOne)));
    let one_column = PlonkKey { k1: vk.k2, ..vk };
    let refused = plonk_contract(&one_column.check().unwrap());
    assert_eq!(refused, Err(ContractError::UnsafePlonk(PlonkWeakness::ColumnsMeet)));

    let vk = fflonk::read_verifying_key::<Bn254>(open("fflonk/cube.vk.json")).unwrap().into_inner();
    let known = FflonkKey { x_2: Affine::generator(), ..vk };
    let refused = fflonk_contract(&known.check().unwrap());
    assert_eq!(refused, Err(ContractError::UnsafePlonk(PlonkWeakness::TauIsOne)));
}

#[test]
fn ethereum_does_not_know_every_curve() {
    type E = Bls12_377;
    let (g1, g2) = (Affine::generator(), Affine::generator());
    let twice = (g2.to_jacobian() + g2.to_jacobian()).to_affine();
    let vk = VerifyingKey::<E> { alpha_g1: g1, beta_g2: g2, gamma_g2: g2, delta_g2: twice, ic: vec![g1; 2] };
    let no = Err(ContractError::NoPrecompiles { curve: "bls12377" });
    assert_eq!(groth16_contract(&vk.clone().check().unwrap()), no);
    let key = PlonkKey::<E> {
        domain: Domain::new(3).unwrap(),
        public: 1,
        k1: 2.into(),
        k2: 3.into(),
        selectors: [g1; 5],
        sigmas: [g1; 3],
        x_2: twice,
    };
    assert_eq!(plonk_contract(&key.check().unwrap()), no);
    let g2 = Affine::generator().to_jacobian();
    let key = FflonkKey::<Bls12_381> {
        domain: Domain::new(3).unwrap(),
        public: 1,
        k1: 2.into(),
        k2: 3.into(),
        c0: Affine::generator(),
        x_2: (g2 + g2).to_affine(),
    };
    let only_bn254 = Err(ContractError::FflonkCurve { curve: "bls12381" });
    assert_eq!(fflonk_contract(&key.check().unwrap()), only_bn254);
    // A key for one curve is not read as a key for another curve.
    let mut json = Vec::new();
    write_verifying_key(&mut json, &vk).unwrap();
    let other = read_verifying_key::<Bn254>(file("vk.json", &json));
    assert!(matches!(other, Err(FormatError::WrongCurve { .. })));
}
