//! Exhaustive tests of small fields and of towers over them, and quadratic products against the schoolbook formula.

use crate::common::*;
use pairwright_field::{Cubic, Extension, Field, NonResidue, PrimeField, Quad, Ring, Sqrt};

/// Compares every operation on every pair of elements with integers.
fn exhaustive<F: PrimeField>() {
    let p = F::MODULUS.as_ref()[0];
    let as_int = |x: &F| x.to_limbs().as_ref()[0];
    let all: Vec<F> = (0..p).map(F::from).collect();
    for (a, x) in (0..p).zip(&all) {
        assert_eq!(as_int(x), a);
        assert_eq!(as_int(&-*x), (p - a) % p);
        assert_eq!(as_int(&x.square()), a * a % p);
        assert_eq!(as_int(&x.double()), 2 * a % p);
        match x.invert() {
            Some(y) => assert_eq!(a * as_int(&y) % p, 1),
            None => assert_eq!(a, 0),
        }
        let root = all.iter().find(|y| y.square() == *x);
        assert_eq!(x.sqrt_vartime().map(|y| y.square()), root.map(|_| *x), "√{a} mod {p}");
        for (b, y) in (0..p).zip(&all) {
            assert_eq!(as_int(&(*x + *y)), (a + b) % p);
            assert_eq!(as_int(&(*x - *y)), (a + p - b) % p);
            assert_eq!(as_int(&(*x * *y)), a * b % p);
            assert_eq!(bool_of(x.ct_eq(y)), a == b);
        }
    }
}

fn bool_of(c: pairwright_field::ct::Choice) -> bool {
    c.reveal()
}

#[test]
fn prime_fields() {
    exhaustive::<F3>();
    exhaustive::<F7>();
    exhaustive::<F17>();
    exhaustive::<F97>();
    exhaustive::<F257>();
}

/// The non-residue `-n`, with and without [`NonResidue::MINUS_SMALL`], which lets a prime field defer reductions.
struct Minus<const N: u64, const PROMISED: bool>;
impl<F: Field + From<u64>, const N: u64, const PROMISED: bool> NonResidue<F> for Minus<N, PROMISED> {
    const MINUS_SMALL: Option<u64> = if PROMISED { Some(N) } else { None };
    fn mul(x: F) -> F {
        -(x * F::from(N))
    }
}
/// `v³ = 2 + u` over `F7[u]/(u² + 1)`: neither a cube nor a square there.
struct Xi;
impl NonResidue<F49> for Xi {
    fn mul(x: F49) -> F49 {
        F49::new(x.c0.double() - x.c1, x.c0 + x.c1.double())
    }
}
/// `w² = v`.
struct Vee;
impl NonResidue<Cubic<F49, Xi>> for Vee {
    fn mul(x: Cubic<F49, Xi>) -> Cubic<F49, Xi> {
        x.mul_by_root()
    }
}
/// `v³ = 2`, not a cube modulo 7.
struct Two;
impl NonResidue<F7> for Two {
    fn mul(x: F7) -> F7 {
        x.double()
    }
}
type F49 = Quad<F7, Minus<1, true>>;
type F343 = Cubic<F7, Two>;
type F7to6 = Cubic<F49, Xi>;
type F7to12 = Quad<F7to6, Vee>;

/// Every element of an extension of F7.
fn all<F: Extension<Prime = F7>>() -> Vec<F> {
    (0..7u64.pow(F::DEGREE as u32))
        .map(|mut k| {
            let coords: Vec<F7> = (0..F::DEGREE)
                .map(|_| {
                    let digit = k % 7;
                    k /= 7;
                    F7::from(digit)
                })
                .collect();
            F::from_coords(&coords)
        })
        .collect()
}

#[test]
fn forty_nine() {
    let all = all::<F49>();
    for a in &all {
        assert_eq!(a.invert().map(|x| x * *a), (!a.is_zero()).then_some(F49::ONE));
        assert_eq!(a.square(), *a * *a);
        let root = all.iter().find(|y| **y * **y == *a);
        assert_eq!(a.sqrt_vartime().map(|x| x.square()), root.map(|_| *a), "√{a:?}");
        assert_eq!(a.norm(), (*a * a.conjugate()).c0);
        assert!((*a * a.conjugate()).c1.is_zero());
        for b in &all {
            let want = F49::new(a.c0 * b.c0 - a.c1 * b.c1, a.c0 * b.c1 + a.c1 * b.c0);
            assert_eq!(*a * *b, want);
        }
    }
}

#[test]
fn three_hundred_forty_three() {
    let all = all::<F343>();
    for a in &all {
        assert_eq!(a.invert().map(|x| x * *a), (!a.is_zero()).then_some(F343::ONE));
        assert_eq!(a.square(), *a * *a);
        assert_eq!(a.mul_by_root(), *a * F343::new(F7::ZERO, F7::ONE, F7::ZERO));
        for b in &all {
            let want = F343::new(
                a.c0 * b.c0 + (a.c1 * b.c2 + a.c2 * b.c1).double(),
                a.c0 * b.c1 + a.c1 * b.c0 + (a.c2 * b.c2).double(),
                a.c0 * b.c2 + a.c1 * b.c1 + a.c2 * b.c0,
            );
            assert_eq!(*a * *b, want);
        }
    }
}

#[test]
fn degree_twelve_tower_is_a_field() {
    let mut rng = rng(1);
    let order = [7u64.pow(12) - 1];
    for _ in 0..2000 {
        let (a, b, c) = (F7to12::random(&mut rng), F7to12::random(&mut rng), F7to12::random(&mut rng));
        assert_eq!((a * b) * c, a * (b * c));
        assert_eq!(a * (b + c), a * b + a * c);
        assert_eq!(a.square(), a * a);
        assert_eq!(a.mul_by_root(), a * F7to12::new(F7to6::ZERO, F7to6::ONE));
        let inverse = a.invert().expect("the tower is a field, and zero is not drawn in 7^12");
        assert_eq!(a * inverse, F7to12::ONE);
        assert_eq!(a.pow_vartime(&order), F7to12::ONE);
    }
    // w lies in no proper subfield.
    let w = F7to12::new(F7to6::ZERO, F7to6::ONE);
    for d in [1u32, 2, 3, 4, 6] {
        assert_ne!(w.pow_vartime(&[7u64.pow(d)]), w, "w lies in the subfield of degree {d}");
    }
}

/// The lazily reduced product equals the schoolbook one, also where the promise is too large to be used.
fn quadratic<F: PrimeField, const N: u64>() {
    let values: Vec<F> = operands::<F>(6, 2).iter().step_by(3).map(element).collect();
    let n = F::from(N);
    let pairs: Vec<(F, F)> = values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))).collect();
    for (k, (a0, a1)) in pairs.iter().enumerate() {
        // Every pair against a window of pairs that moves with it, and against itself.
        for (b0, b1) in pairs.iter().cycle().skip(7 * k % pairs.len()).take(17).chain([&(*a0, *a1)]) {
            let lazy = Quad::<F, Minus<N, true>>::new(*a0, *a1) * Quad::new(*b0, *b1);
            let plain = Quad::<F, Minus<N, false>>::new(*a0, *a1) * Quad::new(*b0, *b1);
            let want = [*a0 * *b0 - n * *a1 * *b1, *a0 * *b1 + *a1 * *b0];
            assert_eq!([lazy.c0, lazy.c1], want, "({a0}, {a1})·({b0}, {b1})");
            assert_eq!([plain.c0, plain.c1], want);
        }
        let square = Quad::<F, Minus<N, true>>::new(*a0, *a1).square();
        assert_eq!([square.c0, square.c1], [a0.square() - n * a1.square(), (*a0 * *a1).double()]);
    }
}

#[test]
fn quadratic_products() {
    quadratic::<F7, 1>();
    quadratic::<F61, 1>();
    quadratic::<F61, 7>();
    quadratic::<F61, 1_000_000_007>();
    quadratic::<F63, 1>();
    quadratic::<F63, 2>();
    quadratic::<F127, 1>();
    quadratic::<F127, 2>();
    quadratic::<F254, 1>();
    quadratic::<F254, 5>();
    quadratic::<F255, 1>();
    quadratic::<F255, 5>();
    quadratic::<F381, 1>();
    quadratic::<F381, 8>();
    quadratic::<F377, 5>();
    quadratic::<F377, 4_000_000_000>();
}
