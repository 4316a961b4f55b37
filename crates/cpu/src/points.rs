//! Many points of one group, each by itself: eight abreast in lanes, or one by one, divided among threads.

use crate::msm::MAX_LEN;
use crate::{NAME, bytes_of, same_length, subgroup};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve, Projective, batch_to_affine};
use pairwright_device::{Cost, DeviceError, Done, OpCount, PointsOp, Traffic, parallel, timed};
use std::time::Instant;

/// Points of one call of a routine are a multiple of this, but for the last.
const ABREAST: usize = 8;

/// The work on single points of the host device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Points;

/// A hash of messages to points under a domain separation tag.
type Hash<C> = fn(&Suite<C>, &[&[u8]], &[u8]) -> Vec<Affine<C>>;

/// The functions that one thread runs on its share.
#[derive(Clone, Copy)]
struct Routines<C: Curve> {
    in_subgroup: fn(&[Affine<C>]) -> Vec<bool>,
    scale: fn(&[Affine<C>], &[C::Scalar]) -> Vec<Affine<C>>,
    scale_by_secrets: fn(&[Affine<C>], &[C::Scalar]) -> Vec<Affine<C>>,
    hash: Hash<C>,
}

impl<C: Curve> PointsOp<C> for Points {
    fn in_subgroup(&self, points: &[Affine<C>]) -> Done<Vec<bool>> {
        let bytes =
            Traffic { read: bytes_of::<Affine<C>>(points.len()), written: bytes_of::<bool>(points.len()) };
        let run = Routines::<C>::of_this_processor().in_subgroup;
        Ok(timed(NAME, bytes, OpCount::default(), || tested_by_threads(points, run)))
    }

    fn all_in_subgroup(&self, points: &[Affine<C>], seed: &[u8; 32]) -> Done<bool> {
        if points.len() > MAX_LEN {
            return Err(DeviceError::TooLarge { op: "all_in_subgroup", len: points.len(), max: MAX_LEN });
        }
        let bytes = Traffic { read: bytes_of::<Affine<C>>(points.len()), written: bytes_of::<bool>(1) };
        let (start, run) = (Instant::now(), Routines::<C>::of_this_processor().in_subgroup);
        let (all, point_add) =
            subgroup::all_in_subgroup(points, seed, |points| tested_by_threads(points, run));
        let ops = OpCount { point_add, ..OpCount::default() };
        Ok((all, Cost::measured(NAME, start, bytes, ops)))
    }

    fn scale_points(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Done<Vec<Affine<C>>> {
        multiples("scale_points", Routines::<C>::of_this_processor().scale, points, scalars)
    }

    fn scale_by_secrets(&self, points: &[Affine<C>], scalars: &[C::Scalar]) -> Done<Vec<Affine<C>>> {
        multiples("scale_by_secrets", Routines::<C>::of_this_processor().scale_by_secrets, points, scalars)
    }

    fn hash_to_curve(&self, suite: &Suite<C>, messages: &[&[u8]], dst: &[u8]) -> Done<Vec<Affine<C>>> {
        let read = messages.iter().map(|message| bytes_of::<u8>(message.len())).sum();
        let bytes = Traffic { read, written: bytes_of::<Affine<C>>(messages.len()) };
        let run = Routines::<C>::of_this_processor().hash;
        Ok(timed(NAME, bytes, OpCount::default(), || {
            let shares = messages.chunks(share(messages.len()));
            parallel::map(shares, |_, messages| run(suite, messages, dst)).concat()
        }))
    }
}

/// The tests of points by one of the routines, each thread a share of them.
fn tested_by_threads<C: Curve>(points: &[Affine<C>], run: fn(&[Affine<C>]) -> Vec<bool>) -> Vec<bool> {
    parallel::map(points.chunks(share(points.len())), |_, points| run(points)).concat()
}

/// Multiples of points by one of the routines, each thread a share of them.
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

/// How many of so many points one thread takes.
fn share(points: usize) -> usize {
    points.div_ceil(ABREAST).div_ceil(rayon::current_num_threads()).max(1) * ABREAST
}

impl<C: Curve> Routines<C> {
    /// Those of the curve's own, one point at a time.
    fn portable() -> Self {
        Self {
            in_subgroup: |points| points.iter().map(Affine::is_in_subgroup_vartime).collect(),
            scale: |points, scalars| {
                let multiples = points.iter().zip(scalars).map(|(p, k)| p.to_jacobian().mul_vartime(k));
                batch_to_affine(&multiples.collect::<Vec<_>>())
            },
            scale_by_secrets: |points, scalars| {
                let multiples = points.iter().zip(scalars).map(|(p, k)| Projective::from(*p).mul(k));
                Projective::batch_to_affine(&multiples.collect::<Vec<_>>())
            },
            hash: |suite, messages, dst| messages.iter().map(|m| suite.hash_to_curve(m, dst)).collect(),
        }
    }

    /// Those in lanes, or the portable ones if the group or the processor has no lanes.
    ///
    /// Groups are compared by type: only of the listed ones do we know the limbs of a coordinate, which the lanes load.
    #[cfg(target_arch = "x86_64")]
    fn of_this_processor() -> Self {
        use core::any::Any;
        use in_lanes::{HashOf, WithoutSuite as _};
        use pairwright_curve::{Pairing, for_each_curve};

        macro_rules! by_type {
            (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
                by_type!(group <$pairing as Pairing>::G1);
                by_type!(group <$pairing as Pairing>::G2);
            )+};
            (group $group:ty) => {
                let found: Option<Routines<$group>> = in_lanes::routines(HashOf::<$group>::run());
                if let Some(same) = (&found as &dyn Any).downcast_ref::<Option<Self>>() {
                    return same.filter(|_| crate::isa::in_lanes()).unwrap_or_else(Self::portable);
                }
            };
        }
        for_each_curve!(by_type);
        Self::portable()
    }

    /// The portable ones: this target has no lanes.
    #[cfg(not(target_arch = "x86_64"))]
    fn of_this_processor() -> Self {
        Self::portable()
    }
}

/// Functions that may be called only where the processor has lanes.
#[cfg(target_arch = "x86_64")]
mod in_lanes {
    use super::{Affine, Hash, Routines};
    use crate::lanes::each::{self, GroupInLanes};
    use core::marker::PhantomData;
    use pairwright_curve::Curve;
    use pairwright_curve::hash_to_curve::HashToCurve;

    /// The functions in lanes, of which [`Routines::of_this_processor`] asks the processor before it hands them out. None for
    /// a group without the endomorphism that splits scalars.
    pub(super) fn routines<C: GroupInLanes>(hash: Hash<C>) -> Option<Routines<C>> {
        C::GLV.is_some().then_some(Routines {
            in_subgroup: in_subgroup::<C>,
            scale: scale::<C>,
            scale_by_secrets: scale_by_secrets::<C>,
            hash,
        })
    }

    fn in_subgroup<C: GroupInLanes>(points: &[Affine<C>]) -> Vec<bool> {
        // SAFETY: the processor was asked, see `routines`.
        unsafe { each::in_subgroup(points) }
    }

    fn scale<C: GroupInLanes>(points: &[Affine<C>], scalars: &[C::Scalar]) -> Vec<Affine<C>> {
        let Some(glv) = &C::GLV else { return (Routines::<C>::portable().scale)(points, scalars) };
        // SAFETY: as above.
        unsafe { each::scale(glv, points, scalars) }
    }

    fn scale_by_secrets<C: GroupInLanes>(points: &[Affine<C>], scalars: &[C::Scalar]) -> Vec<Affine<C>> {
        let Some(glv) = &C::GLV else { return (Routines::<C>::portable().scale_by_secrets)(points, scalars) };
        // SAFETY: as above.
        unsafe { each::scale_by_secrets(glv, points, scalars) }
    }

    /// The hash to a group: `HashOf::run()` is in lanes for a group with a suite, and otherwise the portable one of
    /// [`WithoutSuite`], so that no other is compiled for groups that nobody hashes to.
    pub(super) struct HashOf<C>(PhantomData<C>);

    impl<C: GroupInLanes + HashToCurve> HashOf<C> {
        pub(super) fn run() -> Hash<C> {
            // SAFETY: as above.
            |suite, messages, dst| unsafe { each::hash(suite, messages, dst) }
        }
    }

    /// What a group without a suite has in place of [`HashOf`]'s own function, which comes first where it is there.
    pub(super) trait WithoutSuite<C: Curve> {
        /// The portable hash.
        fn run() -> Hash<C> {
            Routines::<C>::portable().hash
        }
    }
    impl<C: Curve> WithoutSuite<C> for HashOf<C> {}
}
