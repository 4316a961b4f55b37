//! Verification of one proof and of many, under keys that are used once and under keys that were prepared.

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

use super::equation::Equation;
use super::{BadPoint, Element, Fault, InSubgroup, Proof, VerifyError, VerifyingKey};
use crate::weights::weights;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, G1Affine, Pairing};
use pairwright_device::{DeviceError, FixedG2, Session};
use pairwright_field::Field;
use pairwright_poly::Buf;
use rand_core::CryptoRng;

/// The proofs, if the points of all of them are on their curves and in their subgroups: [`Proof::check`] of many, by a
/// device. Variable time.
///
/// # Errors
/// The first proof with a point that is not, or the error of an operator.
pub fn check_proofs<E: Pairing>(
    on: &mut Session<'_, E>,
    proofs: &[Proof<E>],
) -> Result<Vec<InSubgroup<Proof<E>>>, VerifyError> {
    on.phase("check proofs");
    let points: Vec<_> = proofs.iter().flat_map(Proof::points).collect();
    let inside = on.in_subgroup_g1(&points)?;
    let known = proofs.iter().zip(inside.as_chunks::<9>().0).enumerate();
    let checked = known.map(|(index, (proof, inside))| {
        for ((p, inside), element) in proof.points().iter().zip(inside).zip(Element::OF_PROOF) {
            let fault = if p.is_on_curve() { Fault::WrongSubgroup } else { Fault::OffCurve };
            if !inside || fault == Fault::OffCurve {
                let why = Box::new(BadPoint { element, fault }.into());
                return Err(VerifyError::InBatch { index, why });
            }
        }
        Ok(InSubgroup(*proof))
    });
    checked.collect()
}

/// Accepts a proof for these public values, or says why not.
///
/// The points of key and proof are checked to be on their curves and in their subgroups, and a key under which anybody can
/// forge proofs accepts none. For more than one proof under a key, and for points that were checked, prepare it:
/// [`PreparedVerifyingKey`].
///
/// # Errors
/// Anything but acceptance.
pub fn verify<E: Pairing>(
    on: &mut Session<'_, E>,
    vk: &VerifyingKey<E>,
    public: &[E::Fr],
    proof: &Proof<E>,
) -> Result<(), VerifyError> {
    let proof = proof.check()?;
    let vk = vk.clone().check()?;
    PreparedVerifyingKey::new(on, &vk)?.verify(on, public, &proof)
}

/// A verifying key made ready for many proofs: with the line coefficients of its X_2 and of the generator. It is of checked
/// points, and safe.
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: Pairing> {
    vk: VerifyingKey<E>,
    x_2: FixedG2<E>,
    one: FixedG2<E>,
}

/// That there is a witness for public values under a key, and the proof of it.
#[derive(Debug)]
pub struct Claim<'a, E: Pairing> {
    /// The key of the circuit.
    pub key: &'a PreparedVerifyingKey<E>,
    /// The public values.
    pub public: &'a [E::Fr],
    /// The proof for these values.
    pub proof: &'a InSubgroup<Proof<E>>,
}

impl<E: Pairing> Clone for Claim<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Pairing> Copy for Claim<'_, E> {}

impl<E: Pairing> PreparedVerifyingKey<E> {
    /// Computes what depends on the key alone. A key under which anybody can forge proofs ([`VerifyingKey::weakness`]) is
    /// refused.
    ///
    /// # Errors
    /// [`VerifyError::UnsafeKey`].
    pub fn new(on: &mut Session<'_, E>, vk: &InSubgroup<VerifyingKey<E>>) -> Result<Self, VerifyError> {
        on.phase("prepare key");
        if let Some(weakness) = vk.weakness() {
            return Err(weakness.into());
        }
        let points = [vk.x_2, Affine::generator()];
        let [x_2, one] = on.host("prepare_g2", points.len(), || points.map(FixedG2::new));
        Ok(Self { vk: (**vk).clone(), x_2, one })
    }

    /// The key that was prepared.
    pub fn key(&self) -> &VerifyingKey<E> {
        &self.vk
    }

    /// Accepts a proof for these public values, or says why not: an MSM of 18 points and two pairings.
    ///
    /// # Errors
    /// Anything but acceptance.
    pub fn verify(
        &self,
        on: &mut Session<'_, E>,
        public: &[E::Fr],
        proof: &InSubgroup<Proof<E>>,
    ) -> Result<(), VerifyError> {
        on.phase("verify");
        let claim = Claim { key: self, public, proof };
        let equation = on.host("equation", 1, || Equation::of(&self.vk, public, proof))?;
        if sum_holds(on, self, &[(claim, equation)])? { Ok(()) } else { Err(VerifyError::Rejected) }
    }
}

/// Accepts all of many proofs, or names one that fails alone. Their keys may be of different circuits but are of one τ: the
/// proofs together take two pairings.
///
/// The equations are added up with independent random weights from `rng`, of 127 bits of entropy each: a batch with a bad
/// proof passes with probability at most 2^-127. When the sum fails, the proofs are verified one by one. An empty batch is
/// accepted.
///
/// # Errors
/// Anything but acceptance of every proof.
pub fn batch_verify<E: Pairing>(
    on: &mut Session<'_, E>,
    claims: &[Claim<'_, E>],
    rng: &mut dyn CryptoRng,
) -> Result<(), VerifyError> {
    on.phase("batch verify");
    let at = |index: usize| move |why| VerifyError::InBatch { index, why: Box::new(why) };
    let Some(first) = claims.first() else { return Ok(()) };
    let other = |claim: &Claim<'_, E>| claim.key.vk.x_2 != first.key.vk.x_2;
    if let Some(index) = claims.iter().position(other) {
        return Err(at(index)(VerifyError::OtherPowers));
    }
    let weights = weights::<E::G1>(claims.len(), rng);
    let equations = on.host("equation", claims.len(), || {
        let mut equations = Vec::with_capacity(claims.len());
        for (index, (claim, weight)) in claims.iter().zip(weights).enumerate() {
            let equation = Equation::of(&claim.key.vk, claim.public, claim.proof).map_err(at(index))?;
            equations.push((*claim, equation.weighed(weight)));
        }
        Ok::<_, VerifyError>(equations)
    })?;
    if sum_holds(on, first.key, &equations)? {
        return Ok(());
    }
    for (index, claim) in claims.iter().enumerate() {
        claim.key.verify(on, claim.public, claim.proof).map_err(at(index))?;
    }
    // Every proof passes alone, so the sum cannot fail; if it did, a device erred: refuse.
    Err(VerifyError::Rejected)
}

/// Whether the sum of equations holds, of keys with the X_2 of `key`.
fn sum_holds<E: Pairing>(
    on: &mut Session<'_, E>,
    key: &PreparedVerifyingKey<E>,
    equations: &[(Claim<'_, E>, Equation<E::Fr>)],
) -> Result<bool, DeviceError> {
    let mut left: (Vec<G1Affine<E>>, Vec<E::Fr>) = Default::default();
    let mut right: (Vec<G1Affine<E>>, Vec<E::Fr>) = (vec![Affine::generator()], Vec::new());
    let generator = equations.iter().fold(E::Fr::ZERO, |sum, (_, equation)| sum + equation.generator);
    right.1.push(generator);
    // The points of a key stand in the sum once, whatever the number of its proofs.
    let mut keys: Vec<(&VerifyingKey<E>, [E::Fr; 8])> = Vec::new();
    for (claim, equation) in equations {
        left.0.extend([claim.proof.w_xi, claim.proof.w_xi_omega]);
        left.1.extend(equation.left);
        right.0.extend(claim.proof.points());
        right.1.extend(equation.proof);
        let vk = &claim.key.vk;
        match keys.iter_mut().find(|(known, _)| core::ptr::eq(*known, vk)) {
            Some((_, sums)) => sums.iter_mut().zip(equation.key).for_each(|(sum, x)| *sum += x),
            None => keys.push((vk, equation.key)),
        }
    }
    for (vk, sums) in keys {
        right.0.extend(vk.selectors.iter().chain(&vk.sigmas));
        right.1.extend(sums);
    }
    let mut sum = |(points, scalars): (Vec<_>, Vec<_>)| {
        on.msm_g1(Buf::from(points).view(), Buf::from(scalars).view()).map(|sum| sum.to_affine())
    };
    let (left, right) = (sum(left)?, sum(right)?);
    Ok(on.multi_pairing_fixed(&[], &[(left, &key.x_2), (-right, &key.one)])? == E::Gt::ONE)
}
