//! BBS signatures: accepted inputs, and refused ones with their exit codes.

use super::{assert_private, change, run_help};
use crate::common::Bench;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const MESSAGES: &str =
    r#"{"type":"pairwright bbs messages","version":1,"header":"h","messages":["a","b","","d"]}"#;

/// A folder with a key, messages, their signature, and a proof of the second message.
fn bench() -> Bench {
    let b = Bench::cube("bn128");
    b.write("messages.json", MESSAGES);
    b.ok("bbs keygen -o secret.json --public public.json");
    b.ok("bbs sign secret.json messages.json -o signature.json");
    b.ok("bbs prove public.json messages.json signature.json --disclose 1 --presentation-header 5eed -o proof.json");
    b
}

const VERIFY: &str = "bbs verify public.json messages.json signature.json";

#[test]
fn both_ciphersuites() {
    for suite in ["sha-256", "shake-256"] {
        let b = Bench::cube("bn128");
        b.write("messages.json", MESSAGES);
        let keygen = format!("bbs keygen --ciphersuite {suite} -o secret.json --public public.json");
        b.ok(&keygen);
        // A new secret key replaces no file.
        assert!(b.fails(2, &keygen).contains("secret.json: there is a file already"));
        b.ok("bbs sign secret.json messages.json -o signature.json");
        ["secret.json", "signature.json"].into_iter().for_each(|name| assert_private(&b, name));
        assert_eq!(b.ok("bbs pubkey secret.json -o again.json").trim(), b.json("public.json")["public_key"]);
        assert_eq!(b.read("again.json"), b.read("public.json"));
        assert!(b.ok(VERIFY).starts_with("OK: the signature of 4 messages"));
        for (disclose, indexes) in
            [("", json!([])), ("--disclose 0,3", json!([0, 3])), ("--disclose 0,1,2,3", json!([0, 1, 2, 3]))]
        {
            b.ok(&format!("bbs prove public.json messages.json signature.json {disclose} -o proof.json"));
            let said: Value =
                serde_json::from_str(&b.ok("--json bbs verify-proof public.json proof.json")).unwrap();
            let found: Vec<_> =
                said["disclosed"].as_array().unwrap().iter().map(|d| d["index"].clone()).collect();
            assert_eq!(json!(found), indexes);
            assert_eq!(said["hidden"], 4 - found.len());
            assert_eq!(said["warnings"].as_array().unwrap().len(), 1, "no presentation header was compared");
        }
    }
}

/// Verification on the modelled chip gives the same verdicts, with cycles.
#[test]
fn verification_on_the_chip() {
    let b = bench();
    let on_chip = "--device chip --set msm.window_g1=4 --report costs.json";
    let proof = "bbs verify-proof public.json proof.json --presentation-header 5eed";
    for line in [VERIFY, proof] {
        let said: Value = serde_json::from_str(&b.ok(&format!("--json {line} {on_chip}"))).unwrap();
        let operators = said["report"]["operators"].as_array().unwrap();
        for name in ["msm_g1", "multi_pairing"] {
            assert!(
                operators.iter().any(|o| o["operator"] == name && o["cycles"].is_u64()),
                "{line}: {name}"
            );
        }
        assert!(b.ok(&format!("{line} {on_chip}")).contains("modelled, chip: "), "{line}");
    }
    b.write("messages.json", MESSAGES.replace("\"d\"", "\"e\""));
    b.fails(1, &format!("{VERIFY} {on_chip}"));
}

/// The draft's own key and signature, read from documents.
#[test]
fn the_fixtures_of_the_draft() {
    for (suite, name) in [("sha-256", "bls12-381-sha-256"), ("shake-256", "bls12-381-shake-256")] {
        let b = Bench::cube("bn128");
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/bbs").join(name);
        let fixture =
            |file: &str| -> Value { serde_json::from_slice(&fs::read(vectors.join(file)).unwrap()).unwrap() };
        let bytes = |hex: &Value| {
            let hex = hex.as_str().unwrap();
            let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
            (0..hex.len()).step_by(2).map(byte).collect::<Vec<u8>>()
        };
        let pair = fixture("keypair.json");
        let material = bytes(&pair["keyMaterial"]);
        b.write("material", &material);
        let info = String::from_utf8(bytes(&pair["keyInfo"])).unwrap();
        assert!(!info.contains(' '), "a word of a command line");
        b.ok(&format!("bbs keygen --ciphersuite {suite} --material material --info {info} -o secret.json --public public.json"));
        assert_eq!(b.json("secret.json")["secret_key"], pair["keyPair"]["secretKey"]);
        assert_eq!(b.json("public.json")["public_key"], pair["keyPair"]["publicKey"]);
        let case = fixture("signature/signature004.json");
        let messages = json!({
            "type": "pairwright bbs messages", "version": 1, "encoding": "hex",
            "header": case["header"], "messages": case["messages"],
        });
        b.write("messages.json", messages.to_string());
        b.ok("bbs sign secret.json messages.json -o signature.json");
        assert_eq!(b.json("signature.json")["signature"], case["signature"]);
        let case = fixture("proof/proof003.json");
        let all = case["messages"].as_array().unwrap();
        let shown = case["disclosedIndexes"].as_array().unwrap().iter();
        let shown: Vec<Value> =
            shown.map(|i| json!({ "index": i, "message": all[i.as_u64().unwrap() as usize] })).collect();
        let proof = json!({
            "type": "pairwright bbs proof", "version": 1, "encoding": "hex",
            "ciphersuite": b.json("public.json")["ciphersuite"], "header": case["header"],
            "presentation_header": case["presentationHeader"], "disclosed": shown, "proof": case["proof"],
        });
        b.write("proof.json", proof.to_string());
        let header = case["presentationHeader"].as_str().unwrap();
        b.ok(&format!("bbs verify-proof public.json proof.json --presentation-header {header}"));
    }
}

#[test]
fn what_is_not_as_it_was_signed_is_rejected() {
    let b = bench();
    let proved = "bbs verify-proof public.json changed.json --presentation-header 5eed";
    b.ok("bbs verify-proof public.json proof.json --presentation-header 0x5eed");
    for (member, value) in [
        ("header", json!("another")),
        ("disclosed", json!([{ "index": 1, "message": "c" }])),
        ("disclosed", json!([{ "index": 2, "message": "b" }])),
        ("disclosed", json!([])),
        ("disclosed", json!([{ "index": 0, "message": "a" }, { "index": 1, "message": "b" }])),
    ] {
        change(&b, "proof.json", member, value);
        assert!(b.fails(1, proved).contains("the challenge is not that of the proof's contents"), "{member}");
    }
    let said = b.fails(1, "bbs verify-proof public.json proof.json --presentation-header 00");
    assert!(said.contains("presentation header 5eed, where 00 is wanted"), "{said}");
    change(&b, "proof.json", "presentation_header", json!("5eee"));
    b.fails(1, "bbs verify-proof public.json changed.json --presentation-header 5eee");
    for (member, value) in [
        ("header", json!("another")),
        ("messages", json!(["a", "b", "", "e"])),
        ("messages", json!(["a", "b", ""])),
    ] {
        change(&b, "messages.json", member, value);
        let said = b.fails(1, "bbs verify public.json changed.json signature.json");
        assert!(said.contains("the pairing equation does not hold"), "{said}");
        // `bbs prove` refuses an invalid signature.
        b.fails(1, "bbs prove public.json changed.json signature.json -o new.json");
        assert!(!b.path("new.json").exists());
    }
    b.ok("bbs keygen -o other.json --public other-public.json");
    b.fails(1, "bbs verify other-public.json messages.json signature.json");
    b.fails(1, "bbs verify-proof other-public.json proof.json");
    // Points outside of the subgroup, and the neutral element.
    let neutral = |bytes: usize| format!("c0{}", "00".repeat(bytes - 1));
    for (file, member, bytes, line) in [
        ("public.json", "public_key", 96, "bbs verify changed.json messages.json signature.json"),
        ("signature.json", "signature", 48, "bbs verify public.json messages.json changed.json"),
        ("proof.json", "proof", 48, proved),
    ] {
        let text = b.json(file)[member].as_str().unwrap().to_owned();
        change(&b, file, member, json!(neutral(bytes) + &text[2 * bytes..]));
        assert!(b.fails(1, line).contains("is the neutral element"), "{file}");
        change(&b, file, member, json!("9f".repeat(bytes) + &text[2 * bytes..]));
        b.fails(1, line);
        for wrong in [&text[2..], &format!("{text}00"), ""] {
            change(&b, file, member, json!(wrong));
            b.fails(2, line);
        }
        change(&b, file, member, json!(format!("{}zz", &text[2..])));
        assert!(b.fails(2, line).contains("bytes in hexadecimal are needed"));
    }
}

#[test]
fn bad_input_is_said_in_a_line() {
    let b = bench();
    b.write("short", [1; 31]);
    b.write("cut.json", &b.read("secret.json")[..90]);
    b.write("words.json", "no document");
    change(
        &b,
        "proof.json",
        "disclosed",
        json!([{ "index": 1, "message": "b" }, { "index": 0, "message": "a" }]),
    );
    for (line, said) in [
        (
            "bbs verify-proof public.json changed.json",
            "disclosed index 0 at position 1 is not above the one before it",
        ),
        (
            "bbs prove public.json messages.json signature.json --disclose 2,1 -o new.json",
            "is not above the one before",
        ),
        (
            "bbs prove public.json messages.json signature.json --disclose 1,1 -o new.json",
            "is not above the one before",
        ),
        (
            "bbs prove public.json messages.json signature.json --disclose 4 -o new.json",
            "disclosed index 4 of 4 messages",
        ),
        (
            "bbs prove public.json messages.json signature.json --presentation-header xyz -o new.json",
            "--presentation-header: bytes in hex",
        ),
        (
            "bbs verify-proof public.json proof.json --presentation-header 5",
            "--presentation-header: bytes in hex",
        ),
        ("bbs keygen --material short -o new.json", "31 bytes of key material, at least 32"),
        (
            "bbs sign public.json messages.json -o new.json",
            "a document of another type, a pairwright bbs secret key is wanted",
        ),
        ("bbs verify secret.json messages.json signature.json", "a pairwright bbs public key is wanted"),
        ("bbs verify public.json signature.json messages.json", "a pairwright bbs messages is wanted"),
        ("bbs pubkey cut.json", "cut.json: no JSON of a pairwright bbs secret key: line"),
        ("bbs pubkey words.json", "words.json: no JSON of a pairwright bbs secret key: line 1"),
        ("bbs pubkey missing.json", "missing.json"),
        ("bbs sign secret.json messages.json -o secret.json", "one of them would be lost"),
    ] {
        let found = b.fails(2, line);
        assert!(found.contains(said), "{line}: {found}");
        assert!(!b.path("new.json").exists(), "{line}");
    }
    for (member, value, said) in [
        ("version", json!(2), "version 2 of a pairwright bbs secret key, version 1 is known"),
        ("more", json!(1), "no JSON of a pairwright bbs secret key"),
        ("ciphersuite", json!("BBS"), "ciphersuite: no ciphersuite that is known"),
        ("secret_key", json!("00".repeat(32)), "not a secret key"),
        ("secret_key", json!("ff".repeat(32)), "not a secret key"),
        ("secret_key", json!(5), "no JSON of a pairwright bbs secret key"),
    ] {
        change(&b, "secret.json", member, value);
        let found = b.fails(2, "bbs sign changed.json messages.json -o new.json");
        assert!(found.contains(said) && !found.contains("ffff"), "{member}: {found}");
    }
    // A signature of the other ciphersuite.
    change(&b, "signature.json", "ciphersuite", json!("BBS_BLS12381G1_XOF:SHAKE-256_SSWU_RO_"));
    let found = b.fails(2, "bbs verify public.json messages.json changed.json");
    assert!(
        found.contains("SHAKE-256_SSWU_RO_, where BBS_BLS12381G1_XMD:SHA-256_SSWU_RO_ of the key is wanted"),
        "{found}"
    );
}

#[test]
fn the_examples_of_the_help_and_of_the_book_run() {
    let b = Bench::cube("bn128");
    b.write("messages.json", MESSAGES);
    run_help(&b, "bbs", 5);
    #[cfg(unix)]
    {
        let said = super::run_page(&Bench::cube("bn128"), "bbs.md");
        assert_eq!(said.len(), 3);
        assert!(said[1].contains("it discloses 1 messages and hides 2\n1: \"1815-12-10\""), "{said:?}");
    }
}
