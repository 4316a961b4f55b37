//! The kind of a failure, for callers that map each kind to an error class of their own, and constructors of failures that such
//! callers share with the command.

use super::{AbeFailure, ArgumentError, Failure};
use pairwright::formats::bls::DocumentError;
use pairwright::formats::keystore::KeystoreError;
use pairwright::formats::{DrandError, FormatError};
use pairwright::protocols::{groth16, plonk};
use pairwright::witness::WitnessError;
use std::path::Path;

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A proof was not accepted.
    Rejected,
    /// An argument is invalid, or arguments do not fit each other.
    Usage,
    /// A file, or bytes given in its place, is damaged or is of another kind than expected.
    Format,
    /// A witness cannot be computed, or does not satisfy the circuit.
    Witness,
    /// A file cannot be read or written.
    File,
    /// A fault of the library or of the machine.
    Internal,
}

impl Failure {
    /// The kind of this failure.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Rejected(_) | Self::RejectedInBatch(_) => Kind::Rejected,
            Self::BadInput(why) => match why.downcast_ref::<FormatError>() {
                Some(FormatError::Io { .. } | FormatError::Write(_)) => Kind::File,
                Some(_) => Kind::Format,
                None if why.is::<WitnessError>() => Kind::Witness,
                None if why.is::<DocumentError>() || why.is::<KeystoreError>() || why.is::<DrandError>() => {
                    Kind::Format
                }
                None if matches!(why.downcast_ref(), Some(AbeFailure::File { .. })) => Kind::Format,
                None => match why.downcast_ref::<ArgumentError>() {
                    Some(
                        ArgumentError::ProofFails | ArgumentError::Constraint { .. } | ArgumentError::Gate(_),
                    ) => Kind::Witness,
                    _ => Kind::Usage,
                },
            },
            Self::File { .. } | Self::Output(_) => Kind::File,
            Self::Internal(_) => Kind::Internal,
        }
    }

    /// The failure for a curve that a device or a protocol does not support.
    pub fn unsupported(curve: &'static str) -> Self {
        ArgumentError::Unsupported(curve).into()
    }

    /// The failure for a Groth16 key under which anybody can forge proofs.
    pub fn unsafe_key(path: &Path, weakness: groth16::Weakness) -> Self {
        ArgumentError::UnsafeKey { path: path.to_owned(), weakness }.into()
    }

    /// The failure for a key of Plonk or fflonk under which anybody can forge proofs.
    pub fn worthless_key(path: &Path, weakness: plonk::Weakness) -> Self {
        ArgumentError::WorthlessKey { path: path.to_owned(), weakness }.into()
    }

    /// The failure for a finished proof that does not verify.
    pub fn proof_fails() -> Self {
        ArgumentError::ProofFails.into()
    }

    /// The failure for two files that belong to different curves, each given with the name of its curve.
    pub fn other_curve(left: (&Path, &'static str), right: (&Path, &'static str)) -> Self {
        let [(left, left_curve), (right, right_curve)] = [left, right];
        let (left, right) = (left.to_owned(), right.to_owned());
        ArgumentError::Curves { left, left_curve, right, right_curve }.into()
    }

    /// The failure for a witness calculator whose prime is the scalar field of no supported curve.
    pub fn unknown_prime(path: &Path) -> Self {
        ArgumentError::UnknownPrime(path.to_owned()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_apart() {
        let call = |line: &str| {
            let words: Vec<_> = line.split(' ').map(Into::into).collect();
            crate::call(&words, crate::Caller::default())
                .map_err(|failure| (failure.kind(), failure.to_string()))
        };
        let (kind, text) = call("inspect no-such-file").unwrap_err();
        assert!(kind == Kind::File && text.contains("no-such-file"), "{kind:?}: {text}");
        let (kind, text) = call("inspect Cargo.toml").unwrap_err();
        assert!(kind == Kind::Format && text.contains("Cargo.toml"), "{kind:?}: {text}");
        let (kind, text) = call("sim ntt --colour red").unwrap_err();
        assert!(kind == Kind::Usage && text.contains("--colour"), "{kind:?}: {text}");
        let (kind, text) = call("--threads 0 gen targets").unwrap_err();
        assert!(kind == Kind::Usage && text.contains("--threads"), "{kind:?}: {text}");
    }

    #[test]
    fn a_call_gives_the_object_that_the_command_prints() {
        let answer = crate::call(&["gen".into(), "targets".into()], crate::Caller::default()).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["command"], &answer["status"]), (&"gen targets".into(), &"ok".into()));
        assert!(answer["targets"].as_array().is_some_and(|targets| targets.len() > 3));
    }
}
