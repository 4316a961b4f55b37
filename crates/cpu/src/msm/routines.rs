//! The functions of a group, of which there is one set on single points and another one in lanes.

use super::layout::Layout;
use super::rows::{Bases, Plain, Rows};
use super::scalars::ScalarPart;
use super::{buckets, multiples, random_buckets, signed};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, Curve, Jacobian, Projective, batch_to_affine};

/// Points, and the number of additions that they took.
type CountedPoints<C> = (Vec<Affine<C>>, u64);

/// A hash of messages to points under a domain separation tag.
pub(crate) type Hash<C> = fn(&Suite<C>, &[&[u8]], &[u8]) -> Vec<Affine<C>>;

/// The functions that work on many points of a group: sums on rows of one kind, and what one thread does with points one
/// by one or abreast.
#[derive(Clone, Copy)]
pub(crate) struct Routines<C: Curve> {
    /// A sum by buckets: [`buckets::sum`].
    pub(crate) sum: fn(Bases<'_, C>, ScalarPart<'_>, Layout) -> (Jacobian<C>, u64),
    /// The multiples of a base: [`multiples::multiples`].
    pub(crate) multiples: fn(&Affine<C>, &[C::Scalar]) -> CountedPoints<C>,
    /// Sums of points in random buckets: [`random_buckets::sums`].
    pub(crate) random_buckets: fn(&[Affine<C>], u32, u32, &[u8; 32]) -> CountedPoints<C>,
    /// Sums of points with signs: [`signed::sums`].
    pub(crate) signed: fn(&[Affine<C>], &[i8]) -> CountedPoints<C>,
    /// The multiples of points by a power of two, whose logarithm is given.
    pub(crate) doubled: fn(&[Affine<C>], usize) -> Vec<Affine<C>>,
    /// Tells which points of the curve lie in the subgroup.
    pub(crate) in_subgroup: fn(&[Affine<C>]) -> Vec<bool>,
    /// Points of the subgroup times public scalars.
    pub(crate) scale: fn(&[Affine<C>], &[C::Scalar]) -> Vec<Affine<C>>,
    /// Points of the subgroup times secret scalars.
    pub(crate) scale_by_secrets: fn(&[Affine<C>], &[C::Scalar]) -> Vec<Affine<C>>,
    /// A hash of messages to points.
    pub(crate) hash: Hash<C>,
}

impl<C: Curve> Routines<C> {
    /// Sums on rows of this kind, and the rest one point at a time.
    pub(crate) const fn of<R: Rows<C>>() -> Self {
        Self {
            sum: buckets::sum::<C, R>,
            multiples: multiples::multiples::<C, R>,
            random_buckets: random_buckets::sums::<C, R>,
            signed: signed::sums::<C, R>,
            doubled: |points, times| {
                let multiple = |p: &Affine<C>| (0..times).fold(p.to_jacobian(), |p, _| p.double());
                batch_to_affine(&points.iter().map(multiple).collect::<Vec<_>>())
            },
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
    /// The functions on single points.
    pub(crate) const fn plain() -> Self {
        Self::of::<Plain<C>>()
    }
}
