//! Tests Ethereum's blobs on the host with the cases of the specification and the ceremony's own points.

use flate2::read::GzDecoder;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::{Device, Session};
use pairwright::formats::{FileBytes, FormatError, TrustedSetup, read_trusted_setup};
use pairwright::protocols::kzg::KzgError;
use pairwright::protocols::kzg::blobs::{BYTES, BlobSetup, PointBytes, ScalarBytes, Sidecar};
use pairwright::randomness;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

pub(crate) fn unpacked(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/kzg").join(name);
    let mut bytes = Vec::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

pub(crate) fn hex(text: &Value) -> Vec<u8> {
    let digits = text.as_str().unwrap().strip_prefix("0x").unwrap();
    // Some cases have an odd number of digits, which cannot be decoded; an empty list is refused for the same reason.
    if digits.len() % 2 == 1 {
        return Vec::new();
    }
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

pub(crate) fn file(name: &str, bytes: Vec<u8>) -> FileBytes {
    FileBytes::from_vec(name, bytes)
}

fn ceremony() -> TrustedSetup {
    read_trusted_setup(&file("setup.json", unpacked("trusted_setup.json.gz"))).unwrap()
}

fn setup(on: &mut Session<'_, Bls12_381>, points: TrustedSetup) -> Result<BlobSetup, KzgError> {
    BlobSetup::new(on, points.lagrange, points.tau_g2, &mut randomness::system().unwrap())
}

pub(crate) fn board() -> Device<Bls12_381> {
    pairwright::device("cpu").unwrap()
}

/// Runs operations and returns their results as in the cases: bytes as text, a verdict, or null.
struct Cases {
    blobs: Vec<Vec<u8>>,
    board: Device<Bls12_381>,
    setup: BlobSetup,
}

impl Cases {
    fn blob(&self, index: &Value) -> &[u8] {
        &self.blobs[index.as_u64().unwrap() as usize]
    }

    /// The result of an operation; `None` if the input is refused.
    fn answer(&self, operation: &str, input: &Value) -> Option<Value> {
        let mut on = Session::new(&self.board);
        let point = |value: &Value| PointBytes::try_from(hex(value)).ok();
        let scalar = |value: &Value| ScalarBytes::try_from(hex(value)).ok();
        let text = |bytes: &[u8]| {
            Value::from(format!("0x{}", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()))
        };
        let verdict = |result: Result<(), KzgError>| match result {
            Ok(()) => Some(Value::from(true)),
            Err(KzgError::Rejected) => Some(Value::from(false)),
            Err(_) => None,
        };
        match operation {
            "blob_to_kzg_commitment" => {
                Some(text(&self.setup.commit(&mut on, self.blob(&input["blob"])).ok()?))
            }
            "compute_kzg_proof" => {
                let (proof, y) =
                    self.setup.prove(&mut on, self.blob(&input["blob"]), &scalar(&input["z"])?).ok()?;
                Some(vec![text(&proof), text(&y)].into())
            }
            "compute_blob_kzg_proof" => {
                let commitment = point(&input["commitment"])?;
                Some(text(&self.setup.prove_blob(&mut on, self.blob(&input["blob"]), &commitment).ok()?))
            }
            "verify_kzg_proof" => {
                let (commitment, proof) = (point(&input["commitment"])?, point(&input["proof"])?);
                let (z, y) = (scalar(&input["z"])?, scalar(&input["y"])?);
                verdict(self.setup.verify(&mut on, &commitment, &z, &y, &proof))
            }
            "verify_blob_kzg_proof" => {
                let (commitment, proof) = (point(&input["commitment"])?, point(&input["proof"])?);
                let blob = self.blob(&input["blob"]);
                let sidecar = Sidecar { blob, commitment: &commitment, proof: &proof };
                verdict(self.setup.verify_blob(&mut on, &sidecar))
            }
            "verify_blob_kzg_proof_batch" => {
                let list = |name: &str| input[name].as_array().unwrap();
                let points = |name: &str| list(name).iter().map(point).collect::<Option<Vec<_>>>();
                let (commitments, proofs) = (points("commitments")?, points("proofs")?);
                // Lists of different lengths cannot be expressed as sidecars.
                if list("blobs").len() != commitments.len() || proofs.len() != commitments.len() {
                    return None;
                }
                let each = list("blobs").iter().zip(&commitments).zip(&proofs);
                let sidecars: Vec<Sidecar<'_>> = each
                    .map(|((blob, commitment), proof)| Sidecar { blob: self.blob(blob), commitment, proof })
                    .collect();
                verdict(self.setup.verify_blobs(&mut on, &sidecars))
            }
            other => panic!("unknown operation {other}"),
        }
    }
}

#[test]
fn answers_are_those_of_the_specification() {
    let board = board();
    let setup = setup(&mut Session::new(&board), ceremony()).unwrap();
    let document: Value = serde_json::from_slice(&unpacked("cases.json.gz")).unwrap();
    let blobs = document["blobs"].as_array().unwrap().iter().map(hex).collect();
    let cases = Cases { blobs, board, setup };
    let mut counts = BTreeMap::new();
    for case in document["cases"].as_array().unwrap() {
        let (operation, name) = (case["operation"].as_str().unwrap(), &case["name"]);
        let answer = cases.answer(operation, &case["input"]).unwrap_or(Value::Null);
        assert_eq!(answer, case["output"], "{name}");
        *counts.entry(operation.to_owned()).or_insert(0) += 1;
    }
    let counts: Vec<usize> = counts.into_values().collect();
    assert_eq!(counts, [11, 15, 52, 29, 24, 109]);
}

/// A batch with one wrong proof at any position is rejected, and malformed items are named.
#[test]
fn a_batch_is_as_good_as_its_worst_blob() {
    let board = board();
    let mut on = Session::new(&board);
    let setup = setup(&mut on, ceremony()).unwrap();
    let blobs: Vec<Vec<u8>> = (1..6u8)
        .map(|k| {
            (0..BYTES)
                .map(|i| if i % 32 == 0 { 0 } else { (i as u8).wrapping_mul(k).wrapping_add(k) })
                .collect()
        })
        .collect();
    let commitments: Vec<_> = blobs.iter().map(|blob| setup.commit(&mut on, blob).unwrap()).collect();
    let mut proofs: Vec<_> = blobs
        .iter()
        .zip(&commitments)
        .map(|(blob, commitment)| setup.prove_blob(&mut on, blob, commitment).unwrap())
        .collect();
    let check = |on: &mut Session<'_, Bls12_381>, proofs: &[PointBytes]| {
        let each = blobs.iter().zip(&commitments).zip(proofs);
        let sidecars: Vec<_> =
            each.map(|((blob, commitment), proof)| Sidecar { blob, commitment, proof }).collect();
        setup.verify_blobs(on, &sidecars)
    };
    check(&mut on, &proofs).unwrap();
    for at in 0..proofs.len() {
        let right = proofs[at];
        proofs[at] = commitments[at];
        assert!(matches!(check(&mut on, &proofs), Err(KzgError::Rejected)), "proof {at}");
        proofs[at] = right;
    }
    let short = setup.commit(&mut on, &blobs[0][1..]).unwrap_err();
    assert_eq!(short.to_string(), "a blob of 131071 bytes, expected 131072");
    let mut large = blobs[1].clone();
    large[64..96].fill(0xff);
    let large = setup.commit(&mut on, &large).unwrap_err();
    assert_eq!(large.to_string(), "element 2 of the blob is not below the group order");
}

/// Points that are on their curves, but belong to no τ or to another one, are refused.
#[test]
fn a_setup_with_a_wrong_point_is_refused() {
    let board = board();
    let mut on = Session::new(&board);
    let refused = |on: &mut Session<'_, Bls12_381>, spoil: &dyn Fn(&mut TrustedSetup)| {
        let mut points = ceremony();
        spoil(&mut points);
        setup(on, points).err().expect("refused").to_string()
    };
    let start = "the setup's points are not powers of one tau: ";
    let swapped = refused(&mut on, &|points| points.lagrange.swap(7, 8));
    assert_eq!(swapped, format!("{start}the Lagrange points belong to another tau"));
    let doubled = refused(&mut on, &|points| points.lagrange[9] = -points.lagrange[9]);
    assert_eq!(doubled, format!("{start}the Lagrange points do not add up to the generator"));
    let other = refused(&mut on, &|points| points.tau_g2 = -points.tau_g2);
    assert_eq!(other, format!("{start}the Lagrange points belong to another tau"));
    let short = refused(&mut on, &|points| points.lagrange.truncate(4095));
    assert_eq!(short, format!("{start}a blob needs 4096 Lagrange points"));
}

/// The text file of c-kzg has the same points; damaged files are refused with the position of the fault.
#[test]
fn both_files_of_a_setup_are_read() {
    let json: Value = serde_json::from_slice(&unpacked("trusted_setup.json.gz")).unwrap();
    let lines = |name: &str| {
        let points = json[name].as_array().unwrap();
        points.iter().map(|p| p.as_str().unwrap()[2..].to_owned()).collect::<Vec<_>>()
    };
    let (lagrange, second, monomial) = (lines("g1_lagrange"), lines("g2_monomial"), lines("g1_monomial"));
    let counts = vec!["4096".to_owned(), "65".to_owned()];
    let text = [counts, lagrange, second, monomial].concat();
    let read = |lines: &[String]| read_trusted_setup(&file("setup.txt", lines.join("\n").into_bytes()));
    assert_eq!(read(&text).unwrap(), ceremony());
    // The first form of the file ends before the monomial points.
    assert_eq!(read(&text[..4163]).unwrap(), ceremony());

    let wrong = |result: Result<TrustedSetup, FormatError>| result.unwrap_err().to_string();
    assert_eq!(wrong(read(&text[..100])), "setup.txt: line 101: expected a point of the first group");
    assert_eq!(wrong(read(&text[..4099])), "setup.txt: line 4100: expected a point of the second group");
    let with = |line: usize, item: &str| {
        let mut text = text.clone();
        text[line - 1] = item.to_owned();
        wrong(read(&text))
    };
    assert_eq!(with(1, "4095"), "setup.txt: line 1: expected 4096 points of the first group");
    assert_eq!(with(2, "1"), "setup.txt: line 2: expected 65 points of the second group");
    assert_eq!(with(40, "zz"), "setup.txt: line 40: expected hexadecimal digits");
    assert!(with(40, "8f").starts_with("setup.txt: line 40: "), "{}", with(40, "8f"));
    assert!(with(4100, &text[50]).starts_with("setup.txt: line 4100: "));
    let json = |text: &str| wrong(read_trusted_setup(&file("setup.json", text.as_bytes().to_vec())));
    assert_eq!(
        json(r#"{"g1_lagrange": ["0x"], "g2_monomial": []}"#),
        "setup.json: g1_lagrange[1]: expected a point of the first group"
    );
    assert!(json("{").starts_with("setup.json: "));
    assert_eq!(json(""), "setup.json: line 1: expected a count");
}
