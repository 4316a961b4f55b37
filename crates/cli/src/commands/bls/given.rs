//! Public keys, signatures and messages, from arguments and files.

use super::fault::BlsFault;
use crate::args::bls::Given;
use crate::failure::Failure;
use crate::files::{self, MOST_MESSAGE, read_bytes};
use pairwright::formats::bls::{
    Ciphersuite, DocumentError, PublicDocument, SignatureDocument, ThresholdDocument, VariantName,
};
use pairwright::formats::{FileBytes, from_hex};
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::{PublicKey, Scheme, Signature};
use std::path::Path;
use zeroize::Zeroizing;

/// A public key whose document or hexadecimal has been read, but whose bytes are not decoded yet.
pub(super) struct KeyBytes {
    /// The name of the key in messages: its argument or its file.
    pub(super) what: String,
    pub(super) variant: VariantName,
    bytes: Vec<u8>,
    /// The proof of possession in the same document, if there is one.
    pub(super) proof: Option<Vec<u8>>,
}

impl KeyBytes {
    /// Reads the bytes of a key, without decoding the point.
    pub(super) fn read(given: &Given, name: &str) -> Result<Self, Failure> {
        let (what, bytes) = match given {
            Given::Hex(bytes) => (name.to_owned(), bytes.clone()),
            Given::File(path) => {
                let (what, file) = (path.display().to_string(), small(path)?);
                if !is_document(&file) {
                    (what.clone(), digits(&file, what)?)
                } else {
                    let PublicDocument { variant, key, proof } = public_document(&file)?;
                    return Ok(Self { what, variant, bytes: key, proof });
                }
            }
        };
        let found = bytes.len();
        match VariantName::of_key_bytes(found) {
            Some(variant) => Ok(Self { what, variant, bytes, proof: None }),
            None => Err(BlsFault::KeyLength { what, found }.into()),
        }
    }

    /// Decodes the key, which has to be valid and of the variant `V`.
    pub(super) fn key<V: Variant>(&self) -> Result<PublicKey<V>, Failure> {
        let expected = VariantName::of::<V>();
        if self.variant != expected {
            let (what, found) = (self.what.clone(), self.variant);
            return Err(BlsFault::Variant { what, found, expected }.into());
        }
        let invalid = |why| BlsFault::Invalid { what: self.what.clone(), why };
        Ok(PublicKey::from_bytes(&self.bytes).map_err(invalid)?)
    }

    /// Decodes the proof in the key's document, if there is one; it has to be a point of the subgroup.
    pub(super) fn proof<V: Variant>(&self) -> Result<Option<Signature<V>>, Failure> {
        let Some(bytes) = &self.proof else { return Ok(None) };
        let what = format!("{}: the proof of possession", self.what);
        let read = Signature::from_bytes(bytes);
        Ok(Some(read.map_err(|why| BlsFault::Invalid { what, why })?))
    }
}

/// The public key of a document; of a shared key, its first coefficient.
fn public_document(file: &FileBytes) -> Result<PublicDocument, Failure> {
    match PublicDocument::read(file) {
        Err(DocumentError::Kind { at, expected }) => match ThresholdDocument::read(file) {
            Ok(ThresholdDocument { variant, mut coefficients, .. }) => {
                // A document has at least one coefficient.
                Ok(PublicDocument { variant, key: coefficients.swap_remove(0), proof: None })
            }
            Err(DocumentError::Kind { .. }) => Err(DocumentError::Kind { at, expected }.into()),
            Err(other) => Err(other.into()),
        },
        other => Ok(other?),
    }
}

/// A signature whose document or hexadecimal has been read, but whose bytes are not decoded yet.
pub(super) struct SignatureBytes {
    what: String,
    bytes: Vec<u8>,
    suite: Option<Ciphersuite>,
}

impl SignatureBytes {
    /// Reads the bytes of a signature, without decoding the point.
    pub(super) fn read(given: &Given, name: &str) -> Result<Self, Failure> {
        let path = match given {
            Given::Hex(bytes) => {
                return Ok(Self { what: name.to_owned(), bytes: bytes.clone(), suite: None });
            }
            Given::File(path) => path,
        };
        let (what, file) = (path.display().to_string(), small(path)?);
        if !is_document(&file) {
            return Ok(Self { bytes: digits(&file, what.clone())?, what, suite: None });
        }
        let SignatureDocument { suite, signature } = SignatureDocument::read(&file)?;
        Ok(Self { what, bytes: signature, suite: Some(suite) })
    }

    /// The variant that has signatures of this length.
    pub(super) fn variant(&self) -> Result<VariantName, Failure> {
        let found = self.bytes.len();
        let variants = [VariantName::MinPk, VariantName::MinSig];
        let variant = variants.into_iter().find(|variant| variant.signature_bytes() == found);
        let (variant, expected) = (variant, VariantName::MinPk.signature_bytes());
        variant.ok_or_else(|| {
            let what = self.what.clone();
            BlsFault::SignatureLength { what, variant: VariantName::MinPk, expected, found }.into()
        })
    }

    /// Decodes the signature, which has to be a point of the subgroup, of the variant `V`, and of this scheme if its file names one.
    pub(super) fn signature<V: Variant>(&self, scheme: Scheme) -> Result<Signature<V>, Failure> {
        let variant = VariantName::of::<V>();
        let suite = Ciphersuite { variant, scheme };
        let what = self.what.clone();
        if let Some(found) = self.suite.filter(|found| *found != suite) {
            return Err(BlsFault::Suite { what, found: found.name(), expected: suite.name() }.into());
        }
        let (expected, found) = (variant.signature_bytes(), self.bytes.len());
        if found != expected {
            return Err(BlsFault::SignatureLength { what, variant, expected, found }.into());
        }
        Ok(Signature::from_bytes(&self.bytes).map_err(|why| BlsFault::Invalid { what, why })?)
    }
}

/// Reads a whole message.
pub(super) fn message(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    read_bytes(path, MOST_MESSAGE, "a message")
}

/// Reads a file that holds a point or a document.
fn small(path: &Path) -> Result<FileBytes, Failure> {
    let bytes = read_bytes(path, MOST_DOCUMENT, "a document of keys or signatures")?;
    Ok(FileBytes::from_secret(path, bytes))
}

/// The largest size of a document, in bytes.
const MOST_DOCUMENT: u64 = 16 << 20;

/// Whether the bytes look like a JSON object.
pub(super) fn is_document(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{")
}

/// Decodes the hexadecimal digits in a file.
fn digits(file: &FileBytes, what: String) -> Result<Vec<u8>, Failure> {
    let bytes = core::str::from_utf8(file.trim_ascii()).ok().and_then(from_hex);
    Ok(bytes.filter(|bytes| !bytes.is_empty()).ok_or(BlsFault::NoPoint { what })?)
}

/// Writes a public document, if an output file is named for it.
pub(super) fn write_public(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), pairwright::formats::FormatError>,
) -> Result<(), Failure> {
    match path {
        Some(path) => files::write(path, write),
        None => Ok(()),
    }
}
