//! Keystores: the vectors of EIP-2335, round trips, and keystores that are refused.

use pairwright_formats::FileBytes;
use pairwright_formats::keystore::{Kdf, Keystore, KeystoreError, Password};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const PASSWORD: &str = "𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑";
const SECRET: &str = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";

fn vector(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/keystore").join(name);
    fs::read(path).unwrap()
}

fn file(bytes: impl Into<Vec<u8>>) -> FileBytes {
    FileBytes::from_vec("k.json", bytes.into())
}

fn secret() -> Vec<u8> {
    pairwright_formats::from_hex(SECRET).unwrap()
}

#[test]
fn the_vectors_of_eip_2335() {
    for (name, path) in
        [("scrypt.json", "m/12381/60/3141592653/589793238"), ("pbkdf2.json", "m/12381/60/0/0")]
    {
        let file = file(vector(name));
        let keystore = Keystore::read(&file).unwrap();
        assert_eq!(keystore.decrypt(&file, &Password::new(PASSWORD)).unwrap()[..], secret(), "{name}");
        // The password in NFKD is the same password.
        assert!(keystore.decrypt(&file, &Password::new("testpassword🔑")).is_ok(), "{name}");
        assert_eq!((keystore.path.as_str(), keystore.public_key.as_ref().map(Vec::len)), (path, Some(48)));
        let wrong = keystore.decrypt(&file, &Password::new("testpassword"));
        assert!(matches!(wrong, Err(KeystoreError::Checksum { .. })), "{name}");
        // Written again it is the same document.
        let mut written = Vec::new();
        keystore.write(&mut written).unwrap();
        let json = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
        assert_eq!(json(&written), json(&vector(name)));
    }
}

#[test]
fn what_is_encrypted_is_decrypted() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let password = Password::new("a password");
    for length in [1, 16, 32, 33, 1024] {
        let secret: Vec<u8> = (0..length).map(|i| i as u8).collect();
        let cheap = [Kdf::scrypt(4, &mut rng), Kdf::pbkdf2(4, &mut rng)];
        for kdf in cheap {
            let mut keystore = Keystore::encrypt(&secret, &password, kdf, &mut rng).unwrap();
            keystore.description = Some("of a test".to_owned());
            let mut bytes = Vec::new();
            keystore.write(&mut bytes).unwrap();
            let file = file(bytes);
            let read = Keystore::read(&file).unwrap();
            assert_eq!(read, keystore);
            assert_eq!(read.decrypt(&file, &password).unwrap()[..], secret);
            assert!(read.decrypt(&file, &Password::new("A password")).is_err());
        }
    }
    let kdf = Kdf::pbkdf2(4, &mut rng);
    for length in [0, 1025] {
        let refused = Keystore::encrypt(&vec![1; length], &password, kdf.clone(), &mut rng);
        assert!(matches!(refused, Err(KeystoreError::Secret { .. })), "{length}");
    }
    // Salts, counters and identifiers are fresh.
    let two = [0, 1].map(|_| {
        let kdf = Kdf::pbkdf2(4, &mut rng);
        Keystore::encrypt(&secret(), &password, kdf, &mut rng).unwrap()
    });
    assert!(two[0] != two[1] && two[0].uuid() != two[1].uuid() && two[0].kdf != two[1].kdf);
}

/// Invalid values of each member, and their errors.
#[test]
fn what_is_malformed_is_named() {
    let good: Value = serde_json::from_slice(&vector("pbkdf2.json")).unwrap();
    let scrypt: Value = serde_json::from_slice(&vector("scrypt.json")).unwrap();
    let read = |value: &Value| Keystore::read(&file(value.to_string())).map_err(|why| why.to_string());
    let changed = |from: &Value, path: &str, to: Value| {
        let mut value = from.clone();
        *value.pointer_mut(path).unwrap() = to;
        read(&value).unwrap_err()
    };
    assert!(read(&good).is_ok() && read(&scrypt).is_ok());
    let params = "/crypto/kdf/params";
    for (from, path, to, said) in [
        (&good, "/version", json!(3), "k.json: version: keystores of version 4"),
        (&good, "/crypto/kdf/function", json!("argon2"), "crypto.kdf.function: unknown function \"argon2\""),
        (&good, "/crypto/checksum/function", json!("keccak"), "crypto.checksum.function: unknown function"),
        (&good, "/crypto/cipher/function", json!("aes-256-ctr"), "crypto.cipher.function: unknown function"),
        (&good, "/crypto/checksum/message", json!("00"), "crypto.checksum.message: expected 32 bytes"),
        (&good, "/crypto/cipher/message", json!(""), "crypto.cipher.message: expected 1 to 1024 bytes"),
        (&good, "/crypto/cipher/message", json!("0g"), "crypto.cipher.message: expected 1 to 1024 bytes"),
        (&good, "/crypto/cipher/params/iv", json!("00"), "crypto.cipher.params.iv: expected 16 bytes"),
        (&good, "/crypto/cipher/params/iv", json!(7), "crypto.cipher.params.iv: expected a text"),
        (&good, "/pubkey", json!("9"), "pubkey: expected bytes in hexadecimal"),
        (&good, "/uuid", json!("1"), "uuid: expected a UUID"),
        (&good, &format!("{params}/dklen"), json!(16), "dklen: 16 is not 32 or more bytes of a key"),
        (&good, &format!("{params}/c"), json!(0), "0 is not a number of iterations"),
        (&good, &format!("{params}/c"), json!(1 << 25), "33554432 iterations, 16777216 are given"),
        (&good, &format!("{params}/c"), json!(1u64 << 40), "is not a number below 2^32"),
        (&good, &format!("{params}/c"), json!(-1), "params.c: expected a number"),
        (&good, &format!("{params}/prf"), json!("hmac-sha1"), "params.prf: unknown function"),
        (&good, &format!("{params}/salt"), json!("x"), "params.salt: expected bytes in hexadecimal"),
        (&scrypt, &format!("{params}/n"), json!(1000), "1000 is not a power of two"),
        (&scrypt, &format!("{params}/n"), json!(1), "1 is not a power of two above 1"),
        (&scrypt, &format!("{params}/n"), json!(1u64 << 40), "bytes of memory, 536870912 are given"),
        (&scrypt, &format!("{params}/r"), json!(0), "0 is not a positive number"),
        (&scrypt, &format!("{params}/p"), json!(u32::MAX), "bytes of memory"),
        (&scrypt, &format!("{params}/p"), json!(16), "units of work"),
    ] {
        let found = changed(from, path, to);
        assert!(found.contains(said), "{path}: {found}");
    }
    for member in ["crypto", "path", "uuid", "version"] {
        let mut value = good.clone();
        value.as_object_mut().unwrap().remove(member);
        assert!(read(&value).unwrap_err().contains(member), "{member}");
    }
    // Optional members may be missing, and unknown members may be present.
    let mut value = good.clone();
    let members = value.as_object_mut().unwrap();
    members.remove("pubkey");
    members.remove("description");
    members.insert("name".to_owned(), json!("more"));
    assert!(read(&value).is_ok());
    let text = vector("pbkdf2.json");
    for end in [0, 1, 100, text.len() - 2] {
        assert!(Keystore::read(&file(&text[..end])).is_err(), "cut at {end}");
    }
    let large = [text, vec![b' '; 1 << 20]].concat();
    assert!(Keystore::read(&file(large)).unwrap_err().to_string().contains("too large for a keystore"));
}

/// A change of any encrypted byte, of the checksum or of the salt is noticed. A change of the counter is not, because the
/// checksum of EIP-2335 does not cover it.
#[test]
fn damage_is_noticed() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let password = Password::new("p");
    let keystore = Keystore::encrypt(&secret(), &password, Kdf::pbkdf2(2, &mut rng), &mut rng).unwrap();
    let mut bytes = Vec::new();
    keystore.write(&mut bytes).unwrap();
    let good: Value = serde_json::from_slice(&bytes).unwrap();
    for path in ["/crypto/cipher/message", "/crypto/checksum/message", "/crypto/kdf/params/salt"] {
        let mut value = good.clone();
        let member = value.pointer_mut(path).unwrap();
        let text = member.as_str().unwrap().to_owned();
        let flipped = if text.ends_with('0') { "1" } else { "0" };
        *member = format!("{}{flipped}", &text[..text.len() - 1]).into();
        let file = file(value.to_string());
        let read = Keystore::read(&file).unwrap();
        assert!(matches!(read.decrypt(&file, &password), Err(KeystoreError::Checksum { .. })), "{path}");
    }
}
