//! BBS signatures over BLS12-381 (draft-irtf-cfrg-bbs-signatures-09): both ciphersuites, the interface `H2G_HM2S_`.
//!
//! A signer signs a header and a list of messages with one signature. The holder of the signature can prove possession of it, disclose
//! some of the messages, and hide the others and the signature itself: nobody can tell whether two proofs come from one signature
//! or from two. With `W = sk·G2`, `B = P1 + domain·Q1 + Σ msg_i·H_i`, a signature is `(A, e)` with `A = B/(sk + e)`, so that
//! `e(A, W + e·G2) = e(B, G2)`.
//!
//! [`Generators`] holds the points of a ciphersuite for a number of messages. [`SecretKey::sign`] and [`prove`] work on secrets:
//! they run on the host, in constant time, and wipe intermediate values. [`verify`] and [`verify_proof`], and [`batch_verify`] and
//! [`batch_verify_proofs`] for many items, use the device for sums and pairings, in variable time: all their inputs are known
//! to the verifier.
//!
//! The scheme is unforgeable under the q-strong Diffie-Hellman assumption in the algebraic group model (Tessaro, Zhu, EUROCRYPT 2023, ePrint
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
