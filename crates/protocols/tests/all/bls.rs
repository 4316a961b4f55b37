//! Tests of BLS signatures: acceptance, and every kind of refusal.

use crate::common::{device, rng};
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr};
use pairwright_curve::encoding::PointError;
use pairwright_curve::{Affine, Curve, Jacobian, Pairing};
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_protocols::schemes::bls::{
    BlsError, PublicKey, Scheme, SecretKey, Signature, VerifyError, aggregate, aggregate_verify,
    batch_verify, check_signatures, equation, fast_aggregate_verify, message_point, message_points,
    pop_verify, verify,
};
use pairwright_protocols::schemes::{MinPk, MinSig, Variant};

const SCHEMES: [Scheme; 3] = [Scheme::Basic, Scheme::MessageAugmentation, Scheme::ProofOfPossession];

fn secret(i: u8) -> SecretKey {
    SecretKey::key_gen(&[i; 32], &[]).unwrap()
}

/// The negative of a secret key.
fn opposite(key: &SecretKey) -> SecretKey {
    let mut bytes = [0; 32];
    (-Fr::read_be(key.to_bytes().as_ref()).unwrap()).write_be(&mut bytes);
    SecretKey::from_bytes(&bytes).unwrap()
}

/// A point of the curve outside of the subgroup.
fn outside<C: Curve>() -> Affine<C> {
    let mut x = C::Base::ONE;
    loop {
        if let Some(y) = (x.square() * x + C::B).sqrt_vartime() {
            let p = Affine::from_xy_unchecked(x, y);
            if !p.is_in_subgroup_vartime() {
                return p;
            }
        }
        x += C::Base::ONE;
    }
}

fn single<V: Variant>() {
    let device = device();
    let on = &mut Session::new(&device);
    let (alice, bob) = (secret(1), secret(2));
    let key: PublicKey<V> = alice.public_key();
    for scheme in SCHEMES {
        let signature = alice.sign::<V>(scheme, b"message");
        assert_eq!(signature, alice.sign(scheme, b"message"), "signatures are unique");
        verify(on, scheme, &key, b"message", &signature).unwrap();
        // The product of the pairings of these pairs is one.
        let pairs = equation(&key, &message_point(scheme, &key, b"message"), &signature);
        assert_eq!(Bls12_381::multi_pairing(&pairs), Fq12::ONE);

        let rejected = |verdict| assert!(matches!(verdict, Err(VerifyError::Rejected)));
        rejected(verify(on, scheme, &key, b"massage", &signature));
        rejected(verify(on, scheme, &bob.public_key(), b"message", &signature));
        rejected(verify(on, scheme, &key, b"message", &bob.sign(scheme, b"message")));
        let neutral = Signature::from_point(Affine::INFINITY).unwrap();
        rejected(verify(on, scheme, &key, b"message", &neutral));
        let other = SCHEMES.into_iter().find(|s| *s != scheme).unwrap();
        rejected(verify(on, other, &key, b"message", &signature));
        // A signature is no proof of possession, not even of the key's own bytes.
        rejected(pop_verify(on, &key, &alice.sign(scheme, &key.to_bytes())));
    }
    pop_verify(on, &key, &alice.pop_prove()).unwrap();
    assert!(matches!(pop_verify(on, &key, &bob.pop_prove()), Err(VerifyError::Rejected)));
}

#[test]
fn single_signatures() {
    single::<MinPk>();
    single::<MinSig>();
}

fn aggregates<V: Variant>() {
    let device = device();
    let on = &mut Session::new(&device);
    let messages: [&[u8]; 3] = [b"one", b"two", b"one"];
    for scheme in SCHEMES {
        let secrets: Vec<SecretKey> = (1..=3).map(secret).collect();
        let signed: Vec<(PublicKey<V>, &[u8])> =
            secrets.iter().zip(messages).map(|(s, m)| (s.public_key(), m)).collect();
        let parts: Vec<Signature<V>> = secrets.iter().zip(messages).map(|(s, m)| s.sign(scheme, m)).collect();
        let sum = aggregate(&parts).unwrap();
        let verdict = aggregate_verify(on, scheme, &signed, &sum);
        if scheme == Scheme::Basic {
            assert!(matches!(verdict, Err(VerifyError::RepeatedMessage { first: 0, second: 2 })));
        } else {
            verdict.unwrap();
        }
        let two = aggregate(&parts[..2]).unwrap();
        aggregate_verify(on, scheme, &signed[..2], &two).unwrap();
        let swapped = [(signed[0].0, signed[1].1), (signed[1].0, signed[0].1)];
        assert!(matches!(aggregate_verify(on, scheme, &swapped, &two), Err(VerifyError::Rejected)));
        assert!(matches!(aggregate_verify(on, scheme, &signed[..1], &two), Err(VerifyError::Rejected)));
        let none: [(PublicKey<V>, &[u8]); 0] = [];
        assert!(matches!(aggregate_verify(on, scheme, &none, &two), Err(VerifyError::NoSigners)));
    }
    assert_eq!(aggregate::<V>(&[]), Err(BlsError::Empty));
}

#[test]
fn aggregates_of_signatures() {
    aggregates::<MinPk>();
    aggregates::<MinSig>();
}

#[test]
fn one_message_of_many_signers() {
    let device = device();
    let on = &mut Session::new(&device);
    let secrets: Vec<SecretKey> = (1..=4).map(secret).collect();
    let keys: Vec<PublicKey<MinPk>> = secrets.iter().map(SecretKey::public_key).collect();
    let sign = |s: &SecretKey| s.sign::<MinPk>(Scheme::ProofOfPossession, b"same");
    let sum = aggregate(&secrets.iter().map(sign).collect::<Vec<_>>()).unwrap();
    fast_aggregate_verify(on, &keys, b"same", &sum).unwrap();
    assert!(matches!(fast_aggregate_verify(on, &keys[1..], b"same", &sum), Err(VerifyError::Rejected)));
    assert!(matches!(fast_aggregate_verify(on, &keys, b"some", &sum), Err(VerifyError::Rejected)));
    assert!(matches!(fast_aggregate_verify(on, &[], b"same", &sum), Err(VerifyError::NoSigners)));
    // For a key and its negative, the neutral element would be a signature of every message.
    let pair = [keys[0], opposite(&secrets[0]).public_key()];
    let neutral = Signature::from_point(Affine::INFINITY).unwrap();
    assert!(matches!(fast_aggregate_verify(on, &pair, b"same", &neutral), Err(VerifyError::KeysCancel)));
    // A rogue key, made from another key, gives an aggregate for both, but has no proof of possession.
    let rogue = secret(9);
    let difference = rogue.public_key::<MinPk>().point().to_jacobian() - keys[0].point().to_jacobian();
    let key = PublicKey::from_point(difference.to_affine()).unwrap();
    fast_aggregate_verify(on, &[keys[0], key], b"same", &sign(&rogue)).unwrap();
    assert!(matches!(pop_verify(on, &key, &rogue.pop_prove()), Err(VerifyError::Rejected)));
}

fn batches<V: Variant>() {
    let device = device();
    let on = &mut Session::new(&device);
    let scheme = Scheme::Basic;
    let messages: Vec<Vec<u8>> = (0..5).map(|i| vec![i / 2; 20]).collect();
    let good: Vec<(PublicKey<V>, &[u8], Signature<V>)> = (0..5u8)
        .zip(&messages)
        .map(|(i, m)| (secret(i + 1).public_key(), m.as_slice(), secret(i + 1).sign(scheme, m)))
        .collect();
    batch_verify(on, scheme, &good, &mut rng(1)).unwrap();
    batch_verify(on, scheme, &good[..1], &mut rng(2)).unwrap();
    batch_verify::<V>(on, scheme, &[], &mut rng(3)).unwrap();
    let mut bad = good.clone();
    bad[3].1 = b"other";
    let verdict = batch_verify(on, scheme, &bad, &mut rng(4));
    assert!(matches!(
        verdict,
        Err(VerifyError::InBatch { index: 3, why }) if matches!(*why, VerifyError::Rejected)
    ));
    // Two wrong signatures whose sum is right pass as an aggregate but not as a batch.
    let mut moved = good.clone();
    let shift = good[4].2.point().to_jacobian();
    let by = |s: &Signature<V>, d: Jacobian<V::Signatures>| {
        Signature::from_point((s.point().to_jacobian() + d).to_affine()).unwrap()
    };
    moved[1].2 = by(&good[1].2, shift);
    moved[2].2 = by(&good[2].2, -shift);
    let sum = |batch: &[(_, &[u8], Signature<V>)]| {
        aggregate(&batch.iter().map(|(_, _, s)| *s).collect::<Vec<_>>()).unwrap()
    };
    assert_eq!(sum(&moved), sum(&good));
    let verdict = batch_verify(on, scheme, &moved, &mut rng(5));
    assert!(matches!(verdict, Err(VerifyError::InBatch { index: 1, .. })));
}

#[test]
fn batches_of_signatures() {
    batches::<MinPk>();
    batches::<MinSig>();
}

fn bytes<V: Variant>() {
    let (keys, signatures) = (V::Keys::NAME, V::Signatures::NAME);
    let key = secret(1).public_key::<V>();
    let signature = secret(1).sign::<V>(Scheme::Basic, b"");
    assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
    assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
    assert_eq!(PublicKey::<V>::from_point(Affine::INFINITY), Err(BlsError::NeutralKey));
    let mut neutral = vec![0; key.to_bytes().len()];
    neutral[0] = 0xc0;
    assert_eq!(PublicKey::<V>::from_bytes(&neutral), Err(BlsError::NeutralKey));
    assert_eq!(
        PublicKey::<V>::from_point(outside()),
        Err(BlsError::Point(PointError::NotInSubgroup { curve: keys }))
    );
    assert_eq!(
        Signature::<V>::from_point(outside()),
        Err(BlsError::Point(PointError::NotInSubgroup { curve: signatures }))
    );
    let off = Affine { x: key.point().y, y: key.point().x };
    assert_eq!(PublicKey::<V>::from_point(off), Err(BlsError::Point(PointError::NotOnCurve { curve: keys })));
    let short = &signature.to_bytes()[1..];
    assert!(matches!(Signature::<V>::from_bytes(short), Err(BlsError::Point(PointError::Length { .. }))));
}

/// `check_signatures` accepts points exactly if each of them is a valid signature.
fn checks<V: Variant>() {
    let device = device();
    let on = &mut Session::new(&device);
    let curve = V::Signatures::NAME;
    let mut points: Vec<_> = (1..10).map(|i| secret(i).sign::<V>(Scheme::Basic, b"").point()).collect();
    points[4] = Affine::INFINITY;
    for n in [0, 1, 8, 9] {
        let signatures = check_signatures::<V>(on, &points[..n]).unwrap();
        assert_eq!(signatures.iter().map(Signature::point).collect::<Vec<_>>(), points[..n]);
    }
    let mut refused = |points: &[_], at: usize, fault: PointError| {
        let found = check_signatures::<V>(on, points);
        let Err(VerifyError::InBatch { index, why }) = found else { panic!("{found:?}") };
        assert!(
            index == at && matches!(&*why, VerifyError::Signature(BlsError::Point(p)) if *p == fault),
            "{why:?}"
        );
    };
    let good = points[8];
    points[8] = outside();
    refused(&points, 8, PointError::NotInSubgroup { curve });
    points[8] = Affine { x: good.y, y: good.x };
    refused(&points, 8, PointError::NotOnCurve { curve });
    points[2] = outside();
    refused(&points, 2, PointError::NotInSubgroup { curve });
}

#[test]
fn checks_of_many_signatures() {
    checks::<MinPk>();
    checks::<MinSig>();
}

/// `message_points` agrees with `message_point` for every scheme.
#[test]
fn points_of_many_messages() {
    let device = device();
    let on = &mut Session::new(&device);
    let keys: Vec<PublicKey<MinSig>> = (1..10).map(|i| secret(i).public_key()).collect();
    let signed: Vec<(_, &[u8])> = keys.iter().map(|key| (*key, &b"message"[..])).collect();
    for scheme in SCHEMES {
        for n in [0, 1, 9] {
            let each: Vec<_> = signed[..n].iter().map(|(k, m)| message_point(scheme, k, m)).collect();
            assert_eq!(message_points(on, scheme, &signed[..n]).unwrap(), each);
        }
    }
}

#[test]
fn encodings() {
    bytes::<MinPk>();
    bytes::<MinSig>();
}

#[test]
fn secret_keys() {
    let key = secret(7);
    assert_eq!(SecretKey::from_bytes(key.to_bytes().as_ref()).unwrap().to_bytes(), key.to_bytes());
    assert_eq!(format!("{key:?}"), "SecretKey(..)");
    let mut order = [0; 32];
    (-Fr::ONE).write_be(&mut order);
    assert!(SecretKey::from_bytes(&order).is_ok());
    order[31] += 1;
    for wrong in [&order[..], &[0; 32], &[1; 31], &[1; 33]] {
        assert!(matches!(SecretKey::from_bytes(wrong), Err(BlsError::SecretKey)));
    }
    assert!(matches!(SecretKey::key_gen(&[0; 31], &[]), Err(BlsError::ShortMaterial { found: 31 })));
    let long = vec![0; 65536];
    assert!(matches!(SecretKey::key_gen(&[0; 32], &long), Err(BlsError::LongInfo { found: 65536 })));
    assert_ne!(SecretKey::random(&mut rng(1)).to_bytes(), SecretKey::random(&mut rng(2)).to_bytes());
}

#[test]
fn names_of_the_ciphersuites() {
    let name = Scheme::ProofOfPossession.ciphersuite::<MinPk>();
    assert_eq!(name, "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_");
    assert_eq!(Scheme::Basic.ciphersuite::<MinSig>(), "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_");
    let name = Scheme::MessageAugmentation.ciphersuite::<MinSig>();
    assert_eq!(name, "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_AUG_");
}
