//! KZG commitments to polynomials (A. Kate, G. Zaverucha, I. Goldberg, ASIACRYPT 2010) over any pairing, and Ethereum's use of
//! them for blobs ([`blobs`], [`cells`]).
//!
//! A commitment is `p(τ)·G1`, computed from powers of a τ that nobody knows. The point `q(τ)·G1` with `q = (p - y)/(X - z)`
//! proves that `p(z) = y`, because that quotient is a polynomial only if `y` is the value. A verifier compares `p(τ) - y`
//! with `q(τ)·(τ - z)` by a product of two pairings; many openings under one τ are compared by two pairings as well.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

pub mod blobs;
pub mod cells;
mod wire;

use crate::weights::weights;
use alloc::boxed::Box;
use alloc::vec::Vec;
use pairwright_curve::encoding::PointError;
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::Field;
use pairwright_poly::{Buf, View};
use rand_core::CryptoRng;
use thiserror::Error;

/// Why a setup, a commitment, a proof or a verification fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KzgError {
    /// The points of a setup are not the powers or Lagrange points of one τ.
    #[error("the setup's points are not powers of one tau: {what}")]
    Setup {
        /// The condition that they do not meet.
        what: &'static str,
    },
    /// A polynomial has more coefficients than there are powers.
    #[error("a polynomial of {found} coefficients, the setup has powers for {most}")]
    TooLong {
        /// Number of coefficients that were given.
        found: usize,
        /// Number of powers in the setup.
        most: usize,
    },
    /// A blob or a cell does not have the length of its format.
    #[error("a {of} of {found} bytes, expected {expected}")]
    Length {
        /// Name of the value: `blob` or `cell`.
        of: &'static str,
        /// Number of bytes that were given.
        found: usize,
        /// Number of bytes of the format.
        expected: usize,
    },
    /// An element of a blob or a cell is not below the group order.
    #[error("element {index} of the {of} is not below the group order")]
    Element {
        /// Name of the value: `blob` or `cell`.
        of: &'static str,
        /// Position of the element, from zero.
        index: usize,
    },
    /// A cell's index is above 127.
    #[error("cell {found}, a blob has cells 0 to 127")]
    CellIndex {
        /// The index that was given.
        found: u64,
    },
    /// Too few cells, or too many, to recover a blob.
    #[error("{found} cells, a blob is recovered from 64 to 128")]
    CellCount {
        /// Number of cells that were given.
        found: usize,
    },
    /// A cell is given twice or out of order.
    #[error("the indices of cells to recover a blob from do not ascend")]
    CellOrder,
    /// The cells that were given do not belong to one blob.
    #[error("the cells are not of one blob")]
    CellsOfTwoBlobs,
    /// An item of a list is malformed.
    #[error("item {index} of the list: {why}")]
    At {
        /// Position in the list, from zero.
        index: usize,
        /// The reason for which the item is refused.
        why: Box<KzgError>,
    },
    /// An encoded scalar is not below the group order.
    #[error("{what} is not below the group order")]
    Scalar {
        /// Name of the scalar.
        what: &'static str,
    },
    /// Bytes do not encode a point of the subgroup.
    #[error("{what}: {why}")]
    Point {
        /// Name of the point.
        what: &'static str,
        /// The reason for which the bytes are refused.
        why: PointError,
    },
    /// The pairing equation does not hold.
    #[error("the pairing equation does not hold")]
    Rejected,
    /// An operator failed, so there is no result and no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The claim that the committed polynomial has a given value at a given point, and its proof.
///
/// The commitment and the proof have to be in the prime-order subgroup, which `Affine::from_bytes` checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening<E: Pairing> {
    /// The commitment `p(τ)·G1`.
    pub commitment: G1Affine<E>,
    /// The point `z` at which the polynomial is opened.
    pub point: E::Fr,
    /// The value `y` claimed for `p(z)`.
    pub value: E::Fr,
    /// `q(τ)·G1` for the quotient `q = (p - y)/(X - z)`.
    pub proof: G1Affine<E>,
}

/// Powers `τ^i·G1`, and `τ·G2` for verifiers.
pub struct Powers<E: Pairing> {
    g1: Buf<G1Affine<E>>,
    tau_g2: G2Affine<E>,
}

impl<E: Pairing> Powers<E> {
    /// Checks powers, for example `tauG1` and the second point of `tauG2` of a ptau file: they must be points of the subgroups, the
    /// first one the generator, and each one τ times the one before it. Any other list is accepted with a probability below 2^-79.
    ///
    /// # Errors
    /// When a condition does not hold, or a device fails.
    pub fn new(
        on: &mut Session<'_, E>,
        g1: Vec<G1Affine<E>>,
        tau_g2: G2Affine<E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, KzgError> {
        on.phase("kzg setup");
        if g1.first() != Some(&Affine::generator()) {
            return Err(KzgError::Setup { what: "the first one is not the generator" });
        }
        if g1.len() < 2 || tau_g2.is_infinity() {
            return Err(KzgError::Setup { what: "tau is missing or zero" });
        }
        in_subgroups(on, &g1, &tau_g2, rng)?;
        let g1 = Buf::from(g1);
        let steps = g1.len() - 1;
        let factors = Buf::from(weights::<E::G1>(steps, rng));
        let sum = on.msm_g1(g1.slice(..steps), factors.view())?.to_affine();
        let next = on.msm_g1(g1.slice(1..), factors.view())?.to_affine();
        let sides = [(sum, tau_g2), (-next, Affine::generator())];
        if on.multi_pairing(&sides)? != E::Gt::ONE {
            return Err(KzgError::Setup { what: "a point is not tau times the one before it" });
        }
        Ok(Self { g1, tau_g2 })
    }

    /// `τ·G2`, the only point of the setup that verifiers need.
    pub fn tau_g2(&self) -> &G2Affine<E> {
        &self.tau_g2
    }

    /// Commits to the polynomial with these coefficients, the constant first.
    ///
    /// # Errors
    /// When there are more coefficients than powers, or a device fails.
    pub fn commit(&self, on: &mut Session<'_, E>, p: View<'_, E::Fr>) -> Result<G1Affine<E>, KzgError> {
        on.phase("kzg commit");
        self.combine(on, p)
    }

    /// Opens the polynomial with these coefficients at a point: computes its commitment, its value and the proof.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub fn open(
        &self,
        on: &mut Session<'_, E>,
        p: View<'_, E::Fr>,
        point: E::Fr,
    ) -> Result<Opening<E>, KzgError> {
        let commitment = self.commit(on, p)?;
        on.phase("kzg open");
        let (quotient, value) = on.divide(p, &point)?;
        let proof = self.combine(on, quotient.view())?;
        Ok(Opening { commitment, point, value, proof })
    }

    fn combine(
        &self,
        on: &mut Session<'_, E>,
        coefficients: View<'_, E::Fr>,
    ) -> Result<G1Affine<E>, KzgError> {
        let (found, most) = (coefficients.len(), self.g1.len());
        if found > most {
            return Err(KzgError::TooLong { found, most });
        }
        Ok(on.msm_g1(self.g1.slice(..found), coefficients)?.to_affine())
    }
}

/// Verifies an opening under the τ of a setup.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
pub fn verify<E: Pairing>(
    on: &mut Session<'_, E>,
    tau_g2: &G2Affine<E>,
    opening: &Opening<E>,
) -> Result<(), KzgError> {
    on.phase("kzg verify");
    check_weighted(on, tau_g2, &[*opening], &[E::Fr::ONE])
}

/// Verifies many openings under one τ together, by two pairings and two MSMs whatever their number. A list with a wrong opening is
/// accepted with a probability of at most 2^-127; which opening is wrong is not determined. An empty list is accepted.
///
/// # Errors
/// The verdicts other than acceptance of all, each with its reason.
pub fn verify_many<E: Pairing>(
    on: &mut Session<'_, E>,
    tau_g2: &G2Affine<E>,
    openings: &[Opening<E>],
    rng: &mut dyn CryptoRng,
) -> Result<(), KzgError> {
    on.phase("kzg verify");
    check_weighted(on, tau_g2, openings, &weights::<E::G1>(openings.len(), rng))
}

/// Checks the weighted sum of openings: `e(Σ w·(C - y·G + z·π), G2) = e(Σ w·π, τ·G2)`.
fn check_weighted<E: Pairing>(
    on: &mut Session<'_, E>,
    tau_g2: &G2Affine<E>,
    openings: &[Opening<E>],
    weights: &[E::Fr],
) -> Result<(), KzgError> {
    let pairs = || openings.iter().zip(weights);
    let values: E::Fr = pairs().map(|(o, w)| *w * o.value).fold(E::Fr::ZERO, |sum, term| sum + term);
    let proofs: Vec<G1Affine<E>> = openings.iter().map(|o| o.proof).collect();
    let mut points: Vec<G1Affine<E>> = openings.iter().map(|o| o.commitment).collect();
    points.extend(&proofs);
    points.push(Affine::generator());
    let mut scalars = weights.to_vec();
    scalars.extend(pairs().map(|(o, w)| *w * o.point));
    scalars.push(-values);
    let left = on.msm_g1(Buf::from(points).view(), Buf::from(scalars).view())?.to_affine();
    let right = on.msm_g1(Buf::from(proofs).view(), Buf::from(weights.to_vec()).view())?.to_affine();
    let product = on.multi_pairing(&[(left, Affine::generator()), (-right, *tau_g2)])?;
    if product == E::Gt::ONE { Ok(()) } else { Err(KzgError::Rejected) }
}

/// Fails unless all points of a setup are in their subgroups; a point outside is missed with probability below 2^-80.
fn in_subgroups<E: Pairing>(
    on: &mut Session<'_, E>,
    g1: &[G1Affine<E>],
    tau_g2: &G2Affine<E>,
    rng: &mut dyn CryptoRng,
) -> Result<(), KzgError> {
    let mut seed = [0; 32];
    rng.fill_bytes(&mut seed);
    let first = g1.iter().all(Affine::is_on_curve) && on.all_in_subgroup_g1(g1, &seed)?;
    let second = tau_g2.is_on_curve() && tau_g2.is_in_subgroup_vartime();
    if first && second {
        return Ok(());
    }
    Err(KzgError::Setup { what: "a point is outside the prime-order subgroup" })
}
