//! Claims that a pair of points in G1 and a pair in G2 have the same ratio. The verification of a ceremony consists of many of
//! them.

use alloc::vec::Vec;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::{Field, PrimeField};
use rand_core::CryptoRng;

/// The claim that `b = x·a` in G1 and `d = x·c` in G2 for one x: `e(a, d) = e(b, c)`.
pub(crate) struct Ratio<E: Pairing> {
    pub(crate) g1: [G1Affine<E>; 2],
    pub(crate) g2: [G2Affine<E>; 2],
    /// Number of the contribution, from 1, and the message for the case that the claim is false.
    pub(crate) number: usize,
    pub(crate) what: &'static str,
}

/// The first claim that does not hold, if any. All claims are tested together first, and one by one only if that test fails.
pub(crate) fn first_wrong<'r, E: Pairing>(
    on: &mut Session<'_, E>,
    ratios: &'r [Ratio<E>],
    rng: &mut dyn CryptoRng,
) -> Result<Option<&'r Ratio<E>>, DeviceError> {
    if all_hold(on, ratios, rng)? {
        return Ok(None);
    }
    for ratio in ratios {
        if !holds(on, ratio.g1, ratio.g2)? {
            return Ok(Some(ratio));
        }
    }
    // Not reached with a correct device: if every claim holds, the combined product is one.
    Ok(ratios.last())
}

/// Whether all claims hold, tested by one product of pairings in which each claim has a random weight.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
fn all_hold<E: Pairing>(
    on: &mut Session<'_, E>,
    ratios: &[Ratio<E>],
    rng: &mut dyn CryptoRng,
) -> Result<bool, DeviceError> {
    let points: Vec<G1Affine<E>> = ratios.iter().flat_map(|r| r.g1).collect();
    let weights: Vec<E::Fr> = ratios.iter().flat_map(|_| [weight(rng); 2]).collect();
    let points = on.scale_points_g1(&points, &weights)?;
    let pairs = points.as_chunks::<2>().0.iter().zip(ratios);
    let pairs: Vec<_> = pairs.flat_map(|([a, b], r)| [(*a, r.g2[1]), (-*b, r.g2[0])]).collect();
    Ok(on.multi_pairing(&pairs)? == E::Gt::ONE)
}

/// Whether `e(a, d) = e(b, c)`.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
pub(crate) fn holds<E: Pairing>(
    on: &mut Session<'_, E>,
    [a, b]: [G1Affine<E>; 2],
    [c, d]: [G2Affine<E>; 2],
) -> Result<bool, DeviceError> {
    Ok(on.multi_pairing(&[(a, d), (-b, c)])? == E::Gt::ONE)
}

/// A uniform weight of 80 bits: a false claim is missed with probability 2^-80.
pub(crate) fn weight<F: PrimeField>(rng: &mut dyn CryptoRng) -> F {
    F::from_limbs_reduced(&[rng.next_u64(), rng.next_u64() & 0xffff])
}
