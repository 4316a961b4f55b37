//! `prove --memory` and `shard`: proofs with the same bytes as those of `prove`, and proofs that are stopped and resumed.

mod common;

use common::Bench;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const SEED: &str = "--seed 00112233445566778899aabbccddeeff";

/// The files in a directory and its subdirectories.
fn files(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            names.extend(files(&entry.path()));
        } else {
            names.push(entry.file_name().into_string().unwrap());
        }
    }
    names.sort();
    names
}

#[test]
fn the_proof_has_the_bytes_of_the_one_in_memory() {
    for curve in ["bn128", "bls12381"] {
        let b = Bench::proved(curve);
        b.ok(&format!("prove cube.zkey w.wtns -o expected.json --public public.json {SEED}"));
        let expect = |line: &str| {
            b.ok(&format!("prove cube.zkey {line} -o p.json --public q.json {SEED}"));
            assert_eq!(b.read("p.json"), b.read("expected.json"), "{curve}: {line}");
            assert_eq!(b.read("q.json"), b.read("public.json"));
        };
        expect("w.wtns --memory 200M");
        expect("--wasm cube.wasm --input input.json --memory 1G");
        for blocks in [1, 2, 3] {
            b.ok(&format!("shard cube.zkey --blocks {blocks} -o shards"));
            expect("w.wtns --memory 200M --shards shards");
        }
        b.ok("shard cube.zkey --memory 300M -o shards");
        // The sharded key stays in a directory that --work names; nothing of the witness does.
        expect("w.wtns --memory 200M --work work");
        assert_eq!(files(&b.path("work")), ["coefficients", "h", "manifest.json"]);
        expect("w.wtns --memory 200M --work work --threads 1");
        b.ok("verify vk.json q.json p.json");
    }
}

#[test]
fn a_temporary_directory_does_not_stay() {
    let b = Bench::proved("bn128");
    b.write("bad.wtns", {
        let mut bytes = b.read("w.wtns");
        *bytes.last_mut().unwrap() ^= 1;
        bytes
    });
    fs::create_dir(b.path("tmp")).unwrap();
    for (witness, code) in [("w.wtns", 0), ("bad.wtns", 2), ("none.wtns", 2)] {
        let out = Command::new(env!("CARGO_BIN_EXE_pairwright"))
            .args(["prove", "cube.zkey", witness, "--memory", "200M", "-o", "t.json"])
            .current_dir(b.dir.path())
            .env("TMPDIR", b.path("tmp"))
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(code), "{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(files(&b.path("tmp")), [""; 0]);
        assert_eq!(fs::read_dir(b.path("tmp")).unwrap().count(), 0);
    }
}

/// A proof that a full disk has stopped is resumed; so is one that was killed, whose ledger looks the same.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_proof_goes_on() {
    let b = Bench::proved("bn128");
    b.ok(&format!("prove cube.zkey w.wtns -o expected.json {SEED}"));
    let line = format!("prove cube.zkey w.wtns -o p.json --memory 200M --parts 2 --work work {SEED}");
    fs::create_dir(b.path("work")).unwrap();
    std::os::unix::fs::symlink("/dev/full", b.path("work/second.b")).unwrap();
    let said = b.fails(2, &line);
    assert!(said.contains("second.b: cannot write: ") && said.contains("No space left"), "{said}");
    assert!(!b.path("p.json").exists());
    assert!(files(&b.path("work")).contains(&"first.a".to_owned()), "what is done stays");

    // With another witness it is another proof.
    b.write("other.json", r#"{"x": "4"}"#);
    b.ok("witness cube.wasm other.json -o other.wtns");
    let said = b.fails(2, &line.replace("w.wtns", "other.wtns"));
    assert!(said.contains("done: of a proof with another key, witness"), "{said}");

    // A region of a file that was damaged meanwhile.
    let whole = b.read("work/first.b");
    let mut bytes = whole.clone();
    bytes[1] ^= 1;
    b.write("work/first.b", bytes);
    let said = b.fails(2, &line);
    assert!(said.contains("first.b: the ") && said.contains("are damaged"), "{said}");
    b.write("work/first.b", whole);

    fs::remove_file(b.path("work/second.b")).unwrap();
    let done: Value = serde_json::from_str(&b.ok(&format!("--json {line}"))).unwrap();
    assert!(done["plan"]["resumed"].as_u64().unwrap() >= 2, "{done}");
    assert_eq!(b.read("p.json"), b.read("expected.json"));
    assert_eq!(files(&b.path("work")), ["coefficients", "h", "manifest.json"]);
}

#[test]
fn what_cannot_be_done_is_said() {
    let b = Bench::proved("bn128");
    let says = |line: &str, what: &str| {
        let said = b.fails(2, line);
        assert!(said.contains(what), "{line}: {said}");
    };
    says("prove cube.zkey w.wtns --memory 1M", "1048576 bytes of memory are too few");
    says("shard cube.zkey --blocks 0 -o s", "--blocks: at least one is needed");
    says("prove cube.zkey w.wtns --memory 200M --shards none", "none/manifest.json: cannot open");
    b.ok("setup cube.r1cs --unsafe-local -o other.zkey");
    b.ok("shard other.zkey --blocks 2 -o shards");
    says(
        "prove cube.zkey w.wtns --memory 200M --shards shards",
        "shards/manifest.json: made of another key than cube.zkey: the header differs",
    );
    b.ok("setup cube.r1cs --unsafe-local --protocol plonk -o plonk.zkey");
    says(
        "prove plonk.zkey w.wtns --memory 200M",
        "--memory: keys of groth16 alone are read by ranges, this one is of plonk",
    );
    says("shard plonk.zkey --blocks 2 -o s", "keys of groth16 alone");
    let mut bytes = b.read("w.wtns");
    let last = bytes.len() - 32;
    bytes[last..].fill(0);
    b.write("wrong.wtns", bytes);
    says("prove cube.zkey wrong.wtns --memory 200M -o p.json", "the finished proof does not verify");
    for line in
        ["prove cube.zkey w.wtns --work d", "prove cube.zkey w.wtns --memory 1X", "shard cube.zkey -o s"]
    {
        assert_eq!(b.run(line).status.code(), Some(2), "{line}");
    }
}

/// Powers of tau of a small ceremony, prepared or raw.
fn powers(curve: &str, form: &str) -> String {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/circom/ptau");
    vectors.join(format!("{curve}.4.{form}.ptau")).to_str().unwrap().to_owned()
}

#[test]
fn a_setup_with_little_memory_makes_the_same_key() {
    for curve in ["bn128", "bls12381"] {
        let (b, powers) = (Bench::cube(curve), powers(curve, "prepared"));
        b.ok(&format!("groth16 setup cube.r1cs {powers} expected.zkey"));
        for (line, made) in [("groth16 setup", "one.zkey"), ("zkey new", "two.zkey")] {
            b.ok(&format!("{line} cube.r1cs {powers} {made} --memory 80M"));
            assert_eq!(b.read(made), b.read("expected.zkey"), "{curve}: {line}");
        }
        // The setup makes a contribution, whose secret is drawn.
        b.ok(&format!("setup cube.r1cs --ptau {powers} --memory 80M -o cube.zkey"));
        b.ok(&format!("zkey verify cube.r1cs {powers} cube.zkey"));
        assert_eq!(b.read("cube.zkey").len(), {
            b.ok(&format!("setup cube.r1cs --ptau {powers} -o memory.zkey"));
            b.read("memory.zkey").len()
        });
        let left =
            fs::read_dir(b.dir.path()).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir());
        assert_eq!(left.count(), 0, "no folder stays");
    }
}

/// The limit counts writable memory: neither the process's code nor the files that it maps.
#[cfg(target_os = "linux")]
#[test]
fn a_setup_keeps_within_its_memory() {
    let (b, powers) = (Bench::cube("bn128"), powers("bn128", "prepared"));
    let line =
        "ulimit -d 81920 && exec \"$0\" setup cube.r1cs --ptau \"$1\" --memory 80M --threads 2 -o cube.zkey";
    let out = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_pairwright"), &powers])
        .current_dir(b.dir.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn a_setup_with_little_memory_says_what_it_cannot_do() {
    let (b, [raw, prepared]) = (Bench::cube("bn128"), ["raw", "prepared"].map(|form| powers("bn128", form)));
    let says = |line: &str, what: &str| {
        let said = b.fails(2, line);
        assert!(said.contains(what), "{line}: {said}");
        assert!(!b.path("k.zkey").exists());
    };
    let unprepared = "4.raw.ptau is not prepared; `pairwright powersoftau prepare phase2` computes";
    says(&format!("setup cube.r1cs --ptau {raw} --memory 80M -o k.zkey"), unprepared);
    let few = "1048576 bytes of memory are too few";
    says(&format!("setup cube.r1cs --ptau {prepared} --memory 1M -o k.zkey"), few);
    let plonk = "--memory: keys of groth16 alone are read by ranges, this one is of plonk";
    says(&format!("plonk setup cube.r1cs {prepared} k.zkey --memory 80M"), plonk);
    for line in [
        "setup cube.r1cs --unsafe-local --memory 80M -o k.zkey".to_owned(),
        format!("setup cube.r1cs --ptau {raw} --keep-prepared p.ptau --memory 80M -o k.zkey"),
    ] {
        assert_eq!(b.run(&line).status.code(), Some(2), "{line}");
    }
}
