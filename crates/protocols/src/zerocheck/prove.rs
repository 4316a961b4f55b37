//! Proves that an expression of tables is zero on the whole hypercube.

use super::{Evaluations, Proof, Statement};
use crate::sumcheck;
use crate::transcript::Transcript;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Session, same_length, table_size};
use pairwright_field::Field;
use pairwright_poly::Buf;
use thiserror::Error;

/// Why no proof was made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The expression does not vanish at every corner.
    #[error("the expression does not vanish at every corner")]
    DoesNotVanish,
    /// The number of tables is not that of the expression.
    #[error("{found} tables, the expression is of {expected}")]
    Tables {
        /// Number of tables of the expression.
        expected: usize,
        /// Number of tables that were given.
        found: usize,
    },
    /// A table's evaluation differs from the value that the rounds left: a device has computed wrongly.
    #[error("table {table}: its evaluation contradicts the sumcheck")]
    Inconsistent {
        /// Index of the table, from 0.
        table: usize,
    },
    /// The sumcheck could not be proved.
    #[error(transparent)]
    Sumcheck(sumcheck::ProveError),
    /// An operator failed or refused the tables.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl From<sumcheck::ProveError> for ProveError {
    fn from(why: sumcheck::ProveError) -> Self {
        match why {
            sumcheck::ProveError::Claim => Self::DoesNotVanish,
            why => Self::Sumcheck(why),
        }
    }
}

/// Proves that the statement's expression vanishes on these tables. The proof uses no randomness and is not zero-knowledge: it contains
/// the round polynomials and the tables' values at its point.
///
/// The caller has absorbed the commitments to the tables before. The returned evaluations remain to be opened.
///
/// # Errors
/// When the expression does not vanish (which is missed with probability `μ/|F|`), when the number of tables or their size is not that
/// of the statement, and when a device fails or returns contradictory results.
pub fn prove<E: Pairing>(
    on: &mut Session<'_, E>,
    statement: &Statement<E::Fr>,
    tables: &[Buf<E::Fr>],
    transcript: &mut Transcript,
) -> Result<(Proof<E::Fr>, Evaluations<E::Fr>), ProveError> {
    if tables.len() != statement.tables() {
        return Err(ProveError::Tables { expected: statement.tables(), found: tables.len() });
    }
    let size = table_size("zerocheck", statement.variables)?;
    tables.iter().try_for_each(|table| same_length("zerocheck", size, table.len()))?;

    on.phase("eq");
    let r = statement.begin(transcript);
    let eq = on.build_eq(&r)?;
    on.phase("sumcheck");
    let all = tables.iter().cloned().chain([eq]).collect();
    let reduced = sumcheck::prove(on, &statement.weighted(), all, E::Fr::ZERO, transcript)?;
    on.phase("evaluate");
    let mut evaluations = Vec::with_capacity(tables.len());
    for (index, (table, bound)) in tables.iter().zip(&reduced.values).enumerate() {
        let value = on.mle_eval(table.view(), &reduced.point)?;
        if value != *bound {
            return Err(ProveError::Inconsistent { table: index });
        }
        evaluations.push(value);
    }
    transcript.absorb_scalars("evaluations", &evaluations);
    let proof = Proof { sumcheck: reduced.proof, evaluations: evaluations.clone() };
    Ok((proof, Evaluations { point: reduced.point, values: evaluations }))
}
