//! The builder of circuits, which collects variables and constraints and numbers the wires at the end, and the finished circuit.

use super::linear::Id;
use super::{Linear, Variable};
use crate::r1cs::{Combination, Constraint, ConstraintSource, R1cs, R1csError, Shape};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicU32, Ordering};
use pairwright_field::PrimeField;
use pairwright_poly::SourceError;
use thiserror::Error;

/// Why a circuit or a witness was not made. Messages do not contain values of variables, which may be secrets.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// A constraint or a computed variable uses a variable of another builder.
    #[error("a variable of another builder is used in {place}")]
    ForeignVariable {
        /// The place in the circuit: the names given to [`Builder::within`].
        place: String,
    },
    /// A value is given to a variable that is not an input of this circuit.
    #[error("a value is given to a variable that is not an input of this circuit")]
    NotAnInput,
    /// An input has no value.
    #[error("the input `{name}` has no value")]
    MissingInput {
        /// Name of the input.
        name: String,
    },
    /// The values do not satisfy the circuit.
    #[error("constraint {constraint} does not hold: {place}")]
    Unsatisfied {
        /// The first constraint that fails, from zero.
        constraint: usize,
        /// The place in the circuit: the names given to [`Builder::within`].
        place: String,
    },
    /// The requested number of bits does not determine a number uniquely: `2^asked` is not below the modulus.
    #[error("a number of {asked} bits is not unique modulo a prime of {bits} bits")]
    TooManyBits {
        /// Number of bits that were asked for.
        asked: u32,
        /// Bits of the modulus.
        bits: u32,
    },
    /// There are more variables than the 32-bit wire numbers of circom's files allow.
    #[error("{0} wires are more than 2^32")]
    TooManyWires(usize),
    /// The constraints do not form a valid constraint system.
    #[error(transparent)]
    R1cs(#[from] R1csError),
}

/// The kind of a variable; the order of the kinds is that of the wires.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    One,
    Output,
    Public,
    Private,
    Internal,
}

/// A function that computes a variable's value from the values of combinations.
type Rule<F> = Box<dyn Fn(&[F]) -> F + Send + Sync>;

/// The source of a variable's value.
enum Origin<F> {
    One,
    Input { name: String, value: Option<F> },
    Computed { from: Vec<Linear<F>>, rule: Rule<F> },
}

struct Declared<F> {
    role: Role,
    origin: Origin<F>,
    /// Index in the builder's list of places of the place at which the variable was declared.
    place: usize,
}

struct Row<F> {
    sides: [Linear<F>; 3],
    place: usize,
}

/// The number of the next builder. The numbers distinguish variables of different builders and are not part of a circuit's
/// constraints or witness.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// A circuit under construction: [`Builder::finish`] gives the [`Circuit`].
pub struct Builder<F> {
    number: u32,
    variables: Vec<Declared<F>>,
    rows: Vec<Row<F>>,
    places: Vec<String>,
    place: usize,
}

impl<F: PrimeField> Default for Builder<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: PrimeField> Builder<F> {
    /// An empty circuit: no inputs and no constraints.
    pub fn new() -> Self {
        let one = Declared { role: Role::One, origin: Origin::One, place: 0 };
        Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            variables: vec![one],
            rows: Vec::new(),
            places: vec!["the circuit".to_owned()],
            place: 0,
        }
    }

    fn declare(&mut self, role: Role, origin: Origin<F>) -> Variable<F> {
        self.variables.push(Declared { role, origin, place: self.place });
        Variable::new(Id::new(self.number, self.variables.len() - 1))
    }

    fn input(&mut self, role: Role, name: &str) -> Variable<F> {
        self.declare(role, Origin::Input { name: name.to_owned(), value: None })
    }

    /// Declares a public input, which the verifier knows. Public inputs come after all outputs, in the order of their declaration.
    pub fn public(&mut self, name: &str) -> Variable<F> {
        self.input(Role::Public, name)
    }

    /// Declares a private input, which only the prover knows.
    pub fn private(&mut self, name: &str) -> Variable<F> {
        self.input(Role::Private, name)
    }

    /// Declares an output, a public value that the circuit computes: a new variable, constrained to equal `value`. Outputs are the first
    /// public values.
    pub fn output(&mut self, name: &str, value: impl Into<Linear<F>>) -> Variable<F> {
        let value = value.into();
        let origin = Origin::Computed { from: vec![value.clone()], rule: Box::new(first) };
        let out = self.declare(Role::Output, origin);
        self.within(name, |b| b.enforce(value, F::ONE, out));
        out
    }

    /// Declares a variable whose value in a witness is `rule` applied to the values of `from`. **No constraint ties it to them**: a
    /// prover can choose any value, so the caller has to add constraints.
    pub fn compute(
        &mut self,
        from: Vec<Linear<F>>,
        rule: impl Fn(&[F]) -> F + Send + Sync + 'static,
    ) -> Variable<F> {
        self.declare(Role::Internal, Origin::Computed { from, rule: Box::new(rule) })
    }

    /// Sets the default value of an input, which [`Circuit::witness`] can override.
    ///
    /// # Errors
    /// [`CircuitError::NotAnInput`] if the variable is not an input of this builder.
    pub fn assign(&mut self, input: Variable<F>, to: F) -> Result<(), CircuitError> {
        let index = input.0.within(self.number);
        match index.and_then(|at| self.variables.get_mut(at)).map(|v| &mut v.origin) {
            Some(Origin::Input { value, .. }) => {
                *value = Some(to);
                Ok(())
            }
            _ => Err(CircuitError::NotAnInput),
        }
    }

    /// Constrains `a · b = c`.
    pub fn enforce(&mut self, a: impl Into<Linear<F>>, b: impl Into<Linear<F>>, c: impl Into<Linear<F>>) {
        self.rows.push(Row { sides: [a.into(), b.into(), c.into()], place: self.place });
    }

    /// Constrains `a = b`.
    pub fn enforce_equal(&mut self, a: impl Into<Linear<F>>, b: impl Into<Linear<F>>) {
        self.enforce(a.into() - b.into(), F::ONE, F::ZERO);
    }

    /// The product `a · b`: a new variable and one constraint, or neither if a factor is constant.
    pub fn mul(&mut self, a: impl Into<Linear<F>>, b: impl Into<Linear<F>>) -> Linear<F> {
        let (a, b) = (a.into(), b.into());
        match (a.as_constant(), b.as_constant()) {
            (Some(k), _) => b * k,
            (_, Some(k)) => a * k,
            _ => {
                let product = self.compute(vec![a.clone(), b.clone()], |x| match x {
                    [a, b] => *a * *b,
                    _ => F::ZERO,
                });
                self.enforce(a, b, product);
                product.into()
            }
        }
    }

    /// Runs `part`, with `name` appended to the place of the variables and constraints that it adds. Errors name the place.
    pub fn within<T>(&mut self, name: &str, part: impl FnOnce(&mut Self) -> T) -> T {
        let (outer, known) = (self.place, self.places.get(self.place));
        let path = match known {
            Some(above) if outer > 0 => [above.as_str(), name].join("/"),
            _ => name.to_owned(),
        };
        self.places.push(path);
        self.place = self.places.len() - 1;
        let result = part(self);
        self.place = outer;
        result
    }

    /// Number of constraints so far.
    pub fn constraints(&self) -> usize {
        self.rows.len()
    }

    /// Numbers the wires and returns the circuit. The wires are the constant one, outputs, public inputs, private inputs, internal
    /// variables.
    ///
    /// # Errors
    /// When a variable of another builder is used, or there are too many variables.
    pub fn finish(self) -> Result<Circuit<F>, CircuitError> {
        let Self { number, variables, rows, places, .. } = self;
        let wires = variables.len();
        let too_many = |_| CircuitError::TooManyWires(wires);
        u32::try_from(wires).map_err(too_many)?;
        let known = |side: &Linear<F>, below: usize| {
            side.terms.iter().all(|(id, _)| id.within(number).is_some_and(|at| at < below))
        };
        let foreign = |place: usize| CircuitError::ForeignVariable { place: name_of(&places, place) };
        for (id, variable) in variables.iter().enumerate() {
            if let Origin::Computed { from, .. } = &variable.origin
                && !from.iter().all(|side| known(side, id))
            {
                return Err(foreign(variable.place));
            }
        }
        if let Some(row) = rows.iter().find(|row| !row.sides.iter().all(|side| known(side, wires))) {
            return Err(foreign(row.place));
        }

        let mut order: Vec<usize> = (0..wires).collect();
        order.sort_by_key(|id| variables.get(*id).map(|v| v.role));
        let mut wire_of = vec![0u32; wires];
        for (wire, id) in (0u32..).zip(&order) {
            wire_of[*id] = wire;
        }
        let combination = |side: &Linear<F>| -> Combination<F> {
            side.terms.iter().map(|(id, k)| (wire_of[id.index()], *k)).collect()
        };
        let constraints = rows.iter().map(|row| {
            let [a, b, c] = &row.sides;
            Constraint { a: combination(a), b: combination(b), c: combination(c) }
        });
        let count = |role: Role| variables.iter().filter(|v| v.role == role).count();
        let shape = Shape {
            wires,
            outputs: count(Role::Output),
            public_inputs: count(Role::Public),
            private_inputs: count(Role::Private),
            constraints: rows.len(),
        };
        let r1cs = R1cs::new(shape, constraints.collect())?;
        let place_of = rows.iter().map(|row| row.place).collect();
        Ok(Circuit { number, r1cs, variables, order, places, place_of })
    }
}

fn first<F: PrimeField>(values: &[F]) -> F {
    values.first().copied().unwrap_or(F::ZERO)
}

fn name_of(places: &[String], place: usize) -> String {
    places.get(place).cloned().unwrap_or_default()
}

/// A finished circuit with numbered wires: a [`ConstraintSource`], which also computes witnesses.
pub struct Circuit<F> {
    /// The number of its builder.
    number: u32,
    r1cs: R1cs<F>,
    variables: Vec<Declared<F>>,
    /// The variable of each wire, by its index in `variables`.
    order: Vec<usize>,
    places: Vec<String>,
    place_of: Vec<usize>,
}

impl<F: PrimeField> Circuit<F> {
    /// The constraint system, for functions that take an [`R1cs`].
    pub fn r1cs(&self) -> &R1cs<F> {
        &self.r1cs
    }

    /// The public values of a witness, outputs first.
    pub fn public<'a>(&self, witness: &'a [F]) -> &'a [F] {
        witness.get(1..=self.r1cs.shape().public()).unwrap_or_default()
    }

    /// The place in the circuit of a constraint, see [`Builder::within`].
    pub fn place(&self, constraint: usize) -> Option<&str> {
        let place = self.place_of.get(constraint)?;
        self.places.get(*place).map(String::as_str)
    }

    /// Computes the witness for these inputs, one value per wire, and checks every constraint. Inputs that are not given have the value
    /// that [`Builder::assign`] set. Variable time.
    ///
    /// # Errors
    /// When an input has no value, a value is given to a variable that is not an input, or a constraint does not hold, which the error
    /// names.
    pub fn witness(&self, inputs: &[(Variable<F>, F)]) -> Result<Vec<F>, CircuitError> {
        let witness = self.unchecked_witness(inputs)?;
        self.check(&witness)?;
        Ok(witness)
    }

    /// [`Circuit::witness`] without the check of the constraints.
    ///
    /// # Errors
    /// When an input has no value, or a value is given to a variable that is not an input.
    pub fn unchecked_witness(&self, inputs: &[(Variable<F>, F)]) -> Result<Vec<F>, CircuitError> {
        let mut given = vec![None; self.variables.len()];
        for (input, value) in inputs {
            let index = input.0.within(self.number).ok_or(CircuitError::NotAnInput)?;
            match (self.variables.get(index).map(|v| &v.origin), given.get_mut(index)) {
                (Some(Origin::Input { .. }), Some(place)) => *place = Some(*value),
                _ => return Err(CircuitError::NotAnInput),
            }
        }
        let mut values: Vec<F> = Vec::with_capacity(self.variables.len());
        for (variable, given) in self.variables.iter().zip(given) {
            let value = match &variable.origin {
                Origin::One => F::ONE,
                Origin::Input { name, value } => {
                    given.or(*value).ok_or_else(|| CircuitError::MissingInput { name: name.clone() })?
                }
                Origin::Computed { from, rule } => {
                    let from: Vec<F> = from.iter().map(|side| side.value(&values)).collect();
                    rule(&from)
                }
            };
            values.push(value);
        }
        Ok(self.order.iter().map(|id| values[*id]).collect())
    }

    /// Checks that a witness satisfies the circuit.
    ///
    /// # Errors
    /// The first constraint that fails with its place; or when the witness has the wrong length or does not begin with one.
    pub fn check(&self, witness: &[F]) -> Result<(), CircuitError> {
        crate::r1cs::check(&self.r1cs, witness).map_err(|why| match why {
            R1csError::Unsatisfied { constraint, .. } => CircuitError::Unsatisfied {
                constraint,
                place: self.place(constraint).unwrap_or_default().to_owned(),
            },
            other => other.into(),
        })
    }
}

impl<F: PrimeField> ConstraintSource<F> for Circuit<F> {
    fn shape(&self) -> Shape {
        self.r1cs.shape()
    }
    fn visit(
        &self,
        each: &mut dyn FnMut(usize, &Constraint<F>) -> ControlFlow<()>,
    ) -> Result<(), SourceError> {
        self.r1cs.visit(each)
    }
}

impl<F: PrimeField> fmt::Debug for Circuit<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Circuit({:?})", self.r1cs.shape())
    }
}
impl<F: PrimeField> fmt::Debug for Builder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Builder({} variables, {} constraints)", self.variables.len(), self.rows.len())
    }
}
