//! Keystores: secret keys under a password.

use super::fault::BlsFault;
use super::secret::{Secret, Stored, expect_variant, public_bytes};
use crate::args::Cli;
use crate::args::bls::{KdfFrom, KdfName, KeystoreDecrypt, KeystoreEncrypt, NewSecret};
use crate::failure::Failure;
use crate::output::{self, hex};
use crate::{files, randomness};
use pairwright::formats::FileBytes;
use pairwright::formats::bls::VariantName;
use pairwright::formats::keystore::{Kdf, Keystore, Password};
use pairwright::protocols::schemes::bls::SecretKey;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is said of a keystore that was written or decrypted.
#[derive(Serialize)]
struct Done {
    variant: &'static str,
    public_key: String,
    uuid: String,
    output: PathBuf,
}

/// Opens a keystore. The public key that stands in it, in clear, has to be that of the secret.
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
    // A path that is no path of keys is its owner's matter.
    Ok(Secret { variant, key, path: keystore.path.parse().ok() })
}

/// Encrypts a secret key and writes the keystore; gives it.
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

/// Runs `bls keystore encrypt`.
pub(super) fn encrypt(cli: &Cli, args: &KeystoreEncrypt) -> Result<(), Failure> {
    args.to.check()?;
    let secret = match Stored::read(&args.secret, args.variant)? {
        Stored::Plain(secret) => secret,
        Stored::Encrypted(..) => return Err(BlsFault::Encrypted(args.secret.clone()).into()),
    };
    let password = args.password.new(cli)?;
    let keystore = write(cli, &args.to, &secret, &password, &args.kdf, args.description.clone())?;
    say(cli, &Done::of(&args.to, &secret, &keystore), "the encrypted key")
}

/// Runs `bls keystore decrypt`.
pub(super) fn decrypt(cli: &Cli, args: &KeystoreDecrypt) -> Result<(), Failure> {
    args.to.check()?;
    let from = &args.secret;
    let Stored::Encrypted(file, keystore) = Stored::read(&from.secret, from.variant)? else {
        return Err(BlsFault::NotKeystore(from.secret.clone()).into());
    };
    let secret = open(&from.secret, &file, &keystore, from.variant, &from.password.known(cli)?)?;
    let done = Done::of(&args.to, &secret, &keystore);
    args.to.write(secret)?;
    say(cli, &done, "the key in clear")
}

impl Done {
    fn of(to: &NewSecret, secret: &Secret, keystore: &Keystore) -> Self {
        Self {
            variant: secret.variant.name(),
            public_key: hex(&public_bytes(secret.variant, &secret.key)),
            uuid: keystore.uuid(),
            output: to.output.clone(),
        }
    }
}

fn say(cli: &Cli, done: &Done, what: &str) -> Result<(), Failure> {
    output::print_done(cli, done, |d| {
        format!("{}: {what} of the public key {} ({})", d.output.display(), d.public_key, d.variant)
    })
}
