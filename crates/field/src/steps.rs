//! The non-residues of the towers of pairing-friendly curves, as types: negated small integers, a small integer plus the root
//! of the step below, and that root itself.

use crate::tower::{Cubic, Quad};
use crate::traits::{NonResidue, Ring};
use crate::wide::{Wide, WideCubic, WideQuad};

/// The non-residue `-N` for a small `N`, as in `u² = -N`; `-N` must not be a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinusSmall<const N: u64>;

impl<R: Ring, const N: u64> NonResidue<R> for MinusSmall<N> {
    const MINUS_SMALL: Option<u64> = Some(N);
    #[inline(always)]
    fn mul(x: R) -> R {
        -x.times(N)
    }
    #[inline(always)]
    fn mul_wide(x: &R::Wide) -> R::Wide {
        x.multiple(N).negative()
    }
    #[inline(always)]
    fn square_quad(c0: &R, c1: &R) -> Quad<R, Self> {
        // c0² - N·c1² = (c0 + c1)(c0 - N·c1) + (N - 1)·c0·c1.
        let product = R::product(&(c0.clone() + c1.clone()), &(c0.clone() - c1.clone().times(N)));
        let c0c1 = R::product(c0, c1);
        let twice = c0c1.clone().double();
        match N {
            1 => Quad::new(product, twice),
            // For odd N, the doubling that the second coordinate needs anyway is used for both coordinates.
            _ if N % 2 == 1 => Quad::new(product + twice.clone().times(N / 2), twice),
            _ => Quad::new(product + c0c1.times(N - 1), twice),
        }
    }
}

/// The non-residue `A + u` of a quadratic extension by `u`, as in `v³ = A + u`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallPlusRoot<const A: u64>;

impl<R: Ring, const N: u64, const A: u64> NonResidue<Quad<R, MinusSmall<N>>> for SmallPlusRoot<A> {
    #[inline(always)]
    fn mul(x: Quad<R, MinusSmall<N>>) -> Quad<R, MinusSmall<N>> {
        if A == 0 {
            return x.mul_by_root();
        }
        // (A + u)(c0 + c1·u) = A·c0 - N·c1 + (A·c1 + c0)·u.
        let c0 = x.c0.clone().times(A) - x.c1.clone().times(N);
        Quad::new(c0, if A == 1 { x.c0 + x.c1 } else { x.c1.times(A) + x.c0 })
    }
    #[inline(always)]
    fn mul_wide(x: &WideQuad<R, MinusSmall<N>>) -> WideQuad<R, MinusSmall<N>> {
        if A == 0 {
            return WideQuad::new(<MinusSmall<N> as NonResidue<R>>::mul_wide(&x.c1), x.c0.clone());
        }
        let mut c0 = x.c0.multiple(A);
        c0.minus(&x.c1.multiple(N));
        let mut c1 = if A == 1 { x.c0.clone() } else { x.c1.multiple(A) };
        c1.plus(if A == 1 { &x.c1 } else { &x.c0 });
        WideQuad::new(c0, c1)
    }
    #[inline(always)]
    fn add_wide(sum: &mut WideQuad<R, MinusSmall<N>>, x: &WideQuad<R, MinusSmall<N>>) {
        if !R::DEFERS_REDUCTION {
            // The schedules of modelled machines depend on this order of operations.
            sum.plus(&Self::mul_wide(x));
            return;
        }
        match A {
            0 => {}
            1 => sum.plus(x),
            _ => sum.plus(&x.multiple(A)),
        }
        if N == 1 {
            sum.c0.minus(&x.c1);
        } else {
            sum.c0.minus(&x.c1.multiple(N));
        }
        sum.c1.plus(&x.c0);
    }
}

/// The non-residue `v` of a cubic extension by `v`, as in `w² = v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root;

impl<R: Ring, B: NonResidue<R>> NonResidue<Cubic<R, B>> for Root {
    #[inline(always)]
    fn mul(x: Cubic<R, B>) -> Cubic<R, B> {
        x.mul_by_root()
    }
    #[inline(always)]
    fn mul_wide(x: &WideCubic<R, B>) -> WideCubic<R, B> {
        WideCubic::new(B::mul_wide(&x.c2), x.c0.clone(), x.c1.clone())
    }
    #[inline(always)]
    fn add_wide(sum: &mut WideCubic<R, B>, x: &WideCubic<R, B>) {
        B::add_wide(&mut sum.c0, &x.c2);
        sum.c1.plus(&x.c0);
        sum.c2.plus(&x.c1);
    }
}
