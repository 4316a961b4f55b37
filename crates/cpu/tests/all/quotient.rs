//! Transforms at sizes for which the reference implementation is too slow, and the quotient of a proof computed by two methods.

use pairwright_cpu::Ntt;
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_device::{Direction, NttOp};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain, plain};
use pairwright_testkit::conformance::Values;

/// Evaluates a polynomial at `x` by Horner's rule.
fn value_at<F: PrimeField>(coefficients: &[F], x: F) -> F {
    coefficients.iter().rev().fold(F::ZERO, |acc, c| acc * x + *c)
}

fn large<F: PrimeField>(log_n: u32) {
    let ntt = Ntt::<F>::new();
    let domain = Domain::<F>::new(log_n).unwrap();
    let n = domain.size();
    let coefficients = Values::<F>::new(31).take_buf(n);
    for shift in [None, Some(domain.odd_shift().unwrap()), Some(F::from(7))] {
        let mut data = coefficients.clone();
        ntt.ntt(&domain, Direction::Forward, shift.as_ref(), &mut data).unwrap();
        for i in [0, 1, 2, 12_345, n / 2, n - 1] {
            let x = shift.unwrap_or(F::ONE) * domain.root().pow_vartime(&[i as u64]);
            assert_eq!(data[i], value_at(&coefficients, x), "value {i}");
        }
        ntt.ntt(&domain, Direction::Inverse, shift.as_ref(), &mut data).unwrap();
        assert!(data == coefficients, "there and back");
    }
    let mut data = coefficients.clone();
    ntt.ntt(&domain, Direction::Forward, None, &mut data).unwrap();
    ntt.extend(&domain, &mut data).unwrap();
    for i in [0, 1, n / 3, n - 1] {
        let x = domain.odd_shift().unwrap() * domain.root().pow_vartime(&[i as u64]);
        assert_eq!(data[i], value_at(&coefficients, x), "extended value {i}");
    }
}

/// Computes `(a·b - c) / (X^N - 1)` from values of `a`, `b` and `c = a·b` on the domain, with the coset merged into the
/// twiddles and with separate passes of products as on the reference board, and checks the product with the divisor.
fn quotients<F: PrimeField>(log_n: u32) {
    let ntt = Ntt::<F>::new();
    let domain = Domain::<F>::new(log_n).unwrap();
    let n = domain.size();
    let shift = domain.odd_shift().unwrap();
    let mut values = Values::<F>::new(32);
    let (a, b) = (values.take_buf(n), values.take_buf(n));
    let c: Buf<F> = a.iter().zip(b.iter()).map(|(a, b)| *a * *b).collect();

    let merged = |data: &Buf<F>| {
        let mut data = data.clone();
        ntt.extend(&domain, &mut data).unwrap();
        data
    };
    let two_pass = |data: &Buf<F>| {
        let mut data = data.clone();
        plain::intt(&domain, &mut data);
        plain::coset_ntt(&domain, shift, &mut data);
        data
    };
    // On the odd coset X^N - 1 is -2 everywhere.
    let divisor = (-F::from(2)).invert().unwrap();
    let divide = |[a, b, c]: [Buf<F>; 3]| -> Buf<F> {
        a.iter().zip(b.iter()).zip(c.iter()).map(|((a, b), c)| (*a * *b - *c) * divisor).collect()
    };
    let mut fast = divide([&a, &b, &c].map(merged));
    ntt.ntt(&domain, Direction::Inverse, Some(&shift), &mut fast).unwrap();
    let mut slow = divide([&a, &b, &c].map(two_pass));
    plain::coset_intt(&domain, shift, &mut slow);
    assert!(fast == slow, "the same quotient of degree below {n}");
    assert!(fast.iter().any(|x| !x.is_zero()) && fast[n - 1].is_zero(), "of degree n - 2");

    let [a, b, c] = [a, b, c].map(|mut data| {
        plain::intt(&domain, &mut data);
        data
    });
    let x = values.next().unwrap();
    let vanishing = x.pow_vartime(&[n as u64]) - F::ONE;
    assert_eq!(value_at(&a, x) * value_at(&b, x) - value_at(&c, x), value_at(&fast, x) * vanishing);
}

fn on_threads(work: impl Fn() + Sync) {
    for threads in [1, 4] {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&work);
    }
}

macro_rules! per_field {
    ($($name:ident: $field:ty),+) => {$(
        mod $name {
            use super::*;
            #[test]
            fn large_transforms() { on_threads(|| { large::<$field>(16); large::<$field>(17) }); }
            #[test]
            fn both_quotients_are_one_polynomial() {
                on_threads(|| [3, 10, 13, 14].into_iter().for_each(quotients::<$field>));
            }
        }
    )+};
}
per_field!(bls12_381_fr: bls12_381::Fr, bn254_fr: bn254::Fr, bls12_377_fr: bls12_377::Fr);
