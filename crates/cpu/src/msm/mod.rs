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
pub struct Msm {
    one_by_one: bool,
}

impl Msm {
    /// The same sums without lanes on every processor, for comparison. [`precompute`] makes its multiples in lanes all the same.
    pub fn without_lanes() -> Self {
        Self { one_by_one: true }
    }

    /// The functions of a group in lanes, unless lanes are disabled or not available.
    fn in_lanes<C: Curve>(self) -> Option<Routines<C>> {
        if self.one_by_one { None } else { routines() }
    }
}

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
        let (sum, point_add) = msm(points, multiples, &packed, scalars.range(), self.in_lanes());
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
        let (points, point_add) = (self.in_lanes().unwrap_or_else(Routines::plain).multiples)(base, scalars);
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
