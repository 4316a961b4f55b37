//! Ceremonies in bellman's form: equality with snarkjs' bytes, a ceremony that uses both forms, and responses that are refused.

use crate::common::{as_planned, bytes, file, rng, vector};
use crate::surgery::kind;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::{Extension, PrimeField, Ring, Sqrt};
use pairwright_formats::{
    Contributions, Contributor, FileBytes, FileKind, FormatError, MpcParameters, PtauFile, R1csFile,
    VerifiedKey, VerifyKeyError, WtnsFile, ZkeyFile, contribute_to_key, contribute_to_mpc_parameters,
    first_key, import_mpc_parameters, inspect_bytes, verify_key, write_imported_zkey, write_mpc_parameters,
    write_zkey, written_mpc_work,
};
use pairwright_protocols::groth16::{ProvingKey, prove, setup_local};
use zeroize::Zeroizing;

fn zkey<E: Pairing>(bytes: &[u8]) -> ZkeyFile<E> {
    ZkeyFile::read(FileBytes::from_vec("key.zkey", bytes.to_vec())).unwrap()
}

fn sample(curve: &str, name: &str) -> Vec<u8> {
    bytes(&format!("circom/cube/{curve}/{name}"))
}

fn exported<E: Pairing>(key: &[u8]) -> Result<Vec<u8>, FormatError> {
    let (zkey, mut out, mut done) = (zkey::<E>(key), Vec::new(), 0);
    let device = reference::board();
    let on = &mut Session::new(&device);
    write_mpc_parameters::<E>(on, &mut out, &zkey, &mut rng(1), &mut |more| done += more)?;
    assert_eq!(done, written_mpc_work(&zkey));
    Ok(out)
}

fn answered<E: Pairing>(parameters: &[u8], seed: u8) -> Result<Vec<u8>, FormatError> {
    let read = MpcParameters::<E>::read(file("c.mpcparams", parameters))?;
    let by = Contributor::Secret { name: String::new(), seed: Zeroizing::new([seed; 32]) };
    let mut out = Vec::new();
    as_planned::<E, _, _>(&["scale_by_secrets_g1"], |on| {
        contribute_to_mpc_parameters(on, &mut out, &read, &by, &mut rng(2))
    })?;
    Ok(out)
}

fn imported<E: Pairing>(key: &[u8], response: &[u8], name: &str) -> Result<Vec<u8>, VerifyKeyError> {
    let response = MpcParameters::<E>::read(file("r.mpcparams", response))?;
    let (zkey, mut out, mut done) = (zkey::<E>(key), Vec::new(), 0);
    let device = reference::board();
    let on = &mut Session::new(&device);
    let new = import_mpc_parameters(on, &zkey, &response, name, &mut rng(3), &mut |more| done += more)?;
    assert_eq!(done, written_mpc_work(&zkey));
    assert!(new.made.iter().all(|made| made.name == name && made.beacon.is_none()));
    write_imported_zkey(&mut out, &new.key, &new.contributions)?;
    Ok(out)
}

fn verified<E: Pairing>(curve: &str, ptau: &str, key: &[u8]) -> Result<VerifiedKey, VerifyKeyError> {
    let system = R1csFile::<E::Fr>::open(vector(&format!("circom/cube/{curve}/cube.r1cs"))).unwrap();
    let ptau = PtauFile::open(vector(&format!("circom/ptau/{curve}.{ptau}.ptau"))).unwrap();
    let device = reference::board::<E>();
    verify_key(&mut Session::new(&device), &system, &ptau, &zkey(key), &mut rng(5))
}

/// The initial key of the cube circuit.
fn begun<E: Pairing>(curve: &str) -> Vec<u8> {
    let system = R1csFile::<E::Fr>::open(vector(&format!("circom/cube/{curve}/cube.r1cs"))).unwrap();
    let ptau = PtauFile::<E>::open(vector(&format!("circom/ptau/{curve}.4.raw.ptau"))).unwrap();
    let device = reference::board();
    let (key, record) = first_key(&mut Session::new(&device), &system, &ptau, &mut rng(6)).unwrap();
    let mut out = Vec::new();
    write_zkey(&mut out, &key, &record).unwrap();
    out
}

fn has_snarkjs_bytes<E: Pairing>(curve: &str) {
    let key = sample(curve, "cube.zkey");
    assert!(exported::<E>(&key).unwrap() == sample(curve, "cube.mpcparams"));
    let response = sample(curve, "response.mpcparams");
    assert!(imported::<E>(&key, &response, "bellman").unwrap() == sample(curve, "imported.zkey"));
    // Such a file has no header, so it is recognised by its contents.
    let [of_key, of_response] = [(&key, "key"), (&response, "response")]
        .map(|(bytes, name)| inspect_bytes(&FileBytes::from_vec(name, bytes.clone())).unwrap());
    assert_eq!((of_response.kind, of_response.curve), (FileKind::MpcParameters, Some(curve)));
    assert_eq!((of_response.wires, of_response.public), (of_key.wires, of_key.public));
    assert_eq!((of_response.domain, &of_response.circuit_hash), (of_key.domain, &of_key.circuit_hash));
    assert!(of_response.contributions > of_key.contributions);
}

/// A ceremony that uses both forms; its key is verified and used for a proof.
fn takes_turns<E: Pairing>(curve: &str) {
    let first = begun::<E>(curve);
    // Two contributors pass the file on; both contributions are imported together.
    let [one, two] = {
        let one = answered::<E>(&exported::<E>(&first).unwrap(), 1).unwrap();
        let two = answered::<E>(&one, 2).unwrap();
        [one, two]
    };
    let key = imported::<E>(&first, &two, "bellman").unwrap();
    let names = |key: &[u8]| -> Vec<String> {
        verified::<E>(curve, "4.raw", key).unwrap().contributions.into_iter().map(|made| made.name).collect()
    };
    assert_eq!(names(&key), ["bellman", "bellman"]);
    // Contribute to the imported key, and export it again.
    let device = reference::board::<E>();
    let on = &mut Session::new(&device);
    let by = Contributor::Secret { name: "alice".to_owned(), seed: Zeroizing::new([3; 32]) };
    let (after, records, _) = contribute_to_key(on, &zkey::<E>(&key), &by, &mut rng(4)).unwrap();
    let mut third = Vec::new();
    write_zkey(&mut third, &after, &records).unwrap();
    let fourth = answered::<E>(&exported::<E>(&third).unwrap(), 4).unwrap();
    let fourth = imported::<E>(&third, &fourth, "").unwrap();
    assert_eq!(names(&fourth), ["bellman", "bellman", "alice", ""]);
    // A response that was imported already, and a response to another key.
    let why = imported::<E>(&key, &one, "").unwrap_err();
    assert_eq!(why.to_string(), "the response has no contribution that the key does not have");
    assert!(why.is_rejection());
    let why = imported::<E>(&key, &answered::<E>(&one, 9).unwrap(), "").unwrap_err();
    assert_eq!(why.to_string(), "contribution 2: it is another one in the key");
}

#[test]
fn both_tools_write_the_same_bytes() {
    has_snarkjs_bytes::<Bn254>("bn128");
    has_snarkjs_bytes::<Bls12_381>("bls12381");
}

#[test]
fn one_ceremony_in_two_forms() {
    takes_turns::<Bn254>("bn128");
    takes_turns::<Bls12_381>("bls12381");
}

/// An imported key has other elements H than a key with a direct contribution of the same secret, but the proofs are equal.
#[test]
fn another_h_serves_the_same_proofs() {
    let first = begun::<Bn254>("bn128");
    let by = Contributor::Secret { name: String::new(), seed: Zeroizing::new([1; 32]) };
    let device = reference::board::<Bn254>();
    let on = &mut Session::new(&device);
    let (here, _, _) = contribute_to_key(on, &zkey(&first), &by, &mut rng(4)).unwrap();
    let there = answered::<Bn254>(&exported::<Bn254>(&first).unwrap(), 1).unwrap();
    let there = imported::<Bn254>(&first, &there, "").unwrap();
    let there = zkey::<Bn254>(&there).proving_key().unwrap();
    assert_eq!((here.delta_g1, &here.vk), (there.delta_g1, &there.vk));
    let points = |key: &ProvingKey<Bn254>| {
        let mut h = Vec::new();
        key.h.read(0..key.h.len(), &mut h).unwrap();
        h
    };
    assert_ne!(points(&here), points(&there));
    let witness = WtnsFile::open(vector("circom/cube/bn128/witness.wtns")).unwrap().witness().unwrap();
    let mut proof = |key| prove(on, key, &witness, &mut rng(8)).unwrap();
    assert_eq!(proof(&here), proof(&there));
}

/// A response with a flipped bit, a missing end or a surplus byte is refused.
#[test]
fn a_change_anywhere_is_found() {
    let first = begun::<Bn254>("bn128");
    let good = answered::<Bn254>(&exported::<Bn254>(&first).unwrap(), 1).unwrap();
    imported::<Bn254>(&first, &good, "").unwrap();
    for at in (0..good.len()).step_by(23) {
        let mut changed = good.clone();
        changed[at] ^= 1;
        let why = imported::<Bn254>(&first, &changed, "").unwrap_err();
        let named =
            matches!(&why, VerifyKeyError::Format(e) if e.to_string().starts_with("r.mpcparams: section "));
        assert!(named || why.is_rejection(), "{at}: {why}");
    }
    for length in (0..good.len()).step_by(41) {
        let why = imported::<Bn254>(&first, &good[..length], "").unwrap_err();
        assert!(
            matches!(&why, VerifyKeyError::Format(e) if e.to_string().starts_with("r.mpcparams: section "))
        );
    }
    let mut longer = good.clone();
    longer.push(0);
    let why = imported::<Bn254>(&first, &longer, "").unwrap_err().to_string();
    assert!(why.starts_with("r.mpcparams: section 8 (contributions)"), "{why}");
}

/// The offsets of the lists of the circuit's parameters on bn128: IC, H, L, A, B in G1, B in G2, contributions.
fn lists(bytes: &[u8]) -> [usize; 7] {
    let mut at = 3 * (64 + 128);
    let mut starts = [at; 7];
    for (i, size) in [64, 64, 64, 64, 64, 128].into_iter().enumerate() {
        let len = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        at += 4 + len * size;
        starts[i + 1] = at;
    }
    starts
}

#[test]
fn what_is_wrong_is_said() {
    let good = sample("bn128", "cube.mpcparams");
    let [ic, h, l, a, _, b_g2, contributions] = lists(&good);
    let refused = |bytes: &[u8]| MpcParameters::<Bn254>::read(file("c.mpcparams", bytes)).unwrap_err();
    let with = |at: usize, part: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + part.len()].copy_from_slice(part);
        bytes
    };
    let cases: [(Vec<u8>, &str, String); 11] = [
        (Vec::new(), "Truncated", "section 1 (verifying key), offset 0".to_owned()),
        (with(0, &[0; 64]), "Infinity", "section 1 (verifying key), offset 0".to_owned()),
        (with(0, &[0xff; 32]), "NotReduced", "section 1 (verifying key), offset 0".to_owned()),
        (with(63, &[good[63] ^ 1]), "OffCurve", "section 1 (verifying key), offset 0".to_owned()),
        (with(ic, &[0xff; 4]), "Count", format!("section 2 (IC), offset {ic}")),
        (with(h, &6u32.to_be_bytes()), "DomainSize", format!("section 3 (H), offset {h}")),
        (with(l, &[0; 4]), "Count", format!("section 5 (A), offset {}", l + 4)),
        (with(a, &[0; 4]), "ArrayLength", format!("section 5 (A), offset {a}")),
        (with(b_g2, &[0xff; 4]), "Count", format!("section 7 (B in G2), offset {b_g2}")),
        (
            with(contributions + 64, &[0xff; 4]),
            "Truncated",
            format!("section 8 (contributions), offset {}", good.len()),
        ),
        (
            with(contributions + 64, &[0; 4]),
            "SectionSize",
            format!("section 8 (contributions), offset {contributions}"),
        ),
    ];
    for (bytes, expected, place) in cases {
        let why = refused(&bytes);
        assert!(why.to_string().starts_with(&format!("c.mpcparams: {place}: ")), "{expected}: {why}");
        // A wrong length of L shifts the following lists, so that the next length is wrong.
        assert_eq!(kind(&why), expected, "{why}");
    }
    // Without the record, no contribution accounts for delta.
    let mut none = good[..contributions + 68].to_vec();
    none[contributions + 67] = 0;
    let why = refused(&none).to_string();
    assert!(why.ends_with("delta is not the one that it left"), "{why}");
    // The parameters of another curve.
    let why = MpcParameters::<Bls12_381>::read(file("c.mpcparams", &good)).unwrap_err();
    assert!(matches!(why, FormatError::NotReduced { .. } | FormatError::OffCurve { .. }), "{why}");
    // A key whose secrets were drawn in one place has no ceremony, even if its file claims one.
    let device = reference::board::<Bn254>();
    let system = R1csFile::open(vector("circom/cube/bn128/cube.r1cs")).unwrap();
    let local = setup_local(&mut Session::new(&device), &system, &mut rng(6)).unwrap();
    let mut key = Vec::new();
    write_zkey(&mut key, &local, &Contributions::none()).unwrap();
    let why = exported::<Bn254>(&key).unwrap_err().to_string();
    assert!(why.starts_with("key.zkey: a key without a circuit's hash"), "{why}");
    let why = imported::<Bn254>(&key, &good, "").unwrap_err();
    assert!(why.to_string().starts_with("key.zkey: a key without a circuit's hash"), "{why}");
    assert!(!why.is_rejection());
    let mut none = with(contributions, &[0; 64])[..contributions + 68].to_vec();
    none[contributions + 67] = 0;
    let mut delta = Vec::new();
    let generator = Affine::<<Bn254 as Pairing>::G1>::generator();
    for coordinate in [generator.x, generator.y] {
        let start = delta.len();
        delta.resize(start + 32, 0);
        coordinate.coord(0).write_be(&mut delta[start..]);
    }
    none[2 * 64 + 2 * 128..][..64].copy_from_slice(&delta);
    let why = answered::<Bn254>(&none, 1).unwrap_err().to_string();
    assert!(why.starts_with("c.mpcparams: a key without a circuit's hash"), "{why}");
}

/// A point of the curve outside of the subgroup is refused before it is multiplied by a secret.
#[test]
fn points_outside_the_subgroup_are_refused() {
    type G1 = <Bls12_381 as Pairing>::G1;
    let mut parameters = sample("bls12381", "cube.mpcparams");
    let outside = (1u64..)
        .map(<G1 as Curve>::Base::from)
        .find_map(|x| {
            let y = (x.square() * x + G1::B).sqrt_vartime()?;
            let p = Affine::<G1>::from_xy_unchecked(x, y);
            (!p.is_in_subgroup_vartime()).then_some(p)
        })
        .unwrap();
    // The second power of the list in place of H.
    let ic = 3 * (96 + 192);
    let count = u32::from_be_bytes(parameters[ic..ic + 4].try_into().unwrap()) as usize;
    let second = ic + 4 + 96 * count + 4 + 96;
    outside.x.coord(0).write_be(&mut parameters[second..second + 48]);
    outside.y.coord(0).write_be(&mut parameters[second + 48..second + 96]);
    let why = answered::<Bls12_381>(&parameters, 1).unwrap_err();
    assert_eq!(kind(&why), "WrongSubgroup", "{why}");
    assert!(why.to_string().starts_with(&format!("c.mpcparams: section 3 (H), offset {second}")), "{why}");
}

/// bellman marks infinity with a bit; snarkjs writes zeros.
#[test]
fn infinity_in_both_forms() {
    let mut parameters = sample("bn128", "cube.mpcparams");
    let [.., b_g2, contributions] = lists(&parameters);
    let at = (b_g2 + 4..contributions).step_by(128).find(|at| parameters[*at..at + 128] == [0; 128]).unwrap();
    parameters[at] = 0x40;
    let marked = answered::<Bn254>(&parameters, 1).unwrap();
    let response = imported::<Bn254>(&sample("bn128", "cube.zkey"), &marked, "").unwrap();
    parameters[at] = 0;
    let plain = answered::<Bn254>(&parameters, 1).unwrap();
    assert!(response == imported::<Bn254>(&sample("bn128", "cube.zkey"), &plain, "").unwrap());
    // The flag bit together with other non-zero bits is not a valid point.
    parameters[at] = 0x40;
    parameters[at + 1] = 1;
    let why = answered::<Bn254>(&parameters, 1).unwrap_err().to_string();
    assert!(why.starts_with(&format!("c.mpcparams: section 7 (B in G2), offset {at}")), "{why}");
}
