//! Searches for the fastest shapes of kernels by measurement; the results are rows of a [`Table`](crate::table::Table).

use crate::bench::Subject;
use crate::error::GpuError;
use crate::family::{FieldTuning, KernelTarget};
use crate::table::{FieldRow, NttRow, VecRow};
use crate::workshop::Setup;
use num_bigint::BigUint;
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::blas::{BlasOp, BlasTuning};
use pairwright_moma::program::ntt::{Tuning, Unrolling};
use std::time::Instant;

/// Relative gains below this fraction are considered noise.
const GAIN: f64 = 0.01;

/// The shapes of transforms that differ from this one in one parameter by one step, with or without clusters of blocks.
pub fn neighbours(tuning: &Tuning, clusters: bool) -> Vec<Tuning> {
    let mut list = Vec::new();
    let most_cluster = if clusters { 3 } else { 0 };
    let mut vary = |change: fn(&mut Tuning, u32), value: u32, least: u32, most: u32| {
        for next in [value.wrapping_sub(1), value + 1] {
            if (least..=most).contains(&next) {
                let mut other = *tuning;
                change(&mut other, next);
                list.push(other);
            }
        }
    };
    vary(|t, n| t.log_radix = n, tuning.log_radix, 4, 13);
    vary(|t, n| t.log_columns = n, tuning.log_columns, 0, 5);
    vary(|t, n| t.log_held = n, tuning.log_held, 1, 4);
    vary(|t, n| t.log_threads = n, tuning.log_threads, 5, 10);
    vary(|t, n| t.log_cluster = n, tuning.log_cluster, 0, most_cluster);
    vary(|t, n| t.log_spread = n, tuning.log_spread, 0, most_cluster);
    vary(|t, n| t.log_one_pass = n, tuning.log_one_pass, 8, 14);
    vary(|t, n| t.resident = n, tuning.resident, 1, 4);
    let others = Unrolling::ALL.into_iter().filter(|unrolling| *unrolling != tuning.unrolling);
    list.extend(others.map(|unrolling| Tuning { unrolling, ..*tuning }));
    list
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Search<C> {
    /// The best choice.
    pub best: C,
    /// The measure of the best choice, such as its time.
    pub cost: f64,
    /// All choices that could be measured, with their measures, in the order of measurement.
    pub tried: Vec<(C, f64)>,
}

/// A local search from `start`: measures all neighbours of the best choice so far and moves to the best of them, until
/// none is better by more than `gain` (a fraction: 0.01 ignores differences below the accuracy of a measurement).
/// Choices that cannot be measured (that do not compile, do not fit or give a wrong result) are skipped; nothing is
/// measured twice. When `more` returns false, nothing more is measured, and the best choice so far is the result.
///
/// # Errors
/// The error of measuring `start`.
pub fn descend<C: Clone + PartialEq, E>(
    start: C,
    neighbours: impl Fn(&C) -> Vec<C>,
    mut measure: impl FnMut(&C) -> Result<f64, E>,
    gain: f64,
    more: impl Fn() -> bool,
) -> Result<Search<C>, E> {
    let cost = measure(&start)?;
    let mut failed: Vec<C> = Vec::new();
    let mut search = Search { best: start.clone(), cost, tried: vec![(start, cost)] };
    loop {
        let here = search.best.clone();
        for choice in neighbours(&here) {
            let known = failed.contains(&choice) || search.tried.iter().any(|(tried, _)| *tried == choice);
            if known || !more() {
                continue;
            }
            match measure(&choice) {
                Ok(cost) => search.tried.push((choice, cost)),
                Err(_) => failed.push(choice),
            }
        }
        let least = search.tried.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        match least {
            Some((choice, cost)) if *cost < search.cost * (1.0 - gain) => {
                (search.best, search.cost) = (choice.clone(), *cost);
                if !more() {
                    return Ok(search);
                }
            }
            _ => return Ok(search),
        }
    }
}

/// Searches for the fastest shape of `batch` transforms of `2^log_n` elements, from the default on and until `end`;
/// returns the row for the table and everything that was measured. Shapes with wrong results count as failed. The
/// kernels of all neighbours of a shape are compiled on all threads before the first one is measured.
///
/// # Errors
/// Those of [`Subject::transform`] for the default shape.
pub fn search_transform(
    subject: &Subject,
    log_n: u32,
    batch: u32,
    end: Instant,
) -> Result<(NttRow, Search<Tuning>), GpuError> {
    let element = subject.element();
    let batched = batch > 1;
    let start = if batched { Tuning::for_element(element) } else { Tuning::for_latency(element, log_n) };
    let facts = subject.gpu().facts();
    let start = facts.fit(start);
    let mut transforms = subject.transforms(u64::from(batch) << log_n)?;
    let measure = |tuning: &Tuning| transforms.measure(log_n, tuning).map(|found| found.nanoseconds);
    let more = || Instant::now() < end;
    let around = |tuning: &Tuning| {
        let shapes = neighbours(tuning, facts.has_clusters());
        if more() {
            subject.compile_transforms(log_n, &shapes);
        }
        shapes
    };
    let found = descend(start, around, measure, GAIN, more)?;
    let bits = subject.bits();
    let row = NttRow { bits, log_n, batched, nanoseconds: found.cost, tuning: found.best };
    Ok((row, found))
}

/// Searches for the fastest shape of the vector product on `n` elements.
///
/// # Errors
/// Those of [`Subject::vector`] for the default shape.
pub fn search_vector(subject: &Subject, n: u32) -> Result<(VecRow, Search<BlasTuning>), GpuError> {
    let around = |tuning: &BlasTuning| {
        let BlasTuning { threads, per_thread } = *tuning;
        [
            (threads * 2, per_thread),
            (threads / 2, per_thread),
            (threads, per_thread * 2),
            (threads, per_thread / 2),
        ]
        .into_iter()
        .filter(|(threads, per_thread)| (32..=1024).contains(threads) && (1..=8).contains(per_thread))
        .map(|(threads, per_thread)| BlasTuning { threads, per_thread })
        .collect()
    };
    let measure =
        |tuning: &BlasTuning| subject.vector(BlasOp::Vmul, n, *tuning).map(|found| found.nanoseconds);
    let found = descend(BlasTuning::for_element(subject.element()), around, measure, GAIN, || true)?;
    let BlasTuning { threads, per_thread } = found.best;
    Ok((VecRow { bits: subject.bits(), threads, per_thread, nanoseconds: found.cost }, found))
}

/// Measures the product in registers for every word size and up to two levels of Karatsuba's rule, with the given
/// reduction, in loops of `rounds` rounds. Returns the rows, the fastest first.
///
/// # Errors
/// Those of [`Subject::products`] if none can be measured.
pub fn search_field(
    setup: &Setup,
    modulus: &BigUint,
    reduction: Reduction,
    rounds: u32,
) -> Result<Vec<FieldRow>, GpuError> {
    let mut rows = Vec::new();
    let mut failure = None;
    for target in [KernelTarget::Cuda32, KernelTarget::Cuda64, KernelTarget::CudaF64] {
        for karatsuba in 0..=2 {
            let tuning = FieldTuning { target, karatsuba };
            let measured = Subject::new(setup.clone(), modulus, reduction, tuning)
                .and_then(|subject| Ok((subject.bits(), subject.products(1, rounds)?.nanoseconds)));
            match measured {
                Ok((bits, nanoseconds)) => rows.push(FieldRow { bits, tuning, nanoseconds }),
                Err(error) => failure = Some(error),
            }
        }
    }
    rows.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    match failure {
        Some(error) if rows.is_empty() => Err(error),
        _ => Ok(rows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_moma::program::Element;

    #[test]
    fn descending_finds_the_bottom_around_what_fails() {
        // A bowl with its bottom at (7, 3), and a wall through it that cannot be measured.
        let around =
            |c: &(i32, i32)| [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(x, y)| (c.0 + x, c.1 + y)).to_vec();
        let mut calls = 0;
        let found = descend(
            (0, 0),
            around,
            |c: &(i32, i32)| {
                calls += 1;
                let cost = f64::from((c.0 - 7).pow(2) + (c.1 - 3).pow(2)) + 1.0;
                if c.0 == 3 && c.1 < 2 { Err("a wall") } else { Ok(cost) }
            },
            0.0,
            || true,
        )
        .unwrap();
        assert_eq!((found.best, found.cost), ((7, 3), 1.0));
        assert!(found.tried.len() < calls, "the wall was met");
        assert_eq!(descend((3, 0), around, |_| Err::<f64, _>("all fails"), 0.0, || true), Err("all fails"));
    }

    #[test]
    fn without_time_the_best_so_far_is_the_result() {
        let left = core::cell::Cell::new(6);
        let around = |at: &i32| vec![at - 1, at + 1];
        let measure = |at: &i32| {
            left.set(left.get() - 1);
            Ok::<_, ()>(f64::from((at - 100).pow(2)) + 1.0)
        };
        let found = descend(0, around, measure, 0.0, || left.get() > 0).unwrap();
        assert!((1..100).contains(&found.best) && left.get() == 0, "{found:?}");
        assert_eq!(found.tried.len(), 6);
    }

    #[test]
    fn neighbours_are_one_step_away_and_plan() {
        let element = Element { word_bits: 32, words: 8 };
        let base = Tuning::for_element(element);
        let list = neighbours(&base, true);
        assert!(list.len() > 10 && !list.contains(&base));
        let clustered = |tuning: &Tuning| tuning.log_cluster + tuning.log_spread > 0;
        assert!(list.iter().any(clustered));
        let without = neighbours(&Tuning { log_cluster: 0, ..base }, false);
        assert!(without.len() > 10 && !without.iter().any(clustered));
        for tuning in list {
            let plan = pairwright_moma::program::ntt::NttPlan::choose(element, 20, &tuning).unwrap();
            assert_eq!(plan.passes.iter().map(|pass| pass.log_radix).sum::<u32>(), 20);
        }
    }
}
