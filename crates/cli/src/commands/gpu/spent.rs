//! Times of calls on a CUDA device, their medians, and the bounds of their products.

use crate::failure::Failure;
use pairwright::device::{Cost, DeviceError, Done, OpCount};
use pairwright::field::PrimeField;
use pairwright::gpu::Setup;
use pairwright::gpu::model::slots;
use pairwright::gpu::report::Line;
use pairwright::hash::Digest;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// Runs of which the median is taken.
const RUNS: usize = 5;

/// Elements that a generator draws.
const CHUNK: usize = 1 << 14;

/// Random elements, the same for the same seed.
pub(super) fn random<F: PrimeField>(n: usize, seed: u64) -> Vec<F> {
    let chunks = (0..n.div_ceil(CHUNK)).into_par_iter().flat_map_iter(|chunk| {
        let mut rng = ChaCha20Rng::seed_from_u64(seed << 32 ^ chunk as u64);
        (0..CHUNK.min(n - chunk * CHUNK)).map(move |_| F::random(&mut rng)).collect::<Vec<_>>()
    });
    chunks.collect()
}

/// Slots of the multipliers of a multiprocessor in a clock: a wide product of 32-bit words, of which `gpu rates` measures 32
/// a clock, takes two.
const SLOTS: f64 = 64.0;

/// The time of calls, and of the copies among it; what they computed.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct Spent {
    pub(super) whole: Duration,
    pub(super) copies: Duration,
    pub(super) ops: OpCount,
}

/// Slots of a Montgomery product by rows in a field.
pub(super) fn slots_of<F: PrimeField>() -> f64 {
    slots(F::BYTES)
}

/// The milliseconds that a device's multipliers take for so many slots.
pub(super) fn milliseconds_of(setup: &Setup, slots: f64) -> f64 {
    let facts = setup.gpu.facts();
    slots / (SLOTS * f64::from(facts.multiprocessors) * f64::from(facts.clock_khz))
}

impl Spent {
    pub(super) fn add(&mut self, cost: &Cost) {
        self.whole += Duration::from_secs_f64(cost.time.seconds());
        self.copies += cost.transfer.map_or(Duration::ZERO, |transfer| transfer.time);
        self.ops += cost.ops;
    }
}

/// The median by the time without copies, after a run that does not count. Every run returns what it spent.
pub(super) fn median(mut run: impl FnMut() -> Result<Spent, Failure>) -> Result<Spent, Failure> {
    let mut all = (0..=RUNS).map(|_| run()).collect::<Result<Vec<_>, _>>()?.split_off(1);
    all.sort_by_key(|spent| spent.whole.saturating_sub(spent.copies));
    Ok(all[RUNS / 2])
}

pub(super) fn line(spent: Spent, host: Option<Duration>, units: f64, unit: &str) -> Line {
    let milliseconds = 1e3 * spent.whole.saturating_sub(spent.copies).as_secs_f64();
    Line {
        milliseconds: Some(milliseconds),
        copies: Some(1e3 * spent.copies.as_secs_f64()),
        host: host.map(|host| 1e3 * host.as_secs_f64()),
        ..Line::by_unit(String::new(), unit, 1e6 * milliseconds / units)
    }
}

/// The line with the bound that follows from its products in a field.
pub(super) fn bounded<F: PrimeField>(setup: &Setup, spent: Spent, line: Line) -> Line {
    Line { bound: Some(milliseconds_of(setup, spent.ops.field_mul as f64 * slots_of::<F>())), ..line }
}

/// Refuses a result that is not the host's.
pub(super) fn same<T: PartialEq>(ours: &T, hosts: &T) -> Result<(), Failure> {
    if ours == hosts { Ok(()) } else { Err(Failure::bad("the result is not that of this computer")) }
}

/// Runs and times something on the host.
pub(super) fn timed<T>(work: impl FnOnce() -> Result<T, DeviceError>) -> Result<(T, Duration), Failure> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}

/// An operator on both machines: results compared, both timed.
pub(super) fn both<T: PartialEq>(
    units: usize,
    unit: &str,
    host: impl FnOnce() -> Done<T>,
    board: impl Fn() -> Done<T>,
) -> Result<Line, Failure> {
    let ((expected, _), time) = timed(host)?;
    let spent = median(|| {
        let (found, cost) = board()?;
        same(&found, &expected)?;
        Ok(of(&[cost]))
    })?;
    Ok(line(spent, Some(time), units as f64, unit))
}

pub(super) fn of(costs: &[Cost]) -> Spent {
    let mut spent = Spent::default();
    costs.iter().for_each(|cost| spent.add(cost));
    spent
}

/// A digest that holds its number.
pub(super) fn digest(i: usize) -> Digest {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&(i as u64).to_le_bytes());
    digest
}
