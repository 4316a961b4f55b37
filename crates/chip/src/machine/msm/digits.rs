//! Scalars as digits, one a window.

use pairwright_field::limbs::bit_window;
use serde::Serialize;

/// How scalars of a width fall into windows of a width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    /// Bits of a scalar.
    pub scalar_bits: u32,
    /// Windows.
    pub windows: u32,
    /// Bits of a window.
    pub bits: u32,
    /// Whether digits have signs.
    pub signed: bool,
    /// Buckets of a window.
    pub buckets: u32,
}

/// A scalar as the digit extractor holds it: itself or, for signed digits, with the recoding constant added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recoded([u64; LIMBS]);

/// Limbs of a recoded scalar: those of four, and room for the constant.
const LIMBS: usize = 5;

impl Plan {
    /// Windows of `bits` bits (1 to 31) over scalars of `scalar_bits` bits (up to 256).
    ///
    /// The digit of the top window has no sign, so signed digits need the top window to have a bit to spare.
    pub const fn new(scalar_bits: u32, bits: u32, signed: bool) -> Self {
        let windows = if signed { scalar_bits / bits + 1 } else { scalar_bits.div_ceil(bits) };
        Self { scalar_bits, windows, bits, signed, buckets: 1 << (bits - signed as u32) }
    }

    /// A scalar, little-endian limbs, made ready for [`Plan::digit`].
    ///
    /// For signed digits half a window is added to every window but the top one, all at once: one addition, after which
    /// each digit depends on its window alone and no carry has to be waited for.
    pub fn recode(&self, scalar: &[u64]) -> Recoded {
        let mut limbs = [0; LIMBS];
        for (limb, s) in limbs.iter_mut().zip(scalar) {
            *limb = *s;
        }
        if self.signed {
            let mut constant = [0u64; LIMBS];
            for window in 0..self.windows - 1 {
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

    /// The digit of a window: `scalar = Σ digit(i)·2^(i·bits)`.
    pub fn digit(&self, scalar: &Recoded, window: u32) -> i32 {
        let digit = bit_window(&scalar.0, (window * self.bits) as usize, self.bits as usize) as i32;
        let half = if self.signed && window + 1 < self.windows { 1 << (self.bits - 1) } else { 0 };
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
            let plan = Plan::new(scalar_bits, bits, signed);
            let recoded = plan.recode(&scalar);
            // Horner in 64-bit digits would need a big integer; residues modulo two primes tell numbers of this size
            // apart from any one digit's error.
            for p in [0xffff_ffff_ffff_ffc5u64, (1 << 61) - 1] {
                let p = i128::from(p);
                let value = scalar.iter().rev().fold(0i128, |a, l| ((((a << 32) % p) << 32) + i128::from(*l)) % p);
                let horner = (0..plan.windows).rev().fold(0i128, |a, w| {
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
        assert_eq!(Plan::new(255, 10, false).windows, 26);
        assert_eq!((Plan::new(255, 10, true).windows, Plan::new(255, 10, true).buckets), (26, 512));
        assert_eq!(Plan::new(255, 9, false).windows, 29);
        assert_eq!((Plan::new(255, 11, true).windows, Plan::new(254, 11, true).windows), (24, 24));
    }
}
