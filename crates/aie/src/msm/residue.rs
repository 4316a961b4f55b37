//! The numbers of the programmable logic: canonical residues in binary, and digits made of them.

use crate::digits::{DIGITS, Digits, RADIX_BITS};
use pairwright_curve::bls12_377::{Fq, FqModulus};
use pairwright_field::limbs::{adc, less_than, sub};
use pairwright_field::{Modulus, PrimeField};

type Limbs = [u64; 6];
const M: Limbs = FqModulus::P;
const MASK: i64 = (1 << RADIX_BITS) - 1;

/// A canonical residue modulo M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Residue(Limbs);

impl Residue {
    pub(super) const ZERO: Self = Self([0; 6]);

    /// `M - x`, or zero.
    pub(super) fn negated(self) -> Self {
        if self == Self::ZERO { self } else { Self(sub(&M, &self.0)) }
    }

    /// Its digits.
    pub(super) fn digits(self) -> Digits {
        digits(&self.0)
    }

    /// The digits of `self + o`, not reduced.
    pub(super) fn plus(self, o: Self) -> Digits {
        digits(&add(&self.0, &o.0))
    }

    /// The digits of `self - o + M`.
    pub(super) fn minus(self, o: Self) -> Digits {
        // M first: nothing is ever negative.
        digits(&sub(&add(&self.0, &M), &o.0))
    }

    /// The final reduction: a result's number, within 2 M of zero on either side, to its residue.
    pub(super) fn reduce(x: &Digits) -> Self {
        // Twice M is added and the digits are carried, so that they are binary; at most three times M is above.
        let mut limbs = [0u64; 6];
        let mut carry = 0;
        let twice = digits(&add(&M, &M));
        for i in 0..DIGITS {
            let sum = i64::from(x.0[i]) + i64::from(twice.0[i]) + carry;
            // The highest digit keeps what it has, at most 384 - 375 bits.
            let digit = if i + 1 == DIGITS { sum } else { sum & MASK } as u64;
            carry = sum >> RADIX_BITS;
            let at = i * RADIX_BITS as usize;
            limbs[at / 64] |= digit << (at % 64);
            if at % 64 + RADIX_BITS as usize > 64 && at / 64 + 1 < limbs.len() {
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

/// The canonical digits of an integer.
fn digits(x: &Limbs) -> Digits {
    Digits(core::array::from_fn(|i| {
        let at = i * RADIX_BITS as usize;
        let above = x.get(at / 64 + 1).copied().unwrap_or(0);
        let window = (u128::from(above) << 64 | u128::from(x[at / 64])) >> (at % 64);
        let digit = window as i64;
        (if i + 1 == DIGITS { digit } else { digit & MASK }) as i32
    }))
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
        for &a in &cases {
            let x = Residue::from(a);
            assert_eq!((Fq::from(x), Fq::from(x.negated())), (a, -a));
            assert_eq!(x.digits(), Digits::from(a));
            for &b in &cases {
                let y = Residue::from(b);
                assert_eq!(x.plus(y), Digits::from_integer(&(integer(a) + integer(b))).unwrap());
                assert_eq!(x.minus(y), Digits::from_integer(&(integer(a) - integer(b) + modulus())).unwrap());
            }
            // Redundant digits too: sums of numbers of both signs, digit by digit.
            for shift in [-2, -1, 0, 1] {
                let start = Digits::from_integer(&(modulus() * shift)).unwrap();
                for add in [0i32, 7] {
                    let mut digits = x.digits();
                    for i in 0..DIGITS {
                        digits.0[i] += start.0[i];
                        digits.0[i] -= if i % 2 == 0 { add } else { -add };
                    }
                    let value = digits.to_integer();
                    if value > modulus() * -2 && value < modulus() * 2 {
                        assert_eq!(Fq::from(Residue::reduce(&digits)), digits.residue());
                    }
                }
            }
        }
        let most: BigInt = modulus() * 2 - 1;
        for x in [most.clone(), -most] {
            let digits = Digits::from_integer(&x).unwrap();
            assert_eq!(Fq::from(Residue::reduce(&digits)), digits.residue());
        }
    }
}
