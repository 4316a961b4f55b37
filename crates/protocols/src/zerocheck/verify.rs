//! Verifies zerochecks: first the rounds of the sumcheck, then the tables' values at its point.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{Proof, Statement};
use crate::sumcheck;
use crate::transcript::Transcript;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Session};
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use thiserror::Error;

/// Why a proof is not accepted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The rounds do not have the shape of the statement.
    #[error(transparent)]
    Sumcheck(#[from] sumcheck::VerifyError),
    /// The number of evaluations, or of given tables, is not the number of the statement's tables.
    #[error("{found} evaluations of {expected} tables")]
    Evaluations {
        /// Number of tables of the statement.
        expected: usize,
        /// Number of evaluations or tables that were given.
        found: usize,
    },
    /// The expression of the evaluations is not the last claim of the sumcheck.
    #[error("the expression of the evaluations is not the sumcheck's last claim")]
    Rejected,
    /// A table's value at the point is not the claimed one.
    #[error("table {table} has another value at the point")]
    Table {
        /// Index of the table, from 0.
        table: usize,
    },
    /// An operator failed, so there is no verdict.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Claims about the tables: `values[k]` is the value of the multilinear extension of table `k` at `point`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a zerocheck proves nothing until the evaluations of its tables are checked"]
pub struct Evaluations<F> {
    /// The point, the first variable first.
    pub point: Vec<F>,
    /// The claimed values, one per table.
    pub values: Vec<F>,
}

/// Reduces a statement to the values of its tables at one point, **which remain to be checked**: by openings of their
/// commitments, or by [`Evaluations::check`].
///
/// The caller has absorbed the commitments to the tables before; this function absorbs statement and proof.
///
/// # Errors
/// When the proof has another shape than the statement's, or the evaluations contradict it.
pub fn verify<F: PrimeField>(
    statement: &Statement<F>,
    proof: &Proof<F>,
    transcript: &mut Transcript,
) -> Result<Evaluations<F>, VerifyError> {
    let (expected, found) = (statement.tables(), proof.evaluations.len());
    if expected != found {
        return Err(VerifyError::Evaluations { expected, found });
    }
    // Checked before as many challenges are drawn as the statement has variables.
    let (expected, found) = (statement.variables, proof.sumcheck.rounds.len());
    if expected != found {
        return Err(sumcheck::VerifyError::Rounds { expected, found }.into());
    }
    let r = statement.begin(transcript);
    let last =
        sumcheck::verify(&proof.sumcheck, F::ZERO, statement.variables, statement.degree(), transcript)?;
    transcript.absorb_scalars("evaluations", &proof.evaluations);
    if eq(&r, &last.point) * statement.expression.at(&proof.evaluations) != last.value {
        return Err(VerifyError::Rejected);
    }
    Ok(Evaluations { point: last.point, values: proof.evaluations.clone() })
}

/// Computes `eq(r, x) = ∏ (r_i·x_i + (1 - r_i)·(1 - x_i))`.
fn eq<F: PrimeField>(r: &[F], x: &[F]) -> F {
    r.iter().zip(x).map(|(r, x)| F::ONE - *r - *x + (*r * *x).double()).fold(F::ONE, |product, f| product * f)
}

impl<F: PrimeField> Evaluations<F> {
    /// Checks the claims by evaluating the tables, for a verifier that has them.
    ///
    /// # Errors
    /// When a table's value is not the claimed one, the number of tables is not that of the claims, or a device fails.
    pub fn check<E: Pairing<Fr = F>>(
        &self,
        on: &mut Session<'_, E>,
        tables: &[Buf<F>],
    ) -> Result<(), VerifyError> {
        if tables.len() != self.values.len() {
            return Err(VerifyError::Evaluations { expected: self.values.len(), found: tables.len() });
        }
        for (index, (table, claimed)) in tables.iter().zip(&self.values).enumerate() {
            if on.mle_eval(table.view(), &self.point)? != *claimed {
                return Err(VerifyError::Table { table: index });
            }
        }
        Ok(())
    }
}
