//! Evaluated designs of [AIE]; each is computed only once per run of the lab.

use pairwright_aie::mapping::Mapping;
use pairwright_aie::{AieError, Design, Evaluation, Method, evaluate};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A mapping with a method, on the paper's array.
pub(crate) type MappingAndMethod = (Mapping, Method);

/// The evaluations of this run, indexed by design.
#[derive(Default)]
pub(crate) struct Evaluations(Mutex<BTreeMap<MappingAndMethod, Result<Evaluation, AieError>>>);

impl Evaluations {
    /// The evaluations of many designs in order, computed on all threads of the pool; an error says why a design cannot
    /// run.
    pub(crate) fn of(
        &self,
        pool: &rayon::ThreadPool,
        points: &[MappingAndMethod],
    ) -> Vec<Result<Evaluation, AieError>> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let missing: Vec<MappingAndMethod> =
            points.iter().filter(|point| !known().contains_key(point)).copied().collect();
        let found: Vec<_> = pool.install(|| {
            missing.par_iter().map(|&(mapping, method)| evaluate(&Design::new(mapping, method))).collect()
        });
        let mut known = known();
        known.extend(missing.into_iter().zip(found));
        points.iter().map(|point| known[point].clone()).collect()
    }
}
