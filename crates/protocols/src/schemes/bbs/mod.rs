//! BBS signatures: draft-irtf-cfrg-bbs-signatures-09 over BLS12-381, both ciphersuites, the interface `H2G_HM2S_`.
//!
//! A signer signs a header and a list of messages at once. Whoever has the signature can prove to hold one, disclosing some
//! of the messages and hiding the others and the signature itself: two proofs of one signature cannot be told from proofs of
//! two. With `W = sk·G2`, `B = P1 + domain·Q1 + Σ msg_i·H_i`, a signature is `(A, e)` with `A = B/(sk + e)`, so that
//! `e(A, W + e·G2) = e(B, G2)`.
//!
//! [`Generators`] holds the points of a ciphersuite for so many messages. [`SecretKey::sign`] and [`prove`] work on secrets:
//! they stay on the host, in constant time, and what they compute on the way is wiped. [`verify`] and [`verify_proof`], and
//! [`batch_verify`] and [`batch_verify_proofs`] for many, have the device do sums and pairings, in variable time: what they
//! are given is known to the verifier.
//!
//! Unforgeable under the q-strong Diffie-Hellman assumption in the algebraic group model (Tessaro, Zhu, EUROCRYPT 2023, ePrint
//! 2023/275); proofs are zero-knowledge in the random oracle model.

mod batch;
mod error;
mod generators;
mod keys;
mod proof;
mod prove;
mod signature;
mod suite;
mod verify;

pub use batch::{ProvedItem, SignedItem, batch_verify, batch_verify_proofs};
pub use error::BbsError;
pub use generators::Generators;
pub use keys::{PublicKey, SecretKey};
pub use proof::{Disclosure, Proof};
pub use prove::{Statement, prove, prove_with_scalars};
pub use signature::Signature;
pub use suite::{Ciphersuite, seeded_scalars};
pub use verify::{verify, verify_proof};
