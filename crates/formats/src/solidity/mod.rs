//! Solidity contracts that verify proofs under one fixed key, and the arguments of calls of these contracts.
//!
//! On BN254 the contracts have the names and the function signatures of snarkjs' contracts, so that they can replace each
//! other, and compute with the precompiles of EIP-196, EIP-197 and EIP-198. On BLS12-381, for which snarkjs has no contracts,
//! they compute with the precompiles of EIP-2537, and points are encoded as in that EIP: a coordinate takes two words, of which
//! the first is below 2^128. The source of a contract is a template of this folder into which the constants of a key are
//! filled.

mod calldata;
mod fflonk;
mod groth16;
mod plonk;
mod template;

pub use calldata::{fflonk_calldata, groth16_calldata, plonk_calldata};
pub use fflonk::fflonk_contract;
pub use groth16::groth16_contract;
pub use plonk::plonk_contract;

use crate::CurveId;
use pairwright_curve::Pairing;
use pairwright_protocols::{groth16 as of_groth16, plonk as of_plonk};
use thiserror::Error;

/// Why no contract can be written for a key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ContractError {
    /// Ethereum has no precompiles for the curve.
    #[error("Ethereum has no precompiles for {curve}: there are contracts for bn128 and bls12381")]
    NoPrecompiles {
        /// The curve's name.
        curve: &'static str,
    },
    /// fflonk keys exist on BN254 only.
    #[error("there are contracts for fflonk on bn128 alone, the key is for {curve}")]
    FflonkCurve {
        /// The curve's name.
        curve: &'static str,
    },
    /// The Groth16 key has no IC point for the constant one.
    #[error("the verification key has no IC elements")]
    EmptyKey,
    /// Anybody can forge proofs under the Groth16 key.
    #[error("no contract is written for a key that is not safe: {0}")]
    UnsafeGroth16(#[from] of_groth16::Weakness),
    /// Anybody can forge proofs under the Plonk or fflonk key.
    #[error("no contract is written for a key that is not safe: {0}")]
    UnsafePlonk(#[from] of_plonk::Weakness),
}

/// The families of precompiles that contracts compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precompiles {
    /// The precompiles for BN254 of EIP-196 and EIP-197.
    Bn254,
    /// The precompiles for BLS12-381 of EIP-2537.
    Bls12_381,
}

impl Precompiles {
    /// The precompiles for the curve of `E`.
    fn of<E: Pairing>() -> Result<Self, ContractError> {
        match CurveId::of::<E>() {
            Some(CurveId::Bn254) => Ok(Self::Bn254),
            Some(CurveId::Bls12_381) => Ok(Self::Bls12_381),
            _ => Err(ContractError::NoPrecompiles { curve: CurveId::name_of::<E>() }),
        }
    }
}
