//! Inversion modulo an odd integer in constant time: the optimised binary GCD of Pornin (eprint 2020/972).
//!
//! Thirty-one steps at a time run on 64-bit approximations of the two operands (low 31 bits and high 33 bits) and
//! gather a 2×2 matrix of small integers, which is then applied to the full operands and to the cofactors.

use crate::limbs::{adc, less_than, mac};

/// Inner steps per matrix.
const STEPS: usize = 31;

/// `x^-1 mod p` for odd prime `p` and `x < p`, `None` for zero. `neg_inv` is `-p^-1 mod 2^64`.
pub(crate) fn invert<const N: usize>(x: &[u64; N], p: &[u64; N], neg_inv: u64) -> Option<[u64; N]> {
    if x.iter().fold(0, |acc, l| acc | l) == 0 {
        return None;
    }
    let (mut a, mut b) = (*x, *p);
    let mut u = [0u64; N];
    u[0] = 1;
    let mut v = [0u64; N];
    // After 2·len - 1 steps a is zero and b the gcd, which is one; more steps change nothing.
    let rounds = (2 * 64 * N - 1).div_ceil(STEPS);
    for _ in 0..rounds {
        let (f0, g0, f1, g1) = matrix(&a, &b);
        let (na, neg_a) = apply_shift(&a, f0, &b, g0);
        let (nb, neg_b) = apply_shift(&a, f1, &b, g1);
        (a, b) = (na, nb);
        let flip = |neg: bool, f: i64, g: i64| {
            let m = -i64::from(neg);
            ((f ^ m) - m, (g ^ m) - m)
        };
        let (f0, g0) = flip(neg_a, f0, g0);
        let (f1, g1) = flip(neg_b, f1, g1);
        let nu = combine_mod(&u, f0, &v, g0, p, neg_inv);
        let nv = combine_mod(&u, f1, &v, g1, p, neg_inv);
        (u, v) = (nu, nv);
    }
    Some(v)
}

/// The update factors of 31 steps, computed on approximations of `a` and `b`.
#[inline(always)]
fn matrix<const N: usize>(a: &[u64; N], b: &[u64; N]) -> (i64, i64, i64, i64) {
    let (mut xa, mut xb) = approximate(a, b);
    // Each factor is at most 2^31 in absolute value after 31 steps, so it fits an i64 with room to add.
    let (mut f0, mut g0, mut f1, mut g1) = (1i64, 0i64, 0i64, 1i64);
    for _ in 0..STEPS {
        let odd = (xa & 1).wrapping_neg();
        let swap = odd & u64::from(xa < xb).wrapping_neg();
        let d = (xa ^ xb) & swap;
        xa ^= d;
        xb ^= d;
        let (s, o) = (swap as i64, odd as i64);
        let df = (f0 ^ f1) & s;
        f0 ^= df;
        f1 ^= df;
        let dg = (g0 ^ g1) & s;
        g0 ^= dg;
        g1 ^= dg;
        xa = xa.wrapping_sub(xb & odd) >> 1;
        f0 -= f1 & o;
        g0 -= g1 & o;
        f1 <<= 1;
        g1 <<= 1;
    }
    (f0, g0, f1, g1)
}

/// Low 31 bits and the 33 bits below the top bit of the longer operand, or the values themselves if both fit.
#[inline(always)]
fn approximate<const N: usize>(a: &[u64; N], b: &[u64; N]) -> (u64, u64) {
    // Walk from the top and keep, by masks, the top two limbs counted from the highest non-zero one.
    let (mut ah, mut al, mut bh, mut bl) = (a[0], 0u64, b[0], 0u64);
    let mut found = 0u64;
    for i in (1..N).rev() {
        let any = a[i] | b[i];
        let here = !found & ((any | any.wrapping_neg()) >> 63).wrapping_neg();
        ah = (ah & !here) | (a[i] & here);
        al = (al & !here) | (a[i - 1] & here);
        bh = (bh & !here) | (b[i] & here);
        bl = (bl & !here) | (b[i - 1] & here);
        found |= here;
    }
    let z = (ah | bh | 1).leading_zeros();
    // (h:l) << z, top limb; z <= 63 and the shift of l by 64 - z is split so that z = 0 works.
    let top = |h: u64, l: u64| (h << z) | ((l >> 1) >> (63 - z));
    let low_bits = (1u64 << STEPS) - 1;
    let wide_a = (a[0] & low_bits) | (top(ah, al) & !low_bits);
    let wide_b = (b[0] & low_bits) | (top(bh, bl) & !low_bits);
    ((wide_a & found) | (a[0] & !found), (wide_b & found) | (b[0] & !found))
}

/// `|a·f + b·g| / 2^31` (the division is exact) and whether the value was negative.
#[inline(always)]
fn apply_shift<const N: usize>(a: &[u64; N], f: i64, b: &[u64; N], g: i64) -> ([u64; N], bool) {
    let (mut t, top) = combine(a, f, b, g);
    let mut high = top;
    for i in 0..N - 1 {
        t[i] = (t[i] >> STEPS) | (t[i + 1] << (64 - STEPS));
    }
    t[N - 1] = (t[N - 1] >> STEPS) | (high << (64 - STEPS));
    high = ((high as i64) >> 63) as u64;
    // Two's complement absolute value.
    let mut carry = high & 1;
    for l in &mut t {
        *l = adc(*l ^ high, 0, &mut carry);
    }
    (t, high != 0)
}

/// `a·f + b·g` as `N + 1` two's complement limbs.
#[inline(always)]
fn combine<const N: usize>(a: &[u64; N], f: i64, b: &[u64; N], g: i64) -> ([u64; N], u64) {
    // x·f for negative f is x·(f mod 2^64) - x·2^64: the correction goes in one limb up.
    let (fu, gu) = (f as u64, g as u64);
    let (fm, gm) = ((f >> 63) as u64, (g >> 63) as u64);
    let mut t = [0u64; N];
    let (mut ca, mut cb) = (0u64, 0u64);
    let (mut ba, mut bb) = (0u64, 0u64);
    for i in 0..N {
        let low = mac(0, a[i], fu, &mut ca);
        t[i] = mac(low, b[i], gu, &mut cb);
        // Subtract the previous limb where the factor is negative.
        if i > 0 {
            t[i] = crate::limbs::sbb(t[i], a[i - 1] & fm, &mut ba);
            t[i] = crate::limbs::sbb(t[i], b[i - 1] & gm, &mut bb);
        }
    }
    let mut top = ca.wrapping_add(cb);
    top = crate::limbs::sbb(top, a[N - 1] & fm, &mut ba);
    top = crate::limbs::sbb(top, b[N - 1] & gm, &mut bb);
    (t, top)
}

/// `(u·f + v·g) / 2^31 mod p`, in `[0, p)`, for `u, v < p` and `|f| + |g| <= 2^31`.
#[inline(always)]
fn combine_mod<const N: usize>(
    u: &[u64; N],
    f: i64,
    v: &[u64; N],
    g: i64,
    p: &[u64; N],
    neg_inv: u64,
) -> [u64; N] {
    let (t, top) = combine(u, f, v, g);
    // Add the multiple of p that clears the low 31 bits, then shift.
    let k = t[0].wrapping_mul(neg_inv) & ((1 << STEPS) - 1);
    let mut carry = 0;
    let mut s = [0u64; N];
    for i in 0..N {
        s[i] = mac(t[i], k, p[i], &mut carry);
    }
    let high = top.wrapping_add(carry);
    for i in 0..N - 1 {
        s[i] = (s[i] >> STEPS) | (s[i + 1] << (64 - STEPS));
    }
    s[N - 1] = (s[N - 1] >> STEPS) | (high << (64 - STEPS));
    // Now -p < s < 2p: add p if negative, then subtract p if not below it.
    let negative = ((high as i64) >> 63) as u64;
    let mut carry = 0;
    for i in 0..N {
        s[i] = adc(s[i], p[i] & negative, &mut carry);
    }
    let reduce = u64::from(!less_than(&s, p)).wrapping_neg();
    let mut borrow = 0;
    for i in 0..N {
        s[i] = crate::limbs::sbb(s[i], p[i] & reduce, &mut borrow);
    }
    s
}
