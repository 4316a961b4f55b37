//! Ceremonies of powers of tau: equality with snarkjs' bytes, chains of contributions by both programs, and faults that are
//! found.

use crate::common::{as_planned, rng, vector};
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Jacobian, Pairing};
use pairwright_device::{Session, reference};
use pairwright_formats::{
    Beacon, BeaconError, Contributor, FileBytes, PowersContribution, PtauFile, VerifiedPowers,
    VerifyPowersError, contribute_to_powers, new_powers, prepare_ptau, setup_with_ptau, truncate_ptau,
    verification_work, verify_powers,
};
use pairwright_poly::Buf;
use pairwright_protocols::circuit::Builder;
use pairwright_protocols::groth16::{PowersOfTau, prove, verify};
use std::io::Cursor;
use zeroize::Zeroizing;

fn begun<E: Pairing>(power: u32) -> Vec<u8> {
    let mut out = Vec::new();
    new_powers::<E>(&mut out, power).unwrap();
    out
}

fn read<E: Pairing>(bytes: Vec<u8>) -> PtauFile<E> {
    PtauFile::read(FileBytes::from_vec("powers.ptau", bytes)).unwrap()
}

fn contributed<E: Pairing>(before: Vec<u8>, by: &Contributor) -> (Vec<u8>, PowersContribution) {
    let ptau = read::<E>(before);
    let (mut out, mut spool) = (Vec::new(), Cursor::new(Vec::new()));
    let made = as_planned::<E, _, _>(&["scale_by_secrets_g1", "scale_by_secrets_g2"], |on| {
        contribute_to_powers(on, &mut out, &mut spool, &ptau, by, &mut rng(1))
    });
    let made = made.unwrap();
    (out, made)
}

fn secret(name: &str, seed: u8) -> Contributor {
    Contributor::Secret { name: name.to_owned(), seed: Zeroizing::new([seed; 32]) }
}

/// The beacon that snarkjs used for the vectors.
fn beacon(name: &str) -> Contributor {
    Contributor::Beacon { name: name.to_owned(), beacon: Beacon::new(vec![1, 2, 3, 4, 5], 10).unwrap() }
}

fn verified<E: Pairing>(bytes: Vec<u8>) -> Result<VerifiedPowers, VerifyPowersError> {
    let device = reference::board::<E>();
    let ptau = PtauFile::<E>::read(FileBytes::from_vec("powers.ptau", bytes))?;
    let mut work = 0;
    let verified = verify_powers(&mut Session::new(&device), &ptau, &mut rng(2), &mut |more| work += more)?;
    assert!(work <= verification_work(&ptau), "no more work than was foretold");
    Ok(verified)
}

fn names(verified: &VerifiedPowers) -> Vec<&str> {
    verified.contributions.iter().map(|made| made.name.as_str()).collect()
}

fn bytes_are_those_of_snarkjs<E: Pairing>(curve: &str) {
    let file = |kind: &str| std::fs::read(vector(&format!("circom/ptau/{curve}.3.{kind}.ptau"))).unwrap();
    let (ours, _) = contributed::<E>(begun::<E>(3), &beacon("final"));
    assert!(ours == file("beacon"), "a beacon has no secrets, so that the files are equal");
    // A contribution of this crate after two of snarkjs, to a file with Lagrange points.
    let theirs = file("ceremony");
    assert_eq!(names(&verified::<E>(theirs.clone()).unwrap()), ["final", "bob"]);
    let (ours, made) = contributed::<E>(theirs, &secret("", 7));
    let told = verified::<E>(ours.clone()).unwrap();
    assert_eq!(names(&told), ["final", "bob", ""]);
    assert_eq!(told.contributions[2], made);
    assert!(!told.prepared);
    let mut prepared = Vec::new();
    let device = reference::board();
    prepare_ptau(&mut Session::new(&device), &mut prepared, &read::<E>(ours), &mut |_| ()).unwrap();
    assert!(verified::<E>(prepared).unwrap().prepared);
}

#[test]
fn on_bn128() {
    bytes_are_those_of_snarkjs::<Bn254>("bn128");
}
#[test]
fn on_bls12381() {
    bytes_are_those_of_snarkjs::<Bls12_381>("bls12381");
}

/// The powers are `τ^i` for the product τ of all factors.
#[test]
fn on_bls12377_without_snarkjs() {
    let (first, _) = contributed::<Bls12_377>(begun::<Bls12_377>(2), &secret(&"é".repeat(40), 3));
    let (second, _) = contributed::<Bls12_377>(first.clone(), &beacon("b"));
    let told = verified::<Bls12_377>(second.clone()).unwrap();
    assert_eq!(names(&told), ["é".repeat(32).as_str(), "b"], "a name is cut to 64 bytes");
    let mut tau = Vec::new();
    read::<Bls12_377>(second.clone()).tau_g1().read(0..7, &mut tau).unwrap();
    assert_eq!(tau[0], Affine::generator());
    assert!(tau[1] != tau[0] && tau[1] != tau[2]);
    // The powers are used for a key of a circuit on this curve, and for a proof.
    let mut b = Builder::<<Bls12_377 as Pairing>::Fr>::new();
    let x = b.private("x");
    let square = b.mul(x, x);
    b.output("square", square);
    let circuit = b.finish().unwrap();
    let device = reference::board::<Bls12_377>();
    let mut on = Session::new(&device);
    let powers = read::<Bls12_377>(second);
    let (key, _) = setup_with_ptau(&mut on, &circuit, &powers, "", &mut rng(5)).unwrap();
    let w = circuit.witness(&[(x, 5u64.into())]).unwrap();
    let public = circuit.public(&w).to_vec();
    let proof = prove(&mut on, &key, &Buf::from(w), &mut rng(6)).unwrap();
    verify(&mut on, &key.vk, &public, &proof).unwrap();
    // Equal seeds and equal challenges give equal bytes; another seed gives other bytes.
    assert!(contributed::<Bls12_377>(begun::<Bls12_377>(2), &secret(&"é".repeat(40), 3)).0 == first);
    assert!(contributed::<Bls12_377>(begun::<Bls12_377>(2), &secret(&"é".repeat(40), 4)).0 != first);
}

/// A change of any byte of the powers and of the proofs in the records is noticed.
#[test]
fn a_change_anywhere_is_found() {
    let file = std::fs::read(vector("circom/ptau/bn128.3.ceremony.ptau")).unwrap();
    verified::<Bn254>(file.clone()).unwrap();
    // Of the last record these are the first powers, the proofs and the hash, but not the stale bytes in the hash's block, nor
    // the name.
    let section = file.len() - 2 * (5 * 64 + 2 * 64 + 6 * 64 + 3 * 128 + 216 + 64 + 8) - 18 - 5;
    let mut found = 0;
    for at in (12..file.len()).step_by(29) {
        let mut changed = file.clone();
        changed[at] ^= 1;
        match verified::<Bn254>(changed) {
            Err(_) => found += 1,
            Ok(_) => assert!(at > section, "byte {at} of {}", file.len()),
        }
    }
    assert!(found > 200, "{found}");
    for length in (0..file.len()).step_by(41) {
        assert!(verified::<Bn254>(file[..length].to_vec()).is_err(), "cut after {length} bytes");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let text = |bytes: Vec<u8>| verified::<Bn254>(bytes).unwrap_err().to_string();
    assert_eq!(text(begun::<Bn254>(2)), "nobody has contributed to these powers: everybody knows tau");
    assert!(verified::<Bn254>(begun::<Bn254>(2)).unwrap_err().is_rejection());
    let (first, _) = contributed::<Bn254>(begun::<Bn254>(2), &secret("a", 1));
    let (second, _) = contributed::<Bn254>(first.clone(), &beacon("b"));
    // Well-formed records of another ceremony.
    let (other, _) = contributed::<Bn254>(begun::<Bn254>(2), &secret("a", 2));
    let record = first.len() - begun::<Bn254>(2).len();
    let mut mixed = first.clone();
    let from = first.len() - record;
    mixed[from..].copy_from_slice(&other[from..]);
    assert_eq!(text(mixed), "tauG1: its first points are not the last contribution's");
    // A beacon other than the one that was hashed.
    let mut beacon = second.clone();
    let end = beacon.len();
    beacon[end - 1] ^= 1;
    assert_eq!(text(beacon), "contribution 2: its secrets are not those of its beacon");
    // A chain without its first record.
    let mut short = begun::<Bn254>(2);
    let body = second[first.len()..].to_vec();
    let count = short.len() - 4;
    short.truncate(count - 8);
    short.extend((4 + body.len() as u64).to_le_bytes());
    short.extend(1u32.to_le_bytes());
    short.extend(body);
    let why = text(short);
    assert!(why.starts_with("contribution 1: "), "{why}");
    // Points of another τ in one list: the last power of G1 is not τ times the one before.
    let mut powers = first.clone();
    let tau = 12 + 12 + 4 + 32 + 8 + 12;
    let p = Jacobian::<<Bn254 as Pairing>::G1>::generator()
        .mul_vartime(&<Bn254 as Pairing>::Fr::from(5))
        .to_affine();
    for (i, x) in [p.x, p.y].into_iter().enumerate() {
        let limbs = pairwright_field::PrimeField::to_montgomery(&x);
        let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        powers[tau + 6 * 64 + 32 * i..][..32].copy_from_slice(&bytes);
    }
    assert_eq!(text(powers), "tauG1: its points are not successive multiples by tau");
}

#[test]
fn reduced_powers_take_no_contribution() {
    let (mut file, _) = contributed::<Bn254>(begun::<Bn254>(2), &secret("a", 1));
    file[12 + 12 + 4 + 32 + 4] = 3;
    let ptau = read::<Bn254>(file.clone());
    let mut spool = Cursor::new(Vec::new());
    let refused = contribute_to_powers(
        &mut Session::new(&reference::board()),
        &mut Vec::new(),
        &mut spool,
        &ptau,
        &secret("b", 2),
        &mut rng(1),
    );
    assert_eq!(
        refused.unwrap_err().to_string(),
        "powers.ptau: 2^2 powers of a ceremony of 2^3: contributions need all of them"
    );
    // A truncated file is not accepted as the whole ceremony's either, as its first challenge differs.
    assert!(verified::<Bn254>(file).unwrap_err().to_string().starts_with("contribution 1: "));
    let large = new_powers::<Bn254>(&mut Vec::new(), 28).unwrap_err();
    assert_eq!(large.to_string(), "powers of tau of 2^28: a ceremony has from 2^1 to 2^27");
}

/// Truncated powers are verified too: they are the first powers of the ceremony.
#[test]
fn fewer_powers_are_verified_too() {
    let cut = |bytes: &[u8], power| {
        let mut out = Vec::new();
        truncate_ptau(&mut out, &read::<Bn254>(bytes.to_vec()), power).map(|()| out)
    };
    for kind in ["raw", "prepared"] {
        let whole = std::fs::read(vector(&format!("circom/ptau/bn128.4.{kind}.ptau"))).unwrap();
        let told = verified::<Bn254>(whole.clone()).unwrap();
        for power in 1..4 {
            let fewer = cut(&whole, power).unwrap();
            assert_eq!(verified::<Bn254>(fewer.clone()).unwrap(), told, "2^{power}, {kind}");
            assert_eq!(read::<Bn254>(fewer).ceremony_power(), 4);
        }
        // Truncation in two steps gives the same file as in one step.
        assert!(cut(&cut(&whole, 3).unwrap(), 2).unwrap() == cut(&whole, 2).unwrap());
        for power in [0, 4, 5] {
            let refused = cut(&whole, power).unwrap_err().to_string();
            assert_eq!(refused, format!("powers.ptau: 2^4 powers of tau cannot be cut down to 2^{power}"));
        }
    }
}

#[test]
fn beacons_have_a_length_and_a_number_of_hashes() {
    assert_eq!(Beacon::new(Vec::new(), 10), Err(BeaconError::Length { found: 0 }));
    assert_eq!(Beacon::new(vec![0; 256], 10), Err(BeaconError::Length { found: 256 }));
    assert_eq!(Beacon::new(vec![0; 255], 9), Err(BeaconError::Hashes { found: 9 }));
    assert_eq!(Beacon::new(vec![0; 255], 64), Err(BeaconError::Hashes { found: 64 }));
    assert!(Beacon::new(vec![0; 255], 63).is_ok());
}
