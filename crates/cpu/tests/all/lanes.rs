//! Operators in lanes against the same operators without lanes: results have the same bits at every size, domain and coset.

use pairwright_cpu::{Ntt, Vectors};
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_device::{Direction, Done, NttOp, PolyOp, VecOp};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain};
use pairwright_testkit::conformance::Values;

fn transforms<F: PrimeField>(threads: usize, log_sizes: std::ops::RangeInclusive<u32>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (fast, plain) = (Ntt::<F>::new(), Ntt::<F>::without_lanes());
    for log_n in log_sizes {
        let domain = Domain::<F>::new(log_n).unwrap();
        let mut data = Values::<F>::new(7 + u64::from(log_n)).take_buf(domain.size());
        // The greatest limbs that are below the modulus, and the least.
        let mut top = F::MODULUS;
        top.as_mut()[0] -= 1;
        data[0] = F::from_montgomery(top).unwrap();
        data[domain.size() / 2] = data[0];
        data[domain.size() - 1] = F::ZERO;
        let compare = |what: &str, run: &(dyn Fn(&Ntt<F>, &mut Buf<F>) + Sync)| {
            let (mut a, mut b) = (data.clone(), data.clone());
            pool.install(|| run(&fast, &mut a));
            pool.install(|| run(&plain, &mut b));
            assert!(a == b, "{} {what}, 2^{log_n}, {threads} threads", F::NAME);
        };
        for shift in [None, Some(F::from(7))] {
            compare("forward", &|ntt, x| {
                ntt.ntt(&domain, Direction::Forward, shift.as_ref(), x).unwrap();
            });
            compare("inverse", &|ntt, x| {
                ntt.ntt(&domain, Direction::Inverse, shift.as_ref(), x).unwrap();
            });
        }
        compare("extension", &|ntt, x| {
            ntt.extend(&domain, x).unwrap();
        });
    }
}

#[test]
fn transforms_on_one_thread() {
    transforms::<bls12_381::Fr>(1, 0..=15);
    transforms::<bn254::Fr>(1, 5..=13);
    transforms::<bls12_377::Fr>(1, 5..=13);
}

#[test]
fn transforms_on_three_threads() {
    transforms::<bls12_381::Fr>(3, 12..=17);
}

/// Tests the greatest values, with which sums in lanes reach their bounds.
#[test]
fn values_that_grow_most() {
    fn check<F: PrimeField>() {
        let domain = Domain::<F>::new(13).unwrap();
        let mut top = F::MODULUS;
        top.as_mut()[0] -= 1;
        let data: Buf<F> = (0..domain.size()).map(|_| F::from_montgomery(top).unwrap()).collect();
        for dir in [Direction::Forward, Direction::Inverse] {
            let (mut a, mut b) = (data.clone(), data.clone());
            Ntt::<F>::new().ntt(&domain, dir, None, &mut a).unwrap();
            Ntt::<F>::without_lanes().ntt(&domain, dir, None, &mut b).unwrap();
            assert!(a == b, "{}", F::NAME);
        }
    }
    check::<bls12_381::Fr>();
    check::<bn254::Fr>();
    check::<bls12_377::Fr>();
}

/// Operands of every kind: combinations of edge cases, zeros among other values, the greatest limbs below the modulus.
fn operand<F: PrimeField>(values: &mut Values<F>, n: usize, turn: usize) -> Buf<F> {
    let mut top = F::MODULUS;
    top.as_mut()[0] -= 1;
    let top = F::from_montgomery(top).unwrap();
    let edges = [F::ZERO, F::ONE, -F::ONE, F::from(2), -F::from(2), top];
    let mut x = values.take_buf(n);
    for (i, x) in x.iter_mut().enumerate().take(64) {
        *x = edges[i / turn % edges.len()];
    }
    x.iter_mut().skip(70).step_by(29).for_each(|x| *x = F::ZERO);
    x
}

#[test]
fn vectors() {
    fn check<F: PrimeField>(n: usize) {
        let mut values = Values::<F>::new(n as u64);
        let [a, b, c] = [1, 6, 36].map(|turn| operand(&mut values, n, turn));
        let [mut x, mut y] = [a.clone(), a.clone()];
        Vectors::default().mul(&mut x, b.view()).unwrap();
        Vectors::without_lanes().mul(&mut y, b.view()).unwrap();
        assert!(x == y, "{} mul, {n}", F::NAME);
        let [mut x, mut y] = [a.clone(), a];
        Vectors::default().mul_sub(&mut x, b.view(), c.view()).unwrap();
        Vectors::without_lanes().mul_sub(&mut y, b.view(), c.view()).unwrap();
        assert!(x == y, "{} mul_sub, {n}", F::NAME);
    }
    for n in [0, 1, 7, 8, 9, 4095, 4096, 10_001] {
        check::<bls12_381::Fr>(n);
        check::<bn254::Fr>(n);
        check::<bls12_377::Fr>(n);
        check::<bn254::Fq>(n);
    }
}

/// Polynomials whose scans have no, one and several groups of rows, with remaining rows and parts of rows.
#[test]
fn polynomials() {
    fn check<F: PrimeField>(n: usize) {
        let (fast, plain) = (Vectors::default(), Vectors::without_lanes());
        let mut values = Values::<F>::new(n as u64);
        let [a, b] = [1, 6].map(|turn| operand(&mut values, n, turn));
        let compare = |what: &str, run: &dyn Fn(&Vectors, &mut Buf<F>) -> F| {
            let [mut x, mut y] = [a.clone(), a.clone()];
            let (got, want) = (run(&fast, &mut x), run(&plain, &mut y));
            assert!(x == y && got == want, "{} {what}, {n}", F::NAME);
        };
        let done = |run: Done<()>| run.map(|_| F::ZERO).unwrap();
        for k in [F::ZERO, F::ONE, -F::ONE, values.next().unwrap()] {
            compare("scale", &|on, x| done(on.scale(x, &k)));
            compare("axpy", &|on, x| done(on.axpy(x, &k, b.view())));
            compare("evaluate", &|on, x| on.evaluate(x.view(), &k).unwrap().0);
            compare("divide", &|on, x| {
                let ((quotient, value), _) = on.divide(x.view(), &k).unwrap();
                *x = quotient;
                value
            });
            compare("powers", &|on, x| {
                *x = on.powers(&b.first().copied().unwrap_or(k), &k, n).unwrap().0;
                k
            });
        }
        compare("invert", &|on, x| done(on.invert(x)));
        compare("prefix_products", &|on, x| on.prefix_products(x).unwrap().0);
        // Without zeros, so that prefix products do not become zero.
        let full = Values::<F>::new(1).take_buf(n);
        compare("prefix_products", &|on, x| {
            *x = full.clone();
            on.prefix_products(x).unwrap().0
        });
    }
    for n in [0, 1, 7, 8, 31, 32, 33, 4095, 4097, 16_255, 16_256, 16_257, 40_001] {
        check::<bls12_381::Fr>(n);
        check::<bn254::Fr>(n);
        check::<bls12_377::Fr>(n);
    }
    check::<bn254::Fq>(16_257);
}
