//! Runs `pairwright payment`: private payments whose payer only a regulator can find out.
//!
//! This is the combination of proofs and pairing-based encryption that section II.B of [CP] describes: a Groth16 proof shows that a
//! payment is valid, and identity-based encryption makes the payer's identity readable for the regulator of a period.

mod circuit;
mod demo;
mod documents;
mod open;
mod pay;
mod statement;
mod verify;

use super::documents::write;
use crate::args::Cli;
use crate::args::payment::{Payment, PaymentAccount, PaymentMint, PaymentRegister};
use crate::failure::{Failure, PaymentError};
use crate::files::{self, Locked};
use crate::report::Model;
use crate::{output, randomness};
use documents::{Account, Address, Note, OpenLedger, Payer, Registry, expect_room, text};
use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::device::Report;
use pairwright::field::Field;
use pairwright::formats::{to_hex, write_verifying_key};
use pairwright::protocols::groth16::VerifyingKey;
use serde::Serialize;
use sha2::{Digest, Sha256};
use statement::{Hashes, NOTE_LEVELS, PAYER_LEVELS};
use zeroize::Zeroizing;

/// Runs a subcommand on payments.
pub(crate) fn run(cli: &Cli, what: &Payment) -> Result<(), Failure> {
    match what {
        Payment::Circuit(args) => circuit::run(cli, args),
        Payment::Account(args) => account(cli, args),
        Payment::Register(args) => register(cli, args),
        Payment::Mint(args) => mint(cli, args),
        Payment::Pay(args) => pay::run(cli, args),
        Payment::Verify(args) => verify::run(cli, args),
        Payment::Open(args) => open::run(cli, args),
        Payment::Demo(args) => demo::run(cli, args),
    }
}

/// The time of a step of a command.
#[derive(Serialize)]
struct Step {
    /// The name of the step: `encrypt`, `prove`, `verify`, `decrypt`.
    step: &'static str,
    /// Wall-clock seconds on this computer, the simulation of a modelled machine included.
    seconds: f64,
    /// The figures of the modelled machines that took part.
    models: Vec<Model>,
}

impl Step {
    fn new(step: &'static str, seconds: f64, report: &Report) -> Self {
        Self { step, seconds, models: report.totals().models.iter().map(Model::new).collect() }
    }
}

/// The records of two sessions on one board as one report.
fn joined(reports: [Report; 2]) -> Report {
    let [mut first, second] = reports;
    first.records.extend(second.records);
    first
}

/// The name of a verification key: the first half of the digest of its file.
fn fingerprint(key: &VerifyingKey<Bls12_381>) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    write_verifying_key(&mut bytes, key)?;
    let digest = Sha256::new().chain_update(b"pairwright payment verification key").chain_update(bytes);
    Ok(to_hex(&digest.finalize()[..16]))
}

#[derive(Serialize)]
struct Owned {
    owner: String,
}

fn account(cli: &Cli, args: &PaymentAccount) -> Result<(), Failure> {
    files::expect_new(&args.output, "a new spending key")?;
    let key = Zeroizing::new(Fr::random(&mut randomness::system()?));
    let owner = text(&Hashes::new().owner(*key));
    let (_kind, _version) = (String::new(), 0);
    write(&args.output, &Account { _kind, _version, spending_key: text(&key) }, true)?;
    write(&args.public, &Address { _kind: String::new(), _version, owner: owner.clone() }, false)?;
    output::print_done(cli, &Owned { owner }, |made| {
        let (key, address) = (args.output.display(), args.public.display());
        format!("{key}: spending key, for nobody else; {address}: its address {}", made.owner)
    })
}

#[derive(Serialize)]
struct Registered {
    name: String,
    payers: usize,
}

fn register(cli: &Cli, args: &PaymentRegister) -> Result<(), Failure> {
    let mut registry = Registry::open_or_new(&args.registry)?;
    let owner = text(&Address::open(&args.address)?);
    // An owner registered under two names could choose the name under which the regulator finds him.
    if let Some(known) = registry.payers.iter().find(|payer| payer.owner == owner) {
        return Err(
            PaymentError::Registered { path: args.registry.to_path_buf(), name: known.name.clone() }.into()
        );
    }
    expect_room(&args.registry, registry.payers.len(), 1, PAYER_LEVELS)?;
    registry.payers.push(Payer { name: args.name.clone(), owner });
    let leaves = registry.leaves(&args.registry, &Hashes::new())?;
    write(&args.registry, &registry, true)?;
    write(&args.payers, &leaves, false)?;
    let done = Registered { name: args.name.clone(), payers: registry.payers.len() };
    output::print_done(cli, &done, |done| {
        format!("{}: {} payers; leaves in {}", args.registry.display(), done.payers, args.payers.display())
    })
}

/// The name of a note's secret in messages.
const NOTE: &str = "a new note";

#[derive(Serialize)]
struct Minted {
    value: u64,
    note: String,
    notes: usize,
}

fn mint(cli: &Cli, args: &PaymentMint) -> Result<(), Failure> {
    files::expect_new(&args.output, NOTE)?;
    let _alone = Locked::wait(&args.ledger)?;
    let mut ledger = OpenLedger::open_or_new(&args.ledger)?;
    let owner = Address::open(&args.to)?;
    expect_room(&args.ledger, ledger.notes.len(), 1, NOTE_LEVELS)?;
    let blinding = Zeroizing::new(Fr::random(&mut randomness::system()?));
    let note = Hashes::new().note(owner, args.value, *blinding);
    ledger.notes.push(note);
    Note::save(&args.output, args.value, &blinding)?;
    ledger.save(&args.ledger)?;
    let done = Minted { value: args.value, note: text(&note), notes: ledger.notes.len() };
    output::print_done(cli, &done, |done| {
        let (note, ledger) = (args.output.display(), args.ledger.display());
        format!("{note}: note of {}; {ledger}: {} notes", done.value, done.notes)
    })
}
