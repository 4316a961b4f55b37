//! Laws of rings and fields.

use super::operands::{operands, rng};
use pairwright_field::ct::Choice;
use pairwright_field::{Extension, batch_invert};

/// Triples of every operand with varying partners; all combinations would be too many for towers.
fn triples<T: Copy>(values: &[T]) -> impl Iterator<Item = (T, T, T)> + '_ {
    let n = values.len();
    (0..n).flat_map(move |i| {
        (0..n).step_by(3).map(move |j| (values[i], values[(i + j) % n], values[(i + 7 * j + 1) % n]))
    })
}

/// The laws of a commutative ring with one: associativity, commutativity, distributivity, additive inverses, and that
/// `square`, `double` and the assigning operators equal the operations that they abbreviate.
pub fn ring<F: Extension>() {
    for (a, b, c) in triples(&operands::<F>(12, 1)) {
        assert_eq!((a + b) + c, a + (b + c));
        assert_eq!((a * b) * c, a * (b * c));
        assert_eq!(a + b, b + a);
        assert_eq!(a * b, b * a);
        assert_eq!(a * (b + c), a * b + a * c);
        assert_eq!(a * (b - c), a * b - a * c);
        assert_eq!(a - b, a + -b);
        assert_eq!((a - b) + b, a);
        assert_eq!(-a * b, -(a * b));
        assert_eq!((a + b).square(), a.square() + (a * b).double() + b.square());
        let (mut sum, mut difference, mut product) = (a, a, a);
        sum += b;
        difference -= b;
        product *= b;
        assert_eq!((sum, difference, product), (a + b, a - b, a * b));
    }
    for a in operands::<F>(12, 2) {
        assert_eq!(a + F::ZERO, a);
        assert_eq!(a * F::ONE, a);
        assert_eq!(a * F::ZERO, F::ZERO);
        assert_eq!(a + -a, F::ZERO);
        assert_eq!(-(-a), a);
        assert_eq!(a.square(), a * a);
        assert_eq!(a.double(), a + a);
    }
    assert_ne!(F::ZERO, F::ONE);
    assert_eq!(F::default(), F::ZERO);
}

/// The laws that a field adds to [`ring`]: inverses one by one and in batches, powers, choices, zeroization, random elements.
pub fn field<F: Extension>() {
    let values = operands::<F>(12, 3);
    assert_eq!(F::ZERO.invert(), None);
    assert_eq!(F::ONE.invert(), Some(F::ONE));
    for (k, a) in values.iter().enumerate() {
        let b = values[(k + 11) % values.len()];
        assert_eq!(a.is_zero(), *a == F::ZERO);
        match a.invert() {
            None => assert!(a.is_zero()),
            Some(inverse) => {
                assert_eq!(*a * inverse, F::ONE);
                assert_eq!(inverse.invert(), Some(*a));
                assert_eq!((*a * b).is_zero(), b.is_zero(), "no divisors of zero");
            }
        }
        assert_eq!(F::select(a, &b, Choice::from_bit(0)), *a);
        assert_eq!(F::select(a, &b, Choice::from_bit(1)), b);
        assert_eq!(a.ct_eq(&b).reveal(), *a == b);
        assert!(a.ct_eq(&{ *a }).reveal());
        let mut wiped = *a;
        wiped.zeroize();
        assert_eq!(wiped, F::ZERO);

        assert_eq!(a.pow_vartime(&[]), F::ONE);
        assert_eq!(a.pow_vartime(&[0]), F::ONE);
        assert_eq!(a.pow_vartime(&[1, 0]), *a);
        assert_eq!(a.pow_vartime(&[5]), a.square().square() * *a);
        let (m, n) = (0x1234_5678_9abc_def0, u64::MAX);
        assert_eq!(a.pow_vartime(&[m]).pow_vartime(&[n]), a.pow_vartime(&[n]).pow_vartime(&[m]));
        assert_eq!(a.pow_vartime(&[0, 1]), a.pow_vartime(&[n]) * *a);
    }
    let inverses: Vec<F> = values.iter().map(|x| x.invert().unwrap_or(F::ZERO)).collect();
    for n in [0, 1, 2, values.len()] {
        let mut batch = values[..n].to_vec();
        batch_invert(&mut batch);
        assert_eq!(batch, inverses[..n]);
    }
    let mut rng = rng(4);
    let draws: Vec<F> = (0..16).map(|_| F::random(&mut rng)).collect();
    for (k, a) in draws.iter().enumerate() {
        assert!(!draws[..k].contains(a), "random elements of a large field do not repeat");
    }
}
