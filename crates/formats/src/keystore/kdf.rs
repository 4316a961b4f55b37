//! Key derivation from a password: scrypt (RFC 7914) and PBKDF2 with HMAC-SHA-256 (RFC 8018).

use super::KeystoreError;
use crate::FilePlace;
use crate::sizes::widen;
use alloc::vec::Vec;
use pbkdf2::pbkdf2_hmac;
use rand_core::CryptoRng;
use scrypt::{Params, scrypt};
use sha2::Sha256;
use zeroize::Zeroizing;

/// A key derivation function with its parameters and its salt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// scrypt, which needs much memory.
    Scrypt {
        /// Base-2 logarithm of the cost parameter N.
        log_n: u8,
        /// The block size r, in units of 128 bytes.
        r: u32,
        /// The parallelisation parameter p, the number of independent runs.
        p: u32,
        /// The salt, which is hashed together with the password.
        salt: Vec<u8>,
    },
    /// PBKDF2 with HMAC-SHA-256.
    Pbkdf2 {
        /// Number of iterations.
        iterations: u32,
        /// The salt, which is hashed together with the password.
        salt: Vec<u8>,
    },
}

impl Kdf {
    /// Largest amount of memory for scrypt, in bytes; EIP-2335's own parameters take 2^28.
    pub const MOST_MEMORY: u64 = 1 << 29;
    /// Largest amount of work: `N·r·p` for scrypt, iterations for PBKDF2. EIP-2335's own parameters take 2^21 and 2^18.
    pub const MOST_WORK: u64 = 1 << 24;
    /// Base-2 logarithm of the cost in EIP-2335's examples: scrypt's N with r = 8 and p = 1, or the iterations of PBKDF2.
    pub const COST: u8 = 18;

    /// scrypt with `N = 2^cost`, r = 8 and p = 1, and a fresh salt.
    pub fn scrypt(cost: u8, rng: &mut dyn CryptoRng) -> Self {
        Self::Scrypt { log_n: cost, r: 8, p: 1, salt: salt(rng) }
    }

    /// PBKDF2 with `2^cost` iterations and a fresh salt.
    pub fn pbkdf2(cost: u8, rng: &mut dyn CryptoRng) -> Self {
        let iterations = 1u32.checked_shl(cost.into()).unwrap_or(u32::MAX);
        Self::Pbkdf2 { iterations, salt: salt(rng) }
    }

    /// Fails when a parameter is not valid for the function, or when the memory or the work exceeds the limits.
    pub(super) fn check(&self, at: &dyn Fn() -> FilePlace) -> Result<(), KeystoreError> {
        let bounded = |unit, asked: u64, most| {
            if asked <= most { Ok(()) } else { Err(KeystoreError::TooMuch { at: at(), unit, asked, most }) }
        };
        match self {
            Self::Scrypt { log_n, r, p, .. } => {
                let n = 1u64.checked_shl((*log_n).into()).unwrap_or(u64::MAX);
                let (r, p) = (u64::from(*r), u64::from(*p));
                // scrypt keeps N blocks for its steps and one block for each of the p runs.
                let memory = n.saturating_add(p).saturating_mul(r).saturating_mul(128);
                bounded("bytes of memory", memory, Self::MOST_MEMORY)?;
                bounded("units of work", n.saturating_mul(r).saturating_mul(p), Self::MOST_WORK)?;
                self.params(at).map(drop)
            }
            Self::Pbkdf2 { iterations: 0, .. } => {
                Err(KeystoreError::Parameter { at: at(), expected: "a number of iterations", found: 0 })
            }
            Self::Pbkdf2 { iterations, .. } => bounded("iterations", (*iterations).into(), Self::MOST_WORK),
        }
    }

    /// Converts scrypt's parameters to those of the library, which checks them: r and p are positive and their product is below
    /// 2^30, N is from 2 to below 2^(16r). `None` for PBKDF2.
    fn params(&self, at: &dyn Fn() -> FilePlace) -> Result<Option<Params>, KeystoreError> {
        let Self::Scrypt { log_n, r, p, .. } = self else { return Ok(None) };
        let wrong = |expected, found: u64| KeystoreError::Parameter { at: at(), expected, found };
        if *log_n == 0 {
            return Err(wrong("a power of two above 1", 1));
        }
        if *r == 0 || *p == 0 {
            return Err(wrong("a positive number", 0));
        }
        let params = Params::new(*log_n, *r, *p, KEY);
        params.map(Some).map_err(|_| wrong("an r that such an N and such a p go with", (*r).into()))
    }

    /// Derives the key from a password, which is in normal form.
    pub(super) fn key(
        &self,
        password: &[u8],
        at: &dyn Fn() -> FilePlace,
    ) -> Result<Zeroizing<[u8; KEY]>, KeystoreError> {
        self.check(at)?;
        let mut key = Zeroizing::new([0; KEY]);
        match (self, self.params(at)?) {
            (Self::Scrypt { salt, .. }, Some(params)) => {
                let wrong = |_| KeystoreError::Parameter {
                    at: at(),
                    expected: "a length that scrypt gives",
                    found: widen(KEY),
                };
                scrypt(password, salt, &params, key.as_mut()).map_err(wrong)?;
            }
            (Self::Pbkdf2 { iterations, salt }, _) => {
                pbkdf2_hmac::<Sha256>(password, salt, *iterations, key.as_mut());
            }
            // Not reached: `params` gives parameters for scrypt and for nothing else.
            (Self::Scrypt { .. }, None) => {
                return Err(KeystoreError::Parameter { at: at(), expected: "scrypt's", found: 0 });
            }
        }
        Ok(key)
    }
}

/// Length of a derived key in bytes. The first bytes of either function do not depend on the requested length.
pub(super) const KEY: usize = 32;

fn salt(rng: &mut dyn CryptoRng) -> Vec<u8> {
    let mut salt = alloc::vec![0; 32];
    rng.fill_bytes(&mut salt);
    salt
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keystore::json::unnamed;

    fn key(kdf: &Kdf, password: &[u8]) -> Vec<u8> {
        kdf.key(password, &unnamed).unwrap().to_vec()
    }

    /// The first 32 bytes of the test vectors of RFC 7914, §12 and §11.
    #[test]
    fn published_answers() {
        let scrypt = Kdf::Scrypt { log_n: 10, r: 8, p: 16, salt: b"NaCl".to_vec() };
        let expected = "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162";
        assert_eq!(crate::hexadecimal::to_hex(&key(&scrypt, b"password")), expected);
        let pbkdf2 = Kdf::Pbkdf2 { iterations: 80_000, salt: b"NaCl".to_vec() };
        let expected = "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56";
        assert_eq!(crate::hexadecimal::to_hex(&key(&pbkdf2, b"Password")), expected);
    }

    #[test]
    fn what_asks_for_too_much_is_refused_before_it_is_done() {
        let scrypt = |log_n, r, p| Kdf::Scrypt { log_n, r, p, salt: Vec::new() }.check(&unnamed);
        assert!(
            scrypt(18, 8, 1).is_ok() && scrypt(19, 8, 1).is_err(),
            "512 MiB and a block is more than 512 MiB"
        );
        assert!(matches!(
            scrypt(10, 8, 1 << 20),
            Err(KeystoreError::TooMuch { unit: "bytes of memory", .. })
        ));
        assert!(matches!(scrypt(18, 1, 128), Err(KeystoreError::TooMuch { unit: "units of work", .. })));
        for (log_n, r, p) in [(63, 8, 1), (200, 8, 1), (1, u32::MAX, u32::MAX), (10, u32::MAX, 1)] {
            assert!(matches!(scrypt(log_n, r, p), Err(KeystoreError::TooMuch { .. })), "{log_n} {r} {p}");
        }
        for (log_n, r, p) in [(0, 8, 1), (10, 0, 1), (10, 8, 0), (16, 1, 1), (17, 1, 1)] {
            assert!(matches!(scrypt(log_n, r, p), Err(KeystoreError::Parameter { .. })), "{log_n} {r} {p}");
        }
        let pbkdf2 = |iterations| Kdf::Pbkdf2 { iterations, salt: Vec::new() }.check(&unnamed);
        assert!(pbkdf2(1).is_ok() && pbkdf2(1 << 24).is_ok());
        assert!(matches!(pbkdf2(0), Err(KeystoreError::Parameter { .. })));
        assert!(matches!(pbkdf2(u32::MAX), Err(KeystoreError::TooMuch { .. })));
    }
}
