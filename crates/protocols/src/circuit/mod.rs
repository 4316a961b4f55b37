//! A builder for R1CS circuits in Rust: variables, linear combinations, constraints and gadgets. Wires are numbered automatically.
//!
//! A circuit records, beside its constraints, how each variable is computed from the inputs, so that [`Circuit::witness`]
//! computes any number of witnesses. Wires are numbered as circom does, so that circuit and
//! witness can be written as `.r1cs` and `.wtns` files.
//!
//! ```
//! use pairwright_curve::bn254::Fr;
//! use pairwright_protocols::circuit::Builder;
//!
//! // Somebody knows an x with x³ + x + 5 = y.
//! let mut b = Builder::<Fr>::new();
//! let x = b.private("x");
//! let square = b.mul(x, x);
//! let cube = b.mul(square, x);
//! b.output("y", cube + x + Fr::from(5));
//!
//! let circuit = b.finish()?;
//! let witness = circuit.witness(&[(x, Fr::from(3))])?;
//! assert_eq!(circuit.public(&witness), [Fr::from(35)]);
//! # Ok::<(), pairwright_protocols::circuit::CircuitError>(())
//! ```

mod builder;
mod edwards;
mod gadgets;
mod linear;
mod poseidon;

pub use builder::{Builder, Circuit, CircuitError};
pub use edwards::{CircuitPoint, Windows};
pub use gadgets::Bool;
pub use linear::{Linear, Variable};
