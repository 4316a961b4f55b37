//! Runs the verifying subcommands, on signatures, aggregates, batches and proofs of possession. Each result lists the checks made.

use super::fault::BlsFault;
use super::given::{KeyBytes, SignatureBytes, message};
use super::{lists, on_variant};
use crate::args::bls::{
    AggregateVerify, BatchVerifySignatures, FastAggregateVerify, Given, PopVerify, VerifySignature,
};
use crate::args::{Cli, OnMachines};
use crate::failure::Failure;
use crate::randomness;
use crate::report::print_done_with_report;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::{Curve, HashToCurve};
use pairwright::device::{Report, Session};
use pairwright::formats::bls::{Ciphersuite, VariantName};
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::{self, PublicKey, Scheme, Signature, VerifyError};
use serde::Serialize;
use std::time::Instant;

/// The command's result for an accepted signature, aggregate, batch or proof.
#[derive(Serialize)]
struct Verdict {
    variant: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ciphersuite: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signers: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures: Option<usize>,
    checked: Vec<String>,
    seconds: f64,
}

impl Verdict {
    /// The result for a signature of this variant and scheme, without checks yet.
    fn of<V: Variant>(scheme: Scheme, start: Instant) -> Self {
        let suite = Ciphersuite { variant: VariantName::of::<V>(), scheme };
        Self {
            variant: V::NAME,
            ciphersuite: Some(suite.name()),
            signers: None,
            signatures: None,
            checked: Vec::new(),
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    fn checked(mut self, what: impl Into<String>) -> Self {
        self.checked.push(what.into());
        self
    }

    fn line(&self, what: &str) -> String {
        let suite = self.ciphersuite.as_deref().unwrap_or(self.variant);
        format!("OK: {what} ({suite}); {}", self.checked.join("; "))
    }

    /// Prints the result, with the report on the operators if `--report` asks for it.
    fn print_with(&self, cli: &Cli, what: &str, account: &Report, on: &OnMachines) -> Result<(), Failure> {
        print_done_with_report(cli, self, on.requested_report(account), |verdict| verdict.line(what))
    }
}

/// The checks that every key and every signature has passed, as text.
fn keys_checked<V: Variant>(keys: usize) -> String {
    let group = V::Keys::NAME;
    match keys {
        1 => format!("the key is a point of the subgroup of {group}, not the neutral element"),
        _ => format!("{keys} keys are points of the subgroup of {group}, none the neutral element"),
    }
}

fn signature_checked<V: Variant>(what: &str) -> String {
    format!("{what} is a point of the subgroup of {}", V::Signatures::NAME)
}

/// Turns a verification error into a failure that names the item that was verified.
fn named(what: &str) -> impl Fn(VerifyError) -> Failure {
    move |why| BlsFault::NotValid { what: what.to_owned(), why }.into()
}

/// Runs `bls verify`.
pub(super) fn one(cli: &Cli, args: &VerifySignature) -> Result<(), Failure> {
    fn verify<V: Variant>(
        cli: &Cli,
        args: &VerifySignature,
        key: &KeyBytes,
        signature: &SignatureBytes,
    ) -> Result<(), Failure> {
        let scheme = args.scheme.scheme();
        let (key, signature) = (key.key::<V>()?, signature.signature::<V>(scheme)?);
        let message = message(&args.message)?;
        let (start, board) = (Instant::now(), args.on.machines.board(cli)?);
        let mut on = Session::new(&board);
        bls::verify(&mut on, scheme, &key, &message, &signature)?;
        Verdict::of::<V>(scheme, start)
            .checked(keys_checked::<V>(1))
            .checked(signature_checked::<V>("the signature"))
            .checked(format!("the pairing equation holds for the message of {} bytes", message.len()))
            .print_with(cli, "the signature is valid", on.report(), &args.on)
    }
    let key = KeyBytes::read(&args.key, "the key")?;
    let signature = SignatureBytes::read(&args.signature, "the signature")?;
    on_variant!(key.variant, verify(cli, args, &key, &signature))
}

/// The keys of an aggregate, after each one's proof of possession has been verified; with `--proved` no proofs are needed.
fn possessed<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    keys: &[KeyBytes],
    proved: bool,
) -> Result<(Vec<PublicKey<V>>, String), Failure> {
    let mut typed = Vec::with_capacity(keys.len());
    for given in keys {
        let key = given.key::<V>()?;
        match given.proof::<V>()? {
            Some(proof) => {
                let what = format!("{}: the proof of possession", given.what);
                bls::pop_verify(on, &key, &proof).map_err(named(&what))?;
            }
            None if proved => {}
            None => return Err(BlsFault::NotProved { what: given.what.clone() }.into()),
        }
        typed.push(key);
    }
    let with = keys.iter().filter(|key| key.proof.is_some()).count();
    let said = match (with, keys.len() - with) {
        (with, 0) => format!("{with} proofs of possession are valid"),
        (0, without) => format!("{without} proofs of possession were not looked at (--proved)"),
        (with, without) => {
            format!("{with} proofs of possession are valid, {without} were not looked at (--proved)")
        }
    };
    Ok((typed, said))
}

/// Runs `bls aggregate-verify`.
pub(super) fn aggregate(cli: &Cli, args: &AggregateVerify) -> Result<(), Failure> {
    fn verify<V: Variant>(
        cli: &Cli,
        args: &AggregateVerify,
        keys: &[KeyBytes],
        entries: &[lists::Entry],
        signature: &SignatureBytes,
    ) -> Result<(), Failure> {
        let scheme = args.scheme.scheme();
        let signature = signature.signature::<V>(scheme)?;
        let (start, board) = (Instant::now(), args.on.machines.board(cli)?);
        let on = &mut Session::new(&board);
        let (typed, possession) = if scheme == Scheme::ProofOfPossession {
            let (typed, said) = possessed::<V>(on, keys, args.proved)?;
            (typed, Some(said))
        } else {
            (keys.iter().map(KeyBytes::key::<V>).collect::<Result<_, _>>()?, None)
        };
        let messages = entries.iter().map(|entry| message(&entry.message));
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        let signed: Vec<_> = typed.iter().copied().zip(messages.iter().map(|m| m.as_slice())).collect();
        bls::aggregate_verify(on, scheme, &signed, &signature).map_err(|why| match why {
            // The positions in the list are reported as line numbers.
            VerifyError::RepeatedMessage { first, second } => {
                let line = |at: usize| entries.get(at).map_or(0, |entry| entry.line);
                let (list, lines) = (args.list.display(), [line(first), line(second)]);
                let what = format!("{list}: lines {} and {}", lines[0], lines[1]);
                BlsFault::NotValid { what, why: VerifyError::RepeatedMessage { first, second } }.into()
            }
            other => Failure::from(other),
        })?;
        let mut verdict = Verdict::of::<V>(scheme, start)
            .checked(keys_checked::<V>(typed.len()))
            .checked(signature_checked::<V>("the aggregate"));
        verdict.signers = Some(typed.len());
        verdict = match (possession, scheme) {
            (Some(said), _) => verdict.checked(said),
            (None, Scheme::Basic) => verdict.checked("the messages are distinct"),
            (None, _) => verdict.checked("every key was signed with its message"),
        };
        verdict.checked("the pairing equation holds").print_with(
            cli,
            "the aggregate is valid",
            on.report(),
            &args.on,
        )
    }
    let signature = SignatureBytes::read(&args.signature, "the signature")?;
    let entries = lists::read(&args.list, false)?;
    let keys = entries.iter().map(|entry| {
        let name = format!("{}: line {}: the key", args.list.display(), entry.line);
        KeyBytes::read(&entry.key, &name)
    });
    let keys: Vec<KeyBytes> = keys.collect::<Result<_, _>>()?;
    // A list has at least one line.
    let variant = keys.first().map_or(VariantName::MinPk, |key| key.variant);
    on_variant!(variant, verify(cli, args, &keys, &entries, &signature))
}

/// Runs `bls fast-aggregate-verify`.
pub(super) fn same_message(cli: &Cli, args: &FastAggregateVerify) -> Result<(), Failure> {
    fn verify<V: Variant>(
        cli: &Cli,
        args: &FastAggregateVerify,
        keys: &[KeyBytes],
        signature: &SignatureBytes,
    ) -> Result<(), Failure> {
        let scheme = Scheme::ProofOfPossession;
        let signature = signature.signature::<V>(scheme)?;
        let message = message(&args.message)?;
        let (start, board) = (Instant::now(), args.on.machines.board(cli)?);
        let on = &mut Session::new(&board);
        let (typed, possession) = possessed::<V>(on, keys, args.proved)?;
        bls::fast_aggregate_verify(on, &typed, &message, &signature)?;
        let mut verdict = Verdict::of::<V>(scheme, start)
            .checked(keys_checked::<V>(typed.len()))
            .checked(possession)
            .checked("the sum of the keys is not the neutral element")
            .checked(signature_checked::<V>("the aggregate"))
            .checked(format!("the pairing equation holds for the message of {} bytes", message.len()));
        verdict.signers = Some(typed.len());
        verdict.print_with(cli, "the aggregate is valid", on.report(), &args.on)
    }
    let signature = SignatureBytes::read(&args.signature, "the signature")?;
    let keys = args.keys.iter().enumerate();
    let keys = keys.map(|(index, key)| KeyBytes::read(key, &format!("key {}", index + 1)));
    let keys: Vec<KeyBytes> = keys.collect::<Result<_, _>>()?;
    // The parser requires at least one key.
    let variant = keys.first().map_or(VariantName::MinPk, |key| key.variant);
    on_variant!(variant, verify(cli, args, &keys, &signature))
}

/// The most lines of a batch that a message names.
const MOST_NAMED: usize = 8;

/// Runs `bls batch-verify`.
pub(super) fn batch(cli: &Cli, args: &BatchVerifySignatures) -> Result<(), Failure> {
    fn verify<V: Variant>(
        cli: &Cli,
        args: &BatchVerifySignatures,
        entries: &[lists::Entry],
        keys: &[KeyBytes],
    ) -> Result<(), Failure> {
        let scheme = args.scheme.scheme();
        let (mut lines, mut read, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for (entry, key) in entries.iter().zip(keys) {
            let message = message(&entry.message)?;
            let name = format!("{}: line {}: the signature", args.list.display(), entry.line);
            let typed = key.key::<V>().and_then(|key| match &entry.signature {
                Some(given) => Ok((key, SignatureBytes::read(given, &name)?.signature::<V>(scheme)?)),
                None => Err(Failure::Internal("a line without its signature".into())),
            });
            match typed {
                Ok((key, signature)) => {
                    lines.push(entry.line);
                    read.push((key, message, signature));
                }
                // The line is well-formed, but its bytes are not a valid key or signature.
                Err(Failure::Rejected(why)) => failed.push((entry.line, why.to_string())),
                Err(other) => return Err(other),
            }
        }
        let (start, board) = (Instant::now(), args.on.machines.board(cli)?);
        let on = &mut Session::new(&board);
        let signed: Vec<(PublicKey<V>, &[u8], Signature<V>)> =
            read.iter().map(|(key, message, signature)| (*key, message.as_slice(), *signature)).collect();
        match bls::batch_verify(on, scheme, &signed, &mut randomness::system()?) {
            Ok(()) => {}
            // The signatures before this one are valid.
            Err(VerifyError::InBatch { index: first, .. }) => {
                for (line, (key, message, signature)) in lines.iter().zip(&signed).skip(first) {
                    match bls::verify(on, scheme, key, message, signature) {
                        Ok(()) => {}
                        Err(VerifyError::Device(why)) => return Err(why.into()),
                        Err(why) => failed.push((*line, why.to_string())),
                    }
                }
            }
            Err(other) => return Err(other.into()),
        }
        if !failed.is_empty() {
            return Err(rejected(entries.len(), failed));
        }
        let mut verdict = Verdict::of::<V>(scheme, start)
            .checked(keys_checked::<V>(entries.len()))
            .checked(signature_checked::<V>("every signature"))
            .checked("a sum of the pairing equations with random weights holds, which a bad one passes with probability 2^-127");
        verdict.signatures = Some(entries.len());
        verdict.print_with(cli, &format!("{} signatures are valid", entries.len()), on.report(), &args.on)
    }
    let entries = lists::read(&args.list, true)?;
    let keys = entries.iter().map(|entry| {
        let name = format!("{}: line {}: the key", args.list.display(), entry.line);
        KeyBytes::read(&entry.key, &name)
    });
    let keys: Vec<KeyBytes> = keys.collect::<Result<_, _>>()?;
    let variant = keys.first().map_or(VariantName::MinPk, |key| key.variant);
    on_variant!(variant, verify(cli, args, &entries, &keys))
}

/// The failure of a batch, which names its lines in their order.
fn rejected(signatures: usize, mut failed: Vec<(usize, String)>) -> Failure {
    failed.sort();
    let lines = failed.iter().take(MOST_NAMED).map(|(line, why)| format!("line {line}: {why}"));
    let mut lines: Vec<String> = lines.collect();
    if failed.len() > MOST_NAMED {
        lines.push(format!("and {} more", failed.len() - MOST_NAMED));
    }
    BlsFault::Batch { failed: failed.len(), signatures, named: lines.join("; ") }.into()
}

/// Runs `bls pop-verify`.
pub(super) fn possession(cli: &Cli, args: &PopVerify) -> Result<(), Failure> {
    fn verify<V: Variant>(cli: &Cli, args: &PopVerify, given: &KeyBytes) -> Result<(), Failure> {
        let key = given.key::<V>()?;
        let proof = match (&args.proof, given.proof::<V>()?) {
            (Some(Given::Hex(bytes)), _) => proof_of::<V>(bytes)?,
            (Some(file @ Given::File(_)), _) => {
                let read = SignatureBytes::read(file, "the proof")?;
                read.signature::<V>(Scheme::ProofOfPossession)?
            }
            (None, Some(proof)) => proof,
            (None, None) => return Err(BlsFault::NoProof { what: given.what.clone() }.into()),
        };
        let (start, board) = (Instant::now(), args.on.machines.board(cli)?);
        let mut on = Session::new(&board);
        bls::pop_verify(&mut on, &key, &proof)?;
        let mut verdict = Verdict::of::<V>(Scheme::ProofOfPossession, start)
            .checked(keys_checked::<V>(1))
            .checked(signature_checked::<V>("the proof"))
            .checked(format!(
                "the pairing equation holds for the key under BLS_POP_{}POP_",
                V::Signatures::SUITE_RO
            ));
        verdict.ciphersuite = None;
        verdict.print_with(cli, "the owner of the key has the secret one", on.report(), &args.on)
    }
    let given = KeyBytes::read(&args.key, "the key")?;
    on_variant!(given.variant, verify(cli, args, &given))
}

/// Decodes a proof of possession that is given on the command line.
fn proof_of<V: Variant>(bytes: &[u8]) -> Result<Signature<V>, Failure> {
    let what = "the proof".to_owned();
    Ok(Signature::from_bytes(bytes).map_err(|why| BlsFault::Invalid { what, why })?)
}
