//! What a verifier computes from one proof: the scalars of an equation of two pairings.
//!
//! With `L1` the first Lagrange polynomial of the domain, `Z_H` what vanishes on it, and `PI(ξ) = -Σ x_i·L_i(ξ)`, a proof is
//! accepted when `e(Wxi + u·Wxiw, X_2) = e(ξ·Wxi + u·ξω·Wxiw + F - E·G1, G2)`, where
//!
//! ```text
//! F  = ā·b̄·Qm + ā·Ql + b̄·Qr + c̄·Qo + Qc + v⁴·S1 + v⁵·S2 - (ā+β·s̄1+γ)(b̄+β·s̄2+γ)·α·β·z̄·S3 + v·A + v²·B + v³·C
//!    + ((ā+β·ξ+γ)(b̄+β·k1·ξ+γ)(c̄+β·k2·ξ+γ)·α + L1(ξ)·α² + u)·Z - Z_H(ξ)·(T1 + ξ^n·T2 + ξ^2n·T3)
//! E  = -r0 + v·ā + v²·b̄ + v³·c̄ + v⁴·s̄1 + v⁵·s̄2 + u·z̄
//! r0 = PI(ξ) - L1(ξ)·α² - α·(ā+β·s̄1+γ)(b̄+β·s̄2+γ)(c̄+γ)·z̄
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::iter_over_hash_type,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use super::transcript::Challenges;
use super::{BadPoint, InSubgroup, Proof, VerifyingKey};
use alloc::boxed::Box;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Pairing};
use pairwright_device::DeviceError;
use pairwright_field::{Field, PrimeField, Ring, batch_invert};
use thiserror::Error;

/// A property of a verifying key by which proofs for it mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Weakness {
    /// τ is one: anybody can open a commitment to anything.
    #[error("X_2 is the generator, so that tau is one and anybody can forge proofs")]
    TauIsOne,
    /// The three columns do not have cells of their own, so that the permutation ties nothing.
    #[error("k1 and k2 do not set the three columns apart, so that the wires are not tied together")]
    ColumnsMeet,
    /// More public values than rows, so that two of them share one.
    #[error("the key has more public values than its domain has points")]
    TooManyPublic,
}

/// Why a proof was not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// Wrong number of public values for the key.
    #[error("{found} public values, the key wants {expected}")]
    PublicCount {
        /// By the key.
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
    /// A key in a batch is of other powers of tau than the first.
    #[error("its key is of other powers of tau than the first key's: X_2 differs")]
    OtherPowers,
    /// The equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// A proof of a batch is not accepted: its position, and why.
    #[error("proof {index}: {why}")]
    InBatch {
        /// Position in the batch.
        index: usize,
        /// What is wrong with it.
        why: Box<VerifyError>,
    },
    /// An operator failed: no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl<E: Pairing> VerifyingKey<E> {
    /// What makes the key worthless, if anything does. Its points are for [`VerifyingKey::check`].
    pub fn weakness(&self) -> Option<Weakness> {
        let power = |x: E::Fr| (0..self.domain.log_size()).fold(x, |x, _| x.square());
        let (k1, k2) = (power(self.k1), power(self.k2));
        // The n-th power tells the cosets of the domain apart.
        let meet = k1 == E::Fr::ONE || k2 == E::Fr::ONE || k1 == k2 || k1.is_zero() || k2.is_zero();
        if meet {
            Some(Weakness::ColumnsMeet)
        } else if self.x_2 == Affine::generator() {
            Some(Weakness::TauIsOne)
        } else if self.public > self.domain.size() {
            Some(Weakness::TooManyPublic)
        } else {
            None
        }
    }
}

/// The equation of one proof: `e(left, X_2) = e(right, G2)`, as scalars of the points on both sides.
pub(super) struct Equation<F> {
    /// Left, of Wxi and Wxiw.
    pub(super) left: [F; 2],
    /// Right, of the proof's points in the order of [`Proof::points`].
    pub(super) proof: [F; 9],
    /// Right, of the key's selectors and then its permutation.
    pub(super) key: [F; 8],
    /// Right, of the generator.
    pub(super) generator: F,
}

impl<F: PrimeField> Equation<F> {
    /// The equation of a proof under a safe key.
    pub(super) fn of<E: Pairing<Fr = F>>(
        vk: &VerifyingKey<E>,
        public: &[F],
        proof: &InSubgroup<Proof<E>>,
    ) -> Result<Self, VerifyError> {
        if public.len() != vk.public {
            return Err(VerifyError::PublicCount { expected: vk.public, found: public.len() });
        }
        let Challenges { beta, gamma, alpha, xi, v, u } = Challenges::of(vk, public, proof);
        let [a, b, c, s1, s2, z] = proof.evaluations.to_array();
        let xi_n = (0..vk.domain.log_size()).fold(xi, |x, _| x.square());
        let vanishing = xi_n - F::ONE;
        if vanishing.is_zero() {
            // ξ is a point of the domain, which no honest proof meets.
            return Err(VerifyError::Rejected);
        }
        let (l1, pi) = lagrange(vk, xi, vanishing, public);
        let alpha_2 = alpha.square();
        let sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * z;
        let cells =
            (a + beta * xi + gamma) * (b + beta * vk.k1 * xi + gamma) * (c + beta * vk.k2 * xi + gamma);
        let r0 = pi - l1 * alpha_2 - sigmas * (c + gamma);
        let v_2 = v.square();
        let (v_3, v_4) = (v_2 * v, v_2.square());
        let v_5 = v_4 * v;
        let values = v * a + v_2 * b + v_3 * c + v_4 * s1 + v_5 * s2 + u * z - r0;
        let t = -vanishing;
        let xi_omega = xi * vk.domain.root();
        let of_z = cells * alpha + l1 * alpha_2 + u;
        Ok(Self {
            left: [F::ONE, u],
            proof: [v, v_2, v_3, of_z, t, t * xi_n, t * xi_n.square(), xi, u * xi_omega],
            key: [a * b, a, b, c, F::ONE, v_4, v_5, -sigmas * beta],
            generator: -values,
        })
    }

    /// The equation times a scalar.
    pub(super) fn weighed(self, weight: F) -> Self {
        Self {
            left: self.left.map(|x| x * weight),
            proof: self.proof.map(|x| x * weight),
            key: self.key.map(|x| x * weight),
            generator: self.generator * weight,
        }
    }
}

/// `L1(ξ)` and `PI(ξ)`, for a ξ outside of the domain with `vanishing = ξ^n - 1`.
fn lagrange<E: Pairing>(
    vk: &VerifyingKey<E>,
    xi: E::Fr,
    vanishing: E::Fr,
    public: &[E::Fr],
) -> (E::Fr, E::Fr) {
    // L_i(ξ) = (ξ^n - 1)/n · ω^i/(ξ - ω^i).
    let root = vk.domain.root();
    let points = core::iter::successors(Some(E::Fr::ONE), |x| Some(*x * root));
    let points: Vec<E::Fr> = points.take(public.len().max(1)).collect();
    let mut values: Vec<E::Fr> = points.iter().map(|x| xi - *x).collect();
    batch_invert(&mut values);
    let scale = vanishing * vk.domain.size_inverse();
    values.iter_mut().zip(&points).for_each(|(l, x)| *l *= *x * scale);
    let sum = values.iter().zip(public).fold(E::Fr::ZERO, |sum, (l, x)| sum + *l * *x);
    (values.first().copied().unwrap_or(E::Fr::ZERO), -sum)
}
