//! Opens payments, by which the regulator learns who paid.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::documents::Registry;
use super::statement::{Hashes, identity_of};
use super::verify::{Spending, Valid, check};
use super::{Step, joined};
use crate::args::payment::PaymentOpen;
use crate::args::{Cli, KeyGroupsName};
use crate::commands::documents::read;
use crate::commands::ibe::{decryption_key, on_variant};
use crate::commands::ibe_documents::{IdentityKey, fingerprint as fingerprint_of_authority};
use crate::failure::{Failure, PaymentError};
use crate::report::print_with_report;
use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::device::Session;
use pairwright::field::PrimeField;
use pairwright::protocols::schemes::ibe::{Ciphertext, IbeError};
use pairwright::protocols::schemes::{MinPk, MinSig, Variant};
use serde::Serialize;
use std::time::Instant;
use zeroize::Zeroizing;

/// The command's result for an opened payment.
#[derive(Serialize)]
struct Done<'a> {
    name: &'a str,
    nullifier: &'a str,
    steps: &'a [Step],
}

pub(super) fn run(cli: &Cli, args: &PaymentOpen) -> Result<(), Failure> {
    let device = args.on.machines.board::<Bls12_381>(cli)?;
    let key = IdentityKey::read(&args.key)?;
    let registry = read::<Registry>(&args.registry)?;

    // The payment is verified first, since one without a valid proof could name anybody as its payer.
    let start = Instant::now();
    let paths = [&*args.vkey, &*args.payment];
    let (valid, of_proof) = check(cli, &device, paths, (&args.terms, args.keys), Spending::Any)?;
    let verifying = start.elapsed().as_secs_f64();
    let found = fingerprint_of_authority(&key.public_key);
    if found != valid.paid.authority || key.variant != valid.variant {
        return Err(PaymentError::Authority { found: valid.paid.authority, wanted: found }.into());
    }
    if key.identity != args.terms.period.as_bytes() {
        let found = String::from_utf8_lossy(&key.identity).into_owned();
        let wanted = args.terms.period.clone();
        return Err(PaymentError::KeyPeriod { path: args.key.to_path_buf(), found, wanted }.into());
    }

    let start = Instant::now();
    let mut on = Session::new(&device);
    let opened = on_variant!(key.variant, decrypt(&mut on, args, &key, &valid))?;
    let hashes = Hashes::new();
    if hashes.key_hash(*opened) != valid.key_hash {
        return Err(PaymentError::OtherKey.into());
    }
    let identity = valid.ciphertext - hashes.mask(*opened, valid.nullifier);
    let payer = registry.payers.iter().find(|payer| identity_of(&payer.name) == identity);
    let payer = payer.ok_or_else(|| PaymentError::Nameless(args.registry.to_path_buf()))?;
    let of_key = on.finish();
    let steps = [
        Step::new("verify", verifying, &of_proof),
        Step::new("decrypt", start.elapsed().as_secs_f64(), &of_key),
    ];
    let report = joined([of_proof, of_key]);
    let done = Done { name: &payer.name, nullifier: &valid.paid.nullifier, steps: &steps };
    print_with_report(cli, &done, args.on.requested_report(&report), |done| format!("paid by {}", done.name))
}

/// Decrypts the key with which the payer's identity is encrypted.
fn decrypt<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    args: &PaymentOpen,
    key: &IdentityKey,
    valid: &Valid,
) -> Result<Zeroizing<Fr>, Failure> {
    let secret = decryption_key::<V>(on, &args.key, key)?;
    let ciphertext = Ciphertext::<V>::from_bytes(&valid.encrypted_key).map_err(PaymentError::SealedKey)?;
    let bytes = secret.decrypt(on, &ciphertext).map_err(|why| match why {
        IbeError::Device(why) => why.into(),
        _ => Failure::from(PaymentError::Unopened),
    })?;
    // The circuit takes only canonical field elements, so that other bytes cannot be the key of this proof.
    Ok(Zeroizing::new(Fr::read_be(&bytes).map_err(|_| PaymentError::OtherKey)?))
}
