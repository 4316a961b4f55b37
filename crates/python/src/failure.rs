//! Conversion of failures to Python exceptions.

use pairwright::protocols::r1cs::R1csError;
use pairwright_cli::{Failure, Kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The name of the exception class in `pairwright._errors` for a failure.
fn class(failure: &Failure) -> &'static str {
    if let Failure::BadInput(why) = failure
        && matches!(why.downcast_ref(), Some(R1csError::Unsatisfied { .. }))
    {
        return "WitnessError";
    }
    match failure.kind() {
        Kind::Rejected => "Rejected",
        Kind::Usage => "UsageError",
        Kind::Format => "FormatError",
        Kind::Witness => "WitnessError",
        Kind::File => "FileError",
        Kind::Internal => "InternalError",
    }
}

/// The exception for a failure, with the message that the command prints.
pub(crate) fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    raised_at(py, failure, None)
}

/// [`raised`] for an item of a list, whose position is stored in the exception as `index`.
pub(crate) fn raised_at(py: Python<'_>, failure: &Failure, index: Option<usize>) -> PyErr {
    // The class of a rejection already says that it is one.
    let text = match failure {
        Failure::Rejected(why) => why.to_string(),
        other => other.to_string(),
    };
    let make = || -> PyResult<PyErr> {
        let class = py.import("pairwright._errors")?.getattr(class(failure))?;
        let named = PyDict::new(py);
        if let Some(index) = index {
            named.set_item("index", index)?;
        }
        Ok(PyErr::from_value(class.call((text,), Some(&named))?))
    };
    make().unwrap_or_else(|error| error)
}

/// The failure for an invalid argument from Python.
pub(crate) fn usage(text: impl Into<String>) -> Failure {
    Failure::bad(text.into())
}

/// The failure for input that is well-formed but not accepted.
pub(crate) fn rejected(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
    Failure::Rejected(why.into())
}
