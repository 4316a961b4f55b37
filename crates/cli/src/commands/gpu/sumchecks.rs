//! Measurements of a sumcheck and its parts on a CUDA device and on this computer, and the search for the smallest number of pairs
//! for which a round is faster on the device.

use super::spent::{Spent, bounded, line, median, random, same};
use crate::failure::Failure;
use pairwright::Boards;
use pairwright::device::{Cost, Device, DeviceError, SumcheckOp};
use pairwright::field::{Field, PrimeField};
use pairwright::gpu::report::Line;
use pairwright::gpu::table::SumcheckRow;
use pairwright::gpu::{Setup, Sumcheck, Workshop};
use pairwright::poly::{Buf, SumOfProducts, Term};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// log2 of the size of the tables with which the number of pairs is searched, at most.
const SEARCHED: u32 = 16;

/// The sum of products `e (a b - c)` over the tables e, a, b, c.
pub(super) fn identity<F: PrimeField>() -> SumOfProducts<F> {
    let term = |coefficient, tables: &[usize]| Term { coefficient, tables: tables.to_vec() };
    SumOfProducts { terms: vec![term(F::ONE, &[0, 1, 2]), term(-F::ONE, &[0, 3])] }
}

/// The rounds' results of a whole sumcheck, and its times.
struct Whole<F> {
    rounds: Vec<Vec<F>>,
    spent: Spent,
    /// The time of each part, by its name and the machine that it ran on.
    parts: BTreeMap<String, Spent>,
}

/// All rounds over four tables, with the same challenge in every round.
fn whole<E: Boards>(
    on: &dyn SumcheckOp<E::Fr>,
    device: &Device<E>,
    values: &[Vec<E::Fr>],
) -> Result<Whole<E::Fr>, DeviceError> {
    let sum = identity();
    let challenge = E::Fr::from(0x1234_5678_9abc_def1);
    let mut tables: Vec<Buf<E::Fr>> = values.iter().map(|table| Buf::from(table.clone())).collect();
    // Scaling by one has the device hold the tables as another operator's results, as in a proof.
    tables.iter_mut().try_for_each(|table| device.poly.scale(table, &E::Fr::ONE).map(|_| ()))?;
    let mut all = Whole { rounds: Vec::new(), spent: Spent::default(), parts: BTreeMap::new() };
    while tables[0].len() > 1 {
        let mut enter = |what: &str, cost: &Cost| {
            all.spent.add(cost);
            all.parts.entry(format!("{what} on {}", cost.machine)).or_default().add(cost);
        };
        let (round, cost) = on.round(&sum, &tables)?;
        enter("rounds", &cost);
        let ((), cost) = on.bind(&mut tables, &challenge)?;
        enter("bindings", &cost);
        all.rounds.push(round);
    }
    Ok(all)
}

fn tables<F: PrimeField>(log_n: u32) -> Vec<Vec<F>> {
    (0..4).map(|seed| random(1 << log_n, 10 + seed)).collect()
}

/// Lines for the whole sumcheck; for its rounds and bindings by the machine that they ran on, in the median run; and for its kernels
/// alone, timed by events on the device. A binding also launches the next round, and does not wait for it.
pub(super) fn lines<E: Boards>(
    setup: &Setup,
    board: &Device<E>,
    host: &Device<E>,
    name: &str,
    log_n: u32,
) -> Result<Vec<Line>, Failure> {
    let values = tables::<E::Fr>(log_n);
    let rows = (1u64 << log_n) as f64;
    let hosts = whole(&*host.sumcheck, host, &values)?;
    let mut runs: Vec<(Spent, BTreeMap<String, Spent>)> = Vec::new();
    let spent = median(|| {
        let found = whole(&*board.sumcheck, board, &values)?;
        same(&found.rounds, &hosts.rounds)?;
        runs.push((found.spent, found.parts));
        Ok(found.spent)
    })?;
    let what = format!("{name} sumcheck, e (a b - c)");
    let named = |part: &str, line: Line| Line {
        what: if part.is_empty() { what.clone() } else { format!("{what}: {part}") },
        log_size: Some(log_n),
        ..line
    };
    let on_host = Some(hosts.spent.whole);
    let mut lines = vec![named("", bounded::<E::Fr>(setup, spent, line(spent, on_host, rows, "row")))];
    let parts = runs.into_iter().find(|(of, _)| *of == spent).map(|(_, parts)| parts).unwrap_or_default();
    lines.extend(parts.into_iter().map(|(part, spent)| named(&part, line(spent, None, rows, "row"))));

    let workshop = Arc::new(Workshop::<E::Fr>::new(setup.clone())?);
    let times = Sumcheck::new(workshop, Arc::clone(&host.sumcheck)).kernel_times(&identity(), log_n)?;
    let kernels = |of: &[(usize, Duration)]| {
        let whole = of.iter().map(|(_, time)| *time).sum();
        line(Spent { whole, ..Spent::default() }, None, rows, "row")
    };
    // For small tables all rounds run on the host.
    if !times.is_empty() {
        lines.push(named(&format!("kernels of {} rounds", times.len()), kernels(&times)));
    }
    let few = &times[times.len().min(1)..];
    let few = &few[few.partition_point(|(pairs, _)| *pairs > 1 << 14)..];
    if !few.is_empty() {
        let what = format!("kernels of the last {} rounds of these", few.len());
        lines.push(named(&what, kernels(few)));
    }
    Ok(lines)
}

/// The smallest number of pairs for which a round is faster on the device, for the scalar field of a curve; `None` if the field has
/// another width.
pub(super) fn least_pairs<E: Boards>(
    setup: &Setup,
    bits: u32,
    most: u32,
) -> Result<Option<SumcheckRow>, Failure> {
    if <E::Fr as PrimeField>::BITS != bits {
        return Ok(None);
    }
    let host = E::host();
    let board = pairwright::gpu::board::<E>(setup.clone(), E::host())?;
    let values = tables::<E::Fr>(SEARCHED.min(most));
    let expected = whole(&*host.sumcheck, &host, &values)?.rounds;
    let workshop = Arc::new(Workshop::<E::Fr>::new(setup.clone())?);
    let mut best: Option<SumcheckRow> = None;
    for least in (5..=12).map(|log| 1 << log).take(1 + SEARCHED.min(most) as usize / 2) {
        let on = Sumcheck::new(Arc::clone(&workshop), Arc::clone(&host.sumcheck)).with_least(least);
        let spent = median(|| {
            let found = whole(&on, &board, &values)?;
            same(&found.rounds, &expected)?;
            Ok(found.spent)
        })?;
        let nanoseconds = 1e9 * spent.whole.as_secs_f64();
        if best.is_none_or(|best| nanoseconds < best.nanoseconds) {
            best = Some(SumcheckRow { bits, least, nanoseconds });
        }
    }
    Ok(best)
}
