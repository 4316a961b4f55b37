//! Inversion modulo an odd prime in constant time: division steps of Bernstein and Yang (eprint 2019/266) in the variant that
//! starts from δ = 1/2.
//!
//! A step depends on δ and on the parities of two integers, so twenty steps need only the low twenty bits of both. A block of
//! twenty steps packs an integer and its two coefficients into one word, so that one addition of words updates all three. Three
//! blocks make a 2×2 matrix, which is then applied to the full integers and to the cofactors.

/// Division steps per block, on packed words.
const BLOCK: u32 = 20;

/// Division steps per 2×2 matrix.
const STEPS: u32 = 3 * BLOCK;

/// Bits per digit of [`Digits`].
const DIGIT: u32 = 62;

/// A digit with all its bits set.
const MASK: i64 = (1 << DIGIT) - 1;

/// Division steps after which the second integer is zero, if both start below `2^bits`: the bound that P. Wuille's
/// *safegcd-bounds* derives for this variant from convex hulls.
const fn steps_needed(bits: u32) -> u32 {
    (45907 * bits + 26313) / 19929
}

/// `start·x^-1 mod p` for an odd prime `p` of `bits` bits and `x, start < p`; `None` if `x` is zero. `neg_inv` is
/// `-p^-1 mod 2^64`.
pub(crate) fn invert<const N: usize>(
    x: &[u64; N],
    start: &[u64; N],
    p: &[u64; N],
    bits: u32,
    neg_inv: u64,
) -> Option<[u64; N]> {
    if x.iter().fold(0, |acc, l| acc | l) == 0 {
        return None;
    }
    let p = Digits::new(p);
    let inverse_of_p = neg_inv.wrapping_neg() as i64;
    // The invariant is f = d·x/start and g = e·x/start mod p.
    let (mut f, mut g) = (p, Digits::new(x));
    let (mut d, mut e) = (Digits { low: [0; N], top: 0 }, Digits::new(start));
    let mut zeta = -1;
    for _ in 0..steps_needed(bits).div_ceil(STEPS) {
        let steps = matrix(&mut zeta, f.lowest(), g.lowest());
        [f, g] = apply(&steps, &f, &g);
        [d, e] = apply_mod(&steps, &d, &e, &p, inverse_of_p);
    }
    debug_assert!(g.low.iter().all(|&l| l == 0) && g.top == 0, "the bound on the number of steps holds");
    // Now f is 1 or -1, and -2p < d < p.
    let d = d.corrected(0, &p, d.top >> 63);
    let d = d.corrected(f.top >> 63, &p, 0);
    Some(d.corrected(0, &p, d.top >> 63).words())
}

/// A signed integer: `N` digits of 62 bits, lowest first, and a top digit in two's complement, which has the sign. Digits of
/// 62 bits leave room in a word to add up products; 62·(N + 1) bits hold any integer of `64·N` bits and a sign.
#[derive(Clone, Copy)]
struct Digits<const N: usize> {
    low: [i64; N],
    top: i64,
}

impl<const N: usize> Digits<N> {
    fn new(x: &[u64; N]) -> Self {
        const { assert!(2 * N as u32 <= DIGIT, "the digit with the sign takes two bits of each word") };
        let mut low = [0; N];
        for i in 0..N {
            let below = if i == 0 { 0 } else { x[i - 1] >> (64 - 2 * i) };
            low[i] = (x[i] << (2 * i) | below) as i64 & MASK;
        }
        Self { low, top: (x[N - 1] >> (64 - 2 * N)) as i64 }
    }

    /// The 64-bit words of an integer that is not negative and fits `N` words.
    fn words(&self) -> [u64; N] {
        core::array::from_fn(|i| {
            let above = if i + 1 < N { self.low[i + 1] } else { self.top };
            self.low[i] as u64 >> (2 * i) | (above as u64) << (62 - 2 * i)
        })
    }

    /// The low 64 bits of the integer.
    #[inline(always)]
    fn lowest(&self) -> i64 {
        self.low[0] | (if N > 1 { self.low[1] } else { self.top }) << DIGIT
    }

    /// The integer, or its negative where `negate` is -1, plus `other` where `add` is -1; both masks are 0 otherwise.
    #[inline(always)]
    fn corrected(&self, negate: i64, other: &Self, add: i64) -> Self {
        let mut carry = 0;
        let mut digit = |a: i64, b: i64| {
            let sum = ((a ^ negate) - negate) + (b & add) + carry;
            carry = sum >> DIGIT;
            sum
        };
        let low = core::array::from_fn(|i| digit(self.low[i], other.low[i]) & MASK);
        Self { low, top: digit(self.top, other.top) }
    }
}

/// The rows `[u, v]` with which `f` becomes `(u·f + v·g)/2^k` for both integers, `|u| + |v| <= 2^k`.
type Matrix = [[i64; 2]; 2];

/// The matrix of sixty steps from the low bits of `f` and `g`, times four, so that 62 bits are divided off.
#[inline(always)]
fn matrix(zeta: &mut i64, f: i64, g: i64) -> Matrix {
    let first = block(zeta, f, g);
    let (f, g) = below(&first, f, g);
    let second = block(zeta, f, g);
    let (f, g) = below(&second, f, g);
    let third = block(zeta, f, g);
    let [[a, b], [c, d]] = product(&product(&third, &second), &first);
    let scaled = |x| x << (DIGIT - STEPS);
    [[scaled(a), scaled(b)], [scaled(c), scaled(d)]]
}

/// The low bits of both integers after a block; twenty fewer of them are valid than before.
#[inline(always)]
fn below(steps: &Matrix, f: i64, g: i64) -> (i64, i64) {
    let row = |[u, v]: [i64; 2]| u.wrapping_mul(f).wrapping_add(v.wrapping_mul(g)) >> BLOCK;
    (row(steps[0]), row(steps[1]))
}

#[inline(always)]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let row = |[u, v]: [i64; 2]| [u * b[0][0] + v * b[1][0], u * b[0][1] + v * b[1][1]];
    [row(a[0]), row(a[1])]
}

/// The matrix of twenty steps from the low twenty bits of `f` and `g`; `zeta` is -δ - 1/2.
///
/// A word `x - 2^62·u - 2^41·v` packs an integer `x` of twenty bits and the coefficients `u, v` that express it by `f` and `g`.
/// A step halves one word; after twenty steps, the coefficients of 2^20·x are at bits 42 and 21. They are above -2^20
/// and at most 2^20, because steps change a sign only by subtracting, and their negatives have 21 bits with the sign.
#[inline(always)]
fn block(zeta: &mut i64, f: i64, g: i64) -> Matrix {
    let low = (1 << BLOCK) - 1;
    let mut f = (f & low) - (1 << 62);
    let mut g = (g & low) - (1 << 41);
    let mut z = *zeta;
    for _ in 0..BLOCK {
        // If δ is positive and g odd, then δ, f, g become 1 - δ, g, (g - f)/2. Otherwise they become δ + 1, f and
        // (g + f)/2 for odd g, g/2 for even g.
        let odd = -(g & 1);
        let positive = z >> 63;
        let swap = odd & positive;
        let term = ((f ^ positive) - positive) & odd;
        f ^= (f ^ g) & swap;
        g = (g + term) >> 1;
        z = (z ^ swap) - 1;
    }
    *zeta = z;
    let row = |word: i64| {
        let word = word + (1 << BLOCK);
        [-((word + (1 << 41)) >> 42), -((word << 22) >> 43)]
    };
    [row(f), row(g)]
}

#[inline(always)]
fn wide(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// `(u·f + v·g)/2^62` for both rows; the divisions are exact, and no result is longer than the longer of `f` and `g`.
#[inline(always)]
fn apply<const N: usize>(steps: &Matrix, f: &Digits<N>, g: &Digits<N>) -> [Digits<N>; 2] {
    let zero = Digits { low: [0; N], top: 0 };
    [combined(steps[0], f, g, 0, &zero), combined(steps[1], f, g, 0, &zero)]
}

/// `(u·d + v·e)/2^62 mod p` for both rows, in `(-2p, p)` as `d` and `e` are.
#[inline(always)]
fn apply_mod<const N: usize>(
    steps: &Matrix,
    d: &Digits<N>,
    e: &Digits<N>,
    p: &Digits<N>,
    inverse_of_p: i64,
) -> [Digits<N>; 2] {
    // A multiple of p is added. It has two parts: one as if p were first added to each of d and e that is negative, and one
    // between -2^62 and 0 that makes the low digit zero.
    let (negative_d, negative_e) = (d.top >> 63, e.top >> 63);
    let multiple = |[u, v]: [i64; 2]| {
        let raised = (u & negative_d) + (v & negative_e);
        let low = u.wrapping_mul(d.low[0]).wrapping_add(v.wrapping_mul(e.low[0]));
        raised - (low.wrapping_mul(inverse_of_p).wrapping_add(raised) & MASK)
    };
    let (first, second) = (multiple(steps[0]), multiple(steps[1]));
    [combined(steps[0], d, e, first, p), combined(steps[1], d, e, second, p)]
}

/// `(u·a + v·b + m·p)/2^62`; the division is exact.
#[inline(always)]
fn combined<const N: usize>(
    [u, v]: [i64; 2],
    a: &Digits<N>,
    b: &Digits<N>,
    m: i64,
    p: &Digits<N>,
) -> Digits<N> {
    let mut sum = (wide(u, a.low[0]) + wide(v, b.low[0]) + wide(m, p.low[0])) >> DIGIT;
    let mut low = [0; N];
    for i in 1..N {
        sum += wide(u, a.low[i]) + wide(v, b.low[i]) + wide(m, p.low[i]);
        low[i - 1] = sum as i64 & MASK;
        sum >>= DIGIT;
    }
    sum += wide(u, a.top) + wide(v, b.top) + wide(m, p.top);
    low[N - 1] = sum as i64 & MASK;
    Digits { low, top: (sum >> DIGIT) as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix of twenty steps as the definition has them, on integers that are not cut off; 2δ and -δ - 1/2 after them.
    fn plain(zeta: i64, f: i64, g: i64) -> (Matrix, i64) {
        let (mut delta, mut f, mut g) = (-2 * zeta - 1, i128::from(f), i128::from(g));
        let (mut of_f, mut of_g) = ([1i64, 0], [0i64, 1]);
        for _ in 0..BLOCK {
            let odd = g & 1 == 1;
            let sum = |a: [i64; 2], b: [i64; 2], sign| [a[0] + sign * b[0], a[1] + sign * b[1]];
            if odd && delta > 0 {
                (delta, f, g) = (2 - delta, g, (g - f) / 2);
                (of_f, of_g) = (sum(of_g, of_g, 1), sum(of_g, of_f, -1));
            } else {
                (delta, g) = (delta + 2, (g + if odd { f } else { 0 }) / 2);
                (of_f, of_g) = (sum(of_f, of_f, 1), if odd { sum(of_g, of_f, 1) } else { of_g });
            }
        }
        ([of_f, of_g], (-delta - 1) / 2)
    }

    #[test]
    fn blocks_are_division_steps() {
        let mut x = 1u64;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (x >> 2) as i64 - (1 << 61)
        };
        let edges = [0, 1, -1, 2, 3, 1 << 19, 1 << 20, (1 << 20) - 1, -(1 << 20), (1 << 21) - 1, 1 << 60];
        let mut pairs: Vec<_> = edges.iter().flat_map(|&f| edges.map(|g| (f | 1, g))).collect();
        pairs.extend((0..20_000).map(|_| (next() | 1, next())));
        for (f, g) in pairs {
            for zeta in [-1, 0, -2, 1, -20, 20] {
                let mut after = zeta;
                assert_eq!((block(&mut after, f, g), after), plain(zeta, f, g), "{zeta} {f} {g}");
            }
        }
    }
}
