//! The JSON documents of `pairwright bbs`: keys, messages, signatures and proofs.

use crate::commands::documents::{Document, SchemeDocumentError, content, from_hex, read};
use crate::failure::Failure;
use pairwright::formats::to_hex;
use pairwright::protocols::schemes::bbs::{BbsError, Ciphersuite, Proof, PublicKey, SecretKey, Signature};
use serde::{Deserialize, Serialize};
use std::path::Path;
use zeroize::{Zeroize, Zeroizing};

/// Declares documents that hold a ciphersuite and one value in hexadecimal.
macro_rules! documents {
    ($($(#[$doc:meta])+ $name:ident $kind:literal $member:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            #[serde(rename = "type", skip_serializing, default)]
            _kind: String,
            #[serde(rename = "version", skip_serializing, default)]
            _version: u32,
            pub(super) ciphersuite: String,
            pub(super) $member: String,
        }

        impl $name {
            pub(super) fn new(suite: Ciphersuite, bytes: &[u8]) -> Self {
                let ciphersuite = suite.id().to_owned();
                Self { _kind: String::new(), _version: 0, ciphersuite, $member: to_hex(bytes) }
            }

            /// The ciphersuite and the bytes of the value.
            fn value(&self, path: &Path) -> Result<(Ciphersuite, Zeroizing<Vec<u8>>), SchemeDocumentError> {
                Ok((suite(path, &self.ciphersuite)?, from_hex(path, stringify!($member), &self.$member)?))
            }
        }

        impl Document for $name {
            const TYPE: &'static str = $kind;
        }

        impl Drop for $name {
            fn drop(&mut self) {
                self.$member.zeroize();
            }
        }
    )+};
}

documents! {
    /// A secret key.
    Secret "pairwright bbs secret key" secret_key;
    /// A public key.
    Public "pairwright bbs public key" public_key;
    /// A signature, which its holder keeps secret.
    Signed "pairwright bbs signature" signature;
}

/// How a document encodes the header and the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Encoding {
    /// As text, whose bytes are UTF-8.
    #[default]
    #[serde(rename = "utf-8")]
    Text,
    /// As bytes in hexadecimal.
    #[serde(rename = "hex")]
    Hex,
}

impl Encoding {
    fn bytes(self, path: &Path, member: &str, text: &str) -> Result<Zeroizing<Vec<u8>>, SchemeDocumentError> {
        match self {
            Self::Text => Ok(Zeroizing::new(text.as_bytes().to_vec())),
            Self::Hex => from_hex(path, member, text),
        }
    }
}

/// A header and messages that are signed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Messages {
    #[serde(rename = "type", skip_serializing, default)]
    _kind: String,
    #[serde(rename = "version", skip_serializing, default)]
    _version: u32,
    #[serde(default)]
    pub(super) encoding: Encoding,
    #[serde(default)]
    pub(super) header: String,
    pub(super) messages: Vec<String>,
}

impl Document for Messages {
    const TYPE: &'static str = "pairwright bbs messages";
}

impl Drop for Messages {
    fn drop(&mut self) {
        self.messages.zeroize();
    }
}

impl Messages {
    /// The bytes of the header and of the messages.
    pub(super) fn bytes(
        &self,
        path: &Path,
    ) -> Result<(Zeroizing<Vec<u8>>, Zeroizing<Vec<Vec<u8>>>), SchemeDocumentError> {
        let header = self.encoding.bytes(path, "header", &self.header)?;
        let mut messages = Zeroizing::new(Vec::with_capacity(self.messages.len()));
        for (i, message) in self.messages.iter().enumerate() {
            messages.push(self.encoding.bytes(path, &format!("messages[{i}]"), message)?.to_vec());
        }
        Ok((header, messages))
    }
}

/// A message that a proof discloses.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Disclosed {
    pub(super) index: usize,
    pub(super) message: String,
}

/// A proof, and the messages that it discloses.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proved {
    #[serde(rename = "type", skip_serializing, default)]
    pub(super) _kind: String,
    #[serde(rename = "version", skip_serializing, default)]
    pub(super) _version: u32,
    pub(super) ciphersuite: String,
    pub(super) encoding: Encoding,
    pub(super) header: String,
    pub(super) presentation_header: String,
    pub(super) disclosed: Vec<Disclosed>,
    pub(super) proof: String,
}

impl Document for Proved {
    const TYPE: &'static str = "pairwright bbs proof";
}

/// The contents of a proof's document, decoded into bytes.
pub(super) struct Shown {
    pub(super) suite: Ciphersuite,
    pub(super) proof: Proof,
    pub(super) header: Zeroizing<Vec<u8>>,
    pub(super) presentation_header: Zeroizing<Vec<u8>>,
    pub(super) indexes: Vec<usize>,
    pub(super) messages: Vec<Zeroizing<Vec<u8>>>,
}

impl Proved {
    /// Decodes the proof, the header and the disclosed messages.
    pub(super) fn shown(&self, path: &Path) -> Result<Shown, Failure> {
        let messages =
            self.disclosed.iter().enumerate().map(|(i, shown)| {
                self.encoding.bytes(path, &format!("disclosed[{i}].message"), &shown.message)
            });
        Ok(Shown {
            suite: suite(path, &self.ciphersuite)?,
            messages: messages.collect::<Result<_, _>>()?,
            indexes: self.disclosed.iter().map(|shown| shown.index).collect(),
            header: self.encoding.bytes(path, "header", &self.header)?,
            presentation_header: from_hex(path, "presentation_header", &self.presentation_header)?,
            proof: accepted(path, Proof::from_bytes(&from_hex(path, "proof", &self.proof)?))?,
        })
    }
}

/// The ciphersuite with this identifier.
fn suite(path: &Path, id: &str) -> Result<Ciphersuite, SchemeDocumentError> {
    let known = [Ciphersuite::Sha256, Ciphersuite::Shake256];
    known.into_iter().find(|suite| suite.id() == id).ok_or_else(|| SchemeDocumentError::Value {
        path: path.to_owned(),
        member: "ciphersuite",
        why: format!("no ciphersuite that is known; there are {} and {}", known[0].id(), known[1].id()),
    })
}

/// The value that was decoded. Bytes of the right length that are not a valid value are a rejection, other errors bad input.
fn accepted<T>(path: &Path, read: Result<T, BbsError>) -> Result<T, Failure> {
    read.map_err(|why| match why {
        BbsError::Length { .. } | BbsError::SecretKey => content(path, why).into(),
        BbsError::Point { why: pairwright::curve::encoding::PointError::Length { .. }, .. } => {
            content(path, why).into()
        }
        other => Failure::Rejected(content(path, other).into()),
    })
}

pub(super) fn secret(path: &Path) -> Result<(Ciphersuite, SecretKey), Failure> {
    let (suite, bytes) = read::<Secret>(path)?.value(path)?;
    Ok((suite, accepted(path, SecretKey::from_bytes(&bytes))?))
}

pub(super) fn public(path: &Path) -> Result<(Ciphersuite, PublicKey), Failure> {
    let (suite, bytes) = read::<Public>(path)?.value(path)?;
    Ok((suite, accepted(path, PublicKey::from_bytes(&bytes))?))
}

pub(super) fn signature(path: &Path, key: Ciphersuite) -> Result<Zeroizing<Signature>, Failure> {
    let (suite, bytes) = read::<Signed>(path)?.value(path)?;
    same(path, suite, key)?;
    accepted(path, Signature::from_bytes(&bytes)).map(Zeroizing::new)
}

/// Fails unless a document has the key's ciphersuite.
pub(super) fn same(path: &Path, found: Ciphersuite, key: Ciphersuite) -> Result<(), SchemeDocumentError> {
    if found == key {
        return Ok(());
    }
    let (found, wanted) = (found.id().to_owned(), format!("{} of the key", key.id()));
    Err(SchemeDocumentError::Apart { path: path.to_owned(), found, wanted })
}
