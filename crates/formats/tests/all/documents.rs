//! JSON: samples of snarkjs read, verified and written again byte for byte; `probe`, `inspect`, atomic output.

use crate::common::{bytes, file, rng, vector};
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Pairing};
use pairwright_device::{Session, reference};
use pairwright_formats::{
    CurveId, FileBytes, FileKind, FormatError, ZkeyFile, inspect, inspect_bytes, probe, read_proof,
    read_public, read_verifying_key, write_atomically, write_proof, write_public, write_verifying_key,
};
use pairwright_protocols::groth16::{Proof, prove, setup_local, verify};

fn cube<E: Pairing>(folder: &str) {
    let path = |name: &str| format!("circom/cube/{folder}/{name}");
    let open = |name: &str| FileBytes::open(vector(&path(name))).unwrap();
    let vk = read_verifying_key::<E>(open("verification_key.json")).unwrap();
    let proof = read_proof::<E>(open("proof.json")).unwrap();
    let public = read_public::<E::Fr>(open("public.json")).unwrap();
    assert_eq!(public, [E::Fr::from(35)]);
    let board = reference::board::<E>();
    verify(&mut Session::new(&board), &vk, &public, &proof).unwrap();
    let zkey = ZkeyFile::<E>::open(vector(&path("cube.zkey"))).unwrap();
    assert_eq!(zkey.verifying_key().unwrap(), *vk);

    let mut ours = Vec::new();
    write_verifying_key(&mut ours, &vk).unwrap();
    assert_eq!(ours, bytes(&path("verification_key.json")));
    let mut ours = Vec::new();
    write_proof(&mut ours, &proof).unwrap();
    assert_eq!(ours, bytes(&path("proof.json")));
    let mut ours = Vec::new();
    write_public(&mut ours, &public).unwrap();
    assert_eq!(ours, bytes(&path("public.json")));
}

#[test]
fn snarkjs_wrote_them() {
    cube::<Bn254>("bn128");
    cube::<Bls12_381>("bls12381");
}

fn round_trip<E: Pairing>() {
    let board = reference::board::<E>();
    let mut session = Session::new(&board);
    let (system, witness) = crate::common::chain::<E::Fr>(3, 1);
    let key = setup_local::<E>(&mut session, &system, &mut rng(2)).unwrap();
    let proof = prove(&mut session, &key, &witness.clone().into(), &mut rng(3)).unwrap();
    let nothing = Proof { a: Affine::INFINITY, b: Affine::INFINITY, c: Affine::INFINITY };
    for proof in [proof, nothing] {
        let mut json = Vec::new();
        write_proof::<E>(&mut json, &proof).unwrap();
        assert_eq!(read_proof::<E>(file("proof.json", &json)).unwrap(), proof);
    }
    let mut json = Vec::new();
    write_verifying_key::<E>(&mut json, &key.vk).unwrap();
    assert_eq!(read_verifying_key::<E>(file("vk.json", &json)).unwrap(), key.vk);
    let mut json = Vec::new();
    write_public(&mut json, &witness).unwrap();
    assert_eq!(read_public::<E::Fr>(file("public.json", &json)).unwrap(), witness);
    let mut json = Vec::new();
    write_public::<E::Fr>(&mut json, &[]).unwrap();
    assert_eq!(json, b"[]");
}

#[test]
fn what_we_write_reads_back() {
    round_trip::<Bn254>();
    round_trip::<Bls12_381>();
    round_trip::<Bls12_377>();
}

#[test]
fn a_proof_need_not_name_its_curve() {
    let text = String::from_utf8(bytes("circom/cube/bn128/proof.json")).unwrap();
    let bare = text.replace(",\n \"curve\": \"bn128\"", "");
    assert_ne!(bare, text);
    let read = |text: &str| read_proof::<Bn254>(file("proof.json", text.as_bytes())).unwrap();
    assert_eq!(read(&bare), read(&text));
}

#[test]
fn probe_tells_kind_and_curve() {
    for (folder, curve) in [("bn128", CurveId::Bn254), ("bls12381", CurveId::Bls12_381)] {
        for (name, kind) in [
            ("cube.r1cs", FileKind::R1cs),
            ("witness.wtns", FileKind::Wtns),
            ("cube.zkey", FileKind::Zkey),
            ("verification_key.json", FileKind::VerifyingKey),
            ("proof.json", FileKind::Proof),
        ] {
            let found =
                probe(&FileBytes::open(vector(&format!("circom/cube/{folder}/{name}"))).unwrap()).unwrap();
            assert_eq!((found.kind(), found.curve().unwrap()), (kind, curve), "{name}");
        }
        let found =
            probe(&FileBytes::open(vector(&format!("circom/ptau/{folder}.4.raw.ptau"))).unwrap()).unwrap();
        assert_eq!((found.kind(), found.curve().unwrap()), (FileKind::Ptau, curve));
        let found =
            probe(&FileBytes::open(vector(&format!("circom/cube/{folder}/public.json"))).unwrap()).unwrap();
        assert_eq!(found.kind(), FileKind::Public);
        assert!(found.curve().is_err());
    }
    let plonk = FileBytes::open(vector("circom/plonk/cube_plonk.zkey")).unwrap();
    assert_eq!(probe(&plonk).unwrap().kind(), FileKind::Zkey);
}

#[test]
fn inspect_says_what_there_is() {
    let of = |path: &str| inspect(vector(path)).unwrap();
    let r1cs = of("circom/cube/bn128/cube.r1cs");
    assert_eq!(
        (r1cs.constraints, r1cs.wires, r1cs.public, r1cs.outputs),
        (Some(3), Some(5), Some(1), Some(1))
    );
    assert_eq!(r1cs.sections.iter().map(|s| s.id).collect::<Vec<_>>(), [2, 1, 3]);
    let wtns = of("circom/cube/bls12381/witness.wtns");
    assert_eq!((wtns.wires, wtns.curve, wtns.version), (Some(5), Some("bls12381"), Some(2)));
    let zkey = of("circom/cube/bn128/cube.zkey");
    assert_eq!(
        (zkey.wires, zkey.public, zkey.domain, zkey.coefficients),
        (Some(5), Some(1), Some(8), Some(6))
    );
    assert_eq!((zkey.contributions, zkey.protocol.as_deref()), (Some(1), Some("groth16")));
    assert_eq!((zkey.sections[4].name, zkey.sections[4].offset, zkey.sections[4].size), ("A", 1132, 320));
    let plonk = of("circom/plonk/cube_plonk.zkey");
    assert_eq!((plonk.protocol.as_deref(), plonk.public), (Some("plonk"), Some(1)));
    let ptau = of("circom/ptau/bls12381.4.prepared.ptau");
    assert_eq!((ptau.power, ptau.prepared, ptau.contributions), (Some(4), Some(true), Some(1)));
    let vk = of("circom/cube/bn128/verification_key.json");
    assert_eq!((vk.kind, vk.public, vk.curve), (FileKind::VerifyingKey, Some(1), Some("bn128")));
    assert_eq!(of("circom/cube/bn128/public.json").public, Some(1));

    assert!(inspect_bytes(&file("abc", b"abc")).is_err());
    // The hash agrees with that of other programs.
    assert!(zkey.blake2b.starts_with(BLAKE2B_OF_THE_KEY), "{}", zkey.blake2b);

    let table = zkey.to_string();
    for line in ["  curve           bn128", "  domain          8", "  contributions   1"] {
        assert!(table.contains(line), "{table}");
    }
    let json = serde_json::to_value(&zkey).unwrap();
    assert_eq!((&json["kind"], &json["wires"]), (&"zkey".into(), &5.into()));
}

/// The first 16 bytes that `b2sum vectors/circom/cube/bn128/cube.zkey` prints.
const BLAKE2B_OF_THE_KEY: &str = "6b89a509b1957eb37e1d9b564ec0484a";

#[test]
fn output_is_complete_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.bin");
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    write_atomically(&path, |out| Ok(out.write_all(b"first")?)).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"first");
    // A failed write leaves the old file in place.
    let failed: Result<(), _> = write_atomically(&path, |out| {
        out.write_all(&[0; 100_000])?;
        Err(FormatError::Write(std::io::ErrorKind::StorageFull.into()))
    });
    assert!(failed.unwrap_err().to_string().contains("out.bin: cannot write"));
    assert_eq!((std::fs::read(&path).unwrap(), names()), (b"first".to_vec(), 1));
    assert_eq!(write_atomically(&path, |out| Ok(out.write_all(b"second").map(|()| 7)?)).unwrap(), 7);
    assert_eq!((std::fs::read(&path).unwrap(), names()), (b"second".to_vec(), 1));
    let missing = folder.path().join("no/such/folder");
    assert!(matches!(write_atomically(missing, |_| Ok(())), Err(FormatError::Io { .. })));
    assert!(matches!(write_atomically(folder.path(), |_| Ok(())), Err(FormatError::Io { .. })));
    #[cfg(unix)]
    {
        // A symbolic link is followed and stays a link; a device is written directly.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_atomically(&link, |out| Ok(out.write_all(b"third")?)).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&path).unwrap(), b"third");
        write_atomically("/dev/null", |out| Ok(out.write_all(b"gone")?)).unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
}

#[test]
fn sources_outlive_the_file_that_was_opened() {
    let key = ZkeyFile::<Bn254>::open(vector("circom/cube/bn128/cube.zkey")).unwrap().proving_key().unwrap();
    let mut out = Vec::new();
    key.a.read(0..5, &mut out).unwrap();
    assert_eq!(out.len(), 5);
}
