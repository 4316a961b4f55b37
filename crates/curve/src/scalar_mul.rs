//! Variable-time scalar multiplication by signed windows. If the group has an endomorphism, two scalars of half the length are
//! processed at once. Use [`crate::Projective::mul`] for secret scalars.

use crate::{Curve, Jacobian, glv};
use pairwright_field::PrimeField;
use pairwright_field::limbs::wnaf_vartime;

/// Width of the signed windows in bits; the table holds the odd multiples below `2^(WIDTH - 1)`.
const WIDTH: usize = 5;
/// Number of entries of the table.
const TABLE: usize = 1 << (WIDTH - 2);

impl<C: Curve> Jacobian<C> {
    /// `k·self` for an integer given as little-endian limbs of any length. Variable time in both. Valid for every
    /// point of the curve, in the subgroup or not.
    #[inline(never)]
    pub fn mul_limbs_vartime(&self, k: &[u64]) -> Self {
        let digits = wnaf_vartime(k, WIDTH);
        let table = self.odd_multiples();
        digits.iter().rev().fold(Self::INFINITY, |acc, &d| add_digit(acc.double(), &table, d))
    }

    /// `k·self` for a point of the prime-order subgroup. For other points use [`Self::mul_limbs_vartime`], because the endomorphism
    /// does not multiply them by λ. Variable time in both.
    #[inline(never)]
    pub fn mul_vartime(&self, k: &C::Scalar) -> Self {
        let limbs = k.to_limbs();
        let Some(endo) = &C::GLV else { return self.mul_limbs_vartime(limbs.as_ref()) };
        let [(k1, neg1), (k2, neg2)] = glv::decompose(endo, limbs.as_ref());
        let halves = |k: u128| [k as u64, (k >> 64) as u64];
        let (d1, d2) = (wnaf_vartime(&halves(k1), WIDTH), wnaf_vartime(&halves(k2), WIDTH));
        let plain = self.odd_multiples();
        // φ fixes Z, so it acts on Jacobian coordinates as on affine ones. The signs of the halves are applied to the tables.
        let image = plain.map(|p| {
            let q = Self { x: endo.beta * p.x, ..p };
            if neg2 { -q } else { q }
        });
        let plain = if neg1 { plain.map(|p| -p) } else { plain };
        let mut acc = Self::INFINITY;
        for i in (0..d1.len().max(d2.len())).rev() {
            acc = acc.double();
            acc = add_digit(acc, &plain, d1.get(i).copied().unwrap_or(0));
            acc = add_digit(acc, &image, d2.get(i).copied().unwrap_or(0));
        }
        acc
    }

    /// The odd multiples `self, 3·self, 5·self, …`.
    fn odd_multiples(&self) -> [Self; TABLE] {
        let twice = self.double();
        let mut table = [*self; TABLE];
        for i in 1..TABLE {
            table[i] = table[i - 1] + twice;
        }
        table
    }
}

/// `acc + d·P` from the odd multiples of `P`.
#[inline(always)]
fn add_digit<C: Curve>(acc: Jacobian<C>, table: &[Jacobian<C>; TABLE], d: i8) -> Jacobian<C> {
    match d {
        0 => acc,
        1.. => acc + table[d as usize / 2],
        _ => acc - table[d.unsigned_abs() as usize / 2],
    }
}

#[cfg(test)]
mod tests {
    use super::wnaf_vartime;

    /// The digits of the wNAF represent the integer, are odd or zero and within bounds, and have the required distance.
    #[test]
    fn wnaf_is_the_integer() {
        let edges =
            [0, 1, 2, 3, 15, 16, 17, 31, 32, 0xffff, 1 << 63, u64::MAX, u64::MAX - 1, 0x5555_5555_5555_5555];
        for width in 2..=7 {
            for low in edges {
                for high in [0u64, 1, 0x7fff_ffff_ffff_ffff, 0xdead_beef] {
                    let k = i128::from(low) | i128::from(high) << 64;
                    let digits = wnaf_vartime(&[low, high], width);
                    // Summed from the top, so that partial sums stay within the type.
                    let sum =
                        digits.iter().rev().fold(0i128, |acc, &d| (acc << 1).wrapping_add(i128::from(d)));
                    assert_eq!(sum, k, "width {width}");
                    for (i, &d) in digits.iter().enumerate().filter(|(_, d)| **d != 0) {
                        assert!(d % 2 != 0 && d.unsigned_abs() < 1 << (width - 1));
                        assert!(digits.iter().skip(i + 1).take(width - 1).all(|&next| next == 0));
                    }
                }
            }
        }
        assert!(wnaf_vartime(&[], 5).iter().all(|&d| d == 0));
    }
}
