//! Montgomery arithmetic on limbs: products, squares, integers of twice the length and their reduction.
//!
//! Products scan one operand limb by limb, with the rows written out and one carry word per row, which the spare top bit of
//! the prime allows (gnark-crypto calls this the no-carry optimisation). A product takes `2·N² + N` limb products, a square
//! `(3·N² + 3·N)/2`; `N² + N` of either belong to the reduction, which the products of a sum can share ([`Wide`]).
//! No branch and no address depends on an operand.

use crate::limbs::mac;
use crate::modulus::Modulus;
use flags::{Carry, add_limbs, sub_limbs};

/// Repeats `$body` for each `$i` in `0..$n` as an unrolled loop. LLVM keeps the limbs of an unrolled product in registers, but
/// does not unroll rows of six limbs by itself, which costs a tenth of a product (measured).
macro_rules! rows {
    ($i:ident < $n:ident $body:block) => {
        const { assert!(0 < $n && $n <= 8, "limb counts up to eight are written out") };
        rows!(@ $i $n $body 0 1 2 3 4 5 6 7)
    };
    (@ $i:ident $n:ident $body:block $($k:literal)*) => {
        $(if $k < $n {
            let $i = $k;
            $body
        })*
    };
}

/// An integer of `2 N` limbs in two halves, each with its least significant limb first.
#[derive(Clone, Copy)]
pub(crate) struct Wide<const N: usize> {
    pub(crate) low: [u64; N],
    pub(crate) high: [u64; N],
}

/// Addition and subtraction of limbs with a carry or borrow that is read and written, by the carry intrinsics of x86-64. From
/// the portable code LLVM generates comparisons and flag moves where one operand is constant, which doubles the time of an
/// addition.
#[cfg(target_arch = "x86_64")]
mod flags {
    use core::arch::x86_64::{_addcarry_u64, _subborrow_u64};

    pub(super) type Carry = u8;

    #[inline(always)]
    pub(super) fn add_limbs(a: u64, b: u64, carry: &mut Carry) -> u64 {
        let mut sum = 0;
        *carry = _addcarry_u64(*carry, a, b, &mut sum);
        sum
    }

    #[inline(always)]
    pub(super) fn sub_limbs(a: u64, b: u64, borrow: &mut Carry) -> u64 {
        let mut difference = 0;
        *borrow = _subborrow_u64(*borrow, a, b, &mut difference);
        difference
    }
}

/// Addition and subtraction of limbs with a carry or borrow that is read and written, in portable code.
#[cfg(not(target_arch = "x86_64"))]
mod flags {
    pub(super) type Carry = bool;

    #[inline(always)]
    pub(super) fn add_limbs(a: u64, b: u64, carry: &mut Carry) -> u64 {
        let sum;
        (sum, *carry) = a.carrying_add(b, *carry);
        sum
    }

    #[inline(always)]
    pub(super) fn sub_limbs(a: u64, b: u64, borrow: &mut Carry) -> u64 {
        let difference;
        (difference, *borrow) = a.borrowing_sub(b, *borrow);
        difference
    }
}

/// `a + b` modulo `2^(64 N)`.
#[inline(always)]
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    add_carrying(a, b, &mut Carry::default())
}

/// `a + b + carry`; `carry` becomes the carry out.
#[inline(always)]
fn add_carrying<const N: usize>(a: &[u64; N], b: &[u64; N], carry: &mut Carry) -> [u64; N] {
    let mut out = [0; N];
    rows!(i < N {
        out[i] = add_limbs(a[i], b[i], carry);
    });
    out
}

/// `a - b` modulo `2^(64 N)`.
#[inline(always)]
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    sub_borrowing(a, b, &mut Carry::default())
}

/// `a - b - borrow`; `borrow` becomes the borrow out.
#[inline(always)]
fn sub_borrowing<const N: usize>(a: &[u64; N], b: &[u64; N], borrow: &mut Carry) -> [u64; N] {
    let mut out = [0; N];
    rows!(i < N {
        out[i] = sub_limbs(a[i], b[i], borrow);
    });
    out
}

/// Whether a difference in `(-P, P)` is negative: thanks to the spare bit of the prime, the top bit is the sign. The sign is
/// tested instead of the borrow because LLVM compiles a sign test to conditional moves, but the `or` that ends a borrow chain
/// to branches.
#[inline(always)]
fn is_negative<const N: usize>(a: &[u64; N]) -> bool {
    a[N - 1] >> 63 == 1
}

/// `if second { b } else { a }`, by conditional moves. It is unrolled because LLVM compiles a loop to a choice between two
/// addresses and a copy, which leaks the choice and stalls on limbs that have just been stored.
#[inline(always)]
fn choose<const N: usize>(second: bool, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    rows!(i < N {
        out[i] = core::hint::select_unpredictable(second, b[i], a[i]);
    });
    out
}

/// `a - P` if `a >= P`, for `a < 2P`.
#[inline(always)]
pub(crate) fn reduce_once<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    less_if_not_negative(a, &M::P)
}

/// `a - b`, or `a` if the difference is negative. The difference with its sign must fit `64 N` bits.
#[inline(always)]
fn less_if_not_negative<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let less = sub(a, b);
    choose(is_negative(&less), &less, a)
}

/// `a + P` if `a < 0`, otherwise `a`, for `-P < a < P`. It adds a masked `P` instead of choosing between `a` and a sum, because
/// LLVM compiles a carry chain with constant addends to comparisons.
#[inline(always)]
pub(crate) fn raise_once<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    let mask = core::hint::select_unpredictable(is_negative(a), u64::MAX, 0);
    let mut addend = [0; N];
    rows!(i < N {
        addend[i] = M::P[i] & mask;
    });
    add(a, &addend)
}

/// Montgomery product `a·b / 2^(64 N) mod P`, reduced, for `a < P` and *any* `b`.
///
/// A row maps `t` to `(t + a·b_i + k·P) / 2^64` with `b_i, k < 2^64`, so `t <= a + P` for every `b`. This is below `2P`, which
/// fits `N` limbs by the spare bit and which [`reduce_once`] reduces. The roles of the operands are not symmetric.
#[inline(always)]
pub(crate) fn mul<M: Modulus<N>, const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    const { assert!(M::P[N - 1] >> 63 == 0, "the product needs one spare bit at the top") };
    const { assert!(M::P[N - 1] != 0, "no limb to spare: From<u64> takes 2^64 < P from two limbs on") };
    let mut t = [0u64; N];
    rows!(i < N {
        let mut high = 0;
        for j in 0..N {
            t[j] = mac(t[j], a[j], b[i], &mut high);
        }
        let fold = fold_row::<M, N>(&mut t);
        t[N - 1] = high + fold;
    });
    reduce_once::<M, N>(&t)
}

/// Replaces `t` by `(t + k·P) / 2^64` with the `k` that makes the division exact, except for the new top limb, which is returned
/// and not written to `t`.
#[inline(always)]
fn fold_row<M: Modulus<N>, const N: usize>(t: &mut [u64; N]) -> u64 {
    let k = t[0].wrapping_mul(M::INV);
    let mut carry = 0;
    mac(t[0], k, M::P[0], &mut carry);
    for j in 1..N {
        t[j - 1] = mac(t[j], k, M::P[j], &mut carry);
    }
    carry
}

/// The multiple `2^k·P` of the prime, which must fit `N` limbs.
const fn shifted<M: Modulus<N>, const N: usize>(k: u32) -> [u64; N] {
    let mut out = M::P;
    let mut i = N - 1;
    while i > 0 {
        out[i] = M::P[i] << k | M::P[i - 1] >> (64 - k);
        i -= 1;
    }
    out[0] = M::P[0] << k;
    out
}

/// Rows of products and reductions: a vector of `N` limbs times one limb, added to a vector. The implementations differ in the
/// instructions that they use.
pub(crate) trait LimbRows<const N: usize>: Copy {
    /// Adds `a·b` to `t + top·2^(64 N)` in place, for a sum below `2^(64 (N + 1))`.
    fn add_row(self, t: &mut [u64; N], top: &mut u64, a: &[u64; N], b: u64);
    /// Adds `a·b` to `t` in place and returns the top limb of the sum.
    #[inline(always)]
    fn row(self, t: &mut [u64; N], a: &[u64; N], b: u64) -> u64 {
        let mut top = 0;
        self.add_row(t, &mut top, a, b);
        top
    }
    /// The low `N` limbs of `a·b`, and its top limb.
    #[inline(always)]
    fn first_row(self, a: &[u64; N], b: u64) -> ([u64; N], u64) {
        let mut t = [0; N];
        let top = self.row(&mut t, a, b);
        (t, top)
    }
}

/// Rows in portable Rust, for every processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl<const N: usize> LimbRows<N> for Portable {
    #[inline(always)]
    fn add_row(self, t: &mut [u64; N], top: &mut u64, a: &[u64; N], b: u64) {
        let mut carry = 0;
        rows!(j < N {
            t[j] = mac(t[j], a[j], b, &mut carry);
        });
        *top += carry;
    }
}

/// Whether `k` times the prime fits `N` limbs. The test is by the top limb, and sufficient: `k·(top + 1) < 2^64`.
pub(crate) const fn fits<M: Modulus<N>, const N: usize>(k: u64) -> bool {
    k <= u64::MAX / (M::P[N - 1] + 1)
}

/// [`mul`] on a choice of [`LimbRows`].
#[inline(always)]
pub(crate) fn mul_by<M: Modulus<N>, R: LimbRows<N>, const N: usize>(
    rows: R,
    a: &[u64; N],
    b: &[u64; N],
) -> [u64; N] {
    let mut t = [0u64; N];
    rows!(i < N {
        let mut top;
        if i == 0 {
            (t, top) = rows.first_row(a, b[i]);
        } else {
            top = rows.row(&mut t, a, b[i]);
        }
        let k = t[0].wrapping_mul(M::INV);
        rows.add_row(&mut t, &mut top, &M::P, k);
        shift_down(&mut t, top);
    });
    reduce_once::<M, N>(&t)
}

/// Replaces `t` by `(t + top·2^(64 N)) / 2^64`, rounded down.
#[inline(always)]
fn shift_down<const N: usize>(t: &mut [u64; N], top: u64) {
    rows!(j < N {
        t[j] = if j + 1 < N { t[j + 1] } else { top };
    });
}

/// Montgomery reduction `x / 2^(64 N) mod P`, reduced, for `x < P·2^(64 N)`.
#[inline(always)]
pub(crate) fn reduce<M: Modulus<N>, const N: usize>(x: &Wide<N>) -> [u64; N] {
    let mut t = x.low;
    rows!(_i < N {
        t[N - 1] = fold_row::<M, N>(&mut t);
    });
    // t <= P from the low half and high < P: the sum is below 2P (both at once cannot be: x would be too large).
    reduce_once::<M, N>(&add(&t, &x.high))
}

impl<const N: usize> Wide<N> {
    /// `a·b` for any two integers of `N` limbs.
    #[inline(always)]
    pub(crate) fn product<R: LimbRows<N>>(rows: R, a: &[u64; N], b: &[u64; N]) -> Self {
        let (mut low, mut t) = ([0; N], [0; N]);
        rows!(i < N {
            let top;
            if i == 0 {
                (t, top) = rows.first_row(a, b[i]);
            } else {
                top = rows.row(&mut t, a, b[i]);
            }
            low[i] = t[0];
            shift_down(&mut t, top);
        });
        Self { low, high: t }
    }

    /// Montgomery reduction on a choice of [`LimbRows`]; the result is below the prime. The integer is in two's complement. It lies
    /// between `-k·P·2^(64 N)` and `k·P·2^(64 N)` if `k = SIGNED` is one or three, and between zero and `P·2^(64 N)` if `SIGNED`
    /// is zero. With three, nine times the prime must fit the limbs ([`fits`]).
    #[inline(always)]
    pub(crate) fn reduced<M: Modulus<N>, R: LimbRows<N>, const SIGNED: usize>(&self, rows: R) -> [u64; N] {
        // The high half is corrected first: this does not depend on the rows.
        let mut high = self.high;
        if SIGNED == 1 {
            high = raise_once::<M, N>(&high);
        }
        if SIGNED == 3 {
            debug_assert!(fits::<M, N>(9), "eight times the prime must fit");
            let (twice, four_times) = const { (shifted::<M, N>(1), shifted::<M, N>(2)) };
            high = add(&high, &const { crate::limbs::sub(&shifted::<M, N>(2), &M::P) });
            debug_assert!(
                high[N - 1] <= four_times[N - 1] + twice[N - 1] + 1,
                "a sum has outgrown its bounds"
            );
            high = less_if_not_negative(&high, &four_times);
            high = reduce_once::<M, N>(&less_if_not_negative(&high, &twice));
        }
        let mut t = self.low;
        rows!(_i < N {
            let k = t[0].wrapping_mul(M::INV);
            let top = rows.row(&mut t, &M::P, k);
            shift_down(&mut t, top);
        });
        // t <= P from the low half, and high < P.
        reduce_once::<M, N>(&add(&t, &high))
    }

    /// `self + o`, for a sum that fits.
    #[inline(always)]
    pub(crate) fn plus(&self, o: &Self) -> Self {
        let mut carry = Carry::default();
        let low = add_carrying(&self.low, &o.low, &mut carry);
        Self { low, high: add_carrying(&self.high, &o.high, &mut carry) }
    }

    /// `n·self`, for a multiple that fits.
    #[inline(always)]
    pub(crate) fn times(&self, n: u64) -> Self {
        let mut carry = 0;
        let mut out = *self;
        for limb in out.low.iter_mut().chain(&mut out.high) {
            *limb = mac(0, *limb, n, &mut carry);
        }
        out
    }

    /// `self - o`, for a difference that fits.
    #[inline(always)]
    pub(crate) fn minus(&self, o: &Self) -> Self {
        let mut borrow = Carry::default();
        let low = sub_borrowing(&self.low, &o.low, &mut borrow);
        Self { low, high: sub_borrowing(&self.high, &o.high, &mut borrow) }
    }

    /// `self - o`, to which `P·2^(64 N)` is added if it is negative, for a difference above `-P·2^(64 N)`.
    #[inline(always)]
    pub(crate) fn minus_or_raised<M: Modulus<N>>(&self, o: &Self) -> Self {
        let difference = self.minus(o);
        Self { high: raise_once::<M, N>(&difference.high), ..difference }
    }

    /// `a²`: every product off the diagonal is computed once and doubled, then the diagonal is added.
    #[inline(always)]
    pub(crate) fn square(a: &[u64; N]) -> Self {
        let mut w = [0u64; 16];
        rows!(i < N {
            let mut carry = 0;
            for j in i + 1..N {
                w[i + j] = mac(w[i + j], a[j], a[i], &mut carry);
            }
            w[i + N] = carry;
        });
        for k in (1..2 * N).rev() {
            w[k] = w[k] << 1 | w[k - 1] >> 63;
        }
        let mut carry = false;
        for i in 0..N {
            let (d0, d1) = a[i].carrying_mul(a[i], 0);
            (w[2 * i], carry) = w[2 * i].carrying_add(d0, carry);
            (w[2 * i + 1], carry) = w[2 * i + 1].carrying_add(d1, carry);
        }
        Self { low: core::array::from_fn(|i| w[i]), high: core::array::from_fn(|i| w[i + N]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use rand_chacha::ChaCha20Rng;
    use rand_core::{Rng, SeedableRng};

    macro_rules! modulus {
        ($name:ident, $n:literal, $limbs:expr) => {
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            struct $name;
            impl Modulus<$n> for $name {
                const NAME: &'static str = stringify!($name);
                const P: [u64; $n] = $limbs;
                const NON_RESIDUE: u64 = 0;
            }
        };
    }
    modulus!(Bits61, 1, [(1 << 61) - 1]);
    modulus!(Bits254, 4, [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029]);
    modulus!(Bits255, 4, [0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48]);
    modulus!(
        Bits381,
        6,
        [
            0xb9feffffffffaaab,
            0x1eabfffeb153ffff,
            0x6730d2a0f6b0f624,
            0x64774b84f38512bf,
            0x4b1ba7b6434bacd7,
            0x1a0111ea397fe69a
        ]
    );

    fn integer<const N: usize>(limbs: &[u64; N]) -> BigUint {
        BigUint::from_bytes_le(&limbs.map(u64::to_le_bytes).concat())
    }

    /// Zero, one, the ends of the range, the powers of two around limbs, and random values, all below the modulus.
    fn operands<M: Modulus<N>, const N: usize>(rng: &mut ChaCha20Rng) -> Vec<[u64; N]> {
        let one = crate::limbs::one::<N>();
        let mut all = vec![[0; N], one, sub(&M::P, &one), sub(&sub(&M::P, &one), &one), M::R, M::R2];
        let mut ones = [u64::MAX; N];
        ones[N - 1] = M::P[N - 1] - 1;
        all.push(ones);
        for _ in 0..12 {
            all.push(core::array::from_fn(|i| rng.next_u64() >> if i + 1 == N { 1 } else { 0 }));
        }
        all.retain(|x| crate::limbs::less_than(x, &M::P));
        all
    }

    /// Compares products and sums of products with big integers; operands include the largest in every position.
    fn products_are_right<M: Modulus<N>, R: LimbRows<N>, const N: usize>(rows: R) {
        let mut rng = ChaCha20Rng::seed_from_u64(11);
        let p = integer(&M::P);
        let unshift = (BigUint::from(1u8) << (64 * N)).modpow(&(&p - 2u8), &p);
        let all = operands::<M, N>(&mut rng);
        let largest = sub(&M::P, &crate::limbs::one());
        let mut pairs = vec![(&largest, &largest), (&largest, &all[0])];
        pairs.extend((0..200).map(|_| {
            let mut any = || &all[rng.next_u64() as usize % all.len()];
            (any(), any())
        }));
        for (a, b) in pairs {
            let (product, want) = (Wide::product(rows, a, b), integer(a) * integer(b));
            assert_eq!(integer(&product.low) + (integer(&product.high) << (64 * N)), want, "{}", M::NAME);
            let reduced = want * &unshift % &p;
            assert_eq!(integer(&product.reduced::<M, R, 0>(rows)), reduced, "{}", M::NAME);
            assert_eq!(integer(&mul_by::<M, R, N>(rows, a, b)), reduced, "{}", M::NAME);
            assert_eq!(integer(&mul::<M, N>(a, b)), reduced, "{}", M::NAME);
        }
    }

    /// Compares reductions of sums and differences of products with big integers, up to the bounds that the reduction allows.
    fn sums_are_right<M: Modulus<N>, R: LimbRows<N>, const N: usize>(rows: R) {
        let mut rng = ChaCha20Rng::seed_from_u64(13);
        let p = integer(&M::P);
        let unshift = (BigUint::from(1u8) << (64 * N)).modpow(&(&p - 2u8), &p);
        let all = operands::<M, N>(&mut rng);
        let unit = Wide { low: [0; N], high: M::P };
        let three = unit.plus(&unit).plus(&unit);
        let one = Wide { low: crate::limbs::one(), high: [0; N] };
        let zero = Wide { low: [0; N], high: [0; N] };
        let value = |x: &Wide<N>| integer(&x.low) + (integer(&x.high) << (64 * N));
        // Sums that are not negative; each is tried with both signs.
        let mut sums = vec![zero, one, unit, three.minus(&one), unit.minus(&one), unit.plus(&unit)];
        for terms in (0..300).map(|i| i % 27 + 1) {
            let mut any = || &all[rng.next_u64() as usize % all.len()];
            sums.push((0..terms).fold(zero, |sum, _| sum.plus(&Wide::product(rows, any(), any()))));
        }
        for sum in sums {
            let positive = value(&sum) * &unshift % &p;
            let negative = (&p - &positive) % &p;
            assert_eq!(integer(&sum.reduced::<M, R, 3>(rows)), positive, "{}", M::NAME);
            assert_eq!(integer(&zero.minus(&sum).reduced::<M, R, 3>(rows)), negative, "{}", M::NAME);
        }
        for near in [zero, one, unit.minus(&one), Wide::product(rows, &all[0], &all[2])] {
            let positive = value(&near) * &unshift % &p;
            let negative = (&p - &positive) % &p;
            assert_eq!(integer(&near.reduced::<M, R, 1>(rows)), positive, "{}", M::NAME);
            assert_eq!(integer(&zero.minus(&near).reduced::<M, R, 1>(rows)), negative, "{}", M::NAME);
        }
        // A difference that is negative is raised.
        let raised = zero.minus_or_raised::<M>(&one);
        assert_eq!(value(&raised), value(&unit) - 1u8);
        assert_eq!(value(&unit.minus(&one).minus_or_raised::<M>(&one)), value(&unit) - 2u8);
    }

    #[test]
    fn products_by_portable_rows() {
        products_are_right::<Bits61, _, 1>(Portable);
        products_are_right::<Bits254, _, 4>(Portable);
        products_are_right::<Bits255, _, 4>(Portable);
        products_are_right::<Bits381, _, 6>(Portable);
        sums_are_right::<Bits381, _, 6>(Portable);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn products_by_two_chains() {
        use crate::adx::TwoChains;
        assert!(TwoChains::<5>::of_this_processor().is_none(), "there are no rows of five limbs");
        let (Some(four), Some(six)) = (TwoChains::of_this_processor(), TwoChains::of_this_processor()) else {
            println!("SKIPPED: the processor has no ADX and BMI2, or PAIRWRIGHT_ISA forbids them");
            return;
        };
        products_are_right::<Bits254, _, 4>(four);
        products_are_right::<Bits255, _, 4>(four);
        products_are_right::<Bits381, _, 6>(six);
        sums_are_right::<Bits381, _, 6>(six);
    }

    /// Runs the test above in a process whose environment forbids the instructions.
    #[test]
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn the_environment_forbids_two_chains() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["products_by_two_chains", "--nocapture"])
            .env("PAIRWRIGHT_ISA", "portable")
            .output()
            .unwrap();
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("SKIPPED"));
    }

    /// Compares rows with big integers, on random limbs and on limbs that cause carries; the first row has the largest sum.
    #[track_caller]
    fn rows_are_right<R: LimbRows<N>, const N: usize>(rows: R) {
        let mut rng = ChaCha20Rng::seed_from_u64(12);
        for round in 0..2000 {
            let mut limb = || [0, 1, u64::MAX, u64::MAX - 1, rng.next_u64()][rng.next_u64() as usize % 5];
            let (t, a, b) = match round {
                0 => ([u64::MAX; N], [u64::MAX; N], u64::MAX),
                _ => (core::array::from_fn(|_| limb()), core::array::from_fn(|_| limb()), limb()),
            };
            let (mut sum, mut top) = (t, 0);
            rows.add_row(&mut sum, &mut top, &a, b);
            let with_top = |sum: &[u64; N], top: u64| integer(sum) + (BigUint::from(top) << (64 * N));
            let got = with_top(&sum, top);
            assert_eq!(got, integer(&t) + integer(&a) * b, "{t:x?} + {a:x?} * {b:x}");
            let (mut again, more) = (sum, top >> 1);
            let mut above = more;
            rows.add_row(&mut again, &mut above, &a, b >> 1);
            assert_eq!(with_top(&again, above), with_top(&sum, more) + integer(&a) * (b >> 1), "onto a top");
            let mut sum = t;
            let top = rows.row(&mut sum, &a, b);
            assert_eq!(with_top(&sum, top), got, "alone");
            let (first, top) = rows.first_row(&a, b);
            assert_eq!(with_top(&first, top), integer(&a) * b, "the first row");
        }
    }

    #[test]
    fn rows_carry() {
        rows_are_right::<_, 4>(Portable);
        rows_are_right::<_, 6>(Portable);
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let (Some(four), Some(six)) =
            (crate::adx::TwoChains::of_this_processor(), crate::adx::TwoChains::of_this_processor())
        {
            rows_are_right::<_, 4>(four);
            rows_are_right::<_, 6>(six);
        }
    }

    #[test]
    fn multiples_of_the_prime_that_fit() {
        fn largest<M: Modulus<N>, const N: usize>() -> (u64, BigUint) {
            let largest = (1..=64).take_while(|&k| fits::<M, N>(k)).last().unwrap();
            (largest, (BigUint::from(1u8) << (64 * N)) / integer(&M::P))
        }
        assert_eq!(largest::<Bits61, 1>(), (7, 8u8.into()));
        assert_eq!(largest::<Bits254, 4>(), (5, 5u8.into()));
        assert_eq!(largest::<Bits255, 4>(), (2, 2u8.into()));
        assert_eq!(largest::<Bits381, 6>(), (9, 9u8.into()));
    }
}
