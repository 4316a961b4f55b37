//! The command as its users see it: its input and output files, its exit codes, and no files left behind by a failure.

mod abe;
mod bls;
mod common;
mod schemes;
mod sealed;

use common::Bench;
use pairwright::curve::bls12_381::Fr;
use pairwright::field::PrimeField;
use pairwright::formats::{write_r1cs, write_wtns};
use pairwright::hash::{Compress, Poseidon};
use pairwright::protocols::circuit::Builder;
use serde_json::Value;
use std::fs;
use std::process::Command;

const CURVES: [&str; 2] = ["bn128", "bls12381"];
const SEED: &str = "000102030405060708090a0b0c0d0e0f";

#[test]
fn from_constraints_to_a_verified_proof() {
    for curve in CURVES {
        let b = Bench::proved(curve);
        assert!(b.ok("check cube.r1cs w.wtns").contains("satisfied"));
        assert!(b.ok("verify vk.json public.json proof.json").starts_with("OK"));
        b.ok("prove cube.zkey --wasm cube.wasm --input input.json -o p2.json --public q2.json --check --r1cs cube.r1cs");
        b.ok("verify vk.json q2.json p2.json");
        assert_eq!(b.json("public.json"), b.json("q2.json"));
        assert_ne!(b.read("proof.json"), b.read("p2.json"), "fresh randomness");
        b.write("list.txt", "# two proofs\npublic.json proof.json\n\nq2.json p2.json # the second\n");
        assert!(b.ok("batch-verify vk.json list.txt").contains("2 proofs"));
    }
}

#[test]
fn a_seed_gives_the_same_bytes_on_every_device_and_any_number_of_threads() {
    let b = Bench::proved("bls12381");
    let extras = [
        "",
        "--threads 1",
        "--threads 3",
        "--device reference",
        "--slot g1=reference,ntt=cpu --slot vec=reference",
        "--device cpu+mtu --slot sumcheck=reference --set mtu.pes=16",
    ];
    let proofs: Vec<_> = extras
        .iter()
        .map(|extra| {
            b.ok(&format!("prove cube.zkey w.wtns --seed {SEED} {extra} -o s.json --public s.public.json"));
            b.read("s.json")
        })
        .collect();
    assert!(proofs.windows(2).all(|p| p[0] == p[1]));
    b.fails(2, "prove cube.zkey w.wtns --seed 0011");
    b.fails(2, "prove cube.zkey w.wtns --seed nothexnothexnothexnothexnothexnoth");
}

#[test]
fn the_modelled_chip_gives_the_same_bytes_and_says_what_it_took() {
    for curve in CURVES {
        let b = Bench::proved(curve);
        let prove = |extra: &str| {
            let line = format!(
                "--json prove cube.zkey w.wtns --seed {SEED} {extra} -o s.json --public s.public.json"
            );
            let done: Value = serde_json::from_str(&b.ok(&format!("{line} --report r.json"))).unwrap();
            assert_eq!(done["report"], b.json("r.json"));
            (b.read("s.json"), b.json("r.json"))
        };
        let (host, _) = prove("");
        let (chip, report) = prove("--device chip --design best --set msm.write_behind=4");
        assert_eq!(host, chip, "{curve}");
        assert_eq!(report["device"], "chip");
        let operators = report["operators"].as_array().unwrap();
        for name in ["msm_g1", "msm_g2", "extend", "vec_mul_sub"] {
            let row = operators.iter().find(|o| o["operator"] == name).unwrap_or_else(|| panic!("{name}"));
            let number = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{name} {field}: {row}"));
            assert_eq!((&row["kind"], &row["cost"]["machine"]), (&"cycle-accurate".into(), &"chip".into()));
            assert!(number("cycles") > 0.0 && number("energy_j") > 0.0 && number("seconds") > 0.0);
            assert!(number("dram_bytes") >= number("dram_bytes_useful") && number("dram_bytes_useful") > 0.0);
            assert!((0.0..=1.0).contains(&number("utilisation")) && (0.0..=1.0).contains(&number("share")));
            assert!(["compute", "memory", "both"].contains(&row["bound"].as_str().unwrap()));
        }
        // The totals are the sums of the parts, and measured and modelled times are kept apart.
        let sum = |field: &str| operators.iter().filter_map(|o| o[field].as_u64()).sum::<u64>();
        assert_eq!(report["totals"]["models"][0]["cycles"].as_u64().unwrap(), sum("cycles"));
        assert_eq!(report["totals"]["models"][0]["dram_bytes"].as_u64().unwrap(), sum("dram_bytes"));
        let host_work = operators.iter().filter(|o| o["kind"] == "measured");
        let measured: f64 = host_work.map(|o| o["seconds"].as_f64().unwrap()).sum();
        assert!((report["measured_seconds"].as_f64().unwrap() - measured).abs() < 1e-9);

        let (mixed, report) = prove("--slot g1=chip");
        assert_eq!((host, &report["device"]), (mixed, &"mixed".into()), "{curve}");
        for o in report["operators"].as_array().unwrap() {
            assert_eq!(o["cost"]["machine"] == "chip", o["operator"] == "msm_g1", "{o}");
        }
        let text = b.ok("verify vk.json public.json proof.json --device chip --report v.json");
        // The chip has routines for pairings on BLS12-381 only.
        assert_eq!(text.contains("modelled, chip: "), curve == "bls12381", "{text}");
    }
}

#[test]
fn json_and_reports() {
    let b = Bench::proved("bn128");
    let object = |line: &str| -> Value { serde_json::from_str(&b.ok(line)).unwrap() };
    assert_eq!(object("--json verify vk.json public.json proof.json")["status"], "ok");
    assert_eq!(object("--json check cube.r1cs w.wtns")["status"], "ok");
    let proved = object("--json prove cube.zkey w.wtns --report report.json");
    assert_eq!(proved["curve"], "bn128");
    let report = b.json("report.json");
    let operators = report["operators"].as_array().unwrap();
    let count = |name: &str| operators.iter().filter(|o| o["operator"] == name).count();
    assert_eq!((count("msm_g1"), count("msm_g2"), count("extend")), (4, 1, 3));
    let shares: f64 = operators.iter().map(|o| o["share"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "shares add up: {shares}");
    let by_operator = report["by_operator"].as_array().unwrap();
    let g1 = by_operator.iter().find(|o| o["name"] == "msm_g1").unwrap();
    assert_eq!((&g1["calls"], &report["totals"]["models"]), (&4.into(), &serde_json::json!([])));
    assert_eq!(proved["report"], report, "the file and the object say the same");
    let mixed = object("--json prove cube.zkey w.wtns --report mixed.json --slot g2=reference");
    let machines = mixed["report"]["by_machine"].as_array().unwrap();
    let names: Vec<_> = machines.iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!((&mixed["report"]["device"], names), (&"mixed".into(), vec!["cpu", "host", "reference"]));
    let text = b.ok("verify vk.json public.json proof.json --report verify.json");
    assert!(text.contains("multi_pairing") && text.contains("of the measured time: "), "{text}");
    assert!(object("--json devices")["devices"].as_array().unwrap().len() >= 2);
    for file in ["cube.r1cs", "w.wtns", "cube.zkey", "vk.json", "proof.json", "public.json"] {
        assert!(object(&format!("--json inspect {file}")).is_object());
        assert!(!b.ok(&format!("inspect {file}")).is_empty());
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(b.ok(&format!("completions {shell}")).contains("pairwright"));
    }
    // A failure with --json is also one object.
    b.write("public.json", "[\"1\"]");
    let out = b.run("--json verify vk.json public.json proof.json");
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap()["status"], "rejected");
}

#[test]
fn what_is_false_is_rejected() {
    for (curve, modulus) in [
        ("bn128", "21888242871839275222246405745257275088548364400416034343698204186575808495617"),
        ("bls12381", "52435875175126190479447740508185965837690552500527637822603658699938581184513"),
    ] {
        let b = Bench::proved(curve);
        let public: Vec<String> = serde_json::from_value(b.json("public.json")).unwrap();
        let good = b.read("public.json");
        // Another value; the value plus the modulus, which is not a valid encoding of it; one value too many; no value.
        let plus = |n: &str| decimal_sum(&public[0], n);
        for (values, code) in [
            (vec![plus("1")], 1),
            (vec![plus(modulus)], 2),
            (vec![public[0].clone(), "0".into()], 1),
            (vec![], 1),
        ] {
            b.write("public.json", serde_json::to_vec(&values).unwrap());
            b.fails(code, "verify vk.json public.json proof.json");
        }
        b.write("public.json", &good);
        b.ok("verify vk.json public.json proof.json");
        let mut proof = b.json("proof.json");
        let x = proof["pi_a"][0].as_str().unwrap().to_owned();
        proof["pi_a"][0] = decimal_sum(&x, "1").into();
        b.write("bad.json", proof.to_string());
        b.fails(1, "verify vk.json public.json bad.json");
        b.write("list.txt", "public.json proof.json\npublic.json bad.json\n");
        assert!(b.fails(1, "batch-verify vk.json list.txt").contains("bad.json"), "the culprit is named");
    }
}

/// Schoolbook addition of decimal strings.
fn decimal_sum(a: &str, b: &str) -> String {
    let (mut carry, mut out) = (0, Vec::new());
    let (mut a, mut b) = (a.bytes().rev(), b.bytes().rev());
    loop {
        let (x, y) = (a.next(), b.next());
        if x.is_none() && y.is_none() && carry == 0 {
            break;
        }
        let digit = |d: Option<u8>| d.map_or(0, |d| d - b'0');
        let sum = digit(x) + digit(y) + carry;
        out.push(b'0' + sum % 10);
        carry = sum / 10;
    }
    out.reverse();
    String::from_utf8(out).unwrap()
}

#[test]
fn bad_input_is_one_error_and_no_output() {
    let b = Bench::proved("bn128");
    let other = Bench::proved("bls12381");
    fs::copy(other.path("w.wtns"), b.path("other.wtns")).unwrap();
    fs::copy(other.path("cube.wasm"), b.path("other.wasm")).unwrap();
    b.write("short.zkey", &b.read("cube.zkey")[..700]);
    b.write("text.zkey", "this is no zkey");
    b.write("wrong.json", "{\"x\": \"1\", \"y\": \"2\"}");
    // One value of the witness is changed, so that x³ + x + 5 = y no longer holds.
    let mut unsatisfied = b.read("w.wtns");
    let last = unsatisfied.len() - 32;
    unsatisfied[last] ^= 1;
    b.write("unsatisfied.wtns", &unsatisfied);
    for line in [
        "prove missing.zkey w.wtns -o new.json --public new2.json",
        "prove short.zkey w.wtns -o new.json --public new2.json",
        "prove text.zkey w.wtns -o new.json --public new2.json",
        "prove cube.zkey cube.r1cs -o new.json --public new2.json",
        "prove cube.zkey other.wtns -o new.json --public new2.json",
        "prove cube.zkey unsatisfied.wtns -o new.json --public new2.json",
        "prove cube.zkey --wasm other.wasm --input input.json -o new.json --public new2.json",
        "prove cube.zkey --wasm cube.wasm --input wrong.json -o new.json --public new2.json",
        "setup w.wtns --unsafe-local -o new.json",
        "setup cube.r1cs --ptau w.wtns -o new.json",
        "vkey cube.r1cs -o new.json",
        "witness cube.r1cs input.json -o new.json",
        "witness cube.wasm missing.json -o new.json",
        "verify cube.zkey public.json proof.json",
        "verify vk.json proof.json public.json",
        "inspect missing",
        "check cube.r1cs other.wtns",
        "--threads 0 devices",
        "verify vk.json public.json proof.json --device abacus",
        "verify vk.json public.json proof.json --slot g1",
        "verify vk.json public.json proof.json --slot g3=cpu",
        "verify vk.json public.json proof.json --slot g1=abacus",
        "verify vk.json public.json proof.json --slot g1=cpu,g1=reference",
        "verify vk.json public.json proof.json --set mm.latency=20",
        "verify vk.json public.json proof.json --set mtu.pes=16",
        "verify vk.json public.json proof.json --device cpu+mtu --set mtu.pes=3",
        "verify vk.json public.json proof.json --slot tree=cpu+mtu --set mtu.colour=1",
        "verify vk.json public.json proof.json --slot tree=cpu+mtu --set mm.latency=20",
        "verify vk.json public.json proof.json --set aie.units=12",
        "verify vk.json public.json proof.json --slot g1=cpu+aie",
        "verify vk.json public.json proof.json --slot g1=cpu+aie --set aie.units=0",
        "verify vk.json public.json proof.json --slot g1=cpu+aie --set aie.colour=1",
        "verify vk.json public.json proof.json --device chip --design none",
        "verify vk.json public.json proof.json --device chip --set msm.colour=1",
        "verify vk.json public.json proof.json --slot vec=chip --spec nowhere.toml",
    ] {
        b.fails(2, line);
        assert!(!b.path("new.json").exists() && !b.path("new2.json").exists(), "{line}");
    }
    let said = b.fails(2, "check cube.r1cs unsatisfied.wtns");
    assert!(said.contains("constraint"), "names the constraint: {said}");
    let said = b.fails(2, "prove cube.zkey unsatisfied.wtns --r1cs cube.r1cs -o new.json --public new2.json");
    assert!(said.contains("constraint"), "names the constraint: {said}");
    let left: Vec<_> = fs::read_dir(b.dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|f| !f.to_string_lossy().contains("tmp")), "no temporary file stays: {left:?}");
}

#[test]
fn a_circuit_written_in_rust_is_proved_by_the_command() {
    let b = Bench::cube("bls12381");
    let hash = Poseidon::<Fr>::new();
    let mut circuit = Builder::<Fr>::new();
    let secret = circuit.private("secret");
    let tag = circuit.public("tag");
    let digest = circuit.poseidon(&hash, secret, tag);
    circuit.output("digest", digest);
    let circuit = circuit.finish().unwrap();
    let (secret_value, tag_value) = (Fr::from(77), Fr::from(5));
    let witness = circuit.witness(&[(secret, secret_value), (tag, tag_value)]).unwrap();
    let (mut system, mut values) = (Vec::new(), Vec::new());
    write_r1cs(&mut system, &circuit).unwrap();
    write_wtns(&mut values, &witness).unwrap();
    b.write("own.r1cs", system);
    b.write("own.wtns", values);
    b.ok("check own.r1cs own.wtns");
    b.ok("setup own.r1cs --unsafe-local -o own.zkey");
    b.ok("vkey own.zkey -o vk.json");
    b.ok("prove own.zkey own.wtns --check -o proof.json --public public.json");
    b.ok("verify vk.json public.json proof.json");
    let digest = hash.compress(&secret_value, &tag_value).to_decimal();
    assert_eq!(b.json("public.json"), serde_json::json!([digest, tag_value.to_decimal()]));
}

#[test]
fn usage_errors_exit_with_two() {
    let b = Bench::cube("bn128");
    for line in [
        "",
        "frobnicate",
        "setup cube.r1cs -o k.zkey",
        "prove",
        "setup cube.r1cs --ptau p --unsafe-local -o k",
    ] {
        assert_eq!(b.run(line).status.code(), Some(2), "{line}");
    }
    assert!(b.ok("--help").contains("Exit codes"));
}

#[test]
fn the_environment_names_the_instructions_of_the_host() {
    let devices = |isa: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pairwright"));
        command.arg("devices").env("PAIRWRIGHT_ISA", isa).output().unwrap()
    };
    let scalar = devices("scalar");
    assert!(String::from_utf8_lossy(&scalar.stdout).contains("ready, with portable code"));
    let unknown = devices("sse2");
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&unknown.stderr).trim(),
        "pairwright: PAIRWRIGHT_ISA: unknown instruction set `sse2`; expected portable, scalar or avx512"
    );
}
