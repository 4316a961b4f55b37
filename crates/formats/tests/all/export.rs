//! Constraints, witnesses and keys as JSON. `interop/verbs.test.mjs` checks that the text equals snarkjs'.

use crate::common::{bytes, file};
use crate::surgery::{Parts, kind};
use pairwright_curve::bls12_381::{Bls12_381, Fr as Fr381};
use pairwright_curve::bn254::{Bn254, Fr};
use pairwright_field::PrimeField;
use pairwright_formats::{
    FileBytes, FormatError, R1csFile, WtnsFile, ZkeyFile, write_r1cs_json, write_wtns_json, write_zkey_json,
};
use serde_json::{Value, json};

type Export = fn(FileBytes) -> Result<Vec<u8>, FormatError>;

fn r1cs<F: PrimeField>(file: FileBytes) -> Result<Vec<u8>, FormatError> {
    let mut out = Vec::new();
    write_r1cs_json(&mut out, &R1csFile::<F>::read(file)?)?;
    Ok(out)
}

fn wtns<F: PrimeField>(file: FileBytes) -> Result<Vec<u8>, FormatError> {
    let mut out = Vec::new();
    write_wtns_json(&mut out, &WtnsFile::<F>::read(file)?)?;
    Ok(out)
}

fn zkey<E: pairwright_curve::Pairing>(file: FileBytes) -> Result<Vec<u8>, FormatError> {
    let mut out = Vec::new();
    write_zkey_json(&mut out, &ZkeyFile::<E>::read(file)?)?;
    Ok(out)
}

const EXPORTS: [(&str, &str, Export); 6] = [
    ("bn128", "cube.r1cs", r1cs::<Fr>),
    ("bn128", "witness.wtns", wtns::<Fr>),
    ("bn128", "cube.zkey", zkey::<Bn254>),
    ("bls12381", "cube.r1cs", r1cs::<Fr381>),
    ("bls12381", "witness.wtns", wtns::<Fr381>),
    ("bls12381", "cube.zkey", zkey::<Bls12_381>),
];

#[test]
fn what_files_hold_is_printed() {
    let values: Vec<Value> = EXPORTS
        .iter()
        .map(|(curve, name, export)| {
            let good = bytes(&format!("circom/cube/{curve}/{name}"));
            serde_json::from_slice(&export(file(name, &good)).unwrap()).unwrap()
        })
        .collect();
    for of_curve in values.chunks(3) {
        let [circuit, witness, key] = of_curve else { unreachable!() };
        assert_eq!((&circuit["nVars"], &circuit["nConstraints"]), (&json!(5), &json!(3)));
        // 5 + x + x³ = y: the constant is wire 0.
        assert_eq!(circuit["constraints"][2][2]["0"], "5");
        assert_eq!(circuit["map"], json!([0, 1, 2, 3, 4]));
        let x: u64 = witness[2].as_str().unwrap().parse().unwrap();
        assert_eq!(witness[1], json!((x * x * x + x + 5).to_string()));
        assert_eq!((&key["prime"], &key["r"]), (&Value::Null, &circuit["prime"]));
        // The constant and one public value have no point in C.
        assert_eq!((&key["C"][0], &key["C"][1], key["C"][2].is_array()), (&Value::Null, &Value::Null, true));
        assert_eq!((key["A"].as_array().unwrap().len(), key["hExps"].as_array().unwrap().len()), (5, 8));
    }
}

#[test]
fn entries_that_are_malformed_are_named() {
    for (curve, name, export) in EXPORTS {
        let mut parts = Parts::of(&bytes(&format!("circom/cube/{curve}/{name}")));
        let sections: &[u32] = match name {
            "cube.r1cs" => &[2],
            "witness.wtns" => &[2],
            _ => &[3, 4, 5, 6, 7, 8, 9],
        };
        for &section in sections {
            let mut body = parts.section(section).clone();
            let end = body.len();
            body[end - 32..].fill(0xff);
            let error = export(file(name, &parts.clone().with(section, &body))).unwrap_err();
            assert_ne!(kind(&error), "Write", "{curve} {name} {section}: {error}");
            let said = error.to_string();
            assert!(said.starts_with(name) && said.contains(&format!("section {section} ")), "{said}");
        }
    }
}

#[test]
fn a_writer_that_fails_is_told() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let system = R1csFile::<Fr>::read(file("c", &bytes("circom/cube/bn128/cube.r1cs"))).unwrap();
    let error = write_r1cs_json(&mut Full, &system).unwrap_err();
    assert_eq!(kind(&error), "Write");
}
