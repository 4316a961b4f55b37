//! Files that are encrypted to rounds and to identities: drand's own, files encrypted and decrypted here, and refused inputs.

use crate::common::Bench;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const SCHEMES: [&str; 4] = [
    "pedersen-bls-unchained",
    "bls-unchained-on-g1",
    "bls-unchained-g1-rfc9380",
    "bls-bn254-unchained-on-g1",
];

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn case(scheme: &str) -> Value {
    let path = root("vectors/tlock").join(format!("{scheme}.json"));
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A folder with a chain of a scheme, its beacon, a file that kyber and age have encrypted, and a text.
fn bench(scheme: &str) -> (Bench, Value) {
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    let case = case(scheme);
    b.write("chain.json", case["info"].to_string());
    b.write("beacon.json", case["beacon"].to_string());
    b.write("raw", case["beacon"]["signature"].as_str().unwrap());
    b.write("next", json!({ "round": 123_456_790, "signature": case["next_signature"] }).to_string());
    b.write("theirs.age", fs::read(root("vectors/tlock").join(format!("{scheme}.age"))).unwrap());
    b.write("letter.txt", "until then\n");
    (b, case)
}

#[test]
fn files_of_drand_are_read_and_ours_are_its() {
    for scheme in SCHEMES {
        let (b, case) = bench(scheme);
        b.ok("tlock decrypt theirs.age --chain chain.json --beacon beacon.json -o theirs.txt");
        assert_eq!(b.read("theirs.txt"), case["text"].as_str().unwrap().as_bytes(), "{scheme}");
        b.ok("tlock encrypt letter.txt --chain chain.json --round 123456789 -o ours.age");
        b.ok("tlock encrypt letter.txt --chain chain.json --round 123456789 --armor -o armored.age");
        assert!(b.read("armored.age").starts_with(b"-----BEGIN AGE ENCRYPTED FILE-----\n"));
        for (file, beacon) in [("ours.age", "beacon.json"), ("ours.age", "raw"), ("armored.age", "raw")] {
            b.ok(&format!("tlock decrypt {file} --chain chain.json --beacon {beacon} -o back.txt"));
            assert_eq!(b.read("back.txt"), b.read("letter.txt"));
        }
        // The pairings run on another machine; those of BLS12-381 on the modelled chip, with its cycles.
        let device = if scheme.contains("bn254") { "reference" } else { "chip" };
        let on = format!("--device {device} --report costs.json --json");
        let encrypted =
            b.ok(&format!("tlock encrypt letter.txt --chain chain.json --round 123456789 -o on.age {on}"));
        let decrypted =
            b.ok(&format!("tlock decrypt on.age --chain chain.json --beacon raw -o back.txt {on}"));
        assert_eq!(b.read("back.txt"), b.read("letter.txt"));
        for said in [encrypted, decrypted] {
            let said: Value = serde_json::from_str(&said).unwrap();
            let operators = said["report"]["operators"].as_array().unwrap();
            let pairing = operators.iter().find(|o| o["operator"] == "multi_pairing").unwrap();
            assert_eq!(pairing["cycles"].is_u64(), device == "chip", "{said}");
        }
    }
}

/// Round 1000 of a network that no longer runs: the chain as it was served, and a file of another program.
#[test]
fn a_network_that_was() {
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    let case: Value =
        serde_json::from_slice(&fs::read(root("vectors/tlock/fastnet_1000.json")).unwrap()).unwrap();
    b.write(
        "chain.json",
        json!({
            "public_key": case["public_key"], "period": 3, "genesis_time": 1_677_685_200,
            "hash": case["chain_hash"], "schemeID": "bls-unchained-on-g1",
            "groupHash": "a81e9d63f614ccdb144b8ff79fbd4d5a2d22055c0bfe4ee9a8092003dab1c6c0",
            "metadata": { "beaconID": "fastnet" },
        })
        .to_string(),
    );
    b.write("beacon", case["signature"].as_str().unwrap());
    b.write("file.age", fs::read(root("vectors/tlock/fastnet_1000.age")).unwrap());
    b.ok("tlock decrypt file.age --chain chain.json --beacon beacon -o text");
    assert_eq!(b.read("text"), [0; 100]);
    let object: Value = serde_json::from_str(
        &b.ok("tlock encrypt text --chain chain.json --time 2023-03-01T16:29:55Z -o again.age --json"),
    )
    .unwrap();
    assert_eq!((&object["round"], &object["time"]), (&json!(1000), &json!("2023-03-01T16:29:57Z")));
}

#[test]
fn what_tlock_refuses() {
    let (b, case) = bench("bls-unchained-g1-rfc9380");
    b.ok("tlock encrypt letter.txt --chain chain.json --round 123456789 -o ours.age");
    let decrypt = |code, file: &str, beacon: &str| {
        let said =
            b.fails(code, &format!("tlock decrypt {file} --chain chain.json --beacon {beacon} -o out.txt"));
        assert!(!b.path("out.txt").exists(), "nothing is written: {said}");
        said
    };
    // Beacons of other rounds and of other keys, and one that is not a signature.
    let said = decrypt(2, "ours.age", "next");
    assert!(said.contains("ours.age: encrypted to round 123456789 (due at 2035-08-10"), "{said}");
    assert!(said.contains("the beacon is of round 123456790"), "{said}");
    b.write("early", json!({ "round": 5, "signature": case["beacon"]["signature"] }).to_string());
    assert!(decrypt(2, "ours.age", "early").contains("which comes before: the round is not reached"));
    b.write("lie", json!({ "round": 123_456_789, "signature": case["next_signature"] }).to_string());
    for beacon in ["lie", "raw-next"] {
        b.write("raw-next", case["next_signature"].as_str().unwrap());
        let said = decrypt(1, "ours.age", beacon);
        assert!(
            said.contains("the signature is not that of round 123456789") && said.contains(beacon),
            "{said}"
        );
    }
    let infinity = format!("c0{}", "00".repeat(47));
    // A point of the curve outside of the subgroup: (0, 2), whose order is three.
    let torsion = format!("80{}", "00".repeat(47));
    for (signature, code, why) in [
        (infinity.as_str(), 1, "the signature is not that of round"),
        (torsion.as_str(), 2, "not in the prime-order subgroup"),
        ("00", 2, "expected 48 bytes, found 1"),
        ("", 2, "expected the JSON of a beacon, or its signature in hexadecimal"),
        ("{}", 2, "missing field `round`"),
    ] {
        b.write("wrong", signature);
        assert!(decrypt(code, "ours.age", "wrong").contains(why), "{signature}");
    }
    // Documents of other chains, and changed ones.
    let chain = case["info"].clone();
    let with = |member: &str, value: Value| {
        let mut chain = chain.clone();
        chain[member] = value;
        b.write("other.json", chain.to_string());
        b.fails(2, "tlock decrypt ours.age --chain other.json --beacon beacon.json -o out.txt")
    };
    assert!(
        with("period", 4.into()).contains("other.json: chain_hash: the hash of this document's members is")
    );
    assert!(with("scheme", "pedersen-bls-chained".into()).contains("scheme `pedersen-bls-chained`"));
    assert!(with("public_key", "00".into()).contains("public_key: expected a key of the scheme"));
    let mut other = chain.clone();
    other["beacon_id"] = "other".into();
    other.as_object_mut().unwrap().remove("chain_hash");
    b.write("other.json", other.to_string());
    let said = b.fails(2, "tlock decrypt ours.age --chain other.json --beacon beacon.json -o out.txt");
    assert!(said.contains("encrypted to chain ") && said.contains("and --chain is "), "{said}");
    other["public_key"] = format!("c0{}", "00".repeat(95)).into();
    b.write("other.json", other.to_string());
    let said = b.fails(2, "tlock encrypt letter.txt --chain other.json --round 7 -o out.txt");
    assert!(said.contains("public_key: the neutral element is not a valid public key"), "{said}");
    // Numbers that are not rounds.
    for round in ["0", "18446744073709551615"] {
        let said =
            b.fails(2, &format!("tlock encrypt letter.txt --chain chain.json --round {round} -o out.txt"));
        assert!(said.contains("is not a round of this chain"), "{said}");
    }
    for line in ["", "--round x", "--time yesterday", "--duration 5", "--round 5 --duration 5m"] {
        let out = b.run(&format!("tlock encrypt letter.txt --chain chain.json {line} -o out.txt"));
        assert_eq!(out.status.code(), Some(2), "{line}");
    }
    // A file for a past round can be read at once, of which the command warns.
    let out = b.run("tlock encrypt letter.txt --chain chain.json --round 1 -o old.age");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("round 1 was due at 2023-11-14T22:13:20Z"), "{said}");
}

#[test]
fn what_is_wrong_with_a_file() {
    let (b, _) = bench("bls-unchained-g1-rfc9380");
    b.write("long.txt", vec![7; 200_000]);
    b.ok("tlock encrypt long.txt --chain chain.json --round 123456789 -o ours.age");
    let file = b.read("ours.age");
    let end = file.windows(4).position(|w| w == b"--- ").unwrap();
    let text = String::from_utf8(file[..end].to_vec()).unwrap();
    let decrypt = |code, bytes: &[u8]| {
        b.write("wrong.age", bytes);
        let said =
            b.fails(code, "tlock decrypt wrong.age --chain chain.json --beacon beacon.json -o out.txt");
        assert!(!b.path("out.txt").exists() && said.contains("wrong.age"), "{said}");
        let left = fs::read_dir(b.dir.path()).unwrap().map(|e| e.unwrap().file_name());
        assert!(left.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "nothing is left");
        said
    };
    let with = |from: &str, to: &str| [text.replacen(from, to, 1).as_bytes(), &file[end..]].concat();
    let grease = with("-> tlock", "-> grease 1 2 3\nAAAA\n-> tlock");
    for (code, bytes, why) in [
        (2, file[..100].to_vec(), "the file ends where"),
        (2, file[..end + 60].to_vec(), "the file ends where the nonce of the payload should be"),
        (2, file[..end + 48 + 16 + 65_552].to_vec(), "the payload was cut off: piece 1"),
        (1, file[..file.len() - 1].to_vec(), "piece 3 of the payload was changed"),
        (1, grease, "the header was changed"),
        (
            2,
            with("-> tlock", "-> X25519"),
            "no part of this file is for rounds of a beacon (tlock); its stanzas: X25519",
        ),
        (
            2,
            with("tlock 123456789", "tlock +12345678"),
            "names `+12345678`, which is not the number of a round",
        ),
        (2, with("tlock 123456789", "tlock 0"), "names `0`"),
        (2, with("tlock 123456789", "tlock 123456788"), "the beacon is of round 123456789"),
        (2, with("age-encryption.org/v1", "age-encryption.org/v3"), "not a file of age"),
        (2, vec![], "not a file of age"),
    ] {
        let said = decrypt(code, &bytes);
        assert!(said.contains(why), "{why}: {said}");
    }
    // Ciphertexts with a changed byte, another length, exchanged parts, or an invalid point.
    let at = text.rfind("-> tlock").unwrap();
    let at = at + text[at..].find('\n').unwrap() + 1;
    let body: String = text[at..].split_whitespace().collect();
    let bytes = unbase64(&body);
    assert_eq!(bytes.len(), 128);
    let stanza = |body: &[u8]| {
        let digits = base64(body);
        let mut lines: Vec<&str> =
            digits.as_bytes().chunks(64).map(|l| std::str::from_utf8(l).unwrap()).collect();
        if lines.last().is_none_or(|last| last.len() == 64) {
            lines.push("");
        }
        [format!("{}{}\n", &text[..at], lines.join("\n")).as_bytes(), &file[end..]].concat()
    };
    assert_eq!(stanza(&bytes), file);
    let changed = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    let swapped = [&bytes[..96], &bytes[112..], &bytes[96..112]].concat();
    let neutral = [&[0xc0][..], &[0; 95], &bytes[96..]].concat();
    // A small x-coordinate: if it belongs to a point at all, that point is outside of the subgroup.
    let outside = (0..255u8).find_map(|i| {
        let point = [&[0x80][..], &[0; 94], &[i], &bytes[96..]].concat();
        b.write("wrong.age", stanza(&point));
        let line = "tlock decrypt wrong.age --chain chain.json --beacon beacon.json -o out.txt";
        b.fails(2, line).contains("stanza 0: BLS12-381 G2: not in the prime-order subgroup").then_some(())
    });
    assert!(outside.is_some());
    for (code, body, why) in [
        (1, changed(100), "stanza 0: the ciphertext does not belong to this key"),
        (1, changed(127), "stanza 0: the ciphertext does not belong to this key"),
        (1, swapped, "stanza 0: the ciphertext does not belong to this key"),
        (1, neutral, "stanza 0: the ciphertext does not belong to this key"),
        (2, bytes[..127].to_vec(), "stanza 0: 127 bytes are not a ciphertext"),
        (2, bytes[..126].to_vec(), "stanza 0: 126 bytes are not a ciphertext"),
        (2, [&bytes[..], &[0; 200]].concat(), "stanza 0: 328 bytes are not a ciphertext"),
        (2, vec![], "stanza 0: 0 bytes are not a ciphertext"),
        (2, vec![0xff; 128], "stanza 0: BLS12-381 G2: flag bits"),
    ] {
        let said = decrypt(code, &stanza(&body));
        assert!(said.contains(why), "{why}: {said}");
    }
}

fn unbase64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut out) = (0u32, 0, Vec::new());
    for c in text.bytes() {
        bits = bits << 6 | DIGITS.iter().position(|d| *d == c).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |chunk: &[u8]| {
        let word = (0..3).fold(0u32, |word, i| word << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
        (0..=chunk.len())
            .map(move |i| char::from(DIGITS[(word >> (18 - 6 * i)) as usize & 63]))
            .collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

#[test]
fn several_stanzas_are_looked_through() {
    let (b, _) = bench("bls-unchained-g1-rfc9380");
    // A file for an unknown recipient, for another chain, for the next round and for this one: either round's beacon opens it.
    b.write("several.age", fs::read(root("vectors/tlock/several.age")).unwrap());
    for beacon in ["beacon.json", "raw", "next"] {
        b.ok(&format!("tlock decrypt several.age --chain chain.json --beacon {beacon} -o out.txt"));
        assert_eq!(b.read("out.txt"), b"one of several stanzas\n");
    }
    b.write("early", "{\"round\": 1, \"signature\": \"00\"}");
    let said = b.fails(2, "tlock decrypt several.age --chain chain.json --beacon early -o out.txt");
    assert!(said.contains("signature: BLS12-381 G1: expected 48 bytes, found 1"), "{said}");
}

#[test]
fn identities() {
    for variant in ["min-sig", "min-pk"] {
        let b = Bench { dir: tempfile::tempdir().unwrap() };
        b.write("letter.txt", "for your eyes\n");
        b.ok(&format!("ibe setup --key master.json --public public.json --variant {variant}"));
        b.ok("ibe extract master.json --identity alice -o alice.json");
        b.ok("ibe extract master.json --identity-hex 626f62 -o bob.json");
        b.ok("ibe extract master.json --identity eve -o eve.json");
        b.ok("ibe encrypt letter.txt --public public.json --identity alice --identity bob -o letter.age");
        b.ok("ibe encrypt letter.txt --public public.json --identity-hex 616c696365 --armor -o armored.age");
        for (file, key) in [("letter", "alice"), ("letter", "bob"), ("armored", "alice")] {
            b.ok(&format!("ibe decrypt {file}.age --key {key}.json -o back.txt"));
            assert_eq!(b.read("back.txt"), b.read("letter.txt"));
        }
        // Files do not name their identities.
        assert!(!String::from_utf8_lossy(&b.read("letter.age")).contains("alice"));
        let said = b.fails(1, "ibe decrypt letter.age --key eve.json -o no.txt");
        assert!(said.contains("letter.age: not encrypted to the identity of this key"), "{said}");
        assert!(!b.path("no.txt").exists());
        #[cfg(unix)]
        for name in ["master.json", "alice.json", "back.txt"] {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        }
        // Another master key, found by its name; and a key whose document names another identity or master key.
        b.ok(&format!("ibe setup --key master2.json --public public2.json --variant {variant}"));
        b.ok("ibe extract master2.json --identity alice -o alice2.json");
        let said = b.fails(2, "ibe decrypt letter.age --key alice2.json -o no.txt");
        assert!(said.contains("letter.age: encrypted under the master key "), "{said}");
        let before = b.read("master.json");
        let said = b.fails(2, "ibe setup --key master.json --public public3.json");
        assert!(said.contains("master.json: there is a file already"), "{said}");
        assert_eq!((b.read("master.json"), b.path("public3.json").exists()), (before, false));
        let mut mixed = b.json("alice.json");
        mixed["key"] = b.json("bob.json")["key"].clone();
        b.write("mixed.json", mixed.to_string());
        let said = b.fails(2, "ibe decrypt letter.age --key mixed.json -o no.txt");
        assert!(
            said.contains("mixed.json: the key is not that of this identity under this master key"),
            "{said}"
        );
    }
}

#[test]
fn documents_of_identities_are_read_strictly() {
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    b.write("letter.txt", "for your eyes\n");
    b.ok("ibe setup --key master.json --public public.json");
    b.ok("ibe extract master.json --identity alice -o alice.json");
    b.ok("ibe encrypt letter.txt --public public.json --identity alice -o letter.age");
    let secret = b.json("master.json")["secret"].as_str().unwrap().to_owned();
    let extract = |member: &str, value: Value| {
        let mut master = b.json("master.json");
        master[member] = value;
        b.write("wrong.json", master.to_string());
        let said = b.fails(2, "ibe extract wrong.json --identity alice -o no.json");
        assert!(!said.contains(&secret[..16]), "nothing secret is said: {said}");
        said
    };
    assert!(extract("kind", "other".into()).contains("expected the document `pairwright ibe master key`"));
    assert!(extract("version", 2.into()).contains("version 2 of"));
    assert!(extract("variant", "bn254".into()).contains("variant: expected bls12381-min-sig"));
    assert!(extract("secret", 7.into()).contains("members of"));
    assert!(extract("secret", secret[..62].into()).contains("secret: expected 32 bytes"));
    assert!(
        extract("secret", format!("{}zz", &secret[..62]).into())
            .contains("secret: expected bytes in hexadecimal")
    );
    for none in ["00".repeat(32), "ff".repeat(32)] {
        assert!(extract("secret", none.into()).contains("secret: not a secret key"));
    }
    let said = b.fails(2, "ibe extract public.json --identity alice -o no.json");
    assert!(said.contains("public.json: expected the document `pairwright ibe master key`"), "{said}");
    let mut public = b.json("public.json");
    public["public_key"] = format!("c0{}", "00".repeat(95)).into();
    b.write("wrong.json", public.to_string());
    let said = b.fails(2, "ibe encrypt letter.txt --public wrong.json --identity alice -o no.age");
    assert!(said.contains("wrong.json: public_key: the neutral element"), "{said}");
    for wrong in ["--identity-hex 0", "--identity-hex xx"] {
        let said = b.fails(2, &format!("ibe encrypt letter.txt --public public.json {wrong} -o no.age"));
        assert!(said.contains("--identity-hex: an identity has at least one byte"), "{said}");
    }
    // A stanza of a later version, and a file without stanzas of this command.
    let file = String::from_utf8_lossy(&b.read("letter.age")).into_owned();
    assert!(file.contains("-> pairwright-ibe 1 bls12381-min-sig "));
    let bytes = b.read("letter.age");
    let with = |from: &[u8], to: &[u8]| {
        let at = bytes.windows(from.len()).position(|w| w == from).unwrap();
        b.write("wrong.age", [&bytes[..at], to, &bytes[at + from.len()..]].concat());
        b.fails(2, "ibe decrypt wrong.age --key alice.json -o no.txt")
    };
    assert!(with(b"pairwright-ibe 1", b"pairwright-ibe 2").contains("stanza 0 is of version `2`"));
    assert!(with(b"pairwright-ibe 1", b"ssh-ed25519 1").contains("its stanzas: ssh-ed25519"));
}

/// Runs the lines of a text that are commands of `pairwright`.
fn run_lines(b: &Bench, text: &str) -> usize {
    let lines: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("pairwright ")).collect();
    for line in &lines {
        b.ok(line);
    }
    lines.len()
}

#[test]
fn the_examples_of_the_help_run() {
    let (b, _) = bench("bls-unchained-g1-rfc9380");
    let help = |b: &Bench, command: &str| {
        let text = b.ok(&format!("{command} --help"));
        text[text.find("Examples:").unwrap()..].to_owned()
    };
    assert_eq!(run_lines(&b, &help(&b, "tlock")), 4);
    assert_eq!(b.read("letter.txt"), b"until then\n");
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    b.write("letter.txt", "for your eyes\n");
    assert_eq!(run_lines(&b, &help(&b, "ibe")), 4);
    assert_eq!(b.read("letter.txt"), b"for your eyes\n");
}

#[test]
fn the_commands_of_the_book_run() {
    let page = fs::read_to_string(root("docs/book/src/howto/timelock.md")).unwrap();
    let (b, _) = bench("bls-unchained-g1-rfc9380");
    let blocks: Vec<&str> =
        page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(run_lines(&b, &blocks.concat()) >= 8, "the page has commands");
    assert_eq!(b.read("back.txt"), b.read("letter.txt"));
}
