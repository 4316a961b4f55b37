//! Functional encryption for inner products over BLS12-381: the holder of the key of a vector `y` learns `⟨x, y⟩` of an encrypted
//! vector `x`, and nothing else about `x`.
//!
//! [`public`] is the scheme of Agrawal, Libert and Stehlé (CRYPTO 2016, ePrint 2015/608, §4): anybody encrypts with a public
//! key, and `y` is not hidden. It is adaptively indistinguishable under the decisional Diffie-Hellman assumption in G1. [`hiding`] is
//! the scheme of Kim, Lewi, Mandal, Montgomery, Roy and Wu (SCN 2018, ePrint 2016/440, §3): the master key encrypts, and keys
//! hide `y` as ciphertexts hide `x`. Its security, by simulation, is proved in the generic group model.
//!
//! [`embedded`] is the first scheme over Jubjub, a curve over the scalar field of BLS12-381, so that a circuit can prove statements about
//! a ciphertext. The circuit of `attested` (with the feature `std`) proves that a ciphertext holds a committed vector.
//!
//! The entries of vectors are signed integers. Both schemes give the result in an exponent, from which [`logarithm`] finds it only in a
//! given range. Key generation, encryption and derivation work on secrets, on the host and in constant time; for decryption the device
//! computes one sum of multiples or a product of pairings.
//!
//! Keys for as many linearly independent vectors as there are dimensions reveal `x`. The authority decides which keys it issues.

#[cfg(feature = "std")]
pub mod attested;
pub mod embedded;
mod error;
pub mod hiding;
pub mod logarithm;
pub mod public;
mod vector;
mod wire;

pub use error::FeError;
