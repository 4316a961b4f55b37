//! Multi-scalar multiplication.
//!
//! Pippenger's buckets: the scalars' signed digits ([`scalars`]) name, window by window, the bucket a point goes
//! to; [`sort`] brings the points of a bucket together; [`buckets`] adds them up by batched affine additions
//! ([`batch`]) and reduces the buckets to the window's sum. A few points are better served by [`small`].
//! [`multiples`] is the other way round: one base, many scalars.
//!
//! Bases may be infinite, equal or opposite, in any number.

mod batch;
mod buckets;
mod multiples;
mod scalars;
mod small;
mod sort;

use crate::{NAME, bytes_of, same_length};
use core::ops::Range;
use pairwright_curve::{Affine, Curve, Glv, Jacobian};
use pairwright_device::{DeviceError, Done, MsmOp, OpCount, Traffic};
use pairwright_poly::{Buf, View};
use rayon::prelude::*;
use scalars::{Packed, windows};
use std::time::Instant;

/// Below this many points the windows of [`small`] win.
const SMALL: usize = 8;
/// Up to this many points the endomorphism pays: it halves doublings and bucket reductions, not additions.
const GLV_MAX: usize = 1 << 16;
/// Scalars up to this many bits are not split: their halves would be no shorter.
const GLV_MIN_BITS: usize = 140;
/// Most points of one call: indices of points and of their images share a word with a sign.
const MAX_LEN: usize = 1 << 29;

/// The MSM of the host device, for any group.
///
/// With the buffer of the scalars stay their magnitudes and signs (33 bytes each), which every MSM of that buffer shares.
/// Temporary memory for `n` points: as much again; for every window in work at once, as many as there
/// are threads, 8 bytes a point, and one point and 12 bytes a bucket; about 600 KiB a thread. Up to 2^16 points of
/// a group with an endomorphism, one coordinate a point more. 2^18 points of BN254 on two threads take 17 MiB.
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
        let bases = bases.host()?;
        let start = Instant::now();
        let packed = Packed::of(scalars.buf())?;
        let (sum, point_add) = msm(bases, &packed, scalars.range());
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
        let (points, point_add) = multiples::multiples(base, scalars);
        let ops = OpCount { point_add, ..OpCount::default() };
        Ok((points.into(), pairwright_device::Cost::measured(NAME, start, bytes, ops)))
    }
}

/// The bases, each followed by its image under the endomorphism if there are images.
#[derive(Clone, Copy)]
struct Bases<'a, C: Curve> {
    points: &'a [Affine<C>],
    /// First coordinates of the images.
    images: Option<&'a [C::Base]>,
}

impl<C: Curve> Bases<'_, C> {
    /// Point `index`, or its negative.
    #[inline(always)]
    fn load(&self, index: usize, negative: bool) -> Affine<C> {
        let p = match self.images {
            None => self.points[index],
            Some(_) if index & 1 == 0 => self.points[index >> 1],
            Some(images) => Affine { x: images[index >> 1], y: self.points[index >> 1].y },
        };
        if negative { -p } else { p }
    }
}

/// The sum and the number of point additions it took, of the scalars of a range of a buffer.
fn msm<C: Curve>(points: &[Affine<C>], packed: &Packed, range: Range<usize>) -> (Jacobian<C>, u64) {
    if packed.0.bits == 0 {
        return (Jacobian::INFINITY, 0);
    }
    let glv = C::GLV.filter(|_| points.len() <= GLV_MAX && packed.0.bits >= GLV_MIN_BITS);
    let mut scalars = match &glv {
        Some(glv) => packed.0.split(glv, range),
        None => packed.0.part(range),
    };
    let images = glv.map(|glv| images(&glv, points));
    let bases = Bases { points, images: images.as_deref() };
    if points.len() < SMALL {
        return small::sum(bases, scalars);
    }
    let c = window_bits(scalars.len(), scalars.bits, scalars.fill);
    scalars.bias(c);
    buckets::sum(bases, &scalars, c)
}

/// First coordinates of the images of the points.
fn images<C: Curve>(glv: &Glv<C>, points: &[Affine<C>]) -> Vec<C::Base> {
    points.par_iter().with_min_len(1 << 10).map(|p| glv.beta * p.x).collect()
}

/// The window size with the least work: an addition a non-zero digit, about two and a half a bucket, both batched,
/// and sorting.
fn window_bits(n: usize, bits: usize, fill: f64) -> usize {
    let effective = n as f64 * fill;
    let work =
        |c: usize| windows(bits, c) as f64 * (effective + 0.05 * n as f64 + 2.5 * (1u64 << (c - 1)) as f64);
    (2..=20).min_by(|a, b| work(*a).total_cmp(&work(*b))).unwrap_or(2)
}
