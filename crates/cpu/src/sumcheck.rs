//! The rounds of a sumcheck on all cores.

use crate::{NAME, bytes_of};
use pairwright_device::{Done, OpCount, SumcheckOp, Traffic, sumcheck_len, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, SumOfProducts};
use rayon::prelude::*;

/// Pairs of corners in one task of a round.
const PAIRS: usize = 1 << 10;
/// Values of a table in one task of a binding, at least.
const VALUES: usize = 1 << 11;

/// The sumcheck rounds of the host device. Sums are exact, so that the bits depend on no order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sumchecks;

/// The sums over the pairs `at`, `at + 1`, … of every term at 0, 1, … up to the degree, without coefficients: term by
/// term.
fn sums<F: PrimeField>(sum: &SumOfProducts<F>, tables: &[Buf<F>], pairs: core::ops::Range<usize>) -> Vec<F> {
    let points = sum.degree() + 1;
    let mut sums = vec![F::ZERO; sum.terms.len() * points];
    // The values of every table at all points of the pair.
    let mut values = vec![F::ZERO; tables.len() * points];
    for i in pairs {
        for (table, values) in tables.iter().zip(values.chunks_exact_mut(points)) {
            let step = table[2 * i + 1] - table[2 * i];
            values[0] = table[2 * i];
            for t in 1..points {
                values[t] = values[t - 1] + step;
            }
        }
        for (term, sums) in sum.terms.iter().zip(sums.chunks_exact_mut(points)) {
            for (t, sum) in sums.iter_mut().enumerate() {
                let mut factors = term.tables.iter().map(|k| values[k * points + t]);
                let first = factors.next().unwrap_or(F::ONE);
                *sum += factors.fold(first, |product, factor| product * factor);
            }
        }
    }
    sums
}

/// The operations of [`sums`] over so many pairs in so many tasks, of adding the tasks up and of the coefficients.
fn round_ops<F: PrimeField>(sum: &SumOfProducts<F>, pairs: usize, tasks: usize) -> OpCount {
    let (points, terms) = (sum.degree() + 1, sum.terms.len());
    let products: usize = sum.terms.iter().map(|term| term.tables.len().saturating_sub(1)).sum();
    OpCount {
        field_mul: (points * (pairs * products + terms)) as u64,
        field_add: (points * (pairs * (sum.tables() + terms) + (tasks + 1) * terms)) as u64,
        point_add: 0,
    }
}

/// Fixes the first variable of a table in place: every part of it by a task of its own, to its own beginning, from where
/// the results move together.
fn bind<F: PrimeField>(values: &mut Vec<F>, r: F) {
    let most = (values.len() / VALUES).max(1);
    let parts = rayon::current_num_threads().next_power_of_two().min(most);
    let part = values.len() / parts;
    let halve = |part: &mut [F]| {
        for i in 0..part.len() / 2 {
            part[i] = part[2 * i] + r * (part[2 * i + 1] - part[2 * i]);
        }
    };
    values.par_chunks_mut(part).for_each(halve);
    for p in 1..parts {
        values.copy_within(p * part..p * part + part / 2, p * part / 2);
    }
    values.truncate(values.len() / 2);
}

impl<F: PrimeField> SumcheckOp<F> for Sumchecks {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        let len = sumcheck_len("sumcheck_round", sum.tables(), tables)?;
        let tables = &tables[..sum.tables()];
        let points = sum.degree() + 1;
        let bytes = Traffic { read: bytes_of::<F>(len * tables.len()), written: bytes_of::<F>(points) };
        let (pairs, tasks) = (len / 2, (len / 2).div_ceil(PAIRS));
        Ok(timed(NAME, bytes, round_ops(sum, pairs, tasks), || {
            let task = |task: usize| sums(sum, tables, task * PAIRS..pairs.min((task + 1) * PAIRS));
            let partial: Vec<Vec<F>> = (0..tasks).into_par_iter().map(task).collect();
            let mut total = vec![F::ZERO; points];
            for (at, term) in sum.terms.iter().enumerate() {
                for (t, total) in total.iter_mut().enumerate() {
                    let sum = partial.iter().fold(F::ZERO, |sum, of| sum + of[at * points + t]);
                    *total += term.coefficient * sum;
                }
            }
            total
        }))
    }
    fn bind(&self, tables: &mut [Buf<F>], r: &F) -> Done<()> {
        let len = sumcheck_len("sumcheck_bind", 0, tables)?;
        let nodes = len / 2 * tables.len();
        let bytes = Traffic { read: bytes_of::<F>(2 * nodes), written: bytes_of::<F>(nodes) };
        let ops = OpCount { field_mul: nodes as u64, field_add: 2 * nodes as u64, point_add: 0 };
        Ok(timed(NAME, bytes, ops, || {
            tables.par_iter_mut().for_each(|table| {
                let mut values = core::mem::take(table).into_vec();
                bind(&mut values, *r);
                *table = values.into();
            });
        }))
    }
}
