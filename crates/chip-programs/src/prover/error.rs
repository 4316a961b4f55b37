//! Why there is no proof.

use pairwright_chip::machine::top::TopError;
use pairwright_chip::operator::OperatorError;
use pairwright_chip::task::TaskError;
use thiserror::Error;

/// A proof that the chip does not make.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProofError {
    /// A plan that has a call too many or too few for the program.
    #[error("phase {phase:?}: the plan of the protocol and the program differ in {operator}")]
    Plan {
        /// The phase of the protocol.
        phase: &'static str,
        /// The operator that only one of them has.
        operator: &'static str,
    },
    /// An operator of the plan does not run, or has operands of other lengths than the plan says.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}

impl From<TaskError> for ProofError {
    fn from(why: TaskError) -> Self {
        Self::Operator(why.into())
    }
}

impl From<TopError> for ProofError {
    fn from(why: TopError) -> Self {
        Self::Operator(why.into())
    }
}
