//! Operators in lanes against the same one element at a time: the same bits at every size, domain and coset.

use pairwright_cpu::{Ntt, Vectors};
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_device::{Direction, NttOp, VecOp};
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

/// All values at their greatest: sums in lanes reach their bounds.
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

#[test]
fn vectors() {
    fn check<F: PrimeField>(n: usize) {
        let mut values = Values::<F>::new(n as u64);
        let (a, b, c) = (values.take_buf(n), values.take_buf(n), values.take_buf(n));
        let [mut x, mut y] = [a.clone(), a.clone()];
        Vectors::new().mul(&mut x, b.view()).unwrap();
        Vectors::without_lanes().mul(&mut y, b.view()).unwrap();
        assert!(x == y, "{} mul, {n}", F::NAME);
        let [mut x, mut y] = [a.clone(), a];
        Vectors::new().mul_sub(&mut x, b.view(), c.view()).unwrap();
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
