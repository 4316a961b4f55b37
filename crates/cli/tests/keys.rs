//! Keys under which anybody can forge proofs are refused when they are read, unless `--allow-unsafe-key` takes them; doubtful keys
//! give a warning.

mod common;

use common::Bench;
use pairwright::curve::bn254::{Bn254, Fr};
use pairwright::device::Session;
use pairwright::formats::{Contributions, PtauFile, R1csFile, write_r1cs, write_zkey};
use pairwright::protocols::groth16::setup_from_powers;
use pairwright::protocols::r1cs::{R1cs, Shape};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};
use std::path::Path;

/// A folder with the first key of a ceremony, to which nobody contributed, as `snarkjs groth16 setup` makes it.
fn uncontributed() -> Bench {
    let b = Bench::cube("bn128");
    let ptau = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/circom/ptau/bn128.4.prepared.ptau");
    let ptau = PtauFile::<Bn254>::open(ptau).unwrap();
    let system = R1csFile::open(b.path("cube.r1cs")).unwrap();
    let device = pairwright::device::<Bn254>("cpu").unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let key = setup_from_powers(&mut Session::new(&device), &system, &ptau, &mut rng).unwrap();
    let record = Contributions { circuit_hash: [7; 64], ..Contributions::none() };
    let mut bytes = Vec::new();
    write_zkey(&mut bytes, &key, &record).unwrap();
    b.write("first.zkey", bytes);
    b.ok("witness cube.wasm input.json -o w.wtns");
    b
}

#[test]
fn a_key_without_a_contribution_is_refused_unless_it_is_asked_for() {
    let b = uncontributed();
    b.ok("vkey first.zkey --allow-unsafe-key -o vk.json");
    b.ok("prove first.zkey w.wtns --allow-unsafe-key -o proof.json --public public.json");
    b.write("list", "public.json proof.json\n");
    for line in [
        "prove first.zkey w.wtns -o new.json --public new2.json",
        "prove first.zkey w.wtns --check -o new.json --public new2.json",
        "vkey first.zkey -o new.json",
        "verify vk.json public.json proof.json",
        "batch-verify vk.json list",
        "inspect first.zkey",
        "inspect vk.json",
    ] {
        let said = b.fails(2, line);
        let (reason, remedy) = ("gamma and delta are equal", "pairwright zkey contribute");
        assert!(said.contains(reason) && said.contains(remedy), "{line}: {said}");
        assert!(!b.path("new.json").exists());
        let out = b.run(&format!("{line} --allow-unsafe-key"));
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(
            out.status.success() && said.contains("warning: ") && said.contains(reason),
            "{line}: {said}"
        );
        let _ = std::fs::remove_file(b.path("new.json"));
        let out = b.run(&format!("--json {line} --allow-unsafe-key"));
        let object: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert!(object["warnings"][0].as_str().unwrap().contains(reason), "{object}");
        let _ = std::fs::remove_file(b.path("new.json"));
    }
}

/// The powers of a ceremony are those of τ = 1 until somebody contributes.
#[test]
fn keys_of_powers_without_a_contribution_are_refused_unless_they_are_asked_for() {
    for protocol in ["plonk", "fflonk"] {
        let b = Bench::cube("bn128");
        b.ok("powersoftau new bn128 7 0.ptau");
        let out = b.run(&format!("{protocol} setup cube.r1cs 0.ptau weak.zkey"));
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.success() && said.contains("warning: weak.zkey: X_2 is the generator"), "{said}");
        b.ok("witness cube.wasm input.json -o w.wtns");
        b.ok("vkey weak.zkey --allow-unsafe-key -o vk.json");
        b.ok("prove weak.zkey w.wtns --allow-unsafe-key -o proof.json --public public.json");
        b.write("list", "{\"key\": \"vk.json\", \"public\": \"public.json\", \"proof\": \"proof.json\"}\n");
        for line in [
            "prove weak.zkey w.wtns -o new.json --public new2.json",
            "prove weak.zkey w.wtns --check -o new.json --public new2.json",
            "vkey weak.zkey -o new.json",
            "verify vk.json public.json proof.json",
            "batch-verify vk.json list",
            "inspect weak.zkey",
            "inspect vk.json",
        ] {
            let said = b.fails(2, line);
            let (reason, remedy) = ("tau is one and anybody can forge", "pairwright powersoftau contribute");
            assert!(said.contains(reason) && said.contains(remedy), "{line}: {said}");
            assert!(said.contains("--allow-unsafe-key") && !b.path("new.json").exists(), "{line}: {said}");
            let out = b.run(&format!("{line} --allow-unsafe-key"));
            let said = String::from_utf8(out.stderr).unwrap();
            assert!(
                out.status.success() && said.contains("warning: ") && said.contains(reason),
                "{line}: {said}"
            );
            let _ = std::fs::remove_file(b.path("new.json"));
            let out = b.run(&format!("--json {line} --allow-unsafe-key"));
            let object: Value = serde_json::from_slice(&out.stdout).unwrap();
            assert!(object["warnings"][0].as_str().unwrap().contains(reason), "{object}");
            let _ = std::fs::remove_file(b.path("new.json"));
        }
        // A key whose columns share cells, and a proof that is invalid under it.
        let mut key = b.json("vk.json");
        key["k1"] = "1".into();
        b.write("meet.json", key.to_string());
        let said = b.fails(2, "verify meet.json public.json proof.json");
        assert!(said.contains("k1 and k2 do not set the three columns apart"), "{said}");
        let out = b.run("verify meet.json public.json proof.json --allow-unsafe-key");
        assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
        // No contract is written for a key under which anybody can forge proofs.
        b.fails(2, "zkey export solidityverifier weak.zkey new.sol");
        assert!(!b.path("new.sol").exists());
    }
}

#[test]
fn other_keys_that_prove_nothing_are_refused() {
    let b = Bench::proved("bn128");
    let good = b.json("vk.json");
    let spoilt = |change: &dyn Fn(&mut Value)| {
        let mut key = good.clone();
        change(&mut key);
        b.write("bad.json", key.to_string());
        ["verify bad.json public.json proof.json", "inspect bad.json"].map(|line| b.fails(2, line))
    };
    let prime = "21888242871839275222246405745257275088696311157297823662689037894645226208583";
    for said in spoilt(&|key| {
        key["vk_delta_2"] = key["vk_gamma_2"].clone();
        for i in 0..2 {
            let y = key["vk_delta_2"][1][i].as_str().unwrap().parse::<num_bigint::BigUint>().unwrap();
            let minus = prime.parse::<num_bigint::BigUint>().unwrap() - y;
            key["vk_delta_2"][1][i] = minus.to_string().into();
        }
    }) {
        assert!(said.contains("delta is the negative of gamma"), "{said}");
    }
    let infinity = json!([["0", "0"], ["1", "0"], ["0", "0"]]);
    for name in ["vk_beta_2", "vk_gamma_2", "vk_delta_2"] {
        for said in spoilt(&|key| key[name] = infinity.clone()) {
            assert!(said.contains("infinity"), "{name}: {said}");
        }
    }
    for said in spoilt(&|key| key["vk_alpha_1"] = json!(["0", "1", "0"])) {
        assert!(said.contains("infinity"), "{said}");
    }
}

#[test]
fn a_circuit_without_constraints_is_spoken_of_and_powers_that_are_too_few_are_named() {
    let b = Bench::cube("bn128");
    let shape = Shape { wires: 2, outputs: 0, public_inputs: 1, private_inputs: 0, constraints: 0 };
    let mut bytes = Vec::new();
    write_r1cs::<Fr>(&mut bytes, &R1cs::new(shape, Vec::new()).unwrap()).unwrap();
    b.write("empty.r1cs", bytes);
    let said = String::from_utf8(b.run("setup empty.r1cs --unsafe-local -o empty.zkey").stderr).unwrap();
    assert!(said.contains("warning: empty.r1cs has no constraints"), "{said}");

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::copy(root.join("vectors/circom/ptau/bn128.4.prepared.ptau"), b.path("small.ptau")).unwrap();
    std::fs::copy(root.join("circuits/chain/bn128/chain250.r1cs"), b.path("chain.r1cs")).unwrap();
    let said = b.fails(2, "setup chain.r1cs --ptau small.ptau -o new.zkey");
    assert!(said.contains("small.ptau: the circuit needs powers of tau of 2^8"), "{said}");
}

#[test]
fn a_public_value_that_is_bound_to_nothing_is_named() {
    let b = Bench::proved("bn128");
    let mut key = b.json("vk.json");
    key["IC"][1] = json!(["0", "1", "0"]);
    b.write("vk.json", key.to_string());
    let out = b.run("inspect vk.json");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success() && said.contains("public value 0 is bound to nothing"), "{said}");
    let object: Value =
        serde_json::from_slice(&b.run("--json verify vk.json public.json proof.json").stdout).unwrap();
    assert_eq!(object["status"], "rejected");
    assert!(object["warnings"][0].as_str().unwrap().contains("IC[1] is infinity"), "{object}");
}

#[test]
fn a_key_whose_secrets_were_drawn_in_one_place_is_spoken_of_wherever_it_is_read() {
    let b = Bench::cube("bn128");
    let said = |line: &str| String::from_utf8(b.run(line).stderr).unwrap();
    assert!(said("setup cube.r1cs --unsafe-local -o cube.zkey").contains("secrets were drawn here"));
    b.ok("witness cube.wasm input.json -o w.wtns");
    for line in ["inspect cube.zkey", "vkey cube.zkey -o vk.json", "prove cube.zkey w.wtns"] {
        let said = said(line);
        assert!(said.contains("warning: cube.zkey: its secrets were drawn in one place"), "{line}: {said}");
    }
    assert!(said("-q prove cube.zkey w.wtns").is_empty());
    // A key with a contribution gives no warning.
    let ptau = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/circom/ptau/bn128.4.prepared.ptau");
    std::fs::copy(ptau, b.path("pot.ptau")).unwrap();
    b.ok("setup cube.r1cs --ptau pot.ptau -o safe.zkey");
    for line in ["inspect safe.zkey", "vkey safe.zkey -o vk.json", "prove safe.zkey w.wtns"] {
        assert_eq!(said(line), "", "{line}");
    }
}

/// From the first powers of a ceremony to a proof.
#[test]
fn a_ceremony_begins_and_ends_here() {
    let b = Bench::proved("bls12381");
    let said = b.ok("powersoftau new bls12381 3 0.ptau");
    assert_eq!(said, "0.ptau: powers of tau on bls12381 of 2^3, without a contribution\n");
    let refused = b.fails(1, "powersoftau verify 0.ptau");
    assert!(refused.contains("rejected: nobody has contributed"), "{refused}");
    b.ok("powersoftau contribute 0.ptau 1.ptau --name alice --entropy dice");
    b.ok("powersoftau beacon 1.ptau 2.ptau 0x00ff 10 --name end");
    b.ok("powersoftau prepare phase2 2.ptau 3.ptau");
    // A setup with --keep-prepared writes the same file as `prepare phase2`.
    b.ok("setup cube.r1cs --ptau 2.ptau --keep-prepared kept.ptau -o k.zkey");
    assert!(b.read("kept.ptau") == b.read("3.ptau"));
    let out = b.run("setup cube.r1cs --ptau kept.ptau --keep-prepared again.ptau -o k.zkey");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(
        said.contains("kept.ptau: these powers are prepared already") && !b.path("again.ptau").exists(),
        "{said}"
    );
    let out = b.run("setup cube.r1cs --unsafe-local --keep-prepared kept.ptau -o k.zkey");
    assert_eq!(out.status.code(), Some(2), "there are no powers to prepare");
    b.fails(2, "setup cube.r1cs --ptau 2.ptau --keep-prepared 2.ptau -o k.zkey");
    let said = b.ok("powersoftau verify 3.ptau");
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("3.ptau: powers of tau on bls12381 of 2^3, prepared for phase 2, verified in ")
    );
    assert!(
        lines[1].starts_with("contribution 1, alice: ") && lines[2].starts_with("beacon 2, end: "),
        "{said}"
    );
    b.ok("setup cube.r1cs --ptau 3.ptau -o k.zkey");
    b.ok("zkey contribute k.zkey k2.zkey --name bob --entropy coin");
    b.ok("zkey beacon k2.zkey k3.zkey 0102 10");
    let said = b.ok("zkey verify cube.r1cs 3.ptau k3.zkey");
    assert!(said.starts_with("k3.zkey: a key of cube.r1cs on bls12381, verified in "), "{said}");
    assert!(
        said.contains("\ncontribution 2, bob: ") && said.contains("\nbeacon 3, without a name: "),
        "{said}"
    );
    // A key is also verified against a first key, which must be one, and must be from these powers.
    b.ok("groth16 setup cube.r1cs 3.ptau k0.zkey");
    b.fails(1, "zkey verify init k0.zkey 3.ptau k0.zkey");
    b.ok("zkey contribute k0.zkey k1.zkey --name carol");
    let said = b.ok("zkey verify init k0.zkey 3.ptau k1.zkey");
    assert!(said.contains("contribution 1, carol: "), "{said}");
    for line in
        ["init k1.zkey 3.ptau k1.zkey", "init k0.zkey 1.ptau k1.zkey", "init k0.zkey 3.ptau cube.zkey"]
    {
        b.fails(1, &format!("zkey verify {line}"));
    }
    b.fails(1, "zkey verify cube.r1cs 1.ptau k3.zkey");
    b.fails(2, "zkey verify cube.r1cs k3.zkey k3.zkey");
    b.fails(2, "zkey contribute cube.zkey none.ptau");
    b.ok("vkey k3.zkey -o vk.json");
    b.ok("prove k3.zkey w.wtns -o proof.json --public public.json");
    b.ok("verify vk.json public.json proof.json");

    // Two contributions from the same powers differ.
    b.ok("powersoftau contribute 0.ptau again.ptau --name alice --entropy dice");
    assert!(b.read("again.ptau") != b.read("1.ptau"));
    let said = b.ok("powersoftau truncate 3.ptau");
    assert_eq!(said, "3_01.ptau, 3_02.ptau: the first powers of tau of a ceremony of 2^3 on bls12381\n");
    let both = b.read("3_02.ptau");
    b.ok("powersoftau truncate 3.ptau 2");
    assert!(b.read("3_02.ptau") == both);
    b.ok("powersoftau verify 3_02.ptau");
    b.fails(2, "powersoftau truncate 3.ptau 4");
    b.fails(2, "powersoftau contribute 3_02.ptau none.ptau");
    let mut spoilt = b.read("3.ptau");
    spoilt[2000] ^= 1;
    b.write("spoilt.ptau", spoilt);
    b.fails(2, "powersoftau verify spoilt.ptau");
    b.fails(2, "powersoftau contribute spoilt.ptau none.ptau");
    for line in
        ["beacon 1.ptau none.ptau xy 10", "beacon 1.ptau none.ptau 00 9", "beacon 1.ptau none.ptau 00 64"]
    {
        b.fails(2, &format!("powersoftau {line}"));
    }
    b.fails(2, "powersoftau contribute missing none.ptau");
    b.fails(2, "powersoftau contribute 1.ptau 1.ptau");
    for line in ["powersoftau new ed25519 3 none.ptau", "powersoftau new bn254 29 none.ptau"] {
        assert_eq!(b.run(line).status.code(), Some(2), "{line}");
    }
    let left: Vec<_> = std::fs::read_dir(b.path(".")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(
        !left.iter().any(|name| name == "none.ptau" || name.to_string_lossy().ends_with(".tmp")),
        "{left:?}"
    );
}

#[test]
fn powers_are_prepared_once() {
    let b = Bench::cube("bn128");
    let ptau = |kind: &str| {
        let name = format!("../../vectors/circom/ptau/bn128.4.{kind}.ptau");
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
    };
    b.write("raw.ptau", ptau("raw"));
    let said = b.ok("powersoftau prepare phase2 raw.ptau ours.ptau");
    assert!(said.starts_with("ours.ptau: prepared powers of tau on bn128 of 2^4, in "), "{said}");
    assert!(b.read("ours.ptau") == ptau("prepared"), "other bytes than snarkjs'");
    let told = |line: &str| String::from_utf8(b.run(line).stderr).unwrap();
    let hint = told("setup cube.r1cs --ptau raw.ptau -o k.zkey");
    assert!(
        hint.starts_with("warning: raw.ptau: ") && hint.contains("`pairwright powersoftau prepare phase2`"),
        "{hint}"
    );
    assert_eq!(told("setup cube.r1cs --ptau ours.ptau -o k.zkey"), "");
    let twice = b.fails(2, "powersoftau prepare phase2 ours.ptau twice.ptau");
    assert!(twice.contains("ours.ptau: these powers of tau are prepared for phase 2 already"), "{twice}");
    b.fails(2, "powersoftau prepare phase2 cube.r1cs twice.ptau");
    b.fails(2, "powersoftau prepare phase2 raw.ptau raw.ptau");
    assert!(!b.path("twice.ptau").exists());
}
