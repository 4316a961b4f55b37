//! Keystores: JSON files that hold a secret encrypted under a password, EIP-2335 version 4.
//!
//! A password is brought into normal form ([`Password`]) and worked into 32 bytes by scrypt or PBKDF2 ([`Kdf`]); half of them
//! encrypt the secret with AES-128 in counter mode, the other half are hashed with the ciphertext for a checksum. What a file
//! asks for is bounded before any work is done: see [`Kdf::MOST_MEMORY`] and [`Kdf::MOST_WORK`].

mod json;
mod kdf;

pub use kdf::Kdf;

use crate::{FileBytes, FilePlace, FormatError};
use aes::Aes128;
use aes::cipher::{KeyIvInit, StreamCipher};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use ctr::Ctr128BE;
use rand_core::CryptoRng;
use sha2::{Digest, Sha256};
use std::io::Write;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use uuid::{Builder, Uuid};
use zeroize::Zeroizing;

/// Most bytes of a secret.
const MOST_SECRET: usize = 1024;

/// Why a keystore was not read or opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeystoreError {
    /// The file is no JSON of a keystore, or cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Another version than EIP-2335's.
    #[error("{at}: keystores of version 4 are read here, this one is of version {found}")]
    Version {
        /// The place of the member.
        at: FilePlace,
        /// The version of the file.
        found: u64,
    },
    /// A function that EIP-2335 does not name for this purpose.
    #[error("{at}: unknown function \"{}\", expected {expected}", .found.escape_debug())]
    Function {
        /// The place of the member.
        at: FilePlace,
        /// What there is.
        expected: &'static str,
        /// The name in the file.
        found: String,
    },
    /// Bytes that are not in hexadecimal, or not as many as they should be.
    #[error("{at}: expected {expected}")]
    Bytes {
        /// The place of the members.
        at: FilePlace,
        /// What should be there.
        expected: &'static str,
    },
    /// A number that the function does not take.
    #[error("{at}: {found} is not {expected}")]
    Parameter {
        /// The place of the member.
        at: FilePlace,
        /// What it takes.
        expected: &'static str,
        /// The number in the file.
        found: u64,
    },
    /// Parameters that ask for more memory or work than is given to a file.
    #[error("{at}: it asks for {asked} {unit}, {most} are given at most")]
    TooMuch {
        /// The place of the members.
        at: FilePlace,
        /// What there would be so many of.
        unit: &'static str,
        /// How many it asks for.
        asked: u64,
        /// How many are given at most.
        most: u64,
    },
    /// The checksum does not fit: nothing is known of the secret.
    #[error("{at}: the checksum does not fit: the password is wrong, or the file is damaged")]
    Checksum {
        /// The file as a whole.
        at: FilePlace,
    },
    /// A secret of no bytes, or of more than a keystore holds here.
    #[error("a secret of {found} bytes: a keystore holds 1 to 1024")]
    Secret {
        /// Number of bytes that were given.
        found: usize,
    },
}

/// A password in the form of EIP-2335: NFKD, without control codes, in UTF-8. Wiped when dropped.
pub struct Password(Zeroizing<Vec<u8>>);

impl Password {
    /// Brings a text into normal form. Two texts that look alike are often, not always, one password.
    pub fn new(text: &str) -> Self {
        // Room for the longest decomposition there is (18 characters of 4 bytes), so that nothing is copied when it grows.
        let most = text.chars().count().saturating_mul(72);
        let mut bytes = Zeroizing::new(Vec::with_capacity(most));
        // C0, Delete and C1.
        for character in text.nfkd().filter(|c| !c.is_control()) {
            let mut utf8 = Zeroizing::new([0; 4]);
            bytes.extend_from_slice(character.encode_utf8(&mut *utf8).as_bytes());
        }
        Self(bytes)
    }

    /// Whether nothing is left of it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Prints the type's name and nothing of the password.
impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// An encrypted secret with what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keystore {
    /// How the password is worked into a key.
    pub kdf: Kdf,
    checksum: [u8; 32],
    iv: [u8; 16],
    encrypted: Vec<u8>,
    /// What its owner says of it.
    pub description: Option<String>,
    /// The public key of the secret key, if it is one. Nothing vouches for it but a comparison with the secret.
    pub public_key: Option<Vec<u8>>,
    /// The path from a seed to the key (EIP-2334), or nothing.
    pub path: String,
    uuid: Uuid,
}

/// The keystream of a key and an initial counter.
fn cipher(key: &[u8; 32], iv: &[u8; 16]) -> Ctr128BE<Aes128> {
    let [first, ..] = halves(key);
    Ctr128BE::new(first.into(), iv.into())
}

/// The half of a key that encrypts, and the half that vouches.
fn halves(key: &[u8; 32]) -> &[[u8; 16]; 2] {
    let (halves, _) = key.as_chunks::<16>();
    halves.first_chunk().unwrap_or(&[[0; 16]; 2])
}

/// The checksum of a ciphertext under a key.
fn checksum(key: &[u8; 32], encrypted: &[u8]) -> [u8; 32] {
    let [_, second] = halves(key);
    Sha256::new().chain_update(second).chain_update(encrypted).finalize().into()
}

impl Keystore {
    /// Encrypts a secret under a password, with an initial counter and an identifier from `rng`. Members that are public are
    /// set afterwards.
    ///
    /// # Errors
    /// When the secret is empty or longer than 1024 bytes, or when the parameters of the key derivation are out of bounds.
    pub fn encrypt(
        secret: &[u8],
        password: &Password,
        kdf: Kdf,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, KeystoreError> {
        if secret.is_empty() || secret.len() > MOST_SECRET {
            return Err(KeystoreError::Secret { found: secret.len() });
        }
        let (mut iv, mut uuid) = ([0; 16], [0; 16]);
        rng.fill_bytes(&mut iv);
        rng.fill_bytes(&mut uuid);
        let key = kdf.key(&password.0, &|| json::unnamed())?;
        let mut encrypted = secret.to_vec();
        cipher(&key, &iv).apply_keystream(&mut encrypted);
        Ok(Self {
            checksum: checksum(&key, &encrypted),
            kdf,
            iv,
            encrypted,
            description: None,
            public_key: None,
            path: String::new(),
            uuid: Builder::from_random_bytes(uuid).into_uuid(),
        })
    }

    /// The secret, if the password is right.
    ///
    /// # Errors
    /// When the checksum does not fit, or the parameters of the key derivation are out of bounds; the file's name is for the
    /// message.
    pub fn decrypt(
        &self,
        file: &FileBytes,
        password: &Password,
    ) -> Result<Zeroizing<Vec<u8>>, KeystoreError> {
        let key = self.kdf.key(&password.0, &|| json::at(file, "crypto.kdf.params"))?;
        if checksum(&key, &self.encrypted) != self.checksum {
            return Err(KeystoreError::Checksum { at: json::whole(file) });
        }
        let mut secret = Zeroizing::new(self.encrypted.clone());
        cipher(&key, &self.iv).apply_keystream(&mut secret);
        Ok(secret)
    }

    /// The random identifier (RFC 4122).
    pub fn uuid(&self) -> String {
        alloc::format!("{}", self.uuid)
    }

    /// Reads a keystore; nothing is decrypted, and no work is done for a key.
    ///
    /// # Errors
    /// When the file is no keystore of version 4 with functions of EIP-2335, or when it asks for too much.
    pub fn read(file: &FileBytes) -> Result<Self, KeystoreError> {
        json::read(file)
    }

    /// Writes the JSON of the keystore.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FormatError> {
        json::write(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_have_a_normal_form() {
        // The example of EIP-2335.
        let password = Password::new("𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑");
        assert_eq!(password.0[..], [b"testpassword".as_slice(), &[0xf0, 0x9f, 0x94, 0x91]].concat());
        let bytes = |text: &str| Password::new(text).0.to_vec();
        assert_eq!(bytes("a\u{0}\u{1f}\u{7f}\u{80}\u{9f}b c\r\n"), b"ab c");
        assert_eq!(bytes("\u{e9}"), bytes("e\u{301}"), "composed and decomposed");
        assert_ne!(bytes("a"), bytes("A"));
        assert!(Password::new("\u{1}").is_empty() && !Password::new(" ").is_empty());
        // The longest compatibility decomposition fits the room that is taken.
        assert!(bytes("\u{fdfa}").len() <= 72);
        assert_eq!(format!("{:?}", Password::new("secret")), "Password(..)");
    }
}
