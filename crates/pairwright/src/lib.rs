//! Proofs and pairings on every engine: the facade over Pairwright's crates.
