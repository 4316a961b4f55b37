//! Verification of proofs one by one and together.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::equation::Equation;
use super::points::{ProofPoints, check_proof};
use super::{BadPoint, VerifyError, Weakness};
use crate::groth16::{Fault, InSubgroup};
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

/// The proofs, if the points of all of them are on their curves and in their subgroups: the `check` of many proofs, by a
/// device. Variable time.
///
/// Whether they are in the subgroup is asked of random sums of many points, where that is cheaper. `rng` must not be foreseeable by
/// whoever made the proofs: a bad point is then missed with probability below 2^-80.
///
/// # Errors
/// The first proof with a point that is not, those that are not on the curve first, or the error of an operator.
pub fn check_proofs<E: Pairing, P: ProofPoints<E>>(
    on: &mut Session<'_, E>,
    proofs: &[P],
    rng: &mut dyn CryptoRng,
) -> Result<Vec<InSubgroup<P>>, VerifyError> {
    on.phase("check proofs");
    let points: Vec<_> = proofs.iter().flat_map(P::list).collect();
    let fault = |fault: Fault, good: &[bool]| {
        let of_proofs = good.chunks(P::NAMES.len()).enumerate();
        let mut bad =
            of_proofs.flat_map(|(index, good)| good.iter().zip(P::NAMES).map(move |at| (index, at)));
        bad.find(|(_, (good, _))| !**good).map_or(Ok(()), |(index, (_, element))| {
            let why = BadPoint { element: *element, fault };
            Err(VerifyError::InBatch { index, why: Box::new(why.into()) })
        })
    };
    let on_curve: Vec<bool> = points.iter().map(|p| p.is_on_curve()).collect();
    fault(Fault::OffCurve, &on_curve)?;
    let mut seed = [0; 32];
    rng.fill_bytes(&mut seed);
    if !on.all_in_subgroup_g1(&points, &seed)? {
        fault(Fault::WrongSubgroup, &on.in_subgroup_g1(&points)?)?;
    }
    Ok(proofs.iter().copied().map(InSubgroup).collect())
}

/// A verifying key whose proofs are judged by one equation of two pairings.
pub trait Judge<E: Pairing>: Clone + fmt::Debug {
    /// The proofs for it.
    type Proof: ProofPoints<E>;

    /// The key, if its points are on their curves and in their subgroups, and X_2 is not infinity. Variable time.
    fn checked(self) -> Result<InSubgroup<Self>, BadPoint>;
    /// The domain whose points number the rows.
    fn domain(&self) -> Domain<E::Fr>;
    /// The factors of the domain for the cells of the columns b and c.
    fn factors(&self) -> [E::Fr; 2];
    /// Number of public values.
    fn public(&self) -> usize;
    /// τ in the second group.
    fn x_2(&self) -> G2Affine<E>;
    /// The points of the first group that enter its equations.
    fn points(&self) -> Vec<G1Affine<E>>;
    /// The equation of a proof, for as many public values as the key wants; an error when there is none.
    fn equation(&self, public: &[E::Fr], proof: &InSubgroup<Self::Proof>)
    -> Result<Equation<E>, VerifyError>;
}

/// What makes a key worthless: of its domain, the factors of its columns, its τ and its number of public values.
pub(crate) fn weakness<E: Pairing, K: Judge<E>>(vk: &K) -> Option<Weakness> {
    let (domain, [k1, k2]) = (vk.domain(), vk.factors());
    let (k1, k2) = (domain.power_of(k1), domain.power_of(k2));
    // The n-th power tells the cosets of the domain apart.
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

/// The equation of a proof.
fn equation<E: Pairing, K: Judge<E>>(
    vk: &K,
    public: &[E::Fr],
    proof: &InSubgroup<K::Proof>,
) -> Result<Equation<E>, VerifyError> {
    if public.len() != vk.public() {
        return Err(VerifyError::PublicCount { expected: vk.public(), found: public.len() });
    }
    vk.equation(public, proof)
}

/// A verifying key made ready for many proofs: with the line coefficients of its X_2 and of the generator. It is of checked
/// points, and safe unless it was asked for as it is.
#[derive(Clone, Debug)]
pub struct Prepared<E: Pairing, K: Judge<E>> {
    vk: K,
    x_2: FixedG2<E>,
    one: FixedG2<E>,
}

/// That there is a witness for public values under a key, and the proof of it.
#[derive(Debug)]
pub struct Claim<'a, E: Pairing, K: Judge<E>> {
    /// The key of the circuit.
    pub key: &'a Prepared<E, K>,
    /// The public values.
    pub public: &'a [E::Fr],
    /// The proof for these values.
    pub proof: &'a InSubgroup<K::Proof>,
}

impl<E: Pairing, K: Judge<E>> Clone for Claim<'_, E, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Pairing, K: Judge<E>> Copy for Claim<'_, E, K> {}

impl<E: Pairing, K: Judge<E>> Prepared<E, K> {
    /// Computes what depends on the key alone. A key under which anybody can forge proofs ([`Weakness`]) is refused.
    ///
    /// # Errors
    /// [`VerifyError::UnsafeKey`].
    #[inline(never)]
    pub fn new(on: &mut Session<'_, E>, vk: &InSubgroup<K>) -> Result<Self, VerifyError> {
        match weakness(&**vk) {
            Some(weakness) => Err(weakness.into()),
            None => Ok(Self::of_unsafe_key(on, vk)),
        }
    }

    /// [`Prepared::new`] for a key that may be one under which anybody can forge proofs: what it accepts says nothing then.
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

    /// Number of public values of a proof.
    pub fn public(&self) -> usize {
        self.vk.public()
    }

    /// Accepts a proof for these public values, or says why not: two MSMs of a few points and two pairings.
    ///
    /// # Errors
    /// Anything but acceptance.
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

/// Accepts a proof for these public values, or says why not.
///
/// The points of key and proof are checked to be on their curves and in their subgroups, and a key under which anybody can
/// forge proofs accepts none. For more than one proof under a key, and for points that were checked, prepare it:
/// [`Prepared`].
///
/// # Errors
/// Anything but acceptance.
#[inline(never)]
pub fn verify<E: Pairing, K: Judge<E>>(
    on: &mut Session<'_, E>,
    vk: &K,
    public: &[E::Fr],
    proof: &K::Proof,
) -> Result<(), VerifyError> {
    let proof = check_proof(*proof)?;
    Prepared::new(on, &vk.clone().checked()?)?.verify(on, public, &proof)
}

/// [`verify`] under a key that may be one for which anybody can forge proofs: acceptance says nothing then. It is for
/// tests, and to look at such keys.
///
/// # Errors
/// Anything but acceptance.
#[inline(never)]
pub fn verify_with_unsafe_key<E: Pairing, K: Judge<E>>(
    on: &mut Session<'_, E>,
    vk: &K,
    public: &[E::Fr],
    proof: &K::Proof,
) -> Result<(), VerifyError> {
    let proof = check_proof(*proof)?;
    Prepared::of_unsafe_key(on, &vk.clone().checked()?).verify(on, public, &proof)
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
#[inline(never)]
pub fn batch_verify<E: Pairing, K: Judge<E>>(
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
fn sum_holds<E: Pairing, K: Judge<E>>(
    on: &mut Session<'_, E>,
    key: &Prepared<E, K>,
    equations: &[(Claim<'_, E, K>, Equation<E>)],
) -> Result<bool, DeviceError> {
    let mut left: (Vec<G1Affine<E>>, Vec<E::Fr>) = Default::default();
    let mut right: (Vec<G1Affine<E>>, Vec<E::Fr>) = (vec![Affine::generator()], Vec::new());
    let generator = equations.iter().fold(E::Fr::ZERO, |sum, (_, equation)| sum + equation.generator);
    right.1.push(generator);
    // The points of a key stand in the sum once, whatever the number of its proofs.
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
