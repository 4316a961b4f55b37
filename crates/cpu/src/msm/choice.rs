//! The choice of the rows on which the buckets of a group are added up.

use super::rows::Bases;
use super::scalars::Scalars;
use pairwright_curve::{Curve, Jacobian};

/// A sum by buckets, of windows of so many bits: [`super::buckets::sum`] for rows of some kind.
pub(super) type SumOf<C> = fn(Bases<'_, C>, &Scalars, usize) -> (Jacobian<C>, u64);

/// The sum on rows in lanes; `None` if the group or the processor has no lanes.
///
/// Groups are compared by type: only of the listed ones do we know the limbs of a coordinate, which the lanes load.
#[cfg(target_arch = "x86_64")]
pub(super) fn sum_in_lanes<C: Curve>() -> Option<SumOf<C>> {
    use crate::isa::in_lanes;
    use crate::lanes::points::InRows;
    use core::any::Any;
    use pairwright_curve::{Pairing, for_each_curve};

    macro_rules! by_type {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {$(
            by_type!(group <$pairing as Pairing>::G1);
            by_type!(group <$pairing as Pairing>::G2);
        )+};
        (group $group:ty) => {
            let found: SumOf<$group> = super::buckets::sum::<$group, InRows<$group>>;
            if let Some(same) = (&found as &dyn Any).downcast_ref() {
                return in_lanes().then_some(*same);
            }
        };
    }
    for_each_curve!(by_type);
    None
}

/// No sum: this target has no lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn sum_in_lanes<C: Curve>() -> Option<SumOf<C>> {
    None
}
