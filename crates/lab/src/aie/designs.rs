//! Evaluated designs, each once a run of the lab.

use crate::LabError;
use crate::experiment::Context;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::{AieError, Carry, Design, Evaluation, Method, Multiplication, Reduction, evaluate};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A mapping by a method on the paper's array.
pub(super) type Point = (Mapping, Method);

/// What has been evaluated.
#[derive(Default)]
pub(crate) struct Evaluations(Mutex<BTreeMap<Point, Result<Evaluation, AieError>>>);

/// The methods of the tables: nearest to the paper's kernels; the same with carries of 32 bits; the fastest.
pub(super) const METHODS: [Method; 3] = [
    Method::PAPER,
    Method::new(Reduction::Barrett, Carry::Mixed),
    Method::new(Reduction::Montgomery, Carry::Balanced),
];

/// Every mapping, or for tests of the lab the small ones.
pub(super) fn mappings(context: &Context<'_>) -> &'static [Mapping] {
    const QUICK: [Mapping; 2] = [Mapping::Single, Mapping::Coarse];
    if context.quick { &QUICK } else { &Mapping::ALL }
}

/// Every method.
pub(super) fn every() -> Vec<Method> {
    let products = Multiplication::ALL.into_iter();
    products.flat_map(|product| Method::all().map(move |method| Method { product, ..method })).collect()
}

/// The figures of many designs, on all threads, in their order; what cannot run says why.
pub(super) fn all(context: &Context<'_>, points: &[Point]) -> Vec<Result<Evaluation, AieError>> {
    let known = || context.evaluations.0.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<Point> = points.iter().filter(|point| !known().contains_key(point)).copied().collect();
    let found: Vec<_> = context.pool().install(|| {
        missing.par_iter().map(|&(mapping, method)| evaluate(&Design::new(mapping, method))).collect()
    });
    let mut known = known();
    known.extend(missing.into_iter().zip(found));
    points.iter().map(|point| known[point].clone()).collect()
}

/// The same of designs that all run.
pub(super) fn runs(context: &Context<'_>, points: &[Point]) -> Result<Vec<Evaluation>, LabError> {
    Ok(all(context, points).into_iter().collect::<Result<_, _>>()?)
}

/// One of them.
pub(super) fn one(context: &Context<'_>, mapping: Mapping, method: Method) -> Result<Evaluation, LabError> {
    Ok(runs(context, &[(mapping, method)])?.swap_remove(0))
}
