//! fflonk by the command: key, proof and verification; damaged files are refused, and nothing is written.

mod common;

use common::Bench;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn vector(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)).unwrap()
}

/// A folder with powers of tau, a key, a verification key, a witness and a proof.
fn proved() -> Bench {
    let b = Bench::cube("bn128");
    b.write("powers.ptau", vector("plonk/bn128/powers.ptau"));
    b.ok("fflonk setup cube.r1cs powers.ptau cube.zkey");
    b.ok("vkey cube.zkey -o vk.json");
    b.ok("witness cube.wasm input.json -o w.wtns");
    b.ok("prove cube.zkey w.wtns -o proof.json --public public.json");
    b
}

#[test]
fn from_constraints_to_a_verdict() {
    let b = proved();
    assert_eq!(b.json("proof.json")["protocol"], "fflonk");
    for verify in ["verify", "fflonk verify"] {
        let said = b.ok(&format!("{verify} vk.json public.json proof.json"));
        assert!(said.contains("OK: the proof is valid"), "{said}");
    }
    // A key and proof of snarkjs, from other powers of tau.
    for name in ["cube.zkey", "cube.vk.json", "cube.public.json", "cube.proof.json"] {
        b.write(&format!("theirs-{name}"), vector(&format!("fflonk/{name}")));
    }
    b.ok("verify theirs-cube.vk.json theirs-cube.public.json theirs-cube.proof.json");
    b.ok("vkey theirs-cube.zkey -o theirs.json");
    assert!(b.read("theirs.json") == b.read("theirs-cube.vk.json"));
    b.ok("fflonk fullprove input.json cube.wasm cube.zkey p.json q.json --r1cs cube.r1cs --check");
    assert!(b.read("q.json") == b.read("public.json") && b.read("p.json") != b.read("proof.json"));
    b.ok("verify vk.json q.json p.json");
    // The same seed gives the same proof on every machine.
    let seed = "--seed 000102030405060708090a0b0c0d0e0f";
    b.ok(&format!("prove cube.zkey w.wtns {seed} -o s1.json --public s.json"));
    b.ok(&format!("--threads 1 prove cube.zkey w.wtns {seed} --device reference -o s2.json --public s.json"));
    assert!(b.read("s1.json") == b.read("s2.json"));
    // A key from powers that are drawn on this computer.
    b.ok("setup cube.r1cs --unsafe-local --protocol fflonk -o local.zkey");
    b.ok("vkey local.zkey -o local.json");
    b.ok("prove local.zkey w.wtns -o p.json --public q.json");
    b.ok("verify local.json q.json p.json");
    b.fails(1, "verify vk.json q.json p.json");
}

#[test]
fn changed_proofs_are_rejected() {
    let b = proved();
    let proof = b.json("proof.json");
    let changed = |part: &str, name: &str, value: Value| {
        let mut other = proof.clone();
        other[part][name] = value;
        b.write("other.json", other.to_string());
        b.fails(1, "verify vk.json public.json other.json")
    };
    for name in ["ql", "s3", "a", "zw", "t2w", "inv"] {
        let said = changed("evaluations", name, "5".into());
        assert!(said.contains("the pairing equation does not hold"), "{name}: {said}");
    }
    changed("polynomials", "C2", proof["polynomials"]["C1"].clone());
    let said = changed("polynomials", "W1", json!(["1", "1", "1"]));
    assert!(said.contains("polynomials.W1: point 0 is not on the curve"), "{said}");
    b.write("other.json", "[\"36\"]");
    b.fails(1, "verify vk.json other.json proof.json");
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_written() {
    let b = proved();
    let out = "-o new.json --public new2.json";
    let refused = |line: &str, why: &str| {
        let said = b.fails(2, line);
        assert!(said.contains(why), "{line}: {said}");
        assert!(
            !b.path("new.json").exists() && !b.path("new2.json").exists() && !b.path("new.zkey").exists()
        );
    };
    let mut wtns = b.read("w.wtns");
    let at = wtns.len() - 32;
    wtns[at] ^= 1;
    b.write("bad.wtns", wtns);
    refused(&format!("prove cube.zkey bad.wtns {out}"), "does not satisfy gate ");
    let zkey = b.read("cube.zkey");
    b.write("short.zkey", &zkey[..zkey.len() - 1]);
    refused(&format!("prove short.zkey w.wtns {out}"), "section 2 (header)");
    let mut bad = zkey;
    // The byte comes after the file's header with section 1, section 3 with its addition of 72 bytes, and the header of section 4.
    bad[12 + 16 + 12 + 72 + 12 + 3] = 0xff;
    b.write("bad.zkey", &bad);
    refused(&format!("prove bad.zkey w.wtns {out}"), "section 4 (wires of A), offset 124");
    // A key of another protocol.
    b.write("plonk.zkey", vector("plonk/bn128/cube.zkey"));
    refused("fflonk prove plonk.zkey w.wtns new.json new2.json", "expected protocol fflonk, found plonk");
    refused("plonk prove cube.zkey w.wtns new.json new2.json", "expected protocol plonk, found fflonk");
    // Powers that are too few, and another curve.
    b.write("small.ptau", vector("circom/ptau/bn128.4.raw.ptau"));
    refused(
        "fflonk setup cube.r1cs small.ptau new.zkey",
        "90 powers of tau, so that a ceremony of 2^6 is needed",
    );
    b.write("bls.r1cs", vector("circom/cube/bls12381/cube.r1cs"));
    refused("fflonk setup bls.r1cs powers.ptau new.zkey", "fflonk is on bn128 alone");
}

#[test]
fn inspect_counts_gates() {
    let b = proved();
    let about: Value = serde_json::from_str(&b.ok("--json inspect cube.zkey")).unwrap();
    assert_eq!(
        (&about["protocol"], &about["gates"], &about["additions"]),
        (&"fflonk".into(), &4.into(), &1.into())
    );
    assert!(b.ok("inspect vk.json").contains("fflonk"));
    assert!(b.ok("inspect proof.json").contains("fflonk"));
}

#[test]
fn proofs_of_several_circuits_are_verified_together() {
    let b = proved();
    for name in ["silent.r1cs", "silent.wtns"] {
        b.write(name, vector(&format!("plonk/bn128/{name}")));
    }
    b.ok("fflonk setup silent.r1cs powers.ptau silent.zkey");
    b.ok("vkey silent.zkey -o silent.json");
    b.ok("prove silent.zkey silent.wtns -o p2.json --public q2.json");
    let other = r#"{"key": "silent.json", "public": "q2.json", "proof": "p2.json"}"#;
    b.write("list", format!("public.json proof.json\n{other}\npublic.json proof.json\n"));
    let said = b.ok("batch-verify vk.json list");
    assert!(said.contains("OK: 3 proofs are valid (bn128)"), "{said}");
    b.write("wrong", format!("public.json proof.json\n{other}\npublic.json p2.json\n"));
    let said = b.fails(1, "batch-verify vk.json wrong");
    assert!(said.contains("1 of 3 proofs; index 2, line 3") && said.contains("pairing equation"), "{said}");
}

#[test]
fn the_demo_shows_it_on_its_curve() {
    let b = Bench::cube("bn128");
    let said = b.ok("demo --protocol fflonk");
    assert!(said.contains("BN254") && !said.contains("BLS12-381"), "{said}");
    for line in ["protocol          fflonk, ", "the proof is valid", "another root      rejected"] {
        assert!(said.contains(line), "{line}: {said}");
    }
}
