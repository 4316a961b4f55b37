//! Runs the subcommands on keystores: secret keys encrypted under a password.

use super::fault::BlsFault;
use super::secret::{Secret, Stored, open, public_bytes, write};
use crate::args::Cli;
use crate::args::bls::{KeystoreDecrypt, KeystoreEncrypt, NewSecret};
use crate::failure::Failure;
use crate::output;
use pairwright::formats::keystore::Keystore;
use pairwright::formats::to_hex;
use serde::Serialize;
use std::path::PathBuf;

/// The command's result for a keystore that was written or decrypted.
#[derive(Serialize)]
struct Done {
    variant: &'static str,
    public_key: String,
    uuid: String,
    output: PathBuf,
}

/// Runs `bls keystore encrypt`.
pub(super) fn encrypt(cli: &Cli, args: &KeystoreEncrypt) -> Result<(), Failure> {
    args.to.check()?;
    let secret = match Stored::read(&args.secret, args.variant)? {
        Stored::Plain(secret) => secret,
        Stored::Encrypted(..) => return Err(BlsFault::Encrypted(args.secret.to_path_buf()).into()),
    };
    let password = args.password.chosen(cli)?;
    let keystore = write(cli, &args.to, &secret, &password, &args.kdf, args.description.clone())?;
    print_result(cli, &Done::of(&args.to, &secret, &keystore), "the encrypted key")
}

/// Runs `bls keystore decrypt`.
pub(super) fn decrypt(cli: &Cli, args: &KeystoreDecrypt) -> Result<(), Failure> {
    args.to.check()?;
    let from = &args.secret;
    let Stored::Encrypted(file, keystore) = Stored::read(&from.secret, from.variant)? else {
        return Err(BlsFault::NotKeystore(from.secret.to_path_buf()).into());
    };
    let secret = open(&from.secret, &file, &keystore, from.variant, &from.password.known(cli)?)?;
    let done = Done::of(&args.to, &secret, &keystore);
    args.to.write(secret)?;
    print_result(cli, &done, "the key in clear")
}

impl Done {
    fn of(to: &NewSecret, secret: &Secret, keystore: &Keystore) -> Self {
        Self {
            variant: secret.variant.name(),
            public_key: to_hex(&public_bytes(secret.variant, &secret.key)),
            uuid: keystore.uuid(),
            output: to.output.to_path_buf(),
        }
    }
}

fn print_result(cli: &Cli, done: &Done, what: &str) -> Result<(), Failure> {
    output::print_done(cli, done, |d| {
        format!("{}: {what} of the public key {} ({})", d.output.display(), d.public_key, d.variant)
    })
}
