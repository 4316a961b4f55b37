//! Functional encryption: results, and refused inputs with their exit codes.

use super::{assert_private, change, run_help};
use crate::common::Bench;
use serde_json::{Value, json};

fn vector(b: &Bench, name: &str, values: &[i64]) {
    b.write(name, json!({ "type": "pairwright fe vector", "version": 1, "values": values }).to_string());
}

/// A folder with two vectors of inner product -1030, and keys and ciphertexts of them by both schemes.
fn bench() -> Bench {
    let b = Bench::cube("bn128");
    vector(&b, "weights.json", &[2, -1, 10]);
    vector(&b, "values.json", &[-500, 90, 6]);
    b.ok("fe setup --dimension 3 -o master.json --public public.json");
    b.ok("fe derive master.json weights.json -o key.json");
    b.ok("fe encrypt public.json values.json -o ciphertext.json");
    b.ok("fe setup --scheme klmmrw --dimension 3 -o hiding.json");
    b.ok("fe derive hiding.json weights.json -o hidden-key.json");
    b.ok("fe encrypt hiding.json values.json -o hidden.json");
    b
}

#[test]
fn results_of_both_schemes() {
    let b = bench();
    for name in ["master.json", "key.json", "hiding.json", "hidden-key.json"] {
        assert_private(&b, name);
    }
    assert!(b.ok("fe table --steps 100 -o table").contains("100 multiples"));
    assert!(b.ok("fe table --bound 1000000 -o table2").contains("1000 multiples"));
    for line in [
        "fe decrypt key.json ciphertext.json --bound 1030",
        "fe decrypt key.json ciphertext.json --bound 1000000 --table table",
        "fe decrypt key.json ciphertext.json --bound 1000000 --table table2",
        "fe decrypt hidden-key.json hidden.json --bound 1030",
    ] {
        assert_eq!(b.ok(line).trim(), "-1030", "{line}");
        let said: Value = serde_json::from_str(&b.ok(&format!("--json {line}"))).unwrap();
        assert_eq!((&said["result"], &said["dimension"]), (&json!(-1030), &json!(3)), "{line}");
    }
    for line in [
        "fe decrypt key.json ciphertext.json --bound 1029",
        "fe decrypt key.json ciphertext.json --bound 1029 --table table",
        "fe decrypt hidden-key.json hidden.json --bound 1029",
    ] {
        assert!(b.fails(1, line).contains("the result is not between -1029 and 1029"), "{line}");
    }
    // Keys of another authority.
    b.ok("fe setup --dimension 3 -o other.json --public other-public.json");
    b.ok("fe derive other.json weights.json -o other-key.json");
    b.fails(1, "fe decrypt other-key.json ciphertext.json --bound 1000000 --table table");
}

/// The pairings and the sum on the modelled chip: the same results, with cycles; operations on secrets stay on the host.
#[test]
fn decryptions_on_the_chip() {
    let b = bench();
    for (line, operator) in [
        ("fe decrypt key.json ciphertext.json --set msm.window_g1=4", "msm_g1"),
        ("fe decrypt hidden-key.json hidden.json", "multi_pairing"),
    ] {
        let line = format!("--json {line} --bound 1030 --device chip --report costs.json");
        let said: Value = serde_json::from_str(&b.ok(&line)).unwrap();
        assert_eq!((&said["result"], &said["report"]), (&json!(-1030), &b.json("costs.json")), "{line}");
        let operators = said["report"]["operators"].as_array().unwrap();
        let of = |name: &str| operators.iter().filter(|o| o["operator"] == name).collect::<Vec<_>>();
        let on_chip = of(operator);
        assert!(!on_chip.is_empty() && on_chip.iter().all(|o| o["cycles"].as_u64().unwrap() > 0), "{line}");
        assert_eq!(of("fe logarithm")[0]["kind"], "measured", "{line}");
    }
    let slot = "fe decrypt hidden-key.json hidden.json --bound 1030 --slot pairing=chip";
    assert_eq!(b.ok(slot).trim(), "-1030");
    assert!(b.fails(2, "fe decrypt key.json ciphertext.json --bound 5 --device none").contains("none"));
}

#[test]
fn bad_input_is_said_in_a_line() {
    let b = bench();
    b.ok("fe table --steps 10 -o table");
    b.write("cut-table", &b.read("table")[..100]);
    let mut damaged = b.read("table");
    damaged[80] ^= 1;
    b.write("damaged-table", damaged);
    vector(&b, "two.json", &[1, 2]);
    vector(&b, "zero.json", &[0, 0, 0]);
    b.write(
        "large.json",
        r#"{"type":"pairwright fe vector","version":1,"values":[1,2,9223372036854775808]}"#,
    );
    b.write("part.json", r#"{"type":"pairwright fe vector","version":1,"values":[1,2,0.5]}"#);
    for (line, said) in [
        ("fe setup --dimension 0 -o new.json --public p.json", "dimension 0, it is from 1 to 65536"),
        ("fe setup --dimension 65537 -o new.json --public p.json", "dimension 65537, it is from 1 to 65536"),
        ("fe setup --scheme klmmrw --dimension 257 -o new.json", "dimension 257, it is from 1 to 256"),
        ("fe setup --scheme klmmrw --dimension 1 -o new.json", "vectors of one entry cannot be hidden"),
        ("fe setup --scheme klmmrw --dimension 2 -o new.json --public p.json", "klmmrw has no public keys"),
        (
            "fe derive master.json two.json -o new.json",
            "two.json: a vector of dimension 2, where 3 is wanted",
        ),
        (
            "fe derive hiding.json two.json -o new.json",
            "two.json: a vector of dimension 2, where 3 is wanted",
        ),
        (
            "fe encrypt public.json two.json -o new.json",
            "two.json: a vector of dimension 2, where 3 is wanted",
        ),
        ("fe derive hiding.json zero.json -o new.json", "zero.json: the zero vector cannot be hidden"),
        ("fe encrypt hiding.json zero.json -o new.json", "zero.json: the zero vector cannot be hidden"),
        (
            "fe encrypt public.json large.json -o new.json",
            "large.json: no JSON of a pairwright fe vector: line 1",
        ),
        (
            "fe encrypt public.json part.json -o new.json",
            "part.json: no JSON of a pairwright fe vector: line 1",
        ),
        ("fe encrypt master.json values.json -o new.json", "a pairwright fe public key is wanted"),
        ("fe encrypt key.json values.json -o new.json", "a pairwright fe public key is wanted"),
        ("fe derive public.json values.json -o new.json", "a pairwright fe master key is wanted"),
        ("fe decrypt key.json hidden.json --bound 5", "hidden.json: the scheme klmmrw"),
        (
            "fe decrypt hidden-key.json hidden.json --bound 5 --table table",
            "--table: klmmrw has another base",
        ),
        (
            "fe decrypt key.json ciphertext.json --bound 5 --table cut-table",
            "cut-table: table of logarithms of 100 bytes",
        ),
        (
            "fe decrypt key.json ciphertext.json --bound 5 --table damaged-table",
            "damaged-table: the table is damaged",
        ),
        (
            "fe decrypt key.json ciphertext.json --bound 5 --table key.json",
            "key.json: these bytes are no table",
        ),
        (
            "fe decrypt key.json ciphertext.json --bound 4611686018427387905 --table table",
            "cannot be searched",
        ),
        ("fe table --steps 0 -o new.json", "a table of 0 steps"),
        ("fe table --steps 67108865 -o new.json", "a table of 67108865 steps, it has from 1 to 67108864"),
    ] {
        let found = b.fails(2, line);
        assert!(found.contains(said), "{line}: {found}");
        assert!(!b.path("new.json").exists(), "{line}");
    }
    for line in [
        "fe table -o new.json",
        "fe table --steps 1 --bound 1 -o new.json",
        "fe setup --dimension 2 -o new.json",
    ] {
        assert_eq!(b.run(line).status.code(), Some(2), "{line}");
    }
    // Every kind of document, with data that is truncated, of another dimension, or of another kind.
    for (file, line) in [
        ("master.json", "fe derive changed.json weights.json -o new.json"),
        ("hiding.json", "fe derive changed.json weights.json -o new.json"),
        ("public.json", "fe encrypt changed.json values.json -o new.json"),
        ("key.json", "fe decrypt changed.json ciphertext.json --bound 5"),
        ("ciphertext.json", "fe decrypt key.json changed.json --bound 5"),
        ("hidden-key.json", "fe decrypt changed.json hidden.json --bound 5"),
        ("hidden.json", "fe decrypt hidden-key.json changed.json --bound 5"),
    ] {
        let data = b.json(file)["data"].as_str().unwrap().to_owned();
        let kind = format!("0109{}", &data[4..]);
        for wrong in [&data[2..], &data[..data.len() - 2], &format!("{data}00"), "", &kind, "0x"] {
            change(&b, file, "data", json!(wrong));
            assert!(b.fails(2, line).contains("changed.json: "), "{file}");
        }
        change(&b, file, "dimension", json!(4));
        assert!(b.fails(2, line).contains("dimension: 4, where the data is of dimension 3"), "{file}");
        change(&b, file, "scheme", json!("lwe"));
        assert!(b.fails(2, line).contains("scheme: no scheme that is known"), "{file}");
        change(&b, file, "version", json!(0));
        assert!(b.fails(2, line).contains("version 0 of a pairwright fe"), "{file}");
        assert!(!b.path("new.json").exists(), "{line}");
    }
}

#[test]
fn the_examples_of_the_help_and_of_the_book_run() {
    let b = Bench::cube("bn128");
    vector(&b, "weights.json", &[2, -1, 10]);
    vector(&b, "values.json", &[5, 9, 6]);
    run_help(&b, "fe", 9);
    #[cfg(unix)]
    {
        let said = super::run_page(&Bench::cube("bn128"), "functional-encryption.md");
        assert_eq!(said.len(), 3);
        assert!(said.iter().all(|said| said.ends_with("\n1050\n")), "{said:?}");
    }
}
