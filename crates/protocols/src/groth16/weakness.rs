//! Keys under which anybody can forge proofs.
//!
//! A verifier accepts when e(A, B) = e(α, β)·e(IC(x), γ)·e(C, δ). With δ = γ the last two factors combine into one,
//! e(IC(x) + C, γ), and A = α, B = β, C = -IC(x) is a proof for any public values x, made without a witness. The initial
//! key of a ceremony is such a key: γ and δ are both the generator until somebody contributes.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{Element, VerifyingKey};
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use thiserror::Error;

/// A property of a verifying key that lets anybody forge proofs for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Weakness {
    /// δ = γ: nobody contributed to the key.
    #[error(
        "gamma and delta are equal, so that anybody can forge proofs: nobody has contributed to this key"
    )]
    DeltaIsGamma,
    /// δ = -γ, which allows the same forgery with C = IC(x).
    #[error("delta is the negative of gamma, so that anybody can forge proofs")]
    DeltaIsMinusGamma,
    /// α, β, γ or δ is infinity: a factor of the equation is missing.
    #[error("{0} is infinity, so that anybody can forge proofs")]
    Infinity(Element),
}

impl<E: Pairing> VerifyingKey<E> {
    /// All weaknesses of the key, in the order of [`Weakness`]; empty for a sound key. Whether its points are on their curves is not
    /// tested: see [`VerifyingKey::check`]. It is no weakness if γ is the generator: ceremonies choose it so.
    pub fn weaknesses(&self) -> Vec<Weakness> {
        let mut found = Vec::new();
        if self.delta_g2 == self.gamma_g2 {
            found.push(Weakness::DeltaIsGamma);
        } else if self.delta_g2 == -self.gamma_g2 {
            found.push(Weakness::DeltaIsMinusGamma);
        }
        let infinite = [
            (self.alpha_g1.is_infinity(), Element::Alpha),
            (self.beta_g2.is_infinity(), Element::Beta),
            (self.gamma_g2.is_infinity(), Element::Gamma),
            (self.delta_g2.is_infinity(), Element::Delta),
        ];
        found.extend(
            infinite.into_iter().filter(|(is, _)| *is).map(|(_, element)| Weakness::Infinity(element)),
        );
        found
    }

    /// Fails for a key under which anybody can forge proofs.
    ///
    /// # Errors
    /// The first of its [weaknesses](VerifyingKey::weaknesses).
    pub fn expect_safe(&self) -> Result<(), Weakness> {
        self.weaknesses().first().map_or(Ok(()), |first| Err(*first))
    }

    /// Positions, from zero, of the public values whose element of IC is infinity: a proof for one value there is a proof for every
    /// other.
    pub fn unbound(&self) -> Vec<usize> {
        let values = self.ic.iter().skip(1).enumerate();
        values.filter(|(_, p)| p.is_infinity()).map(|(i, _)| i).collect()
    }
}
