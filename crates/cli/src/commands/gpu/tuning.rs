//! Searches for the fastest shapes of kernels, for `gpu tune` and for reports.

use super::{batch, halvings, subject, sumchecks};
use crate::failure::Failure;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::bn254::Bn254;
use pairwright::gpu::table::Table;
use pairwright::gpu::{Setup, tune};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::primes::ntt_prime;
use std::sync::Arc;
use std::time::Instant;

/// The kernels whose shapes are searched, and the end of the search.
pub(super) struct Searched<'a> {
    /// Widths of the moduli in bits.
    pub(super) bits: &'a [u32],
    /// log2 of the sizes of transforms.
    pub(super) log_sizes: &'a [u32],
    pub(super) reduction: Reduction,
    /// Whether only single transforms are tuned, and no batches that fill the device.
    pub(super) alone: bool,
    /// log2 of the largest size of all other measurements.
    pub(super) most: u32,
    /// The time after which no search for a transform's shape begins.
    pub(super) end: Instant,
}

impl Searched<'_> {
    /// The batch sizes that are tuned for a size of transforms: one transform, and as many as fill the device.
    fn batches(&self, log_n: u32) -> Vec<u32> {
        let all = [1, batch(log_n)];
        if self.alone || all[1] == 1 { all[..1].to_vec() } else { all.to_vec() }
    }

    /// Number of calls of `step` that a whole search makes.
    pub(super) fn steps(&self) -> usize {
        let transforms: usize = self.log_sizes.iter().map(|log_n| self.batches(*log_n).len()).sum();
        self.bits.len() * (4 + transforms)
    }
}

/// Searches for the fastest field functions of each width, the number of pairs from which rounds of sumchecks run on the device, the
/// number of scalars from which lists of points are halved, and the shapes of the vector kernels and of the transforms. `step` gets
/// the table after each of these. The second result says whether the time was enough for all.
pub(super) fn search(
    mut setup: Setup,
    what: &Searched<'_>,
    mut step: impl FnMut(&str, &Table) -> Result<(), Failure>,
) -> Result<(Table, bool), Failure> {
    let mut table = Table { device: setup.gpu.facts().name.clone(), ..Table::default() };
    let mut whole = true;
    for &bits in what.bits {
        let most = what.log_sizes.iter().copied().max().unwrap_or(0);
        // For small sizes, which tests use, the loops are short.
        let rows =
            tune::search_field(&setup, &ntt_prime(bits, most)?, what.reduction, 1 << what.most.min(8))?;
        table.field.extend(rows.first().copied());
        // The following searches use the fastest field functions.
        setup.table = Arc::new(table.clone());
        step("field functions", &table)?;
        table.sumcheck.extend(sumchecks::least_pairs::<Bn254>(&setup, bits, what.most)?);
        table.sumcheck.extend(sumchecks::least_pairs::<Bls12_381>(&setup, bits, what.most)?);
        step("rounds of sumchecks", &table)?;
        table.msm.extend(halvings::least_scalars::<Bn254>(&setup, bits, what.most)?);
        table.msm.extend(halvings::least_scalars::<Bls12_381>(&setup, bits, what.most)?);
        step("halvings of sums of points", &table)?;
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
