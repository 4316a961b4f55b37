//! The files of fflonk: byte for byte those of snarkjs, and none that is damaged.

use crate::common::{bytes, file};
use crate::surgery::kind;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::{Bn254, Fr};
use pairwright_formats::fflonk::{Roots, read_proof, read_verifying_key, write_proof, write_verifying_key};
use pairwright_poly::Domain;

type E = Bn254;

/// A text with the first of some words replaced.
fn replaced(text: &str, from: &str, to: &str) -> Vec<u8> {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn roots_belong_to_their_domain() {
    for log in [3, 4, 26] {
        let roots = Roots::of(&Domain::<Fr>::new(log).unwrap()).unwrap();
        assert!(roots.w3 * roots.w3 * roots.w3 == Fr::from(1) && roots.w3 != Fr::from(1));
        assert_eq!(roots.wr * roots.wr * roots.wr, Domain::<Fr>::new(log).unwrap().root());
        assert_eq!(roots.w8 * roots.w8, roots.w4);
    }
    let other = Domain::<pairwright_curve::bls12_381::Fr>::new(4).unwrap();
    assert_eq!(Roots::of(&other), None);
}

#[test]
fn documents_are_snarkjs() {
    for circuit in ["cube", "mixed", "silent", "bare"] {
        let (vk, proof) =
            (bytes(&format!("fflonk/{circuit}.vk.json")), bytes(&format!("fflonk/{circuit}.proof.json")));
        let (mut vk_text, mut proof_text) = (Vec::new(), Vec::new());
        write_verifying_key(&mut vk_text, &*read_verifying_key::<E>(file("vk.json", &vk)).unwrap()).unwrap();
        write_proof(&mut proof_text, &*read_proof::<E>(file("proof.json", &proof)).unwrap()).unwrap();
        assert!(vk == vk_text && proof == proof_text, "{circuit}");
    }
}

#[test]
fn documents_that_are_not_what_they_say_are_refused() {
    let text = |name: &str| String::from_utf8(bytes(&format!("fflonk/{name}"))).unwrap();
    let (vk, proof) = (text("cube.vk.json"), text("cube.proof.json"));
    let number = |text: &str, member: &str| {
        let rest = &text[text.find(&format!("\"{member}\"")).unwrap() + member.len() + 2..];
        rest[rest.find('"').unwrap() + 1..].split('"').next().unwrap().to_owned()
    };
    let vk_error = |bytes: Vec<u8>| read_verifying_key::<E>(file("vk.json", &bytes)).unwrap_err();
    let proof_error = |bytes: Vec<u8>| read_proof::<E>(file("proof.json", &bytes)).unwrap_err();
    let r = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
    let cases = [
        ("\"power\": 3", "\"power\": 4", "RootOfUnity"),
        ("\"power\": 3", "\"power\": 27", "Power"),
        ("\"nPublic\": 1", "\"nPublic\": 9", "Count"),
        ("\"k1\": \"2\"", &format!("\"k1\": \"{r}\""), "NotReduced"),
        ("\"protocol\": \"fflonk\"", "\"protocol\": \"plonk\"", "Protocol"),
        ("\"curve\": \"bn128\"", "\"curve\": \"bls12381\"", "WrongCurve"),
        (&number(&vk, "C0"), "5", "OffCurve"),
        (&number(&vk, "X_2"), "5", "OffCurve"),
    ];
    for (from, to, expected) in cases {
        let found = vk_error(replaced(&vk, from, to));
        assert_eq!(kind(&found), expected, "{found}");
    }
    for root in ["w", "w3", "w4", "w8", "wr"] {
        let from = format!("\"{root}\": \"{}\"", number(&vk, root));
        let found = vk_error(replaced(&vk, &from, &format!("\"{root}\": \"7\"")));
        assert!(kind(&found) == "RootOfUnity" && found.to_string().contains(&format!("{root}: ")), "{found}");
    }
    for member in ["C1", "C2", "W1", "W2"] {
        let found = proof_error(replaced(&proof, &number(&proof, member), "5"));
        assert!(
            found.is_rejection() && found.to_string().contains(&format!("polynomials.{member}: ")),
            "{found}"
        );
        let gone = proof_error(replaced(&proof, &format!("\"{member}\""), "\"other\""));
        assert_eq!(kind(&gone), "Json", "{member}");
    }
    for member in
        ["ql", "qr", "qm", "qo", "qc", "s1", "s2", "s3", "a", "b", "c", "z", "zw", "t1w", "t2w", "inv"]
    {
        let value = format!("\"{member}\": \"{}\"", number(&proof, member));
        let found = proof_error(replaced(&proof, &value, &format!("\"{member}\": \"{r}\"")));
        let named = found.to_string().contains(&format!("evaluations.{member}: "));
        assert!(kind(&found) == "NotReduced" && named, "{found}");
    }
    let plonk = bytes("plonk/bn128/cube.proof.json");
    assert_eq!(kind(&proof_error(plonk)), "Protocol");
    let other = |text: &str| replaced(text, "\"curve\": \"bn128\"", "\"curve\": \"bls12381\"");
    let small = |text: Vec<u8>| read_verifying_key::<Bls12_381>(file("vk.json", &text)).unwrap_err();
    assert_eq!(kind(&small(other(&vk))), "NoFflonk");
    assert_eq!(kind(&small(vk.into_bytes())), "WrongCurve");
}
