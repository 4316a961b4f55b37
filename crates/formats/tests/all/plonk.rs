//! The files of Plonk: equality with snarkjs' bytes, and damaged files, which are refused.

use crate::common::{bytes, file, rng, vector};
use crate::surgery::{Parts, kind, modulus, montgomery};
use blake2::{Blake2b512, Digest};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::{Field, PrimeField};
use pairwright_formats::plonk::{
    ZkeyFile, read_proof, read_verifying_key, write_proof, write_verifying_key, write_zkey,
};
use pairwright_formats::{
    FileKind, FormatError, PtauFile, R1csFile, Secrets, WtnsFile, inspect_bytes, probe, read_public,
    write_public,
};
use pairwright_protocols::plonk::{Blinding, ProveError, ProvingKey, prove, prove_blinded, setup, verify};
use std::collections::BTreeMap;

/// The fixed blinding values that replaced snarkjs' random values when the vectors were made.
fn known<F: PrimeField>() -> Blinding<F> {
    let mut i = 2;
    Blinding::from_known([(); 11].map(|()| {
        i += 1;
        F::from(i).pow_vartime(&[40])
    }))
}

struct Case<E: Pairing> {
    key: ProvingKey<E>,
    zkey: Vec<u8>,
    witness: pairwright_poly::Buf<E::Fr>,
}

impl<E: Pairing> Case<E> {
    fn new(curve: &str, circuit: &str) -> Self {
        let at = |ending: &str| match (circuit, ending) {
            ("cube", "r1cs") => vector(&format!("circom/cube/{curve}/cube.r1cs")),
            ("cube", "wtns") => vector(&format!("circom/cube/{curve}/witness.wtns")),
            _ => vector(&format!("plonk/{curve}/{circuit}.{ending}")),
        };
        let board = reference::board::<E>();
        let mut on = Session::new(&board);
        let ptau = PtauFile::<E>::open(vector(&format!("plonk/{curve}/powers.ptau"))).unwrap();
        let system = R1csFile::<E::Fr>::open(at("r1cs")).unwrap();
        let key = setup(&mut on, &system, &ptau, &mut rng(1)).unwrap();
        let mut zkey = Vec::new();
        write_zkey(&mut zkey, &mut on, &key, Secrets::OfPowers).unwrap();
        let witness = WtnsFile::<E::Fr>::open(at("wtns")).unwrap().witness().unwrap();
        Self { key, zkey, witness }
    }
}

fn equals_snarkjs<E: Pairing>(curve: &str) {
    let hashes: BTreeMap<String, String> =
        serde_json::from_slice(&bytes(&format!("plonk/{curve}/zkeys.json"))).unwrap();
    assert_eq!(hashes.len(), 4);
    let board = reference::board::<E>();
    for (circuit, hash) in hashes {
        let case = Case::<E>::new(curve, &circuit);
        let found: String = Blake2b512::digest(&case.zkey).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(found, hash, "{circuit}.zkey");

        let mut vk = Vec::new();
        write_verifying_key(&mut vk, &case.key.vk).unwrap();
        assert_eq!(vk, bytes(&format!("plonk/{curve}/{circuit}.vk.json")), "{circuit}");
        let read = read_verifying_key::<E>(file("vk.json", &vk)).unwrap();
        assert_eq!(read, case.key.vk);

        // The proofs with snarkjs' key file and with ours are equal.
        let zkey = ZkeyFile::<E>::read(file("ours.zkey", &case.zkey)).unwrap();
        zkey.check(&mut Session::new(&reference::board()), &mut rng(1)).unwrap();
        assert_eq!(zkey.verifying_key().unwrap(), case.key.vk);
        let mut on = Session::new(&board);
        let proof = prove_blinded(&mut on, &zkey.proving_key(), &case.witness, &known()).unwrap();
        let public = &case.witness[1..=zkey.public()];
        verify(&mut on, &*read, public, &proof).unwrap();
        assert_eq!(proof, prove_blinded(&mut on, &case.key, &case.witness, &known()).unwrap());
        let mut text = Vec::new();
        write_proof(&mut text, &proof).unwrap();
        assert_eq!(read_proof::<E>(file("proof.json", &text)).unwrap(), proof);
        // snarkjs cannot prove without public values.
        if circuit != "silent" {
            assert_eq!(text, bytes(&format!("plonk/{curve}/{circuit}.proof.json")), "{circuit}");
            let mut text = Vec::new();
            write_public(&mut text, public).unwrap();
            assert_eq!(text, bytes(&format!("plonk/{curve}/{circuit}.public.json")), "{circuit}");
            assert_eq!(read_public::<E::Fr>(file("public.json", &text)).unwrap(), public);
        }
    }
    let cube = bytes(&format!("plonk/{curve}/cube.zkey"));
    assert!(Case::<E>::new(curve, "cube").zkey == cube);
}

#[test]
fn keys_and_proofs_are_snarkjs_on_bn128() {
    equals_snarkjs::<Bn254>("bn128");
}

#[test]
fn keys_and_proofs_are_snarkjs_on_bls12381() {
    equals_snarkjs::<Bls12_381>("bls12381");
}

type Read = Result<(), FormatError>;

/// Reads every part of a key that is ever read, in the order of a prover.
fn whole<E: Pairing>(bytes: &[u8]) -> Read {
    let zkey = ZkeyFile::<E>::read(file("a.zkey", bytes))?;
    zkey.check(&mut Session::new(&reference::board()), &mut rng(1)).map(drop)
}

fn damaged<E: Pairing>(curve: &str) {
    // A key with additions, whose bytes equal snarkjs' key, as another test checks.
    let good = Case::<E>::new(curve, "mixed").zkey;
    whole::<E>(&good).unwrap();
    let parts = || Parts::of(&good);
    let (q, r) = (E::Fq::BYTES, E::Fr::BYTES);
    // The header: primes, five counts, k1, k2, nine points.
    let counts = 8 + q + r;
    let points = counts + 20 + 2 * r;
    let g1 = 2 * q;
    let header = parts().section(2).clone();
    let count = |i: usize| u32::from_le_bytes(header[counts + 4 * i..][..4].try_into().unwrap());
    let [wires, n, additions, gates] = [count(0), count(2), count(3), count(4)];
    assert!(count(1) == 2 && additions > 9 && gates < n, "{additions} {gates} {n}");
    let off = montgomery(&Affine::<E::G1>::from_xy_unchecked(E::Fq::ONE, E::Fq::ONE));
    let zero = vec![0; 4 * q];
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("groth16", bytes(&format!("circom/cube/{curve}/cube.zkey")), "Protocol"),
        ("fflonk", parts().put_u32(1, 0, 10), "Protocol"),
        ("no more than public wires", parts().put_u32(2, counts, 2 + additions), "TooFewWires"),
        ("many public values", parts().put_u32(2, counts + 4, wires - additions), "TooFewWires"),
        ("more public values than gates", parts().put(2, counts, &[255, 255, 0, 0, 255, 0, 0, 0]), "Count"),
        ("small domain", parts().put_u32(2, counts + 8, 4), "DomainSize"),
        ("no power of two", parts().put_u32(2, counts + 8, 12), "DomainSize"),
        ("huge domain", parts().put_u32(2, counts + 8, 1 << 31), "DomainSize"),
        ("double domain", parts().put_u32(2, counts + 8, 2 * n), "SectionSize"),
        ("more additions", parts().put_u32(2, counts + 12, additions + 1), "SectionSize"),
        ("all gates are additions", parts().put_u32(2, counts + 12, u32::MAX), "TooFewWires"),
        ("more gates", parts().put_u32(2, counts + 16, gates + 1), "SectionSize"),
        ("more gates than rows", parts().put_u32(2, counts + 16, n + 1), "Count"),
        ("k1", parts().put(2, counts + 20, &modulus::<E::Fr>()), "NotReduced"),
        ("Qm not reduced", parts().put(2, points, &modulus::<E::Fq>()), "NotReduced"),
        ("Qm off the curve", parts().put(2, points, &off), "OffCurve"),
        ("S3 off the curve", parts().put(2, points + 7 * g1, &off), "OffCurve"),
        ("X_2 infinity", parts().put(2, points + 8 * g1, &zero), "Infinity"),
        ("longer header", parts().resized(2, points + 8 * g1 + 4 * q + 1), "SectionSize"),
        ("addition of itself", parts().put_u32(3, 0, wires - additions), "NoSuchWire"),
        ("factor", parts().put(3, 8, &modulus::<E::Fr>()), "NotReduced"),
        ("wire", parts().put_u32(5, 8, wires), "NoSuchWire"),
        ("coefficient", parts().put(9, 3 * r, &modulus::<E::Fr>()), "NotReduced"),
        ("coefficient of S2", parts().put(12, (5 * n as usize + 2) * r, &modulus::<E::Fr>()), "NotReduced"),
        ("power off the curve", parts().put(14, 3 * g1, &off), "OffCurve"),
        ("power not reduced", parts().put(14, 3 * g1, &modulus::<E::Fq>()), "NotReduced"),
    ];
    for (what, bytes, expected) in cases {
        let found = whole::<E>(&bytes).expect_err(what);
        assert_eq!(kind(&found), expected, "{what}: {found}");
    }
    for id in 1..=14 {
        let found = whole::<E>(&parts().without(id)).unwrap_err();
        assert_eq!(kind(&found), "MissingSection", "{id}: {found}");
        let len = parts().section(id).len();
        for len in [len.saturating_sub(1), 0, len + 1] {
            if len == 0 && parts().section(id).is_empty() {
                continue;
            }
            let found = whole::<E>(&parts().resized(id, len)).unwrap_err();
            let named = matches!(kind(&found).as_str(), "SectionSize" | "Truncated");
            assert!(named && found.to_string().contains(&format!("section {id} (")), "{id}: {found}");
        }
    }
    // Error messages state the section and the offset of the element in the file.
    let found = whole::<E>(&parts().put(9, 3 * r, &modulus::<E::Fr>())).unwrap_err().to_string();
    assert!(found.contains("section 9 (Qr), offset "), "{found}");
    // The values after the coefficients are not read.
    whole::<E>(&parts().put(9, n as usize * r, &modulus::<E::Fr>())).unwrap();
}

#[test]
fn damaged_keys_are_refused_on_bn128() {
    damaged::<Bn254>("bn128");
}

#[test]
fn damaged_keys_are_refused_on_bls12381() {
    damaged::<Bls12_381>("bls12381");
}

/// A text with the first occurrence of a word replaced.
fn replaced(text: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn documents_that_are_not_what_they_say_are_refused() {
    type E = Bls12_381;
    let text = |name: &str| String::from_utf8(bytes(&format!("plonk/bls12381/{name}"))).unwrap();
    let (vk, proof) = (text("cube.vk.json"), text("cube.proof.json"));
    let number = |text: &str, member: &str| {
        let rest = &text[text.find(&format!("\"{member}\"")).unwrap() + member.len() + 2..];
        rest[rest.find('"').unwrap() + 1..].split('"').next().unwrap().to_owned()
    };
    let vk_error = |bytes: Vec<u8>| read_verifying_key::<E>(file("vk.json", &bytes)).unwrap_err();
    let proof_error = |bytes: Vec<u8>| read_proof::<E>(file("proof.json", &bytes)).unwrap_err();
    let r = "52435875175126190479447740508185965837690552500527637822603658699938581184513";
    let cases = [
        ("\"power\": 3", "\"power\": 4", "RootOfUnity"),
        ("\"power\": 3", "\"power\": 31", "Power"),
        ("\"nPublic\": 1", "\"nPublic\": 9", "Count"),
        ("\"k1\": \"2\"", &format!("\"k1\": \"{r}\""), "NotReduced"),
        ("\"protocol\": \"plonk\"", "\"protocol\": \"fflonk\"", "Protocol"),
        ("\"curve\": \"bls12381\"", "\"curve\": \"bn128\"", "WrongCurve"),
        (&number(&vk, "Qm"), "5", "OffCurve"),
    ];
    for (from, to, expected) in cases {
        let found = vk_error(replaced(&vk, from, to));
        assert_eq!(kind(&found), expected, "{found}");
    }
    for member in ["A", "B", "C", "Z", "T1", "T2", "T3", "Wxi", "Wxiw"] {
        let found = proof_error(replaced(&proof, &number(&proof, member), "5"));
        assert!(found.is_rejection() && found.to_string().contains(&format!("{member}: ")), "{found}");
        let gone = proof_error(replaced(&proof, &format!("\"{member}\""), "\"other\""));
        assert_eq!(kind(&gone), "Json", "{member}");
    }
    for member in ["eval_a", "eval_b", "eval_c", "eval_s1", "eval_s2", "eval_zw"] {
        let value = number(&proof, member);
        let found = proof_error(replaced(&proof, &value, r));
        assert!(kind(&found) == "NotReduced" && found.to_string().contains(member), "{found}");
    }
    let groth16 = bytes("circom/cube/bls12381/proof.json");
    assert_eq!(kind(&proof_error(groth16)), "Protocol");
    let groth16 = bytes("circom/cube/bls12381/verification_key.json");
    assert_eq!(kind(&vk_error(groth16)), "Protocol");
    let other = read_proof::<Bn254>(file("proof.json", proof.as_bytes())).unwrap_err();
    assert_eq!(kind(&other), "WrongCurve");
}

#[test]
fn files_are_recognised() {
    for (name, expected) in [
        ("cube.zkey", FileKind::Zkey),
        ("cube.vk.json", FileKind::VerifyingKey),
        ("cube.proof.json", FileKind::Proof),
    ] {
        let file = file(name, &bytes(&format!("plonk/bls12381/{name}")));
        let found = probe(&file).unwrap();
        assert_eq!((found.kind(), found.curve().unwrap().name()), (expected, "bls12381"));
        let about = inspect_bytes(&file).unwrap();
        assert_eq!(about.protocol.as_deref(), Some("plonk"));
        if expected == FileKind::Zkey {
            assert_eq!(
                (about.public, about.domain, about.additions, about.gates),
                (Some(1), Some(8), Some(0), Some(4))
            );
        }
    }
}

/// A key that refers to missing wires fails when a prover reads them.
#[test]
fn a_prover_names_what_it_cannot_read() {
    type E = Bn254;
    let case = Case::<E>::new("bn128", "cube");
    let bad = Parts::of(&case.zkey).put_u32(4, 4, 77);
    let key = ZkeyFile::<E>::read(file("bad.zkey", &bad)).unwrap().proving_key();
    let board = reference::board::<E>();
    let found = prove(&mut Session::new(&board), &key, &case.witness, &mut rng(1)).unwrap_err();
    assert!(matches!(found, ProveError::Source(_)));
    assert!(found.to_string().contains("section 4 (wires of A), offset"), "{found}");
}
