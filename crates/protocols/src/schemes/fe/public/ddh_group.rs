//! The groups of the public-key scheme: G1 of BLS12-381, and Jubjub, whose arithmetic is native in a circuit over the scalar field of
//! BLS12-381.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use crate::schemes::fe::FeError;
use crate::schemes::fe::logarithm::Group;
use crate::schemes::fe::wire::Kind;
use alloc::vec::Vec;
use core::fmt::Debug;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::encoding::{PointEncoding, PointError, ZcashCompressed};
use pairwright_curve::jubjub::{self, Jubjub};
use pairwright_curve::{Affine, Curve, EdwardsAffine, Projective};
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

/// A group of prime order in which the decisional Diffie-Hellman problem is assumed to be hard.
pub trait DdhGroup: Copy + Eq + Debug + Send + Sync + 'static {
    /// Integers modulo the group's order.
    type Scalar: PrimeField;
    /// Points of the group, affine.
    type Point: Group + Eq + Debug + Zeroize;
    /// Number of bytes of an encoded point.
    const POINT: usize;
    /// The byte of this group's first kind of encoding; the others follow.
    #[doc(hidden)]
    const FIRST_KIND: u8;
    /// The names of master keys, public keys, function keys and ciphertexts in messages.
    #[doc(hidden)]
    const NAMES: [&'static str; 4];

    /// The generator `g`.
    fn generator() -> Self::Point;
    /// The generator `h`, hashed from a fixed text, so that nobody knows its logarithm to `g`.
    fn second_generator() -> Self::Point;
    /// Computes `a·p + b·q` for each `[(p, a), (q, b)]`. Constant time.
    fn sums(terms: &[[(Self::Point, Self::Scalar); 2]]) -> Vec<Self::Point>;
    /// Computes `Σ weights[i]·points[i]` for public weights. Variable time.
    ///
    /// # Errors
    /// When the device fails.
    fn weighted_sum_vartime(
        on: &mut Session<'_, Bls12_381>,
        points: &[Self::Point],
        weights: &[i64],
    ) -> Result<Self::Point, FeError>;
    /// The difference `p - q`. Constant time but for neutral points.
    fn difference(p: &Self::Point, q: &Self::Point) -> Self::Point;
    /// Reads a point of the group, [`Self::POINT`] bytes. Variable time.
    ///
    /// # Errors
    /// When the bytes do not encode a point, or the point is not in the group.
    fn read(bytes: &[u8]) -> Result<Self::Point, PointError>;
    /// The bytes of a point.
    fn write(point: &Self::Point) -> Vec<u8>;
}

/// The kind of encoding of a group at an index of [`DdhGroup::NAMES`].
pub(super) fn kind<G: DdhGroup>(place: u8) -> Kind {
    let what = G::NAMES.get(usize::from(place)).copied().unwrap_or_default();
    Kind { what, byte: G::FIRST_KIND.wrapping_add(place), most: super::MOST_DIMENSION }
}

impl DdhGroup for G1 {
    type Scalar = Fr;
    type Point = Affine<G1>;
    const POINT: usize = 48;
    const FIRST_KIND: u8 = 1;
    const NAMES: [&'static str; 4] =
        ["master key of ALS16", "public key of ALS16", "function key of ALS16", "ciphertext of ALS16"];

    fn generator() -> Affine<G1> {
        G1::GENERATOR
    }
    fn second_generator() -> Affine<G1> {
        super::second_generator()
    }
    fn sums(terms: &[[(Affine<G1>, Fr); 2]]) -> Vec<Affine<G1>> {
        let sum = |[(p, a), (q, b)]: &[(Affine<G1>, Fr); 2]| {
            Projective::mul_sum(&[(Projective::from(*p), *a), (Projective::from(*q), *b)])
        };
        let sums: Zeroizing<Vec<Projective<G1>>> = Zeroizing::new(terms.iter().map(sum).collect());
        Projective::batch_to_affine(&sums)
    }
    /// One MSM on the device. Negative weights negate their points, so that the scalars are as short as the integers.
    fn weighted_sum_vartime(
        on: &mut Session<'_, Bls12_381>,
        points: &[Affine<G1>],
        weights: &[i64],
    ) -> Result<Affine<G1>, FeError> {
        let (points, sizes): (Vec<_>, Vec<_>) = (weights.iter().zip(points))
            .map(|(y, e)| (if *y < 0 { -*e } else { *e }, Fr::from(y.unsigned_abs())))
            .unzip();
        let (points, sizes): (Buf<_>, Buf<_>) = (points.into(), sizes.into());
        Ok(on.msm_g1(points.view(), sizes.view())?.to_affine())
    }
    fn difference(p: &Affine<G1>, q: &Affine<G1>) -> Affine<G1> {
        (Projective::from(*p) + Projective::from(-*q)).to_affine()
    }
    fn read(bytes: &[u8]) -> Result<Affine<G1>, PointError> {
        ZcashCompressed::read(bytes)
    }
    fn write(point: &Affine<G1>) -> Vec<u8> {
        ZcashCompressed::to_vec(point)
    }
}

/// The affine form of a point of Jubjub's subgroup.
#[expect(clippy::expect_used, reason = "sums on Jubjub are complete, so that no Z is zero: d is no square")]
fn affine(point: &jubjub::Point) -> EdwardsAffine<Jubjub> {
    point.to_triple().expect("the sum of points of Jubjub has an affine form")
}

impl DdhGroup for Jubjub {
    type Scalar = jubjub::Fr;
    type Point = EdwardsAffine<Jubjub>;
    const POINT: usize = 32;
    const FIRST_KIND: u8 = 33;
    const NAMES: [&'static str; 4] = [
        "master key of ALS16 on Jubjub",
        "public key of ALS16 on Jubjub",
        "function key of ALS16 on Jubjub",
        "ciphertext of ALS16 on Jubjub",
    ];

    fn generator() -> Self::Point {
        affine(&jubjub::Point::generator())
    }
    /// Hashes the tag and a counter, four bytes little-endian from 0, until the digest encodes a point whose product with the cofactor is
    /// not neutral; that product is the generator.
    fn second_generator() -> Self::Point {
        const TAG: &[u8] = b"PAIRWRIGHT-FE-ALS16-V01-WITH-JUBJUB_SHA-256_h";
        let mut counter = 0u32;
        loop {
            let digest = Sha256::new().chain_update(TAG).chain_update(counter.to_le_bytes()).finalize();
            let point = jubjub::Point::read_unchecked_subgroup(&digest).map(|point| point.clear_cofactor());
            if let Some(point) = point.ok().filter(|point| !point.is_identity()) {
                return affine(&point);
            }
            counter = counter.wrapping_add(1);
        }
    }
    fn sums(terms: &[[(Self::Point, jubjub::Fr); 2]]) -> Vec<Self::Point> {
        let sum = |[(p, a), (q, b)]: &[(Self::Point, jubjub::Fr); 2]| {
            p.to_extended().mul(a) + q.to_extended().mul(b)
        };
        let sums = Zeroizing::new(terms.iter().map(sum).collect::<Vec<_>>());
        sums.iter().map(affine).collect()
    }
    /// Computed on the host, because no device has an operator for Jubjub.
    fn weighted_sum_vartime(
        on: &mut Session<'_, Bls12_381>,
        points: &[Self::Point],
        weights: &[i64],
    ) -> Result<Self::Point, FeError> {
        let sum = || {
            let terms = weights.iter().zip(points).map(|(y, e)| {
                let size = e.to_extended().mul_limbs_vartime(&[y.unsigned_abs()]);
                if *y < 0 { -size } else { size }
            });
            affine(&terms.sum())
        };
        Ok(on.host("fe weighed sum", points.len(), sum))
    }
    fn difference(p: &Self::Point, q: &Self::Point) -> Self::Point {
        affine(&(p.to_extended() - *q))
    }
    fn read(bytes: &[u8]) -> Result<Self::Point, PointError> {
        jubjub::Point::read(bytes).map(|point| affine(&point))
    }
    fn write(point: &Self::Point) -> Vec<u8> {
        point.to_extended().to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_are_of_the_subgroup_and_differ() {
        let [g, h] = [Jubjub::generator(), Jubjub::second_generator()];
        assert!(g.to_extended().is_in_subgroup_vartime() && h.to_extended().is_in_subgroup_vartime());
        assert!(!g.is_identity() && !h.is_identity() && g != h && g != -h);
        for point in [g, h, EdwardsAffine::IDENTITY] {
            assert_eq!(Jubjub::read(&Jubjub::write(&point)).unwrap(), point);
        }
    }
}
