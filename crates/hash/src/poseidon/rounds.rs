//! The numbers of rounds for a field (\[P\] §5.5), and the exponent of the S-box.

use super::WIDTH;
use pairwright_field::PrimeField;

/// The security level in bits.
const SECURITY: f64 = 128.0;

/// The smallest exponent from 3 on that is coprime to `p - 1`: the S-box `x -> x^alpha`.
pub(super) fn alpha<F: PrimeField>() -> u64 {
    let modulo = |q: u64| {
        let q = u128::from(q);
        let limbs = F::MODULUS;
        let p = limbs.as_ref().iter().rev().fold(0, |rest, l| ((rest << 64) | u128::from(*l)) % q);
        ((p + q - 1) % q) as u64
    };
    let coprime = |q: u64| {
        let (mut a, mut b) = (q, modulo(q));
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let mut alpha = 3;
    while !coprime(alpha) {
        alpha += 2; // p - 1 is even
    }
    alpha
}

/// The base-2 logarithm of a number of at least 1, which `core` does not have: the exponent, plus for the mantissa `m` the series
/// of artanh((m - 1)/(m + 1)), whose argument is at most a third.
fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let (mut sum, mut power) = (0.0, t);
    for k in (1..40u8).step_by(2) {
        sum += power / f64::from(k);
        power *= t * t;
    }
    ((bits >> 52) as f64 - 1023.0) + 2.0 * core::f64::consts::LOG2_E * sum
}

/// The greatest integer that is not above `x`, for `x >= 0`.
fn floor(x: f64) -> f64 {
    x as u64 as f64
}

/// The least integer that is not below `x`, for `x >= 0`.
fn ceil(x: f64) -> f64 {
    let below = floor(x);
    if below < x { below + 1.0 } else { below }
}

/// The base-2 logarithm of the modulus.
fn log2_modulus<F: PrimeField>() -> f64 {
    let (limbs, base) = (F::MODULUS, (1u128 << 64) as f64);
    log2(limbs.as_ref().iter().rev().fold(0.0, |value, l| value * base + *l as f64))
}

/// Whether these rounds resist every attack that \[P\] §5.5 considers, without a margin.
fn is_secure<F: PrimeField>(full: usize, partial: usize, alpha: u64) -> bool {
    let (t, log_p, log_alpha) = (WIDTH as f64, log2_modulus::<F>(), log2(alpha as f64));
    let (full, partial) = (full as f64, partial as f64);
    let statistical = floor(log_p) - log2(alpha as f64 - 1.0);
    if full < if SECURITY <= statistical * (t + 1.0) { 6.0 } else { 10.0 } {
        return false;
    }
    let total = full + partial;
    let interpolation = 1.0 + ceil(SECURITY.min(f64::from(F::BITS)) / log_alpha) + ceil(log2(t) / log_alpha);
    total >= interpolation
        && total >= (SECURITY / 3.0).min(log_p / 2.0) / log_alpha
        && total >= t - 1.0 + (SECURITY / (t + 1.0)).min(log_p / 2.0) / log_alpha
        && (t - 1.0) * full + partial >= t - 2.0 + SECURITY / (2.0 * log_alpha)
}

/// log2 of the cost of a Gröbner basis that guesses a subspace trail through the partial rounds (Ashur, Buschman,
/// Mahzoun, ePrint 2023/537), with linear-algebra exponent 2.
fn subspace_groebner_cost(full: usize, partial: usize, alpha: u64) -> f64 {
    let lead = WIDTH / 3;
    let under = lead * full / 2 + partial + alpha as usize;
    let over = (full - 1) * WIDTH + partial + lead + under;
    2.0 * (1..=under).map(|i| log2((over - under + i) as f64 / i as f64)).sum::<f64>()
}

/// The numbers of full and partial rounds with the fewest S-boxes, with \[P\]'s margin of two full rounds and 7.5 % of the partial
/// ones. The partial rounds are rounded up to a multiple of the width, as in the published instances.
pub(super) fn numbers<F: PrimeField>(alpha: u64) -> (usize, usize) {
    let with_margin = |partial: usize| {
        let full = (4..100).step_by(2).find(|full| is_secure::<F>(*full, partial, alpha))?;
        Some((full + 2, (partial * 1075).div_ceil(1000)))
    };
    let (full, partial) = (1..200)
        .filter_map(with_margin)
        .min_by_key(|(full, partial)| (WIDTH * full + partial, *full))
        // 2^128 steps of interpolation take 81 cubes: the ranges above always hold an answer.
        .unwrap_or((100, 200));
    let mut partial = partial.next_multiple_of(WIDTH);
    while subspace_groebner_cost(full, partial, alpha) < SECURITY {
        partial += WIDTH;
    }
    (full, partial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_roundings_are_those_of_the_library() {
        for x in [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 11.0, 1000.5, 1e77, 5.3e76] {
            assert!((log2(x) - f64::log2(x)).abs() < 1e-13, "{x}: {}", log2(x));
            assert_eq!((floor(x.min(1e15)), ceil(x.min(1e15))), (x.min(1e15).floor(), x.min(1e15).ceil()));
        }
        assert_eq!((log2(4.0), log2(1.0), ceil(0.0), ceil(54.1)), (2.0, 0.0, 0.0, 55.0));
    }
}
