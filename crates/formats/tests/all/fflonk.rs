//! The files of fflonk: equality with snarkjs' bytes, and damaged files, which are refused.

use crate::common::{bytes, file, rng, vector};
use crate::surgery::{Parts, kind, modulus, montgomery};
use blake2::{Blake2b512, Digest};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::{Bn254, Fq, Fr};
use pairwright_curve::{Affine, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::Field;
use pairwright_formats::fflonk::{
    Roots, ZkeyFile, read_proof, read_verifying_key, write_proof, write_verifying_key, write_zkey,
};
use pairwright_formats::{
    Beacon, Contributor, FileKind, FormatError, PtauFile, R1csFile, Secrets, WtnsFile, contribute_to_powers,
    inspect_bytes, new_powers, probe, write_public,
};
use pairwright_poly::{Buf, Domain};
use pairwright_protocols::fflonk::{Blinding, ProvingKey, prove_blinded, setup, verify};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::OnceLock;

type E = Bn254;

/// The powers of tau that the vectors were made with: one contribution, by a beacon.
fn powers() -> &'static [u8] {
    static POWERS: OnceLock<Vec<u8>> = OnceLock::new();
    POWERS.get_or_init(|| {
        let mut fresh = Vec::new();
        new_powers::<E>(&mut fresh, 9).unwrap();
        let fresh = PtauFile::<E>::read(file("fresh.ptau", &fresh)).unwrap();
        let beacon = Beacon::new((1..=32).collect(), 10).unwrap();
        let by = Contributor::Beacon { name: "vectors".to_owned(), beacon };
        let (mut out, mut spool) = (Vec::new(), Cursor::new(Vec::new()));
        contribute_to_powers(
            &mut Session::new(&reference::board()),
            &mut out,
            &mut spool,
            &fresh,
            &by,
            &mut rng(1),
        )
        .unwrap();
        out
    })
}

/// The fixed blinding values that replaced snarkjs' random values when the vectors were made.
fn known() -> Blinding<Fr> {
    let mut i = 2;
    Blinding::from_known([(); 9].map(|()| {
        i += 1;
        Fr::from(i).pow_vartime(&[40])
    }))
}

struct Case {
    key: ProvingKey<E>,
    zkey: Vec<u8>,
    witness: Buf<Fr>,
}

impl Case {
    fn new(circuit: &str) -> Self {
        let at = |ending: &str| match (circuit, ending) {
            ("cube", "r1cs") => vector("circom/cube/bn128/cube.r1cs"),
            ("cube", "wtns") => vector("circom/cube/bn128/witness.wtns"),
            _ => vector(&format!("plonk/bn128/{circuit}.{ending}")),
        };
        let board = reference::board::<E>();
        let mut on = Session::new(&board);
        let ptau = PtauFile::<E>::read(file("powers.ptau", powers())).unwrap();
        let system = R1csFile::<Fr>::open(at("r1cs")).unwrap();
        let key = setup(&mut on, &system, &ptau, &mut rng(1)).unwrap();
        let mut zkey = Vec::new();
        write_zkey(&mut zkey, &mut on, &key, Secrets::OfPowers).unwrap();
        let witness = WtnsFile::<Fr>::open(at("wtns")).unwrap().witness().unwrap();
        Self { key, zkey, witness }
    }
}

fn hash(bytes: &[u8]) -> String {
    Blake2b512::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn keys_and_proofs_are_snarkjs() {
    let hashes: BTreeMap<String, String> = serde_json::from_slice(&bytes("fflonk/hashes.json")).unwrap();
    assert_eq!(hashes.len(), 5);
    assert_eq!(hash(powers()), hashes["ptau"], "powers of tau");
    let board = reference::board::<E>();
    for circuit in ["cube", "mixed", "silent", "bare"] {
        let case = Case::new(circuit);
        let mut vk = Vec::new();
        write_verifying_key(&mut vk, &case.key.vk).unwrap();
        assert_eq!(vk, bytes(&format!("fflonk/{circuit}.vk.json")), "{circuit}");
        assert_eq!(hash(&case.zkey), hashes[circuit], "{circuit}.zkey");
        let read = read_verifying_key::<E>(file("vk.json", &vk)).unwrap();

        let zkey = ZkeyFile::<E>::read(file("ours.zkey", &case.zkey)).unwrap();
        zkey.check(&mut Session::new(&reference::board()), &mut rng(1)).unwrap();
        assert_eq!(zkey.verifying_key().unwrap(), case.key.vk);
        let mut on = Session::new(&board);
        let proof = prove_blinded(&mut on, &zkey.proving_key(), &case.witness, &known()).unwrap();
        let public = &case.witness[1..=zkey.public()];
        let mut text = Vec::new();
        write_proof(&mut text, &proof).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            String::from_utf8(bytes(&format!("fflonk/{circuit}.proof.json"))).unwrap(),
            "{circuit}"
        );
        verify(&mut on, &*read, public, &proof).unwrap();
        assert_eq!(proof, prove_blinded(&mut on, &case.key, &case.witness, &known()).unwrap());
        let mut text = Vec::new();
        write_public(&mut text, public).unwrap();
        assert_eq!(text, bytes(&format!("fflonk/{circuit}.public.json")), "{circuit}");
    }
    assert!(Case::new("cube").zkey == bytes("fflonk/cube.zkey"));
}

/// Reads every part of a key that is ever read, in the order of a prover.
fn whole(bytes: &[u8]) -> Result<(), FormatError> {
    let zkey = ZkeyFile::<E>::read(file("a.zkey", bytes))?;
    zkey.check(&mut Session::new(&reference::board()), &mut rng(1)).map(drop)
}

#[test]
fn damaged_keys_are_refused() {
    // A key with additions, whose bytes equal snarkjs' key, as another test checks.
    let good = Case::new("mixed").zkey;
    whole(&good).unwrap();
    let parts = || Parts::of(&good);
    // The header: primes, five counts, k1, k2, four roots, X_2, C0.
    let (r, g1) = (32, 64);
    let counts = 8 + 64;
    let roots = counts + 20 + 2 * r;
    let points = roots + 4 * r;
    let header = parts().section(2).clone();
    let count = |i: usize| u32::from_le_bytes(header[counts + 4 * i..][..4].try_into().unwrap());
    let [wires, n, additions, gates] = [count(0), count(2), count(3), count(4)];
    assert!(count(1) == 2 && additions > 9 && gates + 2 <= n, "{additions} {gates} {n}");
    let off = montgomery(&Affine::<<E as Pairing>::G1>::from_xy_unchecked(Fq::ONE, Fq::ONE));
    let (zero, q, s) = (vec![0; 4 * r], modulus::<Fq>(), modulus::<Fr>());
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("groth16", bytes("circom/cube/bn128/cube.zkey"), "Protocol"),
        ("plonk", bytes("plonk/bn128/cube.zkey"), "Protocol"),
        ("no more than public wires", parts().put_u32(2, counts, 2 + additions), "TooFewWires"),
        ("many public values", parts().put_u32(2, counts + 4, wires - additions), "TooFewWires"),
        ("more public values than gates", parts().put(2, counts, &[255, 255, 0, 0, 255, 0, 0, 0]), "Count"),
        ("small domain", parts().put_u32(2, counts + 8, 4), "DomainSize"),
        ("no power of two", parts().put_u32(2, counts + 8, 12), "DomainSize"),
        ("huge domain", parts().put_u32(2, counts + 8, 1 << 31), "DomainSize"),
        ("double domain", parts().put_u32(2, counts + 8, 2 * n), "RootOfUnity"),
        ("more additions", parts().put_u32(2, counts + 12, additions + 1), "SectionSize"),
        ("all gates are additions", parts().put_u32(2, counts + 12, u32::MAX), "TooFewWires"),
        ("more gates", parts().put_u32(2, counts + 16, gates + 1), "SectionSize"),
        ("gates in rows that blind", parts().put_u32(2, counts + 16, n - 1), "Count"),
        ("k1", parts().put(2, counts + 20, &s), "NotReduced"),
        ("w3", parts().put(2, roots, &[7]), "RootOfUnity"),
        ("w4", parts().put(2, roots + r, &[7]), "RootOfUnity"),
        ("w8", parts().put(2, roots + 2 * r, &s), "NotReduced"),
        ("wr", parts().put(2, roots + 3 * r, &[7]), "RootOfUnity"),
        ("X_2 infinity", parts().put(2, points, &zero), "Infinity"),
        ("X_2 not reduced", parts().put(2, points, &q), "NotReduced"),
        ("X_2 off the curve", parts().put(2, points, &[1]), "OffCurve"),
        ("C0 off the curve", parts().put(2, points + 2 * g1, &off), "OffCurve"),
        ("longer header", parts().resized(2, points + 3 * g1 + 1), "SectionSize"),
        ("addition of itself", parts().put_u32(3, 0, wires - additions), "NoSuchWire"),
        ("factor", parts().put(3, 8, &s), "NotReduced"),
        ("wire", parts().put_u32(5, 8, wires), "NoSuchWire"),
        ("coefficient", parts().put(9, 3 * r, &s), "NotReduced"),
        ("coefficient of S2", parts().put(13, 2 * r, &s), "NotReduced"),
        ("power off the curve", parts().put(16, 3 * g1, &off), "OffCurve"),
        ("power not reduced", parts().put(16, 3 * g1, &q), "NotReduced"),
        ("coefficient of C0", parts().put(17, 3 * r, &s), "NotReduced"),
        ("another coefficient of C0", parts().put(17, 29 * r, &[1, 2, 3]), "OtherC0"),
        ("another coefficient of qM", parts().put(9, 2 * r, &[1, 2, 3]), "OtherC0"),
    ];
    for (what, bytes, expected) in cases {
        let found = whole(&bytes).expect_err(what);
        assert_eq!(kind(&found), expected, "{what}: {found}");
    }
    for id in 1..=17 {
        let found = whole(&parts().without(id)).unwrap_err();
        assert_eq!(kind(&found), "MissingSection", "{id}: {found}");
        let len = parts().section(id).len();
        for len in [len.saturating_sub(1), 0, len + 1] {
            let found = whole(&parts().resized(id, len)).unwrap_err();
            let named = matches!(kind(&found).as_str(), "SectionSize" | "Truncated");
            assert!(named && found.to_string().contains(&format!("section {id} (")), "{id}: {found}");
        }
    }
    // Error messages state the section and the offset of the element in the file.
    let found = whole(&parts().put(17, 29 * r, &[1, 2, 3])).unwrap_err().to_string();
    assert!(found.contains("section 17 (C0), offset ") && found.contains("coefficient 29 "), "{found}");
    // The values after the coefficients are not read.
    whole(&parts().put(9, n as usize * r, &s)).unwrap();
}

#[test]
fn files_are_recognised() {
    for (name, expected) in [
        ("cube.zkey", FileKind::Zkey),
        ("cube.vk.json", FileKind::VerifyingKey),
        ("cube.proof.json", FileKind::Proof),
    ] {
        let file = file(name, &bytes(&format!("fflonk/{name}")));
        let found = probe(&file).unwrap();
        assert_eq!((found.kind(), found.curve().unwrap().name()), (expected, "bn128"));
        let about = inspect_bytes(&file).unwrap();
        assert_eq!(about.protocol.as_deref(), Some("fflonk"));
        if expected == FileKind::Zkey {
            assert_eq!(
                (about.public, about.domain, about.additions, about.gates),
                (Some(1), Some(8), Some(0), Some(4))
            );
        }
    }
}

/// A text with the first occurrence of a word replaced.
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
