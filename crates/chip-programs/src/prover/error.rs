//! Errors of proofs on the chip.

use pairwright_chip::machine::top::TopError;
use pairwright_chip::operator::OperatorError;
use pairwright_chip::task::TaskError;
use thiserror::Error;

/// Why the chip cannot compute a proof.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The protocol's plan has a call that the program lacks, or lacks one of the program's.
    #[error("phase {phase:?}: the plan of the protocol and the program differ in {operator}")]
    Plan {
        /// The phase of the protocol.
        phase: &'static str,
        /// The operator that only one of them has.
        operator: &'static str,
    },
    /// An operator of the plan cannot run, or has operands of other lengths than the plan says.
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
