//! The designs that the figures compare.

use crate::LabError;
use crate::evaluations::MappingAndMethod;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::{AieError, Carry, Evaluation, Method, Reduction};

/// The methods of the tables: the one nearest to the paper's kernels, the same with carries of 32 bits, and the
/// fastest.
pub(super) const METHODS: [Method; 3] = [
    Method::PAPER,
    Method::new(Reduction::Barrett, Carry::Mixed),
    Method::new(Reduction::Montgomery, Carry::Balanced),
];

/// The methods; for tests of the lab, only the paper's.
pub(super) fn methods(context: &Context<'_>) -> &'static [Method] {
    &METHODS[..if context.quick { 1 } else { METHODS.len() }]
}

/// All mappings; for tests of the lab, only the small ones.
pub(super) fn mappings(context: &Context<'_>) -> &'static [Mapping] {
    const QUICK: [Mapping; 2] = [Mapping::Single, Mapping::Coarse];
    if context.quick { &QUICK } else { &Mapping::ALL }
}

/// All methods except those with carries digit by digit, which the others beat everywhere.
pub(super) fn every() -> Vec<Method> {
    Method::valid().filter(|method| method.carry != Carry::Accurate).collect()
}

/// Evaluates many designs on all threads and returns the results in order; an error says why a design cannot run.
fn all(context: &Context<'_>, points: &[MappingAndMethod]) -> Vec<Result<Evaluation, AieError>> {
    context.evaluations.of(context.pool(), points)
}

/// The evaluations of the designs that run; adds a row with the reason for each design that does not.
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

/// The evaluations of designs that must all run.
pub(super) fn runs(context: &Context<'_>, points: &[MappingAndMethod]) -> Result<Vec<Evaluation>, LabError> {
    Ok(all(context, points).into_iter().collect::<Result<_, _>>()?)
}

/// The evaluation of one design that must run.
pub(super) fn one(context: &Context<'_>, mapping: Mapping, method: Method) -> Result<Evaluation, LabError> {
    Ok(runs(context, &[(mapping, method)])?.swap_remove(0))
}
