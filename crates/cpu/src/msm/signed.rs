//! Sums of points with signs: many sums of the same points, in each of which a point has the coefficient one, minus one or zero.
//!
//! The points are taken in groups of three. A group has thirteen sums up to their sign, which are formed once; of every sum
//! that is asked for it then takes one addition. Both steps are sums of buckets, by [`accumulate`].

use super::buckets::{Buckets, Pool, accumulate};
use super::rows::{Bases, Rows};
use super::sort::Sorted;
use pairwright_curve::{Affine, Curve};

/// Points of a group.
const GROUP_LEN: usize = 3;
/// Sums of a group up to their sign: `a + 3b + 9c` with coefficients a, b and c is their number, from one.
const SUMS: i32 = 13;

/// The sums of the points with the signs of each row, which are as many as there are points, and the number of additions. A
/// point whose sign is positive is added, one whose sign is negative is subtracted, the others are left out.
pub(super) fn sums<C: Curve, R: Rows<C>>(
    points: &[Affine<C>],
    signs_of_rows: &[i8],
) -> (Vec<Affine<C>>, u64) {
    let pool = Pool::<C, R>::new();
    let mut of_groups = Sorted::default();
    for first in (0..points.len()).step_by(GROUP_LEN) {
        for sum in 1..=SUMS {
            for (place, sign) in (first..points.len()).zip(signs(sum)) {
                if sign != 0 {
                    of_groups.entries.push((place as u32) << 1 | u32::from(sign < 0));
                }
            }
            of_groups.starts.push(of_groups.entries.len());
        }
    }
    let mut groups = Buckets::new();
    let mut adds = accumulate(Bases::new(points, None), &of_groups, &pool, &mut groups);

    let mut of_rows = Sorted::default();
    for row in signs_of_rows.chunks_exact(points.len().max(1)) {
        for (signs, sums) in row.chunks(GROUP_LEN).zip(groups.entries.chunks_exact(SUMS as usize)) {
            let sum = signs.iter().rev().fold(0, |sum, sign| 3 * sum + i32::from(sign.signum()));
            if sum != 0 {
                of_rows.entries.push(sums[sum.unsigned_abs() as usize - 1] ^ u32::from(sum < 0));
            }
        }
        of_rows.starts.push(of_rows.entries.len());
    }
    let mut totals = Buckets::new();
    adds += accumulate(Bases::new(&groups.sums, None), &of_rows, &pool, &mut totals);
    let found = Bases::new(&totals.sums, None);
    (totals.entries.iter().map(|entry| found.load_entry(*entry)).collect(), adds)
}

/// The coefficients of a sum of a group by its number.
fn signs(mut sum: i32) -> [i32; GROUP_LEN] {
    [(); GROUP_LEN].map(|()| {
        let sign = (sum + 1).rem_euclid(3) - 1;
        sum = (sum - sign) / 3;
        sign
    })
}

#[cfg(test)]
mod tests {
    use super::super::rows::Plain;
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::{isa::lanes_to_test, lanes::points::InRows};
    use pairwright_curve::bn254;
    use pairwright_testkit::conformance::known_points;

    /// The sums over rows of a kind are those of the points with their signs.
    fn sums_of_rows<R: Rows<bn254::G2>>() {
        for n in [1, 2, 3, 100] {
            let (points, _) = known_points::<bn254::G2>(n, 9);
            // Every sign at every point, in no order.
            let signs: Vec<i8> = (0..51 * n as i32).map(|i| ((i * i + i / 7) % 3 - 1) as i8).collect();
            let (got, _) = sums::<_, R>(&points, &signs);
            let of_row = |row: &[i8]| {
                let terms = points.iter().zip(row).filter(|(_, sign)| **sign != 0);
                let terms =
                    terms.map(|(p, sign)| if *sign < 0 { (-*p).to_jacobian() } else { p.to_jacobian() });
                terms.sum::<pairwright_curve::Jacobian<_>>().to_affine()
            };
            assert_eq!(got, signs.chunks(n).map(of_row).collect::<Vec<_>>(), "{n}");
        }
    }

    #[test]
    fn sums_are_those_of_their_rows() {
        sums_of_rows::<Plain<_>>();
        #[cfg(target_arch = "x86_64")]
        if lanes_to_test() {
            sums_of_rows::<InRows<_>>();
        }
    }

    #[test]
    fn every_choice_of_signs_has_a_number() {
        let all = (-SUMS..=SUMS).map(|sum| (sum, signs(sum)));
        for (sum, [a, b, c]) in all {
            assert!([a, b, c].iter().all(|sign| (-1..=1).contains(sign)) && a + 3 * b + 9 * c == sum);
        }
    }
}
