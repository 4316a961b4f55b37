//! Multiples of eight points at once, each by a scalar of its own. The two halves of a scalar share their doublings (Straus' method);
//! every lane has its own table of multiples.

use super::{GroupInLanes, LANES, PointsInLanes, constant, filled, glv};
use crate::lanes::coordinate::Coordinate;
use pairwright_curve::glv::{HALF_BITS, decompose};
use pairwright_curve::subgroup::GroupLaw;
use pairwright_curve::{Affine, Jacobian, batch_to_affine};
use pairwright_field::PrimeField;

/// Width of a window in bits; its digits are between -8 and 8.
pub(super) const WINDOW: usize = 4;
/// Number of entries of a table: the multiples by 1 to 8.
pub(super) const TABLE: usize = 1 << (WINDOW - 1);
/// Number of windows of half a scalar.
pub(super) const WINDOWS: usize = HALF_BITS.div_ceil(WINDOW);

/// `scalars[i]·points[i]` for points of the subgroup, as many as there are scalars.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn scale<C: GroupInLanes>(points: &[Affine<C>], scalars: &[C::Scalar]) -> Vec<Affine<C>> {
    let mut multiples = Vec::with_capacity(points.len());
    for (points, scalars) in points.chunks(LANES).zip(scalars.chunks(LANES)) {
        let (eight, infinite) = scale_eight(&filled(points), &filled(scalars));
        for (i, (p, k)) in points.iter().zip(scalars).enumerate() {
            multiples.push(if infinite >> i & 1 == 1 {
                Jacobian::INFINITY
            } else if eight[i].is_infinity() {
                // Z = 0 means infinity, or a sum that the incomplete formulas cannot compute; the portable code decides.
                p.to_jacobian().mul_vartime(k)
            } else {
                eight[i]
            });
        }
    }
    batch_to_affine(&multiples)
}

/// The signed digits of half a scalar, lowest first. They are computed without branches, because the scalar may be secret.
pub(super) fn digits((half, negative): (u128, bool)) -> [i8; WINDOWS] {
    // Hidden from the compiler, which would otherwise make a loop for each sign and a branch between them.
    let sign = core::hint::black_box(-i8::from(negative));
    let mut digits = [0; WINDOWS];
    let mut carry = 0;
    // The topmost window has a spare bit, so there is no carry out of it.
    for (w, digit) in digits.iter_mut().enumerate() {
        let window = ((half >> (WINDOW * w)) as i8 & ((1 << WINDOW) - 1)) + carry;
        // The carry is 1 for a window of 9 or more, which becomes a negative digit.
        carry = (window + (TABLE as i8 - 1)) >> WINDOW;
        *digit = ((window - (carry << WINDOW)) ^ sign) - sign;
    }
    digits
}

/// Masks of the lanes for each magnitude of their digits, and a mask of those whose digits are negative.
fn lanes_of(digits: &[i8; LANES]) -> ([u8; TABLE + 1], u8) {
    let (mut lanes, mut negative) = ([0; TABLE + 1], 0);
    for (i, digit) in digits.iter().enumerate() {
        lanes[digit.unsigned_abs() as usize] |= 1 << i;
        negative |= u8::from(*digit < 0) << i;
    }
    (lanes, negative)
}

/// The eight multiples, and a mask of the lanes whose multiple is infinity. Multiples that could not be computed have `Z = 0`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn scale_eight<C: GroupInLanes>(
    points: &[Affine<C>; LANES],
    scalars: &[C::Scalar; LANES],
) -> ([Jacobian<C>; LANES], u8) {
    let glv = glv::<C>();
    let mut halves = [[[0; LANES]; 2]; WINDOWS];
    for (i, k) in scalars.iter().enumerate() {
        for (h, half) in decompose(&glv, k.to_limbs().as_ref()).into_iter().enumerate() {
            for (w, digit) in digits(half).into_iter().enumerate() {
                halves[w][h][i] = digit;
            }
        }
    }
    let (p, infinite) = PointsInLanes::load(points);
    let beta = constant::<C::Base, _>(&p.x, &glv.beta);
    let mut table = [p; TABLE];
    for i in 1..TABLE {
        table[i] = if i % 2 == 1 { table[i / 2].twice() } else { table[i - 1].plus(&p) };
    }
    let mut images = [p.x; TABLE];
    for i in 0..TABLE {
        images[i] = table[i].x * beta;
    }
    let mut sum = p;
    // The lanes that have had a non-zero digit; in the others the sum is undefined.
    let mut begun = 0u8;
    for window in halves.iter().rev() {
        if begun != 0 {
            for _ in 0..WINDOW {
                sum = sum.twice();
            }
        }
        for (h, digits) in window.iter().enumerate() {
            let (lanes, negative) = lanes_of(digits);
            let some = !lanes[0];
            if some == 0 {
                continue;
            }
            let mut term = table[0];
            if h == 1 {
                term.x = images[0];
            }
            for i in 1..TABLE {
                let x = if h == 1 { &images[i] } else { &table[i].x };
                term.x = C::Eight::blend(lanes[i + 1], &term.x, x);
                term.y = C::Eight::blend(lanes[i + 1], &term.y, &table[i].y);
                term.z = C::Eight::blend(lanes[i + 1], &term.z, &table[i].z);
            }
            term.y = C::Eight::blend(negative, &term.y, &-term.y);
            if begun & some != 0 {
                sum = PointsInLanes::blend(begun & some, &sum, &sum.plus(&term));
            }
            sum = PointsInLanes::blend(some & !begun, &sum, &term);
            begun |= some;
        }
    }
    (sum.stored(), infinite | !begun)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits are small, and add up to the half that they came from, with its sign.
    #[test]
    fn digits_add_up() {
        let most = (1 << HALF_BITS) - 1;
        let nines = u128::MAX / 15 * 9;
        for half in [0, 1, 7, 8, 9, 15, 16, most, most - 1, nines & most, (nines / 9 * 8) & most, most / 3] {
            for negative in [false, true] {
                let digits = digits((half, negative));
                assert!(digits.iter().all(|d| d.unsigned_abs() as usize <= TABLE), "{digits:?}");
                let add = |sum: i128, d: &i8| (sum << WINDOW).wrapping_add(i128::from(*d));
                let want = if negative { -(half as i128) } else { half as i128 };
                assert_eq!(digits.iter().rev().fold(0, add), want);
            }
        }
    }
}
