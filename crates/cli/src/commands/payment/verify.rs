//! Verifies payments against a ledger, a registry and the terms of the verifier.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::documents::{OpenLedger, Paid, expect_room, number, payers};
use super::statement::{Hashes, NOTE_LEVELS, PUBLIC, digest_of};
use super::{Step, circuit, fingerprint};
use crate::args::payment::{PaymentVerify, Terms};
use crate::args::{Cli, KeyGroupsName, KeyPolicy};
use crate::commands::documents::{from_hex, read};
use crate::commands::ibe::{on_variant, point};
use crate::commands::ibe_documents::{PublicPart, fingerprint as fingerprint_of_authority};
use crate::failure::{Failure, PaymentError};
use crate::files::Locked;
use crate::report::print_done_with_report;
use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::device::{Device, Report, Session};
use pairwright::formats::{FileBytes, read_proof, read_verifying_key};
use pairwright::protocols::groth16::{PreparedVerifyingKey, VerifyError};
use pairwright::protocols::schemes::ibe::Ciphertext;
use pairwright::protocols::schemes::{MinPk, MinSig, Variant};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// A payment that was found valid, except that its note may have been spent before.
pub(super) struct Valid {
    pub(super) variant: KeyGroupsName,
    pub(super) paid: Paid,
    pub(super) nullifier: Fr,
    notes: [Fr; 2],
    pub(super) ciphertext: Fr,
    pub(super) key_hash: Fr,
    /// The encrypted key, whose encoding has been checked.
    pub(super) encrypted_key: Vec<u8>,
    pub(super) ledger: OpenLedger,
}

/// The command's result for a valid payment.
#[derive(Serialize)]
struct Done<'a> {
    fee: u64,
    nullifier: &'a str,
    recorded: bool,
    notes: usize,
    steps: &'a [Step],
}

pub(super) fn run(cli: &Cli, args: &PaymentVerify) -> Result<(), Failure> {
    let device = args.on.machines.board::<Bls12_381>(cli)?;
    let start = Instant::now();
    let paths = [&*args.vkey, &*args.payment];
    // If two verifiers run at once, the second waits for the lock and sees the payment that the first has recorded.
    let _alone = args.record.then(|| Locked::wait(&args.terms.ledger)).transpose()?;
    let (valid, report) = check(cli, &device, paths, (&args.terms, args.keys), Spending::Once)?;
    let steps = [Step::new("verify", start.elapsed().as_secs_f64(), &report)];
    let mut ledger = valid.ledger;
    if args.record {
        expect_room(&args.terms.ledger, ledger.notes.len(), 2, NOTE_LEVELS)?;
        ledger.notes.extend(valid.notes);
        ledger.nullifiers.push(valid.nullifier);
        ledger.save(&args.terms.ledger)?;
    }
    let done = Done {
        fee: valid.paid.fee,
        nullifier: &valid.paid.nullifier,
        recorded: args.record,
        notes: ledger.notes.len(),
        steps: &steps,
    };
    print_done_with_report(cli, &done, args.on.requested_report(&report), |done| {
        let recorded = if done.recorded { ", and is in the ledger" } else { "" };
        format!("OK: the payment is valid{recorded}; its fee is {}", done.fee)
    })
}

/// Whether a payment whose note is spent is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spending {
    Once,
    /// The payment may be in the ledger already.
    Any,
}

/// Checks a payment against the files of the verifier.
///
/// # Errors
/// The first reason for which the payment is not valid, see [`PaymentError`]; cheaper checks come first.
pub(super) fn check(
    cli: &Cli,
    device: &Device<Bls12_381>,
    [vkey, payment]: [&Path; 2],
    (terms, keys): (&Terms, KeyPolicy),
    spending: Spending,
) -> Result<(Valid, Report), Failure> {
    let vk = read_verifying_key::<Bls12_381>(FileBytes::open(vkey)?)?;
    circuit::expect_verifying_key(vkey, &vk)?;
    keys.judge(cli, vkey, &vk)?;
    let authority = PublicPart::read(&terms.authority)?;
    let hashes = Hashes::new();
    let registry = payers(&terms.payers, &hashes)?.root();
    let ledger = OpenLedger::open(&terms.ledger)?;

    let paid = read::<Paid>(payment).map_err(of_document)?;
    let wanted = fingerprint(&vk)?;
    if paid.verification_key != wanted {
        return Err(PaymentError::VerificationKey { found: paid.verification_key, wanted }.into());
    }
    let of_authority = fingerprint_of_authority(&authority.public_key);
    if paid.authority != of_authority {
        return Err(PaymentError::Authority { found: paid.authority, wanted: of_authority }.into());
    }
    if paid.period != terms.period {
        return Err(PaymentError::Period { found: paid.period, wanted: terms.period.clone() }.into());
    }
    let member = |name: &'static str, text: &str| {
        number(payment, name, text).map_err(|why| PaymentError::Document(why.into()))
    };
    let nullifier = member("nullifier", &paid.nullifier)?;
    let notes = [member("to_note", &paid.to_note)?, member("change_note", &paid.change_note)?];
    let ciphertext = member("ciphertext", &paid.ciphertext)?;
    let key_hash = member("key_hash", &paid.key_hash)?;
    let [root, of_payers] = [member("root", &paid.root)?, member("registry", &paid.registry)?];
    let digest = member("digest", &paid.digest)?;
    let encrypted_key = from_hex(payment, "encrypted_key", &paid.encrypted_key)
        .map_err(|why| PaymentError::Document(why.into()))?
        .to_vec();
    on_variant!(authority.variant, expect_ciphertext(&terms.authority, &authority, &encrypted_key))?;

    if digest != digest_of(&of_authority, &terms.period, &encrypted_key) {
        return Err(PaymentError::Digest.into());
    }
    if of_payers != registry {
        return Err(PaymentError::Registry.into());
    }
    if !hashes.roots(&ledger.notes).any(|known| known == root) {
        return Err(PaymentError::Root.into());
    }
    if spending == Spending::Once && ledger.nullifiers.contains(&nullifier) {
        return Err(PaymentError::Spent.into());
    }

    let [to_note, change_note] = notes;
    let public: [Fr; PUBLIC] =
        [nullifier, to_note, change_note, ciphertext, key_hash, root, of_payers, Fr::from(paid.fee), digest];
    let proof = serde_json::to_vec(&paid.proof).map_err(|why| Failure::Internal(why.into()))?;
    let proof = read_proof::<Bls12_381>(FileBytes::from_vec(payment, proof)).map_err(|why| {
        if why.is_rejection() { PaymentError::ProofPoint(why) } else { PaymentError::Document(why.into()) }
    })?;
    let mut on = Session::new(device);
    // The key has been checked for weaknesses above.
    let prepared = PreparedVerifyingKey::of_unsafe_key(&mut on, &vk)?;
    prepared.verify(&mut on, &public, &proof).map_err(|why| match why {
        VerifyError::Rejected => PaymentError::Proof.into(),
        other => Failure::from(other),
    })?;
    let variant = authority.variant;
    let valid = Valid { variant, paid, nullifier, notes, ciphertext, key_hash, encrypted_key, ledger };
    Ok((valid, on.finish()))
}

/// Turns an error in a file into one in the payment's document.
fn of_document(e: Failure) -> Failure {
    match e {
        Failure::BadInput(why) => PaymentError::Document(why).into(),
        other => other,
    }
}

/// Fails for bytes that are not a ciphertext of a key in the groups of an authority.
fn expect_ciphertext<V: Variant>(path: &Path, authority: &PublicPart, bytes: &[u8]) -> Result<(), Failure> {
    point::<V>(path, &authority.public_key)?;
    let found = Ciphertext::<V>::from_bytes(bytes).map_err(PaymentError::SealedKey)?.v().len();
    if found == 32 { Ok(()) } else { Err(PaymentError::SealedLength(found).into()) }
}
