//! Keystores: JSON files that hold a secret encrypted under a password, EIP-2335 version 4.
//!
//! A password is brought into normal form ([`Password`]), from which scrypt or PBKDF2 ([`Kdf`]) derive 32 bytes. The first half
//! encrypts the secret with AES-128 in counter mode; the second half is hashed with the ciphertext for a checksum. The memory
//! and the work that a file asks for are bounded before any work is done: see [`Kdf::MOST_MEMORY`] and [`Kdf::MOST_WORK`].

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

/// Largest length of a secret in bytes.
const MOST_SECRET: usize = 1024;

/// Why a keystore could not be read, written or decrypted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeystoreError {
    /// The file is not the JSON of a keystore, or cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The keystore has another version than EIP-2335's version 4.
    #[error("{at}: keystores of version 4 are read here, this one is of version {found}")]
    Version {
        /// Position of the member.
        at: FilePlace,
        /// The version of the file.
        found: u64,
    },
    /// The keystore names a function that EIP-2335 does not allow for this purpose.
    #[error("{at}: unknown function \"{}\", expected {expected}", .found.escape_debug())]
    Function {
        /// Position of the member.
        at: FilePlace,
        /// The functions that are allowed.
        expected: &'static str,
        /// The name in the file.
        found: String,
    },
    /// A member is not hexadecimal, or has the wrong number of bytes.
    #[error("{at}: expected {expected}")]
    Bytes {
        /// Position of the members.
        at: FilePlace,
        /// Description of the valid contents.
        expected: &'static str,
    },
    /// A parameter has a value that the function does not accept.
    #[error("{at}: {found} is not {expected}")]
    Parameter {
        /// Position of the member.
        at: FilePlace,
        /// Description of the accepted values.
        expected: &'static str,
        /// The number in the file.
        found: u64,
    },
    /// The parameters ask for more memory or work than is allowed.
    #[error("{at}: it asks for {asked} {unit}, {most} are given at most")]
    TooMuch {
        /// Position of the members.
        at: FilePlace,
        /// The unit of the two numbers.
        unit: &'static str,
        /// The amount that the file asks for.
        asked: u64,
        /// The largest amount that is allowed.
        most: u64,
    },
    /// The checksum does not match, so nothing was decrypted.
    #[error("{at}: the checksum does not fit: the password is wrong, or the file is damaged")]
    Checksum {
        /// The file as a whole.
        at: FilePlace,
    },
    /// The secret is empty or longer than a keystore can hold.
    #[error("a secret of {found} bytes: a keystore holds 1 to 1024")]
    Secret {
        /// Length of the given secret in bytes.
        found: usize,
    },
}

/// A password in the form of EIP-2335: NFKD, without control codes, in UTF-8. Wiped when dropped.
pub struct Password(Zeroizing<Vec<u8>>);

impl Password {
    /// Brings a text into normal form. Two texts that look alike often have the same normal form, but not always.
    pub fn new(text: &str) -> Self {
        // Capacity for the longest decomposition of each character (18 characters of 4 bytes), so that the buffer never grows,
        // which would leave a copy of the password in memory.
        let most = text.chars().count().saturating_mul(72);
        let mut bytes = Zeroizing::new(Vec::with_capacity(most));
        // The control codes: C0, Delete and C1.
        for character in text.nfkd().filter(|c| !c.is_control()) {
            let mut utf8 = Zeroizing::new([0; 4]);
            bytes.extend_from_slice(character.encode_utf8(&mut *utf8).as_bytes());
        }
        Self(bytes)
    }

    /// Whether the normal form is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Prints the type's name without the password.
impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// An encrypted secret with its public description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keystore {
    /// The function that derives the key from the password.
    pub kdf: Kdf,
    checksum: [u8; 32],
    iv: [u8; 16],
    encrypted: Vec<u8>,
    /// A description by the owner.
    pub description: Option<String>,
    /// The public key, if the secret is a secret key. It is not authenticated; only a comparison with the decrypted secret
    /// confirms it.
    pub public_key: Option<Vec<u8>>,
    /// The derivation path from a seed to the key (EIP-2334), or an empty text.
    pub path: String,
    uuid: Uuid,
}

/// The AES-128 counter mode cipher with the first half of a key and an initial counter.
fn cipher(key: &[u8; 32], iv: &[u8; 16]) -> Ctr128BE<Aes128> {
    let [first, ..] = halves(key);
    Ctr128BE::new(first.into(), iv.into())
}

/// The half of a key that encrypts, and the half that enters the checksum.
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
    /// Encrypts a secret under a password; the initial counter and the identifier are drawn from `rng`. The caller sets the
    /// public members afterwards.
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

    /// Decrypts the secret if the password is right.
    ///
    /// # Errors
    /// When the checksum does not match, or the parameters of the key derivation are out of bounds. Error messages name `file`.
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

    /// Reads a keystore without decrypting it or deriving a key.
    ///
    /// # Errors
    /// When the file is not a keystore of version 4 with EIP-2335's functions, or when it asks for too much memory or work.
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
        // The longest compatibility decomposition fits the reserved capacity.
        assert!(bytes("\u{fdfa}").len() <= 72);
        assert_eq!(format!("{:?}", Password::new("secret")), "Password(..)");
    }
}
