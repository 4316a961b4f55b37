//! Sums of products whose reduction is deferred: integers of twice the length over a prime field, and one such sum for each
//! coefficient over an extension. A ring that reduces every product is its own [`Wide`] type, so one formula serves both.

use crate::tower::{Cubic, Quad};
use crate::traits::{NonResidue, Ring};
use core::marker::PhantomData;

/// A sum of products, not yet reduced.
pub trait Wide: Clone {
    /// The ring of the products.
    type Reduced: Ring;
    /// The sum of one term, a reduced element.
    fn widened(x: Self::Reduced) -> Self;
    /// Reduces the sum to an element of the ring.
    fn reduced(&self) -> Self::Reduced;
    /// Reduces a sum of few products, which lies within narrower bounds than sums in general; see [`WideFp`](crate::WideFp) for
    /// the bounds.
    #[inline(always)]
    fn reduced_near(&self) -> Self::Reduced {
        self.reduced()
    }
    /// Adds a sum.
    fn plus(&mut self, o: &Self);
    /// Subtracts a sum.
    fn minus(&mut self, o: &Self);
    /// Subtracts two sums.
    fn minus_two(&mut self, b: &Self, c: &Self);
    /// `n` times the sum for `0 < n < 16`.
    #[must_use]
    fn multiple(&self, n: u64) -> Self;
    /// The negative of the sum.
    #[must_use]
    fn negative(&self) -> Self;
}

impl<R: Ring> Wide for R {
    type Reduced = R;
    #[inline(always)]
    fn widened(x: R) -> Self {
        x
    }
    #[inline(always)]
    fn reduced(&self) -> R {
        self.clone()
    }
    #[inline(always)]
    fn plus(&mut self, o: &Self) {
        *self = self.clone() + o.clone();
    }
    #[inline(always)]
    fn minus(&mut self, o: &Self) {
        *self = self.clone() - o.clone();
    }
    #[inline(always)]
    fn minus_two(&mut self, b: &Self, c: &Self) {
        *self = self.clone().minus_both(b.clone(), c.clone());
    }
    #[inline(always)]
    fn multiple(&self, n: u64) -> Self {
        self.clone().times(n)
    }
    #[inline(always)]
    fn negative(&self) -> Self {
        -self.clone()
    }
}

/// An unreduced sum of products in a quadratic extension.
pub struct WideQuad<R: Ring, B> {
    /// Coefficient of 1.
    pub c0: R::Wide,
    /// Coefficient of the root.
    pub c1: R::Wide,
    step: PhantomData<fn() -> B>,
}

/// An unreduced sum of products in a cubic extension.
pub struct WideCubic<R: Ring, B> {
    /// Coefficient of 1.
    pub c0: R::Wide,
    /// Coefficient of the root.
    pub c1: R::Wide,
    /// Coefficient of the root's square.
    pub c2: R::Wide,
    step: PhantomData<fn() -> B>,
}

macro_rules! by_coefficient {
    ($name:ident of $element:ident { $($c:ident),+ }) => {
        impl<R: Ring, B> $name<R, B> {
            /// The sum with these coefficients.
            #[inline(always)]
            pub const fn new($($c: R::Wide),+) -> Self {
                Self { $($c),+, step: PhantomData }
            }
        }
        impl<R: Ring, B> Clone for $name<R, B> {
            #[inline(always)]
            fn clone(&self) -> Self {
                Self::new($(self.$c.clone()),+)
            }
        }
        impl<R: Ring, B: NonResidue<R>> Wide for $name<R, B> {
            type Reduced = $element<R, B>;
            #[inline(always)]
            fn widened(x: $element<R, B>) -> Self {
                Self::new($(R::Wide::widened(x.$c)),+)
            }
            #[inline(always)]
            fn reduced(&self) -> $element<R, B> {
                $element::new($(self.$c.reduced()),+)
            }
            #[inline(always)]
            fn reduced_near(&self) -> $element<R, B> {
                $element::new($(self.$c.reduced_near()),+)
            }
            #[inline(always)]
            fn plus(&mut self, o: &Self) {
                $(self.$c.plus(&o.$c);)+
            }
            #[inline(always)]
            fn minus(&mut self, o: &Self) {
                $(self.$c.minus(&o.$c);)+
            }
            #[inline(always)]
            fn minus_two(&mut self, b: &Self, c: &Self) {
                if R::REDUCES_ONCE || R::DEFERS_REDUCTION {
                    $(self.$c.minus_two(&b.$c, &c.$c);)+
                } else {
                    // The same order of operations as the two subtractions of `Ring::minus_both`.
                    self.minus(b);
                    self.minus(c);
                }
            }
            #[inline(always)]
            fn multiple(&self, n: u64) -> Self {
                Self::new($(self.$c.multiple(n)),+)
            }
            #[inline(always)]
            fn negative(&self) -> Self {
                Self::new($(self.$c.negative()),+)
            }
        }
    };
}
by_coefficient!(WideQuad of Quad { c0, c1 });
by_coefficient!(WideCubic of Cubic { c0, c1, c2 });
