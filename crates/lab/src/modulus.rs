//! Primes for the figures: any width, with room for large transforms, of no special form otherwise.

use crate::LabError;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// An NTT-friendly prime `q = c 2^s + 1`, and a primitive 2^s-th root of unity.
#[derive(Clone, Debug)]
pub struct Modulus {
    /// The width class of the figure: the prime has four bits less, as in [MoMA] section 5.2.
    pub bits: u32,
    /// The prime.
    pub q: BigUint,
    /// s: transforms have at most 2^s points.
    pub two_adicity: u32,
    root: BigUint,
}

const TWO_ADICITY: u32 = 32;

impl Modulus {
    /// The largest prime of `bits - 4` bits with s = 32.
    ///
    /// # Errors
    /// Widths so small that there is none.
    pub fn of_class(bits: u32) -> Result<Self, LabError> {
        let none = LabError::NoPrime { bits: bits.saturating_sub(4), two_adicity: TWO_ADICITY };
        let Some(free) = bits.checked_sub(4 + TWO_ADICITY).filter(|free| *free > 0) else {
            return Err(none);
        };
        let mut c: BigUint = (BigUint::one() << free) - 1u8;
        while c.bits() == u64::from(free) {
            let q = (&c << TWO_ADICITY) + 1u8;
            if is_prime(&q) {
                let root = root_of_unity(&q);
                return Ok(Self { bits, q, two_adicity: TWO_ADICITY, root });
            }
            c -= 1u8;
        }
        Err(none)
    }

    /// 64-bit limbs of a number of the width class.
    pub fn limbs(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }

    /// A primitive 2^log2_n-th root of unity.
    pub fn root(&self, log2_n: u32) -> BigUint {
        let mut root = self.root.clone();
        for _ in log2_n..self.two_adicity {
            root = &root * &root % &self.q;
        }
        root
    }

    /// Numbers below q: the edges 0, 1, q - 1 first, then uniform ones.
    pub fn operands(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<BigUint> {
        let edges = [BigUint::zero(), BigUint::one(), &self.q - 1u8];
        let mut bytes = vec![0; 8 * (self.limbs() + 1)];
        let random = core::iter::repeat_with(|| {
            rng.fill_bytes(&mut bytes);
            BigUint::from_bytes_le(&bytes) % &self.q
        });
        edges.into_iter().chain(random).take(count).collect()
    }
}

/// Miller and Rabin's test with the first twelve primes as bases, after trial division by small primes.
fn is_prime(q: &BigUint) -> bool {
    const SMALL: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if (2..2000u32).any(|d| (q % d).is_zero() && *q != BigUint::from(d)) {
        return false;
    }
    let minus_one = q - 1u8;
    let twos = minus_one.trailing_zeros().unwrap_or(0);
    let odd = &minus_one >> twos;
    SMALL.iter().all(|base| {
        let mut x = BigUint::from(*base).modpow(&odd, q);
        if x.is_one() || x == minus_one {
            return true;
        }
        (1..twos).any(|_| {
            x = &x * &x % q;
            x == minus_one
        })
    })
}

/// `x^c` for the first x of full order: its 2^(s-1)-th power is -1.
fn root_of_unity(q: &BigUint) -> BigUint {
    let minus_one = q - 1u8;
    let c = &minus_one >> TWO_ADICITY;
    let half = BigUint::one() << (TWO_ADICITY - 1);
    let roots = (2u32..).map(|x| BigUint::from(x).modpow(&c, q));
    let full = |root: &BigUint| root.modpow(&half, q) == minus_one;
    roots.into_iter().find(full).expect("half of all numbers are no squares")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_have_their_width_and_roots_their_order() {
        for bits in [64, 128, 320] {
            let modulus = Modulus::of_class(bits).unwrap();
            assert_eq!(modulus.q.bits(), u64::from(bits - 4));
            let root = modulus.root(5);
            assert_eq!(root.modpow(&BigUint::from(16u8), &modulus.q), &modulus.q - 1u8);
        }
        assert!(matches!(Modulus::of_class(36), Err(LabError::NoPrime { bits: 32, .. })));
        assert!(matches!(Modulus::of_class(3), Err(LabError::NoPrime { bits: 0, .. })));
    }

    #[test]
    fn known_primes_and_products() {
        let p = |text: &str| BigUint::parse_bytes(text.as_bytes(), 10).unwrap();
        assert!(is_prime(&p("170141183460469231731687303715884105727")));
        assert!(is_prime(&p("18446744069414584321")) && is_prime(&p("1999")));
        assert!(!is_prime(&p("340282366920938463463374607431768211457")));
        assert!(!is_prime(&(p("18446744069414584321") * p("18446744069414584321"))));
    }
}
