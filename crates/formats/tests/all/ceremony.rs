//! Setup from snarkjs' powers of tau: the circuit's hash as snarkjs prints it, and contributions by either program.

use crate::common::{chain, rng, vector};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::{Extension, PrimeField};
use pairwright_formats::{
    CeremonyError, Contributions, FileBytes, PtauFile, R1csFile, WtnsFile, ZkeyFile, challenge_point_vartime,
    setup_with_ptau, write_zkey,
};
use pairwright_protocols::groth16::{PowersOfTau, ProvingKey, SetupError, prove, verify};

/// The hash that `snarkjs groth16 setup` prints for the cube circuit and the prepared powers among the vectors.
const BN128: &str = "fdd18a3dc4635476eb3c63c216f072603f9fd84b4e8b66f4336fe5e6efd614c4\
                     d9b9eaf643c6978f459a72070b3254972f0f662086e06051db42dcd8ce07de7f";
const BLS12381: &str = "5eee2c03a0c37f12c9263de77ebc7bc2ba0d0b4413ab3e368593693c208f713e\
                        39314120e8787885b6540bb6c58115db5c19f5eab244e7666a757ea47a26ad8e";

fn setup<E: Pairing>(
    curve: &str,
    circuit: &str,
    ptau: &str,
    name: &str,
) -> Result<(ProvingKey<E>, Contributions), CeremonyError> {
    let device = reference::board::<E>();
    let mut on = Session::new(&device);
    let system = R1csFile::<E::Fr>::open(vector(&format!("circom/cube/{circuit}/cube.r1cs"))).unwrap();
    let ptau = PtauFile::<E>::open(vector(&format!("circom/ptau/{curve}.4.{ptau}.ptau"))).unwrap();
    setup_with_ptau(&mut on, &system, &ptau, name, &mut rng(3))
}

fn bytes_of<E: Pairing>(key: &ProvingKey<E>, record: &Contributions) -> Vec<u8> {
    let mut out = Vec::new();
    write_zkey(&mut out, key, record).unwrap();
    out
}

fn hash_and_proof<E: Pairing>(curve: &str, expected: &str) {
    let (key, record) = setup::<E>(curve, curve, "prepared", "us").unwrap();
    let hex: String = record.circuit_hash.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!((hex.as_str(), record.count), (expected, 1));
    // Raw powers give the same key, byte for byte, from the same randomness.
    let (raw, raw_record) = setup::<E>(curve, curve, "raw", "us").unwrap();
    let zkey = bytes_of(&key, &record);
    assert_eq!(bytes_of(&raw, &raw_record), zkey);
    assert_ne!(key.delta_g1, Affine::generator());

    let key = ZkeyFile::<E>::read(FileBytes::from_vec("ours.zkey", zkey)).unwrap();
    key.check(&mut Session::new(&reference::board()), &mut rng(4)).unwrap();
    let key = key.proving_key().unwrap();
    let device = reference::board::<E>();
    let mut on = Session::new(&device);
    let witness = WtnsFile::<E::Fr>::open(vector(&format!("circom/cube/{curve}/witness.wtns"))).unwrap();
    let w = witness.witness().unwrap();
    let public = w[1..=key.public].to_vec();
    let proof = prove(&mut on, &key, &w, &mut rng(5)).unwrap();
    verify(&mut on, &key.vk, &public, &proof).unwrap();
}

#[test]
fn circuit_hash_is_that_of_snarkjs() {
    hash_and_proof::<Bn254>("bn128", BN128);
    hash_and_proof::<Bls12_381>("bls12381", BLS12381);
}

/// Decodes a point in the encoding of zkey files.
fn point<C: Curve>(bytes: &[u8]) -> Affine<C> {
    let width = <C::Base as Extension>::Prime::BYTES;
    let coords: Vec<_> = bytes
        .chunks_exact(width)
        .map(|b| <C::Base as Extension>::Prime::read_montgomery_le(b).unwrap())
        .collect();
    let (x, y) = coords.split_at(C::Base::DEGREE);
    let p = Affine { x: C::Base::from_coords(x), y: C::Base::from_coords(y) };
    assert!(p.is_on_curve() && p.is_in_subgroup_vartime() && !p.is_infinity());
    p
}

/// Checks the equations of a single record by the rules of `snarkjs zkey verify`.
fn first_record_holds<E: Pairing>(record: &Contributions, delta_g1: Affine<E::G1>, name: &str) {
    let g1 = 2 * E::Fq::BYTES;
    let parts = &record.records;
    let delta = point::<E::G1>(&parts[..g1]);
    let s = point::<E::G1>(&parts[g1..2 * g1]);
    let sx = point::<E::G1>(&parts[2 * g1..3 * g1]);
    let px = point::<E::G2>(&parts[3 * g1..5 * g1]);
    let transcript: [u8; 64] = parts[5 * g1..5 * g1 + 64].try_into().unwrap();
    let rest = &parts[5 * g1 + 64..];
    assert_eq!((record.count, delta), (1, delta_g1));
    let p = challenge_point_vartime::<E::G2>(&transcript);
    assert!(p.is_on_curve() && p.is_in_subgroup_vartime());
    assert_eq!(E::pairing(&s, &px), E::pairing(&sx, &p), "the pair in G1 has the ratio of the pair in G2");
    assert_eq!(E::pairing(&Affine::generator(), &px), E::pairing(&delta, &p), "so has delta");
    let length = if name.is_empty() { 0 } else { name.len() as u8 + 2 };
    let mut expected = vec![0, 0, 0, 0, length, 0, 0, 0];
    if !name.is_empty() {
        expected.extend([1, name.len() as u8]);
        expected.extend(name.bytes());
    }
    assert_eq!(rest, expected);
}

fn records<E: Pairing>(curve: &str) {
    // A record of snarkjs: the key among the vectors has one contribution by snarkjs.
    let theirs = ZkeyFile::<E>::open(vector(&format!("circom/cube/{curve}/cube.zkey"))).unwrap();
    let record = theirs.contributions().unwrap();
    let name_at = 10 * E::Fq::BYTES + 64 + 8 + 2;
    let name = String::from_utf8(record.records.get(name_at..).unwrap_or_default().to_vec()).unwrap();
    first_record_holds::<E>(&record, theirs.proving_key().unwrap().delta_g1, &name);
    // Records of this crate, with names of various lengths.
    let long = "ü".repeat(40);
    for (name, written) in [("", ""), ("pairwright", "pairwright"), (long.as_str(), &long[..64])] {
        let (key, record) = setup::<E>(curve, curve, "prepared", name).unwrap();
        first_record_holds::<E>(&record, key.delta_g1, written);
    }
}

#[test]
fn records_follow_from_the_transcript() {
    records::<Bn254>("bn128");
    records::<Bls12_381>("bls12381");
}

#[test]
fn files_that_do_not_fit() {
    // A circuit over the other curve's field is refused when it is opened.
    assert!(R1csFile::<<Bn254 as Pairing>::Fr>::open(vector("circom/cube/bls12381/cube.r1cs")).is_err());
    assert!(PtauFile::<Bn254>::open(vector("circom/ptau/bls12381.4.raw.ptau")).is_err());
    let ptau = PtauFile::<Bn254>::open(vector("circom/ptau/bn128.4.raw.ptau")).unwrap();
    let device = reference::board::<Bn254>();
    let (big, _) = chain(16, 1);
    let result = setup_with_ptau(&mut Session::new(&device), &big, &ptau, "", &mut rng(1));
    assert!(matches!(result, Err(CeremonyError::Setup(SetupError::PowersTooFew { needed: 5, found: 4 }))));
    assert_eq!(ptau.power(), 4);
}
