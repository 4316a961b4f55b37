//! Repeated doubling of points, eight at a time.

use super::{GroupInLanes, LANES, PointsInLanes, filled};
use pairwright_curve::subgroup::GroupLaw;
use pairwright_curve::{Affine, Jacobian, batch_to_affine};

/// The multiples of points of the curve by `2^times`.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn doubled<C: GroupInLanes>(points: &[Affine<C>], times: usize) -> Vec<Affine<C>> {
    let mut multiples: Vec<Jacobian<C>> = Vec::with_capacity(points.len());
    for points in points.chunks(LANES) {
        let (mut eight, infinite) = PointsInLanes::load(&filled(points));
        for _ in 0..times {
            eight = eight.twice();
        }
        let eight = eight.stored();
        // The formulas keep Z = 0 once a double is infinity; lanes that were loaded with infinity have undefined results.
        multiples.extend(
            (0..points.len()).map(|i| if infinite >> i & 1 == 1 { Jacobian::INFINITY } else { eight[i] }),
        );
    }
    batch_to_affine(&multiples)
}
