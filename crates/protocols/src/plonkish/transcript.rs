//! The transcripts of snarkjs' Plonk and fflonk. Each challenge is a separate Keccak-256 digest of the previous challenge and the
//! messages since, reduced modulo the order of the groups.
//!
//! Points are hashed as two coordinates; coordinates and scalars are canonical, big-endian, and of their field's width. Infinity is
//! hashed as zero bytes.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec;
use core::fmt;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_field::PrimeField;
use sha3::{Digest, Keccak256};

/// The running hash from which one challenge is computed.
pub(crate) struct Challenge(Keccak256);

impl Challenge {
    pub(crate) fn new() -> Self {
        Self(Keccak256::new())
    }

    pub(crate) fn scalars<F: PrimeField>(mut self, scalars: &[F]) -> Self {
        for scalar in scalars {
            self.element(scalar);
        }
        self
    }

    pub(crate) fn points<E: Pairing>(mut self, points: &[G1Affine<E>]) -> Self {
        for p in points {
            self.element(&p.x);
            self.element(&p.y);
        }
        self
    }

    fn element<F: PrimeField>(&mut self, x: &F) {
        let mut bytes = vec![0; F::BYTES];
        x.write_be(&mut bytes);
        self.0.update(&bytes);
    }

    pub(crate) fn finish<F: PrimeField>(self) -> F {
        let mut digest: [u8; 32] = self.0.finalize().into();
        digest.reverse();
        let (limbs, _) = digest.as_chunks();
        let [a, b, c, d] = limbs else { return F::ZERO };
        F::from_limbs_reduced(&[a, b, c, d].map(|limb| u64::from_le_bytes(*limb)))
    }
}

impl fmt::Debug for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Challenge")
    }
}
