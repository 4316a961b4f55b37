//! Runs `pairwright fe`: functional encryption for inner products.

mod documents;

use super::documents::{SchemeDocumentError, bytes, content, read, write};
use crate::args::Cli;
use crate::args::fe::{Fe, FeDecrypt, FeDerive, FeEncrypt, FeScheme, FeSetup, FeTable};
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::output;
use crate::randomness::system;
use crate::report::print_with_report;
use documents::{Ciphertext, FunctionKey, MasterKey, PublicKey, Vector, open};
use pairwright::curve::bls12_381::{Bls12_381, G1};
use pairwright::curve::{Affine, Curve};
use pairwright::device::Session;
use pairwright::protocols::schemes::fe::logarithm::{MOST_STEPS, Table};
use pairwright::protocols::schemes::fe::{FeError, hiding, public};
use serde::Serialize;
use serde_json::Value;

/// The largest size of a table, in bytes.
const MOST_TABLE: u64 = 8 * MOST_STEPS + (1 << 10);

impl From<FeError> for Failure {
    fn from(e: FeError) -> Self {
        match e {
            FeError::Device(why) => why.into(),
            FeError::OutOfRange { .. } => Self::Rejected(e.into()),
            other => Self::bad(other),
        }
    }
}

/// Runs a subcommand on keys, ciphertexts and tables.
pub(crate) fn run(cli: &Cli, what: &Fe) -> Result<(), Failure> {
    match what {
        Fe::Setup(args) => setup(cli, args),
        Fe::Derive(args) => derive(cli, args),
        Fe::Encrypt(args) => encrypt(cli, args),
        Fe::Decrypt(args) => decrypt(cli, args),
        Fe::Table(args) => table(cli, args),
    }
}

#[derive(Serialize)]
struct Done {
    scheme: &'static str,
    dimension: usize,
}

fn name(scheme: FeScheme) -> &'static str {
    match scheme {
        FeScheme::Als16 => "als16",
        FeScheme::Klmmrw => "klmmrw",
    }
}

fn setup(cli: &Cli, args: &FeSetup) -> Result<(), Failure> {
    files::expect_new(&args.output, "a new secret key")?;
    let (scheme, dimension, rng) = (args.scheme, args.dimension, &mut system()?);
    match (scheme, &args.public) {
        (FeScheme::Als16, None) => return Err(ArgumentError::PublicKeyPlace.into()),
        (FeScheme::Als16, Some(path)) => {
            let key = public::MasterKey::random(dimension, rng)?;
            write(&args.output, &MasterKey::new(scheme, dimension, &key.to_bytes()), true)?;
            write(path, &PublicKey::new(scheme, dimension, &key.public_key().to_bytes()), false)?;
        }
        (FeScheme::Klmmrw, Some(_)) => return Err(ArgumentError::NoPublicKey.into()),
        (FeScheme::Klmmrw, None) => {
            let key = hiding::MasterKey::random(dimension, rng)?;
            write(&args.output, &MasterKey::new(scheme, dimension, &key.to_bytes()), true)?;
        }
    }
    output::print_done(cli, &Done { scheme: name(scheme), dimension }, |done| {
        format!("{}: master key of {} for dimension {dimension}", args.output.display(), done.scheme)
    })
}

fn derive(cli: &Cli, args: &FeDerive) -> Result<(), Failure> {
    let master = read::<MasterKey>(&args.master)?;
    let (scheme, data) = master.value(&args.master)?;
    let vector = read::<Vector>(&args.vector)?;
    let made = match scheme {
        FeScheme::Als16 => {
            let key =
                open(&args.master, &master, public::MasterKey::from_bytes(&data), |key| key.dimension())?;
            key.derive(&vector.values).map_err(|why| content(&args.vector, why))?.to_bytes()
        }
        FeScheme::Klmmrw => {
            let key =
                open(&args.master, &master, hiding::MasterKey::from_bytes(&data), |key| key.dimension())?;
            let derived = key.derive(&vector.values, &mut system()?);
            derived.map_err(|why| content(&args.vector, why))?.to_bytes().into()
        }
    };
    let dimension = vector.values.len();
    write(&args.output, &FunctionKey::new(scheme, dimension, &made), true)?;
    output::print_done(cli, &Done { scheme: name(scheme), dimension }, |done| {
        format!("{}: key of {} for a vector of dimension {dimension}", args.output.display(), done.scheme)
    })
}

fn encrypt(cli: &Cli, args: &FeEncrypt) -> Result<(), Failure> {
    let vector = read::<Vector>(&args.vector)?;
    let (scheme, made) = match read::<PublicKey>(&args.key) {
        Ok(document) => {
            let (scheme, data) = document.value(&args.key)?;
            let FeScheme::Als16 = scheme else { return Err(wrong_scheme(&args.key, scheme)) };
            let key =
                open(&args.key, &document, public::PublicKey::from_bytes(&data), |key| key.dimension())?;
            (scheme, key.encrypt(&vector.values, &mut system()?).map(|made| made.to_bytes()))
        }
        Err(why) => {
            // The file may be a master key, with which the scheme without public keys encrypts.
            let Ok(document) = read::<MasterKey>(&args.key) else { return Err(why) };
            let (scheme, data) = document.value(&args.key)?;
            let FeScheme::Klmmrw = scheme else { return Err(why) };
            let key =
                open(&args.key, &document, hiding::MasterKey::from_bytes(&data), |key| key.dimension())?;
            (scheme, key.encrypt(&vector.values, &mut system()?).map(|made| made.to_bytes()))
        }
    };
    let made = made.map_err(|why| content(&args.vector, why))?;
    let dimension = vector.values.len();
    write(&args.output, &Ciphertext::new(scheme, dimension, &made), false)?;
    output::print_done(cli, &Done { scheme: name(scheme), dimension }, |done| {
        format!("{}: a vector of dimension {dimension}, encrypted by {}", args.output.display(), done.scheme)
    })
}

fn wrong_scheme(path: &std::path::Path, scheme: FeScheme) -> Failure {
    let (found, wanted) = (format!("the scheme {}", name(scheme)), "another one".to_owned());
    SchemeDocumentError::Apart { path: path.to_owned(), found, wanted }.into()
}

#[derive(Serialize)]
struct Opened {
    scheme: &'static str,
    dimension: usize,
    bound: u64,
    result: i64,
}

fn decrypt(cli: &Cli, args: &FeDecrypt) -> Result<(), Failure> {
    let (key, ciphertext) = (read::<FunctionKey>(&args.key)?, read::<Ciphertext>(&args.ciphertext)?);
    let (scheme, secret) = key.value(&args.key)?;
    let (other, data) = ciphertext.value(&args.ciphertext)?;
    if scheme != other {
        return Err(wrong_scheme(&args.ciphertext, other));
    }
    let device = args.on.machines.board::<Bls12_381>(cli)?;
    let mut session = Session::new(&device);
    let on = &mut session;
    let (dimension, result) = match scheme {
        FeScheme::Als16 => {
            let key =
                open(&args.key, &key, public::FunctionKey::from_bytes(&secret), |key| key.vector().len())?;
            let from = public::Ciphertext::from_bytes(&data);
            let ciphertext = open(&args.ciphertext, &ciphertext, from, |c| c.dimension())?;
            let table = match &args.table {
                None => Table::for_bound(G1::GENERATOR, args.bound)?,
                Some(path) => Table::<Affine<G1>>::from_bytes(&bytes(path, MOST_TABLE)?)
                    .map_err(|why| content(path, why))?,
            };
            (ciphertext.dimension(), key.decrypt(on, &ciphertext, &table, args.bound)?)
        }
        FeScheme::Klmmrw => {
            if args.table.is_some() {
                return Err(ArgumentError::NoTable.into());
            }
            let key = open(&args.key, &key, hiding::FunctionKey::from_bytes(&secret), |key| key.dimension())?;
            let from = hiding::Ciphertext::from_bytes(&data);
            let ciphertext = open(&args.ciphertext, &ciphertext, from, |c| c.dimension())?;
            (ciphertext.dimension(), key.decrypt(on, &ciphertext, args.bound)?)
        }
    };
    let done = Opened { scheme: name(scheme), dimension, bound: args.bound, result };
    print_with_report(cli, &done, args.on.requested_report(&session.finish()), |done| done.result.to_string())
}

fn table(cli: &Cli, args: &FeTable) -> Result<(), Failure> {
    let made = match (args.steps, args.bound) {
        (Some(steps), _) => Table::new(G1::GENERATOR, steps),
        (None, bound) => Table::for_bound(G1::GENERATOR, bound.unwrap_or(0)),
    }?;
    let steps = made.steps();
    files::write(&args.output, |out| Ok(out.write_all(&made.to_bytes())?))?;
    let done: Value = serde_json::json!({ "scheme": "als16", "steps": steps });
    output::print_done(cli, &done, |_| format!("{}: table of {steps} multiples", args.output.display()))
}
