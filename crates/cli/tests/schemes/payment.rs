//! Regulated payments: the examples run, and every kind of tampering is refused for its own reason.

use super::{assert_private, run_help};
use crate::common::{Bench, schema};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

const TERMS: &str =
    "--ledger ledger.json --payers payers.json --authority authority-public.json --period regulator/2026-11";

/// Runs a line that must fail with this exit code and this reason, and with one line of text.
fn refused(b: &Bench, code: i32, reason: &str, line: &str) {
    b.fails(code, line);
    let out = b.run(&format!("--json {line}"));
    let object: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(object["reason"], reason, "{line}: {object}");
}

fn pay(name: &str, note: &str, to: &str, value: u64) -> String {
    let account = name.to_lowercase();
    format!(
        "payment pay payment.zkey --account {account}.json --name {name} --note {note}.json --to {to}-address.json --value \
         {value} --fee 1 -o next.json --to-note next-to.json --change-note next-change.json {TERMS}"
    )
}

/// Two verifiers of one payment run at once: both wait while another process holds the ledger's lock, and only one records it.
fn recorded_once(b: &Bench, line: &str) {
    let lock =
        File::options().write(true).create(true).truncate(false).open(b.path("ledger.json.lock")).unwrap();
    lock.lock().unwrap();
    let mut verifiers =
        [(); 2].map(|()| b.command(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    std::thread::sleep(Duration::from_secs(1));
    for verifier in &mut verifiers {
        assert!(verifier.try_wait().unwrap().is_none(), "a verifier waits for the ledger");
    }
    lock.unlock().unwrap();
    let mut codes = verifiers.map(|mut verifier| verifier.wait().unwrap().code());
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(1)], "one records the payment, the other finds its note spent");
    assert_eq!(b.json("ledger.json")["nullifiers"].as_array().unwrap().len(), 2);
}

#[test]
fn the_examples_of_the_help_run_and_their_notes_can_be_spent_once() {
    let b = Bench::cube("bls12381");
    run_help(&b, "payment", 12);
    for name in ["alice.json", "registry.json", "alice-note.json", "bob-note.json", "alice-change.json"] {
        assert_private(&b, name);
    }
    // The same note cannot be spent again, and the same payment not be recorded again.
    refused(&b, 2, "note-spent", &pay("Alice", "alice-note", "bob", 30));
    let verify = format!("payment verify payment-vk.json payment.json {TERMS}");
    refused(&b, 1, "spent", &verify);
    // Another owner's note, a value above the note's, one that overflows, and payers that are not registered.
    refused(&b, 2, "no-note", &pay("Alice", "bob-note", "bob", 1));
    refused(&b, 2, "value", &pay("Alice", "alice-change", "bob", 69));
    refused(&b, 2, "value", &pay("Alice", "alice-change", "bob", u64::MAX));
    refused(&b, 2, "unregistered", &pay("Bob", "bob-note", "alice", 1));
    // Nothing was written; no secret replaces another one, and no address is registered under two names.
    assert!(!b.path("next.json").exists() && !b.path("next-to.json").exists());
    b.fails(2, "payment account -o alice.json --public other.json");
    let said = b.fails(2, "payment mint ledger.json --to bob-address.json --value 1 -o bob-note.json");
    assert!(said.contains("a new note replaces none"), "{said}");
    b.fails(2, &pay("Alice", "alice-change", "bob", 1).replace("next-to", "alice-note"));
    let register = "payment register registry.json --name Bob --payers payers.json --address";
    refused(&b, 2, "registered", &format!("{register} alice-address.json"));
    // A receiver can pay with his note, and a payment may spend a whole note.
    b.ok(&format!("{register} bob-address.json"));
    b.ok(&pay("Bob", "bob-note", "alice", 29));
    recorded_once(&b, &format!("payment verify payment-vk.json next.json --record {TERMS}"));
    let open = format!(
        "payment open payment-vk.json next.json --key regulator.json --registry registry.json {TERMS}"
    );
    assert_eq!(b.ok(&open).trim(), "paid by Bob");
    assert_eq!(
        (&b.json("next-to.json")["value"], &b.json("next-change.json")["value"]),
        (&json!(29), &json!(0))
    );
    // The first payment was made for the registry before this change.
    refused(&b, 1, "registry", &verify);
    // A registry without some of its published leaves.
    b.write(
        "few.json",
        json!({"type": "pairwright payment registry", "version": 1, "payers": []}).to_string(),
    );
    refused(&b, 2, "nameless", &open.replace("registry.json", "few.json"));
    // Keys of another circuit, a ledger that is full, and one that is too long.
    b.ok("setup cube.r1cs --unsafe-local -o cube.zkey");
    b.ok("vkey cube.zkey -o cube-vk.json");
    let newer = pay("Alice", "alice-change", "bob", 1).replace("next", "newer");
    refused(&b, 2, "other-circuit", &newer.replace("payment.zkey", "cube.zkey"));
    refused(&b, 2, "other-circuit", &verify.replace("payment-vk", "cube-vk"));
    let mut ledger = b.json("ledger.json");
    let note = ledger["notes"][0].clone();
    ledger["notes"].as_array_mut().unwrap().resize(4096, note.clone());
    b.write("full.json", ledger.to_string());
    refused(&b, 2, "full", "payment mint full.json --to bob-address.json --value 1 -o new.json");
    ledger["notes"].as_array_mut().unwrap().push(note);
    b.write("full.json", ledger.to_string());
    let said = b.fails(2, "payment mint full.json --to bob-address.json --value 1 -o new.json");
    assert!(said.contains("notes: 4097 numbers, there are at most 4096"), "{said}");
}

#[cfg(unix)]
#[test]
fn the_page_of_the_book_runs() {
    let said = super::run_page(&Bench::cube("bls12381"), "payment.md");
    assert!(said.last().unwrap().ends_with("paid by Alice\n"), "{said:?}");
}

#[test]
fn the_demonstration_refuses_each_for_its_own_reason_and_leaves_files_to_tamper_with() {
    let b = Bench::cube("bls12381");
    let demo: Value =
        serde_json::from_str(&b.ok("--json payment demo --device cpu,chip --keep kept")).unwrap();
    assert_eq!(schema::objections(&schema::read("payment-demo.json"), &demo), [""; 0]);
    assert_eq!(demo["processes"], true);
    let attempts = demo["tampering"].as_array().unwrap();
    let of = |by: &str| {
        let found = attempts.iter().filter(|a| a["by"] == by);
        found.map(|a| a["reason"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let set = |reasons: &[&str]| reasons.iter().map(|r| (*r).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(of("payer"), set(&["unregistered", "value"]));
    assert_eq!(of("regulator"), set(&["key-period", "other-key", "unopened"]));
    let by_verifier = [
        "authority",
        "digest",
        "document",
        "encrypted-key",
        "period",
        "proof",
        "proof-point",
        "registry",
        "root",
        "spent",
        "verification-key",
    ];
    assert_eq!(of("verifier"), set(&by_verifier));
    assert_eq!(attempts.len(), 16, "as many reasons as ways");
    let (host, chip) = (&demo["devices"][0], &demo["devices"][1]);
    for (on_host, on_chip) in host["steps"].as_array().unwrap().iter().zip(chip["steps"].as_array().unwrap())
    {
        assert_eq!(on_host["step"], on_chip["step"]);
        assert_eq!(on_host["models"], json!([]));
        assert!(on_chip["models"][0]["cycles"].as_u64().unwrap() > 30_000, "{on_chip}");
    }
    assert!(b.fails(2, "payment demo --device abacus").contains("abacus"));
    assert!(b.fails(2, "payment demo --keep kept").contains("kept: the folder is not empty"));
    tamper(&b);
}

/// In a process that embeds the library there is no command to start for each role: all roles run in that process.
#[test]
#[ignore = "full: the demonstration once more, a quarter of a minute"]
fn the_demonstration_runs_in_a_callers_process() {
    let said =
        pairwright_cli::call(&["payment", "demo", "--device", "cpu"].map(Into::into), Default::default())
            .unwrap();
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["processes"], said["tampering"].as_array().unwrap().len()), (&json!(false), 16));
}

/// Changes every member of an otherwise valid payment.
fn tamper(b: &Bench) {
    let terms =
        TERMS.split(' ').map(|w| if w.ends_with("json") { format!("kept/{w}") } else { w.to_owned() });
    let terms = terms.collect::<Vec<_>>().join(" ");
    let verify = format!("payment verify kept/payment-vk.json changed.json {terms}");
    let good = b.json("kept/spare.json");
    let change = |member: &str, value: Value| {
        let mut document = good.clone();
        document[member] = value;
        b.write("changed.json", document.to_string());
    };
    for (member, reason) in [
        ("nullifier", "proof"),
        ("to_note", "proof"),
        ("change_note", "proof"),
        ("ciphertext", "proof"),
        ("key_hash", "proof"),
        ("root", "root"),
        ("registry", "registry"),
        ("digest", "digest"),
    ] {
        change(member, json!("11".repeat(32)));
        refused(b, 1, reason, &verify);
        // A number above the modulus; no number; a number that is too short; and no member.
        change(member, json!("ff".repeat(32)));
        refused(b, 2, "document", &verify);
        for wrong in [json!("11".repeat(31)), json!("none"), json!(7), Value::Null] {
            change(member, wrong);
            refused(b, 2, "document", &verify);
        }
        let mut without = good.clone();
        without.as_object_mut().unwrap().remove(member);
        b.write("changed.json", without.to_string());
        refused(b, 2, "document", &verify);
    }
    for (member, value, code, reason) in [
        ("fee", json!(2), 1, "proof"),
        ("fee", json!(-1), 2, "document"),
        ("fee", json!("18446744073709551616"), 2, "document"),
        ("period", json!("regulator/2026-12"), 1, "period"),
        ("authority", json!("00"), 1, "authority"),
        ("verification_key", json!(""), 1, "verification-key"),
        ("encrypted_key", json!("00".repeat(160)), 1, "encrypted-key"),
        ("encrypted_key", json!(""), 1, "encrypted-key"),
        ("encrypted_key", json!("0"), 2, "document"),
        ("proof", json!({}), 2, "document"),
        ("proof", b.json("kept/payment-0.json")["proof"].clone(), 1, "proof"),
        ("version", json!(2), 2, "document"),
        ("type", json!("pairwright payment note"), 2, "document"),
        ("more", json!(1), 2, "document"),
    ] {
        change(member, value);
        refused(b, code, reason, &verify);
    }
    // The encrypted key of another payment with its matching digest, and one of another length.
    let other = b.json("kept/payment-0.json");
    let mut swapped = good.clone();
    for member in ["encrypted_key", "digest"] {
        swapped[member] = other[member].clone();
    }
    b.write("changed.json", swapped.to_string());
    refused(b, 1, "proof", &verify);
    let key = good["encrypted_key"].as_str().unwrap();
    change("encrypted_key", json!(key[..key.len() - 32]));
    refused(b, 1, "encrypted-key", &verify);
    // A file that is truncated anywhere is not a payment.
    let text = b.read("kept/spare.json");
    for length in (0..text.len() - 2).step_by(97) {
        b.write("changed.json", &text[..length]);
        refused(b, 2, "document", &verify);
    }
    // A regulator's key of another authority for the same identity.
    b.ok("ibe extract kept/own-authority.json --identity regulator/2026-11 -o other.json");
    let open = format!(
        "payment open kept/payment-vk.json kept/spare.json --registry kept/registry.json {terms} --key"
    );
    refused(b, 1, "authority", &format!("{open} other.json"));
    // Of two payments with one note, only the one that is recorded first is accepted.
    assert_eq!(b.ok(&format!("{open} kept/regulator.json")).trim(), "paid by Alice");
    b.ok(&format!("payment verify kept/payment-vk.json kept/spare.json --record {terms}"));
    refused(b, 1, "spent", &format!("payment verify kept/payment-vk.json kept/other-key.json {terms}"));
    assert_eq!(b.ok(&format!("{open} kept/regulator.json")).trim(), "paid by Alice", "recorded or not");
}
