//! The designs that the figures compare.

use crate::LabError;
use crate::evaluations::MappingAndMethod;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::{AieError, Carry, Evaluation, Method, Reduction};

/// The methods of the tables: nearest to the paper's kernels; the same with carries of 32 bits; the fastest.
pub(super) const METHODS: [Method; 3] = [
    Method::PAPER,
    Method::new(Reduction::Barrett, Carry::Mixed),
    Method::new(Reduction::Montgomery, Carry::Balanced),
];

/// The same, or for tests of the lab the paper's.
pub(super) fn methods(context: &Context<'_>) -> &'static [Method] {
    &METHODS[..if context.quick { 1 } else { METHODS.len() }]
}

/// Every mapping, or for tests of the lab the small ones.
pub(super) fn mappings(context: &Context<'_>) -> &'static [Mapping] {
    const QUICK: [Mapping; 2] = [Mapping::Single, Mapping::Coarse];
    if context.quick { &QUICK } else { &Mapping::ALL }
}

/// Every method but those with carries digit by digit, which the others beat everywhere.
pub(super) fn every() -> Vec<Method> {
    Method::valid().filter(|method| method.carry != Carry::Accurate).collect()
}

/// The figures of many designs, on all threads, in their order; what cannot run says why.
fn all(context: &Context<'_>, points: &[MappingAndMethod]) -> Vec<Result<Evaluation, AieError>> {
    context.evaluations.of(context.pool(), points)
}

/// The figures of those that run; a row for each of the others says why it does not.
pub(super) fn found(
    context: &Context<'_>,
    points: &[MappingAndMethod],
    outcome: &mut Outcome,
) -> Vec<Evaluation> {
    let mut found = Vec::new();
    for (&(mapping, method), result) in points.iter().zip(all(context, points)) {
        match result {
            Ok(evaluation) => found.push(evaluation),
            Err(error) => {
                let place = Labels {
                    quantity: "designs that do not run",
                    operation: mapping.name(),
                    unit: "designs",
                };
                outcome.model(&place, &method.name(), 1.0, &error.to_string());
            }
        }
    }
    found
}

/// The same of designs that all run.
pub(super) fn runs(context: &Context<'_>, points: &[MappingAndMethod]) -> Result<Vec<Evaluation>, LabError> {
    Ok(all(context, points).into_iter().collect::<Result<_, _>>()?)
}

/// The figures of one design that runs.
pub(super) fn one(context: &Context<'_>, mapping: Mapping, method: Method) -> Result<Evaluation, LabError> {
    Ok(runs(context, &[(mapping, method)])?.swap_remove(0))
}
