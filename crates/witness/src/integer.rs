//! Integers of any size in `input.json`, which are reduced only when the field is known.

use crate::ValueError;
use core::fmt;
use pairwright_field::PrimeField;
use zeroize::Zeroize;

/// An integer as sign and digits, which are wiped when it is dropped.
///
/// The digits are kept as text because the field is not known when a file is read; the reduction is linear in the number of
/// digits.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Integer {
    negative: bool,
    radix: Radix,
    digits: Box<str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Radix {
    Decimal,
    Hexadecimal,
}

impl Radix {
    fn value(self) -> u32 {
        match self {
            Self::Decimal => 10,
            Self::Hexadecimal => 16,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Decimal => "decimal",
            Self::Hexadecimal => "hexadecimal",
        }
    }

    /// The number of digits that always fit 64 bits, and the radix to that power.
    fn chunk(self) -> (usize, u64) {
        match self {
            Self::Decimal => (19, 10_000_000_000_000_000_000),
            Self::Hexadecimal => (15, 1 << 60),
        }
    }
}

impl Integer {
    /// The integer 0 or 1.
    pub(crate) fn from_bool(value: bool) -> Self {
        Self { negative: false, radix: Radix::Decimal, digits: if value { "1" } else { "0" }.into() }
    }

    /// The canonical value of a field element.
    pub(crate) fn from_field<F: PrimeField>(value: &F) -> Self {
        Self { negative: false, radix: Radix::Decimal, digits: value.to_decimal().into() }
    }

    /// Parses an optional sign, an optional `0x`, and digits; surrounding whitespace is dropped, as in JavaScript.
    pub(crate) fn parse(text: &str) -> Result<Self, ValueError> {
        let lead = text.chars().take_while(|c| c.is_ascii_whitespace()).count();
        let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
        let (negative, signed, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, 1, rest),
            None => text.strip_prefix('+').map_or((false, 0, text), |rest| (false, 1, rest)),
        };
        let (radix, prefix, digits) = match rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
            Some(digits) => (Radix::Hexadecimal, 2, digits),
            None => (Radix::Decimal, 0, rest),
        };
        if digits.is_empty() {
            return Err(ValueError::Empty);
        }
        if let Some((at, found)) = digits.chars().enumerate().find(|(_, c)| !c.is_digit(radix.value())) {
            let at = [lead, signed, prefix].into_iter().fold(at, usize::saturating_add);
            return Err(ValueError::Digit { at, found, radix: radix.name() });
        }
        Ok(Self { negative, radix, digits: digits.into() })
    }

    /// The residue modulo the field's prime. Time depends on the number of digits and on the sign.
    #[allow(clippy::arithmetic_side_effects, reason = "a field's arithmetic has no overflow")]
    pub(crate) fn reduce_vartime<F: PrimeField>(&self) -> F {
        let (size, scale) = self.radix.chunk();
        let scale = F::from(scale);
        // The first chunk takes the digits that do not fill a whole chunk; chunks hold ASCII digits only.
        let value = self.digits.as_bytes().rchunks(size).rev().fold(F::ZERO, |acc, chunk| {
            let word = chunk.iter().fold(0u64, |word, &digit| {
                let digit = char::from(digit).to_digit(self.radix.value()).unwrap_or(0);
                word.wrapping_mul(u64::from(self.radix.value())).wrapping_add(u64::from(digit))
            });
            acc * scale + F::from(word)
        });
        if self.negative { -value } else { value }
    }
}

impl Drop for Integer {
    fn drop(&mut self) {
        self.digits.zeroize();
    }
}

impl fmt::Debug for Integer {
    /// Prints no value: inputs are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bn254::Fr;
    use pairwright_field::Field;

    fn read(text: &str) -> Fr {
        Integer::parse(text).unwrap().reduce_vartime()
    }

    #[test]
    fn signs_radices_and_blanks() {
        let seven = Fr::from(7);
        for text in ["7", "+7", " 7\n", "0x7", "0X07", "0000000000000000000000000007"] {
            assert_eq!(read(text), seven, "{text}");
        }
        assert_eq!(read("-7"), -seven);
        assert_eq!(read("-0x7"), -seven);
        assert_eq!(read("-0"), Fr::ZERO);
    }

    #[test]
    fn every_length_agrees_with_horner_in_small_steps() {
        let mut decimal = String::new();
        let mut hexadecimal = String::from("0x");
        let (mut by_ten, mut by_sixteen) = (Fr::ZERO, Fr::ZERO);
        for i in 0..200u64 {
            let (d, h) = ((i * 7 + 3) % 10, (i * 11 + 15) % 16);
            decimal.push(char::from_digit(d as u32, 10).unwrap());
            hexadecimal.push(char::from_digit(h as u32, 16).unwrap());
            by_ten = by_ten * Fr::from(10) + Fr::from(d);
            by_sixteen = by_sixteen * Fr::from(16) + Fr::from(h);
            assert_eq!(read(&decimal), by_ten, "{decimal}");
            assert_eq!(read(&hexadecimal), by_sixteen, "{hexadecimal}");
            assert_eq!(read(&hexadecimal.to_uppercase()), by_sixteen);
        }
    }

    #[test]
    fn the_prime_is_zero() {
        assert_eq!(
            read("21888242871839275222246405745257275088548364400416034343698204186575808495617"),
            Fr::ZERO
        );
        assert_eq!(read("0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001"), Fr::ZERO);
        assert_eq!(
            read("-21888242871839275222246405745257275088548364400416034343698204186575808495618"),
            -Fr::ONE
        );
    }

    #[test]
    fn what_is_no_integer() {
        let digit = |at, found, radix| ValueError::Digit { at, found, radix };
        for (text, why) in [
            ("", ValueError::Empty),
            ("  ", ValueError::Empty),
            ("-", ValueError::Empty),
            ("0x", ValueError::Empty),
            ("12a4", digit(2, 'a', "decimal")),
            ("0x12g", digit(4, 'g', "hexadecimal")),
            (" -1_0", digit(3, '_', "decimal")),
            ("--1", digit(1, '-', "decimal")),
            ("1 2", digit(1, ' ', "decimal")),
            ("1.0", digit(1, '.', "decimal")),
            ("٣", digit(0, '٣', "decimal")),
        ] {
            assert_eq!(Integer::parse(text).unwrap_err(), why, "{text}");
        }
    }
}
