//! Montgomery arithmetic on limbs: products, squares, wide (unreduced) products and their reduction.
//!
//! Everything is operand scanning with the rows written out, one carry word a row, which the spare top bit of
//! the prime allows (gnark-crypto calls this the no-carry optimisation). A product is `2·N² + N` limb products,
//! a square `(3·N² + 3·N)/2`; `N² + N` of either is the reduction, which sums of products share by staying
//! [`Wide`] until the end. No branch and no address depends on an operand.

use crate::limbs::mac;
use crate::modulus::Modulus;

/// `$body` for each `$i` in `0..$n`, written out: LLVM keeps the limbs of an unrolled product in registers, and
/// does not unroll rows of six limbs by itself (measured at a tenth of a product).
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

/// An integer of `2 N` limbs: low half, high half.
#[derive(Clone, Copy)]
pub(crate) struct Wide<const N: usize> {
    pub(crate) low: [u64; N],
    pub(crate) high: [u64; N],
}

/// `a + b`, wrapping.
#[inline(always)]
pub(crate) fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut carry = false;
    for i in 0..N {
        (out[i], carry) = a[i].carrying_add(b[i], carry);
    }
    out
}

/// `a - b`, wrapping.
#[inline(always)]
pub(crate) fn sub<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut borrow = false;
    for i in 0..N {
        (out[i], borrow) = a[i].borrowing_sub(b[i], borrow);
    }
    out
}

/// The sign of a difference in `(-P, P)`, which the spare bit leaves in the top bit. A sign rather than the borrow:
/// from the `or` that ends a borrow chain LLVM makes branches, from a sign conditional moves.
#[inline(always)]
fn is_negative<const N: usize>(a: &[u64; N]) -> bool {
    a[N - 1] >> 63 == 1
}

/// `if second { b } else { a }`, by conditional moves.
#[inline(always)]
pub(crate) fn choose<const N: usize>(second: bool, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    core::array::from_fn(|i| core::hint::select_unpredictable(second, b[i], a[i]))
}

/// `a - P` if `a >= P`, for `a < 2P`.
#[inline(always)]
pub(crate) fn reduce_once<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    let less = sub(a, &M::P);
    choose(is_negative(&less), &less, a)
}

/// `a + P` if `a < 0`, for `-P < a < P`.
#[inline(always)]
pub(crate) fn raise_once<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    choose(is_negative(a), a, &add(a, &M::P))
}

/// Montgomery product `a·b / 2^(64 N) mod P`, reduced, for `a < P` and *any* `b`.
///
/// A row maps `t` to `(t + a·b_i + k·P) / 2^64` with `b_i, k < 2^64`, so `t <= a + P` whatever `b` is: below
/// `2P`, which fits `N` limbs by the spare bit and is what [`reduce_once`] needs. The roles are not symmetric.
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

/// `(t + k·P) / 2^64` with the `k` that makes it exact; returns the new top limb and leaves it out of `t`.
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
    /// Returns the product `a·b` in double width.
    #[inline(always)]
    pub(crate) fn product(a: &[u64; N], b: &[u64; N]) -> Self {
        let mut low = [0u64; N];
        let mut t = [0u64; N];
        rows!(i < N {
            let mut carry = 0;
            low[i] = mac(t[0], a[0], b[i], &mut carry);
            for j in 1..N {
                t[j - 1] = mac(t[j], a[j], b[i], &mut carry);
            }
            t[N - 1] = carry;
        });
        Self { low, high: t }
    }

    /// `a²`: the products off the diagonal once, doubled, and the diagonal.
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

    /// `self - o`, wrapping.
    #[inline(always)]
    pub(crate) fn sub(&self, o: &Self) -> Self {
        let mut out = *self;
        let mut borrow = false;
        for i in 0..N {
            (out.low[i], borrow) = self.low[i].borrowing_sub(o.low[i], borrow);
        }
        for i in 0..N {
            (out.high[i], borrow) = self.high[i].borrowing_sub(o.high[i], borrow);
        }
        out
    }

    /// `n·self` for a product that fits.
    #[inline(always)]
    pub(crate) fn times(&self, n: u64) -> Self {
        let mut out = *self;
        let mut carry = 0;
        for i in 0..N {
            out.low[i] = mac(0, self.low[i], n, &mut carry);
        }
        for i in 0..N {
            out.high[i] = mac(0, self.high[i], n, &mut carry);
        }
        out
    }
}

/// `(a0 + a1·u)(b0 + b1·u)` with `u² = -n`, for reduced operands and `n·P < 2^(64 N)`: Karatsuba on unreduced
/// products, two reductions instead of three.
#[inline(always)]
pub(crate) fn mul_quad<M: Modulus<N>, const N: usize>(
    a: [&[u64; N]; 2],
    b: [&[u64; N]; 2],
    n: u64,
) -> [[u64; N]; 2] {
    let v0 = Wide::product(a[0], b[0]);
    let v1 = Wide::product(a[1], b[1]);
    // Sums below 2P fit N limbs, and their product less v0 and v1 is a0·b1 + a1·b0 < 2P².
    let cross = Wide::product(&add(a[0], a[1]), &add(b[0], b[1]));
    let cross = cross.sub(&v0).sub(&v1);
    let nv1 = if n == 1 { v1 } else { v1.times(n) };
    // In (-n·P², P²), so the high half is at least -P; a multiple of P brings a negative one to [0, P·2^(64 N)).
    let mut real = v0.sub(&nv1);
    real.high = raise_once::<M, N>(&real.high);
    [reduce::<M, N>(&real), reduce::<M, N>(&cross)]
}
