//! Secret keys: read from documents, keystores or hexadecimal digits, and written to files that only their owner can read.

use super::fault::BlsFault;
use super::given::is_document;
use super::on_variant;
use crate::args::Cli;
use crate::args::bls::{Encryption, KdfFrom, KdfName, NewSecret, SecretFrom};
use crate::failure::Failure;
use crate::files::{self, MOST_SECRET, read_bytes};
use crate::randomness;
use pairwright::formats::bls::{SecretDocument, VariantName};
use pairwright::formats::keystore::{Kdf, Keystore, Password};
use pairwright::formats::{FileBytes, secret_from_hex};
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::{KeyPath, SecretKey};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;

/// A secret key with its variant and path, as its file gives them.
pub(super) struct Secret {
    pub(super) variant: VariantName,
    pub(super) key: SecretKey,
    pub(super) path: Option<KeyPath>,
}

/// The compressed public key that belongs to a secret key.
pub(super) fn public_bytes(variant: VariantName, key: &SecretKey) -> Vec<u8> {
    fn of<V: Variant>(key: &SecretKey) -> Vec<u8> {
        key.public_key::<V>().to_bytes()
    }
    on_variant!(variant, of(key))
}

/// The members by which a keystore is told from a document of this command.
#[derive(Deserialize)]
struct Kind {
    crypto: Option<IgnoredAny>,
}

/// Whether a file is meant as a keystore.
pub(super) fn is_keystore(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Kind>(bytes).is_ok_and(|kind| kind.crypto.is_some())
}

/// A secret key's file, as far as it can be read without a password.
pub(super) enum Stored {
    Plain(Secret),
    Encrypted(FileBytes, Box<Keystore>),
}

impl Stored {
    /// Reads a document, a keystore, or the hexadecimal digits of a key; `named` is the variant if the file does not name one.
    pub(super) fn read(path: &Path, named: Option<VariantName>) -> Result<Self, Failure> {
        let argument = path.to_str().unwrap_or_default();
        let argument = argument.strip_prefix("0x").unwrap_or(argument);
        if argument.len() == 64 && argument.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(BlsFault::SecretArgument.into());
        }
        let bytes = read_bytes(path, MOST_SECRET, "a secret key")?;
        if !is_document(&bytes) {
            let key = core::str::from_utf8(bytes.trim_ascii()).ok().and_then(secret_from_hex);
            let key = key.filter(|key| key.len() == 32).ok_or_else(|| BlsFault::NoSecret(path.to_owned()))?;
            let what = path.display().to_string();
            let key = SecretKey::from_bytes(&key).map_err(|why| BlsFault::Invalid { what, why })?;
            return Ok(Self::Plain(Secret { variant: named.unwrap_or(VariantName::MinPk), key, path: None }));
        }
        let in_keystore = is_keystore(&bytes);
        let file = FileBytes::from_secret(path, bytes);
        if in_keystore {
            let keystore = Keystore::read(&file)?;
            return Ok(Self::Encrypted(file, Box::new(keystore)));
        }
        let SecretDocument { variant, key, public_key, path: derived } = SecretDocument::read(&file)?;
        expect_variant(path, variant, named)?;
        if public_bytes(variant, &key) != public_key {
            return Err(BlsFault::OtherKey(path.to_owned()).into());
        }
        Ok(Self::Plain(Secret { variant, key, path: derived }))
    }
}

/// Fails when a file names another variant than the command line.
fn expect_variant(path: &Path, found: VariantName, named: Option<VariantName>) -> Result<(), Failure> {
    match named {
        Some(expected) if expected != found => {
            let what = path.display().to_string();
            Err(BlsFault::Variant { what, found, expected }.into())
        }
        _ => Ok(()),
    }
}

impl SecretFrom {
    /// Reads the secret key, and decrypts it if it is in a keystore.
    pub(super) fn open(&self, cli: &Cli) -> Result<Secret, Failure> {
        match Stored::read(&self.secret, self.variant)? {
            Stored::Plain(secret) => Ok(secret),
            Stored::Encrypted(file, keystore) => {
                open(&self.secret, &file, &keystore, self.variant, &self.password.known(cli)?)
            }
        }
    }
}

/// Decrypts a keystore. The public key that it holds unencrypted has to belong to the secret key.
pub(super) fn open(
    path: &Path,
    file: &FileBytes,
    keystore: &Keystore,
    named: Option<VariantName>,
    password: &Password,
) -> Result<Secret, Failure> {
    let secret = keystore.decrypt(file, password)?;
    let what = path.display().to_string();
    let key = SecretKey::from_bytes(&secret).map_err(|why| BlsFault::Invalid { what: what.clone(), why })?;
    let variant = match &keystore.public_key {
        None => named.unwrap_or(VariantName::MinPk),
        Some(bytes) => {
            let found = bytes.len();
            let variant = VariantName::of_key_bytes(found);
            let variant = variant.ok_or(BlsFault::KeyLength { what: format!("{what}: pubkey"), found })?;
            expect_variant(path, variant, named)?;
            if public_bytes(variant, &key) != *bytes {
                return Err(BlsFault::OtherKey(path.to_owned()).into());
            }
            variant
        }
    };
    // The path in a keystore is free text, so that a path not in EIP-2334's form is ignored.
    Ok(Secret { variant, key, path: keystore.path.parse().ok() })
}

/// Encrypts a secret key, writes the keystore and returns it.
pub(super) fn write(
    cli: &Cli,
    to: &NewSecret,
    secret: &Secret,
    password: &Password,
    with: &KdfFrom,
    description: Option<String>,
) -> Result<Keystore, Failure> {
    let mut rng = randomness::system()?;
    if with.cost < Kdf::COST {
        let cost = Kdf::COST;
        cli.warnings.add(format!(
            "--cost below {cost}: whoever has the file tries passwords faster than EIP-2335 has it"
        ));
    }
    let kdf = match with.kdf {
        KdfName::Scrypt => Kdf::scrypt(with.cost, &mut rng),
        KdfName::Pbkdf2 => Kdf::pbkdf2(with.cost, &mut rng),
    };
    let mut keystore = Keystore::encrypt(secret.key.to_bytes().as_ref(), password, kdf, &mut rng)?;
    keystore.description = description;
    keystore.public_key = Some(public_bytes(secret.variant, &secret.key));
    keystore.path = secret.path.as_ref().map(ToString::to_string).unwrap_or_default();
    files::write_secret(&to.output, |out| keystore.write(out))?;
    Ok(keystore)
}

/// Fails when writing would replace a file, which may hold a secret, unless `force` allows it.
pub(super) fn refuse_overwrite(path: &Path, force: bool) -> Result<(), Failure> {
    if files::is_there(path) && !force { Err(BlsFault::Exists(path.to_owned()).into()) } else { Ok(()) }
}

impl NewSecret {
    /// Fails when the output file exists and `--force` is not given.
    pub(super) fn check(&self) -> Result<(), Failure> {
        refuse_overwrite(&self.output, self.force)
    }

    /// Writes a secret key unencrypted, to a file that only its owner can read.
    pub(super) fn write(&self, secret: Secret) -> Result<(), Failure> {
        let Secret { variant, key, path } = secret;
        let public_key = public_bytes(variant, &key);
        let document = SecretDocument { variant, key, public_key, path };
        files::write_secret(&self.output, |out| document.write(out))
    }
}

impl Encryption {
    /// Writes a secret key, in a keystore if `--encrypt` asks for that. Returns the name of the kind of file.
    pub(super) fn write(&self, cli: &Cli, to: &NewSecret, secret: Secret) -> Result<(), Failure> {
        if self.encrypt {
            let password = self.password.chosen(cli)?;
            return write(cli, to, &secret, &password, &self.kdf, None).map(drop);
        }
        to.write(secret)
    }

    /// Fails when options of the encryption are given without `--encrypt`.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if !self.encrypt && self.password.is_named() {
            return Err(BlsFault::NotEncrypted.into());
        }
        Ok(())
    }
}
