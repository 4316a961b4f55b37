//! Multi-scalar multiplication.
//!
//! Pippenger's buckets: the scalars' signed digits ([`scalars`]) name, window by window, the bucket a point goes
//! to; [`sort`] brings the points of a bucket together; [`buckets`] adds them up by batched affine additions
//! ([`batch`]), scheduled by [`columns`], and reduces the buckets to the window's sum. A few points are better served by [`small`].
//! [`layout`] chooses the windows, which share buckets where [`precomputed`] multiples of the bases are kept.
//! [`multiples`] is the other way round: one base, many scalars. [`random_buckets`] and [`signed`] form random sums of points, for tests
//! of all of them.
//!
//! Bases may be infinite, equal or opposite, in any number.

mod batch;
mod buckets;
mod columns;
mod layout;
mod multiples;
mod precomputed;
mod random_buckets;
pub(crate) mod routines;
pub(crate) mod rows;
mod scalars;
mod signed;
mod small;
mod sort;

use crate::lanes::dispatch::routines;
use crate::{NAME, bytes_of, same_length};
use core::ops::Range;
use layout::{Layout, Multiples};
use pairwright_curve::{Affine, Curve, Glv, Jacobian};
use pairwright_device::{DeviceError, Done, MsmOp, OpCount, Traffic, parallel};
use pairwright_field::Field;
use pairwright_poly::{Buf, View};
use precomputed::Table;
pub use precomputed::{Precomputation, precompute, precompute_section};
use routines::Routines;
use rows::Bases;
use scalars::{OrderedScalars, Packed, Scalars};
use std::sync::Arc;
use std::time::Instant;

/// Below this many points the windows of [`small`] win.
const SMALL: usize = 8;
/// Up to this many points the endomorphism pays: it halves doublings and bucket reductions, not additions.
const GLV_MAX: usize = 1 << 16;
/// The same in lanes, where additions are cheap beside the reading of scattered coordinates, of which there are more places.
const GLV_MAX_IN_LANES: usize = 1 << 11;
/// Scalars up to this many bits are not split: their halves would be no shorter.
const GLV_MIN_BITS: usize = 140;
/// From this window size on the buckets fill the rows of lanes.
const LANES_MIN_BITS: usize = 4;
/// Most points of one call: indices of points and of their images share a word with a sign.
pub(crate) const MAX_LEN: usize = 1 << 29;

/// The MSM of the host device, for any group.
///
/// With the buffer of the scalars stay their magnitudes and signs (33 bytes each), which every MSM of that buffer shares, and a copy of
/// them in the order of their lengths where that pays, which the next MSM of the same range shares; with the
/// buffer of the bases the multiples of [`precompute`], where that was asked for. Temporary memory for `n` points: as much again as
/// the magnitudes where scalars are split; for every digit in work at once (2^17 for every thread, and those of as
/// many windows as there are threads, at least) 12 bytes, or 16 where threads divide the buckets of a window; for every bucket of
/// these windows one point and 28 bytes; about 1 MiB a thread, in lanes up to 3 MiB. Up to 2^16 points (2^11 in lanes) of a group
/// with an endomorphism, one coordinate a point more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Msm;

impl<C: Curve> MsmOp<C> for Msm {
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        same_length("msm", bases.len(), scalars.len())?;
        if bases.len() > MAX_LEN {
            return Err(DeviceError::TooLarge { op: "msm", len: bases.len(), max: MAX_LEN });
        }
        let read = bytes_of::<Affine<C>>(bases.len()) + bytes_of::<C::Scalar>(scalars.len());
        let bytes = Traffic { read, written: bytes_of::<Jacobian<C>>(1) };
        // Bases of which there are multiples are not asked for on the host.
        let table = Table::of(bases.buf());
        let (points, multiples) = match &table {
            Some(table) => (table.part(bases.range()), table.multiples),
            None => (bases.host()?, Multiples::NONE),
        };
        let start = Instant::now();
        let packed = Packed::of(scalars.buf())?;
        let (sum, point_add) = msm(points, multiples, &packed, scalars.range(), routines());
        let ops = OpCount { point_add, ..OpCount::default() };
        Ok((sum, pairwright_device::Cost::measured(NAME, start, bytes, ops)))
    }

    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        let bytes = Traffic {
            read: bytes_of::<C::Scalar>(scalars.len()),
            written: bytes_of::<Affine<C>>(scalars.len()),
        };
        let scalars = scalars.host()?;
        let start = Instant::now();
        let (points, point_add) = (routines().unwrap_or_else(Routines::plain).multiples)(base, scalars);
        let ops = OpCount { point_add, ..OpCount::default() };
        Ok((points.into(), pairwright_device::Cost::measured(NAME, start, bytes, ops)))
    }
}

/// Sums of points in random buckets, see [`random_buckets::sums`].
pub(crate) fn sums_of_random_buckets<C: Curve>(
    points: &[Affine<C>],
    bits: u32,
    rounds: u32,
    seed: &[u8; 32],
) -> (Vec<Affine<C>>, u64) {
    (routines().unwrap_or_else(Routines::plain).random_buckets)(points, bits, rounds, seed)
}

/// Sums of points with signs, see [`signed::sums`].
pub(crate) fn signed_sums<C: Curve>(points: &[Affine<C>], signs: &[i8]) -> (Vec<Affine<C>>, u64) {
    (routines().unwrap_or_else(Routines::plain).signed)(points, signs)
}

/// The sum and the number of point additions it took, of the scalars of a range of a buffer, over points that are multiples of
/// the bases.
fn msm<C: Curve>(
    points: &[Affine<C>],
    multiples: Multiples,
    packed: &Packed,
    range: Range<usize>,
    in_lanes: Option<Routines<C>>,
) -> (Jacobian<C>, u64) {
    if packed.scalars.bits == 0 {
        return (Jacobian::INFINITY, 0);
    }
    if range.len() < SMALL && multiples != Multiples::NONE {
        let bases: Vec<_> = points.iter().step_by(multiples.copies).copied().collect();
        return msm(&bases, Multiples::NONE, packed, range, in_lanes);
    }
    let glv_max = if in_lanes.is_some() { GLV_MAX_IN_LANES } else { GLV_MAX };
    let splits =
        multiples == Multiples::NONE && points.len() <= glv_max && packed.scalars.bits >= GLV_MIN_BITS;
    let glv = C::GLV.filter(|_| splits);
    let halves = glv.as_ref().map(|glv| packed.scalars.split(glv, range.clone()));
    let scalars = halves.as_ref().map_or_else(|| packed.scalars.part(range.clone()), Scalars::all);
    let images = glv.map(|glv| images(&glv, points));
    let bases = Bases::new(points, images.as_deref());
    if points.len() < SMALL {
        return small::sum(bases, scalars);
    }
    let layout = Layout::new(multiples, scalars.len(), scalars.bits, scalars.fill);
    let ordered = match &halves {
        Some(_) => scalars.ordered(layout.bits).map(Arc::new),
        None => packed.ordered(range, layout.bits),
    };
    let scalars = ordered.as_deref().map_or(scalars, OrderedScalars::part);
    let routines = in_lanes.filter(|_| layout.bits >= LANES_MIN_BITS).unwrap_or_else(Routines::plain);
    (routines.sum)(bases, scalars, layout)
}

/// First coordinates of the images of the points.
fn images<C: Curve>(glv: &Glv<C>, points: &[Affine<C>]) -> Vec<C::Base> {
    let mut images = vec![C::Base::ZERO; points.len()];
    parallel::for_each(images.chunks_mut(1 << 10).zip(points.chunks(1 << 10)), |_, (images, points)| {
        images.iter_mut().zip(points).for_each(|(image, p)| *image = glv.beta * p.x);
    });
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_field::{Field, PrimeField, Ring};
    use pairwright_testkit::conformance::{Values, known_points};

    /// In rows of one point and, where there are lanes, of eight: the sum by the points' logarithms.
    fn both_are_right<C: Curve>(
        points: &[Affine<C>],
        logs: &[C::Scalar],
        scalars: Vec<C::Scalar>,
        what: &str,
    ) {
        let log = scalars.iter().zip(logs).fold(C::Scalar::ZERO, |acc, (s, k)| acc + *s * *k);
        let want = Jacobian::<C>::generator().mul_vartime(&log).to_affine();
        let n = points.len();
        let packed = Packed::new(Scalars::new(&scalars));
        for in_lanes in [None, routines()] {
            let mosts: &[usize] = if [9, 64, 257].contains(&n) { &[1, 3, 64] } else { &[1] };
            for &most in mosts {
                let multiples = Multiples::choose(n, C::Scalar::BITS as usize - 1, most);
                let table = multiples.map(|multiples| Table::new(points, multiples));
                if most > 1 && table.is_none() {
                    continue;
                }
                let (points, multiples) =
                    table.as_ref().map_or((points, Multiples::NONE), |t| (&t.points, t.multiples));
                let (got, _) = msm(points, multiples, &packed, 0..n, in_lanes);
                let lanes = in_lanes.is_some();
                assert_eq!(
                    got.to_affine(),
                    want,
                    "{} msm of {n}, {what}, {multiples:?}, lanes: {lanes}",
                    C::NAME
                );
            }
        }
    }

    /// The scalars of a range may all be zero though those of the buffer are not.
    fn zeros_in_a_range<C: Curve>() {
        let (points, _) = known_points::<C>(40, 31);
        let mut scalars = vec![C::Scalar::ZERO; 40];
        scalars.push(-C::Scalar::from(u64::MAX).square());
        let packed = Packed::new(Scalars::new(&scalars));
        for in_lanes in [None, routines()] {
            assert!(msm(&points, Multiples::NONE, &packed, 0..40, in_lanes).0.is_infinity());
            let (last, _) = msm(&points, Multiples::NONE, &packed, 1..41, in_lanes);
            assert_eq!(last.to_affine(), points[39].to_jacobian().mul_vartime(&scalars[40]).to_affine());
        }
    }

    fn degenerate<C: Curve>() {
        zeros_in_a_range::<C>();
        if routines::<C>().is_none() {
            println!("SKIPPED: no lanes on this processor, or PAIRWRIGHT_ISA forbids them");
        }
        for n in [0, 1, 7, 8, 9, 63, 64, 65, 255, 256, 257, 1023, 1025] {
            let (mut points, mut logs) = known_points::<C>(n, 31);
            let random: Vec<C::Scalar> = Values::new(32).take_buf(n).to_vec();
            let uniform = || random.clone();
            both_are_right(&points, &logs, uniform(), "uniform");
            both_are_right(&points, &logs, vec![C::Scalar::ONE; n], "one hot bucket");
            both_are_right(&points, &logs, vec![-C::Scalar::from(1 << 40); n], "equal scalars");
            let small =
                (0..n as u64).map(|i| if i % 5 == 0 { C::Scalar::from(i) } else { C::Scalar::from(i % 2) });
            both_are_right(&points, &logs, small.collect(), "small scalars");
            let witness = (0..n).map(|i| match i % 20 {
                3 | 17 => random[i],
                5 => -C::Scalar::from(i as u64),
                k => C::Scalar::from(u64::from(k > 12)),
            });
            both_are_right(&points, &logs, witness.collect(), "zeros, ones and few long scalars");
            // Every second point is the negative of the one before it.
            for i in (1..n).step_by(2) {
                (points[i], logs[i]) = (-points[i - 1], -logs[i - 1]);
            }
            both_are_right(&points, &logs, uniform(), "half negations");
            both_are_right(&points, &logs, vec![C::Scalar::from(77); n], "sums that are infinite");
            for i in (0..n).step_by(3) {
                (points[i], logs[i]) = (Affine::INFINITY, C::Scalar::ZERO);
            }
            both_are_right(&points, &logs, uniform(), "infinities");
            for i in 0..n {
                (points[i], logs[i]) = (C::GENERATOR, C::Scalar::ONE);
            }
            both_are_right(&points, &logs, uniform(), "equal points");
            both_are_right(&points, &logs, vec![C::Scalar::from(3).square(); n], "equal points and scalars");
        }
    }

    macro_rules! per_group {
        ($($name:ident: $group:ty;)+) => {$(
            #[test]
            fn $name() {
                degenerate::<$group>();
            }
        )+};
    }
    per_group! {
        degenerate_bn254_g1: bn254::G1;
        degenerate_bn254_g2: bn254::G2;
        degenerate_bls12_381_g1: bls12_381::G1;
        degenerate_bls12_381_g2: bls12_381::G2;
        degenerate_bls12_377_g1: bls12_377::G1;
        degenerate_bls12_377_g2: bls12_377::G2;
    }
}
