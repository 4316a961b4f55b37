//! Sums of products over a prime field as integers of twice the length, and the products in a quadratic extension that are
//! computed with them. Functions are compiled once and take limbs by reference, because inlined copies would fill the
//! instruction cache.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::adx::TwoChains;
use crate::fp::{Fp, INLINE_LIMBS};
use crate::modulus::Modulus;
use crate::mont::{self, LimbRows, Portable};
use crate::tower::Quad;
use crate::traits::{NonResidue, Ring, small_multiple};
use crate::wide::{Wide, WideQuad};
use core::marker::PhantomData;

/// A sum of products that represents the element to which Montgomery reduction takes it. If `Self::DEFERS_REDUCTION`, it is an integer
/// in two's complement; otherwise an element times `2^(64 N)`, whose low half is zero and is not read.
///
/// A sum must stay between `-3·P·2^(64 N)` and `3·P·2^(64 N)`. A product of elements is below `P²`, at most a ninth of
/// `P·2^(64 N)`, so a sum may have 27 of them, or nine if it is reduced by [`Wide::reduced_near`], which takes sums between
/// `-P·2^(64 N)` and `P·2^(64 N)`. Tests evaluate the formulas of the towers on intervals to check these bounds.
pub struct WideFp<M, const N: usize>(mont::Wide<N>, PhantomData<M>);

impl<M, const N: usize> Clone for WideFp<M, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M, const N: usize> Copy for WideFp<M, N> {}

impl<M: Modulus<N>, const N: usize> WideFp<M, N> {
    /// Whether reductions are deferred. With up to four limbs a reduction costs less than additions of twice the length.
    pub(crate) const DEFERS_REDUCTION: bool = N > INLINE_LIMBS && mont::fits::<M, N>(9);

    #[inline(always)]
    fn wrap(limbs: mont::Wide<N>) -> Self {
        Self(limbs, PhantomData)
    }

    /// The product of two elements, not reduced.
    #[inline(never)]
    pub(crate) fn product(a: &Fp<M, N>, b: &Fp<M, N>) -> Self {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(rows) = TwoChains::<N>::of_this_processor() {
            return Self::wrap(mont::Wide::product(rows, &a.0, &b.0));
        }
        Self::wrap(mont::Wide::product(Portable, &a.0, &b.0))
    }

    #[inline(never)]
    fn add(&mut self, o: &Self) {
        self.0 = self.0.plus(&o.0);
    }
    #[inline(never)]
    fn times(&self, n: u64) -> Self {
        Self(self.0.times(n), PhantomData)
    }
    #[inline(never)]
    fn subtract(&mut self, o: &Self) {
        self.0 = self.0.minus(&o.0);
    }
    #[inline(never)]
    fn subtract_both(&mut self, b: &Self, c: &Self) {
        self.0 = self.0.minus(&b.0).minus(&c.0);
    }
    #[inline(never)]
    fn reduce(&self) -> Fp<M, N> {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(rows) = TwoChains::<N>::of_this_processor() {
            return Fp::wrap(self.0.reduced::<M, _, 3>(rows));
        }
        Fp::wrap(self.0.reduced::<M, _, 3>(Portable))
    }
    #[inline(never)]
    fn reduce_near(&self) -> Fp<M, N> {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if let Some(rows) = TwoChains::<N>::of_this_processor() {
            return Fp::wrap(self.0.reduced::<M, _, 1>(rows));
        }
        Fp::wrap(self.0.reduced::<M, _, 1>(Portable))
    }
}

impl<M: Modulus<N>, const N: usize> Wide for WideFp<M, N> {
    type Reduced = Fp<M, N>;
    #[inline(always)]
    fn widened(x: Fp<M, N>) -> Self {
        Self::wrap(mont::Wide { low: [0; N], high: x.0 })
    }
    #[inline(always)]
    fn reduced(&self) -> Fp<M, N> {
        if Self::DEFERS_REDUCTION { self.reduce() } else { Fp::wrap(self.0.high) }
    }
    #[inline(always)]
    fn reduced_near(&self) -> Fp<M, N> {
        if Self::DEFERS_REDUCTION { self.reduce_near() } else { Fp::wrap(self.0.high) }
    }
    #[inline(always)]
    fn plus(&mut self, o: &Self) {
        if Self::DEFERS_REDUCTION {
            self.add(o);
        } else {
            *self = Self::widened(self.reduced() + o.reduced());
        }
    }
    #[inline(always)]
    fn minus(&mut self, o: &Self) {
        if Self::DEFERS_REDUCTION {
            self.subtract(o);
        } else {
            *self = Self::widened(self.reduced() - o.reduced());
        }
    }
    #[inline(always)]
    fn minus_two(&mut self, b: &Self, c: &Self) {
        if Self::DEFERS_REDUCTION {
            self.subtract_both(b, c);
        } else {
            *self = Self::widened(self.reduced() - b.reduced() - c.reduced());
        }
    }
    #[inline(always)]
    fn multiple(&self, n: u64) -> Self {
        if n == 1 {
            return *self;
        }
        if Self::DEFERS_REDUCTION { self.times(n) } else { Self::widened(self.reduced().times(n)) }
    }
    #[inline(always)]
    fn negative(&self) -> Self {
        let mut negative = Self::widened(Fp::wrap([0; N]));
        negative.minus(self);
        negative
    }
}

/// Whether the functions below can be used for the quadratic extension by a square root of `-n`. `n` has to be odd, because the
/// square adds `(n - 1)/2` times `2·c0·c1`.
pub(crate) const fn has_sums<M: Modulus<N>, const N: usize>(n: Option<u64>) -> bool {
    match n {
        Some(n) => n % 2 == 1 && n < 16 && mont::fits::<M, N>(2 * (n + 1)),
        None => false,
    }
}

/// The integers `v0`, `n·v1` and `c1` of the product `v0 - n·v1 + c1·u`, by Karatsuba's formula.
#[inline(always)]
fn product<R: LimbRows<N>, const N: usize>(
    rows: R,
    n: u64,
    [a0, a1]: [&[u64; N]; 2],
    [b0, b1]: [&[u64; N]; 2],
) -> [mont::Wide<N>; 3] {
    let v0 = mont::Wide::product(rows, a0, b0);
    let v1 = mont::Wide::product(rows, a1, b1);
    // The sums are below 2P, so their product is below 4P² and thus below P·2^(64 N).
    let cross = mont::Wide::product(rows, &mont::add(a0, a1), &mont::add(b0, b1));
    let c1 = cross.minus(&v0).minus(&v1);
    [v0, if n == 1 { v1 } else { v1.times(n) }, c1]
}

/// The factors `c0 + c1`, `c0 + n·(P - c1)` and `2·c0` of the two products in a square. The first and the last are below 2P, the
/// second is below `(n + 1)·P`.
#[inline(always)]
fn factors<M: Modulus<N>, const N: usize>(n: u64, c0: &[u64; N], c1: &[u64; N]) -> [[u64; N]; 3] {
    let multiple = small_multiple(mont::sub(&M::P, c1), n, |a| mont::add(&a, &a), |a, b| mont::add(&a, &b));
    [mont::add(c0, c1), mont::add(c0, &multiple), mont::add(c0, c0)]
}

/// Makes two functions of a formula: one that uses the fastest [`LimbRows`] of the processor, and one that uses portable rows.
macro_rules! on_fast_rows {
    ($function:ident, $portable:ident, $formula:ident, $result:ty, ($($argument:ident: $type:ty),+)) => {
        #[inline(never)]
        pub(crate) fn $function<M: Modulus<N>, B: NonResidue<Fp<M, N>>, const N: usize>(
            $($argument: $type),+
        ) -> $result {
            #[cfg(all(target_arch = "x86_64", feature = "std"))]
            if let Some(rows) = TwoChains::<N>::of_this_processor() {
                return $formula::<M, B, _, N>(rows, $($argument),+);
            }
            $portable::<M, B, N>($($argument),+)
        }
        #[inline(never)]
        fn $portable<M: Modulus<N>, B: NonResidue<Fp<M, N>>, const N: usize>($($argument: $type),+) -> $result {
            $formula::<M, B, _, N>(Portable, $($argument),+)
        }
    };
}

/// The `n` of the non-residue `-n`; callers ask [`has_sums`] first.
const fn small<R: Ring, B: NonResidue<R>>() -> u64 {
    B::MINUS_SMALL.expect("only extensions by roots of small integers have sums")
}

/// A product in the quadratic extension, not reduced.
#[inline(always)]
fn wide_product_by<M: Modulus<N>, B: NonResidue<Fp<M, N>>, R: LimbRows<N>, const N: usize>(
    rows: R,
    a: [&[u64; N]; 2],
    b: [&[u64; N]; 2],
) -> WideQuad<Fp<M, N>, B> {
    let [v0, v1, c1] = product(rows, small::<Fp<M, N>, B>(), a, b);
    WideQuad::new(WideFp::wrap(v0.minus(&v1)), WideFp::wrap(c1))
}

/// A product in the quadratic extension, reduced.
#[inline(always)]
fn product_by<M: Modulus<N>, B: NonResidue<Fp<M, N>>, R: LimbRows<N>, const N: usize>(
    rows: R,
    a: [&[u64; N]; 2],
    b: [&[u64; N]; 2],
) -> Quad<Fp<M, N>, B> {
    let [v0, v1, c1] = product(rows, small::<Fp<M, N>, B>(), a, b);
    let c0 = v0.minus_or_raised::<M>(&v1);
    Quad::new(Fp::wrap(c0.reduced::<M, _, 0>(rows)), Fp::wrap(c1.reduced::<M, _, 0>(rows)))
}

/// A square in the quadratic extension, not reduced.
#[inline(always)]
fn wide_square_by<M: Modulus<N>, B: NonResidue<Fp<M, N>>, R: LimbRows<N>, const N: usize>(
    rows: R,
    c0: &[u64; N],
    c1: &[u64; N],
) -> WideQuad<Fp<M, N>, B> {
    // c0² - n·c1² = (c0 + c1)(c0 - n·c1) + (n - 1)·c0·c1.
    let n = small::<Fp<M, N>, B>();
    let [sum, difference, twice] = factors::<M, N>(n, c0, c1);
    let mut product = mont::Wide::product(rows, &sum, &difference);
    let c1 = mont::Wide::product(rows, &twice, c1);
    if n > 1 {
        product = product.plus(&c1.times(n / 2));
    }
    WideQuad::new(WideFp::wrap(product), WideFp::wrap(c1))
}

/// A square in the quadratic extension; each of its two products is a Montgomery product, so both parts are reduced.
#[inline(always)]
fn square_by<M: Modulus<N>, B: NonResidue<Fp<M, N>>, R: LimbRows<N>, const N: usize>(
    rows: R,
    c0: &[u64; N],
    c1: &[u64; N],
) -> Quad<Fp<M, N>, B> {
    let n = small::<Fp<M, N>, B>();
    let [sum, difference, twice] = factors::<M, N>(n, c0, c1);
    let product = Fp::wrap(mont::mul_by::<M, _, N>(rows, &sum, &difference));
    let c1 = Fp::wrap(mont::mul_by::<M, _, N>(rows, &twice, c1));
    Quad::new(if n > 1 { product + c1.times(n / 2) } else { product }, c1)
}

on_fast_rows!(
    wide_product, wide_product_portably, wide_product_by, WideQuad<Fp<M, N>, B>,
    (a: [&[u64; N]; 2], b: [&[u64; N]; 2])
);
on_fast_rows!(
    quad_product, quad_product_portably, product_by, Quad<Fp<M, N>, B>,
    (a: [&[u64; N]; 2], b: [&[u64; N]; 2])
);
on_fast_rows!(
    wide_square, wide_square_portably, wide_square_by, WideQuad<Fp<M, N>, B>,
    (c0: &[u64; N], c1: &[u64; N])
);
on_fast_rows!(
    quad_square, quad_square_portably, square_by, Quad<Fp<M, N>, B>,
    (c0: &[u64; N], c1: &[u64; N])
);
