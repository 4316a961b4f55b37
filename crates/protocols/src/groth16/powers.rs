//! Powers of tau: the output of a ceremony, and the Lagrange points that a setup computes from it.

use super::SetupError;
use crate::group_ntt::{Coset, ScalePoints, evaluate_vartime};
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing, batch_to_affine};
use pairwright_device::{Session, parallel};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, Pages, Source, SourceError};
use thiserror::Error;

/// The output of a powers-of-tau ceremony of power `p`: multiples of the generators by powers of a τ that nobody knows, and by these
/// times α and β.
pub trait PowersOfTau<E: Pairing>: Send + Sync {
    /// The power `p`: circuits may have up to `2^p` rows.
    fn power(&self) -> u32;
    /// `τ^i` in the first group, `2^(p+1) - 1` of them.
    fn tau_g1(&self) -> &dyn Source<G1Affine<E>>;
    /// `τ^i` in the second group, `2^p` of them.
    fn tau_g2(&self) -> &dyn Source<G2Affine<E>>;
    /// `α·τ^i` in the first group, `2^p` of them.
    fn alpha_tau_g1(&self) -> &dyn Source<G1Affine<E>>;
    /// `β·τ^i` in the first group, `2^p` of them.
    fn beta_tau_g1(&self) -> &dyn Source<G1Affine<E>>;
    /// `β` in the second group.
    fn beta_g2(&self) -> G2Affine<E>;
    /// The Lagrange points, if the file was prepared for phase 2; otherwise a setup computes those that it needs.
    fn lagrange(&self) -> Option<LagrangePoints<'_, E>>;
}

/// Lagrange points of every domain of `1, 2, 4, …, 2^p` points one after another: those of `2^k` points begin at
/// `2^k - 1`. `tau_g1` also has those of the domain of `2^(p+1)` points, for which the missing last power counts as zero.
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

/// Why powers of tau are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PowersFault {
    /// A list has fewer points than a setup needs.
    #[error("{part} has {found} points, {expected} are needed")]
    Short {
        /// Name of the list of points.
        part: &'static str,
        /// Number of points that are needed.
        expected: usize,
        /// Number of points in the list.
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
    /// Not every point is τ times the one before it, for the same τ.
    #[error("{part}: the points are not successive multiples by one tau")]
    NotPowers {
        /// Name of the list of points.
        part: &'static str,
    },
    /// β is not the same scalar in both groups.
    #[error("beta is not the same in both groups")]
    BetaDiffers,
    /// The prepared points are not the Lagrange points of the powers.
    #[error("{part}: the prepared points do not belong to the powers")]
    NotLagrange {
        /// Name of the list of points.
        part: &'static str,
    },
}

/// A list of points of a ceremony from an offset on, or every `stride`-th point of it, which is read by ranges. Every point that is
/// read is checked to be finite and on its curve.
pub(super) struct List<'a, C: Curve> {
    /// Name of the list of points.
    pub(super) part: &'static str,
    pub(super) source: &'a dyn Source<Affine<C>>,
    /// Index in the source of the list's first point.
    pub(super) start: usize,
    /// Distance in the source from one point to the next.
    pub(super) stride: usize,
}

impl<'a, C: Curve> List<'a, C> {
    /// The whole list of a source.
    pub(super) fn new(part: &'static str, source: &'a dyn Source<Affine<C>>) -> Self {
        Self { part, source, start: 0, stride: 1 }
    }

    /// Reads the points of a range.
    pub(super) fn read(&self, range: Range<usize>) -> Result<Vec<Affine<C>>, SetupError> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let at = |i: usize| self.start + i * self.stride;
        let points = read_points(self.part, self.source, at(range.start)..at(range.end - 1) + 1)?;
        Ok(if self.stride == 1 { points } else { points.into_iter().step_by(self.stride).collect() })
    }

    /// The points of a range as a buffer for operators, read by all threads.
    pub(super) fn buf(&self, range: Range<usize>) -> Result<Buf<Affine<C>>, SetupError> {
        let pages = Pages::of_pieces(range.len(), CHUNK, |pieces| {
            let read = parallel::try_map(pieces, |i, piece| {
                let start = range.start + i * CHUNK;
                let points = self.read(start..start + piece.len())?;
                piece.write(&points);
                Ok::<_, SetupError>(())
            });
            read.map(drop)
        })?;
        Ok(pages.into())
    }

    /// Reads the first point.
    pub(super) fn first(&self) -> Result<Affine<C>, SetupError> {
        Ok(self.read(0..1)?[0])
    }
}

/// The powers that a setup over a domain of `n` points uses.
pub(super) struct Powers<'a, E: Pairing> {
    pub(super) n: usize,
    /// Whether there are `2n` powers of τ in G1; a ceremony of exactly the domain's power has one less.
    pub(super) whole: bool,
    pub(super) tau_g1: List<'a, E::G1>,
    pub(super) tau_g2: List<'a, E::G2>,
    pub(super) alpha_tau_g1: List<'a, E::G1>,
    pub(super) beta_tau_g1: List<'a, E::G1>,
    pub(super) beta_g2: G2Affine<E>,
}

impl<'a, E: Pairing> Powers<'a, E> {
    /// The powers for a domain of `n` points; an error if there are too few.
    pub(super) fn new(from: &'a dyn PowersOfTau<E>, n: usize) -> Result<Self, SetupError> {
        let [tau_g1, alpha_tau_g1, beta_tau_g1] = [
            List::new("tauG1", from.tau_g1()),
            List::new("alphaTauG1", from.alpha_tau_g1()),
            List::new("betaTauG1", from.beta_tau_g1()),
        ];
        let tau_g2 = List::new("tauG2", from.tau_g2());
        let counts = [(&tau_g1, 2 * n - 1), (&alpha_tau_g1, n), (&beta_tau_g1, n)];
        let counts = counts.map(|(list, expected)| (list.part, list.source.len(), expected));
        for (part, found, expected) in counts.into_iter().chain([(tau_g2.part, tau_g2.source.len(), n)]) {
            if found < expected {
                return Err(PowersFault::Short { part, expected, found }.into());
            }
        }
        let whole = tau_g1.source.len() >= 2 * n;
        Ok(Self { n, whole, tau_g1, tau_g2, alpha_tau_g1, beta_tau_g1, beta_g2: from.beta_g2() })
    }
}

/// Points of which keys are linear combinations: stored in a prepared ceremony, or computed from powers.
pub(super) enum Points<'a, C: Curve> {
    Stored(List<'a, C>),
    Made(Vec<Affine<C>>),
}

impl<C: Curve> Points<'_, C> {
    /// Reads the points of a range.
    pub(super) fn read(&self, range: Range<usize>) -> Result<Vec<Affine<C>>, SetupError> {
        match self {
            Self::Stored(list) => list.read(range),
            Self::Made(points) => Ok(points[range].to_vec()),
        }
    }
}

/// Lagrange points of a domain of `n` points: each list has `n` points.
pub(super) struct Level<'a, E: Pairing> {
    pub(super) tau_g1: Points<'a, E::G1>,
    pub(super) tau_g2: Points<'a, E::G2>,
    pub(super) alpha_tau_g1: Points<'a, E::G1>,
    pub(super) beta_tau_g1: Points<'a, E::G1>,
    /// `L_{2i+1}(τ)`, the Lagrange points of the double domain at its odd positions.
    pub(super) odd: Points<'a, E::G1>,
}

/// The lists of a prepared ceremony that a setup over a domain uses, in the order of [`Level`].
pub(super) struct PreparedLists<'a, E: Pairing> {
    pub(super) tau_g1: List<'a, E::G1>,
    pub(super) tau_g2: List<'a, E::G2>,
    pub(super) alpha_tau_g1: List<'a, E::G1>,
    pub(super) beta_tau_g1: List<'a, E::G1>,
    pub(super) odd: List<'a, E::G1>,
}

impl<'a, E: Pairing> PreparedLists<'a, E> {
    pub(super) fn new(from: &LagrangePoints<'a, E>, n: usize) -> Self {
        let start = n - 1;
        let tau = |start, stride| List { part: "lagrange tauG1", source: from.tau_g1, start, stride };
        Self {
            tau_g1: tau(start, 1),
            tau_g2: List { start, ..List::new("lagrange tauG2", from.tau_g2) },
            alpha_tau_g1: List { start, ..List::new("lagrange alphaTauG1", from.alpha_tau_g1) },
            beta_tau_g1: List { start, ..List::new("lagrange betaTauG1", from.beta_tau_g1) },
            odd: tau(2 * n, 2),
        }
    }

    pub(super) fn into_level(self) -> Level<'a, E> {
        Level {
            tau_g1: Points::Stored(self.tau_g1),
            tau_g2: Points::Stored(self.tau_g2),
            alpha_tau_g1: Points::Stored(self.alpha_tau_g1),
            beta_tau_g1: Points::Stored(self.beta_tau_g1),
            odd: Points::Stored(self.odd),
        }
    }
}

impl<'a, E: Pairing> Level<'a, E> {
    /// Computes the Lagrange points from the powers: `L_i(τ) = Σ_j ω^(-ij)·τ^j / n` is a transform in the group.
    pub(super) fn transform(
        on: &mut Session<'_, E>,
        powers: &Powers<'_, E>,
        domain: &Domain<E::Fr>,
    ) -> Result<Self, SetupError> {
        let n = domain.size();
        let inverse = Coset { root: domain.root_inverse(), shift: E::Fr::ONE, scale: domain.size_inverse() };
        // At the odd positions of 2n points the upper half of the sum repeats the lower with the opposite sign:
        // L_{2i+1}(τ) = Σ_{j<n} (v·ω^i)^-j·(τ^j - τ^(n+j)) / 2n, with v the root of the double domain.
        let shift = domain.odd_shift()?;
        // The shift has order 2n, so this is its inverse.
        let back = shift.pow_vartime(&[2 * n as u64 - 1]);
        let odd = Coset { shift: back, scale: inverse.scale * E::Fr::HALF, ..inverse };
        let in_g1 = Session::scale_points_g1;
        let low = powers.tau_g1.read(0..n)?;
        let folded = {
            let high = powers.tau_g1.read(n..if powers.whole { 2 * n } else { 2 * n - 1 })?;
            on.host("fold_powers", n, || differences::<E::G1>(&low, &high))
        };
        let mut of = |list: &List<'_, E::G1>| transformed(on, in_g1, &list.read(0..n)?, inverse);
        let (alpha_tau_g1, beta_tau_g1) = (of(&powers.alpha_tau_g1)?, of(&powers.beta_tau_g1)?);
        Ok(Self {
            alpha_tau_g1,
            beta_tau_g1,
            tau_g1: transformed(on, in_g1, &low, inverse)?,
            tau_g2: transformed(on, Session::scale_points_g2, &powers.tau_g2.read(0..n)?, inverse)?,
            odd: transformed(on, in_g1, &folded, odd)?,
        })
    }
}

/// [`evaluate_vartime`] of points, one per row, as [`Points::Made`].
fn transformed<'d, E: Pairing, C: Curve<Scalar = E::Fr>>(
    on: &mut Session<'d, E>,
    scale_points: ScalePoints<'d, E, C>,
    points: &[Affine<C>],
    coset: Coset<E::Fr>,
) -> Result<Points<'static, C>, SetupError> {
    Ok(Points::Made(evaluate_vartime(on, scale_points, points, 1, coset, &mut |_| ())?))
}

/// The differences `low[i] - high[i]`; points missing at the end of `high` count as infinity.
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

/// Reads a range of a source on all threads, and checks each point to be finite and on its curve.
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

/// Number of elements decoded per task.
pub(super) const CHUNK: usize = 1 << 12;

/// Reads and decodes a range of a source on all threads. The range must lie within the source.
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
