//! The JSON documents of `pairwright ibe`: master keys, their public parts, keys of identities.

use crate::args::KeyGroupsName;
use crate::failure::{Failure, SealedError};
use crate::files;
use pairwright::formats::{from_hex, to_hex};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use zeroize::{Zeroize, Zeroizing};

/// The version of all documents.
const VERSION: u32 = 1;

/// The name of a master key: the first half of the digest of its public part, in hexadecimal.
pub(super) fn fingerprint(public_key: &[u8]) -> String {
    let digest = Sha256::new().chain_update(b"pairwright ibe master key").chain_update(public_key).finalize();
    to_hex(&digest)[..32].to_owned()
}

/// The members that all documents have.
#[derive(Deserialize)]
struct Kind {
    kind: String,
    version: u32,
}

/// Reads a document of a kind.
fn read<T: DeserializeOwned>(path: &Path, kind: &str) -> Result<T, Failure> {
    let text = Zeroizing::new(files::read_text(path)?);
    let wrong = |what: String| SealedError::Document { path: path.to_owned(), what };
    // Some of serde's messages contain the invalid value, which may be a secret: only the position is reported.
    let head: Kind = serde_json::from_str(&text).map_err(|why| {
        wrong(format!("not a document of `pairwright ibe`: line {}, column {}", why.line(), why.column()))
    })?;
    if head.kind != kind {
        return Err(wrong(format!("expected the document `{kind}`, found another kind")).into());
    }
    if head.version != VERSION {
        return Err(
            wrong(format!("version {} of `{kind}`, version {VERSION} is read here", head.version)).into()
        );
    }
    let read = serde_json::from_str(&text).map_err(|why| {
        wrong(format!("members of `{kind}` are missing or of another type: line {}", why.line()))
    });
    Ok(read?)
}

/// Decodes the bytes of a member.
fn bytes(path: &Path, member: &str, text: &str) -> Result<Vec<u8>, Failure> {
    let what = || format!("{member}: expected bytes in hexadecimal");
    let wrong = || SealedError::Document { path: path.to_owned(), what: what() };
    Ok(from_hex(text).ok_or_else(wrong)?)
}

fn variant(path: &Path, text: &str) -> Result<KeyGroupsName, Failure> {
    let known =
        [KeyGroupsName::MinSig, KeyGroupsName::MinPk].into_iter().find(|variant| variant.name() == text);
    let what = || "variant: expected bls12381-min-sig or bls12381-min-pk".to_owned();
    Ok(known.ok_or_else(|| SealedError::Document { path: path.to_owned(), what: what() })?)
}

/// A document as JSON text, which is wiped when it is dropped.
fn text(value: &impl Serialize) -> Result<Zeroizing<String>, Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(|why| Failure::Internal(why.into()))?;
    text.push('\n');
    Ok(Zeroizing::new(text))
}

fn write_secret(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let text = text(value)?;
    files::write_secret(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// A master key, wiped when it is dropped.
pub(super) struct MasterKey {
    pub(super) variant: KeyGroupsName,
    pub(super) secret: Zeroizing<[u8; 32]>,
}

#[derive(Serialize, Deserialize)]
struct MasterText {
    kind: String,
    version: u32,
    variant: String,
    secret: String,
}

impl Drop for MasterText {
    fn drop(&mut self) {
        self.secret.zeroize();
    }
}

impl MasterKey {
    const KIND: &'static str = "pairwright ibe master key";

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let read: MasterText = read(path, Self::KIND)?;
        let secret = Zeroizing::new(bytes(path, "secret", &read.secret)?);
        let what = || "secret: expected 32 bytes".to_owned();
        let secret = secret.as_slice().try_into();
        let secret = secret.map_err(|_| SealedError::Document { path: path.to_owned(), what: what() })?;
        Ok(Self { variant: variant(path, &read.variant)?, secret: Zeroizing::new(secret) })
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        write_secret(
            path,
            &MasterText {
                kind: Self::KIND.to_owned(),
                version: VERSION,
                variant: self.variant.name().to_owned(),
                secret: to_hex(&*self.secret),
            },
        )
    }
}

/// The public part of a master key.
pub(super) struct PublicPart {
    pub(super) variant: KeyGroupsName,
    /// The encoded key, not checked yet.
    pub(super) public_key: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct PublicText {
    kind: String,
    version: u32,
    variant: String,
    public_key: String,
}

impl PublicPart {
    const KIND: &'static str = "pairwright ibe public key";

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let read: PublicText = read(path, Self::KIND)?;
        let public_key = bytes(path, "public_key", &read.public_key)?;
        Ok(Self { variant: variant(path, &read.variant)?, public_key })
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let document = PublicText {
            kind: Self::KIND.to_owned(),
            version: VERSION,
            variant: self.variant.name().to_owned(),
            public_key: to_hex(&self.public_key),
        };
        files::write_text(path, &text(&document)?)
    }
}

/// The key of an identity under a master key, wiped when it is dropped.
pub(super) struct IdentityKey {
    pub(super) variant: KeyGroupsName,
    /// The encoded public part of the master key, not checked yet.
    pub(super) public_key: Vec<u8>,
    pub(super) identity: Vec<u8>,
    /// The encoded signature that is the identity's key, not checked yet.
    pub(super) key: Zeroizing<Vec<u8>>,
}

#[derive(Serialize, Deserialize)]
struct IdentityText {
    kind: String,
    version: u32,
    variant: String,
    public_key: String,
    identity: String,
    key: String,
}

impl Drop for IdentityText {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl IdentityKey {
    const KIND: &'static str = "pairwright ibe identity key";

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let read: IdentityText = read(path, Self::KIND)?;
        Ok(Self {
            variant: variant(path, &read.variant)?,
            public_key: bytes(path, "public_key", &read.public_key)?,
            identity: bytes(path, "identity", &read.identity)?,
            key: Zeroizing::new(bytes(path, "key", &read.key)?),
        })
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        write_secret(
            path,
            &IdentityText {
                kind: Self::KIND.to_owned(),
                version: VERSION,
                variant: self.variant.name().to_owned(),
                public_key: to_hex(&self.public_key),
                identity: to_hex(&self.identity),
                key: to_hex(&self.key),
            },
        )
    }
}
