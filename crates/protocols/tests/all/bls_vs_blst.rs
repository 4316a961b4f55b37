//! Compares BLS signatures with blst: keys, signatures of every scheme, aggregates, verdicts in both directions.

use crate::common::{device, rng};
use blst::BLST_ERROR::{BLST_SUCCESS, BLST_VERIFY_FAIL};
use pairwright_device::Session;
use pairwright_protocols::schemes::bls::{
    PublicKey, Scheme, SecretKey, Signature, aggregate, aggregate_verify, fast_aggregate_verify, verify,
};
use pairwright_protocols::schemes::{MinPk, MinSig, Variant};
use rand_core::Rng;

const SCHEMES: [Scheme; 3] = [Scheme::Basic, Scheme::MessageAugmentation, Scheme::ProofOfPossession];

/// blst's two modules have the same names for different types.
macro_rules! against_blst {
    ($name:ident, $variant:ty, $peer:ident) => {
        #[test]
        fn $name() {
            use blst::$peer as peer;
            let mut rng = rng(80);
            let device = device();
            let mut on = Session::new(&device);
            for scheme in SCHEMES {
                let dst = scheme.ciphersuite::<$variant>();
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                for length in [0, 1, 32, 100] {
                    let (mut seed, mut message) = ([0; 40], vec![0; length]);
                    rng.fill_bytes(&mut seed);
                    rng.fill_bytes(&mut message);
                    let sk = SecretKey::key_gen(&seed, b"info").unwrap();
                    let their_sk = peer::SecretKey::key_gen(&seed, b"info").unwrap();
                    assert_eq!(*sk.to_bytes(), their_sk.to_bytes());
                    let (pk, their_pk) = (sk.public_key::<$variant>(), their_sk.sk_to_pk());
                    assert_eq!(pk.to_bytes(), their_pk.compress());
                    assert_eq!(PublicKey::from_bytes(&their_pk.compress()), Ok(pk));

                    let prefix = match scheme {
                        Scheme::MessageAugmentation => pk.to_bytes(),
                        _ => Vec::new(),
                    };
                    let signature = sk.sign::<$variant>(scheme, &message);
                    let their_signature = their_sk.sign(&message, dst.as_bytes(), &prefix);
                    assert_eq!(signature.to_bytes(), their_signature.compress());
                    verify(&mut on, scheme, &pk, &message, &signature).unwrap();
                    let verdict = |message: &[u8]| {
                        their_signature.verify(true, message, dst.as_bytes(), &prefix, &their_pk, true)
                    };
                    assert_eq!(verdict(&message), BLST_SUCCESS);
                    message.push(0);
                    assert_eq!(verdict(&message), BLST_VERIFY_FAIL);
                    assert!(verify(&mut on, scheme, &pk, &message, &signature).is_err());
                    message.pop();
                    ours.push((pk, message, signature));
                    theirs.push((their_pk, their_signature));
                }
                let sum = aggregate(&ours.iter().map(|(_, _, s)| *s).collect::<Vec<_>>()).unwrap();
                let peers: Vec<_> = theirs.iter().map(|(_, s)| s).collect();
                let their_sum = peer::AggregateSignature::aggregate(&peers, true).unwrap().to_signature();
                assert_eq!(sum.to_bytes(), their_sum.compress());
                let signed: Vec<_> = ours.iter().map(|(k, m, _)| (*k, m.as_slice())).collect();
                aggregate_verify(&mut on, scheme, &signed, &sum).unwrap();
                if scheme != Scheme::MessageAugmentation {
                    let messages: Vec<_> = ours.iter().map(|(_, m, _)| m.as_slice()).collect();
                    let keys: Vec<_> = theirs.iter().map(|(k, _)| k).collect();
                    let verdict = their_sum.aggregate_verify(true, &messages, dst.as_bytes(), &keys, true);
                    assert_eq!(verdict, BLST_SUCCESS);
                }
            }
            same_message::<$variant>(|seeds, message, dst| {
                let keys: Vec<_> = seeds.iter().map(|s| peer::SecretKey::key_gen(s, &[]).unwrap()).collect();
                let signatures: Vec<_> = keys.iter().map(|k| k.sign(message, dst, &[])).collect();
                let signatures: Vec<_> = signatures.iter().collect();
                peer::AggregateSignature::aggregate(&signatures, true)
                    .unwrap()
                    .to_signature()
                    .compress()
                    .to_vec()
            });
        }
    };
}

/// An aggregate of blst's over one message is accepted here.
fn same_message<V: Variant>(peer: impl Fn(&[[u8; 32]], &[u8], &[u8]) -> Vec<u8>) {
    let seeds: Vec<[u8; 32]> = (1..=5).map(|i| [i; 32]).collect();
    let dst = Scheme::ProofOfPossession.ciphersuite::<V>();
    let sum = Signature::<V>::from_bytes(&peer(&seeds, b"one for all", dst.as_bytes())).unwrap();
    let keys: Vec<PublicKey<V>> =
        seeds.iter().map(|s| SecretKey::key_gen(s, &[]).unwrap().public_key()).collect();
    let device = device();
    fast_aggregate_verify(&mut Session::new(&device), &keys, b"one for all", &sum).unwrap();
    assert!(fast_aggregate_verify(&mut Session::new(&device), &keys[1..], b"one for all", &sum).is_err());
}

against_blst!(keys_in_g1, MinPk, min_pk);
against_blst!(keys_in_g2, MinSig, min_sig);

#[test]
fn salted_keys() {
    for (salt, info) in [(&b"salt"[..], &b""[..]), (&[7; 64], &[9; 300]), (&[], &[])] {
        let ours = SecretKey::key_gen_salted(&[3; 32], salt, info).unwrap();
        let theirs = blst::min_pk::SecretKey::key_gen_v5(&[3; 32], salt, info).unwrap();
        assert_eq!(*ours.to_bytes(), theirs.to_bytes());
    }
}

/// A proof of possession is a signature of the key under its own tag.
#[test]
fn possession() {
    let sk = SecretKey::key_gen(&[5; 32], &[]).unwrap();
    let theirs = blst::min_pk::SecretKey::key_gen(&[5; 32], &[]).unwrap();
    let tag = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
    let proof = theirs.sign(&theirs.sk_to_pk().compress(), tag, &[]);
    assert_eq!(sk.pop_prove::<MinPk>().to_bytes(), proof.compress());
    let tag = b"BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";
    let theirs = blst::min_sig::SecretKey::key_gen(&[5; 32], &[]).unwrap();
    let proof = theirs.sign(&theirs.sk_to_pk().compress(), tag, &[]);
    assert_eq!(sk.pop_prove::<MinSig>().to_bytes(), proof.compress());
}

#[test]
fn derived_keys_are_those_of_blst() {
    use blst::min_pk::SecretKey as Theirs;
    let mut rng = rng(81);
    for length in [32, 64] {
        let mut seed = vec![0; length];
        rng.fill_bytes(&mut seed);
        let (mut ours, mut theirs) =
            (SecretKey::derive_master(&seed).unwrap(), Theirs::derive_master_eip2333(&seed).unwrap());
        assert_eq!(*ours.to_bytes(), theirs.to_bytes());
        for index in [12381, 3600, 0, u32::MAX] {
            (ours, theirs) = (ours.derive_child(index), theirs.derive_child_eip2333(index));
            assert_eq!(*ours.to_bytes(), theirs.to_bytes(), "{index}");
        }
        let path = "m/12381/3600/0/4294967295".parse().unwrap();
        assert_eq!(*SecretKey::derive_path(&seed, &path).unwrap().to_bytes(), theirs.to_bytes());
    }
    assert!(SecretKey::derive_master(&[0; 31]).is_err() && Theirs::derive_master_eip2333(&[0; 31]).is_err());
}

/// The first case of EIP-2333.
#[test]
fn a_published_child_key() {
    let seed = "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04";
    let seed: Vec<u8> =
        (0..seed.len() / 2).map(|i| u8::from_str_radix(&seed[2 * i..2 * i + 2], 16).unwrap()).collect();
    let master = SecretKey::derive_master(&seed).unwrap();
    let number = |key: &SecretKey| num_bigint::BigUint::from_bytes_be(&*key.to_bytes()).to_string();
    assert_eq!(
        number(&master),
        "6083874454709270928345386274498605044986640685124978867557563392430687146096"
    );
    assert_eq!(
        number(&master.derive_child(0)),
        "20397789859736650942317412262472558107875392172444076792671091975210932703118"
    );
}
