//! Signatures of many messages compared with zkryptium, which computes on one thread, and decryption of inner products.

use crate::{Options, Row, Table, bridge, take_turns};
use pairwright_curve::Curve;
use pairwright_curve::bls12_381::{Bls12_381, G1};
use pairwright_device::Session;
use pairwright_protocols::schemes::bbs::{
    Ciphersuite, Disclosure, Generators, Proof, SecretKey, Statement, prove, verify, verify_proof,
};
use pairwright_protocols::schemes::fe::logarithm::Table as Logarithms;
use pairwright_protocols::schemes::fe::{hiding, public};
use std::time::Duration;
use zkryptium::bbsplus::keys::{BBSplusPublicKey, BBSplusSecretKey};
use zkryptium::schemes::algorithms::BbsBls12381Sha256;
use zkryptium::schemes::generics::{PoKSignature, Signature as PeerSignature};

const BUDGET: Duration = Duration::from_secs(2);
/// Number of messages of a signature, every other one of which is disclosed.
const MESSAGES: usize = 16;
/// Number of entries of encrypted vectors.
const DIMENSION: usize = 64;

/// Rows of signing, proving and verifying; ours with cached generators, and with generators that are computed each time, as
/// zkryptium does.
pub fn against_zkryptium(options: &Options, table: &mut Table) {
    let device = pairwright_cpu::board::<Bls12_381>();
    let on = || Session::new(&device);
    let made = || Generators::new(&mut on(), Ciphersuite::Sha256, MESSAGES).expect("generators");
    let kept = made();
    let secret = SecretKey::key_gen(Ciphersuite::Sha256, &[7; 32], b"").expect("a key");
    let key = secret.public_key();
    let owned: Vec<Vec<u8>> = (0..MESSAGES).map(|i| format!("message {i}").into_bytes()).collect();
    let messages: Vec<&[u8]> = owned.iter().map(Vec::as_slice).collect();
    let indexes: Vec<usize> = (0..MESSAGES).step_by(2).collect();
    let shown_owned: Vec<Vec<u8>> = indexes.iter().map(|i| owned[*i].clone()).collect();
    let shown: Vec<&[u8]> = shown_owned.iter().map(Vec::as_slice).collect();
    let (header, nonce): (&[u8], &[u8]) = (b"header", b"nonce");
    let signature = secret.sign(&kept, header, &messages).expect("a signature");
    let statement = Statement { header, presentation_header: nonce, messages: &messages, indexes: &indexes };
    let disclosure = Disclosure { header, presentation_header: nonce, indexes: &indexes, messages: &shown };

    let peer_secret = BBSplusSecretKey::from_bytes(secret.to_bytes().as_ref()).expect("a key");
    let peer_key = BBSplusPublicKey::from_bytes(&key.to_bytes()).expect("a key");
    let peer_sign = || {
        PeerSignature::<BbsBls12381Sha256>::sign(Some(&owned), &peer_secret, &peer_key, Some(header))
            .expect("a signature")
    };
    let peer_signature = peer_sign();
    assert!(peer_signature.to_bytes().as_slice() == signature.to_bytes(), "the same signature");
    let bytes = peer_signature.to_bytes();
    let peer_prove = || {
        PoKSignature::<BbsBls12381Sha256>::proof_gen(
            &peer_key,
            &bytes,
            Some(header),
            Some(nonce),
            Some(&owned),
            Some(&indexes),
        )
        .expect("a proof")
    };
    let peer_accepts = |proof: &PoKSignature<BbsBls12381Sha256>| {
        let (shown, indexes) = (Some(shown_owned.as_slice()), Some(indexes.as_slice()));
        proof.proof_verify(&peer_key, shown, indexes, Some(header), Some(nonce)).is_ok()
    };
    let ours_prove = |generators: &Generators| {
        prove(generators, &key, &signature, &statement, &mut bridge::rng(18)).expect("a proof")
    };
    // Each side accepts the other's proof.
    let (proof, peer_proof) = (ours_prove(&kept), peer_prove());
    let read = Proof::from_bytes(&peer_proof.to_bytes()).expect("a proof");
    verify_proof(&mut on(), &kept, &key, &disclosure, &read).expect("valid");
    let crossed = PoKSignature::<BbsBls12381Sha256>::from_bytes(&proof.to_bytes()).expect("a proof");
    assert!(peer_accepts(&crossed), "valid");

    type Work<'a> = (&'a str, &'a (dyn Fn(&Generators) + Sync), &'a dyn Fn());
    let works: [Work<'_>; 4] = [
        ("BBS sign", &|g| drop(secret.sign(g, header, &messages)), &|| drop(peer_sign())),
        (
            "BBS verify",
            &|g| verify(&mut on(), g, &key, header, &messages, &signature).expect("valid"),
            &|| {
                assert!(peer_signature.verify(&peer_key, Some(&owned), Some(header)).is_ok());
            },
        ),
        ("BBS prove", &|g| drop(ours_prove(g)), &|| drop(peer_prove())),
        (
            "BBS verify proof",
            &|g| verify_proof(&mut on(), g, &key, &disclosure, &proof).expect("valid"),
            &|| {
                assert!(peer_accepts(&peer_proof));
            },
        ),
    ];
    for (name, ours, peer) in works {
        for (form, keeps) in [("", true), (", generators made", false)] {
            let name = format!("{name}{form}");
            if options.wants(&name) {
                let ours = |()| if keeps { ours(&kept) } else { ours(&made()) };
                let pair = take_turns(BUDGET, || (), ours, || (), |()| peer());
                table.push(Row::new(name, MESSAGES.to_string(), 1, "zkryptium", &pair, 1));
            }
        }
    }
}

/// Decryption without the discrete logarithm: the scheme with public keys compared with the scheme that hides both vectors.
pub fn inner_products(options: &Options, table: &mut Table) {
    let name = "inner product, als16 beside klmmrw";
    let logarithm = "logarithm up to 2^30, als16 with a table beside klmmrw's pairings";
    if !options.wants(name) && !options.wants(logarithm) {
        return;
    }
    let device = pairwright_cpu::board::<Bls12_381>();
    let rng = &mut bridge::rng(19);
    let x: Vec<i64> = (0..DIMENSION as i64).map(|i| 1000 * i - 7).collect();
    let y: Vec<i64> = (0..DIMENSION as i64).map(|i| 30 - i).collect();
    let master = public::MasterKey::random(DIMENSION, rng).expect("a key");
    let (key, sealed) =
        (master.derive(&y).expect("a key"), master.public_key().encrypt(&x, rng).expect("encrypted"));
    let master = hiding::MasterKey::random(DIMENSION, rng).expect("a key");
    let (hidden_key, hidden) =
        (master.derive(&y, rng).expect("a key"), master.encrypt(&x, rng).expect("encrypted"));
    for (threads, pool) in options.pools() {
        let ours = |()| key.decrypt_point(&mut Session::new(&device), &sealed).expect("decrypted");
        let peer = |()| hidden_key.decrypt_values(&mut Session::new(&device), &hidden).expect("decrypted");
        if options.wants(name) {
            let pair = pool.install(|| take_turns(BUDGET, || (), ours, || (), peer));
            table.push(Row::new(name, DIMENSION.to_string(), threads, "ours", &pair, 1));
        }
        if options.wants(logarithm) {
            let steps = Logarithms::for_bound(G1::GENERATOR, 1 << 30).expect("a table");
            let point = ours(());
            let find = |()| steps.find_vartime(&point, 1 << 30).expect("in the range");
            let pair = pool.install(|| take_turns(BUDGET, || (), find, || (), peer));
            table.push(Row::new(logarithm, DIMENSION.to_string(), threads, "ours", &pair, 1));
        }
    }
}
