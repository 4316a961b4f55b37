//! The verification equation of a proof, with two pairings, and the errors of verification.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::BadPoint;
use alloc::boxed::Box;
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_device::DeviceError;
use pairwright_field::{PrimeField, batch_invert};
use pairwright_poly::Domain;
use thiserror::Error;

/// A property of a verifying key that makes proofs for it meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Weakness {
    /// τ is one: anybody can open a commitment to anything.
    #[error("X_2 is the generator, so that tau is one and anybody can forge proofs")]
    TauIsOne,
    /// The cosets that name the cells of the three columns are not disjoint, so that the permutation does not tie the wires together.
    #[error("k1 and k2 do not set the three columns apart, so that the wires are not tied together")]
    ColumnsMeet,
    /// There are more public values than rows, so that two of them share a row.
    #[error("the key has more public values than its domain has points")]
    TooManyPublic,
}

/// Why a proof was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The number of public values is not that of the key.
    #[error("{found} public values, the key wants {expected}")]
    PublicCount {
        /// Number of public values of the key.
        expected: usize,
        /// Number of public values that were given.
        found: usize,
    },
    /// Anybody can forge proofs for the key, so none is accepted.
    #[error("the key is not safe: {0}")]
    UnsafeKey(#[from] Weakness),
    /// A point of the proof or of the key is not on its curve or not in its subgroup.
    #[error(transparent)]
    Point(#[from] BadPoint),
    /// A key in a batch belongs to another τ than the first key.
    #[error("its key is of other powers of tau than the first key's: X_2 differs")]
    OtherPowers,
    /// The pairing equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// A proof of a batch is not accepted.
    #[error("proof {index}: {why}")]
    InBatch {
        /// Position in the batch, from zero.
        index: usize,
        /// The reason for which this proof is refused.
        why: Box<VerifyError>,
    },
    /// An operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The equation of one proof, `e(left, X_2) = e(right, G2)`; both sides are sums of points of G1 times scalars.
pub struct Equation<E: Pairing> {
    /// Left side: points of the proof with their scalars.
    pub(crate) left: Vec<(G1Affine<E>, E::Fr)>,
    /// Right side: points of the proof with their scalars.
    pub(crate) right: Vec<(G1Affine<E>, E::Fr)>,
    /// Right side: the scalars of the key's points, in the order of [`PlonkishKey::points`](super::PlonkishKey::points).
    pub(crate) key: Vec<E::Fr>,
    /// Right side: the scalar of the generator of G1.
    pub(crate) generator: E::Fr,
}

impl<E: Pairing> Equation<E> {
    /// The equation with both sides multiplied by a scalar.
    pub(crate) fn weighted(mut self, weight: E::Fr) -> Self {
        self.left.iter_mut().chain(&mut self.right).for_each(|(_, x)| *x *= weight);
        self.key.iter_mut().for_each(|x| *x *= weight);
        self.generator *= weight;
        self
    }
}

/// Computes `L1(ξ)` and `PI(ξ)`, for a ξ outside of the domain and `vanishing = ξ^n - 1`.
pub(crate) fn lagrange<F: PrimeField>(domain: &Domain<F>, xi: F, vanishing: F, public: &[F]) -> (F, F) {
    // L_i(ξ) = (ξ^n - 1)/n · ω^i/(ξ - ω^i).
    let points: Vec<F> = first_points(domain, public.len().max(1)).collect();
    let mut values: Vec<F> = points.iter().map(|x| xi - *x).collect();
    batch_invert(&mut values);
    let scale = vanishing * domain.size_inverse();
    values.iter_mut().zip(&points).for_each(|(l, x)| *l *= *x * scale);
    let sum = values.iter().zip(public).fold(F::ZERO, |sum, (l, x)| sum + *l * *x);
    (values.first().copied().unwrap_or(F::ZERO), -sum)
}

/// The first `count` points of a domain: 1, ω, ω², …
pub(crate) fn first_points<F: PrimeField>(domain: &Domain<F>, count: usize) -> impl Iterator<Item = F> {
    let root = domain.root();
    core::iter::successors(Some(F::ONE), move |x| Some(*x * root)).take(count)
}
