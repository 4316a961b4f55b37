//! Groth16 (eprint 2016/260) in the shape circom and snarkjs gave it.
//!
//! The quotient is not divided out: the key holds, for the *odd* half of the double domain,
//! `H_i = L_{2i+1}(τ)/δ` with `L` the Lagrange polynomials of 2N points. `A·B - C` vanishes on the even half, so its
//! values on the odd half alone, weighted by `H_i`, give `(A·B - C)(τ)/δ`.

mod bytes;
mod combine;
mod contribute;
mod group_ntt;
mod h_basis;
mod instances;
mod keys;
mod points;
mod powers;
mod powers_check;
mod prepared;
mod prove;
mod setup;
mod setup_powers;
mod verify;
mod weakness;

pub use bytes::{BytesError, Encoded};
pub use contribute::{ContributeError, contribute};
pub use h_basis::h_from_powers_vartime;
pub use keys::{Proof, ProvingKey, VerifyingKey};
pub use points::{BadPoint, Element, Fault, InSubgroup};
pub use powers::{LagrangePoints, PowersFault, PowersOfTau};
pub use prepared::{Batch, PreparedVerifyingKey, check_proofs};
pub use prove::{ProofSizes, ProveError, prove};
pub use setup::{SetupError, setup_local};
pub use setup_powers::setup_from_powers;
pub use verify::{VerifyError, verify, verify_with_unsafe_key};
pub use weakness::Weakness;
