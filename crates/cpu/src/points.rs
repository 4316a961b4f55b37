//! Element-wise operations on many points of one group: eight at a time in lanes or one by one, divided among threads.

use crate::lanes;
use crate::msm::MAX_LEN;
use crate::msm::routines::Routines;
use crate::{NAME, bytes_of, same_length, subgroup};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve};
use pairwright_device::{Cost, DeviceError, Done, OpCount, PointsOp, Traffic, parallel, timed};
use std::time::Instant;

/// The number of points in each call of a routine, except the last, is a multiple of this.
const ABREAST: usize = 8;

/// The element-wise operators on points of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointOps;

impl<C: Curve> PointsOp<C> for PointOps {
    fn in_subgroup(&self, points: &[Affine<C>]) -> Done<Vec<bool>> {
        let bytes =
            Traffic { read: bytes_of::<Affine<C>>(points.len()), written: bytes_of::<bool>(points.len()) };
        let run = routines::<C>().in_subgroup;
        Ok(timed(NAME, bytes, OpCount::default(), || tested_by_threads(points, run)))
    }

    fn all_in_subgroup(&self, points: &[Affine<C>], seed: &[u8; 32]) -> Done<bool> {
        if points.len() > MAX_LEN {
            return Err(DeviceError::TooLarge { op: "all_in_subgroup", len: points.len(), max: MAX_LEN });
        }
        let bytes = Traffic { read: bytes_of::<Affine<C>>(points.len()), written: bytes_of::<bool>(1) };
        let (start, run) = (Instant::now(), routines::<C>().in_subgroup);
        let (all, point_add) =
            subgroup::all_in_subgroup(points, seed, |points| tested_by_threads(points, run));
        let ops = OpCount { point_add, ..OpCount::default() };
        Ok((all, Cost::measured(NAME, start, bytes, ops)))
    }

    fn scale_points(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Done<Vec<Affine<C>>> {
        multiples("scale_points", routines::<C>().scale, points, scalars)
    }

    fn scale_by_secrets(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Done<Vec<Affine<C>>> {
        multiples("scale_by_secrets", routines::<C>().scale_by_secrets, points, scalars)
    }

    fn hash_to_curve(&self, suite: &Suite<C>, messages: &[&[u8]], dst: &[u8]) -> Done<Vec<Affine<C>>> {
        let read = messages.iter().map(|message| bytes_of::<u8>(message.len())).sum();
        let bytes = Traffic { read, written: bytes_of::<Affine<C>>(messages.len()) };
        let run = routines::<C>().hash;
        Ok(timed(NAME, bytes, OpCount::default(), || {
            let shares = messages.chunks(share(messages.len()));
            parallel::map(shares, |_, messages| run(suite, messages, dst)).concat()
        }))
    }
}

/// The functions in lanes, or those on single points if the group or the processor has no lanes.
fn routines<C: Curve>() -> Routines<C> {
    lanes::dispatch::routines().unwrap_or_else(Routines::plain)
}

/// Tests points by one of the routines, divided among the threads.
fn tested_by_threads<C: Curve>(points: &[Affine<C>], run: fn(&[Affine<C>]) -> Vec<bool>) -> Vec<bool> {
    parallel::map(points.chunks(share(points.len())), |_, points| run(points)).concat()
}

/// Multiples of points by one of the routines, divided among the threads.
fn multiples<C: Curve>(
    op: &'static str,
    run: fn(&[Affine<C>], &[C::Scalar]) -> Vec<Affine<C>>,
    points: &[Affine<C>],
    scalars: &[C::Scalar],
) -> Done<Vec<Affine<C>>> {
    same_length(op, points.len(), scalars.len())?;
    let written = bytes_of::<Affine<C>>(points.len());
    let bytes = Traffic { read: written + bytes_of::<C::Scalar>(scalars.len()), written };
    let share = share(points.len());
    Ok(timed(NAME, bytes, OpCount::default(), || {
        let shares = points.chunks(share).zip(scalars.chunks(share));
        parallel::map(shares, |_, (points, scalars)| run(points, scalars)).concat()
    }))
}

/// The number of points that one thread takes.
fn share(points: usize) -> usize {
    points.div_ceil(ABREAST).div_ceil(rayon::current_num_threads()).max(1) * ABREAST
}
