//! Makes payments: encrypts the payer's identity and its key, and proves that the payment is valid.

use super::documents::{Account, Address, Note, OpenLedger, Paid, payers, text};
use super::statement::{Hashes, MerklePath, NOTE_LEVELS, PUBLIC, Tree, digest_of, identity_of};
use super::{NOTE, Step, circuit, fingerprint, joined};
use crate::args::payment::PaymentPay;
use crate::args::{Cli, KeyGroupsName};
use crate::commands::documents::write;
use crate::commands::ibe::{on_variant, point, scheme};
use crate::commands::ibe_documents::{PublicPart, fingerprint as fingerprint_of_authority};
use crate::failure::{ArgumentError, Failure, PaymentError};
use crate::progress::Progress;
use crate::report::print_done_with_report;
use crate::{files, output, randomness};
use pairwright::Boards;
use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::device::{Device, Report, Session};
use pairwright::field::{Field, PrimeField};
use pairwright::formats::{ZkeyFile, to_hex, write_proof};
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{VerifyError, prove, verify_with_unsafe_key};
use pairwright::protocols::schemes::ibe::IbeError;
use pairwright::protocols::schemes::{MinPk, MinSig, Variant};
use pairwright::witness::Inputs;
use serde::Serialize;
use std::time::Instant;
use zeroize::{Zeroize, Zeroizing};

/// The private inputs of the circuit.
struct Secrets {
    spending_key: Zeroizing<Fr>,
    value: u64,
    blinding: Zeroizing<Fr>,
    note: MerklePath,
    to_owner: Fr,
    to_value: u64,
    to_blinding: Zeroizing<Fr>,
    change_blinding: Zeroizing<Fr>,
    identity: Fr,
    payer: MerklePath,
    key: Zeroizing<Fr>,
}

impl Secrets {
    /// The circuit's inputs, including the public ones: the roots of notes and payers, the fee and the digest.
    fn inputs(&self, [root, registry, fee, digest]: [Fr; 4]) -> Result<Inputs, Failure> {
        let mut inputs = Inputs::new();
        for (name, value) in [
            ("root", root),
            ("registry", registry),
            ("fee", fee),
            ("digest", digest),
            ("spending_key", *self.spending_key),
            ("value", Fr::from(self.value)),
            ("blinding", *self.blinding),
            ("to_owner", self.to_owner),
            ("to_value", Fr::from(self.to_value)),
            ("to_blinding", *self.to_blinding),
            ("change_blinding", *self.change_blinding),
            ("identity", self.identity),
            ("key", *self.key),
        ] {
            inputs.insert(name, &[value])?;
        }
        for (name, path) in [("note", &self.note), ("payer", &self.payer)] {
            let bits: Vec<Fr> = path.bits.iter().map(|bit| Fr::from(u64::from(*bit))).collect();
            inputs.insert(&format!("{name}_bits"), &bits)?;
            inputs.insert(&format!("{name}_siblings"), &path.siblings)?;
        }
        Ok(inputs)
    }
}

/// The key that a payer encrypts. The dishonest choices are for the demonstration: with them the regulator cannot find out who paid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Honesty {
    /// The key that the proof commits to.
    Honest,
    /// Another key than the one that the proof commits to.
    OtherKey,
    /// No key: the end of the ciphertext is changed, so that it cannot be decrypted.
    Nothing,
}

/// A payment with the notes that it creates, and the times of its steps.
pub(super) struct Made {
    paid: Paid,
    to_blinding: Zeroizing<Fr>,
    change: u64,
    change_blinding: Zeroizing<Fr>,
    steps: [Step; 2],
    report: Report,
}

/// The command's result for a payment.
#[derive(Serialize)]
struct Done<'a> {
    value: u64,
    fee: u64,
    change: u64,
    nullifier: &'a str,
    steps: &'a [Step],
}

pub(super) fn run(cli: &Cli, args: &PaymentPay) -> Result<(), Failure> {
    [&args.to_note, &args.change_note].into_iter().try_for_each(|path| files::expect_new(path, NOTE))?;
    let made = make(cli, args, Honesty::Honest)?;
    // The notes are written first: without them, the value of a recorded payment would be lost.
    Note::save(&args.to_note, args.value, &made.to_blinding)?;
    Note::save(&args.change_note, made.change, &made.change_blinding)?;
    write(&args.output, &made.paid, false)?;
    let done = Done {
        value: args.value,
        fee: args.fee,
        change: made.change,
        nullifier: &made.paid.nullifier,
        steps: &made.steps,
    };
    print_done_with_report(cli, &done, args.on.requested_report(&made.report), |done| {
        let [encrypt, prove] = &made.steps;
        format!(
            "{}: {} paid, a fee of {}, {} left; encrypted in {}, proved in {}; notes in {} and {}",
            args.output.display(),
            done.value,
            done.fee,
            done.change,
            output::seconds(encrypt.seconds),
            output::seconds(prove.seconds),
            args.to_note.display(),
            args.change_note.display()
        )
    })
}

/// Makes a payment, without writing anything.
pub(super) fn make(cli: &Cli, args: &PaymentPay, payer: Honesty) -> Result<Made, Failure> {
    let authority = PublicPart::read(&args.terms.authority)?;
    let device = args.on.machines.board::<Bls12_381>(cli)?;
    let hashes = Hashes::new();
    let mut rng = randomness::system()?;

    let spending_key = Account::open(&args.account)?;
    let owner = hashes.owner(*spending_key);
    let note = Note::open(&args.note)?;
    let commitment = hashes.note(owner, note.value, *note.blinding);
    let ledger = OpenLedger::open(&args.terms.ledger)?;
    let tree = Tree::new(&hashes, NOTE_LEVELS, ledger.notes);
    let position = tree.position(commitment).ok_or_else(|| PaymentError::NoNote(args.note.to_path_buf()))?;
    let nullifier = hashes.nullifier(*spending_key, commitment, position);
    if ledger.nullifiers.contains(&nullifier) {
        return Err(PaymentError::NoteSpent(args.note.to_path_buf()).into());
    }
    let spent = args.value.checked_add(args.fee);
    let change =
        spent.and_then(|spent| note.value.checked_sub(spent)).ok_or_else(|| PaymentError::Value {
            path: args.note.to_path_buf(),
            held: note.value,
            value: args.value,
            fee: args.fee,
        })?;

    let identity = identity_of(&args.name);
    let registry = payers(&args.terms.payers, &hashes)?;
    let place = registry.position(hashes.payer(identity, owner)).ok_or_else(|| {
        PaymentError::Unregistered { path: args.terms.payers.to_path_buf(), name: args.name.clone() }
    })?;

    let key = Zeroizing::new(Fr::random(&mut rng));
    let encrypted = match payer {
        Honesty::OtherKey => Zeroizing::new(Fr::random(&mut rng)),
        Honesty::Honest | Honesty::Nothing => key.clone(),
    };
    let start = Instant::now();
    let (mut encrypted_key, of_encryption) =
        on_variant!(authority.variant, encrypt(args, &device, &authority, &encrypted))?;
    if let (Honesty::Nothing, Some(byte)) = (payer, encrypted_key.last_mut()) {
        *byte ^= 1;
    }
    let encrypting = start.elapsed().as_secs_f64();
    let of_authority = fingerprint_of_authority(&authority.public_key);
    let digest = digest_of(&of_authority, &args.terms.period, &encrypted_key);

    let secrets = Secrets {
        spending_key,
        value: note.value,
        blinding: note.blinding,
        note: tree.path(position),
        to_owner: Address::open(&args.to)?,
        to_value: args.value,
        to_blinding: Zeroizing::new(Fr::random(&mut rng)),
        change_blinding: Zeroizing::new(Fr::random(&mut rng)),
        identity,
        payer: registry.path(place),
        key,
    };
    let (root, of_payers, fee) = (tree.root(), registry.root(), Fr::from(args.fee));
    let public = [
        nullifier,
        hashes.note(secrets.to_owner, args.value, *secrets.to_blinding),
        hashes.note(owner, change, *secrets.change_blinding),
        identity + hashes.mask(*secrets.key, nullifier),
        hashes.key_hash(*secrets.key),
        root,
        of_payers,
        fee,
        digest,
    ];
    let start = Instant::now();
    let witness = Zeroizing::new(circuit::witness(&secrets.inputs([root, of_payers, fee, digest])?)?);
    if witness.get(1..=PUBLIC) != Some(&public[..]) {
        return Err(Failure::Internal("the circuit has other public values than this program".into()));
    }
    let (proof, verification_key, of_proof) = prove_on(cli, args, &device, witness, &public)?;
    let proving = start.elapsed().as_secs_f64();

    let [nullifier, to_note, change_note, ciphertext, key_hash, root, registry, _, digest] =
        public.map(|x| text(&x));
    let steps = [Step::new("encrypt", encrypting, &of_encryption), Step::new("prove", proving, &of_proof)];
    let (period, encrypted_key) = (args.terms.period.clone(), to_hex(&encrypted_key));
    let paid = Paid {
        _kind: String::new(),
        _version: 0,
        verification_key,
        authority: of_authority,
        period,
        fee: args.fee,
        root,
        registry,
        nullifier,
        to_note,
        change_note,
        ciphertext,
        key_hash,
        digest,
        encrypted_key,
        proof,
    };
    let Secrets { to_blinding, change_blinding, .. } = secrets;
    let report = joined([of_encryption, of_proof]);
    Ok(Made { paid, to_blinding, change, change_blinding, steps, report })
}

impl Made {
    /// Writes the payment, without its notes.
    pub(super) fn write_payment(&self, path: &std::path::Path) -> Result<(), Failure> {
        write(path, &self.paid, false)
    }
}

/// Encrypts the key of the payer's identity to the period's identity.
fn encrypt<V: Variant>(
    args: &PaymentPay,
    device: &Device<Bls12_381>,
    authority: &PublicPart,
    key: &Fr,
) -> Result<(Vec<u8>, Report), Failure> {
    let master = point::<V>(&args.terms.authority, &authority.public_key)?;
    let mut bytes = Zeroizing::new([0; 32]);
    key.write_be(&mut *bytes);
    let mut on = Session::new(device);
    let identity = args.terms.period.as_bytes();
    let sealed = scheme::<V>().encrypt(&mut on, &master, identity, &*bytes, &mut randomness::system()?);
    let sealed = sealed.map_err(|why| match why {
        IbeError::Device(why) => why.into(),
        other => Failure::Internal(other.into()),
    })?;
    Ok((sealed.to_bytes(), on.finish()))
}

/// Makes a proof and verifies it; returns it with the name of its verification key.
fn prove_on(
    cli: &Cli,
    args: &PaymentPay,
    device: &Device<Bls12_381>,
    mut witness: Zeroizing<Vec<Fr>>,
    public: &[Fr],
) -> Result<(serde_json::Value, String, Report), Failure> {
    let zkey = ZkeyFile::<Bls12_381>::open(&args.zkey)?;
    let key = zkey.proving_key()?;
    circuit::expect_proving_key(&args.zkey, &key)?;
    args.keys.judge_proving(cli, &args.zkey, &zkey, &key.vk)?;
    let progress = Progress::new(0, "prove");
    let mut on = Session::new(device).observed(|event| progress.follow(&event));
    let mut rng = randomness::system()?;
    let mut witness = Buf::from(core::mem::take(&mut *witness));
    let proof = prove(&mut on, &key, &witness, &mut rng);
    witness.iter_mut().for_each(Zeroize::zeroize);
    let proof = proof?;
    let report = on.finish();
    drop(progress);
    // The proof is verified on this computer, whichever machine made it. The key has been checked for weaknesses above.
    verify_with_unsafe_key(&mut Session::new(&Bls12_381::host()), &key.vk, public, &proof).map_err(|e| {
        match e {
            VerifyError::Device(why) => why.into(),
            _ => Failure::from(ArgumentError::ProofFails),
        }
    })?;
    let mut text = Vec::new();
    write_proof(&mut text, &proof)?;
    let proof = serde_json::from_slice(&text).map_err(|why| Failure::Internal(why.into()))?;
    Ok((proof, fingerprint(&key.vk)?, report))
}
