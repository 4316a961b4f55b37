//! Constant-time choices: a bit that may be secret, and operations on it that do not branch.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// A secret bit, kept as a mask of all zeros or all ones.
#[derive(Clone, Copy)]
pub struct Choice(u64);

impl Choice {
    /// Makes a choice from a bit, 0 or 1.
    #[inline(always)]
    pub fn from_bit(bit: u64) -> Self {
        debug_assert!(bit <= 1);
        // The barrier keeps the optimiser from proving the mask is boolean and turning selects into branches.
        Self(core::hint::black_box(bit).wrapping_neg())
    }
    /// Whether `x == 0`.
    #[inline(always)]
    pub fn is_zero(x: u64) -> Self {
        Self::from_bit(((x | x.wrapping_neg()) >> 63) ^ 1)
    }
    /// `if self { b } else { a }`.
    #[inline(always)]
    pub fn select(self, a: u64, b: u64) -> u64 {
        a ^ (self.0 & (a ^ b))
    }
    /// Returns the bit for use in variable-time code; by calling this, the caller asserts that it is public.
    #[inline(always)]
    pub fn reveal(self) -> bool {
        self.0 != 0
    }
}

impl BitAnd for Choice {
    type Output = Self;
    fn bitand(self, o: Self) -> Self {
        Self(self.0 & o.0)
    }
}
impl BitOr for Choice {
    type Output = Self;
    fn bitor(self, o: Self) -> Self {
        Self(self.0 | o.0)
    }
}
impl BitXor for Choice {
    type Output = Self;
    fn bitxor(self, o: Self) -> Self {
        Self(self.0 ^ o.0)
    }
}
impl Not for Choice {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}
