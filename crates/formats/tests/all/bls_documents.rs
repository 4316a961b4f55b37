//! The documents of BLS keys and signatures: round trips, and documents with invalid members, which are refused.

use pairwright_formats::bls::{
    Ciphersuite, DocumentError, PartialDocument, PublicDocument, SecretDocument, ShareDocument,
    SignatureDocument, ThresholdDocument, VariantName,
};
use pairwright_formats::{FileBytes, FormatError};
use pairwright_protocols::schemes::bls::{Scheme, SecretKey};
use pairwright_protocols::schemes::{MinPk, MinSig};
use serde_json::{Value, json};
use std::io::Write;

const MIN_PK: VariantName = VariantName::MinPk;

fn key() -> SecretKey {
    SecretKey::key_gen(&[7; 32], b"documents").unwrap()
}

fn file(bytes: impl Into<Vec<u8>>) -> FileBytes {
    FileBytes::from_vec("d.json", bytes.into())
}

fn written(write: impl FnOnce(&mut dyn Write) -> Result<(), FormatError>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    out
}

fn secret() -> SecretDocument {
    let public_key = key().public_key::<MinPk>().to_bytes();
    SecretDocument { variant: MIN_PK, key: key(), public_key, path: Some("m/1/2".parse().unwrap()) }
}

#[test]
fn documents_are_read_as_they_are_written() {
    let read = SecretDocument::read(&file(written(|out| secret().write(out)))).unwrap();
    assert_eq!(read.key.to_bytes(), key().to_bytes());
    assert_eq!((read.variant, read.public_key, read.path), (MIN_PK, secret().public_key, secret().path));
    let suite = Ciphersuite { variant: VariantName::MinSig, scheme: Scheme::MessageAugmentation };
    let signature = key().sign::<MinSig>(suite.scheme, b"m").to_bytes();
    let public_key = key().public_key::<MinSig>().to_bytes();
    let proof = key().pop_prove::<MinSig>().to_bytes();
    for proof in [None, Some(proof)] {
        let document = PublicDocument { variant: VariantName::MinSig, key: public_key.clone(), proof };
        assert_eq!(PublicDocument::read(&file(written(|out| document.write(out)))).unwrap(), document);
    }
    let document = SignatureDocument { suite, signature: signature.clone() };
    assert_eq!(SignatureDocument::read(&file(written(|out| document.write(out)))).unwrap(), document);
    let document = PartialDocument { suite, index: 65535, signature };
    assert_eq!(PartialDocument::read(&file(written(|out| document.write(out)))).unwrap(), document);
    let coefficients = vec![public_key.clone(), public_key];
    let document =
        ThresholdDocument { variant: VariantName::MinSig, signers: 2, coefficients: coefficients.clone() };
    assert_eq!(ThresholdDocument::read(&file(written(|out| document.write(out)))).unwrap(), document);
    let share = ShareDocument { variant: VariantName::MinSig, index: 3, key: key(), coefficients };
    let read = ShareDocument::read(&file(written(|out| share.write(out)))).unwrap();
    assert_eq!(read.key.to_bytes(), share.key.to_bytes());
    assert_eq!((read.variant, read.index, read.coefficients), (share.variant, 3, share.coefficients));
    assert!(
        !format!("{:?}", secret()).contains(&pairwright_formats::secret_to_hex(&key().to_bytes()[..])[..8])
    );
}

#[test]
fn what_is_malformed_is_named_and_no_secret_is_said() {
    let good: Value = serde_json::from_slice(&written(|out| secret().write(out))).unwrap();
    let digits = good["secret_key"].as_str().unwrap().to_owned();
    let read = |text: String| SecretDocument::read(&file(text)).map_err(|why| why.to_string());
    assert!(read(good.to_string()).is_ok());
    for (member, to, said) in [
        ("format", json!("pairwright bls share"), "format: expected \"pairwright bls secret key\""),
        ("format", json!(5), "no JSON of pairwright bls secret key: line"),
        ("version", json!(2), "version: version 1 is read here, this is version 2"),
        ("version", json!("1"), "no JSON of"),
        ("variant", json!("min"), "variant: expected min-pk or min-sig"),
        ("variant", json!("min-sig"), "public_key: expected 96 bytes"),
        ("path", json!("m/x"), "path: expected a path of keys"),
        ("public_key", json!("00"), "public_key: expected 48 bytes in hexadecimal"),
        ("secret_key", json!("00"), "secret_key: expected 32 bytes in hexadecimal, above zero"),
        ("secret_key", json!("00".repeat(32)), "secret_key: expected 32 bytes in hexadecimal, above zero"),
        ("secret_key", json!("ff".repeat(32)), "secret_key: expected 32 bytes in hexadecimal, above zero"),
        ("secret_key", json!([digits.clone()]), "no JSON of"),
        ("secret_key", json!(123456789), "no JSON of"),
        ("signature", json!("00"), "signature: expected no such member"),
        ("more", json!(1), "no JSON of"),
    ] {
        let mut value = good.clone();
        value[member] = to;
        let found = read(value.to_string()).unwrap_err();
        assert!(found.starts_with("d.json: ") && found.contains(said), "{member}: {found}");
        assert!(!found.contains(&digits[..8]) && !found.contains("123456789"), "{found}");
    }
    for member in ["variant", "public_key", "secret_key"] {
        let mut value = good.clone();
        value.as_object_mut().unwrap().remove(member);
        let found = read(value.to_string()).unwrap_err();
        assert!(found.contains(&format!("{member}: expected a member that every document")), "{found}");
    }
    let text = good.to_string();
    for end in [0, 1, text.len() / 2, text.len() - 1] {
        assert!(read(text[..end].to_owned()).unwrap_err().contains("no JSON of"), "cut at {end}");
    }
    assert!(matches!(
        SecretDocument::read(&file(vec![b' '; (16 << 20) + 1])),
        Err(DocumentError::Format(FormatError::TooLarge { .. }))
    ));
}

#[test]
fn numbers_of_shares_are_in_range() {
    let point = "00".repeat(48);
    let shared = |signers: Value, coefficients: Value| {
        let document = json!({ "format": ThresholdDocument::KIND, "version": 1, "variant": "min-pk",
            "signers": signers, "coefficients": coefficients });
        ThresholdDocument::read(&file(document.to_string())).map_err(|why| why.to_string())
    };
    assert!(shared(json!(2), json!([point, point])).is_ok());
    for (signers, coefficients, said) in [
        (json!(1), json!([point, point]), "signers: expected a number not below"),
        (json!(65536), json!([point]), "no JSON of"),
        (json!(1), json!([]), "coefficients: expected 1 to 65535 points"),
        (json!(1), json!([point, "00"]), "coefficients[1]: expected 48 bytes"),
    ] {
        let found = shared(signers, coefficients).unwrap_err();
        assert!(found.contains(said), "{found}");
    }
    let suite = Ciphersuite { variant: MIN_PK, scheme: Scheme::Basic };
    let zero = PartialDocument { suite, index: 0, signature: vec![0; 96] };
    let found = PartialDocument::read(&file(written(|out| zero.write(out)))).unwrap_err().to_string();
    assert!(found.contains("index: expected the number of a signer"), "{found}");
    let swapped = SignatureDocument::read(&file(written(|out| zero.write(out)))).unwrap_err();
    assert!(matches!(swapped, DocumentError::Kind { .. }));
}

#[path = "../../../../fuzz/properties/signatures.rs"]
mod signatures;

/// Checks the fuzzing property of `fuzz/` on keystores, documents and test cases, and on modified ones.
#[test]
fn readers_take_files_of_their_kind_and_refuse_others() {
    let suite = Ciphersuite { variant: MIN_PK, scheme: Scheme::Basic };
    let point = key().public_key::<MinPk>().to_bytes();
    let signature = key().sign::<MinPk>(suite.scheme, b"m").to_bytes();
    let public = PublicDocument { variant: MIN_PK, key: point.clone(), proof: Some(signature.clone()) };
    let signed = SignatureDocument { suite, signature: signature.clone() };
    let part = PartialDocument { suite, index: 7, signature };
    let coefficients = vec![point];
    let shared = ThresholdDocument { variant: MIN_PK, signers: 9, coefficients: coefficients.clone() };
    let share = ShareDocument { variant: MIN_PK, index: 7, key: key(), coefficients };
    for good in [
        crate::common::bytes("keystore/scrypt.json"),
        crate::common::bytes("keystore/pbkdf2.json"),
        crate::common::bytes("eip2537/fail-map_fp_to_G1_bls.json"),
        written(|out| secret().write(out)),
        written(|out| public.write(out)),
        written(|out| signed.write(out)),
        written(|out| part.write(out)),
        written(|out| shared.write(out)),
        written(|out| share.write(out)),
    ] {
        let good = good.trim_ascii_end();
        assert_eq!(signatures::signatures(good), 1, "one reader takes it");
        for at in (0..good.len()).step_by(good.len() / 60 + 1) {
            let mut changed = good.to_vec();
            changed[at] ^= 1 << (at % 8);
            signatures::signatures(&changed);
            assert_eq!(signatures::signatures(&good[..at]), 0, "{at} bytes");
        }
    }
    // Inputs of precompile calls, which are not documents.
    for length in [0, 64, 96, 128, 160, 192, 256, 384] {
        assert_eq!(signatures::signatures(&vec![0; length]), 0);
    }
}
