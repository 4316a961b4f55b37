//! Numbers as the programmable logic holds them: canonical residues in binary, converted to digits and back.

use crate::digits::{DIGITS, Digits, Layout};
use pairwright_curve::bls12_377::{Fq, FqModulus};
use pairwright_field::limbs::{adc, bit_window, less_than, sub};
use pairwright_field::{Modulus, PrimeField};

type Limbs = [u64; 6];
const M: Limbs = FqModulus::P;

/// A canonical residue modulo M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Residue(Limbs);

impl Residue {
    pub(super) const ZERO: Self = Self([0; 6]);

    /// The residue of `-x`.
    pub(super) fn negated(self) -> Self {
        if self == Self::ZERO { self } else { Self(sub(&M, &self.0)) }
    }

    /// The digits of the residue.
    pub(super) fn digits(self, layout: Layout) -> Digits {
        digits(layout, &self.0)
    }

    /// The digits of `self + o`, not reduced.
    pub(super) fn plus(self, o: Self, layout: Layout) -> Digits {
        digits(layout, &add(&self.0, &o.0))
    }

    /// The digits of `self - o`, or of `self - o + M` where digits are unsigned; not reduced.
    pub(super) fn minus(self, o: Self, layout: Layout) -> Digits {
        let raised = if layout == Layout::DIGITS_25 { add(&self.0, &M) } else { self.0 };
        digits(layout, &sub(&raised, &o.0))
    }

    /// The final reduction: the residue of a result, which is between -2 M and 2 M.
    pub(super) fn reduce(x: &Digits, layout: Layout) -> Self {
        // 2 M is added and the digits are carried to binary; at most 3 M remains to be subtracted.
        let mut limbs = [0u64; 6];
        let mut carry = 0;
        let twice = digits(layout, &add(&M, &M));
        let radix = layout.radix_bits as usize;
        for (i, lane) in (layout.first..DIGITS).enumerate() {
            let sum = i64::from(x.0[lane]) + i64::from(twice.0[lane]) + carry;
            // The highest digit keeps its carry; nothing is above bit 379.
            let digit = if lane + 1 == DIGITS { sum } else { sum & ((1 << radix) - 1) } as u64;
            carry = sum >> radix;
            let at = i * radix;
            limbs[at / 64] |= digit << (at % 64);
            if at % 64 + radix > 64 && at / 64 + 1 < limbs.len() {
                limbs[at / 64 + 1] |= digit >> (64 - at % 64);
            }
        }
        while !less_than(&limbs, &M) {
            limbs = sub(&limbs, &M);
        }
        Self(limbs)
    }
}

impl From<Fq> for Residue {
    fn from(x: Fq) -> Self {
        Self(x.to_limbs())
    }
}

impl From<Residue> for Fq {
    fn from(x: Residue) -> Self {
        Self::from_limbs(x.0).expect("canonical")
    }
}

fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let mut carry = 0;
    core::array::from_fn(|i| adc(a[i], b[i], &mut carry))
}

/// The digits of an integer, which is in two's complement where the layout's digits are signed.
fn digits(layout: Layout, x: &Limbs) -> Digits {
    let radix = layout.radix_bits as usize;
    let half = if layout == Layout::DIGITS_25 { 0 } else { 1 << (radix - 1) };
    let mut digits = [0; DIGITS];
    let mut carry = 0;
    for (i, lane) in (layout.first..DIGITS).enumerate() {
        let at = i * radix;
        if lane + 1 == DIGITS {
            // The highest digit is the rest, with the sign of the highest limb.
            digits[lane] = ((x[5] as i64 >> (at - 320)) + carry) as i32;
        } else {
            let digit = bit_window(x, at, radix) as i64 + carry;
            carry = (digit + half) >> radix;
            digits[lane] = (digit - (carry << radix)) as i32;
        }
    }
    Digits(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::modulus;
    use num_bigint::BigInt;
    use pairwright_field::Field;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn numbers_are_those_of_the_field() {
        let mut rng = ChaCha20Rng::seed_from_u64(384);
        let mut cases = vec![Fq::ZERO, Fq::ONE, -Fq::ONE];
        cases.extend((0..20).map(|_| Fq::random(&mut rng)));
        let integer = |x: Fq| crate::digits::integer(&x);
        for layout in [Layout::DIGITS_25, Layout::DIGITS_28] {
            let split = |x: BigInt| layout.split(&x).unwrap();
            let raise = if layout == Layout::DIGITS_25 { modulus() } else { BigInt::ZERO };
            for &a in &cases {
                let x = Residue::from(a);
                assert_eq!((Fq::from(x), Fq::from(x.negated())), (a, -a));
                assert_eq!(x.digits(layout), split(integer(a)));
                for &b in &cases {
                    let y = Residue::from(b);
                    assert_eq!(x.plus(y, layout), split(integer(a) + integer(b)));
                    assert_eq!(x.minus(y, layout), split(integer(a) - integer(b) + &raise));
                }
                // Redundant digits are tested too: sums of numbers of both signs, digit by digit.
                for multiple in [-1, 0] {
                    let start = split(modulus() * multiple);
                    for add in [0i32, 7] {
                        let mut digits = x.digits(layout);
                        for i in layout.first..DIGITS {
                            digits.0[i] += start.0[i] + if i % 2 == 0 { -add } else { add };
                        }
                        assert_eq!(Fq::from(Residue::reduce(&digits, layout)), layout.residue(&digits));
                    }
                }
            }
            let most: BigInt = modulus() * 2 - 1;
            for x in [most.clone(), -most, BigInt::ZERO] {
                let digits = split(x);
                assert_eq!(Fq::from(Residue::reduce(&digits, layout)), layout.residue(&digits));
            }
        }
    }
}
