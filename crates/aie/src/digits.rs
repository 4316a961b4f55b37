//! Integers of 377 bits and a little more as sixteen digits of 25 bits, \[AIE\] III.B.

use num_bigint::{BigInt, Sign};
use pairwright_curve::bls12_377::{Fq, FqModulus};
use pairwright_field::{Modulus, PrimeField};
use thiserror::Error;

/// Digits of a number.
pub const DIGITS: usize = 16;
/// Bits between one digit and the next.
pub const RADIX_BITS: u32 = 25;
/// Bytes of a canonical residue.
const BYTES: usize = 48;

/// A number is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum DigitsError {
    /// Its highest digit would not fit in a lane of 32 bits.
    #[error("a number of {0} bits does not fit in sixteen digits of 25 bits with a highest of 32")]
    TooWide(u64),
}

/// The integer `Σ d[i]·2^(25 i)`. Digits are redundant: any int32 is one; [`Digits::from_integer`] gives the canonical
/// ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits(pub [i32; DIGITS]);

impl Digits {
    /// The canonical digits of an integer: all but the highest in `[0, 2^25)`, the highest with the sign.
    ///
    /// # Errors
    /// [`DigitsError::TooWide`] outside of about ±2^406.
    pub fn from_integer(x: &BigInt) -> Result<Self, DigitsError> {
        let mut rest = x.clone();
        let mut digits = [0; DIGITS];
        for digit in &mut digits[..DIGITS - 1] {
            // Shifts of negative integers round down, so that the remainder is never negative.
            let above: BigInt = &rest >> RADIX_BITS;
            let low = rest - (&above << RADIX_BITS);
            *digit = i32::try_from(low).map_err(|_| DigitsError::TooWide(x.bits()))?;
            rest = above;
        }
        digits[DIGITS - 1] = i32::try_from(rest).map_err(|_| DigitsError::TooWide(x.bits()))?;
        Ok(Self(digits))
    }

    /// The integer.
    pub fn to_integer(&self) -> BigInt {
        self.0.iter().rev().fold(BigInt::ZERO, |above, digit| (above << RADIX_BITS) + digit)
    }

    /// The integer's residue modulo the prime.
    pub fn residue(&self) -> Fq {
        let m = modulus();
        let (_, mut bytes) = (((self.to_integer() % &m) + &m) % &m).to_bytes_le();
        bytes.resize(BYTES, 0);
        Fq::read_le(&bytes).expect("reduced")
    }
}

impl From<Fq> for Digits {
    /// The canonical digits of the canonical value.
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

/// BLS12-377's prime, M in the paper.
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
        assert_eq!(Digits::from_integer(&(m * 6 - 1)).unwrap().residue(), -Fq::from(1));
    }
}
