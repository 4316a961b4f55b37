//! Verifies proofs, one by one and in batches.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::equation::Equation;
use super::points::{ProofPoints, check_proof};
use super::{BadPoint, VerifyError, Weakness};
use crate::groth16::{InSubgroup, PointFault};
use crate::weights::weights;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, FixedG2, Session};
use pairwright_field::Field;
use pairwright_poly::{Buf, Domain};
use rand_core::CryptoRng;

/// Checks that the points of all proofs are on their curves and in their subgroups: the `check` of many proofs, by a device. Variable
/// time.
///
/// The device may test membership on random sums of many points, where that is cheaper. `rng` must not be predictable by whoever made
/// the proofs; a bad point is then missed with probability below 2^-80.
///
/// # Errors
/// The first proof with a point that is not on its curve; if there is none, the first with a point outside of the subgroup; or the
/// error of an operator.
pub fn check_proofs<E: Pairing, P: ProofPoints<E>>(
    on: &mut Session<'_, E>,
    proofs: &[P],
    rng: &mut dyn CryptoRng,
) -> Result<Vec<InSubgroup<P>>, VerifyError> {
    on.phase("check proofs");
    let points: Vec<_> = proofs.iter().flat_map(P::list).collect();
    let fault = |fault: PointFault, good: &[bool]| {
        let of_proofs = good.chunks(P::NAMES.len()).enumerate();
        let mut bad =
            of_proofs.flat_map(|(index, good)| good.iter().zip(P::NAMES).map(move |at| (index, at)));
        bad.find(|(_, (good, _))| !**good).map_or(Ok(()), |(index, (_, element))| {
            let why = BadPoint { element: *element, fault };
            Err(VerifyError::InBatch { index, why: Box::new(why.into()) })
        })
    };
    let on_curve: Vec<bool> = points.iter().map(|p| p.is_on_curve()).collect();
    fault(PointFault::OffCurve, &on_curve)?;
    let mut seed = [0; 32];
    rng.fill_bytes(&mut seed);
    if !on.all_in_subgroup_g1(&points, &seed)? {
        fault(PointFault::WrongSubgroup, &on.in_subgroup_g1(&points)?)?;
    }
    Ok(proofs.iter().copied().map(InSubgroup).collect())
}

/// A verifying key whose proofs are verified by one equation of two pairings.
pub trait PlonkishKey<E: Pairing>: Clone + fmt::Debug {
    /// The type of proofs for the key.
    type Proof: ProofPoints<E>;

    /// Checks that the points are on their curves and in their subgroups, and that X_2 is not infinity. Variable time.
    fn checked(self) -> Result<InSubgroup<Self>, BadPoint>;
    /// The domain: row `i` of the table of gates belongs to its point `ω^i`.
    fn domain(&self) -> Domain<E::Fr>;
    /// The factors `k1` and `k2`: the cell of row `i` in column b is named `k1·ω^i`, in column c `k2·ω^i`.
    fn factors(&self) -> [E::Fr; 2];
    /// Number of public values.
    fn public(&self) -> usize;
    /// τ in the second group.
    fn x_2(&self) -> G2Affine<E>;
    /// The key's points of the first group, in the order of their scalars in an [`Equation`].
    fn points(&self) -> Vec<G1Affine<E>>;
    /// The equation of a proof, where the number of public values is that of the key; an error if a challenge has no equation.
    fn equation(&self, public: &[E::Fr], proof: &InSubgroup<Self::Proof>)
    -> Result<Equation<E>, VerifyError>;
}

/// The first weakness of a key that its domain, the factors of its columns, its τ or its number of public values shows.
pub(crate) fn weakness<E: Pairing, K: PlonkishKey<E>>(vk: &K) -> Option<Weakness> {
    let (domain, [k1, k2]) = (vk.domain(), vk.factors());
    let (k1, k2) = (domain.power_of(k1), domain.power_of(k2));
    // Two factors give the same coset of the domain exactly if their n-th powers are equal.
    let meet = k1 == E::Fr::ONE || k2 == E::Fr::ONE || k1 == k2 || k1.is_zero() || k2.is_zero();
    if meet {
        Some(Weakness::ColumnsMeet)
    } else if vk.x_2() == Affine::generator() {
        Some(Weakness::TauIsOne)
    } else if vk.public() > domain.size() {
        Some(Weakness::TooManyPublic)
    } else {
        None
    }
}

/// Checks the number of public values, and gives the equation of a proof.
fn equation<E: Pairing, K: PlonkishKey<E>>(
    vk: &K,
    public: &[E::Fr],
    proof: &InSubgroup<K::Proof>,
) -> Result<Equation<E>, VerifyError> {
    if public.len() != vk.public() {
        return Err(VerifyError::PublicCount { expected: vk.public(), found: public.len() });
    }
    vk.equation(public, proof)
}

/// A verifying key with the line coefficients of its X_2 and of the generator of G2, for the verification of many proofs. Its points
/// are checked, and it has no [`Weakness`] unless it was made by [`Prepared::of_unsafe_key`].
#[derive(Clone, Debug)]
pub struct Prepared<E: Pairing, K: PlonkishKey<E>> {
    vk: K,
    x_2: FixedG2<E>,
    one: FixedG2<E>,
}

/// The claim that there is a witness for the public values under the key, and its proof.
#[derive(Debug)]
pub struct Claim<'a, E: Pairing, K: PlonkishKey<E>> {
    /// The key of the circuit.
    pub key: &'a Prepared<E, K>,
    /// The public values.
    pub public: &'a [E::Fr],
    /// The proof for these values.
    pub proof: &'a InSubgroup<K::Proof>,
}

impl<E: Pairing, K: PlonkishKey<E>> Clone for Claim<'_, E, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Pairing, K: PlonkishKey<E>> Copy for Claim<'_, E, K> {}

impl<E: Pairing, K: PlonkishKey<E>> Prepared<E, K> {
    /// Precomputes the data that depend on the key alone. A key under which anybody can forge proofs ([`Weakness`]) is refused.
    ///
    /// # Errors
    /// [`VerifyError::UnsafeKey`] for such a key.
    #[inline(never)]
    pub fn new(on: &mut Session<'_, E>, vk: &InSubgroup<K>) -> Result<Self, VerifyError> {
        match weakness(&**vk) {
            Some(weakness) => Err(weakness.into()),
            None => Ok(Self::of_unsafe_key(on, vk)),
        }
    }

    /// [`Prepared::new`] without the test whether anybody can forge proofs for the key. For such a key, acceptance means nothing.
    #[inline(never)]
    pub fn of_unsafe_key(on: &mut Session<'_, E>, vk: &InSubgroup<K>) -> Self {
        on.phase("prepare key");
        let points = [vk.x_2(), Affine::generator()];
        let [x_2, one] = on.host("prepare_g2", points.len(), || points.map(FixedG2::new));
        Self { vk: (**vk).clone(), x_2, one }
    }

    /// The key that was prepared.
    pub fn key(&self) -> &K {
        &self.vk
    }

    /// Number of public values of a proof under this key.
    pub fn public(&self) -> usize {
        self.vk.public()
    }

    /// Verifies a proof for these public values, by two MSMs of a few points and two pairings.
    ///
    /// # Errors
    /// The verdicts other than acceptance, each with its reason.
    #[inline(never)]
    pub fn verify(
        &self,
        on: &mut Session<'_, E>,
        public: &[E::Fr],
        proof: &InSubgroup<K::Proof>,
    ) -> Result<(), VerifyError> {
        on.phase("verify");
        let claim = Claim { key: self, public, proof };
        let equation = on.host("equation", 1, || equation(&self.vk, public, proof))?;
        if sum_holds(on, self, &[(claim, equation)])? { Ok(()) } else { Err(VerifyError::Rejected) }
    }
}

/// Verifies a proof for these public values.
///
/// The points of key and proof are checked to be on their curves and in their subgroups, and a key under which anybody can
/// forge proofs is refused. For several proofs under one key, or for points that were already checked, use [`Prepared`].
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
#[inline(never)]
pub fn verify<E: Pairing, K: PlonkishKey<E>>(
    on: &mut Session<'_, E>,
    vk: &K,
    public: &[E::Fr],
    proof: &K::Proof,
) -> Result<(), VerifyError> {
    let proof = check_proof(*proof)?;
    Prepared::new(on, &vk.clone().checked()?)?.verify(on, public, &proof)
}

/// [`verify`] without the test whether anybody can forge proofs for the key. For such a key, acceptance means nothing. It is for
/// tests, and for the examination of such keys.
///
/// # Errors
/// The verdicts other than acceptance, each with its reason.
#[inline(never)]
pub fn verify_with_unsafe_key<E: Pairing, K: PlonkishKey<E>>(
    on: &mut Session<'_, E>,
    vk: &K,
    public: &[E::Fr],
    proof: &K::Proof,
) -> Result<(), VerifyError> {
    let proof = check_proof(*proof)?;
    Prepared::of_unsafe_key(on, &vk.clone().checked()?).verify(on, public, &proof)
}

/// Verifies many proofs together by two pairings, and names the first that fails. Their keys may belong to different circuits but must
/// belong to one τ.
///
/// The equations are added up with independent random weights from `rng`, of 127 bits of entropy each: a batch with an invalid
/// proof passes with probability at most 2^-127. When the sum fails, the proofs are verified one by one. An empty batch is
/// accepted.
///
/// # Errors
/// The verdicts other than acceptance of every proof, each with its reason.
#[inline(never)]
pub fn batch_verify<E: Pairing, K: PlonkishKey<E>>(
    on: &mut Session<'_, E>,
    claims: &[Claim<'_, E, K>],
    rng: &mut dyn CryptoRng,
) -> Result<(), VerifyError> {
    on.phase("batch verify");
    let at = |index: usize| move |why| VerifyError::InBatch { index, why: Box::new(why) };
    let Some(first) = claims.first() else { return Ok(()) };
    let other = |claim: &Claim<'_, E, K>| claim.key.vk.x_2() != first.key.vk.x_2();
    if let Some(index) = claims.iter().position(other) {
        return Err(at(index)(VerifyError::OtherPowers));
    }
    let weights = weights::<E::G1>(claims.len(), rng);
    let equations = on.host("equation", claims.len(), || {
        let mut equations = Vec::with_capacity(claims.len());
        for (index, (claim, weight)) in claims.iter().zip(weights).enumerate() {
            let equation = equation(&claim.key.vk, claim.public, claim.proof).map_err(at(index))?;
            equations.push((*claim, equation.weighted(weight)));
        }
        Ok::<_, VerifyError>(equations)
    })?;
    if sum_holds(on, first.key, &equations)? {
        return Ok(());
    }
    for (index, claim) in claims.iter().enumerate() {
        claim.key.verify(on, claim.public, claim.proof).map_err(at(index))?;
    }
    // If every proof is valid, the sum holds: a device has computed wrongly, so refuse.
    Err(VerifyError::Rejected)
}

/// Whether the sum of the equations holds; all their keys have the X_2 of `key`.
fn sum_holds<E: Pairing, K: PlonkishKey<E>>(
    on: &mut Session<'_, E>,
    key: &Prepared<E, K>,
    equations: &[(Claim<'_, E, K>, Equation<E>)],
) -> Result<bool, DeviceError> {
    let mut left: (Vec<G1Affine<E>>, Vec<E::Fr>) = Default::default();
    let mut right: (Vec<G1Affine<E>>, Vec<E::Fr>) = (vec![Affine::generator()], Vec::new());
    let generator = equations.iter().fold(E::Fr::ZERO, |sum, (_, equation)| sum + equation.generator);
    right.1.push(generator);
    // The points of a key enter the sum once, whatever the number of its proofs.
    let mut keys: Vec<(&K, Vec<E::Fr>)> = Vec::new();
    for (claim, equation) in equations {
        left.extend(equation.left.iter().copied());
        right.extend(equation.right.iter().copied());
        let vk = &claim.key.vk;
        match keys.iter_mut().find(|(known, _)| core::ptr::eq(*known, vk)) {
            Some((_, sums)) => sums.iter_mut().zip(&equation.key).for_each(|(sum, x)| *sum += *x),
            None => keys.push((vk, equation.key.clone())),
        }
    }
    for (vk, sums) in keys {
        right.extend(vk.points().into_iter().zip(sums));
    }
    let mut sum = |(points, scalars): (Vec<_>, Vec<_>)| {
        on.msm_g1(Buf::from(points).view(), Buf::from(scalars).view()).map(|sum| sum.to_affine())
    };
    let (left, right) = (sum(left)?, sum(right)?);
    Ok(on.multi_pairing_fixed(&[], &[(left, &key.x_2), (-right, &key.one)])? == E::Gt::ONE)
}
