//! Integers of little more than 377 bits as sixteen digits of 25 bits, \[AIE\] III.B.

use num_bigint::{BigInt, Sign};
use pairwright_curve::bls12_377::{Fq, FqModulus};
use pairwright_field::{Modulus, PrimeField};
use thiserror::Error;

/// The number of lanes that hold a number, and the greatest number of its digits.
pub const DIGITS: usize = 16;
/// The width of a digit in bits: digit `i` has the weight `2^(25·i)`.
pub const RADIX_BITS: u32 = 25;
/// Bytes of a canonical residue modulo M.
const BYTES: usize = 48;

/// The error of splitting an integer into digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum DigitsError {
    /// The integer, of this many bits, needs a highest digit that does not fit a lane of 32 bits.
    #[error("a number of {0} bits does not fit in the digits, with a highest of 32 bits")]
    TooWide(u64),
}

/// The lanes that hold the digits of a number: digit `i` is in lane `first + i` and has the weight `2^(radix_bits·i)`.
/// Lanes below `first` are zero, or ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The width of a digit in bits.
    pub radix_bits: u32,
    /// The number of lanes below the lowest digit.
    pub first: usize,
}

impl Layout {
    /// Sixteen digits of 25 bits, as in the paper.
    pub const DIGITS_25: Self = Self { radix_bits: RADIX_BITS, first: 0 };
    /// Fourteen digits of 28 bits, above two lanes for guard columns.
    pub const DIGITS_28: Self = Self { radix_bits: 28, first: 2 };

    /// How many digits a number has.
    pub const fn digits(self) -> usize {
        DIGITS - self.first
    }

    /// Bits of all digits of a number: 400 or 392.
    pub const fn number_bits(self) -> u32 {
        self.radix_bits * self.digits() as u32
    }

    /// The digits of an integer. All but the highest are in `[0, 2^25)` with digits of 25 bits, in `[-2^27, 2^27)` with
    /// digits of 28. The highest digit holds the remaining bits and the sign.
    ///
    /// # Errors
    /// [`DigitsError::TooWide`] if the highest does not fit in 32 bits.
    pub fn split(self, x: &BigInt) -> Result<Digits, DigitsError> {
        if self == Self::DIGITS_25 { self.split_above(x, &BigInt::ZERO) } else { self.split_nearest(x) }
    }

    /// The digits of an integer, rounded to the nearest: all but the highest are in `[-2^(radix_bits - 1), 2^(radix_bits
    /// - 1))`.
    ///
    /// # Errors
    /// [`DigitsError::TooWide`] if the highest does not fit in 32 bits.
    pub fn split_nearest(self, x: &BigInt) -> Result<Digits, DigitsError> {
        self.split_above(x, &(BigInt::from(1) << (self.radix_bits - 1)))
    }

    /// The digits of an integer, of which all but the highest are in `[-half, 2^radix_bits - half)`.
    fn split_above(self, x: &BigInt, half: &BigInt) -> Result<Digits, DigitsError> {
        let wide = |_| DigitsError::TooWide(x.bits());
        let mut rest = x.clone();
        let mut digits = [0; DIGITS];
        for digit in &mut digits[self.first..DIGITS - 1] {
            // Shifts of negative integers round down.
            let above: BigInt = (&rest + half) >> self.radix_bits;
            let low = rest - (&above << self.radix_bits);
            *digit = i32::try_from(low).map_err(|_| DigitsError::TooWide(x.bits()))?;
            rest = above;
        }
        digits[DIGITS - 1] = i32::try_from(rest).map_err(wide)?;
        Ok(Digits(digits))
    }

    /// The integer that the digits represent.
    pub fn integer(self, digits: &Digits) -> BigInt {
        let above = digits.0[self.first..].iter().rev();
        above.fold(BigInt::ZERO, |above, digit| (above << self.radix_bits) + digit)
    }

    /// The residue modulo M of the integer that the digits represent.
    pub fn residue(self, digits: &Digits) -> Fq {
        let m = modulus();
        let (_, mut bytes) = (((self.integer(digits) % &m) + &m) % &m).to_bytes_le();
        bytes.resize(BYTES, 0);
        Fq::read_le(&bytes).expect("reduced")
    }
}

/// The lanes of a number. The methods of this type read them by [`Layout::DIGITS_25`], as the integer `Σ d[i]·2^(25 i)`.
/// Any int32 may be a digit, so that a number has many representations; [`Digits::from_integer`] gives the canonical one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits(pub [i32; DIGITS]);

impl Digits {
    /// The canonical digits of an integer: all but the highest are in `[0, 2^25)`, the highest holds the rest and the
    /// sign.
    ///
    /// # Errors
    /// [`DigitsError::TooWide`] outside of about ±2^406.
    pub fn from_integer(x: &BigInt) -> Result<Self, DigitsError> {
        Layout::DIGITS_25.split(x)
    }

    /// The integer that the digits represent.
    pub fn to_integer(&self) -> BigInt {
        Layout::DIGITS_25.integer(self)
    }

    /// The residue modulo M of the integer that the digits represent.
    pub fn residue(&self) -> Fq {
        Layout::DIGITS_25.residue(self)
    }
}

impl From<Fq> for Digits {
    /// Returns the canonical digits of the canonical value.
    fn from(x: Fq) -> Self {
        Self::from_integer(&integer(&x)).expect("below 2^377")
    }
}

/// The canonical value of a residue.
pub(crate) fn integer(x: &Fq) -> BigInt {
    let mut bytes = [0; BYTES];
    x.write_le(&mut bytes);
    BigInt::from_bytes_le(Sign::Plus, &bytes)
}

/// The prime of BLS12-377's base field, M in the paper.
pub fn modulus() -> BigInt {
    FqModulus::P.iter().rev().fold(BigInt::ZERO, |above, limb| (above << 64) + limb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_canonical_and_come_back() {
        let m = modulus();
        for x in [BigInt::ZERO, BigInt::from(1), &m - 1, &m * 6 - 1, -&m, -BigInt::from(1)] {
            let digits = Digits::from_integer(&x).unwrap();
            assert!(digits.0[..DIGITS - 1].iter().all(|d| (0..1 << RADIX_BITS).contains(d)));
            assert_eq!(digits.to_integer(), x);
        }
        assert_eq!(Digits::from_integer(&(BigInt::from(1) << 406)), Err(DigitsError::TooWide(407)));
        assert_eq!(Digits::from_integer(&(&m * 6 - 1)).unwrap().residue(), -Fq::from(1));
        let layout = Layout::DIGITS_28;
        for x in [BigInt::ZERO, BigInt::from(1), &m - 1, &m * 6 - 1, -&m, -BigInt::from(1), (&m * 3) >> 1] {
            let digits = layout.split(&x).unwrap();
            assert_eq!(digits.0[..layout.first], [0; 2]);
            assert!(digits.0[layout.first..].iter().all(|d| (-(1 << 27)..1 << 27).contains(d)));
            assert_eq!(layout.integer(&digits), x);
        }
        assert_eq!(layout.split(&(BigInt::from(1) << 396)), Err(DigitsError::TooWide(397)));
    }
}
