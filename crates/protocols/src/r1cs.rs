//! Rank-1 constraint systems: `⟨A_j, w⟩ · ⟨B_j, w⟩ = ⟨C_j, w⟩` for every constraint `j`.
//!
//! Wires are numbered as circom does: 0 is the constant one, then outputs, public inputs, private inputs,
//! internal wires. The public wires are outputs and public inputs.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use pairwright_field::PrimeField;
use pairwright_poly::SourceError;
use thiserror::Error;

/// Sizes of a constraint system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of wires, the constant one included.
    pub wires: usize,
    /// Number of public outputs.
    pub outputs: usize,
    /// Number of public inputs.
    pub public_inputs: usize,
    /// Number of private inputs as declared; circom also counts inputs whose wires its optimiser removed.
    pub private_inputs: usize,
    /// Number of constraints.
    pub constraints: usize,
}

impl Shape {
    /// Number of public values: outputs and public inputs, without the constant one.
    pub fn public(&self) -> usize {
        self.outputs + self.public_inputs
    }
}

/// A linear combination of wires: pairs of a wire and its coefficient.
pub type Combination<F> = Vec<(u32, F)>;

/// One constraint `a · b = c`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraint<F> {
    /// The left factor of the product.
    pub a: Combination<F>,
    /// The right factor of the product.
    pub b: Combination<F>,
    /// The value of the product.
    pub c: Combination<F>,
}

/// A source of constraints, in memory or in a file, which are visited in order.
pub trait ConstraintSource<F: PrimeField>: Send + Sync {
    /// Returns the sizes of the system.
    fn shape(&self) -> Shape;
    /// Calls `each` with the index and the constraint, in order, until it breaks. Every wire in a constraint is below
    /// `shape().wires`.
    ///
    /// # Errors
    /// When the bytes are not valid constraints.
    fn visit(
        &self,
        each: &mut dyn FnMut(usize, &Constraint<F>) -> ControlFlow<()>,
    ) -> Result<(), SourceError>;
}

/// A constraint system in memory.
#[derive(Clone, Debug)]
pub struct R1cs<F> {
    shape: Shape,
    constraints: Vec<Constraint<F>>,
}

/// Why a constraint system or a witness is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum R1csError {
    /// A combination names a wire that does not exist.
    #[error("constraint {constraint} names wire {wire} of {wires}")]
    NoSuchWire {
        /// Index of the constraint, from zero.
        constraint: usize,
        /// Index of the wire that the constraint names.
        wire: u32,
        /// Number of wires of the system.
        wires: usize,
    },
    /// There are fewer wires than the constant one and the public values need.
    #[error("{wires} wires cannot hold the constant one and {public} public values")]
    TooFewWires {
        /// Number of wires declared.
        wires: usize,
        /// Number of outputs and public inputs.
        public: usize,
    },
    /// The witness has the wrong number of values.
    #[error("the witness has {found} values, the circuit {expected} wires")]
    WitnessLength {
        /// Number of wires of the circuit.
        expected: usize,
        /// Number of values of the witness.
        found: usize,
    },
    /// The first value of the witness is not one.
    #[error("the witness does not begin with the constant one")]
    NoConstantOne,
    /// The witness does not satisfy the circuit. The message has no values: they may be secrets.
    #[error("constraint {constraint} does not hold")]
    Unsatisfied {
        /// The first failing constraint, from zero.
        constraint: usize,
        /// Value of its left factor.
        a: String,
        /// Value of its right factor.
        b: String,
        /// Value of its product side.
        c: String,
    },
    /// The constraints could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl<F: PrimeField> R1cs<F> {
    /// The system of these constraints; `shape.constraints` is set to their number.
    ///
    /// # Errors
    /// When a constraint names a wire that does not exist, or the wires cannot hold the public values.
    pub fn new(mut shape: Shape, constraints: Vec<Constraint<F>>) -> Result<Self, R1csError> {
        shape.constraints = constraints.len();
        let public = shape.outputs.saturating_add(shape.public_inputs);
        if shape.wires <= public {
            return Err(R1csError::TooFewWires { wires: shape.wires, public });
        }
        for (j, k) in constraints.iter().enumerate() {
            let all = k.a.iter().chain(&k.b).chain(&k.c);
            if let Some(&(wire, _)) = all.clone().find(|(w, _)| *w as usize >= shape.wires) {
                return Err(R1csError::NoSuchWire { constraint: j, wire, wires: shape.wires });
            }
        }
        Ok(Self { shape, constraints })
    }
}

impl<F: PrimeField> ConstraintSource<F> for R1cs<F> {
    fn shape(&self) -> Shape {
        self.shape
    }
    fn visit(
        &self,
        each: &mut dyn FnMut(usize, &Constraint<F>) -> ControlFlow<()>,
    ) -> Result<(), SourceError> {
        for (j, k) in self.constraints.iter().enumerate() {
            if each(j, k).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Checks that a witness satisfies a system.
///
/// # Errors
/// The first constraint that fails; or when the witness has the wrong length or does not begin with one, or the source fails.
pub fn check<F: PrimeField>(system: &dyn ConstraintSource<F>, witness: &[F]) -> Result<(), R1csError> {
    let shape = system.shape();
    if witness.len() != shape.wires {
        return Err(R1csError::WitnessLength { expected: shape.wires, found: witness.len() });
    }
    if witness.first() != Some(&F::ONE) {
        return Err(R1csError::NoConstantOne);
    }
    let value = |combination: &Combination<F>| {
        // A source guarantees that wires are in range.
        combination
            .iter()
            .fold(F::ZERO, |sum, (wire, k)| sum + witness.get(*wire as usize).map_or(F::ZERO, |w| *k * *w))
    };
    let mut failed = None;
    system.visit(&mut |j, k| {
        let (a, b, c) = (value(&k.a), value(&k.b), value(&k.c));
        if a * b == c {
            return ControlFlow::Continue(());
        }
        failed = Some(R1csError::Unsatisfied {
            constraint: j,
            a: a.to_decimal(),
            b: b.to_decimal(),
            c: c.to_decimal(),
        });
        ControlFlow::Break(())
    })?;
    failed.map_or(Ok(()), Err)
}
