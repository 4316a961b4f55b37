//! Converts circuits of `ark-relations` to constraint systems.

use crate::convert::prime_from_ark;
use crate::curves::{ArkScalar, Bridge};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, OptimizationGoal, R1CS_PREDICATE_LABEL, SynthesisError,
    SynthesisMode,
};
use ark_relations::utils::matrix::Matrix;
use pairwright_protocols::r1cs::{Combination, Constraint, R1cs, R1csError, Shape};
use thiserror::Error;

/// Why a circuit could not be converted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// The synthesis of the circuit failed, or the circuit has no witness.
    #[error("the circuit of arkworks: {0}")]
    Synthesis(#[from] SynthesisError),
    /// Some constraints do not have the predicate of rank-1 constraints.
    #[error("{found} constraints are of the predicate {label}, which is not R1CS")]
    NotR1cs {
        /// Name of the predicate.
        label: String,
        /// Number of its constraints.
        found: usize,
    },
    /// The constraints do not form a valid constraint system of this project.
    #[error(transparent)]
    R1cs(#[from] R1csError),
}

/// The constraints of an arkworks circuit, synthesised as `ark-groth16` does it, so that they match its keys.
///
/// The order of wires is the same in both libraries: the constant one, instance variables, witness variables.
#[derive(Clone, Debug)]
pub struct Circuit<E: Bridge> {
    /// The constraints, in the order of arkworks.
    pub r1cs: R1cs<E::Fr>,
    /// The witness, with one value per wire; `None` if only the shape was asked for.
    pub witness: Option<Vec<E::Fr>>,
}

impl<E: Bridge> Circuit<E> {
    /// Synthesises only the constraints; the circuit needs no values.
    ///
    /// # Errors
    /// When the synthesis fails, or the constraints are not R1CS.
    pub fn shape(circuit: impl ConstraintSynthesizer<ArkScalar<E>>) -> Result<Self, CircuitError> {
        Self::synthesize(circuit, SynthesisMode::Setup)
    }

    /// Synthesises the constraints and the witness. [`pairwright_protocols::r1cs::check`] tells whether the witness satisfies
    /// them.
    ///
    /// # Errors
    /// When the synthesis fails, the circuit has no values, or the constraints are not R1CS.
    pub fn with_witness(circuit: impl ConstraintSynthesizer<ArkScalar<E>>) -> Result<Self, CircuitError> {
        let mode = SynthesisMode::Prove { construct_matrices: true, generate_lc_assignments: false };
        Self::synthesize(circuit, mode)
    }

    fn synthesize(
        circuit: impl ConstraintSynthesizer<ArkScalar<E>>,
        mode: SynthesisMode,
    ) -> Result<Self, CircuitError> {
        let assigned = !matches!(mode, SynthesisMode::Setup);
        let cs = ConstraintSystem::new_ref();
        cs.set_optimization_goal(OptimizationGoal::Constraints);
        cs.set_mode(mode);
        circuit.generate_constraints(cs.clone())?;
        cs.finalize();

        let counts = cs.get_all_predicates_num_constraints();
        if let Some((label, found)) = counts.iter().find(|(l, n)| *l != R1CS_PREDICATE_LABEL && **n > 0) {
            return Err(CircuitError::NotR1cs { label: label.clone(), found: *found });
        }
        let matrices = cs.to_matrices()?;
        let constraints = match matrices.get(R1CS_PREDICATE_LABEL).map(Vec::as_slice) {
            Some([a, b, c]) => rows::<E>(a, b, c),
            _ => Vec::new(),
        };
        let (instance, private) = (cs.num_instance_variables(), cs.num_witness_variables());
        let shape = Shape {
            wires: instance + private,
            outputs: 0,
            public_inputs: instance.saturating_sub(1),
            private_inputs: private,
            constraints: 0,
        };
        let witness = if assigned {
            let (instance, private) = (cs.instance_assignment()?, cs.witness_assignment()?);
            Some(instance.iter().chain(&private).map(prime_from_ark).collect())
        } else {
            None
        };
        Ok(Self { r1cs: R1cs::new(shape, constraints)?, witness })
    }
}

fn rows<E: Bridge>(
    a: &Matrix<ArkScalar<E>>,
    b: &Matrix<ArkScalar<E>>,
    c: &Matrix<ArkScalar<E>>,
) -> Vec<Constraint<E::Fr>> {
    let side = |row: &Vec<(ArkScalar<E>, usize)>| -> Combination<E::Fr> {
        row.iter().map(|(k, wire)| (*wire as u32, prime_from_ark(k))).collect()
    };
    a.iter().zip(b).zip(c).map(|((a, b), c)| Constraint { a: side(a), b: side(b), c: side(c) }).collect()
}
