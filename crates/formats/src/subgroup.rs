//! Checks that all points of a file are on the curve and in the prime-order subgroup.

use crate::FormatError;
use crate::points::PointSource;
use crate::sizes::chunks;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{DeviceError, Session, parallel};
use pairwright_poly::Source;
use rand_core::CryptoRng;

/// Number of points that are decoded and tested together.
const CHUNK: usize = 1 << 16;
/// Number of points that one task tests.
const TASK: usize = 1 << 10;

/// Tests every point of a source in G1, in variable time. A point outside of the subgroup is missed with probability below
/// 2^-79, provided that the author of the file could not predict `rng`.
pub(crate) fn check_g1<E: Pairing>(
    on: &mut Session<'_, E>,
    source: &PointSource<E::G1>,
    rng: &mut dyn CryptoRng,
) -> Result<(), FormatError> {
    check(source, rng, |points, seed| on.all_in_subgroup_g1(points, seed))
}

/// [`check_g1`] for a source in G2.
pub(crate) fn check_g2<E: Pairing>(
    on: &mut Session<'_, E>,
    source: &PointSource<E::G2>,
    rng: &mut dyn CryptoRng,
) -> Result<(), FormatError> {
    check(source, rng, |points, seed| on.all_in_subgroup_g2(points, seed))
}

fn check<C: Curve>(
    source: &PointSource<C>,
    rng: &mut dyn CryptoRng,
    mut all_in_subgroup: impl FnMut(&[Affine<C>], &[u8; 32]) -> Result<bool, DeviceError>,
) -> Result<(), FormatError> {
    let mut points = Vec::new();
    for range in chunks(source.len(), CHUNK) {
        let start = range.start;
        points.clear();
        source.decode(range, &mut points)?;
        if let Some(i) = parallel::first(&points, TASK, |p| !p.is_on_curve()) {
            return Err(source.off_curve(start.saturating_add(i)));
        }
        let mut seed = [0; 32];
        rng.fill_bytes(&mut seed);
        if !all_in_subgroup(&points, &seed)? {
            // If a sum is outside of the subgroup, so is one of its points. If no such point is found, the device is faulty:
            // refuse.
            let bad = parallel::first(&points, TASK, |p| !p.is_in_subgroup_vartime());
            return Err(source.wrong_subgroup(start.saturating_add(bad.unwrap_or(0))));
        }
    }
    Ok(())
}
