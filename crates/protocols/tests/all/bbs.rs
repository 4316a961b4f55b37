//! Tests of BBS signatures: the fixtures of the draft for both ciphersuites, batches, and every kind of refusal.

use crate::common::{device, hex, json, json_in, rng, text, vectors_root};
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1};
use pairwright_curve::encoding::{PointEncoding, PointError, ZcashCompressed};
use pairwright_device::Session;
use pairwright_field::{PrimeField, Ring};
use pairwright_protocols::schemes::bbs::{
    BbsError, Ciphersuite, Disclosure, Generators, Proof, ProvedItem, PublicKey, SecretKey, Signature,
    SignedItem, Statement, batch_verify, batch_verify_proofs, prove, prove_with_scalars, seeded_scalars,
    verify, verify_proof,
};
use serde_json::Value;

const SUITES: [(Ciphersuite, &str); 2] =
    [(Ciphersuite::Sha256, "bls12-381-sha-256"), (Ciphersuite::Shake256, "bls12-381-shake-256")];

fn fixture(suite: &str, file: &str) -> Value {
    json(&vectors_root().join("bbs").join(suite).join(file))
}

fn scalar(text: &str) -> Fr {
    Fr::read_be(&hex(text)).expect("a scalar")
}

fn list(v: &Value) -> Vec<Vec<u8>> {
    v.as_array().expect("a list").iter().map(|m| hex(m.as_str().expect("a string"))).collect()
}

fn refs(list: &[Vec<u8>]) -> Vec<&[u8]> {
    list.iter().map(Vec::as_slice).collect()
}

#[test]
fn keys_scalars_and_generators() {
    let device = device();
    let on = &mut Session::new(&device);
    for (suite, name) in SUITES {
        let case = fixture(name, "keypair.json");
        let (material, info) = (hex(text(&case, "keyMaterial")), hex(text(&case, "keyInfo")));
        let key = SecretKey::key_gen(suite, &material, &info).unwrap();
        let tagged = SecretKey::key_gen_tagged(suite, &material, &info, &hex(text(&case, "keyDst"))).unwrap();
        assert_eq!(*key.to_bytes(), *tagged.to_bytes());
        assert_eq!(key.to_bytes().as_slice(), hex(text(&case["keyPair"], "secretKey")));
        assert_eq!(key.public_key().to_bytes(), hex(text(&case["keyPair"], "publicKey")));

        let case = fixture(name, "h2s.json");
        let found = suite.hash_to_scalar(&hex(text(&case, "message")), &hex(text(&case, "dst")));
        assert_eq!(found.unwrap(), scalar(text(&case, "scalar")));

        let case = fixture(name, "MapMessageToScalarAsHash.json");
        for case in case["cases"].as_array().expect("a list") {
            let found = suite.messages_to_scalars(&[&hex(text(case, "message"))]);
            assert_eq!(found.as_slice(), [scalar(text(case, "scalar"))]);
        }

        let case = fixture(name, "mockedRng.json");
        let found = seeded_scalars(suite, &hex(text(&case, "seed")), &hex(text(&case, "dst")), 10).unwrap();
        let want = case["mockedScalars"].as_array().expect("a list");
        assert_eq!(
            found.iter().copied().collect::<Vec<_>>(),
            want.iter().map(|s| scalar(s.as_str().unwrap())).collect::<Vec<_>>()
        );

        let case = fixture(name, "generators.json");
        let generators = Generators::new(on, suite, 10).unwrap();
        assert_eq!(ZcashCompressed::to_vec(&generators.p1()), hex(text(&case, "P1")));
        assert_eq!(ZcashCompressed::to_vec(&generators.q1()), hex(text(&case, "Q1")));
        let found: Vec<_> = generators.messages().iter().map(ZcashCompressed::to_vec).collect();
        assert_eq!(found, list(&case["MsgGenerators"]));
        // Generators for fewer messages are the first of those for more.
        assert_eq!(Generators::new(on, suite, 3).unwrap().messages(), &generators.messages()[..3]);
    }
}

#[test]
fn signatures() {
    let device = device();
    let on = &mut Session::new(&device);
    for (suite, name) in SUITES {
        let generators = Generators::new(on, suite, 11).unwrap();
        let cases = json_in(&vectors_root().join("bbs").join(name).join("signature"));
        assert_eq!(cases.len(), 10);
        for (file, case) in cases {
            let secret = SecretKey::from_bytes(&hex(text(&case["signerKeyPair"], "secretKey"))).unwrap();
            let key = PublicKey::from_bytes(&hex(text(&case["signerKeyPair"], "publicKey"))).unwrap();
            let (header, messages) = (hex(text(&case, "header")), list(&case["messages"]));
            let bytes = hex(text(&case, "signature"));
            let signature = Signature::from_bytes(&bytes).unwrap();
            assert_eq!(signature.to_bytes(), bytes);
            let verdict = verify(on, &generators, &key, &header, &refs(&messages), &signature);
            let signed = secret.sign(&generators, &header, &refs(&messages)).unwrap();
            if case["result"]["valid"].as_bool().expect("a verdict") {
                verdict.unwrap_or_else(|why| panic!("{name} {file}: {why}"));
                assert_eq!(signed, signature, "{name} {file}");
                let domain = generators.domain(&key, &header, messages.len()).unwrap();
                assert_eq!(domain, scalar(text(&case["trace"], "domain")), "{name} {file}");
            } else {
                assert!(matches!(verdict, Err(BbsError::Rejected)), "{name} {file}");
            }
        }
    }
}

#[test]
fn proofs() {
    let device = device();
    let on = &mut Session::new(&device);
    for (suite, name) in SUITES {
        let generators = Generators::new(on, suite, 12).unwrap();
        let mocked = fixture(name, "mockedRng.json");
        let cases = json_in(&vectors_root().join("bbs").join(name).join("proof"));
        assert_eq!(cases.len(), 15);
        for (file, case) in cases {
            let key = PublicKey::from_bytes(&hex(text(&case, "signerPublicKey"))).unwrap();
            let signature = Signature::from_bytes(&hex(text(&case, "signature"))).unwrap();
            let (header, ph) = (hex(text(&case, "header")), hex(text(&case, "presentationHeader")));
            let messages = list(&case["messages"]);
            let messages = refs(&messages);
            let indexes = case["disclosedIndexes"].as_array().expect("a list").iter();
            let indexes: Vec<usize> = indexes.map(|i| i.as_u64().expect("an index") as usize).collect();
            let shown: Vec<&[u8]> = indexes.iter().map(|i| messages[*i]).collect();
            let disclosure =
                Disclosure { header: &header, presentation_header: &ph, indexes: &indexes, messages: &shown };
            let bytes = hex(text(&case, "proof"));
            let verdict = Proof::from_bytes(&bytes)
                .and_then(|proof| verify_proof(on, &generators, &key, &disclosure, &proof));
            if !case["result"]["valid"].as_bool().expect("a verdict") {
                assert!(verdict.is_err(), "{name} {file}");
                continue;
            }
            verdict.unwrap_or_else(|why| panic!("{name} {file}: {why}"));
            let count = 5 + messages.len() - indexes.len();
            let (seed, dst) = (hex(text(&mocked, "seed")), hex(text(&mocked, "dst")));
            let random = seeded_scalars(suite, &seed, &dst, count).unwrap();
            assert_eq!(random[0], scalar(text(&case["trace"]["random_scalars"], "r1")));
            let statement = Statement {
                header: &header,
                presentation_header: &ph,
                messages: &messages,
                indexes: &indexes,
            };
            let proof = prove_with_scalars(&generators, &key, &signature, &statement, &random).unwrap();
            assert_eq!(proof.to_bytes(), bytes, "{name} {file}");
            // With fresh randomness the bytes differ, and the proof is accepted.
            let fresh = prove(&generators, &key, &signature, &statement, &mut rng(81)).unwrap();
            assert_ne!(fresh, proof);
            verify_proof(on, &generators, &key, &disclosure, &fresh).unwrap();
        }
    }
}

/// A key, a header, messages and their signature.
struct Signed {
    generators: Generators,
    secret: SecretKey,
    key: PublicKey,
    signature: Signature,
}

const HEADER: &[u8] = b"header";
const MESSAGES: [&[u8]; 4] = [b"name", b"birthday", b"", b"city"];

fn signed(on: &mut Session<'_, Bls12_381>, suite: Ciphersuite, stream: u64) -> Signed {
    let generators = Generators::new(on, suite, 6).unwrap();
    let secret = SecretKey::random(suite, &mut rng(stream));
    let signature = secret.sign(&generators, HEADER, &MESSAGES).unwrap();
    Signed { key: secret.public_key(), generators, secret, signature }
}

#[test]
fn every_choice_of_disclosed_messages() {
    let device = device();
    let on = &mut Session::new(&device);
    let Signed { generators, key, signature, .. } = signed(on, Ciphersuite::Shake256, 82);
    for chosen in 0..16usize {
        let indexes: Vec<usize> = (0..4).filter(|i| chosen >> i & 1 == 1).collect();
        let shown: Vec<&[u8]> = indexes.iter().map(|i| MESSAGES[*i]).collect();
        let statement =
            Statement { header: HEADER, presentation_header: b"", messages: &MESSAGES, indexes: &indexes };
        let proof = prove(&generators, &key, &signature, &statement, &mut rng(83)).unwrap();
        assert_eq!(proof.hidden(), 4 - indexes.len());
        assert_eq!(Proof::from_bytes(&proof.to_bytes()).unwrap(), proof);
        let shown =
            Disclosure { header: HEADER, presentation_header: b"", indexes: &indexes, messages: &shown };
        verify_proof(on, &generators, &key, &shown, &proof).unwrap();
        let other = Disclosure { presentation_header: b"another", ..shown };
        assert!(matches!(verify_proof(on, &generators, &key, &other, &proof), Err(BbsError::Challenge)));
        let other = Disclosure { header: b"another", ..shown };
        assert!(matches!(verify_proof(on, &generators, &key, &other, &proof), Err(BbsError::Challenge)));
    }
    // An empty list of messages can be signed.
    let secret = SecretKey::random(Ciphersuite::Sha256, &mut rng(84));
    let generators = Generators::new(on, Ciphersuite::Sha256, 0).unwrap();
    let signature = secret.sign(&generators, b"", &[]).unwrap();
    verify(on, &generators, &secret.public_key(), b"", &[], &signature).unwrap();
    let proof =
        prove(&generators, &secret.public_key(), &signature, &Statement::default(), &mut rng(85)).unwrap();
    verify_proof(on, &generators, &secret.public_key(), &Disclosure::default(), &proof).unwrap();
}

#[test]
fn what_is_not_disclosed_rightly_is_refused() {
    let device = device();
    let on = &mut Session::new(&device);
    let Signed { generators, key, signature, secret } = signed(on, Ciphersuite::Sha256, 86);
    let statement =
        Statement { header: HEADER, presentation_header: b"n", messages: &MESSAGES, indexes: &[1, 3] };
    let proof = prove(&generators, &key, &signature, &statement, &mut rng(87)).unwrap();
    let good = Disclosure {
        header: HEADER,
        presentation_header: b"n",
        indexes: &[1, 3],
        messages: &[b"birthday", b"city"],
    };
    verify_proof(on, &generators, &key, &good, &proof).unwrap();
    let mut refused =
        |shown: Disclosure<'_>| verify_proof(on, &generators, &key, &shown, &proof).unwrap_err();
    let wrong: &[&[u8]] = &[b"birthday", b"town"];
    assert!(matches!(refused(Disclosure { messages: wrong, ..good }), BbsError::Challenge));
    assert!(matches!(refused(Disclosure { indexes: &[0, 3], ..good }), BbsError::Challenge));
    let swapped: &[&[u8]] = &[b"city", b"birthday"];
    assert!(matches!(refused(Disclosure { messages: swapped, ..good }), BbsError::Challenge));
    assert!(matches!(
        refused(Disclosure { messages: swapped, indexes: &[3, 1], ..good }),
        BbsError::Order { position: 1, index: 1 }
    ));
    assert!(matches!(refused(Disclosure { indexes: &[1, 1], ..good }), BbsError::Order { .. }));
    assert!(matches!(
        refused(Disclosure { indexes: &[1, 4], ..good }),
        BbsError::Index { index: 4, messages: 4 }
    ));
    assert!(matches!(
        refused(Disclosure { indexes: &[1], ..good }),
        BbsError::Disclosed { indexes: 1, messages: 2 }
    ));
    // Disclosing one message fewer changes the number of messages, and so the challenge.
    let fewer: &[&[u8]] = &[b"birthday"];
    assert!(matches!(refused(Disclosure { indexes: &[1], messages: fewer, ..good }), BbsError::Challenge));

    // Other keys, other ciphersuites, too few generators.
    let other = SecretKey::random(Ciphersuite::Sha256, &mut rng(88));
    let verdict = verify_proof(on, &generators, &other.public_key(), &good, &proof);
    assert!(matches!(verdict, Err(BbsError::Challenge)));
    let shake = Generators::new(on, Ciphersuite::Shake256, 4).unwrap();
    assert!(matches!(verify_proof(on, &shake, &key, &good, &proof), Err(BbsError::Challenge)));
    assert!(matches!(verify(on, &shake, &key, HEADER, &MESSAGES, &signature), Err(BbsError::Rejected)));
    let few = Generators::new(on, Ciphersuite::Sha256, 3).unwrap();
    let found = secret.sign(&few, HEADER, &MESSAGES).unwrap_err();
    assert!(matches!(found, BbsError::Generators { messages: 4, generators: 3 }));
    assert!(matches!(verify_proof(on, &few, &key, &good, &proof), Err(BbsError::Generators { .. })));
    assert!(matches!(
        prove(&few, &key, &signature, &statement, &mut rng(89)),
        Err(BbsError::Generators { .. })
    ));

    // A proof with a signature of other messages has a valid challenge, but its pairing equation fails.
    let forged: [&[u8]; 4] = [b"name", b"birthday", b"", b"town"];
    let statement = Statement { messages: &forged, ..statement };
    let proof = prove(&generators, &key, &signature, &statement, &mut rng(90)).unwrap();
    let shown = Disclosure { messages: wrong, ..good };
    assert!(matches!(verify_proof(on, &generators, &key, &shown, &proof), Err(BbsError::Rejected)));
    let order = Statement { indexes: &[3, 1], ..statement };
    assert!(matches!(
        prove(&generators, &key, &signature, &order, &mut rng(91)),
        Err(BbsError::Order { .. })
    ));
    let range = Statement { indexes: &[4], ..statement };
    assert!(matches!(
        prove(&generators, &key, &signature, &range, &mut rng(91)),
        Err(BbsError::Index { .. })
    ));
    let found = prove_with_scalars(&generators, &key, &signature, &statement, &[Fr::from(2); 6]);
    assert!(matches!(found, Err(BbsError::RandomScalars { found: 6, needed: 7 })));
    let found = prove_with_scalars(&generators, &key, &signature, &statement, &[Fr::from(0); 7]);
    assert!(matches!(found, Err(BbsError::Degenerate)));
}

/// A point of the curve that is outside of the subgroup, compressed.
fn outside() -> Vec<u8> {
    let point = (1u64..100)
        .find_map(|x| {
            let x = Fq::from(x);
            let y = pairwright_field::Sqrt::sqrt_vartime(&(x.square() * x + Fq::from(4)))?;
            let point = Affine::<G1>::from_xy_unchecked(x, y);
            (!point.is_in_subgroup_vartime()).then_some(point)
        })
        .expect("most points are outside");
    ZcashCompressed::to_vec(&point)
}

#[test]
fn encodings_are_checked() {
    let device = device();
    let on = &mut Session::new(&device);
    let Signed { generators, key, signature, .. } = signed(on, Ciphersuite::Sha256, 92);
    let infinity = |size: usize| [&[0xc0][..], &vec![0; size - 1]].concat();
    let order = {
        // The group order itself, big-endian.
        let mut bytes = [0; 32];
        (-Fr::from(1)).write_be(&mut bytes);
        bytes[31] += 1;
        bytes
    };

    // Public keys.
    assert!(matches!(
        PublicKey::from_bytes(&infinity(96)),
        Err(BbsError::Neutral { part: "the public key" })
    ));
    for length in [0, 48, 95, 97] {
        let found = PublicKey::from_bytes(&vec![0x80; length]);
        assert!(matches!(found, Err(BbsError::Point { why: PointError::Length { .. }, .. })), "{length}");
    }
    for bytes in [[0; 32].as_slice(), &order, &[1; 31], &[1; 33], &[]] {
        assert!(matches!(SecretKey::from_bytes(bytes), Err(BbsError::SecretKey)));
    }
    let short = SecretKey::key_gen(Ciphersuite::Sha256, &[7; 31], b"");
    assert!(matches!(short, Err(BbsError::ShortMaterial { found: 31 })));
    let long = SecretKey::key_gen(Ciphersuite::Sha256, &[7; 32], &[0; 65536]);
    assert!(matches!(long, Err(BbsError::LongInfo { found: 65536 })));
    for tag in [0, 256] {
        let found = Ciphersuite::Sha256.hash_to_scalar(b"", &vec![1; tag]);
        assert!(matches!(found, Err(BbsError::Tag { found }) if found == tag));
        let found = seeded_scalars(Ciphersuite::Shake256, b"", &vec![1; tag], 1);
        assert!(matches!(found, Err(BbsError::Tag { .. })));
    }
    for (suite, most) in [(Ciphersuite::Sha256, 170), (Ciphersuite::Shake256, 1365)] {
        assert_eq!(seeded_scalars(suite, b"seed", b"tag", most).unwrap().len(), most);
        let found = seeded_scalars(suite, b"seed", b"tag", most + 1);
        assert!(matches!(found, Err(BbsError::RandomScalars { .. })));
    }

    // Signatures.
    let bytes = signature.to_bytes();
    for length in [0, 79, 81, 48] {
        let found = Signature::from_bytes(&[&bytes[..], &[0; 8]].concat()[..length]);
        assert!(matches!(found, Err(BbsError::Length { what: "signature", .. })), "{length}");
    }
    let with = |at: usize, part: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + part.len()].copy_from_slice(part);
        Signature::from_bytes(&changed)
    };
    assert!(matches!(with(0, &infinity(48)), Err(BbsError::Neutral { part: "A" })));
    let found = with(0, &outside());
    assert!(matches!(found, Err(BbsError::Point { part: "A", why: PointError::NotInSubgroup { .. } })));
    assert!(matches!(with(48, &[0; 32]), Err(BbsError::Scalar { index: 0 })));
    assert!(matches!(with(48, &order), Err(BbsError::Scalar { index: 0 })));

    // Proofs.
    let statement = Statement { header: HEADER, messages: &MESSAGES, indexes: &[0], ..Default::default() };
    let bytes = prove(&generators, &key, &signature, &statement, &mut rng(93)).unwrap().to_bytes();
    assert_eq!(bytes.len(), 3 * 48 + 32 * 7);
    for length in [0, 47, 144, 271, 273, bytes.len() - 1] {
        let found = Proof::from_bytes(&bytes[..length]);
        assert!(
            matches!(found, Err(BbsError::Length { what: "proof", found }) if found == length),
            "{length}"
        );
    }
    let with = |at: usize, part: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + part.len()].copy_from_slice(part);
        Proof::from_bytes(&changed)
    };
    for (at, name) in [(0, "Abar"), (48, "Bbar"), (96, "D")] {
        assert!(matches!(with(at, &infinity(48)), Err(BbsError::Neutral { part }) if part == name));
        let found = with(at, &outside());
        assert!(
            matches!(found, Err(BbsError::Point { part, why: PointError::NotInSubgroup { .. } }) if part == name)
        );
    }
    for i in 0..7 {
        assert!(matches!(with(144 + 32 * i, &[0; 32]), Err(BbsError::Scalar { index }) if index == i));
        assert!(matches!(with(144 + 32 * i, &order), Err(BbsError::Scalar { index }) if index == i));
    }
    // Every scalar matters: a proof with a changed scalar is decoded, but refused by the verifier.
    let shown = Disclosure { header: HEADER, indexes: &[0], messages: &[b"name"], ..Default::default() };
    for i in 0..7 {
        let proof = with(144 + 32 * i, &[1; 32]).unwrap();
        assert!(matches!(verify_proof(on, &generators, &key, &shown, &proof), Err(BbsError::Challenge)));
    }
    // A proof without its last scalar is decoded as one for fewer messages.
    let fewer = Proof::from_bytes(&bytes[..bytes.len() - 32]).unwrap();
    assert!(matches!(verify_proof(on, &generators, &key, &shown, &fewer), Err(BbsError::Challenge)));
}

#[test]
fn batches() {
    let device = device();
    let on = &mut Session::new(&device);
    let suite = Ciphersuite::Sha256;
    let generators = Generators::new(on, suite, 4).unwrap();
    let secrets = [94, 95].map(|stream| SecretKey::random(suite, &mut rng(stream)));
    let keys = secrets.each_ref().map(SecretKey::public_key);
    // Two signatures under the first key, one under the second, with different numbers of messages.
    let signatures = [(0, 4), (1, 2), (0, 0)].map(|(key, count): (usize, usize)| {
        (key, count, secrets[key].sign(&generators, HEADER, &MESSAGES[..count]).unwrap())
    });
    let items = signatures.each_ref().map(|(key, count, signature)| SignedItem {
        key: &keys[*key],
        header: HEADER,
        messages: &MESSAGES[..*count],
        signature,
    });
    batch_verify(on, &generators, &items, &mut rng(96)).unwrap();
    batch_verify(on, &generators, &[], &mut rng(96)).unwrap();
    for bad in 0..3 {
        let mut changed = items;
        changed[bad].header = b"another";
        let found = batch_verify(on, &generators, &changed, &mut rng(97)).unwrap_err();
        assert!(
            matches!(found, BbsError::InBatch { index, why } if index == bad && matches!(*why, BbsError::Rejected))
        );
    }
    let few = Generators::new(on, suite, 3).unwrap();
    assert!(matches!(batch_verify(on, &few, &items, &mut rng(97)), Err(BbsError::Generators { .. })));

    let proofs = items.map(|item| {
        let statement = Statement { header: HEADER, messages: item.messages, ..Default::default() };
        prove(&generators, item.key, item.signature, &statement, &mut rng(98)).unwrap()
    });
    let disclosure = Disclosure { header: HEADER, ..Default::default() };
    let proved: Vec<_> = items
        .iter()
        .zip(&proofs)
        .map(|(item, proof)| ProvedItem { key: item.key, disclosure, proof })
        .collect();
    batch_verify_proofs(on, &generators, &proved, &mut rng(99)).unwrap();
    batch_verify_proofs(on, &generators, &[], &mut rng(99)).unwrap();
    for bad in 0..3 {
        let mut changed = proved.clone();
        changed[bad].disclosure.header = b"another";
        let found = batch_verify_proofs(on, &generators, &changed, &mut rng(99)).unwrap_err();
        assert!(
            matches!(found, BbsError::InBatch { index, why } if index == bad && matches!(*why, BbsError::Challenge))
        );
    }
    // A proof with a signature of other messages: the challenge is valid, the pairing equation fails.
    let forged = Statement { header: HEADER, messages: &[b"forged"], ..Default::default() };
    let proof = prove(&generators, &keys[0], &signatures[0].2, &forged, &mut rng(100)).unwrap();
    let mut changed = proved.clone();
    changed[2] = ProvedItem { key: &keys[0], disclosure, proof: &proof };
    let found = batch_verify_proofs(on, &generators, &changed, &mut rng(99)).unwrap_err();
    assert!(matches!(found, BbsError::InBatch { index: 2, why } if matches!(*why, BbsError::Rejected)));
}
