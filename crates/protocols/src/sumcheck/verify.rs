//! The verifier: from a claim about all corners to a claim about one point.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::SumcheckProof;
use super::interpolation::Interpolation;
use crate::transcript::Transcript;
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use thiserror::Error;

/// The highest degree of a round's polynomial.
pub const MOST_DEGREE: usize = u8::MAX as usize;

/// What is left of a sum: `f(point)` must be `value`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a sumcheck proves nothing until its last claim is checked"]
pub struct Subclaim<F> {
    /// The challenges, the first variable first.
    pub point: Vec<F>,
    /// What the summed polynomial must be there.
    pub value: F,
}

/// Why a proof has not the shape of its statement.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// There is no sumcheck of that degree.
    #[error("round polynomials of degree {degree}, from 1 to {MOST_DEGREE} is possible")]
    Degree {
        /// Degree that the statement asks for.
        degree: usize,
    },
    /// Not a polynomial for each variable.
    #[error("{found} rounds for {expected} variables")]
    Rounds {
        /// Variables of the statement.
        expected: usize,
        /// Rounds of the proof.
        found: usize,
    },
    /// A round's polynomial has another number of values than its degree.
    #[error("round {round}: {found} values, the degree wants {expected}")]
    Round {
        /// Number of the round, from 0.
        round: usize,
        /// By the degree.
        expected: usize,
        /// Number of values that the round has.
        found: usize,
    },
}

/// Follows a proof from the claimed sum over so many variables, of a polynomial of that degree in each, to a claim about
/// one point. **The proof is accepted by whoever checks the subclaim**, and not here.
///
/// The transcript has absorbed what is summed (the tables' commitments, the sum itself) before; number of variables,
/// degree, claim and proof are absorbed here.
///
/// # Errors
/// When the shape of the proof is not that of the statement.
pub fn verify<F: PrimeField>(
    proof: &SumcheckProof<F>,
    claim: F,
    variables: usize,
    degree: usize,
    transcript: &mut Transcript,
) -> Result<Subclaim<F>, VerifyError> {
    let mut rounds = Rounds::begin(claim, variables, degree, transcript)?;
    if proof.rounds.len() != variables {
        return Err(VerifyError::Rounds { expected: variables, found: proof.rounds.len() });
    }
    for (round, sent) in proof.rounds.iter().enumerate() {
        rounds.next(round, sent)?;
    }
    Ok(rounds.left)
}

/// Claims round by round, as both sides keep them.
pub(super) struct Rounds<'t, F> {
    degree: usize,
    through: Interpolation<F>,
    transcript: &'t mut Transcript,
    /// The challenges so far, and what is claimed of the rest.
    pub(super) left: Subclaim<F>,
}

impl<'t, F: PrimeField> Rounds<'t, F> {
    /// Absorbs the statement.
    pub(super) fn begin(
        claim: F,
        variables: usize,
        degree: usize,
        transcript: &'t mut Transcript,
    ) -> Result<Self, VerifyError> {
        let through = match u8::try_from(degree) {
            Ok(degree @ 1..) => Interpolation::new(degree),
            _ => return Err(VerifyError::Degree { degree }),
        };
        transcript.enter("sumcheck");
        transcript.absorb_u64("variables", variables as u64);
        transcript.absorb_u64("degree", degree as u64);
        transcript.absorb_scalars("claim", &[claim]);
        Ok(Self { degree, through, transcript, left: Subclaim { point: Vec::new(), value: claim } })
    }

    /// Takes a round's values at 0, 2, 3, …, and gives the challenge.
    pub(super) fn next(&mut self, round: usize, sent: &[F]) -> Result<F, VerifyError> {
        let wrong = VerifyError::Round { round, expected: self.degree, found: sent.len() };
        let Some((at_zero, others)) = sent.split_first() else { return Err(wrong) };
        if sent.len() != self.degree {
            return Err(wrong);
        }
        self.transcript.absorb_scalars("round", sent);
        let r = self.transcript.challenge("r");
        let values = [&[*at_zero, self.left.value - *at_zero], others].concat();
        self.left.value = self.through.at(&values, r);
        self.left.point.push(r);
        Ok(r)
    }
}
