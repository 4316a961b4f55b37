//! The verifier, which reduces a claim about all corners to a claim about one point.

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

/// The claim that remains of a sumcheck: `f(point)` must be `value`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a sumcheck proves nothing until its last claim is checked"]
pub struct Subclaim<F> {
    /// The challenges, the first variable first.
    pub point: Vec<F>,
    /// The claimed value of the summed polynomial at the point.
    pub value: F,
}

/// Why a proof does not have the shape of its statement.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The degree is not from 1 to [`MOST_DEGREE`].
    #[error("round polynomials of degree {degree}, from 1 to {MOST_DEGREE} is possible")]
    Degree {
        /// Degree of the statement.
        degree: usize,
    },
    /// The number of rounds is not the number of variables.
    #[error("{found} rounds for {expected} variables")]
    Rounds {
        /// Number of variables of the statement.
        expected: usize,
        /// Number of rounds of the proof.
        found: usize,
    },
    /// The number of values of a round is not the degree.
    #[error("round {round}: {found} values, the degree wants {expected}")]
    Round {
        /// Number of the round, from 0.
        round: usize,
        /// Number of values that the degree requires.
        expected: usize,
        /// Number of values that the round has.
        found: usize,
    },
}

/// Reduces the claimed sum over `variables` variables, of a polynomial of degree `degree` in each, to a claim about one point.
/// **This does not accept the proof: the caller has to check the subclaim.**
///
/// The caller has absorbed the summed expression and the commitments to its tables before; this function absorbs the number of
/// variables, degree, claim and proof.
///
/// # Errors
/// When the shape of the proof is not that of the statement, or the degree is not from 1 to [`MOST_DEGREE`].
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

/// The running claim and the transcript, which prover and verifier update round by round.
pub(super) struct Rounds<'t, F> {
    degree: usize,
    through: Interpolation<F>,
    transcript: &'t mut Transcript,
    /// The challenges so far, and the claim about the remaining variables.
    pub(super) left: Subclaim<F>,
}

impl<'t, F: PrimeField> Rounds<'t, F> {
    /// Checks the degree and absorbs the statement.
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

    /// Absorbs a round's values at 0, 2, 3, …, draws the challenge, and updates the claim.
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
