//! Contributions to a key: chains of contributions are verified, and invalid keys are refused.

use crate::common::{rng, vector};
use pairwright_curve::bn254::Bn254;
use pairwright_device::{Session, reference};
use pairwright_formats::{
    Beacon, CeremonyError, Contributions, Contributor, FileBytes, PtauFile, R1csFile, VerifiedKey,
    VerifyKeyError, ZkeyFile, contribute_to_key, setup_with_ptau, verify_key, write_zkey,
};
use pairwright_protocols::groth16::setup_local;
use zeroize::Zeroizing;

type Fr = pairwright_curve::bn254::Fr;

fn circuit(curve: &str) -> R1csFile<Fr> {
    R1csFile::open(vector(&format!("circom/cube/{curve}/cube.r1cs"))).unwrap()
}

fn powers(name: &str) -> PtauFile<Bn254> {
    PtauFile::open(vector(&format!("circom/ptau/bn128.{name}.ptau"))).unwrap()
}

fn read(bytes: &[u8]) -> Result<ZkeyFile<Bn254>, pairwright_formats::FormatError> {
    ZkeyFile::read(FileBytes::from_vec("key.zkey", bytes.to_vec()))
}

/// A key with one contribution by `us`.
fn begun() -> Vec<u8> {
    let device = reference::board::<Bn254>();
    let mut on = Session::new(&device);
    let (key, record) =
        setup_with_ptau(&mut on, &circuit("bn128"), &powers("4.raw"), "us", &mut rng(3)).unwrap();
    let mut out = Vec::new();
    write_zkey(&mut out, &key, &record).unwrap();
    out
}

fn contributed(before: &[u8], by: &Contributor) -> Result<Vec<u8>, CeremonyError> {
    let device = reference::board::<Bn254>();
    let zkey = read(before).unwrap();
    let (key, record, made) = contribute_to_key(&mut Session::new(&device), &zkey, by, &mut rng(4))?;
    let mut out = Vec::new();
    write_zkey(&mut out, &key, &record).unwrap();
    assert_eq!(verified(&out).unwrap().contributions.last(), Some(&made));
    Ok(out)
}

fn verified(bytes: &[u8]) -> Result<VerifiedKey, VerifyKeyError> {
    let device = reference::board::<Bn254>();
    let (zkey, system) = (read(bytes)?, circuit("bn128"));
    verify_key(&mut Session::new(&device), &system, &powers("4.prepared"), &zkey, &mut rng(5))
}

fn secret(seed: u8) -> Contributor {
    Contributor::Secret { name: "alice".to_owned(), seed: Zeroizing::new([seed; 32]) }
}

fn beacon() -> Contributor {
    Contributor::Beacon { name: String::new(), beacon: Beacon::new(vec![7], 10).unwrap() }
}

#[test]
fn chains_are_verified() {
    let second = contributed(&begun(), &secret(1)).unwrap();
    let third = contributed(&second, &beacon()).unwrap();
    let told = verified(&third).unwrap().contributions;
    let names: Vec<&str> = told.iter().map(|made| made.name.as_str()).collect();
    assert_eq!(names, ["us", "alice", ""]);
    assert_eq!(told[2].beacon, Some(Beacon::new(vec![7], 10).unwrap()));
    // The same seed gives the same bytes, and different bytes after another contribution.
    assert!(contributed(&begun(), &secret(1)).unwrap() == second);
    assert!(contributed(&second, &secret(1)).unwrap() != second);
}

/// A change of any byte is noticed, except in names.
#[test]
fn a_change_anywhere_is_found() {
    let key = contributed(&begun(), &beacon()).unwrap();
    verified(&key).unwrap();
    let mut accepted = Vec::new();
    for at in (12..key.len()).step_by(23) {
        let mut changed = key.clone();
        changed[at] ^= 1;
        if verified(&changed).is_ok() {
            accepted.push(at);
        }
    }
    for length in (0..key.len()).step_by(41) {
        assert!(verified(&key[..length]).is_err(), "cut after {length} bytes");
    }
    let name = key.windows(2).rposition(|two| two == b"us").unwrap();
    assert!(accepted.iter().all(|at| (name..name + 2).contains(at)), "{accepted:?}, the name is at {name}");
}

#[test]
fn what_is_wrong_is_said() {
    let key = begun();
    let device = reference::board::<Bn254>();
    let mut on = Session::new(&device);
    // A key with the powers of another ceremony.
    let (zkey, system) = (read(&key).unwrap(), circuit("bn128"));
    let other = verify_key(&mut on, &system, &powers("3.ceremony"), &zkey, &mut rng(5)).unwrap_err();
    assert_eq!(other.to_string(), "alpha, beta or gamma: not that of this circuit and these powers of tau");
    assert!(other.is_rejection());
    // A key with the records of another chain for the same circuit.
    let [one, two] = [1, 2].map(|seed| contributed(&key, &secret(seed)).unwrap());
    let records = read(&one).unwrap().section(10).unwrap();
    let mut mixed = two.clone();
    let start = records.offset() as usize;
    mixed[start..].copy_from_slice(records.bytes());
    assert_eq!(verified(&mixed).unwrap_err().to_string(), "delta: not what the contributions made of it");
    // A key without contributions, and a key whose secrets were drawn in one place.
    let local = setup_local(&mut on, &system, &mut rng(6)).unwrap();
    let mut bytes = Vec::new();
    write_zkey(&mut bytes, &local, &Contributions::none()).unwrap();
    let none = verified(&bytes).unwrap_err();
    assert_eq!(none.to_string(), "nobody has contributed to this key: anybody can forge proofs");
    let refused = contributed(&bytes, &secret(1)).unwrap_err().to_string();
    assert!(refused.starts_with("key.zkey: a key without a circuit's hash"), "{refused}");
}
