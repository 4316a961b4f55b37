//! Tests of identity-based encryption: real ciphertexts of drand's networks, round trips, and every kind of refusal.

use crate::common::{device, hex, json, public_root, rng, text, vectors_root};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1};
use pairwright_curve::encoding::{Eip197, PointEncoding, PointError, gt_to_bytes_be};
use pairwright_curve::{Affine, Curve, Pairing, bn254};
use pairwright_device::{Device, Session, reference};
use pairwright_field::{PrimeField, Ring, Sqrt};
use pairwright_protocols::schemes::bls::{
    BlsError, PublicKey, Scheme, SecretKey, Signature, VerifyError, verify, verify_point,
};
use pairwright_protocols::schemes::ibe::{
    Ciphertext, DecryptionKey, Ibe, IbeError, Suite, h2, h3, h4, round_identity,
};
use pairwright_protocols::schemes::{Bn254MinSig, MinPk, MinSig, Variant};
use rand_core::Rng;
use std::path::Path;

/// Base64 without blanks, padded or not.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut out) = (0u32, 0, Vec::new());
    for c in text.bytes().take_while(|c| *c != b'=') {
        let digit = DIGITS.iter().position(|d| *d == c).expect("a digit of base64");
        bits = bits << 6 | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

/// Round, chain hash and ciphertext of the `tlock` stanza of an armoured age file.
fn stanza(path: &Path) -> (u64, String, Vec<u8>) {
    let armour = std::fs::read_to_string(path).expect("a text file");
    let file = base64(&armour.lines().filter(|l| !l.starts_with("-----")).collect::<String>());
    let header: Vec<&str> = file
        .split(|b| *b == b'\n')
        .map(|line| std::str::from_utf8(line).unwrap_or_default())
        .take_while(|line| !line.starts_with("---"))
        .collect();
    assert_eq!(header[0], "age-encryption.org/v1");
    let at = header.iter().position(|l| l.starts_with("-> tlock ")).expect("a stanza of tlock");
    let mut words = header[at].split(' ').skip(2);
    let round = words.next().expect("a round").parse().expect("a number");
    let chain = words.next().expect("a chain").to_owned();
    // The last line of a body is shorter than 64 digits.
    let full = header[at + 1..].iter().take_while(|l| l.len() == 64).count();
    (round, chain, base64(&header[at + 1..=at + 1 + full].concat()))
}

#[test]
fn fastnet() {
    let folder = vectors_root().join("tlock");
    let case = json(&folder.join("fastnet_1000.json"));
    let device = device();
    let on = &mut Session::new(&device);
    let ibe = Ibe::fastnet();
    let master = PublicKey::<MinSig>::from_bytes(&hex(text(&case, "public_key"))).unwrap();
    let signature = Signature::from_bytes(&hex(text(&case, "signature"))).unwrap();
    let identity = round_identity(1000);
    // The round's signature is the decryption key of its identity.
    verify_point(on, &master, &ibe.identity_point(&identity), &signature).unwrap();
    let bytes = hex(text(&case, "ibe_ciphertext"));
    let ciphertext = Ciphertext::from_bytes(&bytes).unwrap();
    assert_eq!(ciphertext.to_bytes(), bytes);
    let key = DecryptionKey::from(signature);
    assert_eq!(*key.decrypt(on, &ciphertext).unwrap(), hex(text(&case, "ibe_plaintext")));

    let (round, chain, in_file) = stanza(&folder.join("fastnet_1000.age"));
    assert_eq!((round, chain.as_str()), (1000, text(&case, "chain_hash")));
    key.decrypt(on, &Ciphertext::from_bytes(&in_file).unwrap()).unwrap();
    // With the correct tag, the point of this identity is another one.
    assert_ne!(Ibe::<MinSig>::default().identity_point(&identity), ibe.identity_point(&identity));
}

/// Round 12040883 of quicknet: the file that drand's own tests decrypt, with every intermediate value.
#[test]
fn quicknet() {
    let Some(root) = public_root() else { return };
    let chain = json(&root.join("quicknet_12040883.json"));
    let inside = json(&root.join("quicknet_12040883_internals.json"));
    let device = device();
    let on = &mut Session::new(&device);
    let ibe = Ibe::<MinSig>::default();
    let master = PublicKey::from_bytes(&hex(text(&chain["chain"], "public_key"))).unwrap();
    let identity = round_identity(12_040_883);
    assert_eq!(identity.as_slice(), hex(text(&inside, "id")));
    let coordinate = |i: usize| {
        let digits = inside["Qid"][i].as_str().expect("a string").trim_start_matches("0x");
        Fq::read_be(&hex(&format!("{digits:0>96}"))).unwrap()
    };
    let q_id = Affine::<G1>::from_xy_unchecked(coordinate(0), coordinate(1));
    assert_eq!(ibe.identity_point(&identity), q_id);
    let signature = Signature::from_bytes(&hex(text(&chain, "signature"))).unwrap();
    verify(on, Scheme::Basic, &master, &identity, &signature).unwrap();

    let (round, hash, bytes) = stanza(&root.join(text(&chain, "ciphertext_file")));
    assert_eq!((round, hash.as_str()), (12_040_883, text(&chain["chain"], "chain_hash")));
    let ciphertext = Ciphertext::from_bytes(&bytes).unwrap();
    assert_eq!(bytes[..96], hex(text(&inside, "U")));
    assert_eq!(ciphertext.v(), hex(text(&inside, "V")));
    assert_eq!(ciphertext.w(), hex(text(&inside, "W")));
    let shared = on.multi_pairing(&[(signature.point(), ciphertext.u())]).unwrap();
    assert_eq!(gt_to_bytes_be(&shared), hex(text(&inside, "gt")));
    let (sigma, file_key) = (hex(text(&inside, "sigma")), hex(text(&inside, "file_key")));
    let mask = h2::<MinSig>(&shared);
    assert!(sigma.iter().zip(ciphertext.v()).zip(mask.iter()).all(|((s, v), m)| s ^ v == *m));
    assert_eq!(h3::<MinSig>(&sigma, &file_key), Fr::read_be(&hex(text(&inside, "r"))).unwrap());
    assert_eq!(*DecryptionKey::from(signature).decrypt(on, &ciphertext).unwrap(), file_key);
    let again = ibe.encrypt_masked(on, &master, &identity, &file_key, &sigma).unwrap();
    assert_eq!(again.to_bytes(), bytes);
}

fn round_trips<V: Variant>() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(90);
    let ibe = Ibe::<V>::default();
    let master = SecretKey::key_gen(&[1; 32], &[]).unwrap();
    let public = master.public_key::<V>();
    for length in [16, 17, 24, 32] {
        let (mut message, mut sigma) = (vec![0; length], vec![0; length]);
        rng.fill_bytes(&mut message);
        rng.fill_bytes(&mut sigma);
        let key = ibe.extract(&master, b"alice");
        verify(on, Scheme::Basic, &public, b"alice", key.signature()).unwrap();
        let ciphertext = ibe.encrypt(on, &public, b"alice", &message, &mut rng).unwrap();
        assert_eq!(*key.decrypt(on, &ciphertext).unwrap(), message);
        assert_ne!(ciphertext, ibe.encrypt(on, &public, b"alice", &message, &mut rng).unwrap());
        let bytes = ciphertext.to_bytes();
        assert_eq!(Ciphertext::from_bytes(&bytes).unwrap(), ciphertext);

        // The definition, step by step.
        let ciphertext = ibe.encrypt_masked(on, &public, b"alice", &message, &sigma).unwrap();
        let r = h3::<MinSig>(&sigma, &message);
        assert_eq!(ciphertext.u(), SecretKey::from_bytes(&be(&r)).unwrap().public_key::<V>().point());
        let gid = ibe.gid(on, &public, b"alice").unwrap();
        let mask = h2::<MinSig>(&Bls12_381::gt_pow_vartime(&gid, &r));
        assert!(sigma.iter().zip(ciphertext.v()).zip(mask.iter()).all(|((s, v), m)| s ^ v == *m));
        let mask = h4::<MinSig>(&sigma);
        assert!(message.iter().zip(ciphertext.w()).zip(mask.iter()).all(|((s, w), m)| s ^ w == *m));
    }
}

fn be(r: &Fr) -> [u8; 32] {
    let mut bytes = [0; 32];
    r.write_be(&mut bytes);
    bytes
}

#[test]
fn round_trips_of_both_variants() {
    round_trips::<MinPk>();
    round_trips::<MinSig>();
}

#[test]
fn refusals() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(91);
    let ibe = Ibe::<MinSig>::default();
    let master = SecretKey::key_gen(&[1; 32], &[]).unwrap();
    let public = master.public_key();
    let key = ibe.extract(&master, b"alice");
    assert_eq!(format!("{key:?}"), "DecryptionKey(..)");
    let ciphertext = ibe.encrypt(on, &public, b"alice", &[7; 16], &mut rng).unwrap();
    let bytes = ciphertext.to_bytes();

    let rejected = |verdict| assert!(matches!(verdict, Err(IbeError::Rejected)));
    rejected(ibe.extract(&master, b"bob").decrypt(on, &ciphertext));
    let other = SecretKey::key_gen(&[2; 32], &[]).unwrap();
    rejected(ibe.extract(&other, b"alice").decrypt(on, &ciphertext));
    rejected(Ibe::fastnet().extract(&master, b"alice").decrypt(on, &ciphertext));
    for at in [96, 111, 112, 127] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        rejected(key.decrypt(on, &Ciphertext::from_bytes(&changed).unwrap()));
    }
    let foreign = ibe.encrypt(on, &public, b"alice", &[7; 16], &mut rng).unwrap().to_bytes();
    let mixed = [&foreign[..96], &bytes[96..]].concat();
    rejected(key.decrypt(on, &Ciphertext::from_bytes(&mixed).unwrap()));
    let mut neutral = [&[0; 96], &bytes[96..]].concat();
    neutral[0] = 0xc0;
    rejected(key.decrypt(on, &Ciphertext::from_bytes(&neutral).unwrap()));

    let mut off = bytes.clone();
    off[0] = 0x20;
    assert!(matches!(Ciphertext::<MinSig>::from_bytes(&off), Err(IbeError::Point(PointError::Flags { .. }))));
    for length in [0, 95, 96, 97, 126, 127, 129, 162] {
        let wrong = vec![0x80; length];
        assert!(matches!(
            Ciphertext::<MinSig>::from_bytes(&wrong),
            Err(IbeError::CiphertextLength { found }) if found == length
        ));
    }
    for length in [0, 15, 33] {
        let verdict = ibe.encrypt(on, &public, b"alice", &vec![0; length], &mut rng);
        assert!(matches!(verdict, Err(IbeError::Length { found }) if found == length));
    }
    let verdict = ibe.encrypt_masked(on, &public, b"alice", &[0; 16], &[0; 17]);
    assert!(matches!(verdict, Err(IbeError::Length { found: 17 })));
}

/// Values computed by kyber for a scheme of drand: the identity, its point and its key, a value of the pairing, a ciphertext.
fn as_kyber<V: Suite>(name: &str, ibe: &Ibe<V>) {
    let folder = vectors_root().join("tlock");
    let case = json(&folder.join(format!("{name}.json")));
    let device: Device<V::Engine> = reference::board();
    let on = &mut Session::new(&device);
    let round = case["beacon"]["round"].as_u64().unwrap();
    let identity = Ibe::<V>::round(round);
    assert_eq!(identity.as_slice(), hex(text(&case, "identity")));
    assert_eq!(V::Encoding::to_vec(&ibe.identity_point(&identity)), hex(text(&case, "identity_point")));
    let generators = V::Engine::pairing(&Curve::GENERATOR, &Curve::GENERATOR);
    assert_eq!(*V::value_bytes(&generators), hex(text(&case, "pairing_of_generators")));

    let master = PublicKey::<V>::from_bytes(&hex(text(&case["info"], "public_key"))).unwrap();
    assert_eq!(master.to_bytes(), hex(text(&case["info"], "public_key")));
    let secret = PrimeField::read_be(&hex(text(&case, "secret"))).unwrap();
    let signature = hex(text(&case["beacon"], "signature"));
    assert_eq!(ibe.extract_by(&secret, &identity).signature().to_bytes(), signature);
    let signature = Signature::<V>::from_bytes(&signature).unwrap();
    let point = ibe.identity_point(&identity);
    verify_point(on, &master, &point, &signature).unwrap();
    let next = Signature::<V>::from_bytes(&hex(text(&case, "next_signature"))).unwrap();
    let verdict = verify_point(on, &master, &point, &next);
    assert!(matches!(verdict, Err(VerifyError::Rejected)), "the next round's signature is another");

    let bytes = hex(text(&case, "ciphertext"));
    let ciphertext = Ciphertext::<V>::from_bytes(&bytes).unwrap();
    assert_eq!(ciphertext.to_bytes(), bytes);
    let plain = hex(text(&case, "key"));
    assert_eq!(*DecryptionKey::from(signature).decrypt(on, &ciphertext).unwrap(), plain);
    let rejected = |verdict| assert!(matches!(verdict, Err(IbeError::Rejected)));
    rejected(DecryptionKey::from(next).decrypt(on, &ciphertext));
    for at in bytes.len() - 32..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        rejected(DecryptionKey::from(signature).decrypt(on, &Ciphertext::from_bytes(&changed).unwrap()));
    }
    // The age file names the round and the chain, and holds another ciphertext to the same round.
    let (in_file, chain, sealed) = stanza(&folder.join(format!("{name}.age")));
    assert_eq!((in_file, chain.as_str()), (round, text(&case["info"], "chain_hash")));
    let sealed = Ciphertext::<V>::from_bytes(&sealed).unwrap();
    DecryptionKey::from(signature).decrypt(on, &sealed).unwrap();
    // A ciphertext of ours to the same round is decrypted with the same signature.
    let ours = ibe.encrypt(on, &master, &identity, &plain, &mut rng(92)).unwrap();
    assert_eq!(ours.to_bytes().len(), bytes.len());
    assert_eq!(*DecryptionKey::from(signature).decrypt(on, &ours).unwrap(), plain);
}

#[test]
fn schemes_of_drand() {
    as_kyber::<MinPk>("pedersen-bls-unchained", &Ibe::default());
    as_kyber::<MinSig>("bls-unchained-on-g1", &Ibe::fastnet());
    as_kyber::<MinSig>("bls-unchained-g1-rfc9380", &Ibe::default());
    as_kyber::<Bn254MinSig>("bls-bn254-unchained-on-g1", &Ibe::default());
}

/// Refusals on BN254: a point outside of the subgroup or off the curve, coordinates that are not reduced, wrong lengths, the neutral
/// element.
#[test]
fn refusals_on_bn254() {
    let case = json(&vectors_root().join("tlock/bls-bn254-unchained-on-g1.json"));
    let bytes = hex(text(&case, "ciphertext"));
    let with = |point: &[u8]| Ciphertext::<Bn254MinSig>::from_bytes(&[point, &bytes[128..]].concat());
    let point_error = |verdict| match verdict {
        Err(IbeError::Point(why)) => why,
        other => panic!("{other:?}"),
    };
    // A point of the twist whose order is not r: the first small x that has one.
    let outside = (1u64..)
        .find_map(|x| {
            let x = bn254::Fq2::new(bn254::Fq::from(x), bn254::Fq::from(1));
            let y = (x.square() * x + bn254::G2::B).sqrt_vartime()?;
            let point = Affine::<bn254::G2>::from_xy_unchecked(x, y);
            (!point.is_in_subgroup_vartime()).then_some(point)
        })
        .unwrap();
    assert!(outside.is_on_curve());
    let outside = Eip197::to_vec(&outside);
    assert!(matches!(point_error(with(&outside)), PointError::NotInSubgroup { .. }));
    assert!(matches!(
        PublicKey::<Bn254MinSig>::from_bytes(&outside),
        Err(BlsError::Point(PointError::NotInSubgroup { .. }))
    ));
    let mut off = bytes[..128].to_vec();
    off[127] ^= 1;
    assert!(matches!(point_error(with(&off)), PointError::NotOnCurve { .. }));
    off[..32].fill(0xff);
    assert!(matches!(point_error(with(&off)), PointError::NotReduced { .. }));
    assert!(matches!(PublicKey::<Bn254MinSig>::from_bytes(&[0; 128]), Err(BlsError::NeutralKey)));
    for length in [0, 127, 128, 158, 159, 161, 194] {
        let verdict = Ciphertext::<Bn254MinSig>::from_bytes(&vec![0; length]);
        assert!(matches!(verdict, Err(IbeError::CiphertextLength { found }) if found == length));
    }
    // The neutral element is decoded, but no valid ciphertext contains it.
    let device: Device<bn254::Bn254> = reference::board();
    let on = &mut Session::new(&device);
    let signature = Signature::<Bn254MinSig>::from_bytes(&hex(text(&case["beacon"], "signature"))).unwrap();
    let neutral = with(&[0; 128]).unwrap();
    assert!(matches!(DecryptionKey::from(signature).decrypt(on, &neutral), Err(IbeError::Rejected)));
}
