//! Runs the subcommands on keys: drawing, derivation, public keys and proofs of possession.

use super::fault::BlsFault;
use super::given::write_public;
use super::on_variant;
use super::secret::{Secret, public_bytes};
use crate::args::Cli;
use crate::args::bls::{Derive, Keygen, PopProve, Pubkey};
use crate::failure::Failure;
use crate::files::{MOST_SECRET, read_bytes};
use crate::output;
use crate::randomness;
use pairwright::formats::bls::PublicDocument;
use pairwright::formats::{secret_from_hex, to_hex};
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::SecretKey;
use serde::Serialize;
use std::path::PathBuf;

/// The command's result for a secret key that was made.
#[derive(Serialize)]
struct Made {
    variant: &'static str,
    public_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    encrypted: bool,
    output: PathBuf,
}

fn print_result(cli: &Cli, made: &Made) -> Result<(), Failure> {
    output::print_done(cli, made, |m| {
        let how = if m.encrypted { "an encrypted secret key" } else { "a secret key" };
        let path = m.path.as_ref().map(|path| format!(" at {path}")).unwrap_or_default();
        format!("{}: {how}{path}; its public key ({}) is\n{}", m.output.display(), m.variant, m.public_key)
    })
}

/// Runs `bls keygen`.
pub(super) fn draw(cli: &Cli, args: &Keygen) -> Result<(), Failure> {
    args.to.check()?;
    args.encryption.check()?;
    let key = match &args.material {
        Some(path) => {
            let material = read_bytes(path, MOST_SECRET, "keying material")?;
            let what = path.display().to_string();
            let made = SecretKey::key_gen(&material, args.info.as_bytes());
            made.map_err(|why| BlsFault::Invalid { what, why })?
        }
        None => SecretKey::random(&mut randomness::system()?),
    };
    let public = public_bytes(args.variant, &key);
    let made = Made {
        variant: args.variant.name(),
        public_key: to_hex(&public),
        path: None,
        encrypted: args.encryption.encrypt,
        output: args.to.output.to_path_buf(),
    };
    args.encryption.write(cli, &args.to, Secret { variant: args.variant, key, path: None })?;
    let document = PublicDocument { variant: args.variant, key: public, proof: None };
    write_public(args.public.as_deref(), |out| document.write(out))?;
    print_result(cli, &made)
}

/// Runs `bls derive`.
pub(super) fn derive(cli: &Cli, args: &Derive) -> Result<(), Failure> {
    args.to.check()?;
    args.encryption.check()?;
    let no_seed = || BlsFault::NoSeed(args.seed.to_path_buf());
    let text = read_bytes(&args.seed, MOST_SECRET, "a seed")?;
    let seed = core::str::from_utf8(text.trim_ascii()).ok().and_then(secret_from_hex);
    let seed = seed.filter(|seed| (32..=1024).contains(&seed.len())).ok_or_else(no_seed)?;
    let key = SecretKey::derive_path(&seed, &args.path)?;
    let made = Made {
        variant: args.variant.name(),
        public_key: to_hex(&public_bytes(args.variant, &key)),
        path: Some(args.path.to_string()),
        encrypted: args.encryption.encrypt,
        output: args.to.output.to_path_buf(),
    };
    let path = Some(args.path.clone());
    args.encryption.write(cli, &args.to, Secret { variant: args.variant, key, path })?;
    print_result(cli, &made)
}

/// The command's result for a public key.
#[derive(Serialize)]
struct Public {
    variant: &'static str,
    public_key: String,
}

/// Runs `bls pubkey`.
pub(super) fn public(cli: &Cli, args: &Pubkey) -> Result<(), Failure> {
    let Secret { variant, key, .. } = args.secret.open(cli)?;
    let key = public_bytes(variant, &key);
    let said = Public { variant: variant.name(), public_key: to_hex(&key) };
    let document = PublicDocument { variant, key, proof: None };
    write_public(args.output.as_deref(), |out| document.write(out))?;
    output::print(cli, &said, |s| s.public_key.clone())
}

/// The command's result for a proof of possession.
#[derive(Serialize)]
struct Proved {
    variant: &'static str,
    public_key: String,
    proof_of_possession: String,
}

/// Runs `bls pop-prove`.
pub(super) fn prove(cli: &Cli, args: &PopProve) -> Result<(), Failure> {
    fn of<V: Variant>(key: &SecretKey) -> Vec<u8> {
        key.pop_prove::<V>().to_bytes()
    }
    let Secret { variant, key, .. } = args.secret.open(cli)?;
    let (public, proof) = (public_bytes(variant, &key), on_variant!(variant, of(&key)));
    let said =
        Proved { variant: variant.name(), public_key: to_hex(&public), proof_of_possession: to_hex(&proof) };
    let document = PublicDocument { variant, key: public, proof: Some(proof) };
    write_public(args.output.as_deref(), |out| document.write(out))?;
    output::print(cli, &said, |s| s.proof_of_possession.clone())
}
