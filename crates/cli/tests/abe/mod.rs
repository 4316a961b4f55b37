//! Files that are encrypted under policies: CIRCL's and this command's, refused inputs, and the examples of the help and the book.

use crate::common::Bench;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn vector(name: &str) -> Vec<u8> {
    fs::read(root("vectors/tkn20").join(name)).unwrap()
}

/// A folder with the keys of a system, a key of a doctor in ward 3, and a letter.
fn bench() -> Bench {
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    b.ok("abe setup --key master.key --public public.key");
    b.ok("abe keygen master.key --attribute role:doctor --attribute ward:3 -o alice.key");
    b.write("letter.txt", "for doctors\n");
    b
}

/// Splits a line into words as a shell does: at blanks outside of quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quote, mut word) = (Vec::new(), None, String::new());
    for c in line.chars().chain([' ']) {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (' ', None) => words.extend(Some(std::mem::take(&mut word)).filter(|w| !w.is_empty())),
            (c, _) => word.push(c),
        }
    }
    words
}

fn run(b: &Bench, line: &str) -> Output {
    let words = words(line);
    assert_eq!(words[0], "pairwright", "{line}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pairwright"));
    command.args(&words[1..]).current_dir(b.dir.path()).output().unwrap()
}

#[test]
fn files_of_circl_are_read() {
    let b = Bench { dir: tempfile::tempdir().unwrap() };
    for name in ["publicKey", "secretKey", "attributeKey", "ciphertext", "ciphertext_v137"] {
        b.write(name, vector(name));
    }
    b.ok("abe keygen secretKey --attribute EU:true -o derived");
    for file in ["ciphertext", "ciphertext_v137"] {
        for key in ["attributeKey", "derived"] {
            b.ok(&format!("abe decrypt {file} --key {key} -o message"));
            assert_eq!(b.read("message"), b"Be sure to drink your ovaltine!");
        }
    }
    b.write("letter", "");
    b.ok("abe encrypt letter --public publicKey --policy not(EU:false) -o empty.abe");
    b.ok("abe decrypt empty.abe --key attributeKey -o message");
    assert_eq!(b.read("message"), b"");
    let line = "abe encrypt letter --public publicKey --policy not(EU:false) -o on.abe --device chip --report costs.json --json";
    let said: Value = serde_json::from_str(&b.ok(line)).unwrap();
    let operators = said["report"]["operators"].as_array().unwrap();
    for operator in ["hash_to_g1", "scale_by_secrets_g1", "scale_by_secrets_g2"] {
        assert!(operators.iter().any(|o| o["operator"] == operator), "{said}");
    }
    b.ok("abe decrypt on.abe --key attributeKey -o message");
    let about =
        |file: &str| -> Value { serde_json::from_str(&b.ok(&format!("abe inspect {file} --json"))).unwrap() };
    let kinds = ["publicKey", "secretKey", "attributeKey", "ciphertext"].map(|f| about(f)["kind"].clone());
    assert_eq!(kinds, ["public key", "master key", "attribute key", "ciphertext"].map(Value::from));
    assert_eq!(about("ciphertext_v137")["layout"], "before v1.3.8");
    let literal = json!([{ "name": "EU", "value": "false", "negated": true }]);
    let empty = about("empty.abe");
    assert_eq!((&empty["policy"], &empty["literals"]), (&json!("not EU: false"), &literal));
    let names = json!([{ "name": "EU", "every_value": false }, { "name": "country", "every_value": false }]);
    assert_eq!(about("attributeKey")["attributes"], names);
}

#[test]
fn policies_decide_who_reads() {
    let b = bench();
    b.ok("abe keygen master.key -a role:doctor -a ward:* -o any.key");
    b.ok("abe keygen master.key -a role:nurse -a ward:3 -o bob.key");
    b.write("who.txt", "role: doctor\n  and not (ward: 7 or ward: 8)\n");
    b.ok("abe encrypt letter.txt --public public.key --policy-file who.txt -o letter.abe");
    for key in ["alice", "any"] {
        b.ok(&format!("abe decrypt letter.abe --key {key}.key -o opened.txt"));
        assert_eq!(b.read("opened.txt"), b.read("letter.txt"));
        fs::remove_file(b.path("opened.txt")).unwrap();
    }
    let said = b.fails(1, "abe decrypt letter.abe --key bob.key -o opened.txt");
    assert!(said.contains("letter.abe: the attributes do not satisfy the policy"), "{said}");
    assert!(!b.path("opened.txt").exists(), "nothing is written");
    let text = b.ok("abe inspect letter.abe -a role:doctor -a ward:9");
    assert!(text.contains("policy: role: doctor and (not ward: 7 and not ward: 8)"), "{text}");
    assert!(text.contains("the attributes satisfy the policy"), "{text}");
    b.fails(1, "abe inspect letter.abe -a role:doctor");
    // A key of another system names the right attributes, but decrypts nothing.
    b.ok("abe setup --key other.key --public other.pub");
    b.ok("abe keygen other.key -a role:doctor -a ward:3 -o stranger.key");
    let said = b.fails(1, "abe decrypt letter.abe --key stranger.key -o opened.txt");
    assert!(said.contains("of another system"), "{said}");
}

#[test]
fn what_is_refused() {
    let b = bench();
    b.ok("abe encrypt letter.txt --public public.key --policy role:doctor -o letter.abe");
    for (line, why) in [
        ("abe keygen master.key --attribute role -o k", "--attribute: `role` is not a name and a value"),
        ("abe keygen master.key --attribute :doctor -o k", "--attribute: an attribute without a name"),
        ("abe keygen master.key --attribute role: -o k", "--attribute: the attribute role has no value"),
        ("abe keygen master.key --attribute e-mail:x -o k", "`e-mail` is no name of an attribute"),
        ("abe keygen master.key -a a:1 -a a:2 -o k", "the attribute a is there twice"),
        (
            "abe keygen public.key -a a:1 -o k",
            "public.key: master key, A at byte 2: a matrix of 4 by 2, not of 3 by 2",
        ),
        (
            "abe encrypt letter.txt --public public.key --policy role:doctor) -o k",
            "--policy: policy, line 1, column 12: `and`, `or` or the end is expected, not `)`",
        ),
        ("abe encrypt letter.txt --public master.key --policy a:1 -o k", "master.key: public key, B in G2"),
        (
            "abe encrypt letter.txt --public public.key --policy-file letter.txt -o k",
            "letter.txt: policy, line 1, column 5",
        ),
        (
            "abe decrypt letter.txt --key alice.key -o k",
            "letter.txt: ciphertext, version at byte 0: not a ciphertext",
        ),
        ("abe decrypt letter.abe --key master.key -o k", "master.key: attribute key, attributes at byte"),
        ("abe decrypt missing --key alice.key -o k", "missing"),
        ("abe inspect alice.key -a a:1", "attributes are held against the policy of a ciphertext"),
        ("abe inspect letter.txt", "letter.txt: attribute key"),
        ("abe setup --key k --public k", "k"),
    ] {
        let said = b.fails(2, line);
        assert!(said.contains(why), "{line}: {said}");
        assert!(!b.path("k").exists(), "{line}: nothing is written");
    }
    let bytes = b.read("letter.abe");
    for at in [bytes.len() - 1, bytes.len() - 40, 10] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        b.write("changed.abe", changed);
        let said = b.fails(1, "abe decrypt changed.abe --key alice.key -o k");
        assert!(said.contains("changed.abe: the key does not open the ciphertext"), "{said}");
    }
    b.write("short.abe", &bytes[..bytes.len() - 1]);
    let said = b.fails(2, "abe decrypt short.abe --key alice.key -o k");
    assert!(
        said.contains("code of authenticity at byte") && said.contains("32 bytes are needed, 31 are left"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn keys_and_messages_are_for_nobody_else() {
    use std::os::unix::fs::PermissionsExt;
    let b = bench();
    b.ok("abe encrypt letter.txt --public public.key --policy role:doctor -o letter.abe");
    b.ok("abe decrypt letter.abe --key alice.key -o opened.txt");
    for name in ["master.key", "alice.key", "opened.txt"] {
        assert_eq!(fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
}

/// The lines of the help, and those of the book's page, run in this order in an empty folder with a letter.
#[test]
fn the_words_of_the_help_and_of_the_book() {
    let help = Bench { dir: tempfile::tempdir().unwrap() };
    let page = fs::read_to_string(root("docs/book/src/howto/attribute-encryption.md")).unwrap();
    let text = help.ok("abe --help");
    let of_help: Vec<&str> =
        text.lines().map(str::trim).filter(|l| l.starts_with("pairwright abe")).collect();
    let of_page = page.split("```sh\n").skip(1).flat_map(|block| block.split("```").next().unwrap().lines());
    let of_page: Vec<&str> = of_page.filter(|line| line.starts_with("pairwright ")).collect();
    assert!(of_help.len() >= 5 && of_page.len() >= 6, "{of_help:?} {of_page:?}");
    for lines in [of_help, of_page] {
        let b = Bench { dir: tempfile::tempdir().unwrap() };
        b.write("letter.txt", "for doctors\n");
        for line in lines {
            let out = run(&b, line);
            assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
        }
        assert_eq!(b.read("opened.txt"), b.read("letter.txt"));
    }
}
