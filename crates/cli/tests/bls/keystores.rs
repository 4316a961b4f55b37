//! Keystores from the command line.

use super::{bench, object};
use crate::common::Bench;
use std::fs;
use std::path::Path;

const SECRET: &str = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
const PASSWORD: &str = "𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑";

fn with_vectors() -> Bench {
    let b = bench();
    for name in ["scrypt.json", "pbkdf2.json"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keystore").join(name);
        fs::copy(from, b.path(name)).unwrap();
    }
    b.write("password", format!("{PASSWORD}\n"));
    b.write("wrong", "testpassword");
    b
}

#[test]
fn the_vectors_of_eip_2335_are_opened() {
    let b = with_vectors();
    for name in ["scrypt.json", "pbkdf2.json"] {
        b.ok(&format!("bls keystore decrypt {name} -o clear.json --force --password-file password"));
        let clear = b.json("clear.json");
        assert_eq!((&clear["secret_key"], &clear["variant"]), (&SECRET.into(), &"min-pk".into()));
        assert_eq!(clear["path"], b.json(name)["path"]);
        assert_eq!(clear["public_key"], b.json(name)["pubkey"]);
        let said = b.fails(1, &format!("bls keystore decrypt {name} -o new.json --password-file wrong"));
        assert!(said.contains("the checksum does not fit") && !b.path("new.json").exists(), "{said}");
        // A keystore signs, too.
        let signature = b.ok(&format!("bls sign {name} m.txt --password-file password"));
        assert_eq!(signature, b.ok("bls sign clear.json m.txt"));
    }
}

#[test]
fn what_is_encrypted_is_decrypted() {
    let b = with_vectors();
    b.ok("bls keygen -o k.json --variant min-sig");
    for (kdf, warned) in [("--kdf pbkdf2 --cost 10", true), ("--kdf scrypt --cost 10", true), ("", false)] {
        let line = format!(
            "bls keystore encrypt k.json -o k.ks --force --password-file password {kdf} --description mine"
        );
        let done = object(&b, &line);
        assert_eq!(!done["warnings"].as_array().unwrap().is_empty(), warned, "{kdf}");
        let written = b.json("k.ks");
        assert_eq!((&written["version"], &written["description"]), (&4.into(), &"mine".into()));
        assert_eq!((&written["uuid"], &written["pubkey"]), (&done["uuid"], &done["public_key"]));
        assert!(
            !String::from_utf8(b.read("k.ks"))
                .unwrap()
                .contains(b.json("k.json")["secret_key"].as_str().unwrap())
        );
        b.ok("bls keystore decrypt k.ks -o back.json --force --password-file password");
        assert_eq!(b.json("back.json"), b.json("k.json"));
    }
    // New keys are encrypted at once.
    b.ok("bls keygen -o new.ks --encrypt --kdf pbkdf2 --cost 10 --password-file password");
    b.ok("bls sign new.ks m.txt --password-file password");
    b.fails(1, "bls sign new.ks m.txt --password-file wrong");
    b.write("seed", "11".repeat(32));
    b.ok("bls derive seed m/12381/3600/0/0/0 -o derived.ks --encrypt --kdf pbkdf2 --cost 10 --password-file password");
    assert_eq!(b.json("derived.ks")["path"], "m/12381/3600/0/0/0");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for name in ["k.ks", "new.ks", "back.json"] {
            let mode = fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{name}");
        }
    }
}

#[test]
fn what_is_no_keystore_and_no_password_is_refused() {
    let b = with_vectors();
    b.ok("bls keygen -o k.json");
    b.write("empty", "\n");
    b.write("controls", "\u{1}\u{7f}\n");
    b.write("bytes", [0xff, 0xfe]);
    let text = String::from_utf8(b.read("pbkdf2.json")).unwrap();
    b.write("cut.json", &text[..text.len() / 2]);
    b.write("sum.json", text.replace("8a9f5d99", "8a9f5d98"));
    b.write("other.json", text.replace("9612d7a7", "9612d7a8"));
    b.write("short.json", text.replace("\"pubkey\": \"9612", "\"pubkey\": \""));
    b.write("work.json", text.replace("262144", "1073741824"));
    b.write("memory.json", String::from_utf8(b.read("scrypt.json")).unwrap().replace("262144", "67108864"));
    b.write("iv.json", text.replace("264daa3f", "264daa3e"));
    for (code, line, said) in [
        (2, "decrypt k.json -o new.json --password-file password", "no keystore: its key is not encrypted"),
        (2, "decrypt pbkdf2.json -o new.json --password-file empty", "the password is empty"),
        (2, "decrypt pbkdf2.json -o new.json --password-file controls", "the password is empty"),
        (2, "decrypt pbkdf2.json -o new.json --password-file bytes", "bytes: a password is text in UTF-8"),
        (2, "decrypt pbkdf2.json -o new.json --password-file /dev/zero", "too large for a password"),
        (2, "decrypt cut.json -o new.json --password-file password", "cut.json: no JSON"),
        (1, "decrypt sum.json -o new.json --password-file password", "sum.json: the checksum does not fit"),
        (2, "decrypt other.json -o new.json --password-file password", "is not that of the secret key"),
        (2, "decrypt short.json -o new.json --password-file password", "46 bytes are no public key"),
        // The checksum does not cover the counter; the comparison of public keys finds the change.
        (2, "decrypt iv.json -o new.json --password-file password", "iv.json: "),
        (
            2,
            "decrypt work.json -o new.json --password-file password",
            "1073741824 iterations, 16777216 are given",
        ),
        (
            2,
            "decrypt memory.json -o new.json --password-file password",
            "bytes of memory, 536870912 are given",
        ),
        (2, "decrypt pbkdf2.json -o k.json --password-file password", "it is there already"),
        (2, "encrypt pbkdf2.json -o new.json --password-file password", "it is a keystore already"),
        (2, "encrypt k.json -o new.json --password-file password --cost 20", "bytes of memory"),
    ] {
        let found = b.fails(code, &format!("bls keystore {line}"));
        assert!(found.contains(said) && !b.path("new.json").exists(), "{line}: {found}");
    }
    assert_eq!(b.run("bls keystore encrypt k.json -o n --cost 25").status.code(), Some(2));
}

/// A password comes from a descriptor, or from the terminal, of which a test has none.
#[cfg(unix)]
#[test]
fn passwords_come_from_descriptors_and_terminals() {
    let b = with_vectors();
    let shell = |line: &str| {
        let line = format!("pairwright() {{ {} \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_pairwright"));
        // Without a terminal that it could ask at.
        let mut command = std::process::Command::new("setsid");
        command.args(["-w", "sh", "-c", &line]).current_dir(b.dir.path());
        command.stdin(std::process::Stdio::null()).output().unwrap()
    };
    let out = shell("pairwright bls keystore decrypt pbkdf2.json -o clear.json --password-fd 3 3< password");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = shell(
        "cat password | pairwright bls keystore decrypt pbkdf2.json -o clear.json --force --password-file -",
    );
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = shell("pairwright bls keystore decrypt pbkdf2.json -o new.json");
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("there is no terminal to ask for it"), "{said}");
    let out = shell("pairwright bls keystore decrypt pbkdf2.json -o new.json --password-fd 9");
    assert_eq!(out.status.code(), Some(2));
}
