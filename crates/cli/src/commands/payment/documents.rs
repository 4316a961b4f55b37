//! The JSON documents of payments.

use super::statement::{Hashes, NOTE_LEVELS, PAYER_LEVELS, Tree, identity_of};
use crate::commands::documents::{Document, SchemeDocumentError, from_hex, read, write};
use crate::failure::{Failure, PaymentError};
use crate::files;
use pairwright::curve::bls12_381::Fr;
use pairwright::field::PrimeField;
use pairwright::formats::to_hex;
use serde::{Deserialize, Serialize};
use std::path::Path;
use zeroize::{Zeroize, Zeroizing};

/// Declares the types of documents with their members.
macro_rules! documents {
    ($($(#[$doc:meta])+ $name:ident $kind:literal { $($(#[$of:meta])* $member:ident: $type:ty,)+ })+) => {$(
        $(#[$doc])+
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            #[serde(rename = "type", skip_serializing, default)]
            pub(super) _kind: String,
            #[serde(rename = "version", skip_serializing, default)]
            pub(super) _version: u32,
            $($(#[$of])* pub(super) $member: $type,)+
        }

        impl Document for $name {
            const TYPE: &'static str = $kind;
        }
    )+};
}

documents! {
    /// A spending key.
    Account "pairwright payment account" {
        spending_key: String,
    }
    /// The address that notes are paid to.
    Address "pairwright payment address" {
        owner: String,
    }
    /// The secret of a note, which its owner keeps.
    Note "pairwright payment note" {
        value: u64,
        blinding: String,
    }
    /// All notes, and the nullifiers of those that are spent.
    Ledger "pairwright payment ledger" {
        notes: Vec<String>,
        nullifiers: Vec<String>,
    }
    /// The regulator's list of payers.
    Registry "pairwright payment registry" {
        payers: Vec<Payer>,
    }
    /// The leaves of a registry, which contain no names.
    Leaves "pairwright payment payers" {
        leaves: Vec<String>,
    }
    /// A payment: public values, the encrypted key of the identity, and the proof in the form of snarkjs.
    Paid "pairwright payment" {
        /// Fingerprint of the verification key.
        verification_key: String,
        /// Fingerprint of the authority's key.
        authority: String,
        period: String,
        fee: u64,
        root: String,
        registry: String,
        nullifier: String,
        to_note: String,
        change_note: String,
        /// The encrypted identity.
        ciphertext: String,
        key_hash: String,
        digest: String,
        /// The key of the identity, encrypted to the period's identity.
        encrypted_key: String,
        proof: serde_json::Value,
    }
}

/// A payer of a registry.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Payer {
    pub(super) name: String,
    pub(super) owner: String,
}

impl Drop for Account {
    fn drop(&mut self) {
        self.spending_key.zeroize();
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        self.value.zeroize();
        self.blinding.zeroize();
    }
}

/// A field element as documents hold it: 32 bytes, big-endian, in hexadecimal.
pub(super) fn text(x: &Fr) -> String {
    let mut bytes = Zeroizing::new([0; 32]);
    x.write_be(&mut *bytes);
    to_hex(&*bytes)
}

/// Reads a field element in this form. Refuses a number that is not below the modulus.
pub(super) fn number(path: &Path, member: &'static str, text: &str) -> Result<Fr, SchemeDocumentError> {
    let bytes = from_hex(path, member, text)?;
    let wrong = |why: String| SchemeDocumentError::Value { path: path.to_owned(), member, why };
    if bytes.len() != Fr::BYTES {
        return Err(wrong(format!("{} bytes, a number has {}", bytes.len(), Fr::BYTES)));
    }
    Fr::read_be(&bytes).map_err(|_| wrong("not below the modulus of the scalar field".to_owned()))
}

/// Reads a list of field elements, the leaves of a tree with this many levels.
fn numbers(path: &Path, member: &'static str, texts: &[String], levels: usize) -> Result<Vec<Fr>, Failure> {
    if texts.len() > 1 << levels {
        let why = format!("{} numbers, there are at most {}", texts.len(), 1 << levels);
        return Err(SchemeDocumentError::Value { path: path.to_owned(), member, why }.into());
    }
    Ok(texts.iter().map(|text| number(path, member, text)).collect::<Result<_, _>>()?)
}

/// Fails if `more` further leaves do not fit into a tree with this many levels.
pub(super) fn expect_room(path: &Path, found: usize, more: usize, levels: usize) -> Result<(), PaymentError> {
    let most = 1 << levels;
    if found + more <= most {
        return Ok(());
    }
    Err(PaymentError::Full { path: path.to_owned(), found, more, most })
}

impl Account {
    pub(super) fn open(path: &Path) -> Result<Zeroizing<Fr>, Failure> {
        Ok(Zeroizing::new(number(path, "spending_key", &read::<Self>(path)?.spending_key)?))
    }
}

impl Address {
    pub(super) fn open(path: &Path) -> Result<Fr, Failure> {
        Ok(number(path, "owner", &read::<Self>(path)?.owner)?)
    }
}

/// A note with decoded field elements.
pub(super) struct OpenNote {
    pub(super) value: u64,
    pub(super) blinding: Zeroizing<Fr>,
}

impl Note {
    pub(super) fn open(path: &Path) -> Result<OpenNote, Failure> {
        let note = read::<Self>(path)?;
        Ok(OpenNote {
            value: note.value,
            blinding: Zeroizing::new(number(path, "blinding", &note.blinding)?),
        })
    }

    pub(super) fn save(path: &Path, value: u64, blinding: &Fr) -> Result<(), Failure> {
        write(path, &Self { _kind: String::new(), _version: 0, value, blinding: text(blinding) }, true)
    }
}

/// A ledger with decoded field elements.
#[derive(Default)]
pub(super) struct OpenLedger {
    pub(super) notes: Vec<Fr>,
    pub(super) nullifiers: Vec<Fr>,
}

impl OpenLedger {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let ledger = read::<Ledger>(path)?;
        Ok(Self {
            notes: numbers(path, "notes", &ledger.notes, NOTE_LEVELS)?,
            nullifiers: numbers(path, "nullifiers", &ledger.nullifiers, NOTE_LEVELS)?,
        })
    }

    /// Reads a ledger, or returns an empty one if the file does not exist.
    pub(super) fn open_or_new(path: &Path) -> Result<Self, Failure> {
        if files::is_there(path) { Self::open(path) } else { Ok(Self::default()) }
    }

    pub(super) fn save(&self, path: &Path) -> Result<(), Failure> {
        let texts = |numbers: &[Fr]| numbers.iter().map(text).collect();
        let (notes, nullifiers) = (texts(&self.notes), texts(&self.nullifiers));
        write(path, &Ledger { _kind: String::new(), _version: 0, notes, nullifiers }, false)
    }
}

/// Reads a registry's leaves and builds their tree.
pub(super) fn payers(path: &Path, hashes: &Hashes) -> Result<Tree, Failure> {
    let leaves = numbers(path, "leaves", &read::<Leaves>(path)?.leaves, PAYER_LEVELS)?;
    Ok(Tree::new(hashes, PAYER_LEVELS, leaves))
}

impl Registry {
    /// Reads a registry, or returns an empty one if the file does not exist.
    pub(super) fn open_or_new(path: &Path) -> Result<Self, Failure> {
        if files::is_there(path) {
            return read(path);
        }
        Ok(Self { _kind: String::new(), _version: 0, payers: Vec::new() })
    }

    /// The leaves of the registry, to be published.
    pub(super) fn leaves(&self, path: &Path, hashes: &Hashes) -> Result<Leaves, Failure> {
        let leaf = |payer: &Payer| {
            let owner = number(path, "owner", &payer.owner)?;
            Ok(text(&hashes.payer(identity_of(&payer.name), owner)))
        };
        let leaves = self.payers.iter().map(leaf).collect::<Result<_, SchemeDocumentError>>()?;
        Ok(Leaves { _kind: String::new(), _version: 0, leaves })
    }
}
