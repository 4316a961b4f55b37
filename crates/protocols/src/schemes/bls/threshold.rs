//! Threshold signatures: a secret key is shared among `n` signers so that any `t` of them sign together, and fewer learn
//! nothing (Shamir 1979; Boldyreva, PKC 2003).
//!
//! The dealer draws a polynomial `f` of degree `t - 1` with `f(0)` the secret key. Signer `i`, from 1 on, holds `f(i)` and signs
//! with it as with any key. What `t` signers have signed is interpolated at zero, in the group of signatures, which gives the
//! signature of `f(0)`: signatures are unique, so that nobody sees who took part. With [`PublicShares`], which the dealer
//! publishes (Feldman 1987), every signer's part can be verified by itself.
//!
//! The shares are those of drand and kyber's `share`, whose indices begin at zero: theirs is ours less one.

use super::keys::sum;
use super::{BlsError, PublicKey, SecretKey, Signature, Variant};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::bls12_381::Fr;
use pairwright_curve::{Affine, Curve, Jacobian, Projective};
use pairwright_field::{Field, batch_invert};
use rand_core::CryptoRng;
use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

/// Why a key was not shared, or shares were not put together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// The threshold is zero or above the number of signers.
    #[error("{threshold} of {signers} signers: the threshold is from 1 to the number of signers")]
    Threshold {
        /// Signers that are to sign together.
        threshold: u16,
        /// Signers that hold a share.
        signers: u16,
    },
    /// There are fewer parts than the threshold.
    #[error("{found} parts, {threshold} are needed")]
    TooFew {
        /// Number of parts that were given.
        found: usize,
        /// Number of parts that are needed.
        threshold: u16,
    },
    /// No signer has the index zero, which is the secret key's.
    #[error("a share with the index 0")]
    IndexZero,
    /// Two parts are of one signer.
    #[error("two parts of signer {index}")]
    Repeated {
        /// The signer's index.
        index: u16,
    },
    /// What the parts give is no key.
    #[error(transparent)]
    Key(#[from] BlsError),
}

/// A signer's share of a secret key: `f(index)`. Wiped when dropped.
pub struct Share {
    /// The signer's index, from 1 on.
    pub index: u16,
    /// The secret key that the signer signs with.
    pub key: SecretKey,
}

/// Prints the index and nothing of the key.
impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("index", &self.index).finish_non_exhaustive()
    }
}

/// What a dealer publishes: the coefficients of the polynomial times the generator, the constant one first. All public keys of
/// shares follow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicShares<V: Variant> {
    coefficients: Vec<Affine<V::Keys>>,
}

impl<V: Variant> PublicShares<V> {
    /// Takes published coefficients, of which the first is the public key. Variable time.
    ///
    /// # Errors
    /// When there is none, a point is not in the subgroup, or the first is the neutral element.
    pub fn from_points(coefficients: &[Affine<V::Keys>]) -> Result<Self, BlsError> {
        let (first, rest) = coefficients.split_first().ok_or(BlsError::Empty)?;
        PublicKey::<V>::from_point(*first)?;
        rest.iter().try_for_each(super::keys::check)?;
        Ok(Self { coefficients: coefficients.to_vec() })
    }

    /// The points, the public key first.
    pub fn points(&self) -> &[Affine<V::Keys>] {
        &self.coefficients
    }

    /// Number of signers that sign together.
    pub fn threshold(&self) -> usize {
        self.coefficients.len()
    }

    /// The public key of all together: of the secret key that was shared.
    ///
    /// # Errors
    /// Never for coefficients that were checked.
    pub fn key(&self) -> Result<PublicKey<V>, BlsError> {
        self.share(0)
    }

    /// The public key of a signer, under which its parts are verified. Variable time.
    ///
    /// # Errors
    /// When the share is zero, which no dealer gives out.
    pub fn share(&self, index: u16) -> Result<PublicKey<V>, BlsError> {
        let x = <V::Keys as Curve>::Scalar::from(u64::from(index));
        // Horner: the highest coefficient first.
        let value = self
            .coefficients
            .iter()
            .rev()
            .fold(Jacobian::INFINITY, |value, coefficient| value.mul_vartime(&x).add_mixed(coefficient));
        let point = value.to_affine();
        if point.is_infinity() { Err(BlsError::NeutralKey) } else { Ok(PublicKey { point }) }
    }
}

/// Shares a key among `signers`, any `threshold` of whom sign together. Constant time but for the two numbers.
///
/// # Errors
/// When the threshold is zero or above the number of signers.
pub fn split<V: Variant>(
    key: &SecretKey,
    threshold: u16,
    signers: u16,
    rng: &mut dyn CryptoRng,
) -> Result<(Vec<Share>, PublicShares<V>), ThresholdError> {
    if threshold == 0 || threshold > signers {
        return Err(ThresholdError::Threshold { threshold, signers });
    }
    // A share that is zero is no key. It does not occur; if it did, the polynomial would be drawn again.
    loop {
        let mut polynomial = Zeroizing::new(Vec::with_capacity(usize::from(threshold)));
        polynomial.push(key.scalar);
        polynomial.extend((1..threshold).map(|_| Fr::random(rng)));
        let value = |index: u16| {
            let x = Fr::from(u64::from(index));
            polynomial.iter().rev().fold(Fr::ZERO, |value, coefficient| value * x + *coefficient)
        };
        let shares: Vec<Share> =
            (1..=signers).map(|index| Share { index, key: SecretKey { scalar: value(index) } }).collect();
        if shares.iter().any(|share| share.key.scalar.is_zero()) {
            continue;
        }
        let generator = Projective::<V::Keys>::generator();
        let coefficients = polynomial.iter().map(|c| generator.mul(c).to_affine()).collect();
        return Ok((shares, PublicShares { coefficients }));
    }
}

/// The signature of the shared key from parts of at least `threshold` signers, of which the first `threshold` are used. The parts
/// are of one message; one that is not valid under its signer's public key spoils the result, so that parts are verified before,
/// or the result is afterwards.
///
/// # Errors
/// When there are too few parts, or two of one signer.
pub fn combine<V: Variant>(
    parts: &[(u16, Signature<V>)],
    threshold: u16,
) -> Result<Signature<V>, ThresholdError> {
    let parts = enough(parts, threshold)?;
    let weights = at_zero(&indices(parts.iter().map(|(index, _)| *index))?);
    let points = parts
        .iter()
        .zip(weights)
        .map(|((_, signature), weight)| Jacobian::from(signature.point).mul_vartime(&weight).to_affine());
    Ok(Signature { point: sum(points) })
}

/// The secret key from at least `threshold` shares, of which the first `threshold` are used.
///
/// # Errors
/// When there are too few shares, two of one signer, or they give no key.
pub fn recover(shares: &[Share], threshold: u16) -> Result<SecretKey, ThresholdError> {
    let shares = enough(shares, threshold)?;
    let weights = at_zero(&indices(shares.iter().map(|share| share.index))?);
    let terms = shares.iter().zip(weights).map(|(share, weight)| share.key.scalar * weight);
    let mut scalar = terms.fold(Fr::ZERO, |sum, term| sum + term);
    if scalar.is_zero() {
        scalar.zeroize();
        return Err(BlsError::SecretKey.into());
    }
    Ok(SecretKey { scalar })
}

/// The first `threshold` parts.
fn enough<T>(parts: &[T], threshold: u16) -> Result<&[T], ThresholdError> {
    if threshold == 0 {
        return Err(ThresholdError::Threshold { threshold, signers: 0 });
    }
    parts.get(..usize::from(threshold)).ok_or(ThresholdError::TooFew { found: parts.len(), threshold })
}

/// Indices that are not zero and not repeated.
fn indices(all: impl Iterator<Item = u16>) -> Result<Vec<u16>, ThresholdError> {
    let all: Vec<u16> = all.collect();
    let mut sorted = all.clone();
    sorted.sort_unstable();
    if sorted.first() == Some(&0) {
        return Err(ThresholdError::IndexZero);
    }
    match sorted.array_windows().find(|[a, b]| a == b) {
        Some([index, _]) => Err(ThresholdError::Repeated { index: *index }),
        None => Ok(all),
    }
}

/// What the values at these places weigh in the value at zero: `Π j / (j - i)` over all other places `j`.
fn at_zero(places: &[u16]) -> Vec<Fr> {
    let place = |i: &u16| Fr::from(u64::from(*i));
    let others = |i: &u16, factor: &dyn Fn(&u16) -> Fr| {
        places.iter().filter(|j| *j != i).fold(Fr::ONE, |product, j| product * factor(j))
    };
    // Distinct places are not equal modulo r, so that no denominator is zero.
    let mut inverses: Vec<Fr> = places.iter().map(|i| others(i, &|j| place(j) - place(i))).collect();
    batch_invert(&mut inverses);
    places.iter().zip(inverses).map(|(i, inverse)| others(i, &place) * inverse).collect()
}
