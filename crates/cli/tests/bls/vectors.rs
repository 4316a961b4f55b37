//! Ethereum's cases of BLS signatures (min-pk, with proofs of possession), through the command.

use super::bench;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The cases of a folder by their names: those of the repository, and those of the public set where it is there.
fn cases(folder: &str) -> BTreeMap<String, Value> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/bls").join(folder);
    let public =
        std::env::var_os("PAIRWRIGHT_VECTORS").map(|root| Path::new(&root).join("public/bls").join(folder));
    let folders = [Some(ours), public.filter(|folder| folder.exists())].into_iter().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let read = files.map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&fs::read(&path).unwrap()).unwrap())
    });
    read.collect()
}

fn bytes(value: &Value) -> Vec<u8> {
    pairwright::formats::from_hex(value.as_str().unwrap()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn list(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(text).collect()
}

#[test]
fn signatures_and_aggregates_are_ethereums() {
    let b = bench();
    for (name, case) in cases("sign") {
        b.write("k.hex", text(&case["input"]["privkey"]));
        b.write("m", bytes(&case["input"]["message"]));
        match case["output"].as_str() {
            Some(expected) => {
                assert_eq!(format!("0x{}", b.ok("bls sign k.hex m --scheme pop").trim()), expected, "{name}")
            }
            None => drop(b.fails(2, "bls sign k.hex m --scheme pop")),
        }
    }
    for (name, case) in cases("aggregate") {
        let line = format!("bls aggregate --scheme pop {}", list(&case["input"]).join(" "));
        match case["output"].as_str() {
            Some(expected) => assert_eq!(format!("0x{}", b.ok(&line).trim()), expected, "{name}"),
            None => assert_eq!(b.run(&line).status.code(), Some(2), "{name}"),
        }
    }
}

/// Whether the command accepts; if not, it must be a rejection or bad input, and not an internal error.
fn accepts(b: &crate::common::Bench, line: &str) -> bool {
    let code = b.run(line).status.code();
    assert!([Some(0), Some(1), Some(2)].contains(&code), "{line}");
    code == Some(0)
}

#[test]
fn verdicts_are_ethereums() {
    let b = bench();
    let mut seen = [0, 0];
    let mut expect = |name: &str, case: &Value, found: bool| {
        assert_eq!(case["output"], found, "{name}");
        seen[usize::from(found)] += 1;
    };
    for (name, case) in cases("verify") {
        let input = &case["input"];
        b.write("m", bytes(&input["message"]));
        let (key, signature) = (text(&input["pubkey"]), text(&input["signature"]));
        expect(&name, &case, accepts(&b, &format!("bls verify {key} m {signature} --scheme pop")));
    }
    for (name, case) in cases("fast_aggregate_verify") {
        let input = &case["input"];
        b.write("m", bytes(&input["message"]));
        let (keys, signature) = (list(&input["pubkeys"]).join(" "), text(&input["signature"]));
        expect(
            &name,
            &case,
            accepts(&b, &format!("bls fast-aggregate-verify m {signature} {keys} --proved")),
        );
    }
    for (name, case) in cases("aggregate_verify") {
        let input = &case["input"];
        let mut lines = String::new();
        for (index, (key, message)) in
            list(&input["pubkeys"]).iter().zip(list(&input["messages"])).enumerate()
        {
            b.write(&format!("m{index}"), pairwright::formats::from_hex(&message).unwrap());
            lines += &format!("{key} m{index}\n");
        }
        b.write("list", lines);
        let line = format!("bls aggregate-verify list {} --scheme pop --proved", text(&input["signature"]));
        expect(&name, &case, accepts(&b, &line));
    }
    for (name, case) in cases("batch_verify") {
        let input = &case["input"];
        let (keys, signatures) = (list(&input["pubkeys"]), list(&input["signatures"]));
        let mut lines = String::new();
        for (index, message) in list(&input["messages"]).iter().enumerate() {
            b.write(&format!("m{index}"), pairwright::formats::from_hex(message).unwrap());
            lines += &format!("{} m{index} {}\n", keys[index], signatures[index]);
        }
        b.write("list", lines);
        expect(&name, &case, accepts(&b, "bls batch-verify list --scheme pop"));
    }
    assert!(seen[0] >= 3 && seen[1] >= 1, "{seen:?}");
}
