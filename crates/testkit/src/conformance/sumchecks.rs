//! Cases of sumchecks: rounds of sums of several shapes, and tables with a variable fixed, compared with the reference.

use super::{Values, accept, refuse_leaves, refuse_lengths};
use pairwright_device::{DeviceError, SumcheckOp};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, SumOfProducts, Term};

/// The part of the suite about rounds of sumchecks.
///
/// # Panics
/// As [`super::device`].
pub fn sumchecks<F: PrimeField>(fast: &dyn SumcheckOp<F>, judge: &dyn SumcheckOp<F>) {
    round(fast, judge);
    bind(fast, judge);
    whole(fast, judge);
}

/// Three tables in this number of variables.
fn tables<F: PrimeField>(values: &mut Values<F>, variables: u32) -> [Buf<F>; 3] {
    [(); 3].map(|()| values.take_buf(1 << variables))
}

pub(super) fn round<F: PrimeField>(fast: &dyn SumcheckOp<F>, judge: &dyn SumcheckOp<F>) {
    let term = |c: F, tables: &[usize]| Term { coefficient: c, tables: tables.to_vec() };
    let mut values = Values::<F>::new(31);
    let coefficients = values.take_buf(3);
    let mixed = SumOfProducts {
        terms: vec![
            term(coefficients[0], &[0, 1, 2]),
            term(F::ZERO, &[1]),
            term(coefficients[1], &[]),
            term(-F::ONE, &[2, 2, 2, 0]),
            term(coefficients[2], &[1, 0]),
        ],
    };
    let none = SumOfProducts { terms: Vec::new() };
    for log in [1, 2, 3, 4, 5, 8, 12] {
        let tables = tables(&mut values, log);
        for sum in [&SumOfProducts::product(3), &SumOfProducts::product(1), &mixed, &none] {
            let got = accept("sumcheck_round", fast.round(sum, &tables));
            assert!(got == accept("sumcheck_round", judge.round(sum, &tables)), "a round of {log} variables");
        }
    }
    let sum = SumOfProducts::product(2);
    let uneven = [values.take_buf(8), values.take_buf(4)];
    refuse_lengths(fast.round(&sum, &uneven));
    let missing = fast.round(&sum, &uneven[..1]);
    assert!(matches!(missing, Err(DeviceError::MissingTable { wanted: 2, given: 1, .. })), "a missing table");
    for n in [0, 1, 3] {
        refuse_leaves(fast.round(&sum, &[values.take_buf(n), values.take_buf(n)]), n);
    }
}

pub(super) fn bind<F: PrimeField>(fast: &dyn SumcheckOp<F>, judge: &dyn SumcheckOp<F>) {
    let mut values = Values::<F>::new(32);
    let uniform = values.take_buf(1)[0];
    for log in [1, 2, 3, 4, 5, 8, 12] {
        let tables = tables(&mut values, log);
        for r in [F::ZERO, F::ONE, -F::ONE, uniform] {
            let (mut ours, mut theirs) = (tables.clone(), tables.clone());
            accept("sumcheck_bind", fast.bind(&mut ours, &r));
            accept("sumcheck_bind", judge.bind(&mut theirs, &r));
            assert!(ours == theirs, "{log} variables, the first bound to {r}");
        }
    }
    let mut uneven = [values.take_buf(8), values.take_buf(4)];
    let before = uneven.clone();
    refuse_lengths(fast.bind(&mut uneven, &F::ONE));
    assert!(uneven == before, "refused operands are left alone");
    for n in [0, 1, 3] {
        refuse_leaves(fast.bind(&mut [values.take_buf(n), values.take_buf(n)], &F::ONE), n);
    }
}

/// Alternating rounds and bindings, as a prover runs them; a machine may fuse them. Other calls in between must not change the
/// results: another sum, the same round again, a binding without a round, tables that were kept from before or have changed.
pub(super) fn whole<F: PrimeField>(fast: &dyn SumcheckOp<F>, judge: &dyn SumcheckOp<F>) {
    let term = |c: F, tables: &[usize]| Term { coefficient: c, tables: tables.to_vec() };
    let mut values = Values::<F>::new(33);
    let coefficients = values.take_buf(2);
    let identity = SumOfProducts { terms: vec![term(F::ONE, &[0, 1, 2]), term(-F::ONE, &[0, 1])] };
    let weighted = SumOfProducts { terms: vec![term(coefficients[0], &[0]), term(coefficients[1], &[1, 1])] };
    let log = 9;
    let start = tables(&mut values, log);
    for others in [false, true] {
        let (mut ours, mut theirs) = (start.clone(), start.clone());
        for round in 0..log {
            let mut sums = vec![if round < 5 { &identity } else { &weighted }];
            let kept = ours.clone();
            if others {
                match round {
                    1 => sums = vec![],
                    2 => sums = vec![&identity, &identity],
                    3 => sums = vec![&identity, &weighted],
                    4 => {
                        // A table that the host has written to is a different table.
                        ours[1][0] += F::ONE;
                        theirs[1][0] += F::ONE;
                    }
                    _ => {}
                }
            }
            for sum in sums {
                let got = accept("sumcheck_round", fast.round(sum, &ours));
                assert!(got == accept("sumcheck_round", judge.round(sum, &theirs)), "round {round}");
            }
            let r = values.take_buf(1)[0];
            accept("sumcheck_bind", fast.bind(&mut ours, &r));
            accept("sumcheck_bind", judge.bind(&mut theirs, &r));
            if others && round % 3 == 0 {
                // Tables from before a binding, if they were kept, are unchanged.
                let got = accept("sumcheck_round", fast.round(&weighted, &kept));
                assert!(got == accept("sumcheck_round", judge.round(&weighted, &kept)), "before {round}");
            }
            if others {
                assert!(ours == theirs, "tables after round {round}");
            }
        }
        assert!(ours == theirs, "the values at the point");
    }
}
