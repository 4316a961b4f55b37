//! Groth16 (eprint 2016/260) with the conventions of circom and snarkjs: setup, prover, verifiers.
//!
//! The prover does not divide by the vanishing polynomial of the domain. The key holds, for the *odd* half of the double domain,
//! `H_i = L_{2i+1}(τ)/δ` with `L` the Lagrange polynomials of 2N points. `A·B - C` vanishes on the even half, so its
//! values on the odd half alone, weighted by `H_i`, give `(A·B - C)(τ)/δ`.

mod bytes;
#[cfg(feature = "std")]
mod combine;
#[cfg(feature = "std")]
mod contribute;
#[cfg(feature = "std")]
mod h_basis;
#[cfg(feature = "std")]
mod instances;
mod keys;
#[cfg(feature = "std")]
mod lagrange;
#[cfg(feature = "std")]
mod local;
mod points;
#[cfg(feature = "std")]
mod powers;
#[cfg(feature = "std")]
mod powers_check;
mod prepared;
#[cfg(feature = "std")]
mod prove;
#[cfg(feature = "std")]
mod setup;
#[cfg(feature = "std")]
mod setup_powers;
mod verify;
mod weakness;
#[cfg(feature = "std")]
mod wire_sums;

pub use crate::group_ntt::ScalePoints;
pub use bytes::{BytesError, Encoded};
#[cfg(feature = "std")]
pub use contribute::{ContributeError, Contribution, contribute, contribution_plan, division_plan};
#[cfg(feature = "std")]
pub use h_basis::{h_from_powers_vartime, powers_from_h_vartime};
pub use keys::{Proof, ProvingKey, VerifyingKey};
#[cfg(feature = "std")]
pub use lagrange::LagrangeLevel;
#[cfg(feature = "std")]
pub use local::{KeyPart, LocalSetup, setup_local, visit_entries};
pub use points::{BadPoint, Element, InSubgroup, PointFault};
pub(crate) use points::{check, finite};
#[cfg(feature = "std")]
pub(crate) use powers::read_points;
#[cfg(feature = "std")]
pub use powers::{LagrangePoints, PowersFault, PowersOfTau};
#[cfg(feature = "std")]
pub(crate) use powers_check::check_chain;
pub use prepared::{Batch, PreparedVerifyingKey, check_proofs};
#[cfg(feature = "std")]
pub(crate) use prove::load;
#[cfg(feature = "std")]
pub use prove::{Blinding, ProofSizes, ProveError, Sums, blind, prove, prove_blinded};
#[cfg(feature = "std")]
pub(crate) use setup::Secret;
#[cfg(feature = "std")]
pub use setup::SetupError;
#[cfg(feature = "std")]
pub use setup_powers::{PowersSetup, SetupSteps, setup_from_powers};
pub use verify::{VerifyError, verify, verify_with_unsafe_key};
pub use weakness::Weakness;
