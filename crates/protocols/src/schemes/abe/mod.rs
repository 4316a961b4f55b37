//! Attribute-based encryption: a message is encrypted under a policy such as `role: admin and not site: lab`, and a key
//! decrypts it if the attributes for which the key was derived satisfy the policy.
//!
//! The scheme is that of Tomida, Kawahara and Nishimaki ("Fast, Compact, and Expressive Attribute-Based Encryption",
//! PKC 2020, ePrint 2019/966), secure under DLIN in the random oracle model, with the transform of Boneh and Katz against
//! chosen-ciphertext attacks. It supports negation, wildcards, and unlimited sets of names and values. Keys and ciphertexts have the
//! encoding of `abe/cpabe/tkn20` of Cloudflare's CIRCL, version 1.6.5.
//!
//! [`setup`] gives a [`PublicKey`] and a [`MasterKey`]; [`MasterKey::derive`] makes an [`AttributeKey`] for [`Attributes`];
//! [`PublicKey::encrypt`] encrypts under a [`Policy`], [`AttributeKey::decrypt`] decrypts with one product of pairings. A
//! [`Ciphertext`] contains its policy in clear.
//!
//! Ciphertexts of CIRCL before 1.6.5 split the secret of an `and` wrongly: **every** key of their system decrypts
//! them, whatever its attributes are. They can be decrypted here, but are not confidential. Ciphertexts made here are not affected:
//! the shares of a [`Policy`] are additive.

mod algebra;
mod attribute_key;
mod attributes;
mod blake;
mod bytes;
mod ciphertext;
mod decapsulate;
mod error;
mod header;
mod keys;
mod oracle;
mod policy;
mod sums;
#[cfg(test)]
mod tests;

pub use attribute_key::AttributeKey;
pub use attributes::Attributes;
pub use ciphertext::{Ciphertext, Layout};
pub use error::{AbeError, AttributeError, EncodingFault, MOST_NESTED, PolicyError, PolicyFault};
pub use keys::{MasterKey, PublicKey, setup};
pub use policy::Policy;
