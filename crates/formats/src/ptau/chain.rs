//! Verifies that the four lists of points are the powers of one τ in both groups, and those in G1 times α and times β.
//!
//! Let n be the number of powers in G2, and w a vector of n random weights. All lists are combined with the same weights. The
//! powers of τ in G1 are combined three times, since there are twice as many and the other lists are compared with them:
//!
//! | combination | of the points | is compared by |
//! |---|---|---|
//! | `A = Σ w_i·τ^i`, `B = Σ w_i·τ^(i+1)` | G1 | `e(B, 1) = e(A, τ)`: the first n + 1 powers of G1 |
//! | `D = Σ w_i·τ^i` | G2 | `e(A, 1) = e(1, D)`: the powers of G2 |
//! | `H = Σ w_i·τ^(n-1+i)` | G1 | `e(H, 1) = e(τ^(n-1), D)`: the other powers of G1 |
//! | `Σ w_i·α·τ^i` and with β | G1 | `e(Σ, 1) = e(α, D)`, and with β |
//!
//! Each line relies on the lines before it. A false list passes the first check that concerns it with a probability of 2^-80,
//! whatever else the weights have been used for.

use super::PtauFile;
use super::error::VerifyPowersError;
use super::record::Heads;
use super::weights::Weights;
use crate::ceremony::blake2b::Blake2b;
use crate::ceremony::ratio::holds;
use crate::ceremony::record::push_uncompressed;
use crate::container::widen;
use crate::points::PointSource;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_poly::{Buf, Source, View};
use rand_core::CryptoRng;

/// The approximate cost of an operation on a point of G2, in operations on points of G1.
pub(super) const G2_WEIGHT: u64 = 3;

/// A multi-scalar multiplication on a device.
pub(super) type Msm<'a, C> = &'a mut dyn FnMut(
    View<'_, Affine<C>>,
    View<'_, <C as Curve>::Scalar>,
) -> Result<Jacobian<C>, DeviceError>;

/// Verifies that the lists of a file are powers of one τ and begin with the points `heads`; hashes all points in the order of
/// the file.
pub(super) fn verify_lists<E: Pairing>(
    on: &mut Session<'_, E>,
    ptau: &PtauFile<E>,
    heads: &Heads<E>,
    hash: &mut Blake2b,
    rng: &mut dyn CryptoRng,
    done: &mut dyn FnMut(u64),
) -> Result<(), VerifyPowersError> {
    let (one_g1, one_g2) = (Affine::<E::G1>::generator(), Affine::<E::G2>::generator());
    let n = ptau.lists.tau_g2.len();
    let weights = Weights::draw(n, rng);
    let equal = |on: &mut Session<'_, E>, part, g1: [G1Affine<E>; 2], g2: [G2Affine<E>; 2]| {
        let what = "its points are not successive multiples by tau";
        if holds(on, g1, g2)? { Ok(()) } else { Err(VerifyPowersError::Powers { part, what }) }
    };

    let mut tau = List::new("tauG1", &ptau.lists.tau_g1, &[one_g1, heads.tau_g1]);
    let [a, b] = tau.combine(0, [0, 1], &weights, &mut |p, w| on.msm_g1(p, w), hash, done)?;
    let at = n.saturating_sub(1);
    let [h] = tau.combine(at, [0], &weights, &mut |p, w| on.msm_g1(p, w), hash, done)?;
    let last = ptau.lists.tau_g1.at(at)?;

    let mut in_g2 = List::new("tauG2", &ptau.lists.tau_g2, &[one_g2, heads.tau_g2]);
    let mut weighed = |points: u64| done(points.saturating_mul(G2_WEIGHT));
    let [d] = in_g2.combine(0, [0], &weights, &mut |p, w| on.msm_g2(p, w), hash, &mut weighed)?;
    // A file with a single power has no second power to compare.
    if ptau.lists.tau_g1.len() > 1 {
        equal(on, "tauG1", [a, b], [one_g2, heads.tau_g2])?;
    }
    equal(on, "tauG2", [one_g1, a], [one_g2, d])?;
    equal(on, "tauG1", [last, h], [one_g2, d])?;
    for (part, source, head) in [
        ("alphaTauG1", &ptau.lists.alpha_tau_g1, heads.alpha_g1),
        ("betaTauG1", &ptau.lists.beta_tau_g1, heads.beta_g1),
    ] {
        let mut list = List::new(part, source, &[head]);
        let [sum] = list.combine(0, [0], &weights, &mut |p, w| on.msm_g1(p, w), hash, done)?;
        equal(on, part, [head, sum], [one_g2, d])?;
    }
    Ok(())
}

/// A list of points that is read from its beginning to its end.
struct List<'a, C: Curve> {
    part: &'static str,
    source: &'a PointSource<C>,
    /// The points that the list has to begin with.
    expected: Vec<Affine<C>>,
    /// Number of points that have been hashed so far.
    hashed: usize,
}

impl<'a, C: Curve> List<'a, C> {
    fn new(part: &'static str, source: &'a PointSource<C>, expected: &[Affine<C>]) -> Self {
        Self { part, source, expected: expected.to_vec(), hashed: 0 }
    }

    /// Computes `Σ w_i·P_{from+i+offset}` for each offset, 0 or 1, over as many points as there are weights; points that are
    /// read for the first time are hashed.
    #[allow(clippy::arithmetic_side_effects)] // Arithmetic of a group: nothing overflows.
    fn combine<const OFFSETS: usize>(
        &mut self,
        from: usize,
        offsets: [usize; OFFSETS],
        weights: &Weights,
        msm: Msm<'_, C>,
        hash: &mut Blake2b,
        done: &mut dyn FnMut(u64),
    ) -> Result<[Affine<C>; OFFSETS], VerifyPowersError> {
        let mut sums = [Jacobian::INFINITY; OFFSETS];
        let more = offsets.into_iter().max().unwrap_or(0);
        for chunk in weights.chunks() {
            let start = from.saturating_add(chunk.start);
            let end = from.saturating_add(chunk.end).saturating_add(more).min(self.source.len());
            let mut points = Vec::new();
            self.source.decode(start..end, &mut points)?;
            if start == 0 && points.iter().zip(&self.expected).any(|(p, expected)| p != expected) {
                let what = "its first points are not the last contribution's";
                return Err(VerifyPowersError::Powers { part: self.part, what });
            }
            hash_points(hash, points.get(self.hashed.saturating_sub(start)..).unwrap_or_default());
            self.hashed = self.hashed.max(end);
            let (points, weights) = (Buf::from(points), weights.of(&chunk));
            for (sum, offset) in sums.iter_mut().zip(offsets) {
                let count = points.len().saturating_sub(offset).min(weights.len());
                let slice = points.slice(offset..offset.saturating_add(count));
                *sum += msm(slice, weights.slice(..count))?;
            }
            done(widen(chunk.len()));
        }
        Ok(sums.map(|sum| sum.to_affine()))
    }
}

/// Hashes points in their order.
fn hash_points<C: Curve>(hash: &mut Blake2b, points: &[Affine<C>]) {
    for points in points.chunks(1 << 12) {
        let mut bytes = Vec::new();
        points.iter().for_each(|p| push_uncompressed(&mut bytes, p));
        hash.update(&bytes);
    }
}
