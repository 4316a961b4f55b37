//! Searches of the fastest shapes of kernels, for `gpu tune` and for a report.

use super::{batch, subject, sumchecks};
use crate::failure::Failure;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::bn254::Bn254;
use pairwright::gpu::table::Table;
use pairwright::gpu::{Setup, tune};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::primes::ntt_prime;
use std::sync::Arc;
use std::time::Instant;

/// What is searched.
pub(super) struct Searched<'a> {
    /// Widths of the moduli in bits.
    pub(super) bits: &'a [u32],
    /// Sizes of transforms, by their logarithms.
    pub(super) log_sizes: &'a [u32],
    pub(super) reduction: Reduction,
    /// Single transforms alone, and no batches that fill the device.
    pub(super) alone: bool,
    /// log2 of the largest size of whatever else is measured.
    pub(super) most: u32,
    /// When no search of a transform's shape begins any more.
    pub(super) end: Instant,
}

impl Searched<'_> {
    /// Transforms that run together, for a size: one alone, and as many as fill the device.
    fn batches(&self, log_n: u32) -> Vec<u32> {
        let all = [1, batch(log_n)];
        if self.alone || all[1] == 1 { all[..1].to_vec() } else { all.to_vec() }
    }

    /// Number of calls of `step` that a whole search makes.
    pub(super) fn steps(&self) -> usize {
        let transforms: usize = self.log_sizes.iter().map(|log_n| self.batches(*log_n).len()).sum();
        self.bits.len() * (3 + transforms)
    }
}

/// Searches the field functions of each width, the number of pairs from which on rounds of sumchecks are the device's, the shape
/// of vector kernels, and those of transforms. `step` is told what is there after each of these. The second result says whether
/// the time sufficed for all.
pub(super) fn search(
    mut setup: Setup,
    what: &Searched<'_>,
    mut step: impl FnMut(&str, &Table) -> Result<(), Failure>,
) -> Result<(Table, bool), Failure> {
    let mut table = Table { device: setup.gpu.facts().name.clone(), ..Table::default() };
    let mut whole = true;
    for &bits in what.bits {
        let most = what.log_sizes.iter().copied().max().unwrap_or(0);
        // Short loops on small sizes: they are for tests.
        let rows =
            tune::search_field(&setup, &ntt_prime(bits, most)?, what.reduction, 1 << what.most.min(8))?;
        table.field.extend(rows.first().copied());
        // What follows uses the field functions that won.
        setup.table = Arc::new(table.clone());
        step("field functions", &table)?;
        table.sumcheck.extend(sumchecks::least_pairs::<Bn254>(&setup, bits, what.most)?);
        table.sumcheck.extend(sumchecks::least_pairs::<Bls12_381>(&setup, bits, what.most)?);
        step("rounds of sumchecks", &table)?;
        let subject = subject(&setup, what.reduction, bits, most)?;
        table.vec.push(tune::search_vector(&subject, 1 << what.most.min(22))?.0);
        step("vectors", &table)?;
        for &log_n in what.log_sizes {
            for batch in what.batches(log_n) {
                if Instant::now() < what.end {
                    table.ntt.push(tune::search_transform(&subject, log_n, batch, what.end)?.0);
                } else {
                    whole = false;
                }
                step(&format!("{batch} transforms of 2^{log_n}"), &table)?;
            }
        }
    }
    Ok((table, whole))
}
