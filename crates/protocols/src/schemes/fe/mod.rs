//! Functional encryption for inner products over BLS12-381: whoever has the key of a vector `y` learns `⟨x, y⟩` of an encrypted
//! vector `x`, and no more of `x`.
//!
//! [`public`] is the scheme of Agrawal, Libert and Stehlé (CRYPTO 2016, ePrint 2015/608, §4): anybody encrypts with a public
//! key, and `y` is known. It is adaptively indistinguishable under the decisional Diffie-Hellman assumption in G1. [`hiding`] is
//! the scheme of Kim, Lewi, Mandal, Montgomery, Roy and Wu (SCN 2018, ePrint 2016/440, §3): the master key encrypts, and keys
//! hide `y` as ciphertexts hide `x`. Its security, by simulation, is proved in the generic group model.
//!
//! [`embedded`] is the first scheme in Jubjub, the curve over the scalar field of BLS12-381: a circuit can prove that a ciphertext holds
//! what was committed to, which `attested` does (with the feature `std`).
//!
//! Vectors are of signed integers. Both schemes have the result in an exponent, so that it is found only in a range that is
//! stated, by [`logarithm`]. Keys, encryption and derivation work on secrets on the host, in constant time; decryption has the
//! device compute one sum of multiples, or one product of pairings.
//!
//! Keys for as many linearly independent vectors as there are dimensions give `x` away by themselves: which keys are given out
//! is the authority's decision.

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
