//! The list of all experiments.

use crate::experiment::Experiment;
use crate::{LabError, aie, cp, moma, mtu};

/// Every experiment, in the order of the papers.
pub fn all() -> impl Iterator<Item = &'static Experiment> {
    moma::EXPERIMENTS.iter().chain(cp::EXPERIMENTS).chain(mtu::EXPERIMENTS).chain(aie::EXPERIMENTS)
}

/// The experiment with this id.
///
/// # Errors
/// No experiment has this id; or `id` is a paper.
pub fn find(id: &str) -> Result<&'static Experiment, LabError> {
    if let Some(found) = all().find(|experiment| experiment.id == id) {
        return Ok(found);
    }
    if of_paper(id).is_ok() {
        return Err(LabError::WholePaper(id.to_owned()));
    }
    Err(unknown(id))
}

/// The experiments of a paper, named by the first part of their ids.
///
/// # Errors
/// No experiment belongs to this paper.
pub fn of_paper(paper: &str) -> Result<Vec<&'static Experiment>, LabError> {
    let found: Vec<_> = all().filter(|e| e.id.split('/').next() == Some(paper)).collect();
    if found.is_empty() { Err(unknown(paper)) } else { Ok(found) }
}

fn unknown(asked: &str) -> LabError {
    let known = all().map(|experiment| experiment.id).collect::<Vec<_>>().join(", ");
    LabError::NoExperiment { asked: asked.to_owned(), known }
}
