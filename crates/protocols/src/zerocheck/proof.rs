//! The types of statements and proofs, and the encoding of proofs.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use crate::sumcheck::{BytesError, SumcheckProof, read_scalars, write_scalars};
use crate::transcript::Transcript;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_field::PrimeField;
use pairwright_poly::{SumOfProducts, Term};

/// The statement that an expression is zero at all `2^variables` corners. Both sides know it; the verifier must not take it from the
/// prover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<F> {
    /// Number of variables of every table.
    pub variables: usize,
    /// The expression in the tables.
    pub expression: SumOfProducts<F>,
}

impl<F: PrimeField> Statement<F> {
    /// The statement `a·b - c = 0`, where a, b and c are the tables 0, 1 and 2.
    pub fn product(variables: usize) -> Self {
        let product = Term { coefficient: F::ONE, tables: vec![0, 1] };
        let minus = Term { coefficient: -F::ONE, tables: vec![2] };
        Self { variables, expression: SumOfProducts { terms: vec![product, minus] } }
    }

    /// Number of tables of the expression.
    pub fn tables(&self) -> usize {
        self.expression.tables()
    }

    /// The degree of the round polynomials: that of the expression plus one for `eq`.
    pub fn degree(&self) -> usize {
        self.expression.degree().saturating_add(1)
    }

    /// The expression times an additional table, whose index follows those of all others: `eq`.
    pub(super) fn weighted(&self) -> SumOfProducts<F> {
        let mut sum = self.expression.clone();
        sum.terms.iter_mut().for_each(|term| term.tables.push(self.tables()));
        sum
    }

    /// Absorbs the statement and draws `r`. The statement is encoded as the number of variables, the number of terms, and for each term
    /// its coefficient, the number of its tables and their indices. Numbers take 8 bytes, little-endian.
    pub(super) fn begin(&self, transcript: &mut Transcript) -> Vec<F> {
        let number = |n: usize| (n as u64).to_le_bytes();
        let mut bytes = [number(self.variables), number(self.expression.terms.len())].concat();
        for term in &self.expression.terms {
            write_scalars(&[term.coefficient], &mut bytes);
            bytes.extend(number(term.tables.len()));
            term.tables.iter().for_each(|table| bytes.extend(number(*table)));
        }
        transcript.enter("zerocheck");
        transcript.absorb("statement", &bytes);
        transcript.challenges("eq", self.variables)
    }
}

/// A proof: the sumcheck of `eq·f`, and the values of the tables at its point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<F> {
    /// The proof of the sumcheck that the zerocheck is reduced to.
    pub sumcheck: SumcheckProof<F>,
    /// The value of every table at the point of the challenges.
    pub evaluations: Vec<F>,
}

impl<F: PrimeField> Proof<F> {
    /// The values of the rounds, then the evaluations, canonical and little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.sumcheck.to_bytes();
        write_scalars(&self.evaluations, &mut out);
        out
    }

    /// Reads a proof of a statement. The encoding of a proof is unique.
    ///
    /// # Errors
    /// When the length is not that of the statement's proofs, or an element is not below the modulus.
    pub fn from_bytes(bytes: &[u8], statement: &Statement<F>) -> Result<Self, BytesError> {
        let (variables, degree, tables) = (statement.variables, statement.degree(), statement.tables());
        let shape = BytesError::Shape { variables, values: degree };
        let rounds = variables.checked_mul(degree).ok_or(shape.clone())?;
        let scalars = read_scalars(bytes, rounds.checked_add(tables).ok_or(shape)?)?;
        let (rounds, evaluations) = scalars.split_at(rounds);
        let rounds = rounds.chunks_exact(degree).map(<[F]>::to_vec).collect();
        Ok(Self { sumcheck: SumcheckProof { rounds }, evaluations: evaluations.to_vec() })
    }
}
