//! BLS signatures from the command line: accepted inputs, refused ones with their exit codes, the protection of secrets,
//! Ethereum's vectors, and the examples of the help and of the book.

mod calls;
mod keystores;
mod shares;
mod vectors;

use crate::common::Bench;
use pairwright::curve::bls12_381::{G1, G2};
use pairwright::curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright::curve::{Affine, Curve};
use pairwright::field::{Extension, Field, Ring, Sqrt};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with two messages.
pub(super) fn bench() -> Bench {
    let b = Bench::cube("bn128");
    b.write("m.txt", "a message");
    b.write("other.txt", "another message");
    b
}

/// The JSON object that a command prints, which must succeed.
pub(super) fn object(b: &Bench, line: &str) -> Value {
    serde_json::from_str(&b.ok(&format!("--json {line}"))).unwrap()
}

/// The point of the curve with the smallest first coordinate that is not in the subgroup, compressed.
fn outside<C: Curve>() -> String {
    let found = (1u64..).find_map(|x| {
        let mut coordinates = vec![<C::Base as Extension>::Prime::ZERO; C::Base::DEGREE];
        coordinates[0] = x.into();
        let x = C::Base::from_coords(&coordinates);
        let point = Affine::<C>::from_xy_unchecked(x, (x.square() * x + C::B).sqrt_vartime()?);
        (!point.is_in_subgroup_vartime()).then_some(point)
    });
    hex(&ZcashCompressed::to_vec(&found.unwrap()))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The encoded neutral element of a group whose points have this many bytes.
fn neutral(bytes: usize) -> String {
    format!("c0{}", "00".repeat(bytes - 1))
}

#[test]
fn both_variants_and_all_schemes_sign_and_verify() {
    let b = bench();
    for (variant, key_bytes) in [("min-pk", 48), ("min-sig", 96)] {
        b.ok(&format!("bls keygen --variant {variant} -o {variant}.json --public {variant}.pub"));
        let public = b.ok(&format!("bls pubkey {variant}.json"));
        let public = public.trim();
        assert_eq!(public.len(), 2 * key_bytes);
        assert_eq!(b.json(&format!("{variant}.pub"))["public_key"], public);
        let mut seen = Vec::new();
        for scheme in ["basic", "aug", "pop"] {
            b.ok(&format!("bls sign {variant}.json m.txt --scheme {scheme} -o s.json"));
            let signature = b.ok(&format!("bls sign {variant}.json m.txt --scheme {scheme}"));
            let signature = signature.trim().to_owned();
            assert_eq!(b.json("s.json")["signature"], signature.as_str(), "signatures are unique");
            assert_eq!(signature.len(), 2 * (144 - key_bytes));
            b.write("s.hex", format!("0x{signature}\n"));
            for given in ["s.json", &signature, &format!("0x{signature}"), "s.hex"] {
                for key in [public, &format!("{variant}.pub")] {
                    let said = b.ok(&format!("bls verify {key} m.txt {given} --scheme {scheme}"));
                    assert!(said.starts_with("OK: the signature is valid (BLS_SIG_"), "{said}");
                    assert!(
                        said.contains("not the neutral element") && said.contains("pairing equation"),
                        "{said}"
                    );
                }
            }
            let said = b.fails(1, &format!("bls verify {public} other.txt s.json --scheme {scheme}"));
            assert!(said.contains("rejected: the pairing equation does not hold"), "{said}");
            // The signature depends on the scheme, and a document names its own.
            for other in ["basic", "aug", "pop"].iter().filter(|other| **other != scheme) {
                b.fails(1, &format!("bls verify {public} m.txt {signature} --scheme {other}"));
                let said = b.fails(2, &format!("bls verify {public} m.txt s.json --scheme {other}"));
                assert!(said.contains("a signature of the ciphersuite BLS_SIG_"), "{said}");
            }
            seen.push(signature);
        }
        assert!(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
    }
    // Keys and signatures of different variants do not fit each other.
    b.ok("bls sign min-sig.json m.txt -o s.json");
    let said = b.fails(2, "bls verify min-pk.pub m.txt s.json");
    assert!(said.contains("a signature of the ciphersuite BLS_SIG_BLS12381G1"), "{said}");
    assert!(
        b.fails(2, "bls sign min-sig.json m.txt --variant min-pk").contains("it is of the variant min-sig")
    );
}

#[test]
fn keys_and_signatures_that_are_none_are_refused() {
    let b = bench();
    b.ok("bls keygen -o k.json --public k.pub");
    b.ok("bls sign k.json m.txt -o s.json");
    let (key, signature) = (b.ok("bls pubkey k.json"), b.ok("bls sign k.json m.txt"));
    let (key, signature) = (key.trim(), signature.trim());
    b.write("short.hex", &key[..94]);
    b.write("words.txt", "no point at all");
    b.write("empty.txt", "");
    b.write("cut.json", &b.read("k.pub")[..60]);
    for (code, line, said) in [
        (
            1,
            format!("bls verify {} m.txt {signature}", neutral(48)),
            "the key: the neutral element is not a valid public key",
        ),
        (1, format!("bls verify {key} m.txt {}", neutral(96)), "the pairing equation does not hold"),
        (
            1,
            format!("bls verify {} m.txt {signature}", outside::<G1>()),
            "the key: BLS12-381 G1: not in the prime-order subgroup",
        ),
        (
            1,
            format!("bls verify {key} m.txt {}", outside::<G2>()),
            "the signature: BLS12-381 G2: not in the prime-order subgroup",
        ),
        (1, format!("bls verify {} m.txt {signature}", "0".repeat(96)), "the key: BLS12-381 G1: flag bits"),
        (1, format!("bls verify {key} m.txt {}", "f".repeat(192)), "the signature: BLS12-381 G2"),
        // The key and the signature are swapped: they are read as a signature and a key of the other variant.
        (1, format!("bls verify {signature} m.txt {key}"), "the pairing equation does not hold"),
        (2, "bls verify s.json m.txt k.pub".to_owned(), "expected \"pairwright bls public key\""),
        (2, "bls verify k.pub m.txt k.pub".to_owned(), "expected \"pairwright bls signature\""),
        (2, "bls verify k.json m.txt s.json".to_owned(), "expected \"pairwright bls public key\""),
        (2, "bls verify short.hex m.txt s.json".to_owned(), "47 bytes are no public key"),
        (2, format!("bls verify 0x{} m.txt s.json", &key[2..]), "47 bytes are no public key"),
        (2, format!("bls verify {key} m.txt 0x{}", &signature[2..]), "95 bytes are no signature"),
        (2, "bls verify words.txt m.txt s.json".to_owned(), "neither a document nor a point in hexadecimal"),
        (2, "bls verify empty.txt m.txt s.json".to_owned(), "neither a document nor a point in hexadecimal"),
        (2, "bls verify cut.json m.txt s.json".to_owned(), "cut.json: no JSON of pairwright bls public key"),
        (2, "bls verify missing m.txt s.json".to_owned(), "missing"),
        (2, "bls verify k.pub missing s.json".to_owned(), "missing"),
        (2, "bls sign k.pub m.txt".to_owned(), "expected \"pairwright bls secret key\""),
        (2, "bls sign words.txt m.txt".to_owned(), "words.txt: neither a document of a secret key"),
        (2, "bls verify /dev/zero m.txt s.json".to_owned(), "too large for a document"),
        (2, "bls sign k.json /dev/zero".to_owned(), "more than 67108864 bytes: too large for a message"),
        (2, "bls sign /dev/zero m.txt".to_owned(), "too large for a secret key"),
    ] {
        let found = b.fails(code, &line);
        assert!(found.contains(said), "{line}: {found}");
    }
}

#[test]
fn aggregates_of_distinct_messages() {
    let b = bench();
    for k in 1..=3 {
        b.ok(&format!("bls keygen -o k{k}.json --public k{k}.pub"));
        b.write(&format!("m{k}"), format!("message {k}"));
        b.ok(&format!("bls sign k{k}.json m{k} -o s{k}.json"));
    }
    b.ok("bls aggregate s1.json s2.json s3.json -o all.json");
    let key = b.ok("bls pubkey k2.json");
    b.write(
        "list",
        format!("# signers\nk1.pub m1\n\n{} m2\n{{\"key\": \"k3.pub\", \"message\": \"m3\"}}\n", key.trim()),
    );
    let done = object(&b, "bls aggregate-verify list all.json");
    assert_eq!(done["signers"], 3);
    assert!(done["checked"].as_array().unwrap().iter().any(|c| c == "the messages are distinct"));
    for (name, lines) in [
        ("fewer", "k1.pub m1\nk2.pub m2\n"),
        ("swapped", "k1.pub m2\nk2.pub m1\nk3.pub m3\n"),
        ("more", "k1.pub m1\nk2.pub m2\nk3.pub m3\nk3.pub m.txt\n"),
    ] {
        b.write(name, lines);
        assert!(
            b.fails(1, &format!("bls aggregate-verify {name} all.json")).contains("does not hold"),
            "{name}"
        );
    }
    // Equal messages are refused in the basic scheme, even if the equation holds; the scheme that signs the key too accepts them.
    b.write("equal", "# two\nk1.pub m1\nk2.pub m2\nk1.pub m1\n");
    b.ok("bls aggregate s1.json s2.json s1.json -o twice.json");
    let said = b.fails(1, "bls aggregate-verify equal twice.json");
    assert!(said.contains("equal: lines 2 and 4") && said.contains("the basic scheme forbids"), "{said}");
    for k in 1..=2 {
        b.ok(&format!("bls sign k{k}.json m1 --scheme aug -o a{k}.json"));
    }
    b.ok("bls aggregate a1.json a2.json --scheme aug -o aug.json");
    b.write("same", "k1.pub m1\nk2.pub m1\n");
    b.ok("bls aggregate-verify same aug.json --scheme aug");
    assert!(b.fails(2, "bls aggregate s1.json a2.json").contains("a2.json: a signature of the ciphersuite"));
    // In the scheme with proofs of possession, the keys' documents hold the proofs.
    for k in 1..=2 {
        b.ok(&format!("bls sign k{k}.json m1 --scheme pop -o p{k}.json"));
        b.ok(&format!("bls pop-prove k{k}.json -o proved{k}.json"));
    }
    b.ok("bls aggregate p1.json p2.json --scheme pop -o pop.json");
    assert!(b.fails(2, "bls aggregate-verify same pop.json --scheme pop").contains("no proof of possession"));
    b.ok("bls aggregate-verify same pop.json --scheme pop --proved");
    b.write("proved", "proved1.json m1\nproved2.json m1\n");
    b.ok("bls aggregate-verify proved pop.json --scheme pop");
    for (lines, why) in [
        ("", "nothing is listed"),
        ("k1.pub\n", "line 1: a key and a message are needed, and 1 words are given"),
        ("k1.pub m1\nk1.pub m1 s1.json\n", "line 2: a key and a message are needed, and 3 words"),
        ("k1.pub \"m1\n", "line 1: a quotation mark is not closed"),
        ("{\"key\": \"k1.pub\"}\n", "line 1: missing field `message`"),
    ] {
        b.write("list", lines);
        assert!(b.fails(2, "bls aggregate-verify list all.json").contains(why), "{lines}");
    }
    assert_eq!(b.run("bls aggregate").status.code(), Some(2), "an aggregate of nothing");
}

#[test]
fn one_message_of_many_wants_proofs_of_possession() {
    let b = bench();
    for k in 1..=3 {
        b.ok(&format!("bls keygen -o k{k}.json --public k{k}.pub --variant min-sig"));
        b.ok(&format!("bls pop-prove k{k}.json -o p{k}.json"));
        b.ok(&format!("bls sign k{k}.json m.txt --scheme pop -o s{k}.json"));
    }
    b.ok("bls aggregate s1.json s2.json s3.json --scheme pop -o all.json");
    let done = object(&b, "bls fast-aggregate-verify m.txt all.json p1.json p2.json p3.json");
    assert_eq!((&done["signers"], &done["variant"]), (&3.into(), &"min-sig".into()));
    assert!(done["checked"].as_array().unwrap().contains(&"3 proofs of possession are valid".into()));
    let said = b.fails(2, "bls fast-aggregate-verify m.txt all.json p1.json k2.pub p3.json");
    assert!(said.contains("k2.pub: no proof of possession stands with the key"), "{said}");
    let said = b.ok("bls fast-aggregate-verify m.txt all.json p1.json k2.pub p3.json --proved");
    assert!(said.contains("2 proofs of possession are valid, 1 were not looked at"), "{said}");
    b.fails(1, "bls fast-aggregate-verify other.txt all.json p1.json p2.json p3.json");
    b.fails(1, "bls fast-aggregate-verify m.txt all.json p1.json p2.json");
    b.fails(1, "bls fast-aggregate-verify m.txt s1.json p2.json");
    // A key with the proof of another key.
    let mut stolen = b.json("p1.json");
    stolen["public_key"] = b.json("p2.json")["public_key"].clone();
    b.write("stolen.json", stolen.to_string());
    for line in ["fast-aggregate-verify m.txt all.json p1.json stolen.json p3.json", "pop-verify stolen.json"]
    {
        let said = b.fails(1, &format!("bls {line}"));
        assert!(said.contains("the pairing equation does not hold"), "{said}");
    }
    b.ok("bls pop-verify p1.json");
    let done = object(&b, "bls pop-verify p1.json --device chip --report costs.json");
    assert!(done["report"]["operators"][0]["cycles"].as_u64().unwrap() > 30_000, "{done}");
    let proof = b.ok("bls pop-prove k1.json");
    b.ok(&format!("bls pop-verify k1.pub {}", proof.trim()));
    b.fails(1, &format!("bls pop-verify k2.pub {}", proof.trim()));
    b.fails(1, &format!("bls pop-verify k1.pub {}", outside::<G1>()));
    b.fails(1, &format!("bls pop-verify k1.pub {}", neutral(48)));
    assert!(b.fails(2, "bls pop-verify k1.pub").contains("none is given"));
    // A signature of the key's bytes is not a proof of possession, since the tags differ.
    b.write("key.bin", pairwright::formats::from_hex(b.ok("bls pubkey k1.json").trim()).unwrap());
    b.ok("bls sign k1.json key.bin --scheme pop -o like.json");
    b.fails(1, "bls pop-verify k1.pub like.json");
}

/// A rogue key that cancels another: the sum of the keys is the neutral element, or the attacker's own key.
#[test]
fn keys_that_cancel_are_refused() {
    let b = bench();
    b.ok("bls keygen -o k.json");
    let key = b.ok("bls pubkey k.json");
    let bytes = pairwright::formats::from_hex(key.trim()).unwrap();
    let point: Affine<G1> = ZcashCompressed::read(&bytes).unwrap();
    let opposite = hex(&ZcashCompressed::to_vec(&-point));
    let line = format!("bls fast-aggregate-verify m.txt {} {} {opposite} --proved", neutral(96), key.trim());
    let said = b.fails(1, &line);
    assert!(said.contains("the public keys add up to the neutral element"), "{said}");
    assert!(b.fails(2, &line.replace(" --proved", "")).contains("no proof of possession"));
}

#[test]
fn batches_name_what_is_not_valid() {
    let b = bench();
    let mut lines = String::from("# a batch\n");
    for k in 1..=4 {
        b.ok(&format!("bls keygen -o k{k}.json --public k{k}.pub"));
        b.ok(&format!("bls sign k{k}.json m.txt -o s{k}.json"));
        lines += &format!("k{k}.pub m.txt s{k}.json\n");
    }
    b.write("good", &lines);
    assert_eq!(object(&b, "bls batch-verify good")["signatures"], 4);
    b.write("bad", lines.replace("k2.pub m.txt", "k2.pub other.txt").replace("s4.json", &outside::<G2>()));
    let said = b.fails(1, "bls batch-verify bad");
    let expected = "2 of 4 signatures; line 3: the pairing equation does not hold; line 5: bad: line 5: the signature: \
                    BLS12-381 G2: not in the prime-order subgroup";
    assert!(said.contains(expected), "{said}");
    // Two wrong signatures whose sum is the sum of the right ones.
    b.write("crossed", "k1.pub m.txt s2.json\nk2.pub m.txt s1.json\n");
    assert!(b.fails(1, "bls batch-verify crossed").contains("2 of 2 signatures; line 1"));
    b.write("missing", "k1.pub m.txt nowhere.json\n");
    b.fails(2, "bls batch-verify missing");
    b.write("two", "k1.pub m.txt\n");
    assert!(b.fails(2, "bls batch-verify two").contains("a key, a message and a signature are needed"));
    b.ok("bls keygen -o o.json --public o.pub --variant min-sig");
    b.ok("bls sign o.json m.txt -o o.sig");
    b.write("mixed", format!("{lines}o.pub m.txt o.sig\n"));
    assert!(b.fails(2, "bls batch-verify mixed").contains("it is of the variant min-sig, and not of min-pk"));
}

#[test]
fn secrets_stay_where_they_belong() {
    let b = bench();
    let secret = "0x".to_owned() + &"1".repeat(64);
    b.write("k.hex", &secret);
    for line in ["bls pubkey k.hex", "-v bls sign k.hex m.txt", "--json bls pop-prove k.hex"] {
        let out = b.run(line);
        let said = [out.stdout, out.stderr].concat();
        assert!(
            out.status.success() && !String::from_utf8(said).unwrap().contains(&"1".repeat(64)),
            "{line}"
        );
    }
    let said = b.fails(2, &format!("bls pubkey {secret}"));
    assert!(said.contains("never from the command line") && !said.contains("111"), "{said}");
    assert!(!b.fails(2, &format!("bls sign {} m.txt", "1".repeat(64))).contains("111"));
    // A key file is not overwritten without --force.
    b.ok("bls keygen -o k.json");
    let before = b.read("k.json");
    let said = b.fails(2, "bls keygen -o k.json");
    assert!(said.contains("it is there already") && b.read("k.json") == before, "{said}");
    b.ok("bls keygen -o k.json --force");
    assert_ne!(b.read("k.json"), before);
    // A document with members of two keys.
    b.ok("bls keygen -o other.json");
    let mut mixed = b.json("k.json");
    mixed["public_key"] = b.json("other.json")["public_key"].clone();
    b.write("mixed.json", mixed.to_string());
    assert!(b.fails(2, "bls sign mixed.json m.txt").contains("is not that of the secret key"));
    for (text, said) in [
        ("0".repeat(64), "not a secret key"),
        ("f".repeat(64), "not a secret key"),
        ("1".repeat(62), "neither a document of a secret key"),
        ("x".repeat(64), "neither a document of a secret key"),
    ] {
        b.write("bad.hex", text);
        assert!(b.fails(2, "bls pubkey bad.hex").contains(said));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("k.json"), 0o600);
    }
}

/// Keys from material and seeds: EIP-2333's first case, and seeds that are too short.
#[test]
fn keys_are_derived_as_eip_2333_has_it() {
    let b = bench();
    let seed = "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04";
    b.write("seed", format!("0x{seed}\n"));
    for (path, decimal) in [
        ("m", "6083874454709270928345386274498605044986640685124978867557563392430687146096"),
        ("m/0", "20397789859736650942317412262472558107875392172444076792671091975210932703118"),
    ] {
        let done = object(&b, &format!("bls derive seed {path} -o key.json --force"));
        assert_eq!((&done["path"], &b.json("key.json")["path"]), (&path.into(), &path.into()));
        let scalar = num_bigint::BigUint::parse_bytes(decimal.as_bytes(), 10).unwrap();
        assert_eq!(b.json("key.json")["secret_key"], format!("{scalar:064x}"));
        b.write("key.hex", format!("{scalar:064x}"));
        assert_eq!(b.ok("bls pubkey key.hex").trim(), done["public_key"]);
    }
    for (text, line, said) in [
        ("00".repeat(31), "bls derive bad m -o new.json", "a seed is 32 to 1024 bytes"),
        ("zz".repeat(32), "bls derive bad m -o new.json", "a seed is 32 to 1024 bytes"),
        (
            "short".to_owned(),
            "bls keygen --material bad -o new.json",
            "5 bytes of keying material, at least 32",
        ),
        (seed.to_owned(), "bls derive bad m -o new.json --password-file m.txt", "are for --encrypt"),
    ] {
        b.write("bad", text);
        assert!(b.fails(2, line).contains(said), "{line}");
        assert!(!b.path("new.json").exists());
    }
    for path in ["x/0", "m/-1", "m/4294967296", "m/0'"] {
        assert_eq!(b.run(&format!("bls derive seed {path} -o new.json")).status.code(), Some(2), "{path}");
    }
    // The same material gives the same key; with other information it gives another one.
    b.write("material", [7; 32]);
    let key = |info: &str| {
        let line = format!("bls keygen --material material {info} -o made.json --force");
        object(&b, &line)["public_key"].as_str().unwrap().to_owned()
    };
    assert!(key("") == key("") && key("--info x") != key("") && key("--info x") == key("--info x"));
}

/// Every example of the help runs, one after the other in a folder.
#[test]
fn every_example_of_the_help_runs() {
    let b = bench();
    b.write("message.txt", "a message");
    b.write("password.txt", "a password\n");
    b.write("seed.txt", "5a".repeat(32));
    b.write("call.hex", "00".repeat(384));
    let vector = "../../vectors/eip2537/map_fp_to_G1_bls.json";
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(vector), b.path("map_fp_to_G1_bls.json")).unwrap();
    for (command, least) in [("bls", 16), ("hash-to-curve", 3), ("eip2537", 2), ("eip196", 2)] {
        // The width keeps lines from being broken.
        let mut asked = std::process::Command::new(env!("CARGO_BIN_EXE_pairwright"));
        let help = asked.args([command, "--help"]).env("COLUMNS", "1000").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let examples = help.split_once("Examples:").unwrap().1;
        let mut ran = 0;
        for line in examples.lines().filter_map(|line| line.trim().strip_prefix("pairwright ")) {
            b.ok(line);
            ran += 1;
        }
        assert!(ran >= least, "{command}: {ran} examples: {help}");
    }
}

/// Runs the commands of the book's page as they are.
#[cfg(unix)]
#[test]
fn every_command_of_the_book_runs() {
    let b = bench();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/howto/bls.md");
    let page = fs::read_to_string(page).unwrap();
    let mut ran = 0;
    for block in page.split("```sh\n").skip(1) {
        let block = block.split_once("```").unwrap().0;
        let script = format!("pairwright() {{ {} \"$@\"; }}; {block}", env!("CARGO_BIN_EXE_pairwright"));
        let mut shell = std::process::Command::new("sh");
        let out = shell.args(["-e", "-c", &script]).current_dir(b.dir.path()).output().unwrap();
        assert!(out.status.success(), "{block}: {}", String::from_utf8_lossy(&out.stderr));
        ran += 1;
    }
    assert!(ran >= 6, "{ran} blocks");
}
