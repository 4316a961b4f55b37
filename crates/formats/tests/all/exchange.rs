//! Challenges and responses of ceremonies. `interop/verbs.test.mjs` checks that they have snarkjs' bytes.

use crate::common::{file, rng, vector};
use crate::surgery::kind;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::{Extension, PrimeField, Ring, Sqrt};
use pairwright_formats::{
    Contributor, FileBytes, FileKind, FormatError, Imported, PowersRecord, PtauFile, VerifyPowersError,
    answer_challenge, import_response, inspect_bytes, power_of_challenge, read_response, verify_powers,
    write_challenge,
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
    )?;
    Ok(response)
}

/// Imports a response to powers and verifies the new powers.
fn taken<E: Pairing>(ptau: &PtauFile<E>, response: &[u8]) -> Result<Vec<String>, VerifyPowersError> {
    let device = reference::board::<E>();
    let on = &mut Session::new(&device);
    let record = PowersRecord::<E>::read(ptau.file().clone())?;
    let response =
        read_response(on, &record, &file("response", response), Imported::Powers, "third", &mut rng(2))?;
    let mut out = Vec::new();
    let made = import_response(&mut out, &record, response, &mut |_| ())?;
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
    // Neither file has a header, so both are recognised by their contents.
    for (bytes, kind) in [(&challenge, FileKind::Challenge), (&response, FileKind::Response)] {
        let about = inspect_bytes(&file("unnamed", bytes)).unwrap();
        assert_eq!((about.kind, about.curve, about.power), (kind, Some(curve), Some(3)));
        let mut other = bytes.clone();
        other[70] ^= 1;
        assert!(inspect_bytes(&file("unnamed", &other)).is_err(), "the first power is the generator");
    }
    assert_eq!(taken(&ptau, &response).unwrap(), ["final", "bob", "third"]);

    // A flipped bit in the hash, any list or the proofs: no such response is accepted.
    for at in (0..response.len()).step_by(response.len() / 97) {
        let mut changed = response.clone();
        changed[at] ^= 1;
        let why = taken(&ptau, &changed).unwrap_err();
        // If the check of the response does not find a point outside the subgroup, the verification of the powers does.
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

/// The initial challenge of a ceremony of the same size.
fn answered_by_nobody<E: Pairing>() -> Vec<u8> {
    let mut first = Vec::new();
    pairwright_formats::new_powers::<E>(&mut first, 3).unwrap();
    challenge(&PtauFile::<E>::read(FileBytes::from_vec("first.ptau", first)).unwrap())
}

/// A coordinator who keeps only the records: contributors pass the points on, and the last response contains them.
#[test]
fn the_record_alone_is_enough_for_all_but_the_last_response() {
    let device = reference::board::<Bn254>();
    let on = &mut Session::new(&device);
    let mut import = |before: &[u8], response: &[u8], what, name| -> Result<Vec<u8>, VerifyPowersError> {
        let record = PowersRecord::<Bn254>::read(file("before.ptau", before))?;
        let response = read_response(on, &record, &file("response", response), what, name, &mut rng(2))?;
        let mut out = Vec::new();
        import_response(&mut out, &record, response, &mut |_| ())?;
        Ok(out)
    };
    let first = powers::<Bn254>("bn128");
    let one = answer::<Bn254>(&challenge(&first)).unwrap();
    let with_points = import(first.file(), &one, Imported::Powers, "third").unwrap();
    let two =
        answer::<Bn254>(&challenge(&PtauFile::<Bn254>::read(file("p", &with_points)).unwrap())).unwrap();
    let expected = import(&with_points, &two, Imported::Powers, "fourth").unwrap();

    let record = import(first.file(), &one, Imported::Record, "third").unwrap();
    assert!(record.len() + 1500 < with_points.len(), "{} and {} bytes", record.len(), with_points.len());
    assert!(import(&record, &two, Imported::Powers, "fourth").unwrap() == expected);
    let longer = import(&record, &two, Imported::Record, "fourth").unwrap();
    assert!(longer.len() > record.len());
    // A file without points cannot be read as powers of tau.
    let why = PtauFile::<Bn254>::read(file("record.ptau", &record)).unwrap_err();
    assert_eq!(kind(&why), "MissingSection", "{why}");
    // A response whose proofs do not follow from the record is refused, whichever challenge it claims to answer.
    let why =
        import(&record, &answer::<Bn254>(&answered_by_nobody::<Bn254>()).unwrap(), Imported::Record, "");
    assert!(why.unwrap_err().is_rejection());
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
