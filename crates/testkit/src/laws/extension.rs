//! Laws of extensions over the prime field, and of square roots.

use super::operands::{operands, prime_edges};
use pairwright_field::{Extension, Field, PrimeField, Sqrt};

/// Coordinates are linear and determine the element; the prime field is a subfield; the `p`-th power is a homomorphism that
/// fixes exactly the elements of the prime field among the operands, and its `DEGREE`-fold composition is the identity.
pub fn extension<F: Extension>() {
    let values = operands::<F>(6, 5);
    let coords = |x: &F| (0..F::DEGREE).map(|i| x.coord(i)).collect::<Vec<_>>();
    for (k, a) in values.iter().enumerate() {
        let b = values[(k + 4) % values.len()];
        assert_eq!(F::from_coords(&coords(a)), *a);
        let sums: Vec<_> = coords(a).iter().zip(coords(&b)).map(|(x, y)| *x + y).collect();
        assert_eq!(coords(&(*a + b)), sums);
    }
    for x in prime_edges::<F::Prime>() {
        let a = F::from_prime(x);
        assert_eq!(a.coord(0), x);
        assert!((1..F::DEGREE).all(|i| a.coord(i).is_zero()));
        for y in prime_edges::<F::Prime>() {
            assert_eq!(a * F::from_prime(y), F::from_prime(x * y));
        }
    }
    let p = F::Prime::MODULUS;
    let frobenius = |x: &F| x.pow_vartime(p.as_ref());
    // Each takes a long power, so only some of the operands are used.
    let few: Vec<F> = values.iter().rev().step_by(5).copied().collect();
    for (k, a) in few.iter().enumerate() {
        let b = few[(k + 1) % few.len()];
        let fa = frobenius(a);
        assert_eq!(frobenius(&(*a + b)), fa + frobenius(&b));
        assert_eq!(frobenius(&(*a * b)), fa * frobenius(&b));
        assert_eq!(fa == *a, *a == F::from_prime(a.coord(0)));
        let back = (1..F::DEGREE).fold(fa, |x, _| frobenius(&x));
        assert_eq!(back, *a);
    }
}

/// Squares have square roots, about half of the elements do, and the square of a root is the element.
pub fn square_root<F: Sqrt + Extension>() {
    let (mut some, mut none) = (0, 0);
    for a in operands::<F>(40, 6) {
        match a.sqrt_vartime() {
            Some(root) => {
                assert_eq!(root.square(), a);
                some += 1;
            }
            None => none += 1,
        }
        let root = a.square().sqrt_vartime().expect("a square has a root");
        assert!(root == a || root == -a);
    }
    assert!(some >= 10 && none >= 10, "{some} squares, {none} others");
}
