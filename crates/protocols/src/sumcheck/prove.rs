//! Proves the value of a sum over the hypercube, round by round.

use super::verify::Rounds;
use super::{SumcheckProof, VerifyError};
use crate::transcript::Transcript;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Session, log_leaves, same_length};
use pairwright_poly::{Buf, SumOfProducts};
use thiserror::Error;

/// Why no proof was made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The degree of the sum is not from 1 to [`super::MOST_DEGREE`].
    #[error(transparent)]
    Shape(#[from] VerifyError),
    /// The sum over the tables is not the claim.
    #[error("the sum is not the claim")]
    Claim,
    /// A round's polynomial contradicts the previous claim: a device has computed wrongly.
    #[error("round {round} contradicts the one before")]
    Inconsistent {
        /// Number of the round, from 0; the number of variables for the values after the last.
        round: usize,
    },
    /// An operator failed or refused the tables.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The prover's result: the sum is reduced to the values of the tables at one point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced<F> {
    /// The proof for the verifier.
    pub proof: SumcheckProof<F>,
    /// The challenges, the first variable first.
    pub point: Vec<F>,
    /// The multilinear extension of every table at that point.
    pub values: Vec<F>,
}

/// Proves that `sum` over all corners is `claim`. Each table has one value per corner; every round binds one variable in all tables.
///
/// As for [`super::verify`], the caller has absorbed the summed expression and the commitments to its tables.
///
/// # Errors
/// When the sum is not the claim, when tables are missing or differ in length, when the degree is not from 1 to
/// [`super::MOST_DEGREE`], and when a device fails or returns contradictory results.
pub fn prove<E: Pairing>(
    on: &mut Session<'_, E>,
    sum: &SumOfProducts<E::Fr>,
    mut tables: Vec<Buf<E::Fr>>,
    claim: E::Fr,
    transcript: &mut Transcript,
) -> Result<Reduced<E::Fr>, ProveError> {
    let variables = variables(sum, &tables)?;
    let mut rounds = Rounds::begin(claim, variables, sum.degree(), transcript)?;
    let mut proof = SumcheckProof { rounds: Vec::with_capacity(variables) };
    for round in 0..variables {
        let mut values = on.sumcheck_round(sum, &tables)?;
        let inconsistent = if round == 0 { ProveError::Claim } else { ProveError::Inconsistent { round } };
        if values.len() < 2 || values[0] + values[1] != rounds.left.value {
            return Err(inconsistent);
        }
        values.remove(1);
        let r = rounds.next(round, &values)?;
        on.sumcheck_bind(&mut tables, &r)?;
        proof.rounds.push(values);
    }
    let values: Vec<E::Fr> = tables.iter().flat_map(|table| table.first().copied()).collect();
    if sum.at(&values) != rounds.left.value {
        let inconsistent = ProveError::Inconsistent { round: variables };
        return Err(if variables == 0 { ProveError::Claim } else { inconsistent });
    }
    Ok(Reduced { proof, point: rounds.left.point, values })
}

/// Checks the number and the lengths of the tables, and returns their number of variables.
fn variables<F: pairwright_field::PrimeField>(
    sum: &SumOfProducts<F>,
    tables: &[Buf<F>],
) -> Result<usize, DeviceError> {
    const OP: &str = "sumcheck";
    if tables.len() < sum.tables() {
        return Err(DeviceError::MissingTable { op: OP, wanted: sum.tables(), given: tables.len() });
    }
    let len = tables.first().map_or(0, |table| table.len());
    tables.iter().try_for_each(|table| same_length(OP, len, table.len()))?;
    Ok(log_leaves(OP, len)? as usize)
}
