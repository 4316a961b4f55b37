//! NTT-friendly primes and roots of unity, computed on request and deterministically.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::MomaError;

/// The bases of the primality test: the first twelve primes. The test is for moduli of our own search, not for
/// adversarial numbers.
const BASES: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Whether a number passes the Miller-Rabin test for the first twelve primes as bases. The answer is certain below
/// 2^64; above, the chance of an error is far below that of a hardware fault, for numbers that nobody chose to deceive
/// the test.
pub fn is_probable_prime(n: &BigUint) -> bool {
    let one = BigUint::one();
    if *n <= one {
        return false;
    }
    for p in small_primes() {
        if (n % p).is_zero() {
            return *n == BigUint::from(p);
        }
    }
    let last = n - &one;
    let twos = last.trailing_zeros().unwrap_or(0);
    let odd = &last >> twos;
    BASES.iter().all(|base| {
        let mut x = BigUint::from(*base).modpow(&odd, n);
        if x == one || x == last {
            return true;
        }
        (1..twos).any(|_| {
            x = &x * &x % n;
            x == last
        })
    })
}

/// The primes below 1,024, by trial division: enough to reject four in five odd candidates at once.
fn small_primes() -> impl Iterator<Item = u32> {
    (2..1024u32).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

/// The largest prime of exactly `bits` bits that is 1 modulo `2^two_adicity`.
///
/// # Errors
/// [`MomaError::NoPrime`] if there is none.
pub fn ntt_prime(bits: u32, two_adicity: u32) -> Result<BigUint, MomaError> {
    let none = MomaError::NoPrime { bits, two_adicity };
    if two_adicity == 0 || two_adicity >= bits {
        return Err(none);
    }
    let (top, step) = (BigUint::one() << bits, BigUint::one() << two_adicity);
    let least = &top >> 1u32;
    let primes: Vec<u32> = small_primes().collect();
    let mut candidate = top - &step + 1u32;
    while candidate >= least {
        if primes.iter().all(|p| !(&candidate % p).is_zero() || candidate == BigUint::from(*p))
            && is_probable_prime(&candidate)
        {
            return Ok(candidate);
        }
        candidate -= &step;
    }
    Err(none)
}

/// The largest `k` for which `2^k` divides `q - 1`.
pub fn two_adicity(modulus: &BigUint) -> u32 {
    if modulus.is_zero() {
        return 0;
    }
    let zeros = (modulus - 1u32).trailing_zeros().unwrap_or(0);
    u32::try_from(zeros).unwrap_or(u32::MAX)
}

/// An element of order exactly `2^log_n` modulo a prime: a power of the smallest non-residue.
///
/// # Errors
/// [`MomaError::NotNttFriendly`] if `q - 1` is not divisible by `2^log_n`; [`MomaError::NotPrime`] if no small number
/// is a non-residue, which does not happen for primes.
pub fn root_of_unity(modulus: &BigUint, log_n: u32) -> Result<BigUint, MomaError> {
    let have = two_adicity(modulus);
    if log_n > have || modulus.is_zero() {
        return Err(MomaError::NotNttFriendly { two_adicity: have, asked: log_n });
    }
    let one = BigUint::one();
    if log_n == 0 {
        return Ok(one);
    }
    let last = modulus - &one;
    let half = &last >> 1u32;
    // Under the Riemann hypothesis the smallest non-residue of a prime is below 2 ln(q)^2; in practice it is very
    // small.
    let generator = (2u32..2000)
        .map(BigUint::from)
        .find(|g| g < modulus && g.modpow(&half, modulus) == last)
        .ok_or(MomaError::NotPrime)?;
    Ok(generator.modpow(&(last >> log_n), modulus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_sorted_right() {
        let primes: Vec<u32> = (0..200).filter(|n| is_probable_prime(&BigUint::from(*n))).collect();
        assert_eq!(primes.len(), 46);
        assert_eq!(primes[..5], [2, 3, 5, 7, 11]);
        // Carmichael numbers, and a strong pseudoprime to the bases 2, 3, 5, 7.
        for n in [1105u64, 41041, 3215031751] {
            assert!(!is_probable_prime(&BigUint::from(n)), "{n}");
        }
        // 2^1279 - 1 is prime, 2^1277 - 1 is not.
        assert!(is_probable_prime(&((BigUint::one() << 1279u32) - 1u32)));
        assert!(!is_probable_prime(&((BigUint::one() << 1277u32) - 1u32)));
    }

    #[test]
    fn primes_of_every_width_have_their_roots() {
        for bits in [33, 60, 64, 124, 252, 381, 764, 1020] {
            let q = ntt_prime(bits, 20).unwrap();
            assert_eq!(q.bits(), u64::from(bits));
            assert!(two_adicity(&q) >= 20);
            let root = root_of_unity(&q, 20).unwrap();
            assert_eq!(root.modpow(&BigUint::from(1u32 << 19), &q), &q - 1u32);
        }
        // The largest below 2^64 with this shape is close under it.
        assert_eq!(ntt_prime(64, 32).unwrap(), BigUint::from(0xffff_ffff_0000_0001u64));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(ntt_prime(8, 8), Err(MomaError::NoPrime { bits: 8, two_adicity: 8 }));
        assert_eq!(ntt_prime(6, 5), Err(MomaError::NoPrime { bits: 6, two_adicity: 5 }));
        let q = BigUint::from(97u32);
        assert_eq!(root_of_unity(&q, 6), Err(MomaError::NotNttFriendly { two_adicity: 5, asked: 6 }));
    }
}
