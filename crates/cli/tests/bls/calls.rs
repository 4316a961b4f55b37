//! Hashing to curves and Ethereum's precompiled contracts from the command line.

use super::{bench, object};
use crate::common::Bench;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn vectors(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)
}

fn copy(b: &Bench, name: &str) {
    fs::copy(vectors(&format!("eip2537/{name}")), b.path(name)).unwrap();
}

/// The suites of RFC 9380, J.9 and J.10, with the tag and the messages of the vectors.
#[test]
fn hashing_gives_the_published_points() {
    let b = bench();
    for (name, suite) in [("G1", "g1-ro"), ("G2", "g2-ro")] {
        let file = vectors(&format!("h2c/BLS12381{name}_XMD-SHA-256_SSWU_RO_.json"));
        let file: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let dst = file["dst"].as_str().unwrap();
        for case in file["vectors"].as_array().unwrap() {
            b.write("m", case["msg"].as_str().unwrap());
            let done = object(&b, &format!("hash-to-curve --suite {suite} --dst {dst} m"));
            // Uncompressed points have their coordinates one after the other, the higher coefficient first.
            let coordinate = |axis: &str| {
                let text = case["P"][axis].as_str().unwrap();
                let parts: Vec<_> =
                    text.split(',').map(|part| part.trim().trim_start_matches("0x")).collect();
                parts.into_iter().rev().collect::<String>()
            };
            assert_eq!(done["uncompressed"], coordinate("x") + &coordinate("y"), "{suite} {}", case["msg"]);
        }
    }
    // The tag in hexadecimal, the message as text, the point compressed, and the suite by its full name.
    let line = "hash-to-curve --dst-hex 0011223344556677889900aabbccddee";
    let point = b.ok(&format!("{line} --text abc"));
    assert_eq!(point, b.ok(&format!("{line} --hex 616263 --suite BLS12381G2_XMD:SHA-256_SSWU_RO_")));
    assert_eq!(
        (point.trim().len(), b.ok(&format!("{line} --text abc --uncompressed")).trim().len()),
        (192, 384)
    );
    let uniform = b.ok(&format!("{line} --text abc --suite g1-ro"));
    assert_ne!(b.ok(&format!("{line} --text abc --suite g1-nu")), uniform);
    // Signing hashes with the suite's tag.
    let warned = object(&b, "hash-to-curve --dst short --text abc");
    assert!(warned["warnings"][0].as_str().unwrap().contains("16 bytes"));
    for (line, said) in [
        ("hash-to-curve --dst-hex 0 --text abc", "--dst-hex: bytes in hexadecimal"),
        ("hash-to-curve --dst-hex 0x --text abc", "the tag is empty"),
        ("hash-to-curve --dst a-tag-of-16-bytes --hex zz", "--hex: bytes in hexadecimal"),
        ("hash-to-curve --dst a-tag-of-16-bytes missing", "missing"),
    ] {
        assert!(b.fails(2, line).contains(said), "{line}");
    }
    for line in
        ["hash-to-curve --text abc", "hash-to-curve --dst a", "hash-to-curve --dst a --text b --hex 00"]
    {
        assert_eq!(b.run(line).status.code(), Some(2), "{line}");
    }
}

/// The non-uniform suites, of which the public set has vectors.
#[test]
fn encoding_gives_the_published_points() {
    let Some(root) = std::env::var_os("PAIRWRIGHT_VECTORS").map(PathBuf::from) else {
        eprintln!("skipped: PAIRWRIGHT_VECTORS names no folder of public vectors");
        return;
    };
    let b = bench();
    for (group, suite) in [("G1", "g1-nu"), ("G2", "g2-nu")] {
        let file = root.join(format!("public/h2c/BLS12381{group}_XMD_SHA-256_SSWU_NU_.json"));
        let Ok(file) = fs::read(file) else {
            eprintln!("skipped: the vectors of {suite} are not there");
            continue;
        };
        let file: Value = serde_json::from_slice(&file).unwrap();
        for case in file["vectors"].as_array().unwrap() {
            b.write("m", case["msg"].as_str().unwrap());
            let line = format!("hash-to-curve --suite {suite} --dst {} m", file["dst"].as_str().unwrap());
            let x = case["P"]["x"].as_str().unwrap();
            let x: Vec<_> = x.split(',').map(|part| part.trim().trim_start_matches("0x")).collect();
            let x: String = x.into_iter().rev().collect();
            assert!(object(&b, &line)["uncompressed"].as_str().unwrap().starts_with(&x), "{line}");
        }
    }
}

#[test]
fn contracts_answer_as_the_cases_say() {
    let b = bench();
    for (contract, name, cases) in [
        ("G1ADD", "add_G1_bls.json", 9),
        ("g1msm", "msm_G1_bls.json", 17),
        ("G1MSM", "fail-msm_G1_bls.json", 8),
        ("G2ADD", "fail-add_G2_bls.json", 7),
        ("G2MSM", "mul_G2_bls.json", 11),
        ("PAIRING_CHECK", "pairing_check_bls.json", 10),
        ("PAIRING_CHECK", "fail-pairing_check_bls.json", 22),
        ("MAP_FP_TO_G1", "map_fp_to_G1_bls.json", 5),
        ("MAP_FP2_TO_G2", "map_fp2_to_G2_bls.json", 5),
    ] {
        copy(&b, name);
        assert_eq!(object(&b, &format!("eip2537 {contract} --cases {name}"))["cases"], cases, "{name}");
    }
    // A case by itself, from the argument and from a file.
    let file: Value = serde_json::from_slice(&b.read("add_G1_bls.json")).unwrap();
    let (input, expected) = (file[0]["Input"].as_str().unwrap(), file[0]["Expected"].as_str().unwrap());
    let done = object(&b, &format!("eip2537 G1ADD 0x{input}"));
    assert_eq!(
        (&done["output"], &done["gas"], &done["address"]),
        (&expected.into(), &375.into(), &"0x0b".into())
    );
    b.write("call.hex", format!("{input}\n"));
    assert_eq!(b.ok("eip2537 G1ADD --input call.hex").trim(), expected);
}

#[test]
fn calls_that_fail_and_cases_that_differ_are_named() {
    let b = bench();
    copy(&b, "map_fp_to_G1_bls.json");
    copy(&b, "fail-add_G1_bls.json");
    let word = |k: u8| format!("{}{k:02x}", "00".repeat(31));
    for (line, said) in [
        ("eip2537 G1ADD 0x".to_owned(), "the input has 0 bytes, 256 are needed"),
        ("eip2537 G2MSM 00".to_owned(), "a positive multiple of 288 are needed"),
        ("eip2537 PAIRING_CHECK 0x".to_owned(), "the input has 0 bytes"),
        (format!("eip2537 G1ADD {}", "11".repeat(256)), "offset 0: BLS12-381 G1: padding"),
        (format!("eip2537 MAP_FP_TO_G1 {}{}", "00".repeat(16), "ff".repeat(48)), "not below the modulus"),
        (format!("eip196 add {}{}", word(1), word(3)), "offset 0: BN254 G1: not on the curve"),
        (format!("eip196 mul {}", "ff".repeat(96)), "coordinate 0 is not below the modulus"),
        ("eip196 pairing 00".to_owned(), "the input has 1 bytes, a multiple of 192"),
    ] {
        let found = b.fails(1, &line);
        assert!(
            found.contains("the call fails, and takes all gas") && found.contains(said),
            "{line}: {found}"
        );
    }
    // A result of 0 is a valid answer of a pairing check.
    assert_eq!(b.ok("eip196 pairing 0x").trim(), word(1));
    let text = String::from_utf8(b.read("map_fp_to_G1_bls.json")).unwrap();
    b.write("gas.json", text.replacen("5500", "5501", 1));
    let said = b.fails(1, "eip2537 MAP_FP_TO_G1 --cases gas.json");
    assert!(said.contains("1 of 5 cases") && said.contains("gas 5500, expected 5501"), "{said}");
    b.ok("eip2537 MAP_FP_TO_G1 --cases gas.json --ignore-gas");
    let said = b.fails(1, "eip2537 MAP_FP2_TO_G2 --cases map_fp_to_G1_bls.json");
    assert!(said.contains("5 of 5 cases") && said.contains("it fails: the input has 64 bytes"), "{said}");
    b.ok("eip2537 G1ADD --cases fail-add_G1_bls.json");
    let mut cases: Value = serde_json::from_slice(&b.read("map_fp_to_G1_bls.json")).unwrap();
    cases[1]["Expected"] = "00".into();
    let failure = serde_json::json!({ "Name": "never", "Input": cases[0]["Input"], "ExpectedError": "invalid input length" });
    cases.as_array_mut().unwrap().push(failure);
    b.write("wrong.json", cases.to_string());
    let said = b.fails(1, "eip2537 MAP_FP_TO_G1 --cases wrong.json");
    assert!(said.contains("2 of 6 cases") && said.contains("never: it succeeds, expected"), "{said}");
    b.write("cut.json", "[{");
    for line in [
        "eip2537 G1ADD --cases cut.json",
        "eip2537 G1ADD --cases missing.json",
        "eip2537 G1ADD 0x0",
        "eip2537 G1ADD --input m.txt",
        "eip196 add zz",
    ] {
        b.fails(2, line);
    }
    for line in ["eip2537 G1MUL 00", "eip2537 G1ADD", "eip196 sub 00", "eip196 add 00 --cases cut.json"] {
        assert_eq!(b.run(line).status.code(), Some(2), "{line}");
    }
}
