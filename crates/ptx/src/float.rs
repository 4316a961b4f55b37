//! Double-precision multiply-add rounded toward zero, computed with operations that round to nearest.

/// `a b + c` rounded toward zero, for results and products within the range of normal numbers.
///
/// The result to nearest is at most one step away: it is one step too large in magnitude exactly if the exact result
/// lies between zero and it. The rounding error is computed without error as a sum of floating-point numbers.
pub(crate) fn multiply_add_toward_zero(a: f64, b: f64, c: f64) -> f64 {
    let nearest = a.mul_add(b, c);
    if nearest == 0.0 || !nearest.is_finite() {
        return nearest;
    }
    let product = a * b;
    let product_lost = a.mul_add(b, -product);
    let (sum, sum_lost) = two_sum(product, c);
    // product + c + product_lost - nearest, as a sum of exact parts.
    let (far, far_lost) = two_sum(sum, -nearest);
    let lost = sign_of_sum([far, far_lost, sum_lost, product_lost]);
    let away = if nearest > 0.0 { lost < 0 } else { lost > 0 };
    if away { f64::from_bits(nearest.to_bits() - 1) } else { nearest }
}

/// The rounded sum and its rounding error, which is exact.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// The sign of a sum: the terms are added into an expansion of non-overlapping parts, whose last nonzero part has the
/// sign.
fn sign_of_sum(terms: [f64; 4]) -> i32 {
    let mut parts: Vec<f64> = Vec::new();
    for term in terms {
        let mut carried = term;
        for part in &mut parts {
            let (sum, lost) = two_sum(carried, *part);
            (carried, *part) = (sum, lost);
        }
        parts.push(carried);
    }
    parts.iter().rev().find(|part| **part != 0.0).map_or(0, |part| if *part > 0.0 { 1 } else { -1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A finite number as an integer times a power of two.
    fn exact(x: f64) -> (i128, i32) {
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        let mantissa = (bits & ((1 << 52) - 1)) as i128;
        assert!(exponent > 0 || mantissa == 0, "the test uses normal numbers");
        let mantissa = if exponent > 0 { mantissa | 1 << 52 } else { 0 };
        (if x < 0.0 { -mantissa } else { mantissa }, exponent - 1075)
    }

    /// An integer times a power of two, rounded toward zero.
    fn toward_zero(value: i128, exponent: i32) -> f64 {
        let magnitude = value.unsigned_abs();
        let drop = (128 - magnitude.leading_zeros() as i32 - 53).max(0);
        let kept = (magnitude >> drop) as f64 * 2f64.powi(exponent + drop);
        if value < 0 { -kept } else { kept }
    }

    #[test]
    fn the_sum_is_the_exact_one_cut_off() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 11
        };
        let mut differing = 0;
        for _ in 0..20_000 {
            // Exponents close enough that the exact sum is an integer of fewer than 127 bits.
            let sign = |n: u64| if n & 1 == 1 { -1.0 } else { 1.0 };
            let [a, b] = [next(), next()].map(|n| sign(n) * ((n & 0xf_ffff_ffff) + 1) as f64);
            let c = sign(next()) * (next() & ((1 << 53) - 1)) as f64 * 2f64.powi((next() % 20) as i32);
            let (ma, ea) = exact(a);
            let (mb, eb) = exact(b);
            let (mc, ec) = exact(c);
            // All three are integers.
            let integer = |m: i128, e: i32| if e >= 0 { m << e } else { m >> -e };
            let sum = integer(ma, ea) * integer(mb, eb) + integer(mc, ec);
            let expected = toward_zero(sum, 0);
            assert_eq!(multiply_add_toward_zero(a, b, c), expected, "{a} {b} {c}");
            differing += u32::from(a.mul_add(b, c) != expected);
        }
        assert!(differing > 1000, "rounding to nearest differs often: {differing}");
    }

    #[test]
    fn sums_of_far_numbers_are_cut_off() {
        let one = 1.0f64;
        assert_eq!(multiply_add_toward_zero(one, one, -2f64.powi(-80)), 1.0 - 2f64.powi(-53));
        assert_eq!(multiply_add_toward_zero(one, one, 2f64.powi(-80)), 1.0);
        assert_eq!(multiply_add_toward_zero(-1.0, one, 2f64.powi(-80)), -(1.0 - 2f64.powi(-53)));
        assert_eq!(multiply_add_toward_zero(2f64.powi(-40), 2f64.powi(-40), -1.0), -(1.0 - 2f64.powi(-53)));
        assert_eq!(multiply_add_toward_zero(3.0, 5.0, -15.0), 0.0);
    }
}
