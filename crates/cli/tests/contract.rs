//! The interface that programs may rely on: every command prints one JSON object, which fits a schema that is a file here and is
//! listed in the book; lists of proofs, the version, manual pages, `--quiet` and `--verbose`.

mod common;

use common::{Bench, schema};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Commands, in an order in which each finds the files that it needs; each line is run with `--json`.
const LINES: &[&str] = &[
    "demo",
    "setup cube.r1cs --unsafe-local --protocol plonk -o local.zkey",
    "setup cube.r1cs --unsafe-local --protocol fflonk -o local.zkey",
    "inspect local.zkey",
    "vkey local.zkey -o local.json",
    "powersoftau new bls12377 2 p0.ptau",
    "powersoftau contribute p0.ptau p1.ptau -n first",
    "powersoftau beacon p1.ptau p2.ptau 00ff 10",
    "powersoftau verify p2.ptau",
    "powersoftau prepare phase2 raw.ptau prepared.ptau",
    "powersoftau truncate raw.ptau 2",
    "powersoftau export challenge p1.ptau challenge",
    "powersoftau challenge contribute bls12377 challenge response",
    "inspect challenge",
    "inspect response",
    "powersoftau import response p1.ptau response p3.ptau -n third",
    "powersoftau convert prepared.ptau converted.ptau",
    "powersoftau export json p3.ptau p3.json",
    "zkey contribute c.zkey c2.zkey -n second",
    "zkey beacon c2.zkey c3.zkey 00ff 10",
    "zkey verify cube.r1cs raw.ptau c3.zkey",
    "zkey verify init c0.zkey raw.ptau c1.zkey",
    "zkey export bellman c0.zkey c.mpcparams",
    "inspect c.mpcparams",
    "zkey bellman contribute bn128 c.mpcparams response.mpcparams",
    "zkey import bellman c0.zkey response.mpcparams c4.zkey -n bellman",
    "zkey export json c.zkey c.json",
    "zkey export solidityverifier cube.zkey",
    "zkey export solidityverifier vk.json other.sol",
    "zkey export soliditycalldata",
    "r1cs print cube.r1cs",
    "r1cs export json cube.r1cs cube.json",
    "wtns debug cube.wasm input.json w3.wtns -s",
    "wtns export json w.wtns w.json",
    "setup cube.r1cs --unsafe-local -o k.zkey",
    "vkey cube.zkey -o v.json",
    "witness cube.wasm input.json -o w2.wtns",
    "check cube.r1cs w.wtns",
    "prove cube.zkey w.wtns -o p.json --public q.json",
    "prove cube.zkey w.wtns -o p.json --public q.json --check --report r.json --slot g1=chip",
    "prove cube.zkey w.wtns -o p.json --public q.json --memory 200M",
    "prove cube.zkey w.wtns -o p.json --public q.json --memory 200M --parts 2",
    "shard cube.zkey --blocks 2 -o shards",
    "ibe setup --key master.json --public master.pub.json",
    "ibe extract master.json --identity alice -o alice.json",
    "ibe encrypt input.json --public master.pub.json --identity alice -o to-alice.age",
    "ibe decrypt to-alice.age --key alice.json -o from-alice.json",
    "tlock encrypt input.json --chain chain.json --round 123456789 -o locked.age",
    "tlock decrypt locked.age --chain chain.json --beacon beacon.json -o unlocked.json",
    "abe setup --key master.key --public public.key",
    "abe keygen master.key --attribute role:doctor --attribute ward:* -o alice.key",
    "abe encrypt input.json --public public.key --policy (role:doctor)and(not(ward:7)) -o input.abe",
    "abe inspect input.abe --attribute role:doctor --attribute ward:3",
    "abe inspect alice.key",
    "abe inspect master.key",
    "abe inspect public.key",
    "abe decrypt input.abe --key alice.key -o opened.json",
    "verify vk.json public.json proof.json",
    "verify vk.json public.json proof.json --report r.json",
    "bbs keygen -o bbs.json --public bbs-public.json",
    "bbs pubkey bbs.json",
    "bbs sign bbs.json messages.json -o signature.json",
    "bbs verify bbs-public.json messages.json signature.json",
    "bbs prove bbs-public.json messages.json signature.json --disclose 1 -o bbs-proof.json",
    "bbs verify-proof bbs-public.json bbs-proof.json",
    "fe setup --dimension 2 -o fe-master.json --public fe-public.json",
    "fe derive fe-master.json vector.json -o key.json",
    "fe encrypt fe-public.json vector.json -o ciphertext.json",
    "fe decrypt key.json ciphertext.json --bound 100",
    "fe table --steps 10 -o table",
    "payment circuit --r1cs payment.r1cs",
    "payment account -o account.json --public address.json",
    "payment register registry.json --name Alice --address address.json --payers payers.json",
    "payment mint ledger.json --to address.json --value 7 -o note.json",
    "setup payment.r1cs --unsafe-local -o payment.zkey",
    "vkey payment.zkey -o payment-vk.json",
    "payment pay payment.zkey --account account.json --name Alice --note note.json --to address.json --value 3 --ledger ledger.json --payers payers.json --authority master.pub.json --period alice -o \
     payment.json --to-note three.json --change-note four.json --report r.json --slot pairing=chip",
    "payment verify payment-vk.json payment.json --record --ledger ledger.json --payers payers.json --authority master.pub.json --period alice",
    "payment open payment-vk.json payment.json --key alice.json --registry registry.json --ledger ledger.json --payers payers.json --authority master.pub.json --period alice --report r.json",
    "batch-verify vk.json list",
    "bls keygen -o s1.json --public p1.json",
    "bls keygen --variant min-sig -o s2.json --encrypt --kdf pbkdf2 --cost 10 --password-file password",
    "bls derive seed m/12381/3600/0/0/0 -o s3.json",
    "bls pubkey s1.json -o p1.json",
    "bls pop-prove s1.json -o pop1.json",
    "bls pop-verify pop1.json",
    "bls sign s1.json public.json -o sig1.json",
    "bls sign s1.json public.json --scheme pop -o sig2.json",
    "bls verify p1.json public.json sig1.json",
    "bls aggregate sig1.json sig1.json",
    "bls aggregate-verify signers sig1.json",
    "bls fast-aggregate-verify public.json sig2.json pop1.json",
    "bls batch-verify signatures",
    "bls keystore encrypt s1.json -o k1.json --kdf pbkdf2 --cost 10 --password-file password",
    "bls keystore decrypt k1.json -o s4.json --password-file password",
    "bls threshold split s1.json -t 1 -n 2 -o shares",
    "bls threshold sign shares/share-2.json public.json -o part2.json",
    "bls threshold combine shares/shared-key.json public.json part2.json -o whole.json",
    "hash-to-curve --dst QUUX-V01-CS02-with-BLS12381G1 --text abc",
    "eip2537 MAP_FP_TO_G1 --cases map.json",
    "eip2537 PAIRING_CHECK --input call.hex",
    "eip196 add 0x",
    "setup cube.r1cs --ptau raw.ptau --protocol plonk -o plonk.zkey",
    "inspect plonk.zkey",
    "inspect cube.r1cs",
    "inspect cube.zkey",
    "inspect w.wtns",
    "inspect vk.json",
    "inspect proof.json",
    "inspect public.json",
    "devices",
    "gpu predict",
    "gpu predict --on 4090",
    "gen targets",
    "gen kernel --op mulmod --bits 256",
    "gen kernel --op addmod --modulus 0xffffffff00000001 -o k.h",
    "gen field --modulus 2013265921 --target c32 -o field",
    "gen explain --op addmod --bits 128",
    "compile fp12_mul --seeds 1",
    "compile --all --seeds 1 --listing",
    "asm p.pw",
    "asm --reference",
    "disasm image.json",
    "completions bash",
    "man pages",
    "sim pairing --seeds 1",
    "sim program --list",
    "sim program product-2 --seeds 1",
    "sim ntt --size 2^10",
    "sim ntt --size 2^10 --data --listing",
    "sim ntt --sweep size=2^10,2^12 --csv s.csv",
    "sim msm --size 2^8",
    "sim msm --parameters",
    "sim groth16 --size 2^8",
    "sim mtu --size 2^10",
    "sim mtu --sweep pes=2,4 --sweep size=2^1,2^10 --plot s.svg",
    "sim aie",
    "sim aie --kernels --data",
    "sim aie-board",
    "sim aie-msm --size 2^10",
    "sim cluster --size 2^12 --design local",
    "sim cluster --size 2^12 --sweep nodes=1,2 --csv s.csv --plot s.svg",
    "sim cluster --parameters",
    "sim mtu --workload merkle --size 2^6 --hash-leaves --data --set mul_latency=14",
    "explore mtu --size 2^6 --over pes=2,4 --designs front --csv front.csv --plot front.svg --journal points.jsonl",
    "explore chip --workload ntt --size 2^8 --over poly.groups=1,2",
    "explore aie --over method.carry=wide,mixed",
];

/// Commands of snarkjs that have a short form here, with the name that their objects carry and whose schema they fit.
const SHORTENED: &[(&str, &str)] = &[
    ("zkey verify r1cs cube.r1cs raw.ptau c3.zkey", "zkey verify"),
    ("groth16 setup cube.r1cs raw.ptau g.zkey", "setup"),
    ("zkey new cube.r1cs raw.ptau g.zkey", "setup"),
    ("groth16 prove cube.zkey w.wtns p.json q.json", "prove"),
    ("groth16 fullprove input.json cube.wasm cube.zkey p.json q.json", "prove"),
    ("groth16 verify vk.json public.json proof.json", "verify"),
    ("plonk setup cube.r1cs raw.ptau plonk.zkey", "setup"),
    ("plonk prove plonk.zkey w.wtns plonk-p.json plonk-q.json", "prove"),
    ("plonk fullprove input.json cube.wasm plonk.zkey plonk-p.json plonk-q.json", "prove"),
    ("zkey export verificationkey plonk.zkey plonk-vk.json", "vkey"),
    ("plonk verify plonk-vk.json plonk-q.json plonk-p.json", "verify"),
    ("fflonk setup cube.r1cs powers.ptau fflonk.zkey", "setup"),
    ("fflonk prove fflonk.zkey w.wtns fflonk-p.json fflonk-q.json", "prove"),
    ("fflonk fullprove input.json cube.wasm fflonk.zkey fflonk-p.json fflonk-q.json", "prove"),
    ("zkey export verificationkey fflonk.zkey fflonk-vk.json", "vkey"),
    ("fflonk verify fflonk-vk.json fflonk-q.json fflonk-p.json", "verify"),
    ("zkey export verificationkey cube.zkey", "vkey"),
    ("generatecall public.json proof.json", "zkey export soliditycalldata"),
    ("r1cs info cube.r1cs", "inspect"),
    ("wtns calculate cube.wasm input.json w3.wtns", "witness"),
    ("wtns check cube.r1cs w3.wtns", "check"),
];

/// Schemas that other tests check, since they run the long demonstration in any case.
const ELSEWHERE: [&str; 1] = ["payment-demo.json"];

fn vector(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(path)).unwrap()
}

fn bench() -> Bench {
    let b = Bench::proved("bn128");
    b.write("list", "public.json proof.json\n");
    b.write("password", "a password\n");
    b.write("seed", "00".repeat(32));
    b.write("signers", "p1.json public.json\n");
    b.write("signatures", "p1.json public.json sig1.json\n");
    b.write("map.json", vector("eip2537/map_fp_to_G1_bls.json"));
    b.write("call.hex", "00".repeat(384));
    b.write("messages.json", r#"{"type":"pairwright bbs messages","version":1,"messages":["a","b"]}"#);
    b.write("vector.json", r#"{"type":"pairwright fe vector","version":1,"values":[3,-4]}"#);
    b.write("p.pw", pairwright::chip::isa::EXAMPLE);
    b.ok("asm p.pw -o image.json");
    b.write("raw.ptau", vector("circom/ptau/bn128.4.raw.ptau"));
    let drand: Value = serde_json::from_slice(&vector("tlock/bls-unchained-g1-rfc9380.json")).unwrap();
    b.write("chain.json", drand["info"].to_string());
    b.write("beacon.json", drand["beacon"].to_string());
    b.write("powers.ptau", vector("plonk/bn128/powers.ptau"));
    b.ok("setup cube.r1cs --ptau raw.ptau -o c.zkey");
    b.ok("groth16 setup cube.r1cs raw.ptau c0.zkey");
    b.ok("zkey contribute c0.zkey c1.zkey");
    b
}

/// Pages of commands that look like groups of commands by their names but are not: `sim aie-board` is not a subcommand of `sim aie`,
/// nor `bls aggregate-verify` of `bls aggregate`, nor `bbs verify-proof` of `bbs verify`; `zkey verify` is both a command and a group.
const ABOVE: [&str; 4] =
    ["pairwright-sim-aie", "pairwright-bls-aggregate", "pairwright-bbs-verify", "pairwright-zkey-verify"];

/// The file name of a command's schema.
fn file_of(command: &str) -> String {
    format!("{}.json", command.replace(' ', "-"))
}

fn object(b: &Bench, line: &str) -> Value {
    let out = b.run(&format!("--json {line}"));
    let text = String::from_utf8_lossy(&out.stdout);
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{line}: {why}: {text}"))
}

fn expect(schema: &str, line: &str, value: &Value) {
    let objections = schema::objections(&schema::read(schema), value);
    assert_eq!(objections, [""; 0], "{line} does not fit {schema}");
}

#[test]
fn every_command_prints_an_object_by_its_schema() {
    let b = bench();
    let mut seen = BTreeSet::from(ELSEWHERE.map(str::to_owned));
    for &line in LINES {
        let object = object(&b, line);
        assert_eq!(
            (&object["schema_version"], &object["status"]),
            (&json!(1), &json!("ok")),
            "{line}: {object}"
        );
        let command = object["command"].as_str().unwrap();
        assert!(line.starts_with(command), "{line}: {command}");
        expect(&file_of(command), line, &object);
        seen.insert(file_of(command));
    }
    for &(line, short) in SHORTENED {
        let object = object(&b, line);
        assert_eq!(
            (&object["command"], &object["status"]),
            (&json!(short), &json!("ok")),
            "{line}: {object}"
        );
        expect(&file_of(short), line, &object);
    }
    // Every command without a short form has a schema, every schema a command, and the book knows all.
    let pages = object(&b, "man pages");
    let pages: Vec<_> = pages["pages"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
    let leaf = |name: &str| !pages.iter().any(|p| p.starts_with(&format!("{name}-")));
    let commands: BTreeSet<String> = pages
        .iter()
        .filter_map(|page| page.strip_suffix(".1"))
        .filter(|name| leaf(name) || ABOVE.contains(name))
        .filter_map(|name| Some(format!("{}.json", name.strip_prefix("pairwright-")?)))
        .filter(|file| {
            !SHORTENED.iter().any(|(line, short)| {
                let page = file.trim_end_matches(".json").replace('-', " ");
                page != *short && line.strip_prefix(&page).is_some_and(|rest| rest.starts_with(' '))
            })
        })
        .collect();
    let files: BTreeSet<String> = fs::read_dir(schema::folder())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    let shared = ["failure.json", "report.json"].map(str::to_owned);
    assert_eq!(files, commands.iter().cloned().chain(shared).collect());
    let untried: Vec<_> = commands.difference(&seen).collect();
    let of_gpu = ["gpu-bench.json", "gpu-compile.json", "gpu-rates.json", "gpu-report.json", "gpu-tune.json"];
    assert_eq!(untried, of_gpu, "these need a GPU, or NVIDIA's compiler");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/howto/json.md");
    let page = fs::read_to_string(page).unwrap();
    for name in &files {
        assert!(page.contains(&format!("`{name}`")), "the book does not list {name}");
    }
}

/// The objects of these commands have types that can be made without a GPU.
#[test]
fn what_needs_a_gpu_fits_its_schema() {
    use pairwright::gpu::Facts;
    use pairwright::gpu::bench::Measured;
    use pairwright::gpu::family::FieldTuning;
    use pairwright::gpu::rates::{CopyRow, LatencyRow, RateRow, Rates};
    use pairwright::gpu::table::{FieldRow, MsmRow, NttRow, SumcheckRow, Table, VecRow};
    use pairwright::moma::program::Element;
    use pairwright::moma::program::ntt::Tuning;
    let common = |command: &str| {
        let mut object = json!({ "schema_version": 1, "status": "ok", "warnings": [] });
        object["command"] = command.into();
        object
    };
    let whole = |command: &str, result: Value| {
        let mut object = common(command);
        object.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        expect(&file_of(command), command, &object);
        // A schema that does not require its members would accept anything.
        assert_ne!(schema::objections(&schema::read(&file_of(command)), &common(command)), [""; 0]);
    };
    let facts = Facts {
        name: "H100".to_owned(),
        capability: 90,
        multiprocessors: 132,
        clock_khz: 1_980_000,
        memory_clock_khz: 2_619_000,
        memory_bus_bits: 5120,
        memory: 80 << 30,
        l2: 50 << 20,
        shared_per_block: 227 << 10,
        shared_per_multiprocessor: 228 << 10,
        registers_per_multiprocessor: 1 << 16,
        threads_per_block: 1024,
        driver: 13_000,
    };
    let rates = Rates {
        device: facts,
        compiler: (13, 0),
        rates: vec![RateRow {
            kernel: "k",
            what: "w",
            warps_per_scheduler: 1,
            operations_per_clock: 1.5,
            clocks_per_instruction: 2.5,
            clock_mhz: 1980.0,
        }],
        latencies: vec![LatencyRow { kernel: "k", what: "w", clocks: 4.5 }],
        copies: vec![CopyRow { bytes: 1 << 20, gigabytes_per_second: 1.5 }],
    };
    whole("gpu rates", json!(rates));
    let line = json!({ "section": "msm", "what": "msm", "log_size": 20, "milliseconds": 9.5, "copies": 1.5,
                       "bound": null, "predicted": 7.5, "host": null, "unit": "point", "nanoseconds": 9.1 });
    let fault = json!({ "section": "msm", "what": "msm", "error": "wrong" });
    let measured = |registers| Measured {
        kernel: "ntt".to_owned(),
        bits: 256,
        units: 1 << 20,
        nanoseconds: 0.5,
        gigabytes_per_second: 900.0,
        registers,
    };
    whole("gpu bench", json!({ "kernels": [measured(None), measured(Some(64))] }));
    let element = Element { word_bits: 32, words: 8 };
    let table = Table {
        device: "H100".to_owned(),
        field: vec![FieldRow { bits: 256, tuning: FieldTuning::default(), nanoseconds: 0.5 }],
        vec: vec![VecRow { bits: 256, threads: 128, per_thread: 2, nanoseconds: 0.5 }],
        ntt: vec![NttRow {
            bits: 256,
            log_n: 12,
            batched: true,
            nanoseconds: 0.5,
            tuning: Tuning::for_element(element),
        }],
        sumcheck: vec![SumcheckRow { bits: 256, least: 256, nanoseconds: 1e6 }],
        msm: vec![MsmRow { bits: 254, log_n: 18, nanoseconds: 1e6 }],
    };
    whole("gpu tune", json!(table));
    for tuning in [Value::Null, json!(table)] {
        let report = json!({ "version": "0.1.0", "device": rates.device, "compiler": [13, 0], "done": ["rates"],
                             "rates": rates, "tuning": tuning, "lines": [line], "faults": [fault] });
        whole("gpu report", report);
    }
    whole("gpu compile", json!({ "device": "NVIDIA H200", "kernels": 7 }));
}

#[test]
fn a_report_is_the_same_in_a_file() {
    let b = bench();
    let proved = object(&b, "prove cube.zkey w.wtns -o p.json --public q.json --report r.json");
    assert_eq!(proved["report"], b.json("r.json"));
    expect("report.json", "--report", &b.json("r.json"));
}

#[test]
fn failures_are_one_object_too() {
    let b = bench();
    b.write("wrong.json", "[\"1\"]");
    for (line, command, status, code) in [
        ("frobnicate", Value::Null, "bad-input", 2),
        ("prove", "prove".into(), "bad-input", 2),
        ("sim ntt --colour red", "sim ntt".into(), "bad-input", 2),
        ("setup cube.r1cs -o k", "setup".into(), "bad-input", 2),
        ("inspect missing", "inspect".into(), "bad-input", 2),
        ("--threads 0 devices", "devices".into(), "bad-input", 2),
        ("verify vk.json wrong.json proof.json", "verify".into(), "rejected", 1),
    ] {
        let out = b.run(&format!("--json {line}"));
        let object: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!((&object["command"], &object["status"]), (&command, &status.into()), "{line}");
        assert_eq!((out.status.code(), out.stderr.len()), (Some(code), 0), "{line}");
        expect("failure.json", line, &object);
    }
}

#[test]
fn a_schema_that_does_not_fit_is_noticed() {
    let b = bench();
    let good = object(&b, "verify vk.json public.json proof.json");
    let schema = schema::read("verify.json");
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        schema::objections(&schema, &value)
    };
    assert_eq!(wrong(&|_| ()), [""; 0]);
    assert_eq!(wrong(&|v| v["seconds"] = "long".into()), ["$.seconds: \"long\" is not of type \"number\""]);
    assert_eq!(wrong(&|v| v["more"] = 1.into()), ["$.more: not allowed"]);
    assert_eq!(wrong(&|v| v["status"] = "bad".into()), ["$.status: \"bad\" is not \"ok\""]);
    assert_eq!(wrong(&|v| drop(v.as_object_mut().unwrap().remove("curve"))), ["$: \"curve\" is missing"]);
    assert_eq!(wrong(&|v| v["warnings"] = json!([1])), ["$.warnings[0]: 1 is not of type \"string\""]);
}

#[test]
fn a_list_of_proofs_says_which_of_them_is_wrong() {
    let b = bench();
    for (name, from) in [("a proof.json", "proof.json"), ("a public.json", "public.json")] {
        b.write(name, b.read(from));
    }
    b.write("other.json", "[\"1\"]");
    let mut off = b.json("proof.json");
    off["pi_a"][0] = "1".into();
    b.write("off.json", off.to_string());
    let good =
        "\"a public.json\" \"a proof.json\"\n{\"public\": \"a public.json\", \"proof\": \"a proof.json\"}\n";
    b.write("good", good);
    assert_eq!(object(&b, "batch-verify vk.json good")["proofs"], 2);
    b.write(
        "bad",
        format!("# five\n{good}other.json proof.json\n\npublic.json off.json\nother.json proof.json\n"),
    );
    let said = b.fails(1, "batch-verify vk.json bad");
    assert!(
        said.contains("3 of 5 proofs; index 2, line 4, proof.json: the pairing equation does not hold"),
        "{said}"
    );
    let object = object(&b, "batch-verify vk.json bad");
    expect("failure.json", "batch-verify", &object);
    let failed = object["failed"].as_array().unwrap();
    let places: Vec<_> =
        failed.iter().map(|f| (f["index"].as_u64().unwrap(), f["line"].as_u64().unwrap())).collect();
    assert_eq!(places, [(2, 4), (3, 6), (4, 7)]);
    assert_eq!((&failed[1]["proof"], &object["proofs"]), (&"off.json".into(), &5.into()));
    for (list, why) in [
        ("", "no proof is listed"),
        ("# nothing\n\n", "no proof is listed"),
        ("public.json proof.json\na b c\n", "line 2: two paths are needed"),
        ("public.json \"proof.json\n", "line 1: a quotation mark is not closed"),
        ("{\"public\": \"public.json\"}\n", "line 1: missing field `proof`"),
    ] {
        b.write("list", list);
        assert!(b.fails(2, "batch-verify vk.json list").contains(why), "{list}");
    }
}

#[test]
fn the_version_says_what_it_was_built_from() {
    let b = Bench::cube("bn128");
    let said = b.ok("--version");
    let inside = said.trim().strip_prefix(concat!("pairwright ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let inside = inside.strip_suffix(')').unwrap();
    let commit = |hash: &str| hash.len() >= 7 && hash.bytes().all(|c| c.is_ascii_hexdigit());
    assert!(
        ["development build", "unknown commit"].contains(&inside)
            || inside.strip_prefix("commit ").is_some_and(commit),
        "{said}"
    );
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let b = Bench::cube("bn128");
    assert!(b.ok("man pages").starts_with("pages: "));
    let page = |name: &str| fs::read_to_string(b.path("pages").join(name)).unwrap();
    assert!(page("pairwright.1").contains(".TH pairwright 1"));
    let prove = page("pairwright-prove.1");
    assert!(prove.contains("allow\\-unsafe\\-key") && prove.contains("pairwright prove"), "{prove}");
    assert!(page("pairwright-sim-ntt.1").contains("transform of any size"));
    assert_eq!(
        object(&b, "man pages")["pages"].as_array().unwrap().len(),
        fs::read_dir(b.path("pages")).unwrap().count()
    );
}

#[test]
fn quiet_says_nothing_of_success_and_verbose_names_operators() {
    let b = bench();
    for line in [
        "setup cube.r1cs --unsafe-local -o k.zkey",
        "vkey cube.zkey -o v.json",
        "witness cube.wasm input.json -o w2.wtns",
        "check cube.r1cs w.wtns",
        "prove cube.zkey w.wtns -o p.json --public q.json",
        "verify vk.json public.json proof.json",
        "batch-verify vk.json list",
        "powersoftau prepare phase2 raw.ptau prepared.ptau",
        "powersoftau new bn254 2 p0.ptau",
        "powersoftau contribute p0.ptau p1.ptau",
        "powersoftau verify p1.ptau",
        "zkey contribute c.zkey c2.zkey",
        "zkey verify cube.r1cs raw.ptau c2.zkey",
        "gen kernel --op addmod --bits 256 -o k.h",
        "asm p.pw -o image2.json",
        "disasm image.json -o p2.pw",
    ] {
        let out = b.run(&format!("{line} -q"));
        assert!(out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(), "{line}");
    }
    assert!(b.ok("-q inspect cube.r1cs").contains("constraints"), "what was asked for is said");
    assert!(b.fails(2, "-q inspect missing").contains("missing"), "and errors are");
    let out = b.run("-v prove cube.zkey w.wtns -o p.json --public q.json");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("commit A: msm_g1 of "), "{said}");
    assert_eq!(b.run("-q -v devices").status.code(), Some(2));
}

#[test]
fn options_that_do_nothing_are_refused() {
    let b = bench();
    let out = b.run("prove cube.zkey w.wtns --input input.json");
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(b.run("setup cube.r1cs -o k.zkey").stderr).unwrap();
    assert!(said.contains("--ptau") && said.contains("--unsafe-local"), "both ways are named: {said}");
}
