//! Times of calls on a CUDA device, their medians, and the lower bounds that follow from their field products.

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

/// Number of runs of which the median is taken.
const RUNS: usize = 5;

/// Number of elements that one generator draws.
const CHUNK: usize = 1 << 14;

/// Random elements, which are determined by the seed.
pub(super) fn random<F: PrimeField>(n: usize, seed: u64) -> Vec<F> {
    let chunks = (0..n.div_ceil(CHUNK)).into_par_iter().flat_map_iter(|chunk| {
        let mut rng = ChaCha20Rng::seed_from_u64(seed << 32 ^ chunk as u64);
        (0..CHUNK.min(n - chunk * CHUNK)).map(move |_| F::random(&mut rng)).collect::<Vec<_>>()
    });
    chunks.collect()
}

/// Multiplier slots of a multiprocessor per clock cycle: a wide product of 32-bit words, of which `gpu rates` measures 32
/// per clock, takes two.
const SLOTS: f64 = 64.0;

/// The time of some calls, the part of it that copies took, and the operations that were counted.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct Spent {
    pub(super) whole: Duration,
    pub(super) copies: Duration,
    pub(super) ops: OpCount,
}

/// Multiplier slots of a row-by-row Montgomery product in a field.
pub(super) fn slots_of<F: PrimeField>() -> f64 {
    slots(F::BYTES)
}

/// The milliseconds that all multipliers of a device take for this many slots.
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

/// The run with the median of the times without copies, of [`RUNS`] runs after a first one that is not counted.
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

/// Adds to a line the lower bound in milliseconds that follows from its number of products in a field.
pub(super) fn bounded<F: PrimeField>(setup: &Setup, spent: Spent, line: Line) -> Line {
    Line { bound: Some(milliseconds_of(setup, spent.ops.field_mul as f64 * slots_of::<F>())), ..line }
}

/// Fails if a result differs from the host's.
pub(super) fn same<T: PartialEq>(ours: &T, hosts: &T) -> Result<(), Failure> {
    if ours == hosts { Ok(()) } else { Err(Failure::bad("the result is not that of this computer")) }
}

/// Runs some work on the host and measures its time.
pub(super) fn timed<T>(work: impl FnOnce() -> Result<T, DeviceError>) -> Result<(T, Duration), Failure> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}

/// Runs an operator on the host and on the device, compares the results, and measures both times.
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

/// A digest whose first bytes are its number.
pub(super) fn digest(i: usize) -> Digest {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&(i as u64).to_le_bytes());
    digest
}
