//! The prover's rounds of a sumcheck on all cores.

use crate::lanes::sumcheck::RoundsInLanes;
use crate::lanes::tree::Nodes;
use crate::vec::Vectors;
use crate::{NAME, bytes_of};
use core::ops::Range;
use pairwright_device::{Done, OpCount, SumcheckOp, Traffic, parallel, sumcheck_len, timed};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, SumOfProducts};

/// Number of pairs of corners in one task of a round.
const PAIRS: usize = 1 << 10;
/// Smallest number of table values in one task of a binding.
const VALUES: usize = 1 << 11;
/// Number of values of all tables up to which one thread binds them, since waking other threads takes longer: about 40 µs.
const FEW_VALUES: usize = 1 << 14;

/// A round over tables of equal length, with the terms that have tables; coefficients are applied later.
struct SumcheckRound<'a, F> {
    terms: Vec<&'a [usize]>,
    tables: Vec<&'a [F]>,
    points: usize,
    lanes: Option<RoundsInLanes<F>>,
}

impl<F: PrimeField> SumcheckRound<'_, F> {
    /// The sums over these pairs: for each term, the values at 0, 1, ….
    fn sums(&self, pairs: Range<usize>) -> Vec<F> {
        let Some(lanes) = self.lanes else { return self.plain(pairs) };
        let tables: Vec<&[F]> = self.tables.iter().map(|t| &t[2 * pairs.start..2 * pairs.end]).collect();
        let (mut sums, done) = lanes.sums(&self.terms, &tables, self.points);
        if done < pairs.len() {
            let rest = self.plain(pairs.start + done..pairs.end);
            sums.iter_mut().zip(rest).for_each(|(sum, x)| *sum += x);
        }
        sums
    }

    fn plain(&self, pairs: Range<usize>) -> Vec<F> {
        let points = self.points;
        let mut sums = vec![F::ZERO; self.terms.len() * points];
        // The values of every table at all points of a pair.
        let mut values = vec![F::ZERO; self.tables.len() * points];
        for i in pairs {
            for (table, values) in self.tables.iter().zip(values.chunks_exact_mut(points)) {
                let step = table[2 * i + 1] - table[2 * i];
                values[0] = table[2 * i];
                for t in 1..points {
                    values[t] = values[t - 1] + step;
                }
            }
            for (term, sums) in self.terms.iter().zip(sums.chunks_exact_mut(points)) {
                for (t, sum) in sums.iter_mut().enumerate() {
                    let first = values[term[0] * points + t];
                    *sum += term[1..].iter().fold(first, |product, k| product * values[k * points + t]);
                }
            }
        }
        sums
    }

    /// The operations of the round over this number of pairs.
    fn ops(&self, pairs: usize) -> OpCount {
        let products: usize = self.terms.iter().map(|term| term.len() - 1).sum();
        OpCount {
            field_mul: (self.points * pairs * products) as u64,
            field_add: (self.points * pairs * (self.tables.len() + self.terms.len())) as u64,
            point_add: 0,
        }
    }
}

/// Fixes the first variable of a table in place: each task halves its part in place, then the results are moved together.
fn bind<F: PrimeField>(values: &mut Vec<F>, r: F, lanes: Option<Nodes<F>>) {
    let most = (values.len() / VALUES).max(1);
    let parts = rayon::current_num_threads().next_power_of_two().min(most);
    let part = values.len() / parts;
    parallel::for_each(values.chunks_mut(part), |_, part| {
        let done = lanes.map_or(0, |lanes| lanes.halve(&lanes.factor(r), part));
        for i in done..part.len() / 2 {
            part[i] = part[2 * i] + r * (part[2 * i + 1] - part[2 * i]);
        }
    });
    for p in 1..parts {
        values.copy_within(p * part..p * part + part / 2, p * part / 2);
    }
    values.truncate(values.len() / 2);
}

impl<F: PrimeField> SumcheckOp<F> for Vectors {
    fn round(&self, sum: &SumOfProducts<F>, tables: &[Buf<F>]) -> Done<Vec<F>> {
        let len = sumcheck_len("sumcheck_round", sum.tables(), tables)?;
        let tables = tables.iter().map(Buf::host).collect::<Result<Vec<_>, _>>()?;
        let points = sum.degree() + 1;
        let round = SumcheckRound {
            terms: sum.terms.iter().map(|t| &t.tables[..]).filter(|t| !t.is_empty()).collect(),
            tables: tables[..sum.tables()].to_vec(),
            points,
            lanes: self.in_lanes(|| RoundsInLanes::new(points)),
        };
        let (pairs, tasks) = (len / 2, (len / 2).div_ceil(PAIRS));
        // The sums of the tasks are added, and every term is multiplied by its coefficient.
        let mut ops = round.ops(pairs);
        ops.field_mul += (points * sum.terms.len()) as u64;
        ops.field_add += (points * (tasks * round.terms.len() + sum.terms.len())) as u64;
        let read = bytes_of::<F>(len * round.tables.len());
        let bytes = Traffic { read, written: bytes_of::<F>(points) };
        Ok(timed(NAME, bytes, ops, || {
            let task = |_, at: usize| round.sums(at * PAIRS..pairs.min((at + 1) * PAIRS));
            let partial: Vec<Vec<F>> = parallel::map(0..tasks, task);
            let (mut total, mut at) = (vec![F::ZERO; points], 0);
            for term in &sum.terms {
                for (t, total) in total.iter_mut().enumerate() {
                    let sum = if term.tables.is_empty() {
                        F::from(pairs as u64)
                    } else {
                        partial.iter().fold(F::ZERO, |sum, of| sum + of[at + t])
                    };
                    *total += term.coefficient * sum;
                }
                at += if term.tables.is_empty() { 0 } else { points };
            }
            total
        }))
    }
    fn bind(&self, tables: &mut [Buf<F>], r: &F) -> Done<()> {
        let len = sumcheck_len("sumcheck_bind", 0, tables)?;
        tables.iter().try_for_each(|table| table.host().map(drop))?;
        let nodes = len / 2 * tables.len();
        let bytes = Traffic { read: bytes_of::<F>(2 * nodes), written: bytes_of::<F>(nodes) };
        let ops = OpCount { field_mul: nodes as u64, field_add: 2 * nodes as u64, point_add: 0 };
        Ok(timed(NAME, bytes, ops, || {
            let lanes = self.in_lanes(Nodes::new);
            let bind = |table: &mut Buf<F>| {
                let mut values = core::mem::take(table).into_vec();
                bind(&mut values, *r, lanes);
                *table = values.into();
            };
            if 2 * nodes <= FEW_VALUES {
                tables.iter_mut().for_each(bind);
            } else {
                parallel::for_each(tables, |_, table| bind(table));
            }
        }))
    }
}
