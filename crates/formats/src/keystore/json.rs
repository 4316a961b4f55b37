//! Reads and writes the JSON of a keystore.

use super::{Kdf, Keystore, KeystoreError, MOST_SECRET};
use crate::hexadecimal::{from_hex, to_hex};
use crate::json::{expect_at_most, member, parse};
use crate::{FileBytes, FileName, FilePlace, FormatError, Spot};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io::Write;
use std::path::Path;
use uuid::Uuid;

/// Largest size of a keystore in bytes.
const MOST: u64 = 1 << 20;

/// The members of the document.
#[derive(Serialize, Deserialize)]
struct Document {
    crypto: Crypto,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pubkey: Option<String>,
    path: String,
    uuid: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct Crypto {
    kdf: Module,
    checksum: Module,
    cipher: Module,
}

/// A cryptographic function with its parameters and its message, which EIP-2335 calls a module.
#[derive(Serialize, Deserialize)]
struct Module {
    function: String,
    params: Map<String, Value>,
    message: String,
}

/// The position of a member of a file, for an error.
pub(super) fn at(file: &FileBytes, path: &str) -> FilePlace {
    member(file, path)
}

/// The position that stands for a file as a whole.
pub(super) fn whole(file: &FileBytes) -> FilePlace {
    file.place(Spot::Whole)
}

/// The position for errors about a keystore that is not in a file yet.
pub(super) fn unnamed() -> FilePlace {
    FilePlace { file: FileName::from(Path::new("the new keystore")), spot: Spot::Whole }
}

/// A reader for the parameters of a module.
struct Parameters<'a> {
    file: &'a FileBytes,
    of: &'static str,
    params: &'a Map<String, Value>,
}

impl Parameters<'_> {
    fn place(&self, name: &str) -> FilePlace {
        at(self.file, &alloc::format!("crypto.{}.params.{name}", self.of))
    }

    fn number(&self, name: &str) -> Result<u64, KeystoreError> {
        let number = self.params.get(name).and_then(Value::as_u64);
        number.ok_or_else(|| KeystoreError::Bytes { at: self.place(name), expected: "a number" })
    }

    fn small(&self, name: &str) -> Result<u32, KeystoreError> {
        let found = self.number(name)?;
        let wrong =
            |_| KeystoreError::Parameter { at: self.place(name), expected: "a number below 2^32", found };
        u32::try_from(found).map_err(wrong)
    }

    fn text(&self, name: &str) -> Result<&str, KeystoreError> {
        let text = self.params.get(name).and_then(Value::as_str);
        text.ok_or_else(|| KeystoreError::Bytes { at: self.place(name), expected: "a text" })
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, KeystoreError> {
        let wrong = || KeystoreError::Bytes { at: self.place(name), expected: "bytes in hexadecimal" };
        from_hex(self.text(name)?).ok_or_else(wrong)
    }
}

/// Reads a keystore and checks all members.
pub(super) fn read(file: &FileBytes) -> Result<Keystore, KeystoreError> {
    expect_at_most(file, MOST, "a keystore")?;
    let document: Document = parse(file)?;
    if document.version != 4 {
        return Err(KeystoreError::Version { at: at(file, "version"), found: document.version });
    }
    let Crypto { kdf, checksum, cipher } = &document.crypto;
    let named = |of: &str, module: &Module, known: &[&str], expected| {
        if known.contains(&module.function.as_str()) {
            return Ok(());
        }
        let found = module.function.clone();
        Err(KeystoreError::Function {
            at: at(file, &alloc::format!("crypto.{of}.function")),
            expected,
            found,
        })
    };
    named("kdf", kdf, &["scrypt", "pbkdf2"], "scrypt or pbkdf2")?;
    named("checksum", checksum, &["sha256"], "sha256")?;
    named("cipher", cipher, &["aes-128-ctr"], "aes-128-ctr")?;
    let wrong = |path: &str, expected| KeystoreError::Bytes { at: at(file, path), expected };
    let sum = from_hex(&checksum.message).and_then(|bytes| bytes.try_into().ok());
    let checksum = sum.ok_or_else(|| wrong("crypto.checksum.message", "32 bytes in hexadecimal"))?;
    let iv = Parameters { file, of: "cipher", params: &cipher.params }.bytes("iv")?;
    let iv = iv.try_into().map_err(|_| wrong("crypto.cipher.params.iv", "16 bytes in hexadecimal"))?;
    let encrypted = from_hex(&cipher.message).filter(|bytes| (1..=MOST_SECRET).contains(&bytes.len()));
    let encrypted =
        encrypted.ok_or_else(|| wrong("crypto.cipher.message", "1 to 1024 bytes in hexadecimal"))?;
    let kdf = function(file, kdf)?;
    kdf.check(&|| at(file, "crypto.kdf.params"))?;
    let public_key = match document.pubkey.as_deref() {
        None | Some("") => None,
        Some(text) => Some(from_hex(text).ok_or_else(|| wrong("pubkey", "bytes in hexadecimal"))?),
    };
    let uuid = Uuid::parse_str(&document.uuid).map_err(|_| wrong("uuid", "a UUID (RFC 4122)"))?;
    let (description, path) = (document.description, document.path);
    Ok(Keystore { kdf, checksum, iv, encrypted, description, public_key, path, uuid })
}

/// Reads the key derivation function and checks its parameters.
fn function(file: &FileBytes, module: &Module) -> Result<Kdf, KeystoreError> {
    let params = Parameters { file, of: "kdf", params: &module.params };
    let length = params.number("dklen")?;
    if length < 32 {
        let expected = "32 or more bytes of a key";
        return Err(KeystoreError::Parameter { at: params.place("dklen"), expected, found: length });
    }
    let salt = params.bytes("salt")?;
    if module.function == "scrypt" {
        let n = params.number("n")?;
        let log_n = if n.is_power_of_two() { u8::try_from(n.trailing_zeros()).ok() } else { None };
        let log_n = log_n.filter(|log| *log > 0).ok_or_else(|| KeystoreError::Parameter {
            at: params.place("n"),
            expected: "a power of two above 1",
            found: n,
        })?;
        return Ok(Kdf::Scrypt { log_n, r: params.small("r")?, p: params.small("p")?, salt });
    }
    let prf = params.text("prf")?;
    if prf != "hmac-sha256" {
        let found = prf.to_owned();
        return Err(KeystoreError::Function { at: params.place("prf"), expected: "hmac-sha256", found });
    }
    Ok(Kdf::Pbkdf2 { iterations: params.small("c")?, salt })
}

/// Writes the keystore as indented JSON.
pub(super) fn write(keystore: &Keystore, out: &mut dyn Write) -> Result<(), FormatError> {
    let module = |function: &str, params: Value, message: String| Module {
        function: function.to_owned(),
        params: match params {
            Value::Object(params) => params,
            _ => Map::new(),
        },
        message,
    };
    let kdf = match &keystore.kdf {
        Kdf::Scrypt { log_n, r, p, salt } => {
            let n = 1u64.checked_shl((*log_n).into()).unwrap_or_default();
            let params = serde_json::json!({ "dklen": 32, "n": n, "r": r, "p": p, "salt": to_hex(salt) });
            module("scrypt", params, String::new())
        }
        Kdf::Pbkdf2 { iterations, salt } => {
            let params = serde_json::json!({ "dklen": 32, "c": iterations, "prf": "hmac-sha256", "salt": to_hex(salt) });
            module("pbkdf2", params, String::new())
        }
    };
    let checksum = module("sha256", Value::Null, to_hex(&keystore.checksum));
    let iv = serde_json::json!({ "iv": to_hex(&keystore.iv) });
    let document = Document {
        crypto: Crypto { kdf, checksum, cipher: module("aes-128-ctr", iv, to_hex(&keystore.encrypted)) },
        description: keystore.description.clone(),
        pubkey: keystore.public_key.as_deref().map(to_hex),
        path: keystore.path.clone(),
        uuid: keystore.uuid(),
        version: 4,
    };
    serde_json::to_writer_pretty(&mut *out, &document).map_err(std::io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}
