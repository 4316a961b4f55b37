//! The damaged files among the vectors, and JSON documents with one fault each.

use crate::common::{bytes, file, vector};
use crate::surgery::{self, kind};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::{Bn254, Fr};
use pairwright_device::{Session, reference};
use pairwright_formats::{
    FileBytes, FormatError, inspect, probe, read_proof, read_public, read_verifying_key,
};
use pairwright_protocols::groth16::verify;
use serde_json::Value;

type Reader = fn(FileBytes) -> Result<(), FormatError>;

#[test]
fn the_supplied_ones() {
    let manifest: Value = serde_json::from_slice(&bytes("corrupt/manifest.json")).unwrap();
    let cases: [(&str, Reader, &str); 11] = [
        ("magic.r1cs", surgery::r1cs::<Fr>, "Magic"),
        ("half.r1cs", surgery::r1cs::<Fr>, "SectionPastEnd"),
        ("ncons_huge.r1cs", surgery::r1cs::<Fr>, "Count"),
        ("value_ge_r.wtns", surgery::wtns::<Fr>, "NotReduced"),
        ("short.wtns", surgery::wtns::<Fr>, "SectionPastEnd"),
        ("version9.wtns", surgery::wtns::<Fr>, "Version"),
        ("half.zkey", surgery::zkey::<Bn254>, "SectionPastEnd"),
        ("A_off_curve.zkey", surgery::zkey_checked::<Bn254>, "OffCurve"),
        ("nvars.zkey", surgery::zkey::<Bn254>, "SectionSize"),
        ("a_off_curve.proof.json", surgery::proof::<Bn254>, "OffCurve"),
        ("alias.public.json", surgery::public::<Fr>, "NotReduced"),
    ];
    for (name, read, expected) in cases {
        let error = read(FileBytes::open(vector(&format!("corrupt/{name}"))).unwrap()).unwrap_err();
        assert_eq!(kind(&error), expected, "{name}: {error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    // The twelfth file is a well-formed list of public values for which the proof does not hold.
    let open = |path: &str| FileBytes::open(vector(path)).unwrap();
    let vk = read_verifying_key::<Bn254>(open("circom/cube/bn128/verification_key.json")).unwrap();
    let proof = read_proof::<Bn254>(open("circom/cube/bn128/proof.json")).unwrap();
    let public = read_public::<Fr>(open("corrupt/plus1.public.json")).unwrap();
    let board = reference::board::<Bn254>();
    assert!(verify(&mut Session::new(&board), &vk, &public, &proof).is_err());
    let listed: Vec<&str> =
        manifest.as_array().unwrap().iter().map(|c| c["file"].as_str().unwrap()).collect();
    assert_eq!(listed.len(), cases.len() + 1);
    assert!(cases.iter().all(|(name, ..)| listed.contains(&format!("corrupt/{name}").as_str())));
}

/// A document with one member changed, or removed when `value` is null.
fn edited(document: &[u8], path: &str, value: Value) -> Vec<u8> {
    let mut root: Value = serde_json::from_slice(document).unwrap();
    let (parent, last) = path.rsplit_once('/').unwrap();
    match root.pointer_mut(parent).unwrap() {
        Value::Object(map) if value.is_null() => drop(map.remove(last)),
        Value::Object(map) => drop(map.insert(last.to_owned(), value)),
        Value::Array(list) if value.is_null() => drop(list.remove(last.parse().unwrap())),
        Value::Array(list) => match list.get_mut(last.parse::<usize>().unwrap()) {
            Some(slot) => *slot = value,
            None => list.push(value),
        },
        _ => panic!("{path}"),
    }
    serde_json::to_vec(&root).unwrap()
}

fn judge(name: &str, read: Reader, document: &[u8], cases: &[(&str, Value, &str)]) {
    read(file(name, document)).unwrap();
    for (path, value, expected) in cases {
        let error = read(file(name, &edited(document, path, value.clone()))).expect_err(path);
        assert_eq!(kind(&error), *expected, "{path} = {value}: {error}");
        assert!(error.to_string().starts_with(name), "{error}");
    }
}

const Q: &str = "21888242871839275222246405745257275088696311157297823662689037894645226208583";
const R: &str = "21888242871839275222246405745257275088548364400416034343698204186575808495617";

fn text(x: &str) -> Value {
    Value::String(x.to_owned())
}

#[test]
fn proofs() {
    let good = bytes("circom/cube/bn128/proof.json");
    let list = |items: &[&str]| Value::Array(items.iter().map(|x| text(x)).collect());
    judge(
        "proof.json",
        surgery::proof::<Bn254>,
        &good,
        &[
            ("/protocol", text("plonk"), "Protocol"),
            ("/protocol", Value::Null, "Protocol"),
            ("/protocol", 1.into(), "Json"),
            ("/curve", text("bls12381"), "WrongCurve"),
            ("/curve", text("secp256k1"), "UnknownCurve"),
            ("/curve", text("tinybls12"), "NoSecurity"),
            ("/pi_a", Value::Null, "Json"),
            ("/pi_a", text("1"), "Json"),
            ("/pi_a/0", 5.into(), "Json"),
            ("/pi_a/0", text("-5"), "NotDecimal"),
            ("/pi_a/0", text("0x05"), "NotDecimal"),
            ("/pi_a/0", text(""), "NotDecimal"),
            ("/pi_a/0", text(" 5"), "NotDecimal"),
            ("/pi_a/0", text("٣"), "NotDecimal"),
            ("/pi_a/0", text(Q), "NotReduced"),
            ("/pi_a/0", text(&"9".repeat(10_000)), "NotReduced"),
            ("/pi_a/0", text("5"), "OffCurve"),
            ("/pi_a/2", text("2"), "NotAffine"),
            ("/pi_a/2", text("0"), "NotAffine"),
            ("/pi_a/2", Value::Null, "ArrayLength"),
            ("/pi_a/3", text("1"), "ArrayLength"),
            ("/pi_a", list(&["0", "0", "1"]), "OffCurve"),
            ("/pi_a", list(&["0", "2", "0"]), "NotAffine"),
            ("/pi_a", list(&["0", "0", "0"]), "NotAffine"),
            ("/pi_b/0", Value::Null, "ArrayLength"),
            ("/pi_b/0", list(&["1"]), "ArrayLength"),
            ("/pi_b/0", list(&["1", "2", "3"]), "ArrayLength"),
            ("/pi_b/0/1", text(Q), "NotReduced"),
            ("/pi_b/1/0", text("7"), "OffCurve"),
            ("/pi_b/2", list(&["1", "1"]), "NotAffine"),
            ("/pi_b", list(&["1", "2", "1"]), "Json"),
            ("/pi_c/1", text("1"), "OffCurve"),
        ],
    );
    for broken in ["", "{", "[]", "{}", "null", "{\"pi_a\": [\"1\"", "\u{feff}{}"] {
        assert!(surgery::proof::<Bn254>(file("proof.json", broken.as_bytes())).is_err(), "{broken}");
    }
    let twice = String::from_utf8(good).unwrap().replacen('{', "{\"pi_a\": [],", 1);
    assert_eq!(kind(&surgery::proof::<Bn254>(file("proof.json", twice.as_bytes())).unwrap_err()), "Json");
}

#[test]
fn which_errors_reject_a_proof() {
    let good = bytes("circom/cube/bls12381/proof.json");
    let error = |path: &str, value: Value| {
        surgery::proof::<Bls12_381>(file("proof.json", &edited(&good, path, value))).unwrap_err()
    };
    // A point of order three, which snarkjs does not refuse.
    let order_three = Value::Array(["0", "2", "1"].map(text).to_vec());
    for part in ["/pi_a", "/pi_c"] {
        let error = error(part, order_three.clone());
        assert_eq!(kind(&error), "WrongSubgroup");
        assert!(error.is_rejection());
        let expected = format!(
            "proof.json: {}: point 0 is on the curve but outside of the prime-order subgroup BLS12-381 G1",
            &part[1..]
        );
        assert_eq!(error.to_string(), expected);
    }
    assert!(error("/pi_a/0", text("5")).is_rejection());
    assert!(!error("/pi_a/0", text("x")).is_rejection());
    let key = bytes("circom/cube/bls12381/verification_key.json");
    let key = surgery::vk::<Bls12_381>(file("vk.json", &edited(&key, "/IC/1", order_three))).unwrap_err();
    assert_eq!(kind(&key), "WrongSubgroup");
    assert!(!key.is_rejection());
}

#[test]
fn verification_keys() {
    let good = bytes("circom/cube/bn128/verification_key.json");
    let infinity = || Value::Array(["0", "1", "0"].map(text).to_vec());
    judge(
        "vk.json",
        surgery::vk::<Bn254>,
        &good,
        &[
            ("/protocol", text("fflonk"), "Protocol"),
            ("/curve", text("bls12381"), "WrongCurve"),
            ("/curve", Value::Null, "Json"),
            ("/nPublic", 2.into(), "PublicCount"),
            ("/nPublic", 0.into(), "PublicCount"),
            ("/nPublic", u64::MAX.into(), "PublicCount"),
            ("/nPublic", (-1).into(), "Json"),
            ("/nPublic", text("1"), "Json"),
            ("/IC/0", Value::Null, "PublicCount"),
            ("/IC", Value::Array(vec![]), "PublicCount"),
            ("/IC/1/0", text(Q), "NotReduced"),
            ("/IC/1/0", text("4"), "OffCurve"),
            ("/vk_alpha_1", infinity(), "Infinity"),
            ("/vk_alpha_1/1", text("4"), "OffCurve"),
            ("/vk_beta_2/0/0", text("4"), "OffCurve"),
            ("/vk_gamma_2/2/0", text("0"), "NotAffine"),
            ("/vk_delta_2/1", Value::Null, "ArrayLength"),
            ("/vk_delta_2", Value::Null, "Json"),
        ],
    );
    let plonk = bytes("circom/plonk/verification_key.json");
    assert_eq!(kind(&surgery::vk::<Bn254>(file("vk.json", &plonk)).unwrap_err()), "Protocol");
    // A member that follows from the others is ignored, and an unused input has its IC point at infinity.
    for (path, value) in [("/vk_alphabeta_12", text("whatever")), ("/IC/1", infinity()), ("/other", 1.into())]
    {
        surgery::vk::<Bn254>(file("vk.json", &edited(&good, path, value))).unwrap();
    }
}

#[test]
fn public_values() {
    let read = |text: &str| surgery::public::<Fr>(file("public.json", text.as_bytes()));
    read("[]").unwrap();
    read("[\"0\", \"1\"]").unwrap();
    for (text, expected) in [
        (format!("[\"{R}\"]"), "NotReduced"),
        ("[\"-1\"]".to_owned(), "NotDecimal"),
        ("[\"0x10\"]".to_owned(), "NotDecimal"),
        ("[\"1e3\"]".to_owned(), "NotDecimal"),
        ("[\"1\", \"\"]".to_owned(), "NotDecimal"),
        ("[35]".to_owned(), "Json"),
        ("[\"35\",]".to_owned(), "Json"),
        ("[\"35\"] x".to_owned(), "Json"),
        ("{\"0\": \"35\"}".to_owned(), "Json"),
        ("[".repeat(100_000), "Json"),
    ] {
        assert_eq!(kind(&read(&text).unwrap_err()), expected, "{}", &text[..text.len().min(80)]);
    }
    let error = read(&format!("[\"1\", \"{R}\"]")).unwrap_err().to_string();
    assert_eq!(error, "public.json: [1]: element 1 is not below the modulus of BN254 Fr");
    let error = read("[\"1\",\n 35]").unwrap_err().to_string();
    assert!(error.starts_with("public.json: ") && error.contains("line 2"), "{error}");
}

#[test]
fn what_is_nothing_of_ours() {
    for text in ["", "hello", "{}", "{\"a\": 1}", "PK\u{3}\u{4}"] {
        assert_eq!(kind(&probe(&file("x", text.as_bytes())).unwrap_err()), "UnknownKind", "{text}");
    }
    let at = vector("circom/no such file");
    let error = inspect(&at).unwrap_err();
    assert_eq!(kind(&error), "Io");
    assert!(error.to_string().contains("no such file: cannot open"), "{error}");
}
