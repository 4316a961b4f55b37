//! Runs `pairwright bbs`: keys, signatures of many messages, and proofs that disclose some of them.

mod documents;

use super::documents::{SchemeDocumentError, bytes, read, write};
use crate::args::Cli;
use crate::args::bbs::{Bbs, BbsKeygen, BbsProve, BbsPubkey, BbsSign, BbsVerify, BbsVerifyProof};
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::output;
use crate::randomness::system;
use crate::report::{print_done_with_report, print_with_report};
use documents::{
    Disclosed, Encoding, Messages, Proved, Public, Secret, Signed, public, same, secret, signature,
};
use pairwright::Boards;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::formats::{from_hex, to_hex};
use pairwright::protocols::schemes::bbs::{
    BbsError, Ciphersuite, Disclosure, Generators, SecretKey, Statement, prove, verify, verify_proof,
};
use serde::Serialize;
use std::path::Path;

/// The largest size of key material, in bytes.
const MOST_MATERIAL: u64 = 1 << 20;

impl From<BbsError> for Failure {
    fn from(e: BbsError) -> Self {
        match e {
            BbsError::Device(why) => why.into(),
            BbsError::Rejected | BbsError::Challenge => Self::Rejected(e.into()),
            other => Self::bad(other),
        }
    }
}

/// Runs a subcommand on keys, signatures and proofs.
pub(crate) fn run(cli: &Cli, what: &Bbs) -> Result<(), Failure> {
    match what {
        Bbs::Keygen(args) => keygen(cli, args),
        Bbs::Pubkey(args) => pubkey(cli, args),
        Bbs::Sign(args) => sign(cli, args),
        Bbs::Verify(args) => accept(cli, args),
        Bbs::Prove(args) => show(cli, args),
        Bbs::VerifyProof(args) => accept_proof(cli, args),
    }
}

#[derive(Serialize)]
struct Key {
    ciphersuite: &'static str,
    public_key: String,
}

impl Key {
    fn of(suite: Ciphersuite, key: &SecretKey) -> Self {
        Self { ciphersuite: suite.id(), public_key: to_hex(&key.public_key().to_bytes()) }
    }
}

fn keygen(cli: &Cli, args: &BbsKeygen) -> Result<(), Failure> {
    let suite = Ciphersuite::from(args.ciphersuite);
    let key = match &args.material {
        None => SecretKey::random(suite, &mut system()?),
        Some(path) => SecretKey::key_gen(suite, &bytes(path, MOST_MATERIAL)?, args.info.as_bytes())?,
    };
    files::expect_new(&args.output, "a new secret key")?;
    write(&args.output, &Secret::new(suite, key.to_bytes().as_ref()), true)?;
    if let Some(path) = &args.public {
        write(path, &Public::new(suite, &key.public_key().to_bytes()), false)?;
    }
    output::print_done(cli, &Key::of(suite, &key), |key| {
        format!("{}: secret key of {}", args.output.display(), key.public_key)
    })
}

fn pubkey(cli: &Cli, args: &BbsPubkey) -> Result<(), Failure> {
    let (suite, key) = secret(&args.secret)?;
    if let Some(path) = &args.output {
        write(path, &Public::new(suite, &key.public_key().to_bytes()), false)?;
    }
    output::print(cli, &Key::of(suite, &key), |key| key.public_key.clone())
}

#[derive(Serialize)]
struct Done {
    ciphersuite: &'static str,
    messages: usize,
}

/// The messages as slices.
fn slices(messages: &[Vec<u8>]) -> Vec<&[u8]> {
    messages.iter().map(Vec::as_slice).collect()
}

fn sign(cli: &Cli, args: &BbsSign) -> Result<(), Failure> {
    let (suite, key) = secret(&args.secret)?;
    let (header, messages) = read::<Messages>(&args.messages)?.bytes(&args.messages)?;
    let device = Bls12_381::host();
    let generators = Generators::new(&mut Session::new(&device), suite, messages.len())?;
    let made = key.sign(&generators, &header, &slices(&messages))?;
    write(&args.output, &Signed::new(suite, &made.to_bytes()), true)?;
    let done = Done { ciphersuite: suite.id(), messages: messages.len() };
    output::print_done(cli, &done, |done| {
        format!("{}: signature of {} messages", args.output.display(), done.messages)
    })
}

/// The command's result for an accepted signature.
#[derive(Serialize)]
struct Verified {
    ciphersuite: &'static str,
    messages: usize,
}

fn accept(cli: &Cli, args: &BbsVerify) -> Result<(), Failure> {
    let (suite, key) = public(&args.public)?;
    let (header, messages) = read::<Messages>(&args.messages)?.bytes(&args.messages)?;
    let signature = signature(&args.signature, suite)?;
    let device = args.on.machines.board::<Bls12_381>(cli)?;
    let mut on = Session::new(&device);
    let generators = Generators::new(&mut on, suite, messages.len())?;
    verify(&mut on, &generators, &key, &header, &slices(&messages), &signature)?;
    let done = Verified { ciphersuite: suite.id(), messages: messages.len() };
    print_done_with_report(cli, &done, args.on.requested_report(&on.finish()), |done| {
        format!("OK: the signature of {} messages is valid", done.messages)
    })
}

#[derive(Serialize)]
struct Showed {
    ciphersuite: &'static str,
    disclosed: Vec<usize>,
    hidden: usize,
}

fn show(cli: &Cli, args: &BbsProve) -> Result<(), Failure> {
    let (suite, key) = public(&args.public)?;
    let document = read::<Messages>(&args.messages)?;
    let (header, messages) = document.bytes(&args.messages)?;
    let signature = signature(&args.signature, suite)?;
    let presentation_header = from_hex(&args.presentation_header).ok_or(ArgumentError::PresentationHeader)?;
    let device = Bls12_381::host();
    let on = &mut Session::new(&device);
    let generators = Generators::new(on, suite, messages.len())?;
    let messages = slices(&messages);
    let (header, presentation_header) = (header.as_slice(), presentation_header.as_slice());
    let indexes = args.disclose.as_slice();
    let statement = Statement { header, presentation_header, messages: &messages, indexes };
    // A proof of an invalid signature would be useless, so the signature is verified first.
    verify(on, &generators, &key, header, &messages, &signature)?;
    let proof = prove(&generators, &key, &signature, &statement, &mut system()?)?;
    let disclosed: Vec<Disclosed> = indexes
        .iter()
        .filter_map(|index| {
            Some(Disclosed { index: *index, message: document.messages.get(*index)?.clone() })
        })
        .collect();
    let proved = Proved {
        _kind: String::new(),
        _version: 0,
        ciphersuite: suite.id().to_owned(),
        encoding: document.encoding,
        header: document.header.clone(),
        presentation_header: to_hex(presentation_header),
        disclosed,
        proof: to_hex(&proof.to_bytes()),
    };
    write(&args.output, &proved, false)?;
    let done = Showed { ciphersuite: suite.id(), disclosed: indexes.to_vec(), hidden: proof.hidden() };
    output::print_done(cli, &done, |done| {
        let (shown, hidden) = (done.disclosed.len(), done.hidden);
        format!("{}: proof that discloses {shown} messages and hides {hidden}", args.output.display())
    })
}

#[derive(Serialize)]
struct Accepted {
    ciphersuite: &'static str,
    encoding: Encoding,
    header: String,
    presentation_header: String,
    disclosed: Vec<Disclosed>,
    hidden: usize,
}

fn accept_proof(cli: &Cli, args: &BbsVerifyProof) -> Result<(), Failure> {
    let (suite, key) = public(&args.public)?;
    let document = read::<Proved>(&args.proof)?;
    let shown = document.shown(&args.proof)?;
    same(&args.proof, shown.suite, suite)?;
    check_presentation(cli, args, &args.proof, &shown.presentation_header)?;
    let device = args.on.machines.board::<Bls12_381>(cli)?;
    let mut session = Session::new(&device);
    let on = &mut session;
    let generators = Generators::new(on, suite, shown.indexes.len() + shown.proof.hidden())?;
    let messages: Vec<&[u8]> = shown.messages.iter().map(|message| message.as_slice()).collect();
    let disclosure = Disclosure {
        header: &shown.header,
        presentation_header: &shown.presentation_header,
        indexes: &shown.indexes,
        messages: &messages,
    };
    verify_proof(on, &generators, &key, &disclosure, &shown.proof)?;
    let Proved { encoding, header, presentation_header, disclosed, .. } = document;
    let (ciphersuite, hidden) = (suite.id(), shown.proof.hidden());
    let done = Accepted { ciphersuite, encoding, header, presentation_header, disclosed, hidden };
    print_with_report(cli, &done, args.on.requested_report(&session.finish()), |done| {
        let mut text = format!(
            "OK: the proof is valid; it discloses {} messages and hides {hidden}",
            done.disclosed.len()
        );
        for shown in &done.disclosed {
            // The message is printed as a JSON string, so that it cannot contain control characters of the terminal.
            text += &format!("\n{}: {}", shown.index, serde_json::json!(shown.message));
        }
        text
    })
}

/// Compares a proof's presentation header with the one that the verifier demands.
fn check_presentation(cli: &Cli, args: &BbsVerifyProof, path: &Path, found: &[u8]) -> Result<(), Failure> {
    let Some(wanted) = &args.presentation_header else {
        cli.warnings.add(
            "the proof may have been shown before: --presentation-header compares what it is bound to with your own",
        );
        return Ok(());
    };
    let wanted = from_hex(wanted).ok_or(ArgumentError::PresentationHeader)?;
    if wanted == found {
        return Ok(());
    }
    let (found, wanted) = (format!("presentation header {}", to_hex(found)), to_hex(&wanted));
    Err(Failure::Rejected(SchemeDocumentError::Apart { path: path.to_owned(), found, wanted }.into()))
}
