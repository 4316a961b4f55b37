//! Discrete logarithms in a small range by baby steps and giant steps (Shanks), with a table that is built once for a base.
//!
//! A table holds fingerprints of the multiples `1·g, …, m·g`. An element and its inverse have the same fingerprint, so the table covers
//! `-m … m`. A search adds and subtracts multiples of `(2m + 1)·g` to and from the target. A result from the table is verified against
//! the target, so that a damaged table gives no wrong result.
//!
//! The search takes variable time: its result is not secret from the holder of the key.

mod bytes;
mod group;

pub use group::{Group, Target};

use super::FeError;
use alloc::vec::Vec;

/// The largest number of steps of a table; a step takes twelve bytes in memory and eight in a file.
pub const MOST_STEPS: u64 = 1 << 26;
/// The largest bound of a result.
pub const MOST_BOUND: u64 = 1 << 62;

/// Number of elements that are stepped together, with one inversion.
const BLOCK: u64 = 512;

/// A table of multiples of a base, sorted by fingerprint.
#[derive(Clone, Debug)]
pub struct Table<G> {
    base: G,
    /// Fingerprints in ascending order.
    fingerprints: Vec<u64>,
    /// The factor of the multiple that each fingerprint belongs to, from 1.
    multiples: Vec<u32>,
}

impl<G: Group> Table<G> {
    /// Computes the table of the first `steps` multiples of a base. Variable time.
    ///
    /// # Errors
    /// When the number of steps is zero or above [`MOST_STEPS`], or the base is neutral.
    pub fn new(base: G, steps: u64) -> Result<Self, FeError> {
        check_steps(steps)?;
        if base.is_neutral() {
            return Err(FeError::Base);
        }
        let mut fingerprints = Vec::with_capacity(usize::try_from(steps).unwrap_or(0));
        let mut block = base.multiples_vartime(BLOCK.min(steps));
        let step = base.times_vartime(BLOCK);
        loop {
            let left = usize::try_from(steps).unwrap_or(usize::MAX) - fingerprints.len();
            fingerprints.extend(block.iter().take(left).map(Group::fingerprint));
            if left <= block.len() {
                break;
            }
            G::add_to_all_vartime(&mut block, &step);
        }
        Ok(Self::of_fingerprints(base, fingerprints))
    }

    /// Computes the table that is best for a single search up to a bound: it has as many steps as the bound's square root, at most
    /// [`MOST_STEPS`].
    ///
    /// # Errors
    /// As [`Self::new`], and when the bound is above [`MOST_BOUND`].
    pub fn for_bound(base: G, bound: u64) -> Result<Self, FeError> {
        check_bound(bound)?;
        Self::new(base, bound.isqrt().clamp(1, MOST_STEPS))
    }

    /// Makes a table from the fingerprints of the multiples in their order, at most [`MOST_STEPS`].
    fn of_fingerprints(base: G, fingerprints: Vec<u64>) -> Self {
        let mut pairs: Vec<(u64, u32)> = fingerprints.into_iter().zip(1..).collect();
        pairs.sort_unstable();
        let (fingerprints, multiples) = pairs.into_iter().unzip();
        Self { base, fingerprints, multiples }
    }

    /// The base of the logarithms.
    pub fn base(&self) -> &G {
        &self.base
    }

    /// Number of multiples in the table.
    pub fn steps(&self) -> u64 {
        self.fingerprints.len() as u64
    }

    /// Finds the logarithm of the target: the number from `-bound` to `bound` whose product with the base is the target. Time and memory
    /// accesses depend on the target.
    ///
    /// # Errors
    /// When there is no such number, or the bound is above [`MOST_BOUND`].
    pub fn find_vartime(&self, target: &G, bound: u64) -> Result<i64, FeError> {
        check_bound(bound)?;
        if let Some(found) = self.small(target) {
            return in_range(found, bound);
        }
        let stride = 2 * self.steps() + 1;
        let giants = bound.saturating_sub(self.steps()).div_ceil(stride);
        let block = BLOCK.min(giants);
        if block == 0 {
            return Err(FeError::OutOfRange { bound });
        }
        // A block of giant steps upwards from the target, and one downwards.
        let giant = self.base.times_vartime(stride);
        let around = giant.multiples_vartime(block);
        let mut above = around.clone();
        G::add_to_all_vartime(&mut above, target);
        let mut below: Vec<G> = around.iter().map(Group::inverse).collect();
        G::add_to_all_vartime(&mut below, target);
        let leap = giant.times_vartime(block);
        let back = leap.inverse();
        let mut first = 1;
        loop {
            for (k, (above, below)) in (first..).zip(above.iter().zip(&below)) {
                // Both are below 2^63, as the bound is below 2^62.
                let shift = (k * stride) as i64;
                let found = self.small(above).map(|small| small - shift);
                if let Some(found) = found.or_else(|| self.small(below).map(|small| small + shift)) {
                    return in_range(found, bound);
                }
            }
            first += block;
            if first > giants {
                return Err(FeError::OutOfRange { bound });
            }
            G::add_to_all_vartime(&mut above, &leap);
            G::add_to_all_vartime(&mut below, &back);
        }
    }

    /// The logarithm of an element if the table covers it.
    fn small(&self, element: &G) -> Option<i64> {
        if element.is_neutral() {
            return Some(0);
        }
        let fingerprint = element.fingerprint();
        let from = self.fingerprints.partition_point(|f| *f < fingerprint);
        for (f, multiple) in self.fingerprints.iter().zip(&self.multiples).skip(from) {
            if *f != fingerprint {
                return None;
            }
            let candidate = self.base.times_vartime(u64::from(*multiple));
            if candidate == *element {
                return Some(i64::from(*multiple));
            }
            if candidate.inverse() == *element {
                return Some(-i64::from(*multiple));
            }
        }
        None
    }
}

fn in_range(found: i64, bound: u64) -> Result<i64, FeError> {
    if found.unsigned_abs() <= bound { Ok(found) } else { Err(FeError::OutOfRange { bound }) }
}

fn check_bound(bound: u64) -> Result<(), FeError> {
    if bound <= MOST_BOUND { Ok(()) } else { Err(FeError::Bound { bound, most: MOST_BOUND }) }
}

fn check_steps(found: u64) -> Result<(), FeError> {
    if (1..=MOST_STEPS).contains(&found) { Ok(()) } else { Err(FeError::Steps { found, most: MOST_STEPS }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Bls12_381, G1};
    use pairwright_curve::{Affine, Curve, Pairing};

    /// Finds every number of a range, and none outside of it, with tables of several sizes.
    fn all<G: Group>(base: G, sizes: &[u64]) {
        let element = |z: i64| {
            let size = base.times_vartime(z.unsigned_abs());
            if z < 0 { size.inverse() } else { size }
        };
        for steps in sizes {
            let table = Table::new(base, *steps).unwrap();
            assert_eq!(table.steps(), *steps);
            for z in -40..=40 {
                assert_eq!(table.find_vartime(&element(z), 40).unwrap(), z, "{steps} steps");
            }
            for z in [-43, -41, 41, 42, 1 << 40] {
                let found = table.find_vartime(&element(z), 40);
                assert!(matches!(found, Err(FeError::OutOfRange { bound: 40 })), "{z}, {steps} steps");
            }
            assert_eq!(table.find_vartime(&element(0), 0).unwrap(), 0);
            assert!(table.find_vartime(&element(1), 0).is_err());
        }
        assert!(matches!(Table::new(base, 0), Err(FeError::Steps { found: 0, .. })));
        assert!(matches!(Table::new(base, MOST_STEPS + 1), Err(FeError::Steps { .. })));
        let table = Table::for_bound(base, 10).unwrap();
        assert_eq!(table.steps(), 3);
        assert!(matches!(table.find_vartime(&base, MOST_BOUND + 1), Err(FeError::Bound { .. })));
        assert!(matches!(Table::for_bound(base, u64::MAX), Err(FeError::Bound { .. })));
    }

    #[test]
    fn points() {
        all(G1::GENERATOR, &[1, 2, 7, 39, 40, 41, 600]);
        assert!(matches!(Table::new(Affine::<G1>::INFINITY, 5), Err(FeError::Base)));
        // More than one block of giant steps, on both sides, at their edges.
        let table = Table::new(G1::GENERATOR, 3).unwrap();
        let edges = [7 * 511, 7 * 512, 7 * 513, 7 * 1024, 7 * 1025 + 3, 9_999, 10_000];
        for z in edges.into_iter().flat_map(|z: i64| [z, -z, z + 3 - 6, 3 - z]) {
            let size = G1::GENERATOR.times_vartime(z.unsigned_abs());
            let target = if z < 0 { -size } else { size };
            assert_eq!(table.find_vartime(&target, 10_000).unwrap(), z);
        }
    }

    #[test]
    fn points_of_an_edwards_curve() {
        use pairwright_curve::jubjub::Point;
        all(Point::generator().to_triple().unwrap(), &[1, 7, 40, 600]);
    }

    #[test]
    fn values_of_pairings() {
        let one = Bls12_381::pairing(&G1::GENERATOR, &Curve::GENERATOR);
        all(Target::<Bls12_381>(one), &[1, 7, 40]);
    }
}
