//! Threshold signatures: a secret key is shared among `n` signers so that any `t` of them can sign together, and fewer learn
//! nothing about the key (Shamir 1979; Boldyreva, PKC 2003).
//!
//! The dealer draws a polynomial `f` of degree `t - 1` with `f(0)` the secret key. Signer `i`, counted from 1, holds `f(i)` and signs
//! with it as with any key. Interpolating the signatures of `t` signers at zero, in the group of signatures, gives the signature of
//! `f(0)`. Signatures are unique, so nobody sees who took part. With [`PublicPolynomial`], which the dealer publishes (Feldman 1987),
//! every signer's partial signature can be verified by itself. In the comments below, a *part* is a signer's index with its partial
//! signature.
//!
//! The shares are those of drand and kyber's `share`, where indices begin at zero: an index there is the index here less one.

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

/// Why a key was not split, or shares or parts were not combined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// The threshold is zero or above the number of signers.
    #[error("{threshold} of {signers} signers: the threshold is from 1 to the number of signers")]
    Threshold {
        /// Number of signers that are to sign together.
        threshold: u16,
        /// Number of signers that hold a share.
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
    /// A part has the index zero, at which the polynomial's value is the secret key.
    #[error("a share with the index 0")]
    IndexZero,
    /// Two parts have the index of one signer.
    #[error("two parts of signer {index}")]
    Repeated {
        /// The signer's index, from 1 on.
        index: u16,
    },
    /// The combined shares do not give a valid key.
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

/// The points that a dealer publishes: the coefficients of the polynomial times the generator, the constant coefficient first. The
/// public keys of all shares follow from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicPolynomial<V: Variant> {
    coefficients: Vec<Affine<V::Keys>>,
}

impl<V: Variant> PublicPolynomial<V> {
    /// Checks published coefficients, of which the first is the public key. Variable time.
    ///
    /// # Errors
    /// When the list is empty, a point is not in the subgroup, or the first is the neutral element.
    pub fn from_points(coefficients: &[Affine<V::Keys>]) -> Result<Self, BlsError> {
        let (first, rest) = coefficients.split_first().ok_or(BlsError::Empty)?;
        PublicKey::<V>::from_point(*first)?;
        rest.iter().try_for_each(super::keys::check)?;
        Ok(Self { coefficients: coefficients.to_vec() })
    }

    /// The coefficients times the generator, the public key first.
    pub fn points(&self) -> &[Affine<V::Keys>] {
        &self.coefficients
    }

    /// Number of signers that are needed for a signature.
    pub fn threshold(&self) -> usize {
        self.coefficients.len()
    }

    /// The public key of the secret key that was shared.
    ///
    /// # Errors
    /// Does not fail for coefficients that were checked.
    pub fn key(&self) -> Result<PublicKey<V>, BlsError> {
        self.share(0)
    }

    /// The public key of the signer with this index, under which the signer's partial signatures are verified. Variable time.
    ///
    /// # Errors
    /// When the key is the neutral element: [`split`] makes no such share.
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

/// Splits a key into shares for `signers` signers, any `threshold` of whom can sign together. Constant time but for the two numbers.
///
/// # Errors
/// When the threshold is zero or above the number of signers.
pub fn split<V: Variant>(
    key: &SecretKey,
    threshold: u16,
    signers: u16,
    rng: &mut dyn CryptoRng,
) -> Result<(Vec<Share>, PublicPolynomial<V>), ThresholdError> {
    if threshold == 0 || threshold > signers {
        return Err(ThresholdError::Threshold { threshold, signers });
    }
    // A share of zero is not a valid key. It does not happen in practice; if it did, the polynomial is drawn again.
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
        return Ok((shares, PublicPolynomial { coefficients }));
    }
}

/// Combines the parts of at least `threshold` signers into the signature of the shared key; the first `threshold` parts are used. All
/// parts must be signatures of one message. A part that is not valid under its signer's public key makes the result invalid, so
/// verify the parts before, or the result afterwards.
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

/// Recovers the secret key from at least `threshold` shares; the first `threshold` are used.
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

/// Collects indices, and checks that none is zero and none is repeated.
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

/// The Lagrange coefficients at zero for these evaluation points: for each `i` the product `Π j / (j - i)` over all other points `j`.
fn at_zero(places: &[u16]) -> Vec<Fr> {
    let place = |i: &u16| Fr::from(u64::from(*i));
    let others = |i: &u16, factor: &dyn Fn(&u16) -> Fr| {
        places.iter().filter(|j| *j != i).fold(Fr::ONE, |product, j| product * factor(j))
    };
    // Distinct points below 2^16 differ modulo r, so that no denominator is zero.
    let mut inverses: Vec<Fr> = places.iter().map(|i| others(i, &|j| place(j) - place(i))).collect();
    batch_invert(&mut inverses);
    places.iter().zip(inverses).map(|(i, inverse)| others(i, &place) * inverse).collect()
}
