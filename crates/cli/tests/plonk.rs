//! Plonk by the command: key, proof and verification on both curves of snarkjs; damaged files are refused, and nothing is written.

mod common;

use common::{Bench, schema};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn vector(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)).unwrap()
}

/// A folder with powers of tau, a key, a verification key, a witness and a proof.
fn proved(curve: &str) -> Bench {
    let b = Bench::cube(curve);
    b.write("powers.ptau", vector(&format!("plonk/{curve}/powers.ptau")));
    b.ok("plonk setup cube.r1cs powers.ptau cube.zkey");
    b.ok("vkey cube.zkey -o vk.json");
    b.ok("witness cube.wasm input.json -o w.wtns");
    b.ok("prove cube.zkey w.wtns -o proof.json --public public.json");
    b
}

#[test]
fn from_constraints_to_a_verdict() {
    for curve in ["bn128", "bls12381"] {
        let b = proved(curve);
        // From snarkjs' circuit the command makes snarkjs' key, byte for byte, and it accepts snarkjs' proof.
        b.write("theirs.r1cs", vector(&format!("circom/cube/{curve}/cube.r1cs")));
        b.ok("plonk setup theirs.r1cs powers.ptau theirs.zkey");
        b.ok("vkey theirs.zkey -o theirs-vk.json");
        assert!(b.read("theirs-vk.json") == vector(&format!("plonk/{curve}/cube.vk.json")));
        assert!(b.read("theirs.zkey") == vector(&format!("plonk/{curve}/cube.zkey")));
        b.write("theirs.json", vector(&format!("plonk/{curve}/cube.proof.json")));
        b.write("theirs-public.json", vector(&format!("plonk/{curve}/cube.public.json")));
        b.ok("verify theirs-vk.json theirs-public.json theirs.json");
        assert_eq!(b.json("proof.json")["protocol"], "plonk");
        for verify in ["verify", "plonk verify"] {
            let said = b.ok(&format!("{verify} vk.json public.json proof.json"));
            assert!(said.contains("OK: the proof is valid"), "{said}");
        }
        b.ok("plonk fullprove input.json cube.wasm cube.zkey p.json q.json --r1cs cube.r1cs --check");
        assert!(b.read("q.json") == b.read("public.json") && b.read("p.json") != b.read("proof.json"));
        b.ok("verify vk.json q.json p.json");
        // The same seed gives the same proof on every machine.
        let seed = "--seed 000102030405060708090a0b0c0d0e0f";
        b.ok(&format!("prove cube.zkey w.wtns {seed} -o s1.json --public s.json"));
        b.ok(&format!(
            "--threads 1 prove cube.zkey w.wtns {seed} --device reference -o s2.json --public s.json"
        ));
        assert!(b.read("s1.json") == b.read("s2.json"));
    }
}

#[test]
fn a_key_of_powers_that_are_drawn_here() {
    let b = proved("bls12381");
    let out = b.run("setup cube.r1cs --unsafe-local --protocol plonk -o local.zkey");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("warning: this key's secrets were drawn here"), "{said}");
    // Every command that reads the file warns of its local secrets; for a key of a ceremony there is no warning.
    for line in [
        "vkey local.zkey -o local.json",
        "inspect local.zkey",
        "prove local.zkey w.wtns -o p.json --public q.json",
    ] {
        let said = String::from_utf8(b.run(line).stderr).unwrap();
        assert!(said.contains("local.zkey: its secrets were drawn in one place"), "{line}: {said}");
    }
    let said = String::from_utf8(b.run("inspect cube.zkey").stderr).unwrap();
    assert!(!said.contains("drawn in one place"), "{said}");
    b.ok("prove local.zkey w.wtns -o p.json --public q.json");
    b.ok("verify local.json q.json p.json");
    b.fails(1, "verify vk.json q.json p.json");
}

#[test]
fn the_demo_shows_both_protocols() {
    let b = Bench::cube("bn128");
    let said: Value =
        serde_json::from_str(&b.ok("--json demo --protocol groth16,plonk --keep kept")).unwrap();
    assert_eq!(schema::objections(&schema::read("demo.json"), &said), [""; 0]);
    let shown = said["curves"].as_array().unwrap();
    let of = |protocol: &str| shown.iter().filter(|on| on["protocol"] == protocol).collect::<Vec<_>>();
    assert_eq!((of("groth16").len(), of("plonk").len(), shown.len()), (2, 2, 4));
    assert!(of("plonk").iter().all(|on| on["gates"] == 21021), "{said}");
    assert!(shown.iter().all(|on| on["verified"] == true && on["tampered_rejected"] == true), "{said}");
    let from = "kept/plonk/bn128";
    b.ok(&format!("verify {from}/verification_key.json {from}/public.json {from}/proof.json"));
    b.fails(2, &format!("groth16 verify {from}/verification_key.json {from}/public.json {from}/proof.json"));
}

#[test]
fn other_proofs_and_values_are_rejected() {
    let b = proved("bn128");
    let proof = b.json("proof.json");
    let changed = |member: &str, value: Value| {
        let mut proof = proof.clone();
        proof[member] = value;
        b.write("changed.json", proof.to_string());
        b.fails(1, "verify vk.json public.json changed.json")
    };
    let said = changed("eval_a", "5".into());
    assert!(said.contains("the pairing equation does not hold"), "{said}");
    changed("Z", proof["A"].clone());
    let said = changed("T2", serde_json::json!(["1", "1", "1"]));
    assert!(said.contains("T2: point 0 is not on the curve"), "{said}");
    b.write("other.json", "[\"36\"]");
    b.fails(1, "verify vk.json other.json proof.json");
    b.write("other.json", "[]");
    let said = b.fails(1, "verify vk.json other.json proof.json");
    assert!(said.contains("0 public values, the key wants 1"), "{said}");
    let r = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
    b.write("other.json", format!("[\"{r}\"]"));
    let said = b.fails(2, "verify vk.json other.json proof.json");
    assert!(said.contains("not below the modulus"), "{said}");
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_written() {
    let b = proved("bn128");
    let out = "-o new.json --public new2.json";
    let refused = |line: &str, why: &str| {
        let said = b.fails(2, line);
        assert!(said.contains(why), "{line}: {said}");
        assert!(
            !b.path("new.json").exists() && !b.path("new2.json").exists() && !b.path("new.zkey").exists()
        );
    };
    // A witness that does not satisfy the circuit: the value of x³ + x + 5 is changed.
    let mut wtns = b.read("w.wtns");
    let at = wtns.len() - 32;
    wtns[at] ^= 1;
    b.write("bad.wtns", wtns);
    refused(&format!("prove cube.zkey bad.wtns {out}"), "does not satisfy gate ");
    // Keys with a byte changed: a wire that does not exist, the first power, a coefficient.
    let zkey = b.read("cube.zkey");
    b.write("short.zkey", &zkey[..zkey.len() - 1]);
    refused(&format!("prove short.zkey w.wtns {out}"), "section 2 (header)");
    refused("vkey short.zkey -o new.json", "section 2 (header)");
    let mut bad = zkey.clone();
    // The byte comes after the file's header, section 3 with its addition of 72 bytes, and the header of section 4.
    bad[12 + 12 + 72 + 12 + 3] = 0xff;
    b.write("bad.zkey", &bad);
    refused(&format!("prove bad.zkey w.wtns {out}"), "section 4 (wires of A), offset 108");
    refused(&format!("prove bad.zkey w.wtns --check {out}"), "section 4 (wires of A), offset 108");
    // A key of another protocol.
    b.write("groth16.zkey", vector("circom/cube/bn128/cube.zkey"));
    refused("plonk prove groth16.zkey w.wtns new.json new2.json", "expected protocol plonk, found groth16");
    b.write("groth16.json", vector("circom/cube/bn128/proof.json"));
    refused("verify vk.json public.json groth16.json", "expected protocol plonk, found groth16");
    // Powers that are too few, spoilt, or of the other curve.
    let setup = |ptau: &str| format!("plonk setup cube.r1cs {ptau} new.zkey");
    b.write("other.ptau", vector("plonk/bls12381/powers.ptau"));
    refused(&setup("other.ptau"), "bls12381");
    let mut spoilt = b.read("powers.ptau");
    spoilt[12 + 12 + 44 + 12 + 64 * 3] ^= 1;
    b.write("spoilt.ptau", spoilt);
    refused(&setup("spoilt.ptau"), "spoilt.ptau: ");
    // A key whose tau is one.
    let mut vk = b.json("vk.json");
    vk["X_2"] = serde_json::json!([
        [
            "10857046999023057135944570762232829481370756359578518086990519993285655852781",
            "11559732032986387107991004021392285783925812861821192530917403151452391805634"
        ],
        [
            "8495653923123431417604973247489272438418190587263600148770280649306958101930",
            "4082367875863433681332203403145435568316851327593401208105741076214120093531"
        ],
        ["1", "0"]
    ]);
    b.write("one.json", vk.to_string());
    refused("verify one.json public.json proof.json", "tau is one");
    refused("inspect one.json", "tau is one");
}

#[test]
fn inspect_counts_gates() {
    let b = proved("bls12381");
    let about: Value = serde_json::from_str(&b.ok("--json inspect cube.zkey")).unwrap();
    assert_eq!(
        (&about["protocol"], &about["gates"], &about["additions"]),
        (&"plonk".into(), &4.into(), &1.into())
    );
    assert!(b.ok("inspect vk.json").contains("plonk"));
    assert!(b.ok("inspect proof.json").contains("plonk"));
}

#[test]
fn proofs_of_several_circuits_are_verified_together() {
    let b = proved("bn128");
    for name in ["mixed.r1cs", "mixed.wtns"] {
        b.write(name, vector(&format!("plonk/bn128/{name}")));
    }
    b.ok("plonk setup mixed.r1cs powers.ptau mixed.zkey");
    b.ok("vkey mixed.zkey -o mixed.json");
    b.ok("prove mixed.zkey mixed.wtns -o p2.json --public q2.json");
    let other = r#"{"key": "mixed.json", "public": "q2.json", "proof": "p2.json"}"#;
    b.write("list", format!("public.json proof.json\n{other}\npublic.json proof.json\n"));
    let said = b.ok("batch-verify vk.json list");
    assert!(said.contains("OK: 3 proofs are valid (bn128)"), "{said}");

    b.write("wrong", format!("public.json proof.json\n{other}\npublic.json p2.json\n"));
    let said = b.fails(1, "batch-verify vk.json wrong");
    assert!(said.contains("1 of 3 proofs; index 2, line 3") && said.contains("pairing equation"), "{said}");

    // A batch cannot contain a key of another ceremony, and a batch of Groth16 proofs has only one key.
    let mut strange = b.json("mixed.json");
    strange["X_2"] = serde_json::from_slice::<Value>(&vector("circom/plonk/verification_key.json")).unwrap()
        ["X_2"]
        .clone();
    b.write("strange.json", strange.to_string());
    b.write("strange", other.replace("mixed", "strange") + "\npublic.json proof.json\n");
    let said = b.fails(2, "batch-verify vk.json strange");
    assert!(said.contains("other powers of tau"), "{said}");
    b.write("groth16.json", vector("circom/cube/bn128/verification_key.json"));
    let said = b.fails(2, "batch-verify groth16.json list");
    assert!(said.contains("list: line 2: Groth16 proofs are verified together under one key"), "{said}");
}
