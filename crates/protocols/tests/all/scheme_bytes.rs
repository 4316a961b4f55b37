//! Tests the decoders of keys, ciphertexts, signatures and proofs of the schemes by the fuzzer's property, on its seeds and on slightly
//! changed seeds. `BLESS=1 cargo test` writes the seeds.

#[path = "../../../../fuzz/properties/schemes.rs"]
mod property;

use crate::common::{device, rng};
use pairwright_curve::Curve;
use pairwright_curve::bls12_381::G1;
use pairwright_device::Session;
use pairwright_protocols::schemes::abe::{Attributes, setup};
use pairwright_protocols::schemes::bbs::{Ciphersuite, Generators, SecretKey, Statement, prove};
use pairwright_protocols::schemes::fe::logarithm::Table;
use pairwright_protocols::schemes::fe::{embedded, hiding, public};
use std::path::Path;

/// An encoding of each type, by name.
fn encodings() -> Vec<(&'static str, Vec<u8>)> {
    let device = device();
    let on = &mut Session::new(&device);
    let rng = &mut rng(70);
    let mut all = Vec::new();

    let (key, master) = setup(on, rng).unwrap();
    let mut attributes = Attributes::new();
    attributes.insert_text("role:doctor").unwrap();
    let policy = "(role:doctor)and(not(ward:7))";
    let sealed = key.encrypt(on, &policy.parse().unwrap(), b"text", rng).unwrap();
    all.push(("abe_public_key", key.to_bytes()));
    all.push(("abe_master_key", master.to_bytes().to_vec()));
    all.push(("abe_attribute_key", master.derive(on, &attributes, rng).unwrap().to_bytes().to_vec()));
    all.push(("abe_ciphertext", sealed.to_bytes()));
    all.push(("abe_policy", policy.as_bytes().to_vec()));

    let suite = Ciphersuite::Sha256;
    let generators = Generators::new(on, suite, 2).unwrap();
    let key = SecretKey::random(suite, rng);
    let messages: [&[u8]; 2] = [b"one", b"two"];
    let signature = key.sign(&generators, b"", &messages).unwrap();
    let statement = Statement { header: b"", presentation_header: b"", messages: &messages, indexes: &[0] };
    let proof = prove(&generators, &key.public_key(), &signature, &statement, rng).unwrap();
    all.push(("bbs_secret_key", key.to_bytes().to_vec()));
    all.push(("bbs_public_key", key.public_key().to_bytes()));
    all.push(("bbs_signature", signature.to_bytes()));
    all.push(("bbs_proof", proof.to_bytes()));

    let master = public::MasterKey::random(2, rng).unwrap();
    all.push(("fe_master_key", master.to_bytes().to_vec()));
    all.push(("fe_public_key", master.public_key().to_bytes()));
    all.push(("fe_function_key", master.derive(&[3, -4]).unwrap().to_bytes().to_vec()));
    all.push(("fe_ciphertext", master.public_key().encrypt(&[1, -2], rng).unwrap().to_bytes()));
    let master = embedded::MasterKey::random(2, rng).unwrap();
    all.push(("fe_embedded_master_key", master.to_bytes().to_vec()));
    all.push(("fe_embedded_public_key", master.public_key().to_bytes()));
    all.push(("fe_embedded_function_key", master.derive(&[3, -4]).unwrap().to_bytes().to_vec()));
    all.push(("fe_embedded_ciphertext", master.public_key().encrypt(&[1, -2], rng).unwrap().to_bytes()));
    let master = hiding::MasterKey::random(2, rng).unwrap();
    all.push(("fe_hiding_master_key", master.to_bytes().to_vec()));
    all.push(("fe_hiding_function_key", master.derive(&[3, -4], rng).unwrap().to_bytes()));
    all.push(("fe_hiding_ciphertext", master.encrypt(&[1, -2], rng).unwrap().to_bytes()));
    all.push(("fe_table", Table::new(G1::GENERATOR, 4).unwrap().to_bytes()));
    all
}

/// The seeds are the current encodings; each is decoded as its type, and changed bytes are refused or are the encoding of the value to
/// which they decode.
#[test]
fn seeds_of_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/schemes");
    for (name, bytes) in encodings() {
        let path = folder.join(name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert_eq!(std::fs::read(path).unwrap(), bytes, "{name}");
        assert!(property::schemes(&bytes) > 0, "{name}");
        // Changes all bytes of the head, and about sixty others of each encoding, because long encodings consist of similar points.
        let step = bytes.len().div_ceil(60);
        for at in (0..bytes.len().min(16)).chain((16..bytes.len()).step_by(step)) {
            let mut near = bytes.clone();
            for bit in [0x01, 0x80] {
                near[at] ^= bit;
                property::schemes(&near);
                near[at] ^= bit;
            }
            near.truncate(at);
            property::schemes(&near);
        }
        let longer = [&bytes[..], &[0]].concat();
        property::schemes(&longer);
    }
}
