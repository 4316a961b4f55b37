//! What can go wrong when a kernel is asked for, read, lowered or run.

/// Errors of this crate. Every variant names one cause, with the numbers a user needs to mend the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MomaError {
    /// The modulus is even; Montgomery and Barrett kernels here serve odd moduli.
    #[error("the modulus is even; an odd modulus is needed")]
    EvenModulus,
}
