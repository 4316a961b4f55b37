//! The choice of the rows on which sums of points are formed.

use super::layout::Layout;
use super::rows::{Bases, Plain, Rows};
use super::scalars::Part;
use super::{buckets, multiples, signed, thrown};
use pairwright_curve::{Affine, Curve, Jacobian, batch_to_affine};

/// Points, and the number of additions that they took.
type Many<C> = (Vec<Affine<C>>, u64);

/// The functions that are compiled for rows of one kind.
#[derive(Clone, Copy)]
pub(crate) struct Routines<C: Curve> {
    /// A sum by buckets: [`buckets::sum`].
    pub(super) sum: fn(Bases<'_, C>, Part<'_>, Layout) -> (Jacobian<C>, u64),
    /// The multiples of a base: [`multiples::multiples`].
    pub(super) multiples: fn(&Affine<C>, &[C::Scalar]) -> Many<C>,
    /// Sums of points in random buckets: [`thrown::sums`].
    pub(super) thrown: fn(&[Affine<C>], u32, u32, &[u8; 32]) -> Many<C>,
    /// Sums of points with signs: [`signed::sums`].
    pub(super) signed: fn(&[Affine<C>], &[i8]) -> Many<C>,
    /// The multiples of points by a power of two, whose logarithm is given.
    pub(super) doubled: fn(&[Affine<C>], usize) -> Vec<Affine<C>>,
}

impl<C: Curve> Routines<C> {
    fn of<R: Rows<C>>() -> Self {
        Self {
            sum: buckets::sum::<C, R>,
            multiples: multiples::multiples::<C, R>,
            thrown: thrown::sums::<C, R>,
            signed: signed::sums::<C, R>,
            doubled: |points, times| {
                let multiple = |p: &Affine<C>| (0..times).fold(p.to_jacobian(), |p, _| p.double());
                batch_to_affine(&points.iter().map(multiple).collect::<Vec<_>>())
            },
        }
    }
    /// Those on rows of one point.
    pub(super) fn plain() -> Self {
        Self::of::<Plain<C>>()
    }
}

/// Those on rows in lanes; `None` if the group or the processor has no lanes.
///
/// Groups are compared by type: only of the listed ones do we know the limbs of a coordinate, which the lanes load.
#[cfg(target_arch = "x86_64")]
pub(crate) fn in_lanes<C: Curve>() -> Option<Routines<C>> {
    use crate::lanes::each;
    use crate::lanes::points::InRows;
    use core::any::Any;
    use pairwright_curve::{Pairing, for_each_curve};

    macro_rules! by_type {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
            by_type!(group <$pairing as Pairing>::G1);
            by_type!(group <$pairing as Pairing>::G2);
        )+};
        (group $group:ty) => {
            let found = Routines::<$group> {
                // SAFETY: handed out only where the processor has lanes.
                doubled: |points, times| unsafe { each::doubled(points, times) },
                ..Routines::of::<InRows<$group>>()
            };
            if let Some(same) = (&found as &dyn Any).downcast_ref() {
                return crate::isa::in_lanes().then_some(*same);
            }
        };
    }
    for_each_curve!(by_type);
    None
}

/// No functions: this target has no lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn in_lanes<C: Curve>() -> Option<Routines<C>> {
    None
}
