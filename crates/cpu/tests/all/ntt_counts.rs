//! The operation counts in the costs of transforms are the numbers of operations executed.

use crate::tally::{self, Tally};
use pairwright_cpu::Ntt;
use pairwright_curve::bn254::Fr;
use pairwright_device::{Direction, NttOp, OpCount};
use pairwright_field::Field;
use pairwright_poly::{Buf, Domain};

type F = Tally<Fr>;

/// Runs a transform twice, so that its tables exist, and compares the cost of the second run with the counted operations.
fn counted(ntt: &Ntt<F>, run: impl Fn(&Ntt<F>, &mut Buf<F>) -> OpCount, n: usize) -> OpCount {
    let data: Buf<F> = (0..n as u64).map(|i| F::from(i + 5)).collect();
    run(ntt, &mut data.clone());
    let mut again = data.clone();
    tally::reset();
    let ops = run(ntt, &mut again);
    let (products, sums) = tally::read();
    assert_eq!((ops.field_mul, ops.field_add), (products, sums), "2^{}", n.ilog2());
    ops
}

#[test]
fn accounts_are_exact_and_merging_saves_n_products() {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| {
        for log_n in 0..13 {
            let domain = Domain::<F>::new(log_n).unwrap();
            let n = domain.size();
            let ntt = Ntt::<F>::new();
            let shift = F::from(11);
            let transform = |dir, shift: Option<F>| {
                let run = move |ntt: &Ntt<F>, data: &mut Buf<F>| {
                    ntt.ntt(&domain, dir, shift.as_ref(), data).unwrap().1.ops
                };
                counted(&ntt, run, n)
            };
            transform(Direction::Forward, None);
            transform(Direction::Inverse, None);
            let merged = transform(Direction::Forward, Some(shift));

            // The two-pass method: N products by powers of the shift (from a table), then a transform in
            // which every butterfly takes a product, as on the reference board.
            let butterflies = u64::from(log_n) * n as u64 / 2;
            let powers: Vec<F> = (0..n as u64).map(|i| shift.pow_vartime(&[i])).collect();
            let mut data: Buf<F> = (0..n as u64).map(F::from).collect();
            tally::reset();
            data.iter_mut().zip(&powers).for_each(|(x, p)| *x *= *p);
            let two_pass = tally::read().0 + butterflies;
            assert_eq!(two_pass - merged.field_mul, n as u64, "the saving is exactly N products");
            transform(Direction::Inverse, Some(shift));
        }
    });
}

/// `extend` computes the odd shift of its domain, which takes products that are not part of the cost. So the counted operations exceed
/// the cost by the same number for all sizes.
#[test]
fn accounts_of_extensions_grow_as_their_products() {
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_thread.install(|| {
        for log_n in 0..13 {
            let domain = Domain::<F>::new(log_n).unwrap();
            let ntt = Ntt::<F>::new();
            let data: Buf<F> = (0..domain.size() as u64).map(F::from).collect();
            ntt.extend(&domain, &mut data.clone()).unwrap();
            tally::reset();
            domain.odd_shift().unwrap();
            let (shift_products, shift_sums) = tally::read();
            tally::reset();
            let ops = ntt.extend(&domain, &mut data.clone()).unwrap().1.ops;
            let (products, sums) = tally::read();
            assert_eq!(
                (products - shift_products, sums - shift_sums),
                (ops.field_mul, ops.field_add),
                "2^{log_n}"
            );
        }
    });
}
