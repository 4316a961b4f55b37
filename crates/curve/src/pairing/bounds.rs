//! Tests of the formulas of towers and lines by interval arithmetic: no sum of products exceeds the bounds of its reduction.

use super::cyclotomic::{cyclotomic_square, square_compressed};
use super::lines::{
    mul_by_014, mul_by_014_monic, mul_by_034, mul_by_034_monic, mul_by_two, two_of_014, two_of_034,
};
use crate::formulas;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::{Cubic, MinusSmall, NonResidue, Quad, Ring, Root, SmallPlusRoot, Wide, WideQuad};

/// A reduced element modulo a prime P with `ROOM·P <= 2^(64 N)`.
#[derive(Clone, Copy)]
struct Element<const ROOM: i64>;

/// A sum of products that lies between `.0·P²` and `.1·P²`.
#[derive(Clone, Copy)]
struct Interval<const ROOM: i64>(i64, i64);

macro_rules! element {
    ($($trait:ident $method:ident($($other:ident)?);)+) => {$(
        impl<const ROOM: i64> $trait for Element<ROOM> {
            type Output = Self;
            fn $method(self $(, $other: Self)?) -> Self {
                $(let _ = $other;)?
                self
            }
        }
    )+};
}
element! { Add add(o); Sub sub(o); Mul mul(o); Neg neg(); }

impl<const ROOM: i64> Ring for Element<ROOM> {
    const DEFERS_REDUCTION: bool = true;
    type Wide = Interval<ROOM>;
    fn wide(_: &Self, _: &Self) -> Interval<ROOM> {
        Interval(0, 1)
    }
    fn wide_quad<B: NonResidue<Self>>(_: [&Self; 2], _: [&Self; 2]) -> WideQuad<Self, B> {
        let n = B::MINUS_SMALL.unwrap() as i64;
        WideQuad::new(Interval(-n, 1), Interval(0, 2))
    }
    fn wide_square_quad<B: NonResidue<Self>>(_: &Self, _: &Self) -> WideQuad<Self, B> {
        let n = B::MINUS_SMALL.unwrap() as i64;
        // The factors of the square are c0 + c1 below 2P and c0 + n·(P - c1) below (n + 1)·P.
        WideQuad::new(Interval(0, 2 * (n + 1) + n / 2 * 2), Interval(0, 2))
    }
}

impl<const ROOM: i64> Wide for Interval<ROOM> {
    type Reduced = Element<ROOM>;
    fn widened(_: Element<ROOM>) -> Self {
        Self(0, ROOM + 1)
    }
    fn reduced(&self) -> Element<ROOM> {
        assert!(-3 * ROOM <= self.0 && self.1 <= 3 * ROOM, "from {} to {} of {ROOM}", self.0, self.1);
        Element
    }
    fn reduced_near(&self) -> Element<ROOM> {
        assert!(-ROOM <= self.0 && self.1 <= ROOM, "near, from {} to {} of {ROOM}", self.0, self.1);
        Element
    }
    fn plus(&mut self, o: &Self) {
        *self = Self(self.0 + o.0, self.1 + o.1);
    }
    fn minus(&mut self, o: &Self) {
        *self = Self(self.0 - o.1, self.1 - o.0);
    }
    fn minus_two(&mut self, b: &Self, c: &Self) {
        self.minus(b);
        self.minus(c);
    }
    fn multiple(&self, n: u64) -> Self {
        Self(n as i64 * self.0, n as i64 * self.1)
    }
    fn negative(&self) -> Self {
        Self(-self.1, -self.0)
    }
}

/// Evaluates every formula with deferred reductions, with `u² = -N` and `v³ = A + u`.
fn read<const ROOM: i64, const N: u64, const A: u64>() {
    let two: Quad<_, MinusSmall<N>> = Quad::new(Element::<ROOM>, Element);
    let six: Cubic<_, SmallPlusRoot<A>> = Cubic::new(two, two, two);
    let f: Quad<_, Root> = Quad::new(six, six);
    let _ = (two * two, two.square(), six * six, six.square(), f * f, f.square(), f.norm());
    let _ = (mul_by_014(f, two, two, two), mul_by_034(f, two, two, two));
    let _ = (mul_by_014_monic(f, two, two), mul_by_034_monic(f, two, two));
    let _ = mul_by_two(&f, &two_of_014(&[two; 3], &[two; 3]), true);
    let _ = mul_by_two(&f, &two_of_034(&[two; 3], &[two; 3]), false);
    let _ = (cyclotomic_square(f), square_compressed::<_, SmallPlusRoot<A>>(&[two; 4]));
    points(two);
    points(Element::<ROOM>);
}

fn points<R: Ring + Copy>(x: R) {
    let _ = (formulas::complete_add([x; 3], [x; 3], |x| x), formulas::complete_double([x; 3], |x| x));
}

#[test]
fn sums_do_not_outgrow_their_limbs() {
    read::<9, 1, 1>(); // BLS12-381
    read::<152, 5, 0>(); // BLS12-377
}

#[test]
#[should_panic(expected = "near")]
fn a_sum_is_not_near() {
    let _ = Interval::<9>(0, 1).multiple(10).reduced_near();
}

#[test]
#[should_panic(expected = "of 9")]
fn a_long_sum_outgrows_them() {
    let mut sum = Interval::<9>(0, 1).multiple(15);
    sum.plus(&sum.clone());
    let _ = sum.reduced();
}
