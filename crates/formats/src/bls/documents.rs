//! The documents of BLS keys, shares and signatures, one struct for each kind.

use super::{Ciphersuite, DocumentError, Text, VERSION, VariantName, bytes, read, write};
use crate::hexadecimal::{secret_from_hex, secret_to_hex, to_hex};
use crate::json::member;
use crate::{FileBytes, FormatError};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_protocols::schemes::bls::{KeyPath, SecretKey};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// A secret key with its variant and, if it was derived from a seed, its derivation path.
#[derive(Debug)]
pub struct SecretDocument {
    /// The variant that the key belongs to.
    pub variant: VariantName,
    /// The secret key.
    pub key: SecretKey,
    /// The public key, compressed. The reader of a document compares it with the secret key.
    pub public_key: Vec<u8>,
    /// The derivation path from the seed to the key (EIP-2334), if the key was derived.
    pub path: Option<KeyPath>,
}

/// A public key, optionally with a proof of possession of the secret key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicDocument {
    /// The variant that the key belongs to.
    pub variant: VariantName,
    /// The key, compressed.
    pub key: Vec<u8>,
    /// The proof of possession, compressed.
    pub proof: Option<Vec<u8>>,
}

/// A signature of one signer, or an aggregate of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureDocument {
    /// Variant and scheme of the signature.
    pub suite: Ciphersuite,
    /// The signature, compressed.
    pub signature: Vec<u8>,
}

/// A signer's share of a secret key.
#[derive(Debug)]
pub struct ShareDocument {
    /// The variant that the key belongs to.
    pub variant: VariantName,
    /// The signer's index, from 1 on.
    pub index: u16,
    /// The share of the secret key.
    pub key: SecretKey,
    /// The dealer's public coefficients: compressed points of the keys' group, as many as signers are needed, the public key
    /// first.
    pub coefficients: Vec<Vec<u8>>,
}

/// The public part of a key that a dealer has shared among signers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdDocument {
    /// The variant that the key belongs to.
    pub variant: VariantName,
    /// Number of signers that hold a share.
    pub signers: u16,
    /// The dealer's public coefficients: compressed points of the keys' group, as many as signers are needed, the public key
    /// first.
    pub coefficients: Vec<Vec<u8>>,
}

/// A partial signature by one signer of a shared key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialDocument {
    /// Variant and scheme of the signature.
    pub suite: Ciphersuite,
    /// The signer's index, from 1 on.
    pub index: u16,
    /// The partial signature, compressed.
    pub signature: Vec<u8>,
}

/// The union of the members of all kinds of documents; each kind has some of them.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Members {
    format: String,
    version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ciphersuite: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signers: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_of_possession: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coefficients: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_key: Option<Text>,
}

impl Members {
    fn of(kind: &str) -> Self {
        Self { format: kind.to_owned(), version: VERSION, ..Self::default() }
    }

    /// The names of the members that are present, without those that every document has.
    fn present(&self) -> Vec<&'static str> {
        let there = [
            ("variant", self.variant.is_some()),
            ("ciphersuite", self.ciphersuite.is_some()),
            ("index", self.index.is_some()),
            ("signers", self.signers.is_some()),
            ("path", self.path.is_some()),
            ("public_key", self.public_key.is_some()),
            ("proof_of_possession", self.proof_of_possession.is_some()),
            ("signature", self.signature.is_some()),
            ("coefficients", self.coefficients.is_some()),
            ("secret_key", self.secret_key.is_some()),
        ];
        there.into_iter().filter_map(|(name, is)| is.then_some(name)).collect()
    }
}

/// A document that is being read.
struct DocumentReader<'a> {
    file: &'a FileBytes,
    members: Members,
}

impl<'a> DocumentReader<'a> {
    /// Reads a document of a kind with required and optional members; any other member is refused.
    fn new(
        file: &'a FileBytes,
        kind: &'static str,
        has: &[&'static str],
        may_have: &[&str],
    ) -> Result<Self, DocumentError> {
        let members: Members = read(file, kind)?;
        let present = members.present();
        if let Some(name) = present.iter().find(|name| !has.contains(name) && !may_have.contains(name)) {
            let expected = "no such member in this kind of document";
            return Err(DocumentError::Member { at: member(file, *name), expected });
        }
        match has.iter().find(|name| !present.contains(name)) {
            Some(name) => {
                let expected = "a member that every document of its kind has";
                Err(DocumentError::Member { at: member(file, *name), expected })
            }
            None => Ok(Self { file, members }),
        }
    }

    fn wrong(&self, path: &str, expected: &'static str) -> DocumentError {
        DocumentError::Member { at: member(self.file, path), expected }
    }

    fn variant(&self) -> Result<VariantName, DocumentError> {
        let name = self.members.variant.as_deref().unwrap_or_default();
        name.parse().map_err(|()| self.wrong("variant", "min-pk or min-sig"))
    }

    fn suite(&self) -> Result<Ciphersuite, DocumentError> {
        let name = self.members.ciphersuite.as_deref().unwrap_or_default();
        Ciphersuite::named(name).ok_or_else(|| self.wrong("ciphersuite", "the name of a BLS ciphersuite"))
    }

    fn index(&self) -> Result<u16, DocumentError> {
        let index = self.members.index.filter(|index| *index > 0);
        index.ok_or_else(|| self.wrong("index", "the number of a signer, from 1 to 65535"))
    }

    fn point(&self, name: &str, text: Option<&String>, length: usize) -> Result<Vec<u8>, DocumentError> {
        bytes(self.file, name, text.map(String::as_str).unwrap_or_default(), length)
    }

    fn secret(&self) -> Result<SecretKey, DocumentError> {
        let text = self.members.secret_key.as_ref().map(|text| text.0.as_str()).unwrap_or_default();
        let key = secret_from_hex(text).and_then(|bytes| SecretKey::from_bytes(&bytes).ok());
        key.ok_or_else(|| {
            self.wrong("secret_key", "32 bytes in hexadecimal, above zero and below the group order")
        })
    }

    fn path(&self) -> Result<Option<KeyPath>, DocumentError> {
        let path = self.members.path.as_deref().map(str::parse).transpose();
        path.map_err(|_| self.wrong("path", "a path of keys like m/12381/3600/0/0/0"))
    }

    fn coefficients(&self, variant: VariantName) -> Result<Vec<Vec<u8>>, DocumentError> {
        let texts = self.members.coefficients.as_deref().unwrap_or_default();
        if texts.is_empty() || texts.len() > usize::from(u16::MAX) {
            return Err(self.wrong("coefficients", "1 to 65535 points"));
        }
        let point =
            |(index, text)| bytes(self.file, &format!("coefficients[{index}]"), text, variant.key_bytes());
        texts.iter().map(String::as_str).enumerate().map(point).collect()
    }
}

fn hexes(points: &[Vec<u8>]) -> Vec<String> {
    points.iter().map(|point| to_hex(point)).collect()
}

fn secret(key: &SecretKey) -> Text {
    let mut digits = secret_to_hex(key.to_bytes().as_ref());
    Text(core::mem::take(&mut *digits))
}

/// Implements the kind name, the reader and the writer of a document.
macro_rules! document {
    ($name:ident, $kind:literal, has $has:expr, may_have $may:expr, $read:expr, $fill:expr) => {
        impl $name {
            /// The value of the member `format` of such a document.
            pub const KIND: &'static str = $kind;

            /// Reads the document.
            ///
            /// # Errors
            /// When the document is malformed, of another kind or version, or when a member is not valid.
            pub fn read(file: &FileBytes) -> Result<Self, DocumentError> {
                let read: fn(&DocumentReader<'_>) -> Result<Self, DocumentError> = $read;
                read(&DocumentReader::new(file, Self::KIND, &$has, &$may)?)
            }

            /// Writes the document.
            ///
            /// # Errors
            /// When `out` cannot be written.
            pub fn write(&self, out: &mut dyn Write) -> Result<(), FormatError> {
                let fill: fn(&Self, &mut Members) = $fill;
                let mut members = Members::of(Self::KIND);
                fill(self, &mut members);
                write(out, &members)
            }
        }
    };
}

document!(
    SecretDocument,
    "pairwright bls secret key",
    has ["variant", "public_key", "secret_key"],
    may_have ["path"],
    |r| {
        let variant = r.variant()?;
        let public_key = r.point("public_key", r.members.public_key.as_ref(), variant.key_bytes())?;
        Ok(SecretDocument { variant, key: r.secret()?, public_key, path: r.path()? })
    },
    |d, m| {
        m.variant = Some(d.variant.name().to_owned());
        m.path = d.path.as_ref().map(|path| format!("{path}"));
        m.public_key = Some(to_hex(&d.public_key));
        m.secret_key = Some(secret(&d.key));
    }
);

document!(
    PublicDocument,
    "pairwright bls public key",
    has ["variant", "public_key"],
    may_have ["proof_of_possession"],
    |r| {
        let variant = r.variant()?;
        let key = r.point("public_key", r.members.public_key.as_ref(), variant.key_bytes())?;
        let proof = r.members.proof_of_possession.as_ref();
        let length = variant.signature_bytes();
        let proof = proof.map(|text| r.point("proof_of_possession", Some(text), length)).transpose()?;
        Ok(PublicDocument { variant, key, proof })
    },
    |d, m| {
        m.variant = Some(d.variant.name().to_owned());
        m.public_key = Some(to_hex(&d.key));
        m.proof_of_possession = d.proof.as_deref().map(to_hex);
    }
);

document!(
    SignatureDocument,
    "pairwright bls signature",
    has ["ciphersuite", "signature"],
    may_have [],
    |r| {
        let suite = r.suite()?;
        let length = suite.variant.signature_bytes();
        let signature = r.point("signature", r.members.signature.as_ref(), length)?;
        Ok(SignatureDocument { suite, signature })
    },
    |d, m| {
        m.ciphersuite = Some(d.suite.name());
        m.signature = Some(to_hex(&d.signature));
    }
);

document!(
    ShareDocument,
    "pairwright bls share",
    has ["variant", "index", "coefficients", "secret_key"],
    may_have [],
    |r| {
        let variant = r.variant()?;
        let coefficients = r.coefficients(variant)?;
        Ok(ShareDocument { variant, index: r.index()?, key: r.secret()?, coefficients })
    },
    |d, m| {
        m.variant = Some(d.variant.name().to_owned());
        m.index = Some(d.index);
        m.coefficients = Some(hexes(&d.coefficients));
        m.secret_key = Some(secret(&d.key));
    }
);

document!(
    ThresholdDocument,
    "pairwright bls shared key",
    has ["variant", "signers", "coefficients"],
    may_have [],
    |r| {
        let variant = r.variant()?;
        let coefficients = r.coefficients(variant)?;
        let signers = r.members.signers.filter(|n| usize::from(*n) >= coefficients.len());
        let signers = signers.ok_or_else(|| r.wrong("signers", "a number not below that of coefficients"))?;
        Ok(ThresholdDocument { variant, signers, coefficients })
    },
    |d, m| {
        m.variant = Some(d.variant.name().to_owned());
        m.signers = Some(d.signers);
        m.coefficients = Some(hexes(&d.coefficients));
    }
);

document!(
    PartialDocument,
    "pairwright bls partial signature",
    has ["ciphersuite", "index", "signature"],
    may_have [],
    |r| {
        let suite = r.suite()?;
        let length = suite.variant.signature_bytes();
        let signature = r.point("signature", r.members.signature.as_ref(), length)?;
        Ok(PartialDocument { suite, index: r.index()?, signature })
    },
    |d, m| {
        m.ciphersuite = Some(d.suite.name());
        m.index = Some(d.index);
        m.signature = Some(to_hex(&d.signature));
    }
);
