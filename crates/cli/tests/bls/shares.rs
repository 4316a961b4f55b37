//! Threshold signatures from the command line.

use super::{bench, object};
use std::fs;

#[test]
fn enough_signers_sign_together() {
    let b = bench();
    for (variant, scheme) in [("min-pk", "basic"), ("min-sig", "aug"), ("min-pk", "aug"), ("min-sig", "pop")]
    {
        b.ok(&format!("bls keygen --variant {variant} -o k.json --force --public k.pub"));
        let folder = format!("{variant}-{scheme}");
        let done = object(&b, &format!("bls threshold split k.json -t 3 -n 5 -o {folder}"));
        assert_eq!((&done["threshold"], &done["signers"]), (&3.into(), &5.into()));
        for index in 1..=5 {
            b.ok(&format!(
                "bls threshold sign {folder}/share-{index}.json m.txt --scheme {scheme} -o part{index}"
            ));
        }
        // Any sufficient set of signers gives the signature of the key that was shared.
        let whole = b.ok(&format!("bls sign k.json m.txt --scheme {scheme}"));
        for parts in ["part1 part2 part3", "part5 part3 part1", "part2 part3 part4 part5"] {
            let line =
                format!("bls threshold combine {folder}/shared-key.json m.txt {parts} --scheme {scheme}");
            assert_eq!(b.ok(&line), whole, "{variant} {scheme} {parts}");
        }
        b.ok(&format!("bls verify {folder}/shared-key.json m.txt {} --scheme {scheme}", whole.trim()));
        b.ok(&format!("bls verify k.pub m.txt {} --scheme {scheme}", whole.trim()));
    }
}

/// Shares in keystores sign as unencrypted ones do, with the right password and the points that were published with them.
#[test]
fn shares_rest_encrypted() {
    let b = bench();
    b.write("password", "of the signers\n");
    b.write("wrong", "of nobody\n");
    for variant in ["min-pk", "min-sig"] {
        b.ok(&format!("bls keygen --variant {variant} -o k.json --force"));
        let split =
            "bls threshold split k.json -t 2 -n 3 --share-password-file password --kdf pbkdf2 --cost 10";
        b.ok(&format!("{split} -o {variant}"));
        let sign = |share: u16, rest: &str| {
            format!("bls threshold sign {variant}/share-{share}.json m.txt -o part{share} {rest}")
        };
        let shared = format!("--shared-key {variant}/shared-key.json");
        for share in [3, 1] {
            b.ok(&sign(share, &format!("{shared} --password-file password")));
            assert_eq!(b.json(&format!("part{share}"))["index"], share);
        }
        let combine = format!("bls threshold combine {variant}/shared-key.json m.txt part3 part1");
        assert_eq!(b.ok(&combine), b.ok("bls sign k.json m.txt"));
        assert!(b.fails(2, &sign(2, "--password-file password")).contains("needs --shared-key"));
        b.fails(1, &sign(2, &format!("{shared} --password-file wrong")));
        let document = b.json(&format!("{variant}/share-2.json"));
        assert_eq!(document["description"], "share 2 of 3");
        assert!(!document.to_string().contains("secret_key"));
        // A signer chooses a password of his own.
        b.ok(&format!(
            "bls keystore decrypt {variant}/share-2.json -o s2.json --force --password-file password"
        ));
        b.ok("bls keystore encrypt s2.json -o s2.ks --force --password-file wrong --kdf pbkdf2 --cost 10");
        b.ok(&format!("bls threshold sign s2.ks m.txt -o part2 {shared} --password-file wrong"));
        assert_eq!(b.json("part2"), {
            b.ok(&sign(2, &format!("{shared} --password-file password")));
            b.json("part2")
        });
        // The points of another key.
        b.ok(&format!("bls keygen --variant {variant} -o k2.json --force"));
        b.ok(&format!("bls threshold split k2.json -t 2 -n 3 -o {variant}-other"));
        let other = format!("--shared-key {variant}-other/shared-key.json --password-file password");
        assert!(b.fails(2, &sign(2, &other)).contains("the share is not what the published points say"));
    }
}

#[test]
fn parts_that_do_not_do_are_named() {
    let b = bench();
    b.ok("bls keygen -o k.json");
    b.ok("bls threshold split k.json -t 2 -n 3 -o shares");
    for index in 1..=3 {
        b.ok(&format!("bls threshold sign shares/share-{index}.json m.txt -o part{index}"));
    }
    b.ok("bls threshold sign shares/share-2.json other.txt -o elsewhere");
    b.ok("bls threshold sign shares/share-2.json m.txt --scheme pop -o pop");
    let combine = |parts: &str| format!("bls threshold combine shares/shared-key.json m.txt {parts}");
    assert!(b.fails(2, &combine("part1")).contains("1 parts, 2 are needed"));
    assert!(b.fails(2, &combine("part1 part1")).contains("two parts of signer 1"));
    assert!(b.fails(2, &combine("part1 pop")).contains("pop: a signature of the ciphersuite"));
    let said = b.fails(1, &combine("part1 elsewhere"));
    assert!(said.contains("1 valid parts of 2 that are needed; elsewhere: the pairing equation"), "{said}");
    // If there are enough other parts, an invalid one is left out and named.
    let done = object(&b, &combine("part1 elsewhere part3 -o whole.json"));
    assert_eq!(done["signers"], serde_json::json!([1, 3]));
    assert!(done["warnings"][0].as_str().unwrap().contains("elsewhere"), "{done}");
    b.ok("bls verify shares/shared-key.json m.txt whole.json");
    // A part with another signer's index, with one above the number of signers, and with index 0.
    let mut part = b.json("part1");
    for (index, code, said) in
        [(2, 1, "the pairing equation"), (4, 2, "signer 4 of 3"), (0, 2, "from 1 to 65535")]
    {
        part["index"] = index.into();
        b.write("moved", part.to_string());
        assert!(b.fails(code, &combine("part3 moved")).contains(said), "{index}");
    }
    // Shares of two keys.
    b.ok("bls keygen -o k2.json");
    b.ok("bls threshold split k2.json -t 2 -n 3 -o others");
    b.ok("bls threshold sign others/share-2.json m.txt -o foreign");
    assert!(b.fails(1, &combine("part1 foreign")).contains("foreign: the pairing equation does not hold"));
    let mut share = b.json("shares/share-1.json");
    share["secret_key"] = b.json("others/share-1.json")["secret_key"].clone();
    b.write("mixed.json", share.to_string());
    let said = b.fails(2, "bls threshold sign mixed.json m.txt -o new");
    assert!(said.contains("the share is not what the published points say"), "{said}");
    // Documents of other kinds.
    assert!(
        b.fails(2, "bls threshold sign k.json m.txt -o new").contains("expected \"pairwright bls share\"")
    );
    assert!(
        b.fails(2, "bls sign shares/share-1.json m.txt").contains("expected \"pairwright bls secret key\"")
    );
    let line = "bls threshold combine shares/share-1.json m.txt part1 part2";
    assert!(b.fails(2, line).contains("expected \"pairwright bls shared key\""));
}

#[test]
fn a_dealer_asks_for_what_there_is() {
    let b = bench();
    b.ok("bls keygen -o k.json");
    for (t, n) in [(0, 3), (4, 3), (1, 0)] {
        let said = b.fails(2, &format!("bls threshold split k.json -t {t} -n {n} -o shares"));
        assert!(said.contains("the threshold is from 1 to the number of signers"), "{said}");
    }
    assert_eq!(b.run("bls threshold split k.json -t 1 -n 65536 -o shares").status.code(), Some(2));
    b.ok("bls threshold split k.json -t 1 -n 1 -o shares");
    let before = fs::read(b.path("shares/share-1.json")).unwrap();
    assert!(b.fails(2, "bls threshold split k.json -t 1 -n 1 -o shares").contains("it is there already"));
    assert_eq!(fs::read(b.path("shares/share-1.json")).unwrap(), before);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("shares/share-1.json"), 0o600);
        assert_ne!(mode("shares/shared-key.json") & 0o600, 0);
    }
}
