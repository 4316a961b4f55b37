//! The errors of payments: one variant for each reason why a payment is not made, not accepted or not opened, with a short name for
//! programs.

use super::Failure;
use pairwright::formats::FormatError;
use pairwright::protocols::schemes::ibe::IbeError;
use pairwright::witness::WitnessError;
use std::error::Error;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why a payment is not made, not accepted or not opened.
#[derive(Debug, Error)]
pub(crate) enum PaymentError {
    /// The note that is to be spent is not in the ledger under this account.
    #[error("{}: the ledger has no such note of this account", .0.display())]
    NoNote(PathBuf),
    /// The note that is to be spent has been spent before.
    #[error("{}: the note is spent", .0.display())]
    NoteSpent(PathBuf),
    /// The note holds less than the value to be paid and the fee.
    #[error("{}: the note holds {held}, which is less than {value} and a fee of {fee}", .path.display())]
    Value { path: PathBuf, held: u64, value: u64, fee: u64 },
    /// The payer is not in the registry under this name.
    #[error("{}: this account is not registered under the name {name:?}", .path.display())]
    Unregistered { path: PathBuf, name: String },
    /// The name or the address is in the registry already.
    #[error("{}: {name:?} is registered with this address", .path.display())]
    Registered { path: PathBuf, name: String },
    /// The tree of a ledger or a registry has no room for the new leaves.
    #[error("{}: no room for {more} more, it has {found} of {most}", .path.display())]
    Full { path: PathBuf, found: usize, more: usize, most: usize },
    /// The circuit's witness calculator refuses the payer's inputs.
    #[error("the circuit refuses this payment: {0}")]
    Circuit(WitnessError),
    /// A proving or verification key of another circuit.
    #[error("{}: not a key of the circuit of a payment: {why}", .path.display())]
    OtherCircuit { path: PathBuf, why: String },

    /// The file is not a payment.
    #[error("{0}")]
    Document(Box<dyn Error + Send + Sync>),
    /// The payment was proved with another key than the verifier's.
    #[error("the payment was proved under the verification key {found}, and this one is {wanted}")]
    VerificationKey { found: String, wanted: String },
    /// The identity is encrypted under another authority's key.
    #[error("the payer is encrypted under the authority {found}, and ours is {wanted}")]
    Authority { found: String, wanted: String },
    /// The payer is encrypted to another identity than the regulator's for this period.
    #[error("the payer is encrypted to {found:?}, and {wanted:?} is wanted")]
    Period { found: String, wanted: String },
    /// The encrypted key is not a valid ciphertext.
    #[error("the encrypted key is no ciphertext of a key of 32 bytes: {0}")]
    SealedKey(IbeError),
    /// The encrypted key is a ciphertext for another length than a key's 32 bytes.
    #[error("the encrypted key is no ciphertext of a key of 32 bytes: it is one of {0}")]
    SealedLength(usize),
    /// The ledger has never had this root of notes.
    #[error("the root of notes is none that this ledger has had")]
    Root,
    /// The registry has another root of payers.
    #[error("the root of payers is not that of this registry")]
    Registry,
    /// The note was spent before: its nullifier is in the ledger.
    #[error("the note is spent: its nullifier is in the ledger")]
    Spent,
    /// The payment's digest is that of another encrypted key, authority or period.
    #[error(
        "the digest is not of this encrypted key, authority and period: a part of another payment was put in"
    )]
    Digest,
    /// A point of the proof is not a valid point.
    #[error("the proof: {0}")]
    ProofPoint(FormatError),
    /// The proof does not hold for these values.
    #[error("the proof does not hold for the payment's public values")]
    Proof,

    /// The regulator's key belongs to another identity than the one that the payment is encrypted to.
    #[error("{}: a key of {found:?}, and the payer is encrypted to {wanted:?}", .path.display())]
    KeyPeriod { path: PathBuf, found: String, wanted: String },
    /// The payment is valid, but its encrypted key cannot be decrypted: the payer has encrypted something else.
    #[error("the payment is valid, and its encrypted key does not open: the payer encrypted something else")]
    Unopened,
    /// The decrypted key is not the one that the proof commits to.
    #[error("the payment is valid, and the encrypted key is not the one that the payer committed to")]
    OtherKey,
    /// The decrypted identity is in no entry of this registry.
    #[error("{}: no payer of this registry has the identity that was decrypted", .0.display())]
    Nameless(PathBuf),
}

impl PaymentError {
    /// The short name of the cause, which `--json` calls `reason`.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::NoNote(_) => "no-note",
            Self::NoteSpent(_) => "note-spent",
            Self::Value { .. } => "value",
            Self::Unregistered { .. } => "unregistered",
            Self::Registered { .. } => "registered",
            Self::Full { .. } => "full",
            Self::Circuit(_) => "circuit",
            Self::OtherCircuit { .. } => "other-circuit",
            Self::Document(_) => "document",
            Self::VerificationKey { .. } => "verification-key",
            Self::Authority { .. } => "authority",
            Self::Period { .. } => "period",
            Self::SealedKey(_) | Self::SealedLength(_) => "encrypted-key",
            Self::Root => "root",
            Self::Registry => "registry",
            Self::Spent => "spent",
            Self::Digest => "digest",
            Self::ProofPoint(_) => "proof-point",
            Self::Proof => "proof",
            Self::KeyPeriod { .. } => "key-period",
            Self::Unopened => "unopened",
            Self::OtherKey => "other-key",
            Self::Nameless(_) => "nameless",
        }
    }

    /// Whether the payment itself is rejected. The other errors concern the documents that it is made from or checked against.
    fn is_rejection(&self) -> bool {
        !matches!(
            self,
            Self::NoNote(_)
                | Self::NoteSpent(_)
                | Self::Value { .. }
                | Self::Unregistered { .. }
                | Self::Registered { .. }
                | Self::Full { .. }
                | Self::Circuit(_)
                | Self::OtherCircuit { .. }
                | Self::Document(_)
                | Self::KeyPeriod { .. }
                | Self::Nameless(_)
        )
    }
}

impl From<PaymentError> for Failure {
    fn from(e: PaymentError) -> Self {
        if e.is_rejection() { Self::Rejected(e.into()) } else { Self::bad(e) }
    }
}

impl Failure {
    /// The short name of the cause, if the failure is a payment's.
    pub(crate) fn reason(&self) -> Option<&'static str> {
        let (Self::Rejected(why) | Self::BadInput(why)) = self else { return None };
        why.downcast_ref().map(PaymentError::reason)
    }
}
