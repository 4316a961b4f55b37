//! Challenges and responses of ceremonies. That they have snarkjs' bytes is shown by `interop/verbs.test.mjs`.

use crate::common::{file, rng, vector};
use crate::surgery::kind;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::{Extension, PrimeField, Ring, Sqrt};
use pairwright_formats::{
    Contributor, FileBytes, FormatError, PtauFile, VerifyPowersError, answer_challenge, import_response,
    power_of_challenge, read_response, verify_powers, write_challenge,
};
use zeroize::Zeroizing;

fn powers<E: Pairing>(curve: &str) -> PtauFile<E> {
    PtauFile::open(vector(&format!("circom/ptau/{curve}.3.ceremony.ptau"))).unwrap()
}

fn by() -> Contributor {
    Contributor::Secret { name: String::new(), seed: Zeroizing::new([9; 32]) }
}

fn challenge<E: Pairing>(ptau: &PtauFile<E>) -> Vec<u8> {
    let mut challenge = Vec::new();
    write_challenge(&mut challenge, ptau, &mut |_| ()).unwrap();
    challenge
}

fn answer<E: Pairing>(challenge: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut response = Vec::new();
    answer_challenge::<E>(
        &mut Session::new(&reference::board()),
        &mut response,
        &file("challenge", challenge),
        &by(),
        &mut rng(1),
        &mut |_| (),
    )?;
    Ok(response)
}

/// Reads a response, writes the powers with it and verifies them.
fn taken<E: Pairing>(ptau: &PtauFile<E>, response: &[u8]) -> Result<Vec<String>, VerifyPowersError> {
    let device = reference::board::<E>();
    let on = &mut Session::new(&device);
    let response = read_response(on, ptau, &file("response", response), "third", &mut rng(2))?;
    let mut out = Vec::new();
    let made = import_response(&mut out, ptau, response, &mut |_| ())?;
    let after = PtauFile::<E>::read(FileBytes::from_vec("powers.ptau", out))?;
    let verified = verify_powers(on, &after, &mut rng(3), &mut |_| ())?;
    assert_eq!(verified.contributions.last(), Some(&made));
    Ok(verified.contributions.into_iter().map(|made| made.name).collect())
}

fn exchanged<E: Pairing>(curve: &str) {
    let ptau = powers::<E>(curve);
    let challenge = challenge(&ptau);
    let response = answer::<E>(&challenge).unwrap();
    assert_eq!(power_of_challenge::<E>(&file("challenge", &challenge)).unwrap(), 3);
    assert_eq!(taken(&ptau, &response).unwrap(), ["final", "bob", "third"]);

    // A bit anywhere: the hash, each list, the proofs. Not one is taken.
    for at in (0..response.len()).step_by(response.len() / 97) {
        let mut changed = response.clone();
        changed[at] ^= 1;
        let why = taken(&ptau, &changed).unwrap_err();
        // A point that the response does not show to be outside the subgroup is found in the powers.
        let names = ["response: section ", "powers.ptau: section "];
        let named = matches!(&why, VerifyPowersError::Format(e) if names.iter().any(|n| e.to_string().starts_with(n)));
        assert!(named || why.is_rejection(), "{at}: {why}");
    }
    for wrong in [&response[1..], &response[..response.len() - 1], &[]] {
        let why = taken(&ptau, wrong).unwrap_err().to_string();
        assert!(why.starts_with("response: section 0 (response)"), "{why}");
        let Err(why) = answer::<E>(wrong) else { panic!("a response is no challenge") };
        assert_eq!(kind(&why), "NoChallenge", "{why}");
    }
    // The response to another challenge.
    let why = taken(&ptau, &answer::<E>(&answered_by_nobody::<E>()).unwrap()).unwrap_err().to_string();
    assert!(why.contains("it answers another challenge"), "{why}");
}

/// The challenge of a ceremony of the same size that begins.
fn answered_by_nobody<E: Pairing>() -> Vec<u8> {
    let mut first = Vec::new();
    pairwright_formats::new_powers::<E>(&mut first, 3).unwrap();
    challenge(&PtauFile::<E>::read(FileBytes::from_vec("first.ptau", first)).unwrap())
}

#[test]
fn on_bn128() {
    exchanged::<Bn254>("bn128");
}
#[test]
fn on_bls12381() {
    exchanged::<Bls12_381>("bls12381");
}

/// A point of the curve that is outside the subgroup never meets a secret.
#[test]
fn challenges_outside_the_subgroup_are_refused() {
    type G1 = <Bls12_381 as Pairing>::G1;
    let bytes = <<G1 as Curve>::Base as Extension>::Prime::BYTES;
    let mut challenge = challenge(&powers::<Bls12_381>("bls12381"));
    let outside = (1u64..)
        .map(<G1 as Curve>::Base::from)
        .find_map(|x| {
            let y = (x.square() * x + G1::B).sqrt_vartime()?;
            let p = Affine::<G1>::from_xy_unchecked(x, y);
            (!p.is_in_subgroup_vartime()).then_some(p)
        })
        .unwrap();
    let third = 64 + 2 * 2 * bytes;
    outside.x.coord(0).write_be(&mut challenge[third..third + bytes]);
    outside.y.coord(0).write_be(&mut challenge[third + bytes..third + 2 * bytes]);
    let why = answer::<Bls12_381>(&challenge).unwrap_err();
    assert_eq!(kind(&why), "WrongSubgroup", "{why}");
    assert!(why.to_string().starts_with("challenge: section 2 (tauG1), offset 256"), "{why}");
}
