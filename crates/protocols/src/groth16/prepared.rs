//! Verification under a prepared key: everything that depends on the key alone is computed once.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::verify::check_count;
use super::{BadPoint, InSubgroup, Proof, VerifyError, VerifyingKey};
use crate::weights::weights;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{FixedBases, G1Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, FixedG2, Session};
use pairwright_field::Field;
use pairwright_poly::Buf;
use rand_core::CryptoRng;

/// Up to this many elements of IC are stored with tables of their multiples, 2 to 3 KiB each; with more, an MSM is as fast on one
/// thread.
const FEW: usize = 32;

/// A list of checked proofs, each with its public values.
pub type Batch<E> = [(Vec<<E as Pairing>::Fr>, InSubgroup<Proof<E>>)];

/// Checks that the points of all proofs are on their curves and in their subgroups: [`Proof::check`] for many proofs, by a device.
/// Variable time.
///
/// The device may test membership on random sums of many points, where that is cheaper. `rng` must not be predictable by whoever
/// made the proofs; a bad point is then missed with probability below 2^-80.
///
/// # Errors
/// The first proof with a point that fails the check, or the error of an operator.
pub fn check_proofs<E: Pairing>(
    on: &mut Session<'_, E>,
    proofs: &[Proof<E>],
    rng: &mut dyn CryptoRng,
) -> Result<Vec<InSubgroup<Proof<E>>>, VerifyError> {
    on.phase("check proofs");
    let of_g1: Vec<_> = proofs.iter().flat_map(|proof| [proof.a, proof.c]).collect();
    let of_g2: Vec<_> = proofs.iter().map(|proof| proof.b).collect();
    let mut seeds = [[0; 32]; 2];
    seeds.iter_mut().for_each(|seed| rng.fill_bytes(seed));
    let [seed_g1, seed_g2] = &seeds;
    let all = of_g1.iter().all(|p| p.is_on_curve())
        && of_g2.iter().all(|p| p.is_on_curve())
        && on.all_in_subgroup_g1(&of_g1, seed_g1)?
        && on.all_in_subgroup_g2(&of_g2, seed_g2)?;
    // If the test of the sums fails, every point is tested, to find which one is outside.
    let [of_g1, of_g2] = if all {
        [vec![true; of_g1.len()], vec![true; of_g2.len()]]
    } else {
        [on.in_subgroup_g1(&of_g1)?, on.in_subgroup_g2(&of_g2)?]
    };
    let inside = of_g1.as_chunks::<2>().0.iter().zip(of_g2).map(|([a, c], b)| [*a, b, *c]);
    let checked = proofs.iter().zip(inside).enumerate().map(|(index, (proof, inside))| {
        let fault = |why: BadPoint| VerifyError::InBatch { index, why: Box::new(why.into()) };
        proof.with_subgroups_known(inside).map_err(fault)
    });
    checked.collect()
}

/// A verifying key with precomputed data, for the verification of many proofs.
///
/// It holds e(α, β), the line coefficients of β, γ and δ, and tables for IC. A proof then costs three Miller loops, two of them with
/// precomputed lines, and one final exponentiation. Its functions take checked points, so no check is made twice.
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: Pairing> {
    alpha: G1Affine<E>,
    beta: FixedG2<E>,
    gamma: FixedG2<E>,
    delta: FixedG2<E>,
    /// The inverse of the pairing e(α, β).
    closing: E::Gt,
    ic: Ic<E>,
    /// Number of public values.
    public: usize,
}

/// The elements of IC: at most [`FEW`] with tables, more as bases of an MSM.
#[derive(Clone, Debug)]
enum Ic<E: Pairing> {
    Few(FixedBases<E::G1>),
    Many(Buf<G1Affine<E>>),
}

impl<E: Pairing> PreparedVerifyingKey<E> {
    /// Precomputes the data that depend on the key alone. A key under which anybody can forge proofs
    /// ([`VerifyingKey::weaknesses`]) is refused.
    ///
    /// # Errors
    /// [`VerifyError::UnsafeKey`] for such a key; and when IC is empty or an operator fails.
    #[inline(never)]
    pub fn new(on: &mut Session<'_, E>, vk: &InSubgroup<VerifyingKey<E>>) -> Result<Self, VerifyError> {
        vk.expect_safe()?;
        Self::of_unsafe_key(on, vk)
    }

    /// [`PreparedVerifyingKey::new`] without the test whether anybody can forge proofs for the key. For such a key, acceptance means
    /// nothing.
    ///
    /// # Errors
    /// When IC is empty or an operator fails.
    #[inline(never)]
    pub fn of_unsafe_key(
        on: &mut Session<'_, E>,
        vk: &InSubgroup<VerifyingKey<E>>,
    ) -> Result<Self, VerifyError> {
        on.phase("prepare key");
        let public = vk.ic.len().checked_sub(1).ok_or(VerifyError::EmptyKey)?;
        let points = [vk.beta_g2, vk.gamma_g2, vk.delta_g2];
        let [beta, gamma, delta] = on.host("prepare_g2", points.len(), || points.map(FixedG2::new));
        let ic = if vk.ic.len() <= FEW {
            Ic::Few(on.host("prepare_g1", vk.ic.len(), || FixedBases::new(&vk.ic)))
        } else {
            Ic::Many(vk.ic.clone().into())
        };
        let closing = E::gt_inverse(&on.multi_pairing_fixed(&[], &[(vk.alpha_g1, &beta)])?);
        Ok(Self { alpha: vk.alpha_g1, beta, gamma, delta, closing, ic, public })
    }

    /// Number of public values of a proof under this key.
    pub fn public(&self) -> usize {
        self.public
    }

    /// Verifies a proof for these public values.
    ///
    /// # Errors
    /// The verdicts other than acceptance, each with its reason.
    #[inline(never)]
    pub fn verify(
        &self,
        on: &mut Session<'_, E>,
        public: &[E::Fr],
        proof: &InSubgroup<Proof<E>>,
    ) -> Result<(), VerifyError> {
        on.phase("verify");
        check_count(self.public, public)?;
        let scalars: Vec<_> = [E::Fr::ONE].iter().chain(public).copied().collect();
        let ic = self.commit(on, scalars)?.to_affine();
        // e(A, B) = e(α, β)·e(IC, γ)·e(C, δ).
        let fixed = [(ic, &self.gamma), (proof.c, &self.delta)];
        let product = on.multi_pairing_fixed(&[(-proof.a, proof.b)], &fixed)?;
        if product == self.closing { Ok(()) } else { Err(VerifyError::Rejected) }
    }

    /// Verifies many proofs together, and names the first that fails.
    ///
    /// The equations are added up with independent random weights from `rng`, of 127 bits of entropy each: a batch with an invalid proof
    /// passes with probability at most 2^-127. When the sum fails, the proofs are verified one by one. An empty batch
    /// is accepted.
    ///
    /// # Errors
    /// The verdicts other than acceptance of every proof, each with its reason.
    #[inline(never)]
    pub fn batch_verify(
        &self,
        on: &mut Session<'_, E>,
        batch: &Batch<E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<(), VerifyError> {
        on.phase("batch verify");
        let at = |index: usize| move |why| VerifyError::InBatch { index, why: Box::new(why) };
        for (i, (public, _)) in batch.iter().enumerate() {
            check_count(self.public, public).map_err(at(i))?;
        }
        if batch.is_empty() {
            return Ok(());
        }
        if self.sum_holds(on, batch, weights::<E::G1>(batch.len(), rng).into())? {
            return Ok(());
        }
        for (i, (public, proof)) in batch.iter().enumerate() {
            self.verify(on, public, proof).map_err(at(i))?;
        }
        // If every proof is valid, the sum holds: a device has computed wrongly, so refuse.
        Err(VerifyError::Rejected)
    }

    /// Whether the sum of the equations, weighted with `scalars`, holds.
    fn sum_holds(
        &self,
        on: &mut Session<'_, E>,
        batch: &Batch<E>,
        scalars: Buf<E::Fr>,
    ) -> Result<bool, DeviceError> {
        // The commitment is linear in the public values: weight the values, then commit once. The first sum is that of the weights.
        let mut sums = vec![E::Fr::ZERO; self.public + 1];
        for ((public, _), z) in batch.iter().zip(scalars.iter()) {
            for (sum, x) in sums.iter_mut().zip([E::Fr::ONE].iter().chain(public)) {
                *sum += *z * *x;
            }
        }
        let total: E::Fr = scalars.iter().fold(E::Fr::ZERO, |sum, z| sum + *z);
        let alpha = self.alpha.to_jacobian().mul_vartime(&total).to_affine();
        let ic = self.commit(on, sums)?.to_affine();
        let c: Buf<G1Affine<E>> = batch.iter().map(|(_, proof)| proof.c).collect();
        let c = on.msm_g1(c.view(), scalars.view())?.to_affine();
        let a: Vec<_> = batch.iter().map(|(_, proof)| -proof.a).collect();
        let a = on.scale_points_g1(&a, &scalars)?;
        let pairs: Vec<_> = a.into_iter().zip(batch).map(|(a, (_, proof))| (a, proof.b)).collect();
        let fixed = [(alpha, &self.beta), (ic, &self.gamma), (c, &self.delta)];
        Ok(on.multi_pairing_fixed(&pairs, &fixed)? == E::Gt::ONE)
    }

    /// `Σ scalars[i]·IC_i`, with one scalar per element of IC.
    fn commit(&self, on: &mut Session<'_, E>, scalars: Vec<E::Fr>) -> Result<Jacobian<E::G1>, DeviceError> {
        match &self.ic {
            Ic::Few(bases) => Ok(on.host("commit_inputs", scalars.len(), || bases.sum_vartime(&scalars))),
            Ic::Many(bases) => on.msm_g1(bases.view(), Buf::from(scalars).view()),
        }
    }
}
