//! Decomposition of scalars into digits, one per window.

use pairwright_curve::glv::HALF_BITS;
use pairwright_field::limbs::bit_window;
use serde::Serialize;

/// The division of scalars into windows, and which digits share a window.
///
/// A scalar is one number, or two halves of half the width (`k = k1 + k2·λ`, the second for the endomorphism's image of the
/// point). A number has [`DigitPlan::digits`] digits, in `levels` runs of `windows` each; run `j` belongs to the multiple
/// `2^(j·windows·bits)` of the point, which DRAM holds beside it. Digit `i` of every run and of both halves share window
/// `i`, so that there are `windows` sums to reduce and to aggregate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DigitPlan {
    /// Bits of a scalar, or of a half of it.
    pub scalar_bits: u32,
    /// Numbers per scalar: 1 or 2.
    pub halves: u32,
    /// Digits of each number.
    pub digits: u32,
    /// Multiples of a point in DRAM, including the point itself.
    pub levels: u32,
    /// Number of windows, that is, of sums of buckets.
    pub windows: u32,
    /// Bits of a window.
    pub bits: u32,
    /// Whether digits are signed.
    pub signed: bool,
    /// Buckets of a window.
    pub buckets: u32,
}

/// A scalar in the form of the digit extractor: the scalar itself or, for signed digits, with the recoding constant added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recoded([u64; LIMBS]);

/// Limbs of a recoded scalar: the four limbs of a scalar, and one for the carry of the constant.
const LIMBS: usize = 5;

impl DigitPlan {
    /// Divides scalars of `scalar_bits` bits (up to 256) into windows of `bits` bits (1 to 31).
    ///
    /// The digit of the top window is unsigned, so signed digits need a spare bit in the top window.
    pub const fn new(scalar_bits: u32, bits: u32, signed: bool) -> Self {
        let digits = if signed { scalar_bits / bits + 1 } else { scalar_bits.div_ceil(bits) };
        let buckets = 1 << (bits - signed as u32);
        Self { scalar_bits, halves: 1, digits, levels: 1, windows: digits, bits, signed, buckets }
    }

    /// The plan for the two halves of a scalar, with windows of the same size.
    #[must_use]
    pub const fn halved(self) -> Self {
        Self { halves: 2, ..Self::new(HALF_BITS as u32, self.bits, self.signed) }
    }

    /// The same digits distributed over `levels` multiples of a point, or over fewer if these need no more windows.
    #[must_use]
    pub const fn with_multiples(self, levels: u32) -> Self {
        let windows = self.digits.div_ceil(levels);
        Self { levels: self.digits.div_ceil(windows), windows, ..self }
    }

    /// Bits from one multiple of a point to the next.
    pub const fn stride(&self) -> u32 {
        self.windows * self.bits
    }

    /// Prepares a scalar, given as little-endian limbs, for [`DigitPlan::digit`].
    ///
    /// For signed digits half a window is added to every digit but the top one, in a single addition. Afterwards each digit
    /// depends on its window alone, without a carry chain between windows.
    pub fn recode(&self, scalar: &[u64]) -> Recoded {
        let mut limbs = [0; LIMBS];
        for (limb, s) in limbs.iter_mut().zip(scalar) {
            *limb = *s;
        }
        if self.signed {
            let mut constant = [0u64; LIMBS];
            for window in 0..self.digits - 1 {
                let at = (window * self.bits + self.bits - 1) as usize;
                constant[at / 64] |= 1 << (at % 64);
            }
            let mut carry = false;
            for (limb, c) in limbs.iter_mut().zip(constant) {
                let (sum, over) = limb.overflowing_add(c);
                let (sum, over_too) = sum.overflowing_add(u64::from(carry));
                (*limb, carry) = (sum, over | over_too);
            }
        }
        Recoded(limbs)
    }

    /// The digit of a window: `scalar = Σ digit(i)·2^(i·bits)`; 0 beyond the last.
    pub fn digit(&self, scalar: &Recoded, window: u32) -> i32 {
        if window >= self.digits {
            return 0;
        }
        let digit = bit_window(&scalar.0, (window * self.bits) as usize, self.bits as usize) as i32;
        let half = if self.signed && window + 1 < self.digits { 1 << (self.bits - 1) } else { 0 };
        digit - half
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_digits_are_the_scalar(
            limbs in prop::array::uniform4(any::<u64>()),
            all_ones in any::<bool>(),
            scalar_bits in 1u32..=256,
            bits in 2u32..=16,
            signed in any::<bool>(),
        ) {
            let mut scalar = if all_ones { [u64::MAX; 4] } else { limbs };
            for (i, limb) in scalar.iter_mut().enumerate() {
                let left = scalar_bits.saturating_sub(64 * i as u32);
                *limb &= if left >= 64 { u64::MAX } else { (1 << left) - 1 };
            }
            let plan = DigitPlan::new(scalar_bits, bits, signed);
            let recoded = plan.recode(&scalar);
            // Horner in 64-bit digits would need a big integer; residues modulo two primes tell numbers of this size
            // apart from any one digit's error.
            for p in [0xffff_ffff_ffff_ffc5u64, (1 << 61) - 1] {
                let p = i128::from(p);
                let value = scalar.iter().rev().fold(0i128, |a, l| ((((a << 32) % p) << 32) + i128::from(*l)) % p);
                let horner = (0..plan.digits).rev().fold(0i128, |a, w| {
                    let digit = plan.digit(&recoded, w);
                    assert!(digit.unsigned_abs() <= plan.buckets, "digit {digit} of {plan:?}");
                    ((a << bits) + i128::from(digit)).rem_euclid(p)
                });
                prop_assert_eq!(horner, value);
            }
        }
    }

    #[test]
    fn windows_of_the_papers_sizes() {
        assert_eq!(DigitPlan::new(255, 10, false).windows, 26);
        assert_eq!((DigitPlan::new(255, 10, true).windows, DigitPlan::new(255, 10, true).buckets), (26, 512));
        assert_eq!(DigitPlan::new(255, 9, false).windows, 29);
        assert_eq!((DigitPlan::new(255, 11, true).windows, DigitPlan::new(254, 11, true).windows), (24, 24));
    }
}
