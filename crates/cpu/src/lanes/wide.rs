//! Unreduced products of eight elements in lanes: [`WideOctet`], sums of products of digits, which are added and
//! subtracted before one reduction.
//!
//! With them a product in a quadratic extension takes three products of integers and two reductions (Karatsuba's formula)
//! instead of four products and two reductions, or three of each. This saves a sixth of the multiply-adds.

use super::bounds::LAZY_BITS;
use super::constants::{MASK, Splat, WIDTH, digits};
use super::octet::{Octet, carried};
use core::arch::x86_64::*;
use pairwright_field::limbs::bits;
use pairwright_field::{Modulus, NonResidue, Ring};

/// Repeats `$body` for each `$i` in `0..$n` as an unrolled loop. LLVM does not unroll a loop over rows of eight digits by itself, and
/// then does not keep the columns in registers.
macro_rules! rows {
    ($i:ident < $n:ident $body:block) => {
        const { assert!($n <= 8, "up to eight digits are written out") };
        rows!(@ $i $n $body 0 1 2 3 4 5 6 7)
    };
    (@ $i:ident $n:ident $body:block $($k:literal)*) => {
        $(if $k < $n {
            let $i = $k;
            $body
        })*
    };
}

/// Reduces integers to the elements that they represent in lanes: `(x + m q) / 2^(52 D)` with `m < 2^(52 D)`.
///
/// The integers must not be negative and must be below `2^(52 D) q`, so the results are below 2q. Several are reduced in an
/// interleaved way, since each step depends on the step before. It is a macro because columns stay in registers only if a product
/// and its reduction are one function, and LLVM would not inline this function.
macro_rules! reduced {
    ($all:expr; $count:literal) => {{
        let (mut all, q): ([WideOctet<D>; $count], _) = ($all, const { &Self::Q }.vectors());
        let inverse = _mm512_set1_epi64(const { Self::INVERSE } as i64);
        rows!(i < D {
            let mut m = [_mm512_setzero_si512(); $count];
            for j in 0..$count {
                m[j] = _mm512_madd52lo_epu64(m[j], all[j].low[i], inverse);
            }
            // The low half of `q[0] m` would clear the lowest 52 bits of column i. It is not computed: the carry to the next
            // column is column i divided by 2^52, rounded up.
            for j in 0..$count {
                let above = _mm512_add_epi64(all[j].low[i], _mm512_set1_epi64(MASK as i64));
                let column = all[j].column(i + 1);
                *column = _mm512_add_epi64(*column, _mm512_srai_epi64::<52>(above));
            }
            for k in 1..D {
                for j in 0..$count {
                    let column = all[j].column(i + k);
                    *column = _mm512_madd52lo_epu64(*column, q[k], m[j]);
                }
            }
            for k in 0..D {
                for j in 0..$count {
                    let column = all[j].column(i + k + 1);
                    *column = _mm512_madd52hi_epu64(*column, q[k], m[j]);
                }
            }
        });
        let mut elements = [Self::new(*q); $count];
        for j in 0..$count {
            elements[j] = Self::new(carried_signed(all[j].high));
        }
        elements
    }};
}

/// The columns of eight integers: column `k` has the weight `2^(52 k)`; those from `D` on are in `high`.
///
/// Columns are signed. One product of digits below 2^52 adds at most `2 D` times 2^52 to a column.
#[derive(Clone, Copy)]
pub(super) struct WideOctet<const D: usize> {
    low: [__m512i; D],
    high: [__m512i; D],
}

impl<const D: usize> WideOctet<D> {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn zero() -> Self {
        Self { low: [_mm512_setzero_si512(); D], high: [_mm512_setzero_si512(); D] }
    }

    #[inline(always)]
    fn column(&mut self, k: usize) -> &mut __m512i {
        if k < D { &mut self.low[k] } else { &mut self.high[k - D] }
    }

    /// Adds the product of two integers, whose digits are below 2^52.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn add_product(mut self, a: &[__m512i; D], b: &[__m512i; D]) -> Self {
        rows!(i < D {
            for k in 0..D {
                let column = self.column(i + k);
                *column = _mm512_madd52lo_epu64(*column, a[k], b[i]);
            }
            for k in 0..D {
                let column = self.column(i + k + 1);
                *column = _mm512_madd52hi_epu64(*column, a[k], b[i]);
            }
        });
        self
    }

    /// The square of an integer, whose digits are below 2^52: products of two digits are computed once and doubled.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn square(a: &[__m512i; D]) -> Self {
        let mut x = Self::zero();
        rows!(i < D {
            for k in i + 1..D {
                let column = x.column(i + k);
                *column = _mm512_madd52lo_epu64(*column, a[k], a[i]);
            }
            for k in i + 1..D {
                let column = x.column(i + k + 1);
                *column = _mm512_madd52hi_epu64(*column, a[k], a[i]);
            }
        });
        for k in 0..2 * D {
            let column = x.column(k);
            *column = _mm512_add_epi64(*column, *column);
        }
        for i in 0..D {
            let column = x.column(2 * i);
            *column = _mm512_madd52lo_epu64(*column, a[i], a[i]);
            let column = x.column(2 * i + 1);
            *column = _mm512_madd52hi_epu64(*column, a[i], a[i]);
        }
        x
    }
}

/// Carries signed digits, so that they are below 2^52, for an integer that is not negative and fits them.
#[inline]
#[target_feature(enable = "avx512f")]
fn carried_signed<const D: usize>(mut x: [__m512i; D]) -> [__m512i; D] {
    let mask = _mm512_set1_epi64(MASK as i64);
    for k in 0..D {
        if k + 1 < D {
            x[k + 1] = _mm512_add_epi64(x[k + 1], _mm512_srai_epi64::<52>(x[k]));
        }
        x[k] = _mm512_and_si512(x[k], mask);
    }
    x
}

impl<M: Modulus<N>, const N: usize, const D: usize> Octet<M, N, D> {
    /// The integer `q 2^(52 D - 1)` as columns from `D - 1` on: the digit of that column, and those above.
    const LIFT: (u64, Splat<D>) = {
        // One bit of every digit belongs to the column below.
        let half: [u64; D] = digits(&M::P, 1);
        let (mut columns, mut k) = ([0; D], 0);
        while k < D {
            columns[k] = half[k] >> 1 | if k + 1 < D { (half[k + 1] & 1) << (WIDTH - 1) } else { 0 };
            k += 1;
        }
        ((half[0] & 1) << (WIDTH - 1), Splat::new(columns))
    };

    /// The product in a quadratic extension whose adjoined root has the square `-n`: `a0 b0 - n a1 b1` and `a0 b1 + a1 b0`,
    /// below 2q, for a small integer n.
    ///
    /// It uses Karatsuba's formula on integers, with one reduction for each coordinate. A product of two operands is below
    /// `MOST_PRODUCT q²` without `LAZY` and below `4^(LAZY_BITS + 1) q²` with it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn quadratic_product<const LAZY: bool, R: Ring, B: NonResidue<R>>(
        a: [&Self; 2],
        b: [&Self; 2],
    ) -> [Self; 2] {
        let n = const {
            let n = minus_square::<R, B>();
            // With this condition, the lifted difference is positive and the sum of two products is below `2^(52 D) q`.
            let most = if LAZY { 1 << (2 * (LAZY_BITS + 1)) } else { Self::MOST_PRODUCT };
            let met = 2 * n * most <= 1 << (WIDTH * D - bits(&M::P) as usize);
            assert!(met || LAZY && !Self::HAS_LAZY);
            n
        };
        let (a0, a1) = (&a[0].operand::<LAZY>(), &a[1].operand::<LAZY>());
        let (b0, b1) = (&b[0].operand::<LAZY>(), &b[1].operand::<LAZY>());
        let product = WideOctet::zero().add_product(a0, b0);
        let mut s = WideOctet::zero().add_product(a1, b1);
        // `a0 b0 + q 2^(52 D - 1) - n a1 b1` and `-(a0 b0 + a1 b1)`.
        let mut t = WideOctet::zero();
        let (lift_low, lift) = const { (Self::LIFT.0, &Self::LIFT.1) };
        for k in 0..D {
            t.low[k] = _mm512_sub_epi64(_mm512_sub_epi64(t.low[k], product.low[k]), s.low[k]);
            t.high[k] = _mm512_sub_epi64(_mm512_sub_epi64(t.high[k], product.high[k]), s.high[k]);
            s.low[k] = _mm512_sub_epi64(product.low[k], multiple(s.low[k], n));
            s.high[k] = _mm512_sub_epi64(product.high[k], multiple(s.high[k], n));
            s.high[k] = _mm512_add_epi64(s.high[k], lift.vectors()[k]);
        }
        s.low[D - 1] = _mm512_add_epi64(s.low[D - 1], _mm512_set1_epi64(lift_low as i64));
        let t = t.add_product(&sum(a0, a1), &sum(b0, b1));
        reduced!([s, t]; 2)
    }

    /// The norm `c0² + n c1²` of an element of the quadratic extension, for values below 2q.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn norm<R: Ring, B: NonResidue<R>>(c0: &Self, c1: &Self) -> Self {
        let n = const {
            let n = minus_square::<R, B>();
            assert!(4 * (n + 1) <= 1 << (WIDTH * D - bits(&M::P) as usize));
            n
        };
        let (mut x, y) = (WideOctet::square(&c0.digits), WideOctet::square(&c1.digits));
        for k in 0..D {
            x.low[k] = _mm512_add_epi64(x.low[k], multiple(y.low[k], n));
            x.high[k] = _mm512_add_epi64(x.high[k], multiple(y.high[k], n));
        }
        let [norm] = reduced!([x]; 1);
        norm
    }

    /// The square of a value; as in [`Self::product`], the integer square must be below `2^(52 D) q`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) fn squared<const LAZY: bool>(&self) -> Self {
        let [square] = reduced!([WideOctet::square(&self.operand::<LAZY>())]; 1);
        square
    }
}

/// The integer `n` below 16 for which the adjoined root of a quadratic extension has the square `-n`.
const fn minus_square<R: Ring, B: NonResidue<R>>() -> u64 {
    match B::MINUS_SMALL {
        Some(n) if n < 16 => n,
        _ => panic!("the square of the adjoined root is minus a small integer"),
    }
}

/// The sum of two integers in digits below 2^52, which must fit the digits.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum<const D: usize>(a: &[__m512i; D], b: &[__m512i; D]) -> [__m512i; D] {
    let mut x = *a;
    for k in 0..D {
        x[k] = _mm512_add_epi64(x[k], b[k]);
    }
    carried(x)
}

/// A column times an integer below 16.
#[inline]
#[target_feature(enable = "avx512f")]
fn multiple(x: __m512i, n: u64) -> __m512i {
    let mut sum = if n & 1 == 1 { x } else { _mm512_setzero_si512() };
    for bit in 1..4 {
        if n >> bit & 1 == 1 {
            sum = _mm512_add_epi64(sum, _mm512_sllv_epi64(x, _mm512_set1_epi64(bit)));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::digits::LANES;
    use super::*;
    use crate::isa::lanes_to_test;
    use core::marker::PhantomData;
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_field::{Field, Fp, MinusSmall};

    /// The digits of `times q - minus`, in every lane.
    fn multiple_of<M: Modulus<N>, const N: usize, const D: usize>(times: u64, minus: u64) -> Octet<M, N, D> {
        let mut x: [u64; D] = digits(&M::P, times);
        let mut borrow = minus;
        for digit in &mut x {
            let (less, under) = digit.overflowing_sub(borrow);
            (*digit, borrow) = (less & MASK, u64::from(under));
        }
        assert_eq!(borrow, 0);
        Octet::new(*Splat::new(x).vectors())
    }

    /// The digits of the first lane.
    fn first<M, const N: usize, const D: usize>(x: &Octet<M, N, D>) -> [u64; D] {
        // SAFETY: a vector is eight words.
        x.digits.map(|digit| unsafe { core::mem::transmute::<__m512i, [u64; LANES]>(digit) }[0])
    }

    /// The residue of an integer in digits.
    fn residue<M: Modulus<N>, const N: usize, const D: usize>(x: [u64; D]) -> Fp<M, N>
    where
        Fp<M, N>: Field + From<u64>,
    {
        let radix = Fp::<M, N>::from(1 << WIDTH);
        x.iter().rev().fold(Fp::ZERO, |sum, digit| sum * radix + Fp::from(*digit))
    }

    /// Products, norms and squares of the greatest operands that are allowed, and of small ones, are right and below 2q.
    fn extremes<M: Modulus<N>, B, const N: usize, const D: usize>(_: PhantomData<Fp<M, N>>)
    where
        Fp<M, N>: Field + From<u64>,
        B: NonResidue<Fp<M, N>> + NonResidue<Octet<M, N, D>>,
    {
        if !lanes_to_test() {
            return;
        }
        let radix = (0..D).fold(Fp::<M, N>::ONE, |x, _| x * Fp::from(1 << WIDTH));
        let twice = first(&multiple_of::<M, N, D>(2, 0));
        let check = |got: Octet<M, N, D>, want: Fp<M, N>| {
            let got = first(&got);
            assert!(got.iter().all(|digit| *digit <= MASK));
            assert!(got.iter().rev().lt(twice.iter().rev()), "{got:?} is not below 2q");
            assert_eq!(residue::<M, N, D>(got) * radix, want);
        };
        let most = Octet::<M, N, D>::MOST_PRODUCT / 2;
        let wide = [(most, 0), (most, 1), (1, 0), (1, 1), (0, 0)].map(|(t, m)| multiple_of::<M, N, D>(t, m));
        let narrow = [(2, 1), (1, 1), (1, 0), (0, 0)].map(|(t, m)| multiple_of::<M, N, D>(t, m));
        for (a0, a1) in wide.iter().flat_map(|x| wide.each_ref().map(|y| (x, y))) {
            for (b0, b1) in narrow.iter().flat_map(|x| narrow.each_ref().map(|y| (x, y))) {
                // SAFETY: the processor was asked.
                let [c0, c1] =
                    unsafe { Octet::quadratic_product::<false, Octet<M, N, D>, B>([a0, a1], [b0, b1]) };
                let [x0, x1, y0, y1] = [a0, a1, b0, b1].map(|x| residue::<M, N, D>(first(x)));
                check(c0, x0 * y0 + B::mul(x1 * y1));
                check(c1, x0 * y1 + x1 * y0);
            }
        }
        for (c0, c1) in narrow.iter().flat_map(|x| narrow.each_ref().map(|y| (x, y))) {
            let [x0, x1] = [c0, c1].map(|x| residue::<M, N, D>(first(x)));
            // SAFETY: as above.
            unsafe {
                check(Octet::norm::<Octet<M, N, D>, B>(c0, c1), x0.square() - B::mul(x1.square()));
                check(c0.squared::<false>(), x0.square());
            }
        }
    }

    #[test]
    fn extremes_of_bn254() {
        extremes::<_, MinusSmall<1>, 4, 5>(PhantomData::<bn254::Fq>);
    }
    #[test]
    fn extremes_of_bls12_381() {
        extremes::<_, MinusSmall<1>, 6, 8>(PhantomData::<bls12_381::Fq>);
    }
    #[test]
    fn extremes_of_bls12_377() {
        extremes::<_, MinusSmall<5>, 6, 8>(PhantomData::<bls12_377::Fq>);
    }
}
