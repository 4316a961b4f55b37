//! Powers of tau: what a ceremony leaves behind, and the Lagrange points a setup makes of it.

use super::SetupError;
use crate::group_ntt::{Coset, ScalePoints, evaluate_vartime};
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing, batch_to_affine};
use pairwright_device::{Session, parallel};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, Source, SourceError};
use thiserror::Error;

/// The outcome of a powers-of-tau ceremony of power `p`: multiples of the generators by powers of a τ that nobody
/// knows.
pub trait PowersOfTau<E: Pairing>: Send + Sync {
    /// The power `p`: circuits may have up to `2^p` rows.
    fn power(&self) -> u32;
    /// `τ^i`, `2^(p+1) - 1` of them.
    fn tau_g1(&self) -> &dyn Source<G1Affine<E>>;
    /// `τ^i` in the second group, `2^p` of them.
    fn tau_g2(&self) -> &dyn Source<G2Affine<E>>;
    /// `α·τ^i`, `2^p` of them.
    fn alpha_tau_g1(&self) -> &dyn Source<G1Affine<E>>;
    /// `β·τ^i`, `2^p` of them.
    fn beta_tau_g1(&self) -> &dyn Source<G1Affine<E>>;
    /// `β` in the second group.
    fn beta_g2(&self) -> G2Affine<E>;
    /// The Lagrange points, if the file was prepared for setups; without them a setup computes what it needs.
    fn lagrange(&self) -> Option<LagrangePoints<'_, E>>;
}

/// Lagrange points of every domain of `1, 2, 4, …, 2^p` points one after another: those of `2^k` points begin at
/// `2^k - 1`. `tau_g1` goes on to `2^(p+1)` points, with the missing last power taken as zero.
#[derive(Clone, Copy)]
pub struct LagrangePoints<'a, E: Pairing> {
    /// The points `L_i(τ)` of G1.
    pub tau_g1: &'a dyn Source<G1Affine<E>>,
    /// `L_i(τ)` in the second group.
    pub tau_g2: &'a dyn Source<G2Affine<E>>,
    /// The points `α·L_i(τ)` of G1.
    pub alpha_tau_g1: &'a dyn Source<G1Affine<E>>,
    /// The points `β·L_i(τ)` of G1.
    pub beta_tau_g1: &'a dyn Source<G1Affine<E>>,
}

impl<E: Pairing> core::fmt::Debug for LagrangePoints<'_, E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "LagrangePoints({}, {} of tau in G1)", E::NAME, self.tau_g1.len())
    }
}

/// Why powers of tau cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PowersFault {
    /// Fewer points than the power promises.
    #[error("{part} has {found} points, {expected} are needed")]
    Short {
        /// Name of the list of points.
        part: &'static str,
        /// Number of points that are needed.
        expected: usize,
        /// Points there are.
        found: usize,
    },
    /// A point is not on its curve, or is infinity.
    #[error("{part}: point {index} is not a finite point of the curve")]
    BadPoint {
        /// Name of the list of points.
        part: &'static str,
        /// Index of the point in its list.
        index: usize,
    },
    /// A point is on the curve but outside the prime-order subgroup.
    #[error("{part}: not in the prime-order subgroup")]
    WrongSubgroup {
        /// Name of the list of points.
        part: &'static str,
    },
    /// The powers do not begin with the generator.
    #[error("{part} does not begin with the generator")]
    NotGenerator {
        /// Name of the list of points.
        part: &'static str,
    },
    /// Successive points are not multiples by one τ.
    #[error("{part}: the points are not successive multiples by one tau")]
    NotPowers {
        /// Name of the list of points.
        part: &'static str,
    },
    /// β differs between the groups.
    #[error("beta is not the same in both groups")]
    BetaDiffers,
    /// The prepared points are not the Lagrange points of the powers.
    #[error("{part}: the prepared points do not belong to the powers")]
    NotLagrange {
        /// Name of the list of points.
        part: &'static str,
    },
}

/// The powers that a setup over a domain of `n` points uses, in memory.
pub(super) struct Powers<E: Pairing> {
    /// `2n` powers, or `2n - 1` when the ceremony has no more.
    pub(super) tau_g1: Buf<G1Affine<E>>,
    pub(super) tau_g2: Buf<G2Affine<E>>,
    pub(super) alpha_tau_g1: Buf<G1Affine<E>>,
    pub(super) beta_tau_g1: Buf<G1Affine<E>>,
    pub(super) beta_g2: G2Affine<E>,
}

impl<E: Pairing> Powers<E> {
    /// Reads the powers for a domain of `n` points; every point is checked to be finite and on its curve.
    pub(super) fn load(from: &dyn PowersOfTau<E>, n: usize) -> Result<Self, SetupError> {
        let double = if from.tau_g1().len() >= 2 * n { 2 * n } else { 2 * n - 1 };
        Ok(Self {
            tau_g1: read_points("tauG1", from.tau_g1(), 0..double)?.into(),
            tau_g2: read_points("tauG2", from.tau_g2(), 0..n)?.into(),
            alpha_tau_g1: read_points("alphaTauG1", from.alpha_tau_g1(), 0..n)?.into(),
            beta_tau_g1: read_points("betaTauG1", from.beta_tau_g1(), 0..n)?.into(),
            beta_g2: from.beta_g2(),
        })
    }
}

/// The points that keys are combined from: Lagrange points of a domain of `n` points, `n` of each kind.
pub(super) struct Level<E: Pairing> {
    pub(super) tau_g1: Buf<G1Affine<E>>,
    pub(super) tau_g2: Buf<G2Affine<E>>,
    pub(super) alpha_tau_g1: Buf<G1Affine<E>>,
    pub(super) beta_tau_g1: Buf<G1Affine<E>>,
    /// The Lagrange points of the double domain at its odd positions.
    pub(super) odd: Buf<G1Affine<E>>,
}

impl<E: Pairing> Level<E> {
    /// Reads the level from a prepared ceremony.
    pub(super) fn load(from: &LagrangePoints<'_, E>, n: usize) -> Result<Self, SetupError> {
        let at = n - 1..2 * n - 1;
        let both = read_points("lagrange tauG1", from.tau_g1, 2 * n - 1..4 * n - 1)?;
        Ok(Self {
            tau_g1: read_points("lagrange tauG1", from.tau_g1, at.clone())?.into(),
            tau_g2: read_points("lagrange tauG2", from.tau_g2, at.clone())?.into(),
            alpha_tau_g1: read_points("lagrange alphaTauG1", from.alpha_tau_g1, at.clone())?.into(),
            beta_tau_g1: read_points("lagrange betaTauG1", from.beta_tau_g1, at)?.into(),
            odd: both.into_iter().skip(1).step_by(2).collect(),
        })
    }

    /// Computes the level from the powers: `L_i(τ) = Σ_j ω^(-ij)·τ^j / n` is a transform in the group.
    pub(super) fn transform(
        on: &mut Session<'_, E>,
        powers: &Powers<E>,
        domain: &Domain<E::Fr>,
    ) -> Result<Self, SetupError> {
        let n = domain.size();
        let inverse = Coset { root: domain.root_inverse(), shift: E::Fr::ONE, scale: domain.size_inverse() };
        // At the odd positions of 2n points the upper half of the sum repeats the lower with the opposite sign:
        // L_{2i+1}(τ) = Σ_{j<n} (v·ω^i)^-j·(τ^j - τ^(n+j)) / 2n, with v the root of the double domain.
        let shift = domain.odd_shift()?;
        // The shift has order 2n.
        let back = shift.pow_vartime(&[2 * n as u64 - 1]);
        let (low, high) = powers.tau_g1.split_at(n);
        let folded = on.host("fold_powers", n, || differences::<E::G1>(low, high));
        let odd = Coset { shift: back, scale: inverse.scale * E::Fr::HALF, ..inverse };
        Ok(Self {
            tau_g1: transformed(on, Session::scale_points_g1, low, inverse)?,
            tau_g2: transformed(on, Session::scale_points_g2, &powers.tau_g2, inverse)?,
            alpha_tau_g1: transformed(on, Session::scale_points_g1, &powers.alpha_tau_g1, inverse)?,
            beta_tau_g1: transformed(on, Session::scale_points_g1, &powers.beta_tau_g1, inverse)?,
            odd: transformed(on, Session::scale_points_g1, &folded, odd)?,
        })
    }
}

/// A transform of points.
fn transformed<'d, E: Pairing, C: Curve<Scalar = E::Fr>>(
    on: &mut Session<'d, E>,
    scale_points: ScalePoints<'d, E, C>,
    points: &[Affine<C>],
    coset: Coset<E::Fr>,
) -> Result<Buf<Affine<C>>, SetupError> {
    Ok(evaluate_vartime(on, scale_points, points, 1, coset, &mut |_| ())?.into())
}

/// `low[i] - high[i]`; what `high` lacks counts as zero.
fn differences<C: Curve>(low: &[Affine<C>], high: &[Affine<C>]) -> Vec<Affine<C>> {
    let parts = parallel::map(low.chunks(CHUNK), |c, chunk| {
        let of_pair = |(i, p): (usize, &Affine<C>)| {
            let q = high.get(c * CHUNK + i).copied().unwrap_or(Affine::INFINITY);
            p.to_jacobian().add_mixed(&-q)
        };
        batch_to_affine(&chunk.iter().enumerate().map(of_pair).collect::<Vec<_>>())
    });
    parts.concat()
}

/// Points of a part of a source on all threads, each checked to be finite and on its curve.
pub(crate) fn read_points<C: Curve>(
    part: &'static str,
    source: &dyn Source<Affine<C>>,
    range: Range<usize>,
) -> Result<Vec<Affine<C>>, SetupError> {
    if range.end > source.len() {
        return Err(PowersFault::Short { part, expected: range.end, found: source.len() }.into());
    }
    let points = read_all(source, range.clone())?;
    match parallel::first(&points, CHUNK, |p| p.is_infinity() || !p.is_on_curve()) {
        Some(at) => Err(PowersFault::BadPoint { part, index: range.start + at }.into()),
        None => Ok(points),
    }
}

/// Elements decoded by one task.
pub(super) const CHUNK: usize = 1 << 12;

/// A part of a source, decoded on all threads. The range lies within the source.
pub(super) fn read_all<T: Send + Clone>(
    source: &dyn Source<T>,
    range: Range<usize>,
) -> Result<Vec<T>, SourceError> {
    let parts = parallel::try_map(range.clone().step_by(CHUNK), |_, start| {
        let piece = start..range.end.min(start + CHUNK);
        let mut out = Vec::with_capacity(piece.len());
        source.read(piece, &mut out).map(|()| out)
    });
    Ok(parts?.concat())
}
